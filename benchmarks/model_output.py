"""How long a model's answers come to be, measured on notes that are there: the offline engine's.

    PYTHONPATH=. python benchmarks/model_output.py EVERY ARCHIVE...

Reads every EVERYth conversation of each archive. Each of the offline engine's units is written as the
line that the prompt asks for (sentence number, category letter, anchor where a sentence has several
notes, text `=` where that is the quote's own words), and the sentences without a unit as numbers in
`empty`. Prints, summed up, the estimated tokens of these answers for each token of the sentences shown:
the figure behind `extract.model.windows.OUTPUT_SHARE`. A model's notes are not the offline engine's:
this stands in for a measurement at the service, which there was none of.
"""

from __future__ import annotations

import json
import re
import sys
from bisect import bisect_right
from collections import Counter
from itertools import islice
from pathlib import Path

from archives import open_archive
from extract.model.answers import CATEGORIES, VERBATIM
from extract.model.numbering import Sentence, numbered_sheet
from extract.offline import extract_units
from inference.prices import estimate_tokens
from schemas.conversation import Conversation

LETTERS = {category: letter for letter, category in CATEGORIES.items()}


def bare(text: str) -> str:
    """The words of a text, without marks and case."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def answer_for(conversation: Conversation) -> tuple[str, str]:
    """(sentences as they are shown, answer) of a conversation."""
    sentences = [one for one in numbered_sheet(conversation).sentences if one.fits]
    places: dict[str, list[Sentence]] = {}
    for one in sentences:
        places.setdefault(one.message.id, []).append(one)
    cited = []
    for unit in extract_units(conversation).units:
        evidence = unit.evidence[0]
        own = places.get(evidence.message_id, [])
        at = bisect_right(own, evidence.start, key=lambda one: one.start) - 1
        if at >= 0 and evidence.start < own[at].end:
            cited.append((own[at].number, unit))
    often = Counter(number for number, _ in cited)
    lines = []
    for number, unit in cited:
        words = unit.evidence[0].quote.split()
        anchor = f"{' '.join(words[:2])} … {words[-1]}" if often[number] > 1 else ""
        same = bare(unit.evidence[0].quote) == bare(unit.text)
        lines.append(f"{number}|{LETTERS[unit.category]}|{anchor}|{VERBATIM if same else unit.text}")
    empty = [one.number for one in sentences if one.number not in often and not one.titled]
    shown = "\n".join(f"{one.number} {one.shown}" for one in sentences)
    return shown, json.dumps({"units": lines, "empty": empty}, ensure_ascii=False)


def main() -> None:
    """Print the shares by archive and over all."""
    every, asked, said = int(sys.argv[1]), 0, 0
    for name in sys.argv[2:]:
        with open_archive(Path(name)) as archive:
            for conversation in islice(archive.conversations(), 0, None, every):
                shown, answer = answer_for(conversation)
                asked += estimate_tokens(shown)
                said += estimate_tokens(answer)
        print(f"to {Path(name).name}: {said:,} tokens of answers, {asked:,} of sentences, {said / asked:.3f}")


if __name__ == "__main__":
    main()
