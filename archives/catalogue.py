"""The table of formats in docs/formats.md.

python -m archives.catalogue > docs/formats.md
"""

from __future__ import annotations

import sys

from archives.contract import TEXT_COSTS
from archives.formats.takeout_html import ROW_CHARACTERS
from archives.guarded_stream import Limits
from archives.limits_in_settings import GIGABYTE
from archives.record_bounds import RECORD_BYTES, VALUE_BYTES
from archives.registry import FORMATS
from archives.unpacking import LARGEST_DICTIONARY

LIMITS = Limits()

_HEAD = """# Formats

Written by `python -m archives.catalogue > docs/formats.md`; a test keeps it true.

The order is that of detection: the first format whose structure fits a file has it, whatever the file is
called; zips, folders and zips in folders are looked into. *Evidence* is what the reader was tried on beside
the project's own fixtures; "field list only" means that no file of the service was at hand.
Not read yet: Poe and Alpaca files.

| id | format | what is read | what is absent or left out | evidence |
|---|---|---|---|---|
"""


_FOOT = f"""
## What is left out, and what is refused

`mnemic ingest --exclude RULE` keeps a rule with the vault (`mnemic exclusions` shows and removes them):
`conversation:`, `project:`, `provider:`, `before:`, `after:`. Of a ChatGPT or Claude.ai conversation no more
than its head is read then; of one in another format nothing is kept, not even a sample in the report or the
name of a type nobody knows. Bytes that are no JSON or break off go to quarantine whosever they are. What was
left out is counted, rule by rule.

A file that is no UTF-8 is read as Windows-1252 where its stray bytes stand in words, and the report says so;
another legacy encoding has to be converted first, which the report says too.

Zips are streamed, never unpacked. A member is refused with its reason where its name leads out of the archive,
where it is a link or encrypted, where it lies inside another member, where its LZMA dictionary is larger than
{LARGEST_DICTIONARY >> 20} MiB, and where it unfolds past a limit; the rest is read. So it is in a zip whose
directory is lost, and a link to a folder is named and not followed.

| limit | built in | flag of `ingest` and `inspect` | setting |
|---|---|---|---|
| times its packed size that a member may unfold to, past 64 MiB | {LIMITS.ratio:g} | `--max-ratio` | `MNEMIC_MAX_RATIO` |
| gigabytes that an archive may unfold to | {LIMITS.total_bytes / GIGABYTE:.0f} | `--max-gigabytes` | `MNEMIC_MAX_GIGABYTES` |
| members of a zip | {LIMITS.members:,} | `--max-members` | `MNEMIC_MAX_MEMBERS` |
| zips inside zips that are looked into | {LIMITS.nesting} | `--max-nesting` | `MNEMIC_MAX_NESTING` |

Those bound time and disk. Memory is bounded besides, whatever a file is packed by, and what is past a bound is
refused and counted while the rest is read:

| of | bound |
|---|---|
| the text of one record (a conversation, a line, a row) | {RECORD_BYTES >> 20} MiB of memory: {RECORD_BYTES // 10**6} million characters of English, a quarter of that with an emoji among them |
| the values of a record, by what its brackets and commas can come to | {VALUE_BYTES >> 20} MiB |
| the lines of one text file (a chat text, a table, a Markdown transcript) | {TEXT_COSTS >> 20} MiB, 64 bytes a line besides its characters |
| a row of a Takeout page | {ROW_CHARACTERS // 10**6} million characters |
| a value of a database | the size of its file, and {RECORD_BYTES >> 20} MiB; all rows together 16 times the file and 64 MiB |

A table of a database whose columns are computed when they are read, a view and a virtual table are not read. After a
million records that cannot be read, reading ends and keeps what it has. Should a reader fail on an archive, or memory
run out, that archive's report says so, and the archives after it are read.

## What quarantine holds

A folder for each archive of which something was not read: `not-read.json` (or `archive.json`, where nothing was)
lists the reasons, how often each held, where first, and what to do. `reason-N.txt` has one reason, its count, and
the bytes of up to three records that it refused, 64 MiB an archive at the most; a hundred reasons are told apart, and
the next reading of the archive writes the folder anew. The archive itself is never changed.
"""  # noqa: E501 - a row of a table is one line


def catalogue() -> str:
    """The document, as Markdown."""
    rows = (f"| `{row.id}` | {row.title} | {row.reads} | {row.absent} | {row.evidence} |" for row in FORMATS)
    return _HEAD + "\n".join(rows) + "\n" + _FOOT


if __name__ == "__main__":
    sys.stdout.write(catalogue())
