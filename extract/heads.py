"""The head of a clause: its subject and verb, for a part of it that cannot stand alone."""

from __future__ import annotations

from dataclasses import dataclass

from extract.candidates import Candidate
from extract.joints import Role
from extract.languages.lexicon import Sign, Tag
from extract.persons import third_person_words
from extract.phrases import join, trim, words_of
from extract.sharing import SUBJECT_RELATIVES, last_noun, scan_of, with_subject
from extract.tokens import Kind
from extract.wordlists import words as listed_words
from schemas.words import count_words

_FINITE, _SUBJECT, _MODAL = Tag.FINITE, Tag.SUBJECT, Tag.MODAL
_VERBAL = Tag.BASE | Tag.PARTICIPLE | Tag.GERUND | Tag.PAST
_HEAD_WORDS = 7
_NOUN_TOKENS = 5
"""Tokens of a noun phrase that stands for a longer one."""
_FRONT_TOKENS = 10
_NEAR, _FAR = 12, 40
"""Tokens before a part in which its noun, and what its list hangs on, are looked for."""
_BOUND = Tag.PREPOSITION | Tag.RELATIVE | Tag.CONDITION | Tag.INFINITIVE | Tag.REASON
_CONNECTIVES = frozenset(
    listed_words("where and or but as because while so since whereas although though for")
)
"""Words without which the clause after them is a sentence of its own."""


@dataclass(frozen=True, slots=True)
class Head:
    """What a part of a clause needs to be a sentence: where its subject begins, and its main verb."""

    start: int
    """Token at which the subject begins: after what is fronted."""
    verb: int
    """The main verb's first token; -1 where there is none."""
    end: int
    """The token after the verb group; of a clause without verb, after its first phrase."""
    subject: str
    """The subject's first noun phrase."""
    group: str
    """The verb group, with the particle or negation that belongs to it."""

    @property
    def text(self) -> str:
        """Subject and verb: `The current wording… may be perceived`."""
        return f"{self.subject} {self.group}".strip()

    def width_at(self, place: int) -> int:
        """Words that a part which begins at the token `place` needs before its own."""
        if place <= self.start:
            return 0
        return count_words(self.text if place > self.verb else self.subject)


def behind(head: str, text: str, *, gap: bool = True) -> str:
    """A part of a clause behind its head; `…` stands for what lies between them."""
    rest = text[0].lower() + text[1:] if text[1:2].islower() or text[:2] in ("A ", "I ") else text
    return f"{head}{'…' if gap else ''} {rest}"


def head_of(candidate: Candidate) -> Head:
    """The subject and verb that the later parts of a clause need."""
    clause = candidate.clause
    count = len(clause.tokens)
    verb = scan_of(candidate).main_verb(0, count)
    start = _subject_start(candidate, verb)
    if verb < 0 and candidate.signs & Sign.IMPERATIVE:
        verb = _order_verb(candidate, start)
        if verb >= 0:
            return Head(verb, verb, verb + 1, "", _said(candidate, verb, _phrase_end(candidate, verb)))
    if verb < 0:
        end = _phrase_end(candidate, start)
        return Head(start, -1, end, _said(candidate, start, end), "")
    end = verb + 1
    while end < count and (
        clause.tags[end] & (Tag.ADVERB | Tag.NEGATION)
        or (clause.tags[end] & _VERBAL and clause.tags[end - 1] & _AUXILIARY)
    ):
        end += 1
    spoken = third_person_words(words_of(candidate, start, end), candidate)
    subject = _capital(join(trim(spoken[: len(words_of(candidate, start, verb))])))
    group = join(spoken[len(words_of(candidate, start, verb)) :])
    if not subject and clause.role is Role.SHARED and not candidate.language.pro_drop:
        return _shared_head(candidate, verb, end)
    if candidate.language.pro_drop or not subject:
        return Head(start, verb, end, "", _said(candidate, start, end))
    if count_words(subject) > _HEAD_WORDS - 2:
        short = _said(candidate, start, min(verb, _phrase_end(candidate, start)))
        subject = f"{short}…" if short else ""
    return Head(start, verb, end, subject, group)


def _order_verb(candidate: Candidate, start: int) -> int:
    """The verb of an order; -1 if its first words have none."""
    tags = candidate.clause.tags
    return next((place for place in range(start, min(len(tags), start + 4)) if tags[place] & Tag.BASE), -1)


def _shared_head(candidate: Candidate, verb: int, end: int) -> Head:
    """The head of a clause that goes on with the subject of the one before it."""
    own = trim(words_of(candidate))
    whole = with_subject(candidate, own)
    added = len(whole) - len(own)
    spoken = third_person_words(whole[: added + end], candidate)
    return Head(0, verb, end, _capital(join(spoken[:added])), join(spoken[added:]))


_AUXILIARY = Tag.FINITE | Tag.MODAL | Tag.ADVERB | Tag.NEGATION


def _said(candidate: Candidate, first: int, last: int) -> str:
    found = trim(words_of(candidate, first, last))
    return _capital(join(third_person_words(found, candidate))) if found else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _subject_start(candidate: Candidate, verb: int) -> int:
    """After what is fronted behind a comma: `For 40 members, ...`."""
    clause = candidate.clause
    if verb == 0 or not clause.tags[0] & (_BOUND | Tag.GERUND | Tag.ADVERB):
        return 0
    commas = [
        place
        for place, token in enumerate(clause.tokens[: verb if verb > 0 else _FRONT_TOKENS])
        if token.low == ","
    ]
    return commas[-1] + 1 if commas else 0


def _phrase_end(candidate: Candidate, start: int) -> int:
    """Where the first noun phrase, or an order's verb with its object, ends."""
    clause = candidate.clause
    place = start + 1
    while place < min(len(clause.tokens), start + _NOUN_TOKENS):
        if (
            clause.tags[place] & _BOUND
            or clause.tokens[place].kind >= Kind.MARK
            or clause.tokens[place].low == ","
        ):
            break
        place += 1
    return place


def completed(text: str, head: Head, last: int) -> str:
    """A first part that ends before the clause's verb, with what it lacks behind it: the verb, or all of the
    head."""
    if head.verb < last or not head.group:
        return text
    missing = head.text if last <= head.start else head.group
    return f"{text.rstrip('.')}… {missing[:1].lower() + missing[1:]}."


def sentence_of(candidate: Candidate, text: str, head: Head, first: int) -> str:
    """The part that begins at the token `first` as the sentence that it is, "" if it is none: a clause of its
    own, or a relative one with what it tells of."""
    clause = candidate.clause
    own = _own_clause(candidate, text, first)
    if own or first == head.start:
        return own or text
    joined = clause.tags[first] & Tag.COORDINATOR and first > head.verb >= 0
    if (
        joined
        and scan_of(candidate).main_verb(first + 2, len(clause.tokens)) > 0
        and not clause.verbs[first + 1]
    ):
        return _capital(text.split(" ", 1)[-1]) if text.lower().startswith(clause.tokens[first].low) else text
    noun = _noun_before(candidate, first)
    if (
        head.verb < first
        and clause.tokens[first].low in SUBJECT_RELATIVES
        and noun
        and _verb_next(candidate, first)
    ):
        return f"{_capital(noun)} {text.split(' ', 1)[-1]}"
    return ""


def _noun_before(candidate: Candidate, first: int) -> str:
    before = trim(words_of(candidate, max(0, first - _NEAR), first))
    return join(third_person_words(last_noun(before), candidate)) if before else ""


def standing(candidate: Candidate, text: str, head: Head, first: int) -> list[str]:
    """The ways to put the head before the part that begins at the token `first`, the fullest first; `…` where
    words were left out."""
    if head.verb >= first:
        return [behind(head.subject.rstrip("…"), text, gap=head.verb > first)] if head.subject else []
    noun = _noun_before(candidate, first)
    if not head.text:
        return []
    ways: list[str] = []
    governor = _governor(candidate, head.end, first)
    if governor is not None:
        before_it = _said(candidate, head.start, governor)
        ways.append(behind(before_it, text, gap=governor > head.end) if before_it else text)
        near = join(
            third_person_words(
                last_noun(trim(words_of(candidate, max(0, governor - _NEAR), max(0, governor - 1)))),
                candidate,
            )
        )
        if governor > head.end + 2 and near:
            link = join(words_of(candidate, governor - 1, governor))
            ways.append(f"{head.text.rstrip('…')}… {near} {link} {text[:1].lower()}{text[1:]}")
    elif noun and noun.lower() not in head.text.lower():
        gap = "" if _adjoins(candidate, head, first, noun) else "…"
        ways.append(f"{head.text.rstrip('…')}{gap} {noun} {text[:1].lower()}{text[1:]}")
    ways.append(behind(head.text.rstrip("…"), text))
    return ways


def _own_clause(candidate: Candidate, text: str, first: int) -> str:
    """The part without its connective, if what remains is a sentence: `where each column is ...`."""
    clause = candidate.clause
    lows = [token.low for token in clause.tokens[first : first + 2]]
    skip = 2 if lows == ["in", "which"] else 1 if lows[0] in _CONNECTIVES else 0
    count = len(clause.tokens)
    if first + skip >= count or not scan_of(candidate).starts_clause(first + skip, count):
        return ""
    if skip and text.lower().startswith(" ".join(lows[:skip])):
        text = text[len(" ".join(lows[:skip])) + 1 :]
    return text[:1].upper() + text[1:] if skip or clause.tokens[first - 1].kind >= Kind.MARK else ""


def _verb_next(candidate: Candidate, first: int) -> bool:
    """Whether the relative pronoun at `first` is the subject of its clause: `that completely redefined`."""
    clause = candidate.clause
    place = first + 1
    while place < len(clause.tokens) - 1 and clause.tags[place] & Tag.ADVERB and not clause.verbs[place]:
        place += 1
    return any(clause.verbs[place : place + 1]) or any(
        tag & (Tag.THIRD | Tag.PAST) and not tag & Tag.NOUNISH for tag in clause.tags[place : place + 1]
    )


def _governor(candidate: Candidate, end: int, first: int) -> int | None:
    """Where the head of a part ends that goes on a list or a row of verbs: past what the list hangs on, the
    last verb or preposition with something after it, or before the verb that the part's own goes on from;
    None where the part is no such thing."""
    clause = candidate.clause
    coordinated = bool(clause.tags[first] & Tag.COORDINATOR)
    if not coordinated and clause.tokens[first - 1].low not in ",;+&/":
        return None
    opens = clause.tags[min(first + coordinated, len(clause.tags) - 1)]
    verbs = opens & (Tag.BASE | Tag.GERUND) if not opens & (Tag.DETERMINER | Tag.FINITE) else 0
    if opens & Tag.PREPOSITION or (opens & Tag.GERUND and not coordinated):
        return None
    for place in range(first - 2, max(first - _FAR, 0 if verbs else end) - 1, -1):
        tag = clause.tags[place]
        if verbs and tag & verbs and (not tag & Tag.NOUNISH or clause.tags[place - 1] & Tag.INFINITIVE):
            return place
        if not verbs and (tag & Tag.PREPOSITION or (tag & (Tag.BASE | Tag.GERUND) and not tag & Tag.NOUNISH)):
            return place + 1
    return end


def _adjoins(candidate: Candidate, head: Head, first: int, noun: str) -> bool:
    if first - head.end > _NEAR:
        return False
    between = words_of(candidate, head.end, first)
    return count_words(join(between)) <= count_words(noun)
