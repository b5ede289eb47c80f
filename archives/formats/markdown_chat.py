"""Chats saved as Markdown: speakers as headings or in bold, and aider's `.aider.chat.history.md`.

A text counts as a chat only if two speakers take turns under one kind of mark, outside code fences: any
other Markdown is a document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from archives.contract import Format, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.rows import last_key, part_title
from archives.glimpse import Glimpse, Kind
from archives.instants import Moment
from archives.keys import Keys
from schemas.conversation import Conversation, Origin

_USER = "user|you|human|me|prompt|question"
_ASSISTANT = (
    "assistant|chatgpt|claude|gemini|copilot|grok|deepseek|perplexity|ai|model|bot|response|answer|agent"
)
_NAME = rf"(?:(?P<user>{_USER})|(?P<assistant>{_ASSISTANT}))"
_NOTE = r"(?: ?\([^()\n]{0,60}\))?"
_HEADING = re.compile(rf"(#{{1,6}}) +[*_]{{0,3}}{_NAME}{_NOTE} ?:?[*_]{{0,3}}:? *$", re.IGNORECASE)
"""The name alone: "## User guide" is a heading of a document."""
_BOLD = re.compile(rf"([*_]{{2,4}}){_NAME}{_NOTE} ?:?[*_]{{2,4}}:?(?: |$)", re.IGNORECASE)
_CALLOUT = re.compile(
    r"(>) \[!(?:(?P<user>question)|(?P<assistant>success|note|quote|info))\]", re.IGNORECASE
)
_AIDER = re.compile(r"# aider chat started at (\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})")


@dataclass(slots=True)
class _Turn:
    role: str
    lines: list[str] = field(default_factory=list)


def _marks(lines: Iterable[str]) -> Iterator[tuple[str | None, str, str]]:
    """Each line with the kind of its speaker mark, if it is one, and the role: (kind, role, line)."""
    fenced = False
    for line in lines:
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        found = None if fenced else (_HEADING.match(line) or _BOLD.match(line) or _CALLOUT.match(line))
        if found is None:
            yield None, "", line
        else:
            yield found[1], "user" if found["user"] else "assistant", line


def _kind_of_marks(lines: Iterable[str]) -> str | None:
    """The kind of mark under which speakers take turns."""
    turns: dict[str, list[str]] = {}
    for kind, role, _ in _marks(lines):
        if kind is not None:
            turns.setdefault(kind, []).append(role)
    for kind, roles in turns.items():
        changes = sum(before != after for before, after in pairwise(roles))
        if {"user", "assistant"} <= set(roles) and changes * 2 >= len(roles) - 1:
            return kind
    return None


def _claims_markdown(seen: Glimpse) -> bool:
    return (
        seen.kind is Kind.TEXT
        and not _claims_aider(seen)
        and _kind_of_marks(seen.text.splitlines()) is not None
    )


def _claims_aider(seen: Glimpse) -> bool:
    return seen.kind is Kind.TEXT and _AIDER.search(seen.text[:2_000]) is not None and "\n#### " in seen.text


def _read_markdown(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        kind = _kind_of_marks(part.glimpse.text.splitlines())
        turns: list[_Turn] = []
        title: str | None = None
        for found, role, line in _marks(line.rstrip("\r\n") for line in reading.text_lines(part)):
            if found is not None and found == kind:
                turns.append(_Turn(role, [_said_beside(line)]))
            elif turns:
                turns[-1].lines.append(line[2:] if kind == ">" and line.startswith("> ") else line)
            elif title is None and line.startswith("# "):
                title = line[2:].strip()
            elif line.strip():
                reading.tally.records += 1
                reading.tally.skip("text before the first speaker", part.name, sample=line)
        yield _conversation(turns, title or part_title(part), "markdown", part.name, Moment(), reading)


def _said_beside(line: str) -> str:
    """What follows a speaker's name on its own line: `**You:** hello`."""
    found = _BOLD.match(line)
    return line[found.end() :] if found else ""


def _read_aider(reading: Reading) -> Iterator[Conversation]:
    for part in reading.parts:
        turns: list[_Turn] = []
        started = Moment()
        for raw in reading.text_lines(part):
            line = raw.rstrip("\r\n")
            session = _AIDER.match(line)
            if session is not None:
                if turns:
                    yield _conversation(turns, None, "aider", part.name, started, reading)
                turns, started = [], reading.moment(session[1])
                continue
            role = "user" if line.startswith("#### ") else ("tool" if line.startswith("> ") else "assistant")
            text = line[5:] if role == "user" else (line[2:] if role == "tool" else line)
            if not text.strip() and turns:
                turns[-1].lines.append("")
            elif turns and turns[-1].role == role:
                turns[-1].lines.append(text)
            elif text.strip():
                turns.append(_Turn(role, [text]))
        if turns:
            yield _conversation(turns, None, "aider", part.name, started, reading)


_ORIGINS = {"user": Origin.TYPED, "assistant": Origin.ASSISTANT, "tool": Origin.TOOL_RESULT}


def _conversation(
    turns: list[_Turn], title: str | None, provider: str, where: str, started: Moment, reading: Reading
) -> Conversation:
    drafts: list[MessageDraft] = []
    for number, turn in enumerate(turns):
        draft = MessageDraft(f"#{number}", last_key(drafts), turn.role, None)
        words = "\n".join(turn.lines).strip().removesuffix("\n---").strip()
        draft.pieces.append(Piece(words, _ORIGINS[turn.role]))
        drafts.append(draft)
    head = Head(
        account=reading.account,
        provider=provider,
        native_id=None,
        where=where,
        title=title,
        created=started,
        leaf=last_key(drafts),
    )
    return assemble(head, drafts, reading.tally)


def _without_mark(line: str) -> str:
    """A line less the name of who speaks, or of the program."""
    found = _HEADING.match(line) or _BOLD.match(line) or _CALLOUT.match(line) or _AIDER.match(line)
    return line if found is None else line[found.end() :] if _BOLD.match(line) else ""


_KEYS = Keys(words="line", forms=(_without_mark,))

MARKDOWN = Format(
    id="markdown",
    version=1,
    title="Markdown transcript",
    reads="speakers as headings, in bold or as callouts, taking turns under one kind of mark",
    absent="times, ids; other Markdown is a document, not a chat",
    evidence="field list only",
    keys=_KEYS,
    claims=_claims_markdown,
    read=_read_markdown,
)
AIDER = Format(
    id="aider",
    version=1,
    local_times=True,
    title="aider chat history",
    reads="a conversation a session; prompts, answers, tool output",
    absent="times of messages; zone of the sessions' times",
    evidence="field list only",
    keys=_KEYS,
    claims=_claims_aider,
    read=_read_aider,
)
