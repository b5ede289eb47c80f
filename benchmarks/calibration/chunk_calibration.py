"""Where the chosen numbers in chunking come from: the token estimate and the topic shifts.

    PYTHONPATH=. python benchmarks/calibration/chunk_calibration.py tokens TOKENIZER.json FOLDER...
    PYTHONPATH=. python benchmarks/calibration/chunk_calibration.py topics ARCHIVE.zip...

`tokens` fits weights by class of character to a Hugging Face tokenizer file on one half of the folders' text
(*.md, *.py, and the translations in *.po) and prints how far `estimate_tokens` is off on the other half.
`topics` reads ChatGPT archives and prints how many long messages stay whole and how many seams are found
between two messages set one after the other.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import defaultdict
from pathlib import Path
from zipfile import ZipFile

import numpy as np
from tokenizers import Tokenizer

from chunking import cohesion, estimate_tokens
from chunking.words import count_words, terms

PIECE = 1_500
"""Characters of the pieces that are counted."""
MOST = 60
"""Pieces of one label."""
LANGUAGES = "ar bg bn cs de el es fa fi fr he hi hy it ja ka ko pl pt ru ta te th tr uk vi zh_Hans zh_Hant"
FAVOURED = {"md": 4.0, "py": 4.0}
"""English prose and code count this many times as much as a language."""
CLASSES = {
    "Latin letters": r"[A-Za-z]",
    "digits": r"\d",
    "line ends": r"\n",
    "blanks": r"[ \t]",
    "punctuation": r"[!-/:-@\[-`{-~]",
    "Latin letters with marks": r"[\u00aa-\u024f\u1e00-\u1eff]",
    "Greek": r"[\u0370-\u03ff]",
    "Cyrillic": r"[\u0400-\u052f]",
    "Hebrew, Arabic": r"[\u0590-\u06ff]",
    "Armenian, Georgian, India, South-East Asia": r"[\u0530-\u058f\u0900-\u10ff\u1780-\u17ff]",
    "kana": r"[\u3040-\u30ff]",
    "Hangul": r"[\uac00-\ud7af]",
    "Han": r"[\u3400-\u9fff]",
}


def labelled(folders: list[Path]) -> dict[str, list[str]]:
    """Pieces of the folders' texts by label, in a fixed random order."""
    texts: dict[str, str] = defaultdict(str)
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".md", ".py"):
                texts[path.suffix[1:]] += path.read_text("utf-8", "replace")[: 6 * PIECE]
            elif path.suffix == ".po" and path.parts[-3] in LANGUAGES.split():
                found = re.findall(r'^msgstr(?:\[\d\])? ((?:".*"\n)+)', path.read_text("utf-8"), re.MULTILINE)
                lines = ["".join(line[1:-1] for line in entry.splitlines()) for entry in found]
                texts[path.parts[-3]] += "\n".join(line for line in lines if len(line) > 20)
    pieces = {
        label: [text[at : at + PIECE] for at in range(0, len(text) - PIECE, PIECE)]
        for label, text in sorted(texts.items())
    }
    return {label: random.Random(1).sample(own, min(len(own), MOST)) for label, own in pieces.items() if own}


def tokens(tokenizer: Path, folders: list[Path]) -> None:
    """Print fitted weights and, on the other half, the error of `estimate_tokens` by label."""
    counter = Tokenizer.from_file(str(tokenizer))
    pieces = labelled(folders)
    rows, counts = [], []
    for label, own in pieces.items():
        for text in own[::2]:
            classes = [len(re.findall(pattern, text)) for pattern in CLASSES.values()]
            size = len(counter.encode(text).ids)
            weight = FAVOURED.get(label, 1) / size / len(own[::2]) ** 0.5
            rows.append([weight * count for count in (*classes, len(text) - sum(classes))])
            counts.append(weight * size)
    kept = list(range(len(CLASSES) + 1))
    while True:
        fitted = np.linalg.lstsq(np.array(rows)[:, kept], np.array(counts), rcond=None)[0]
        if (fitted >= 0).all():
            break
        kept = [column for column, value in zip(kept, fitted, strict=True) if value >= 0]
    for column, value in zip(kept, fitted, strict=True):
        print(f"{[*CLASSES, 'other'][column]}: {value:.2f} tokens a character")
    for label, own in pieces.items():
        true = [len(counter.encode(text).ids) for text in own[1::2]]
        guessed = [estimate_tokens(text) for text in own[1::2]]
        if true:
            print(f"{label}: {sum(guessed) / sum(true) - 1:+.0%} over {len(true)} pieces")


def messages(archives: list[Path]) -> list[tuple[str, list[list[str]]]]:
    """Title of the conversation and terms by line, of every message of more than 60 words."""
    found = []
    for archive in archives:
        for conversation in json.loads(ZipFile(archive).read("conversations.json")):
            for node in conversation["mapping"].values():
                parts = ((node.get("message") or {}).get("content") or {}).get("parts") or []
                text = "".join(part for part in parts if isinstance(part, str))
                if count_words(text) > 60:
                    lines = [terms(line) for line in text.split("\n") if line.strip()]
                    found.append((conversation["title"], lines))
    return found


def topics(archives: list[Path]) -> None:
    """Print how often a long message is parted, and how many seams between two messages are found."""
    found = messages(archives)
    long = [lines for _, lines in found if sum(map(len, lines)) > cohesion.WINDOW + 40]
    whole = sum(not cohesion.topic_shifts(lines) for lines in long) / len(long)
    print(f"{len(long)} messages long enough to be parted: {whole:.1%} stay whole")
    pick = random.Random(1)
    hits = others = pairs = 0
    while pairs < 1_000:
        (title, first), (other, second) = pick.sample(found, 2)
        if title == other or min(sum(map(len, first)), sum(map(len, second))) < cohesion.WINDOW:
            continue
        shifts = cohesion.topic_shifts(first + second)
        hit = any(abs(shift - len(first)) <= 1 for shift in shifts)
        pairs, hits, others = pairs + 1, hits + hit, others + len(shifts) - hit
    print(
        f"{pairs} pairs of two conversations: {hits / pairs:.1%} of the seams found, give or take a line; ",
        end="",
    )
    print(f"{others / pairs:.2f} other cuts a pair")


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("what", choices=("tokens", "topics"))
    parser.add_argument("paths", nargs="+", type=Path)
    options = parser.parse_args()
    if options.what == "tokens":
        tokens(options.paths[0], options.paths[1:])
    else:
        topics(options.paths)


if __name__ == "__main__":
    main()
