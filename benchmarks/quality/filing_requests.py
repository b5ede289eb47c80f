"""How well a language model files notes, by answers to the very requests that `--file-by model` sends.

    python -m benchmarks.quality.filing_requests ask FOLDER REALMEM        # a numbered JSON file a request
    python -m benchmarks.quality.filing_requests keep FOLDER RECORDINGS    # answers to them, for --replay
    python -m benchmarks.quality.filing_requests score RECORDINGS REALMEM  # what the answers come to

The requests are about conversations of the sample and of one person of RealMem (REALMEM is that suite's
folder) that hold three or more of the judged notes of `data/filing-paths.jsonl`, drawn with a fixed seed.
Each file has `prompt` and `text`, which is all that a model is shown, the `form` of the answer as JSON
Schema, and `asked`, the name of the question. Whoever answers writes the bare JSON of the form into a file of
the same name under FOLDER/answers; `keep` reads these and adds them to RECORDINGS, which `--replay` takes.

A judged note is looked for in the sentence that has most of its words, whoever noted it, and left out where
it could be of several conversations. Its path is the one that the answer names for that sentence; where it
names none, that of the labelled examples, as in a vault. Beside it stands what the examples say of the same
notes.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from archives import open_archive
from benchmarks.quality.filed_examples import PATHS, first_of
from curation.filing.filer import Filer
from curation.filing.model_filing import listed_paths, standing_path
from curation.filing.taxonomy import Taxonomy, read_taxonomy
from extract.model.notes.named_paths import paths_by_sentence
from extract.model.notes.note_windows import FiledAnswer, NoteWindow, unit_windows, window_question
from extract.model.notes.numbering import numbered_sheet
from inference import load_embedder
from inference.calls import Call, StoredResponse
from inference.language_model import REACH
from inference.prices import estimate_tokens
from inference.provider_choice import Asked, provider_of
from inference.recordings import Recorded, read_recordings, write_recording
from inference.secret_cover import concealed
from schemas.conversation import Conversation
from schemas.semantic_path import UNSORTED

SAMPLE = PATHS.parent / "sample"
PERSON = "sophie_dubois.zip"
"""Of RealMem: whose notes were judged."""
DRAWN = {"sample": 8, "realmem": 4}
LEAST, LONGEST = 3, 4_800
"""Judged notes of a request at least, and expected tokens of its answer at most."""
_SHARE = 0.7
"""Of a note's words that a sentence must have to be where it was said."""
_WORDS = re.compile(r"\w{3,}")


@dataclass(frozen=True, slots=True)
class AcceptedPaths:
    """A note for which a reader put down every path that they would accept."""

    part: str
    title: str
    note: str
    accepted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FilingRequest:
    """A request, and the judged notes that stand in it by the number of their sentence."""

    part: str
    call: Call
    prompt: str
    notes: tuple[tuple[int, AcceptedPaths], ...]


def judged_notes() -> list[AcceptedPaths]:
    """All of them."""
    rows = [json.loads(line) for line in PATHS.read_text(encoding="utf-8").splitlines()]
    return [AcceptedPaths(one["part"], one["title"], one["note"], tuple(one["accepted"])) for one in rows]


def conversations(realmem: Path) -> Iterator[tuple[str, Conversation]]:
    """Those of the sample and of the person, each with its part."""
    for part, path in (("sample", SAMPLE / "conversations.json"), ("realmem", realmem / PERSON)):
        with open_archive(path) as archive:
            for one in archive.conversations():
                yield part, concealed(one)


def requests(realmem: Path, taxonomy: Taxonomy) -> list[FilingRequest]:
    """The drawn requests, in the order of their conversations."""
    provider = provider_of(Asked("anthropic"))
    reach = replace(REACH, filing=listed_paths(taxonomy))
    judged, drawable = judged_notes(), []
    windows: list[tuple[str, NoteWindow, list[tuple[int, AcceptedPaths]]]] = []
    for part, one in conversations(realmem):
        own = [note for note in judged if (note.part, note.title) == (part, one.title)]
        if own:
            cut = unit_windows(numbered_sheet(one), reach)
            windows.extend((part, window, list(located(own, window))) for window in cut)
    places = Counter(note for _, _, held in windows for _, note in held)
    for part, window, held in windows:
        question = window_question(window, reach)
        notes = tuple(one for one in held if places[one[1]] == 1)
        if len(notes) >= LEAST and question.expected_tokens <= LONGEST:
            drawable.append(FilingRequest(part, provider.call(question), question.prompt.text, notes))
    chance, drawn = random.Random(21), []
    for part, count in DRAWN.items():
        of_part = [one for one in drawable if one.part == part]
        drawn += sorted(chance.sample(of_part, min(count, len(of_part))), key=drawable.index)
    return drawn


def located(notes: Iterable[AcceptedPaths], window: NoteWindow) -> Iterator[tuple[int, AcceptedPaths]]:
    """The notes that were said in the window's own sentences, with the number of the sentence."""
    words = [(one.number, _words(one.quote)) for one in window.own]
    for note in notes:
        told = _words(note.note) - {"user", "the"}
        near = [(len(told & said) / len(told), -number) for number, said in words] if told else []
        share, number = max(near, default=(0.0, 0))
        if share >= _SHARE:
            yield -number, note


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORDS.findall(text.casefold()))


def ask(folder: Path, realmem: Path) -> None:
    """Write the requests."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, one in enumerate(requests(realmem, read_taxonomy(None)), start=1):
        told = {
            "asked": one.call.asked,
            "name": one.call.prompt,
            "prompt": one.prompt,
            "text": one.call.shown,
            "form": FiledAnswer.model_json_schema(),
        }
        path = folder / f"{number:02}.json"
        path.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        tokens = estimate_tokens(one.prompt), estimate_tokens(one.call.shown)
        print(json.dumps({"file": path.name, "part": one.part, "judged": len(one.notes), "tokens": tokens}))


def keep(folder: Path, recordings: Path) -> None:
    """Add the answers to the recordings; one that is none is named and left out."""
    for path in sorted(folder.glob("*.json")):
        answer = folder / "answers" / path.name
        if not answer.exists():
            print(f"{path.name}: no answer")
            continue
        told, text = json.loads(path.read_text(encoding="utf-8")), answer.read_text(encoding="utf-8")
        try:
            FiledAnswer.model_validate_json(text)
        except ValueError as error:
            print(f"{path.name}: not the form asked for: {error}")
            continue
        response = StoredResponse(
            text=text,
            stop_reason="end_turn",
            model=f"recorded-{datetime.now(UTC):%Y-%m-%d}",
            input_tokens=estimate_tokens(told["prompt"]) + estimate_tokens(told["text"]),
            output_tokens=estimate_tokens(text),
            cache_read_tokens=0,
            cache_write_tokens=0,
        )
        write_recording(
            recordings,
            Recorded(asked=told["asked"], prompt=told["name"], text=told["text"], answer=response),
        )
        print(f"{path.name}: kept")


def score(recordings: Path, realmem: Path) -> None:
    """Print a line a part: what the model's paths and the examples' come to on the same notes."""
    taxonomy, embedder, recorded = read_taxonomy(None), load_embedder(), read_recordings(recordings)
    filer = Filer(taxonomy, embedder)
    rows: dict[str, list[tuple[AcceptedPaths, str, str | None]]] = {}
    answered: dict[str, int] = {}
    for one in requests(realmem, taxonomy):
        found = recorded.get(one.call.asked)
        if found is None:
            continue
        answered[one.part] = answered.get(one.part, 0) + 1
        named = paths_by_sentence(FiledAnswer.model_validate_json(found.answer.text).paths)
        for number, note in one.notes:
            vector, title = embedder.embed([note.note, note.title])
            by_examples = filer.file(vector, title)[0].path
            rows.setdefault(one.part, []).append(
                (note, by_examples, _first_standing(named, number, taxonomy))
            )
    for part, own in rows.items():
        by_model = [(note, model or examples) for note, examples, model in own]
        told = {
            "part": part,
            "requests": answered[part],
            "notes": len(own),
            "named none": sum(model is None for _, _, model in own),
            "model": figures(by_model),
            "examples": figures([(note, examples) for note, examples, _ in own]),
        }
        print(json.dumps(told))


def _first_standing(named: Mapping[int, tuple[str, ...]], number: int, taxonomy: Taxonomy) -> str | None:
    standing = (standing_path(path, taxonomy) for path in named.get(number, ()))
    return next((path for path in standing if path), None)


def figures(filed: Sequence[tuple[AcceptedPaths, str]]) -> dict[str, float]:
    """Shares of the notes whose likest path was accepted, as `benchmarks.quality.filed_examples` counts."""
    placed = [(note, path) for note, path in filed if path != UNSORTED]
    first = sum(first_of(path) in map(first_of, note.accepted) for note, path in placed)
    second = sum(".".join(path.split(".")[:2]) in note.accepted for note, path in placed)
    told = {
        "first level, of those that are filed": first / max(1, len(placed)),
        "second level, of those that are filed": second / max(1, len(placed)),
        "first level, of all": first / max(1, len(filed)),
        "unsorted": 1 - len(placed) / max(1, len(filed)),
    }
    return {name: round(value, 3) for name, value in told.items()}


def main() -> None:
    """See the module."""
    steps = {"ask": ask, "keep": keep, "score": score}
    if len(sys.argv) != 4 or sys.argv[1] not in steps:
        sys.exit(__doc__)
    steps[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))


if __name__ == "__main__":
    main()
