"""The table of formats in docs/formats.md.

python -m archives.catalogue > docs/formats.md
"""

from __future__ import annotations

import sys

from archives.registry import FORMATS

_HEAD = """# Formats

Written by `python -m archives.catalogue > docs/formats.md`; a test keeps it true.

The order is that of detection: the first format whose structure fits a file has it, whatever the file is
called; zips, folders and zips in folders are looked into. *Evidence* is what the reader was tried on beside
the project's own fixtures; "field list only" means that no file of the service was at hand.
Not read yet: Poe, Character.AI, Alpaca and SillyTavern files.

| id | format | what is read | what is absent or left out | evidence |
|---|---|---|---|---|
"""


def catalogue() -> str:
    """The document, as Markdown."""
    rows = (f"| `{row.id}` | {row.title} | {row.reads} | {row.absent} | {row.evidence} |" for row in FORMATS)
    return _HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    sys.stdout.write(catalogue())
