"""The reader's segments refined: what in a typed run was pasted.

Nobody types a log, a listing, a transcript, a quotation mark before every line, or somebody else's letter.
What is found to be pasted keeps its place; only its origin changes, and with it whose words they are.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

from extract.markdown_runs import BlockShape, TextBlock, parse_blocks
from schemas.conversation import Conversation, Message, Origin, Segment
from schemas.unit import Speaker

SPEAKERS = {
    Origin.TYPED: Speaker.OWNER,
    Origin.ASSISTANT: Speaker.ASSISTANT,
    Origin.OTHER: Speaker.OTHER,
    Origin.PASTED: Speaker.SOURCE,
    Origin.ATTACHED: Speaker.SOURCE,
    Origin.UNKNOWN: Speaker.SOURCE,
}
"""Origins that yield units, and whose words they are. The others yield none (design, section 1)."""

_MAIL_HEADER = re.compile(
    r"\s*(?:from|to|cc|subject|date|sent|von|an|betreff|gesendet|de|para|asunto|objet|re|fwd?)\s*:\s*\S",
    re.IGNORECASE,
)
_SALUTATION = re.compile(
    r"\s*(?:dear|hi|hello|good (?:morning|afternoon|evening)|liebe[rs]?|sehr geehrte[rs]?|hallo|guten tag"
    r"|querid[oa]s?|estimad[oa]s?|hola|cher|chère|chers|bonjour|madame|monsieur)\b"
    r"(?: (?:mr|mrs|ms|dr|prof|sr|sra)\.)?[^.!?\n]{0,60}[,:!]\s*$",
    re.IGNORECASE,
)
_SIGN_OFF = re.compile(
    r"\s*(?:(?:kind|best|warm|many)?\s*regards|best(?: wishes)?|sincerely|yours|cheers|all the best|thank you"
    r"|thanks|love|mit freundlichen grüßen|viele grüße|liebe grüße|mfg|lg|saludos|un (?:saludo|abrazo)"
    r"|atentamente|cordialement|bien à vous|à bientôt)\b[^\n]{0,40}$",
    re.IGNORECASE,
)
_LOG_LINE = re.compile(
    r"\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|\S+ \[\d+\]|Traceback \(|at [\w.$<>]{1,200} ?\("
    r"|File \"|caused by:|(?:\w+)?(?:error|warning|fatal|info|debug|panic|exception)\b\s*(?:\[\w+\])?\s*:)",
    re.IGNORECASE,
)
_CODE_LINE = re.compile(
    r"\s*(?:[{}\[\]();]+\s*$|(?:def|class|fn|func|function|import|from|use|let|const|var|return|if|for|while|public|private"
    r"|static|void|int|SELECT|INSERT|UPDATE|CREATE|package|struct|impl|export|async|#include|@\w+|//|/\*|#!)\b.*"
    r"[(){};=:>]\s*$|[\w.\[\]]+\s*(?:=|\+=|:=|->)\s*\S.*$|.*(?:;|\{|\}|=>|\)\s*:)\s*$|</?\w+[^>]*>\s*$|<\w+.*</\w+>\s*$"
    r"|return\b|import [\w.]+\s*$|from [\w.]+ import\b)"
)
_CLOCK = r"[\[(]?(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? )?\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?[\])]?"
_NAME = r"[^\W\d_][\w.'’ -]{0,40}?"
_TURN_LINE = re.compile(
    rf"[ \t]*(?:(?P<before>{_NAME})[ \t]+{_CLOCK}[ \t]*:?[ \t]*$|{_CLOCK}(?: -)?[ \t]+(?P<after>{_NAME}):)"
)
_CUE_LINE = re.compile(r"[ \t]*(?:\d{1,3}:)?\d\d:\d\d[.,]\d{3} --> ")
_CLOSING_FENCE = re.compile(r"[\s>]*(?:`{3,}|~{3,})[^\n]*")
_OPEN_QUOTES = {'"': '"', "“": "”", "«": "»", "„": "“"}
_PASTED_QUOTE = 120
"""A paragraph in quotation marks of at least this many characters was pasted: nobody types it about
themselves."""
_SIGNATURE = 30
"""Characters that a last line of a letter has at most, when it is only a name."""
_LINE = re.compile(r"[^\r\n]+")
_LINE_SAMPLE = 200
"""Characters of a line that are looked at to tell what it is."""


def refine_segments(message: Message, conversation: Conversation) -> tuple[Segment, ...]:
    """The message's segments with pasted runs inside typed ones told apart; they cover the text exactly.

    In a chat between people (`conversation.owner` is set) the other people's words are refined alike.
    """
    refined: list[Segment] = []
    for segment in message.segments:
        typed = segment.origin is Origin.TYPED or (
            segment.origin is Origin.OTHER and conversation.owner is not None
        )
        refined.extend(_split(message.text, segment) if typed else [segment])
    return tuple(refined)


def _split(text: str, segment: Segment) -> Iterator[Segment]:
    place = segment.start
    for start, end, label in _pasted_runs(text, segment):
        if start > place:
            yield segment.model_copy(update={"start": place, "end": start})
        yield Segment(start=start, end=end, origin=Origin.PASTED, label=label)
        place = end
    if place < segment.end:
        yield segment.model_copy(update={"start": place})


def _pasted_runs(text: str, segment: Segment) -> list[tuple[int, int, str]]:
    """(start, end, label) of the pasted runs of a segment, in order, none touching another."""
    blocks = parse_blocks(text[segment.start : segment.end])
    letters = _letters(blocks)
    spoken = _transcript(text[segment.start : segment.end])
    runs: list[tuple[int, int, str]] = []
    for index, block in enumerate(blocks):
        start, end = _extent(text, segment, block)
        if spoken and spoken[0] < end - segment.start and start - segment.start <= spoken[1]:
            label: str | None = "transcript"
            start = max(start, segment.start + spoken[0])
        else:
            label = "e-mail" if index in letters else _label(block)
        if label is None:
            continue
        if runs and runs[-1][2] == label and not text[runs[-1][1] : start].strip("> \n\t`"):
            runs[-1] = (runs[-1][0], end, label)
        elif not runs or start >= runs[-1][1]:
            runs.append((start, end, label))
    return runs


def _extent(text: str, segment: Segment, block: TextBlock) -> tuple[int, int]:
    """Start and end of a block in the message, with its fences and quotation marks."""
    start = segment.start + block.flat.source(0)
    end = segment.start + block.flat.source_end(len(block.flat.text))
    if block.shape is BlockShape.CODE:
        opening = text.rfind("\n", segment.start, max(segment.start, start - 1)) + 1
        closing = _CLOSING_FENCE.match(text, end, segment.end)
        return max(opening, segment.start), closing.end() if closing else end
    if block.quoted:
        start = max(text.rfind("\n", segment.start, start) + 1, segment.start)
    return start, end


def _label(block: TextBlock) -> str | None:
    text = block.flat.text
    if block.shape is BlockShape.CODE:
        return "log" if is_output(text, block.info) else block.info or "code"
    if block.quoted:
        return "e-mail" if _MAIL_HEADER.match(text) else "quote"
    if is_log(text):
        return "log"
    if block.shape is not BlockShape.PARAGRAPH:
        return None
    closing = _OPEN_QUOTES.get(text[:1])
    if (
        closing
        and len(text) >= _PASTED_QUOTE
        and text.rstrip().endswith(closing)
        and text.count(closing) <= 2
    ):
        return "quotation"
    if _MAIL_HEADER.match(text) and "\n" in text and _MAIL_HEADER.match(text[text.index("\n") :]):
        return "e-mail"
    return "code" if is_code(text) else None


def _letters(blocks: Sequence[TextBlock]) -> frozenset[int]:
    """The blocks of letters that stand in the owner's words: from a salutation line to a sign-off.

    A message that merely opens with a greeting is the owner's own: a letter has something before it, and an
    end.
    """
    found: set[int] = set()
    ends = [index for index, block in enumerate(blocks) if signs_off(block)]
    for first in range(1, len(blocks)):
        block = blocks[first]
        if first in found or block.shape is not BlockShape.PARAGRAPH:
            continue
        lines = block.flat.text.split("\n", _SHORT_LETTER)
        if not _SALUTATION.match(lines[0]):
            continue
        last = next(
            iter(ends[bisect_left(ends, first if len(lines) >= _SHORT_LETTER else first + 1) :]), None
        )
        if last is None:
            break
        found.update(range(first, last + 1))
    return frozenset(found)


def _transcript(text: str) -> tuple[int, int] | None:
    """Where the first and the last turn of a transcript or an exported chat begin, in a text that has one.

    A line that names who speaks and when opens a turn. Somebody speaks twice, which tells a transcript from
    a timetable; subtitles have times alone.
    """
    names: Counter[str] = Counter()
    turns: list[int] = []
    cues: list[int] = []
    for line in _LINE.finditer(text):
        shown = line[0][:_LINE_SAMPLE]
        if turn := _TURN_LINE.match(shown):
            names[(turn["before"] or turn["after"]).casefold()] += 1
            turns.append(line.start())
        elif _CUE_LINE.match(shown):
            cues.append(line.start())
    begun = [*(turns if len(names) > 1 and max(names.values()) > 1 else []), *(cues if len(cues) > 1 else [])]
    return (min(begun), max(begun)) if begun else None


_SHORT_LETTER = 3
"""Lines of a block that can be a whole letter: salutation, body, sign-off."""


def opens_letter(text: str) -> bool:
    """Whether a text opens with the salutation of a letter on its own line."""
    return _SALUTATION.match(text.split("\n", 1)[0]) is not None


def signs_off(block: TextBlock) -> bool:
    """Whether a block ends as letters do: with a formula, or a name alone on its line."""
    ending = block.flat.text.rstrip().rsplit("\n", 2)[-2:]
    return any(_SIGN_OFF.match(line) for line in ending) or _is_name(ending[-1])


def _is_name(line: str) -> bool:
    return 0 < len(line) <= _SIGNATURE and line[-1].isalpha() and all(w[0].isupper() for w in line.split())


def is_log(text: str) -> bool:
    """Whether most lines look like a program's output with times, levels or traces."""
    return _most(text, _LOG_LINE)


def is_code(text: str) -> bool:
    """Whether most of at least two lines look like program text."""
    return text.count("\n") >= 1 and _most(text, _CODE_LINE)


def is_output(text: str, info: str) -> bool:
    """Whether a fence holds what a program printed, rather than program text."""
    if info.lower() in {"log", "text", "txt", "console", "output", "plain", "plaintext", "traceback"}:
        return True
    return is_log(text) or (not info and not _most(text, _CODE_LINE))


def _most(text: str, pattern: re.Pattern[str]) -> bool:
    lines = [line[:_LINE_SAMPLE] for line in text.split("\n") if line.strip()]
    return bool(lines) and 2 * sum(pattern.match(line) is not None for line in lines) > len(lines)
