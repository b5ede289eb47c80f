"""How many true notes the guards on a model's notes refuse, and how many that were made false.

    PYTHONPATH=. python benchmarks/quality/refused_notes.py [FILE...]

The notes are those that annotators worded freely (`data/reading/everyday-*.jsonl`): each is true of its
quote. A note may take words from its quote, its sentence and the message before. Prints how many are
refused, by reason ("words that its sentence does not have" and "a value" are mostly from farther off, which
a model would cite), and of notes made false by one change each, how many are: another number, a `not` more,
a `not` less.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from chunking.language import ENGLISH, sentences
from chunking.values import strange_value
from extract.faithful.exchanged_subjects import speech_around
from extract.faithful.unsupported import SourcePassage, unfaithful
from schemas.unit import Category, Speaker

HERE = Path(__file__).parents[2] / "data" / "reading"
SPEAKERS = {"user": Speaker.OWNER, "assistant": Speaker.ASSISTANT, "other": Speaker.OTHER}


def true_notes(path: Path) -> Iterator[tuple[str, SourcePassage, Category]]:
    """(text, what it stands on, category) of every note in a file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        talk = json.loads(line)
        texts = {one["id"]: one["text"] for one in talk["messages"]}
        speakers = {one["id"]: one["role"] for one in talk["messages"]}
        heard = "\n".join(texts.values())
        before = dict(zip([*texts][1:], texts.values(), strict=False))
        for unit in talk["units"]:
            text, start, quote = texts[unit["message"]], unit["start"], unit["quote"]
            end = start + len(quote)
            homes = [one for one in sentences(text) if one[0] < end and start < one[1]]
            home = text[homes[0][0] : homes[-1][1]] if homes else quote
            category = Category(unit["category"])
            owners = speakers[unit["message"]] == "user" and category is Category.DECISION
            cited = "\n".join((quote, home, before.get(unit["message"], "")))
            speaker = SPEAKERS[speakers[unit["message"]]]
            on = SourcePassage(
                quote, home, cited, owners, (ENGLISH,), speaker, speech_around(text, start, end), heard
            )
            yield unit["note"], on, category


def refused(text: str, on: SourcePassage, category: Category) -> str:
    """Why a note is refused, or "". What code checks of places and lengths, a true quote passes."""
    strange = strange_value(text, on.cited, on.languages, pieces=2)
    return "a value that is not in its quote" if strange else unfaithful(text, on, category)


def another_number(text: str) -> str:
    """The note with its first number, of two digits at least, one higher."""
    return re.sub(r"\b[1-9]\d+\b", lambda found: str(int(found[0]) + 1), text, count=1)


def denied(text: str) -> str:
    """The note with a `not` behind its first auxiliary."""
    return re.sub(r"\b(is|are|was|will|has|can|could|should|must)\b(?! not\b)", r"\1 not", text, count=1)


def undenied(text: str) -> str:
    """The note without its `not`."""
    return re.sub(r"\b(?:does|do|did) not |(?:\bcannot\b)|\bnot ", "", text, count=1)


def main() -> None:
    """Print the counts and the reasons."""
    paths = [Path(name) for name in sys.argv[1:]] or sorted(HERE.glob("everyday-?.jsonl"))
    notes = [note for path in paths for note in true_notes(path)]
    found = Counter(refused(*note) for note in notes)
    print(f"{found.total():,} true notes, {found.total() - found['']:,} refused")
    for reason, count in found.most_common():
        if reason:
            print(f"{count:6,} {reason}")
    held = [note for note in notes if not refused(*note)]
    for change in (another_number, denied, undenied):
        false = [(change(text), on, category) for text, on, category in held if change(text) != text]
        stopped = sum(bool(refused(*note)) for note in false)
        print(f"{change.__name__}: {stopped:,} of {len(false):,} refused")


if __name__ == "__main__":
    main()
