"""Every format, in the order of detection: the first whose structure fits a file has it.

A new format is one module under `archives/formats/` and one line here.
"""

from __future__ import annotations

from archives.contract import Format
from archives.formats.chatgpt import FORMAT as CHATGPT
from archives.formats.claude_ai import FORMAT as CLAUDE_AI
from archives.formats.claude_code import FORMAT as CLAUDE_CODE
from archives.formats.codex import FORMAT as CODEX
from archives.formats.gemini_takeout import FORMAT as GEMINI_TAKEOUT
from archives.formats.transcript import FORMAT as TRANSCRIPT
from archives.glimpse import Glimpse, Kind

FORMATS: tuple[Format, ...] = (
    CHATGPT,
    CLAUDE_AI,
    CLAUDE_CODE,
    CODEX,
    GEMINI_TAKEOUT,
    TRANSCRIPT,
)


def format_of(seen: Glimpse) -> Format | None:
    """The format that claims a file with this beginning."""
    return next((format for format in FORMATS if format.claims(seen)), None)


def plausible(record: object) -> bool:
    """Whether some format knows a record like this one: how reading finds its way after corruption."""
    return isinstance(record, dict) and format_of(Glimpse(Kind.LIST, (record,))) is not None
