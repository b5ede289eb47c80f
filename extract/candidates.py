"""Segments to candidates: every clause that might be a unit, with what it shows and where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from extract.blocks import Block, Shape, parse_blocks
from extract.clauses import Clause, Role, Scan, split_clauses
from extract.languages.lexicon import Language, Sign, Tag
from extract.languages.registry import detect
from extract.segments import is_log
from extract.sentences import split_sentences
from extract.tokens import Kind, Token, tokenize
from schemas.conversation import Message, Origin, Segment
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


@dataclass(frozen=True, slots=True)
class Candidate:
    """A clause in its place. Offsets are code points of the message's text."""

    message: Message
    start: int
    end: int
    speaker: Speaker
    language: Language
    clause: Clause
    block: Block
    source: str
    """The text that the clause's tokens count in."""
    signs: int
    lead: str = ""
    """What introduces it: a list's lead-in, a row and column label, a bold label."""
    lead_span: tuple[int, int] | None = None
    left: Candidate | None = None
    """The clause of the same sentence that it continues."""
    noise: str = ""
    """Why it is no unit; "" if it may be one."""

    @property
    def quote(self) -> str:
        """The words as they stand in the message."""
        return self.message.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something the assistant put forward, as a later acceptance may name it."""

    marker: str
    """Its number or letter in a list, lower case; "" if it has none."""
    words: frozenset[str]
    text: str
    message_id: str
    start: int
    end: int


_BOLD_LINE = re.compile(r"^\s*(?:\*\*|__)[^*_\n]+(?:\*\*|__)\s*:?\s*$")
_STAMP = re.compile(
    r"^\s*\[?\d{4}-\d\d-\d\d[T ][\d:.,+Z]*\s*(?:[A-Z]{2,4}\b)?\]?\s*|^\s*\[?\d\d:\d\d:\d\d[\d.,]*\]?\s*"
)
_OPTION = re.compile(r"^\W*(?:option\s+)?([a-e]|\d{1,2})[.):]\s", re.I)

_FILLER, _ASSENT, _COORD = int(Tag.FILLER), int(Tag.ASSENT), int(Tag.COORDINATOR)
_REFUSAL, _SUBJECT, _FINITE = int(Tag.REFUSAL), int(Tag.SUBJECT), int(Tag.FINITE)
_FUNCTION = int(
    Tag.DETERMINER
    | Tag.PREPOSITION
    | Tag.COORDINATOR
    | Tag.CONDITION
    | Tag.REASON
    | Tag.SUBJECT
    | Tag.INFINITIVE
    | Tag.RELATIVE
    | Tag.FINITE
    | Tag.FILLER
    | Tag.ADVERB
    | Tag.QUESTION
)
SHORT_WORDS = 9
"""A reply of at most this many words can be an answer that takes its meaning from what it answers."""
STEM = 5
"""Letters by which two words are held to be the same word when an answer echoes a proposal."""


def stem(low: str) -> str:
    """A word's beginning, by which it is recognised in another form."""
    return low[:STEM]


def content_stems(tokens: Sequence[Token], tags: Sequence[int]) -> frozenset[str]:
    """The stems of the words that carry content."""
    return frozenset(
        stem(token.low.strip("`*"))
        for token, tag in zip(tokens, tags, strict=True)
        if token.kind <= Kind.UNSPACED and not tag & _FUNCTION
    )


class Reader:
    """Reads one segment of a message into candidates."""

    def __init__(
        self, message: Message, segment: Segment, *, proposals: Sequence[Proposal] | None, fallback: Language
    ) -> None:
        self.message, self.segment = message, segment
        self.speaker = SPEAKERS[segment.origin]
        self.proposals = proposals
        self.fallback = fallback
        self.base = segment.start
        self.text = message.text[segment.start : segment.end]
        self.blocks = parse_blocks(self.text)

    def candidates(self) -> Iterator[Candidate]:
        """The candidates of the segment, in reading order; those that are no units say why."""
        for index, block in enumerate(self.blocks):
            if not block.flat.text.strip():
                continue
            if block.shape is Shape.HEADING or (
                block.shape is not Shape.CELL
                and _BOLD_LINE.match(block.flat.text)
                and not block.flat.text.rstrip("*_ ").endswith((".", "!"))
            ):
                yield self._whole(block, "heading")
            elif block.shape is Shape.TABLE_HEAD:
                yield self._whole(block, "table head")
            elif block.shape is Shape.CODE:
                yield from self._code(block)
            elif block.shape is Shape.CELL and block.column == 0 and self._row_goes_on(index):
                yield self._whole(block, "row label")
            else:
                yield from self._prose(block)

    def _row_goes_on(self, index: int) -> bool:
        row = self.blocks[index].row
        for block in self.blocks[index + 1 :]:
            if block.shape is not Shape.CELL or block.row != row:
                return False
            if block.flat.text.strip():
                return True
        return False

    def _code(self, block: Block) -> Iterator[Candidate]:
        if not is_log(block.flat.text):
            yield self._whole(block, "code")
            return
        offset = 0
        for line in block.flat.text.split("\n"):
            stamp = _STAMP.match(line)
            skip = stamp.end() if stamp else 0
            if line[skip:].strip():
                tokens = [
                    t._replace(start=t.start + offset + skip, end=t.end + offset + skip)
                    for t in tokenize(line[skip:])
                ]
                clause = Clause(tuple(tokens), (0,) * len(tokens), Role.MAIN, True)
                yield self._candidate(block, clause, self.fallback, 0, None, "")
            offset += len(line) + 1

    def _prose(self, block: Block) -> Iterator[Candidate]:
        tokens = tokenize(block.flat.text)
        language = detect(tokens, self.fallback)
        lead, lead_span = self._lead(block)
        under = self._under_proposals(block, lead, language)
        sentences = split_sentences(block.flat.text, tokens)
        for number, sentence in enumerate(sentences):
            clauses = split_clauses(sentence, language)
            made: list[Candidate] = []
            asks = (
                any(token.low[0] == "?" for token in sentence[-3:] if token.kind is Kind.END)
                or sentence[-1].low == "?"
            )
            for place, clause in enumerate(clauses):
                signs = self._signs(clause, language, block)
                if asks and place == len(clauses) - 1:
                    signs |= int(Sign.MARKED_QUESTION)
                if under:
                    signs |= int(Sign.UNDER_PROPOSALS)
                left = made[clause.left] if clause.left is not None and clause.left < len(made) else None
                candidate = self._candidate(
                    block, clause, language, signs, left, "", lead=lead, lead_span=lead_span
                )
                made.append(
                    replace(
                        candidate,
                        noise=noise_of(candidate, last=number == len(sentences) - 1, ends=sentence[-1].low),
                    )
                )
            yield from made

    def _lead(self, block: Block) -> tuple[str, tuple[int, int] | None]:
        if block.shape is Shape.CELL:
            labels = [
                self.blocks[i].flat.text.strip("*_` ")
                for i in (block.row_label, block.column_label)
                if i is not None
            ]
            return ", ".join(label for label in labels if label), self._span(block.row_label)
        if block.lead is None:
            return "", None
        text = self.blocks[block.lead].flat.text.rstrip()
        if not (text.endswith(":") or _BOLD_LINE.match(text) or text.rstrip("*_").endswith(":")):
            return "", None
        return text.strip("*_ :"), self._span(block.lead)

    def _span(self, index: int | None) -> tuple[int, int] | None:
        if index is None or not self.blocks[index].flat.text:
            return None
        flat = self.blocks[index].flat
        return self.base + flat.source(0), self.base + flat.source_end(len(flat.text))

    def _under_proposals(self, block: Block, lead: str, language: Language) -> bool:
        if self.speaker is not Speaker.ASSISTANT or block.shape is Shape.PARAGRAPH:
            return False
        above = lead or (block.headings[-1] if block.headings else "")
        outer = block.headings[-1] if block.headings else ""
        return any(
            hit.signs & int(Sign.OPTIONS)
            for text in {above, outer}
            if text
            for hit in language.table.find(tokenize(text))
        )

    def _signs(self, clause: Clause, language: Language, block: Block) -> int:
        signs = 0
        start = _opening(clause)
        words = [
            token._replace(low=language.spellings.get(token.low, token.low))
            if token.low in language.spellings
            else token
            for token in clause.tokens
        ]
        for hit in language.table.find(words, start):
            if hit.signs & int(Sign.WRAPPER | Sign.COURTESY) and hit.first > start:
                continue
            signs |= hit.signs
        scan = Scan(clause.tokens, language)
        if scan.imperative_at(0, len(scan.tokens)) and not clause.finite_start:
            signs |= int(Sign.IMPERATIVE)
            verb = next((t for t in words[start:] if language.tag(t.low) & int(Tag.BASE)), None)
            if verb is not None and verb.low in language.directives:
                signs |= int(Sign.DIRECTIVE)
            elif verb is not None and verb.low in language.orders:
                signs |= int(Sign.ORDER)
        elif not clause.finite:
            signs |= int(Sign.FRAGMENT)
        if clause.words <= SHORT_WORDS:
            signs |= int(Sign.SHORT)
        if any(token.kind is Kind.NUMBER for token in clause.tokens):
            signs |= int(Sign.NUMBERED)
        if block.shape is Shape.ITEM:
            signs |= int(Sign.IN_LIST)
        elif block.shape is Shape.CELL:
            signs |= int(Sign.IN_TABLE)
        if self.speaker is Speaker.OWNER and self.proposals is not None:
            signs |= int(Sign.REPLY)
            stems = content_stems(clause.tokens, clause.tags)
            known = frozenset().union(*(proposal.words for proposal in self.proposals))
            if stems and 2 * len(stems & known) >= len(stems):
                signs |= int(Sign.ECHO)
        return signs

    def _candidate(
        self,
        block: Block,
        clause: Clause,
        language: Language,
        signs: int,
        left: Candidate | None,
        noise: str,
        *,
        lead: str = "",
        lead_span: tuple[int, int] | None = None,
    ) -> Candidate:
        first, last = clause.tokens[0], clause.tokens[-1]
        return Candidate(
            message=self.message,
            start=self.base + block.flat.source(first.start),
            end=self.base + block.flat.source_end(last.end),
            speaker=self.speaker,
            language=language,
            clause=clause,
            block=block,
            source=block.flat.text,
            signs=signs,
            lead=lead,
            lead_span=lead_span,
            left=left,
            noise=noise,
        )

    def _whole(self, block: Block, reason: str) -> Candidate:
        tokens = tuple(tokenize(block.flat.text)) or (Token(Kind.PUNCT, 0, len(block.flat.text), ""),)
        clause = Clause(tokens, (0,) * len(tokens), Role.PHRASE, False)
        return self._candidate(block, clause, self.fallback, 0, None, reason)


def _opening(clause: Clause) -> int:
    """Where the clause starts once fillers and commas are skipped."""
    place = 0
    while place < len(clause.tokens) - 1 and (
        clause.tags[place] & _FILLER
        and not clause.tags[place] & (_SUBJECT | _ASSENT | _REFUSAL)
        or clause.tokens[place].low in ",:"
    ):
        place += 1
    return place


def noise_of(candidate: Candidate, *, last: bool, ends: str) -> str:
    """Why a clause carries no meaning of its own; "" if it does."""
    clause, signs = candidate.clause, candidate.signs
    owner_reply = candidate.speaker is Speaker.OWNER and signs & int(Sign.REPLY)
    contentful = [
        token
        for token, tag in zip(clause.tokens, clause.tags, strict=True)
        if token.kind <= Kind.UNSPACED and not tag & _FUNCTION
    ]
    if signs & int(Sign.COURTESY) and len(contentful) <= 4:
        return "courtesy"
    if candidate.speaker is Speaker.ASSISTANT and signs & int(Sign.WRAPPER):
        return "wrapper"
    if signs & int(Sign.WRAPPER) and len(contentful) <= 3 and not owner_reply:
        return "wrapper"
    if candidate.speaker is Speaker.ASSISTANT and last and ends == ":" and not signs & int(Sign.IMPERATIVE):
        return "lead-in"
    if last and ends == ":" and len(contentful) <= 3:
        return "lead-in"
    if not contentful:
        verbs = any(
            tag & int(Tag.BASE | Tag.THIRD | Tag.PAST | Tag.GERUND) and not tag & _FILLER
            for tag in clause.tags
        )
        asks = signs & int(Sign.ASKS | Sign.MARKED_QUESTION)
        if not (
            clause.finite
            and clause.words >= 3
            or asks
            and clause.words >= 2
            or owner_reply
            and signs & int(Sign.COMMIT)
        ):
            return "no content" if not verbs else "fragment"
    return ""
