"""Both engines on three sample conversations, as the tables in `docs/extraction.md`.

    PYTHONPATH=.:tests python benchmarks/side_by_side.py

The model's side is not a model's: a local server gives the answers of `recorded_answers.json`, which a person
wrote by the prompt. It shows what the engine makes of good answers, not how good a model's answers are.
"""

from __future__ import annotations

import json
import tempfile
from bisect import bisect_right
from collections import defaultdict
from pathlib import Path

from model_server import ModelServer, user_text

from archives import open_archive
from extract.model.engine import ModelEngine
from extract.model.numbering import numbered_sheet
from extract.offline import Extraction, extract_units
from extract.summary import summarise
from inference.anthropic_model import AnthropicModel, ModelOptions
from inference.language_model import DEFAULT_MODEL
from inference.service import Service
from schemas.conversation import Conversation

HERE = Path(__file__).parent
RECORDED = json.loads((HERE / "recorded_answers.json").read_text(encoding="utf-8"))


def notes(conversation: Conversation, extraction: Extraction) -> dict[int, list[str]]:
    """`category: text` of the units by the number of the sentence that each stands in."""
    sentences = numbered_sheet(conversation).sentences
    found = defaultdict(list)
    for unit in extraction.units:
        evidence = unit.evidence[0]
        own = [one for one in sentences if one.message.id == evidence.message_id]
        at = bisect_right(own, evidence.start, key=lambda one: one.start) - 1
        found[own[max(at, 0)].number].append(f"*{unit.category.value}* {unit.text}")
    return found


def table(conversation: Conversation, offline: Extraction, model: Extraction) -> str:
    """One row a sentence: its words, the offline engine's notes, the model engine's."""
    left, right = notes(conversation, offline), notes(conversation, model)
    rows = [
        f"| {one.heading.split(',')[0]}: {one.shown} "
        f"| {'<br>'.join(left[one.number])} | {'<br>'.join(right[one.number])} |"
        for one in numbered_sheet(conversation).sentences
    ]
    return "\n".join(["| sentence | `offline` | `anthropic`, recorded answers |", "|---|---|---|", *rows])


def main() -> None:
    """Print a table a conversation, with what was refused."""
    with open_archive(HERE.parent / "data" / "sample") as archive:
        wanted = {one.title: one for one in archive.conversations() if one.title in RECORDED}
    first = {title: numbered_sheet(one).sentences[0].shown for title, one in wanted.items()}

    def answer(body: dict[str, object]) -> dict[str, object]:
        told = next(RECORDED[title] for title, words in first.items() if words in user_text(body))
        units = "<conversation>" in user_text(body) and "Between" not in user_text(body).rsplit("\n", 1)[-1]
        return {name: told[name] for name in (("units", "empty") if units else ("lines",))}

    with (
        ModelServer(answer) as server,
        tempfile.TemporaryDirectory() as folder,
        AnthropicModel(ModelOptions(Service(DEFAULT_MODEL, server.url, "none")), Path(folder)) as model,
    ):
        engine = ModelEngine(model.name, model.complete)
        for title, conversation in wanted.items():
            extraction = engine.extract(conversation)
            print(f"### {title}\n")
            offline = extract_units(conversation)
            print(table(conversation, offline, extraction))
            print(f"\nRefused of the recorded answers: {extraction.dropped or 'nothing'}.\n")
            print("| summary by `offline` | by `anthropic`, recorded answers |\n|---|---|")
            retelling = engine.retell(conversation, extraction.units)
            texts = (summarise(conversation, offline.units).text, retelling.summary.text)
            print(f"| {' | '.join(text.replace(chr(10) * 2, '<br>') for text in texts)} |")
            print(f"\nLeft out: {', '.join(one.reason for one in retelling.fallbacks) or 'nothing'}.\n")


if __name__ == "__main__":
    main()
