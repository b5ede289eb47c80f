"""A segment to candidates: block by block, sentence by sentence, clause by clause."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from extract.blocks import Block, Flat, Shape, parse_blocks
from extract.candidates import SPEAKERS, Candidate, Lead, Turn
from extract.clauses import Clause, announces, enumerated, split_clauses, split_label
from extract.drafts import drafted
from extract.handed import handed_over
from extract.joints import Role
from extract.languages.lexicon import Language, Sign, Tag
from extract.languages.registry import detect
from extract.leads import only_announces, open_predicate, shortened
from extract.markers import marker_of
from extract.noise import noise_of
from extract.segments import is_log, is_output
from extract.sentences import split_sentences
from extract.signs import assigns, inherited, opening, reply_signs, signs_of
from extract.titles import BOLD, bold_label, is_label, is_title
from extract.tokens import Kind, Token, tokenize
from schemas.conversation import Message, Segment
from schemas.unit import Speaker

_STAMP = re.compile(
    r"^\s*(?:\[?\d{4}-\d\d-\d\d[T ][\d:.,+Z]*\s*(?:[A-Z]{2,4}\b)?\]?|\[?\d\d:\d\d:\d\d[\d.,]*\]?)\s*"
)
_TRACE = re.compile(r"\s*(?:at [\w.$<>]{1,200} ?\(|File \"|\$ |> \w|[-=*_.#]{3,}\s*$|Traceback )")
_MAIL_HEADER = re.compile(
    r"^\s*(?:from|to|cc|bcc|date|sent|von|an|gesendet|datum|de|para|fecha|à|envoyé)\s*:", re.IGNORECASE
)
_LABEL_WORDS = 6
_TURN_WORDS = 6


class Reader:
    """Reads one segment of a message."""

    def __init__(
        self,
        message: Message,
        segment: Segment,
        turn: Turn | None,
        fallback: Language,
        listener: str = "",
        *,
        ordered: bool = False,
    ) -> None:
        """`ordered`: the message before an assistant's asked for a draft."""
        self.message, self.base = message, segment.start
        self.speaker = SPEAKERS[segment.origin]
        self.turn = turn if self.speaker is Speaker.OWNER else None
        self.proposed = self.turn.proposed if self.turn else frozenset[str]()
        self.blocks = parse_blocks(message.text[segment.start : segment.end])
        self.language, self.label = fallback, segment.label
        self.listener = listener
        own = self.speaker is Speaker.ASSISTANT
        drafts = drafted(self.blocks, ordered=ordered) if own else frozenset[int]()
        self.drafts = frozenset(id(self.blocks[index]) for index in drafts)
        """The blocks in which somebody else says "I"."""
        self.heading: Block | None = None
        """The last heading or title, which names what a list below it is about."""
        self.list_heads: set[int] = set()
        """Lines that are headings of the list below them, and of that alone."""
        self.offers = False
        """Whether the message has announced proposals: ways, options, ideas."""

    def candidates(self) -> Iterator[Candidate]:
        """The candidates of the segment, in reading order; those that are no units say why."""
        for index, block in enumerate(self.blocks):
            text = block.flat.text
            if not text.strip():
                continue
            if block.shape is Shape.HEADING or (block.shape is not Shape.CELL and is_title(text)):
                self.heading = block
                yield self._whole(block, "heading")
            elif self._heads_list(index):
                self.list_heads.add(index)
                yield self._whole(block, "heading")
            elif block.shape is Shape.TABLE_HEAD:
                yield self._whole(block, "table head")
            elif block.shape is Shape.CODE or (self.speaker is Speaker.SOURCE and is_log(text)):
                yield from self._output(block)
            elif block.shape is Shape.CELL and block.column == 0 and self._row_goes_on(index):
                yield self._whole(block, "row label")
            else:
                yield from self._prose(block)

    def _heads_list(self, index: int) -> bool:
        """Whether a short line without stop or verb stands right above a list: a heading without its mark."""
        block, following = self.blocks[index], self.blocks[index + 1 : index + 2]
        text = block.flat.text.strip()
        if (
            block.shape is not Shape.PARAGRAPH
            or not (following and following[0].lead == index)
            or "\n" in text
            or text[-1] in ".!?:;,…"
            or len(text.split()) > _LABEL_WORDS + 2
        ):
            return False
        clauses = split_clauses(tokenize(text), self.language)
        return bool(clauses) and all(not clause.finite for clause in clauses)

    def _row_goes_on(self, index: int) -> bool:
        row = self.blocks[index].row
        for later in range(index + 1, len(self.blocks)):
            block = self.blocks[later]
            if block.shape is not Shape.CELL or block.row != row:
                return False
            if block.flat.text.strip():
                return True
        return False

    def _output(self, block: Block) -> Iterator[Candidate]:
        """Code is no prose; of a program's log every line is a statement."""
        if block.shape is Shape.CODE and not is_output(block.flat.text, block.info):
            yield self._whole(block, "code")
            return
        logged = self.speaker is Speaker.SOURCE or is_log(block.flat.text)
        offset = 0
        for line in block.flat.text.split("\n"):
            if not logged and line.strip():
                skip = len(line) - len(line.lstrip(" \t*•-–>#"))
                place = block.flat.source(offset + skip)
                yield from self._prose(Block(Shape.ITEM, Flat(line[skip:], (0,), (place,))))
                offset += len(line) + 1
                continue
            stamp = _STAMP.match(line)
            skip = offset + (stamp.end() if stamp else 0)
            tokens = [
                token._replace(start=token.start + skip, end=token.end + skip)
                for token in tokenize(line[skip - offset :])
            ]
            if _TRACE.match(line) or sum(token.kind <= Kind.UNSPACED for token in tokens) < 2:
                yield self._whole(block, "trace line")
            else:
                clause = Clause(
                    tuple(tokens), (0,) * len(tokens), Role.MAIN, True, verbs=(False,) * len(tokens)
                )
                yield self._candidate(block, clause, self.language, 0)
            offset += len(line) + 1

    def _prose(self, block: Block) -> Iterator[Candidate]:
        text = block.flat.text
        tokens = tokenize(text)
        self.language = detect(tokens, self.language)
        marker, skip = marker_of(block)
        tokens = [token for token in tokens if token.start >= skip]
        lead = self._lead(block)
        under = self._under_proposals(block, lead)
        sentences, handed = self._own_and_handed(split_sentences(text, tokens, self.language))
        owner, turn = self.speaker, self.turn
        opens = turned = 0
        for number, sentence in enumerate(sentences):
            if number == handed:
                self.speaker, self.turn = Speaker.SOURCE, None
            if self.speaker is Speaker.SOURCE and _MAIL_HEADER.match(
                text[sentence[0].start : sentence[-1].end]
            ):
                yield self._phrase(block, sentence, "mail header")
                continue
            if (
                self.label == "e-mail"
                and block is self.blocks[-1]
                and sentence is sentences[-1]
                and _is_signature(sentence)
            ):
                yield self._phrase(block, sentence, "signature")
                continue
            title = number == 0 and len(sentences) > 1 and is_label(text, sentence, self.language)
            if title:
                lead = self._lead_at(block, sentence[0].start, sentence[-1].end)
                yield self._phrase(block, sentence, "label")
                opens = number + 1
                continue
            ends = sentence[-1].low == ":" and number == len(sentences) - 1
            signs = (Sign.UNDER_PROPOSALS if under else 0) | turned
            if number == opens and block.shape is Shape.ITEM:
                signs |= Sign.OPENS_ITEM
            for candidate in self._sentence(
                block, sentence, lead, leads_in=ends, signs=signs, several=len(sentences) > 1
            ):
                if self.speaker is Speaker.ASSISTANT and candidate.noise in ("wrapper", "lead-in"):
                    self.offers = self.offers or bool(candidate.signs & Sign.OPTIONS)
                yield replace(candidate, marker=marker) if number == opens and marker else candidate
                # `I've changed my mind. No epoxy.`: a sentence that only turns speaks of the next one
                turned = candidate.signs & Sign.TURNS if candidate.clause.words <= _TURN_WORDS else 0
        if handed == len(sentences):  # the colon ends the block: what is below it was handed over
            self.speaker, self.turn = Speaker.SOURCE, None
        elif handed is not None:
            self.speaker, self.turn = owner, turn

    def _own_and_handed(self, sentences: list[list[Token]]) -> tuple[list[list[Token]], int | None]:
        """The sentences, one of them parted where the owner hands over, and the number of the first handed
        one."""
        if self.speaker is Speaker.OWNER:
            for number, sentence in enumerate(sentences):
                if (place := handed_over(sentence)) is not None:
                    rest = [sentence[place:]] if place < len(sentence) else []
                    parted = [*sentences[:number], sentence[:place], *rest, *sentences[number + 1 :]]
                    return parted, number + 1
        return sentences, None

    def _sentence(
        self,
        block: Block,
        sentence: list[Token],
        lead: Lead | None,
        *,
        leads_in: bool,
        signs: int,
        several: bool,
    ) -> Iterator[Candidate]:
        language = detect(sentence, self.language) if several else self.language
        asks = any(token.kind is Kind.END and token.low[-1] in "?？؟" for token in sentence[-3:])
        label, rest = bold_label(block.flat.text, sentence) or split_label(sentence, language)
        if label and rest:
            own = Clause(tuple(label), (0,) * len(label), Role.PHRASE, False, verbs=(False,) * len(label))
            signs |= signs_of(own, language, block, block.flat.text) & _CARRIED
            signs |= Sign.LABELLED
            lead = self._label(block, label, lead)
            sentence = rest
        written = self.speaker is Speaker.ASSISTANT
        listed = block.shape in (Shape.ITEM, Shape.CELL)
        clauses = split_clauses(sentence, language, itemised=listed, written=written)
        if signs & Sign.OPTIONS and signs & Sign.LABELLED and len(clauses) == 1:
            clauses = enumerated(clauses[0])
        made: list[Candidate] = []
        own_tasks = self.speaker is Speaker.OWNER and bool(signs & Sign.LABELLED and signs & Sign.TASK)
        terse = Sign.VERBLESS if _is_verbless(clauses) else 0
        for place, clause in enumerate(clauses):
            own_signs = signs | signs_of(clause, language, block, block.flat.text) | terse
            own_signs |= reply_signs(clause, self.turn, self.proposed)
            if clause.left is not None and clause.left < len(made):
                own_signs |= inherited(clause, made[clause.left].signs)
                before = made[clause.left]
                said = before.clause.finite or before.clause.role is Role.SHARED
                if clause.role is Role.SHARED and said and not before.signs & Sign.IMPERATIVE:
                    own_signs &= ~(Sign.IMPERATIVE | Sign.ORDER)  # I'm going to look and check it
            if own_signs & Sign.REPLY and assigns(clause, language, block.flat.text):
                own_signs |= Sign.ASSIGNS
            if own_tasks and own_signs & Sign.IMPERATIVE:
                # `To do: write the letter` is told to oneself, not to the assistant
                own_signs = own_signs & ~(Sign.ORDER | Sign.REQUEST) | Sign.ASSIGNS
            if own_signs & Sign.TASK and self.speaker is Speaker.OWNER:
                own_tasks = own_tasks or announces(clause, block.flat.text)
            if asks and clause.tags[min(opening(clause), len(clause.tags) - 1)] & Tag.QUESTION:
                own_signs |= Sign.ASKS
            if asks and place == len(clauses) - 1:
                own_signs |= Sign.MARKED_QUESTION
            left = made[clause.left] if clause.left is not None and clause.left < len(made) else None
            noise = noise_of(clause, own_signs, self.speaker, language, leads_in=leads_in)
            if noise == "no content":
                signs |= own_signs & Sign.HEDGE  # `not sure but ...` hedges what follows
            signs |= own_signs & (Sign.SUPPOSED | Sign.TURNS)  # so is all that follows in the sentence
            if own_signs & Sign.ANNOUNCES and block.flat.text[clause.tokens[-1].end :].lstrip()[:1] == ":":
                signs |= Sign.COMMIT  # `I've decided: no epoxy`
            made.append(
                self._candidate(block, clause, language, own_signs, lead=lead, left=left, noise=noise)
            )
        yield from made

    def _label(self, block: Block, label: Sequence[Token], above: Lead | None) -> Lead:
        """A label with what it is a label of: `Rifugio Fanes`, of `Location: Alta Badia`."""
        own = replace(self._lead_at(block, label[0].start, label[-1].end), adjoins=True)
        if above is None or above.brief or block.shape is not Shape.ITEM:
            return own
        if len(above.text.split()) > _LABEL_WORDS or open_predicate(above.text, self.language):
            return own
        return replace(own, outer=above.text, others=((above.start, above.end),))

    def _lead(self, block: Block) -> Lead | None:
        if block.shape is Shape.CELL:
            labels = [self.blocks[i] for i in (block.row_label, block.column_label) if i is not None]
            text = ", ".join(label.flat.text.strip("*_` ") for label in labels if label.flat.text.strip())
            spans = [
                self._lead_at(label, 0, len(label.flat.text)) for label in labels if label.flat.text.strip()
            ]
            if not spans:
                return None
            others = tuple((span.start, span.end) for span in spans[1:])
            return replace(spans[0], text=text, others=others, adjoins=block.column == 1)
        above = self.blocks[block.lead] if block.lead is not None else None
        text = above.flat.text.rstrip() if above is not None else ""
        if above is not None and (is_title(text) or block.lead in self.list_heads):
            return self._lead_at(above, 0, len(text))
        if above is not None and text.rstrip("*_").endswith(":"):
            return self._shortened(self._lead_at(above, _last_sentence(text), len(text)))
        if above is not None and above.shape is Shape.ITEM:
            bold = BOLD.match(above.flat.text)
            return self._lead_at(above, 0, bold.end()) if bold else None
        if block.shape is not Shape.ITEM or self.heading is None:
            return None
        return self._shortened(self._lead_at(self.heading, 0, len(self.heading.flat.text)))

    def _shortened(self, lead: Lead) -> Lead:
        """The lead-in in so few words that it can stand before each entry of its list."""
        short = shortened(lead.text, self.language)
        if not short and only_announces(lead.text):
            return replace(lead, text="")
        return replace(lead, text=short, brief=True) if short and short != lead.text else lead

    def _lead_at(self, block: Block, start: int, end: int, text: str | None = None) -> Lead:
        flat = block.flat
        words = (
            flat.text[start:end].strip("*_ :.#").replace("**", "").replace("`", "") if text is None else text
        )
        return Lead(words, self.base + flat.source(start), self.base + flat.source_end(end))

    def _under_proposals(self, block: Block, lead: Lead | None) -> bool:
        if self.speaker is not Speaker.ASSISTANT or block.shape is Shape.PARAGRAPH:
            return False
        above = {lead.text if lead else "", block.headings[-1] if block.headings else ""} - {""}
        table = self.language.table
        return self.offers or any(
            hit.signs & Sign.OPTIONS for text in above for hit in table.find(tokenize(text))
        )

    def _candidate(
        self,
        block: Block,
        clause: Clause,
        language: Language,
        signs: int,
        *,
        lead: Lead | None = None,
        left: Candidate | None = None,
        noise: str = "",
    ) -> Candidate:
        return Candidate(
            message=self.message,
            start=self.base + block.flat.source(clause.tokens[0].start),
            end=self.base + block.flat.source_end(clause.tokens[-1].end),
            speaker=self.speaker,
            language=language,
            clause=clause,
            block=block,
            source=block.flat.text,
            signs=signs,
            lead=lead,
            left=left,
            listener=self.listener,
            drafted=id(block) in self.drafts,
            noise=noise,
        )

    def _phrase(self, block: Block, tokens: Sequence[Token], noise: str) -> Candidate:
        clause = Clause(tuple(tokens), (0,) * len(tokens), Role.PHRASE, False, verbs=(False,) * len(tokens))
        return self._candidate(block, clause, self.language, 0, noise=noise)

    def _whole(self, block: Block, noise: str) -> Candidate:
        return self._phrase(block, [Token(Kind.PUNCT, 0, len(block.flat.text), "")], noise)


_CARRIED = (
    Sign.OBLIGATION
    | Sign.BAN
    | Sign.NOVEL
    | Sign.HEDGE
    | Sign.OPTIONS
    | Sign.REPORTED
    | Sign.TASK
    | Sign.LIMIT
    | Sign.TURNS
)
"""Signs that a label gives to what it labels: `Idea: ...`, `Deadline: ...`."""


def _is_signature(sentence: Sequence[Token]) -> bool:
    words = [token for token in sentence if token.kind is not Kind.END]
    return 0 < len(words) <= 4 and all(token.kind is Kind.WORD for token in words)


def _last_sentence(text: str) -> int:
    """Where a lead-in's last sentence starts."""
    start = max(text.rfind(stop, 0, len(text) - 1) for stop in (". ", "! ", "? ", "\n", "。"))
    return start + 1 if start >= 0 else 0


def _is_verbless(clauses: Sequence[Clause]) -> bool:
    """Whether a sentence only names things. A third person that may be a plural (`this covers three days`)
    makes it doubtful: then it is not."""
    return not any(clause.finite or any(tag & Tag.THIRD for tag in clause.tags) for clause in clauses)
