"""Whether a SQLite file is whole: SQLite reads the end that a cut file lacks as zeros, and says nothing."""

from __future__ import annotations

import sqlite3
from pathlib import Path

REMEDY = (
    "Close the program that writes it, copy it again together with the files beside it that end in "
    "-wal or -journal, and import it again; what could be read of it is read"
)

_HEADER_BYTES = 100
_SAID_CHARACTERS = 200


def missing_end(file: Path) -> str:
    """What is missing at the end of the file, by its header and the size of its pages; "" where nothing is.

    See https://www.sqlite.org/fileformat2.html, "The Database Header": page size at byte 16, change counter
    at 24, pages at 28, which hold where the counter at 92 is the one at 24.
    """
    size = file.stat().st_size
    with file.open("rb") as stream:
        header = stream.read(_HEADER_BYTES)
    if len(header) < _HEADER_BYTES:
        return f"the database is cut: {size:,} bytes are there, not even its header" if header else ""
    page = int.from_bytes(header[16:18], "big")
    page = 65_536 if page == 1 else page
    stated = int.from_bytes(header[28:32], "big") if header[24:28] == header[92:96] else 0
    whole = max(stated * page, -(-size // page) * page) if page else size
    return f"the database is cut: {size:,} of {whole:,} bytes are there" if size < whole else ""


def first_damage(connection: sqlite3.Connection) -> str:
    """What SQLite's own check finds first, of pages, rows and indexes; "" where it finds nothing.

    An index is looked up in and so must hold every row. What a row may be by the schema's CHECKs is the
    business of the program that wrote it.
    """
    try:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    except (sqlite3.Error, UnicodeError) as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
            return "the database is too large or too tangled to be checked, and may be damaged"
        return f"the database is damaged: {error}"
    if found == "ok":
        return ""
    # the first line only names the database
    said = str(found).rpartition("\n")[2].encode(errors="replace").decode()
    return f"the database is damaged: {said[:_SAID_CHARACTERS]}"
