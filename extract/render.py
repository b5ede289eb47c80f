"""A unit's text: its quote in minimum viable language.

Self-contained, in the third person for the owner's words, without filler and Markdown; numbers, names and
negations of the quote are kept, and so is its hedging: a text is never surer than its quote.
"""

from __future__ import annotations

import re
from dataclasses import replace

from extract.candidates import Candidate
from extract.clauses import Clause
from extract.heads import behind, head_of, last_noun, with_subject
from extract.joints import Role
from extract.languages.lexicon import Sign, Tag
from extract.persons import third_person_words
from extract.phrases import Word, finish, join, strip_fillers, trim, words_of
from extract.skeleton import rebuilt
from extract.tokens import Kind, tokenize
from schemas.unit import MAX_WORDS, Category, Speaker
from schemas.words import count_words

_BASE = Tag.BASE
_LEAD_WORDS = 8
"""A label of more words than this would crowd out what it labels."""


def render(candidate: Candidate, category: Category, *, decided: bool = True, bare: bool = False) -> str:
    """The text of the unit that a candidate becomes.

    `decided=False` leaves a decision's words as they stand; `bare=True` adds nothing to the words: no
    label, no subject.
    """
    words = trim(words_of(candidate), candidate.language.vocatives) or words_of(candidate)
    if not bare:
        words = with_subject(candidate, words)
    if candidate.speaker is Speaker.ASSISTANT:
        words = _proposal(words)
    question = category is Category.OPEN_QUESTION
    text = join(third_person_words(strip_fillers(words), candidate, question=question))
    text = _asked(candidate, text) if question else _unopened(candidate, text)
    if decided and category is Category.DECISION:
        text = _decision(candidate, words, text)
    voice = candidate.language.voice
    text = finish(text, voice.ask if question else voice.stop)
    if question and voice.asks and not text.startswith(voice.asks):
        text = voice.asks + text
    if bare:
        return text
    return _labelled(candidate, _beside(candidate, _headed(candidate, category, text)))


_LEFT_WORDS = 3
"""Words that must be left of a sentence without its opener."""


def _unopened(candidate: Candidate, text: str) -> str:
    """The text without what it only opens with: `Please note that ...`, `However, ...`."""
    openers = candidate.language.openers
    found = openers.match(text) if openers else None
    while found is not None and openers is not None and len(text[found.end() :].split()) >= _LEFT_WORDS:
        text = text[found.end() :]
        found = openers.match(text)
    return text


def _beside(candidate: Candidate, text: str) -> str:
    """A bracket's words behind what the bracket stands after: `Emil: 11 months.`"""
    left = candidate.left
    if candidate.clause.role is not Role.ASIDE or left is None:
        return text
    before = [
        place
        for place, token in enumerate(left.clause.tokens)
        if token.start < candidate.clause.tokens[0].start - 1
    ]
    words = trim(words_of(left, 0, len(before)))
    if len(before) < len(left.clause.tokens):
        words = last_noun(words)
    first = text[:1].lower() if candidate.clause.tags[0] else text[:1]
    for named in (words, last_noun(words)):
        host = join(third_person_words(strip_fillers(named), left))
        labelled = f"{host[:1].upper()}{host[1:]}: {first}{text[1:]}"
        if host and count_words(labelled) <= MAX_WORDS:
            return labelled
    return text


def _headed(candidate: Candidate, category: Category, text: str) -> str:
    """A phrase beside a clause, behind that clause's core, or its subject and verb, if that fits."""
    left = candidate.left
    while left is not None and not left.clause.finite:
        left = left.left
    if candidate.clause.role is not Role.PHRASE or candidate.clause.finite or left is None:
        return text
    whole, first = _with_left(candidate, left)
    for core in rebuilt(whole, head_of(left), first, len(whole.clause.tokens)):
        sentence = render(core, category, decided=False, bare=core.clause.role is not Role.SHARED)
        if count_words(sentence) <= MAX_WORDS:
            return sentence
    head = head_of(left).text
    headed = behind(head, text) if head else text
    return headed if count_words(headed) <= MAX_WORDS else text


def _with_left(candidate: Candidate, left: Candidate) -> tuple[Candidate, int]:
    """(a candidate of both clauses with what stands between them, the token where the later one begins)."""
    own, before = candidate.clause, left.clause
    begin, end = before.tokens[-1].end, own.tokens[0].start
    between = [
        token._replace(start=token.start + begin, end=token.end + begin)
        for token in tokenize(candidate.source[begin:end])
        if token.kind not in (Kind.MARK, Kind.BREAK)
    ]
    tags = [candidate.language.tag(token.low) if token.kind is Kind.WORD else 0 for token in between]
    joined = bool(tags) and bool(tags[-1] & Tag.COORDINATOR)
    clause = Clause(
        (*before.tokens, *between, *own.tokens),
        (*before.tags, *tags, *own.tags),
        before.role,
        True,
        before.left,
        (*before.verbs, *(False for _ in between), *own.verbs),
    )
    return replace(candidate, clause=clause, left=left.left, lead=None), len(before.tokens) + len(
        between
    ) - joined


_ORDER_WITHIN = 4
"""Tokens within which an order names its verb: please just now send."""


def _asked(candidate: Candidate, text: str) -> str:
    """An indirect question without what leads in to it; an order as the question whether it can be done."""
    voice, signs = candidate.language.voice, candidate.signs
    ordered = any(tag & _BASE for tag in candidate.clause.tags[:_ORDER_WITHIN])
    if ordered and signs & Sign.IMPERATIVE and signs & (Sign.ORDER | Sign.REQUEST) and voice.asked_to:
        asked = voice.asked_to.format(what=text[:1].lower() + text[1:])
        return asked.replace(voice.assistant, candidate.listener) if candidate.listener else asked
    found = candidate.language.indirect.match(text) if candidate.language.indirect else None
    return text[found.end() :] if found else text


def _labelled(candidate: Candidate, text: str) -> str:
    """The text behind its label, where it cannot be understood without and both fit into a unit."""
    lead = candidate.lead
    if lead is None or candidate.clause.left is not None or not lead.text:
        return text
    if lead.outer and not candidate.signs & Sign.BESIDE:
        empty = lead.text.lower() in candidate.language.empty_labels
        label = lead.outer if empty else f"{lead.outer}, {lead.text}"
        named = _behind_label(candidate, label, text)
        if count_words(label) <= _LEAD_WORDS and count_words(named) <= MAX_WORDS:
            return named
    points_back = any(token.low in _BACKWARD for token in candidate.clause.tokens)
    needs = candidate.signs & (Sign.FRAGMENT | Sign.IN_TABLE) or lead.adjoins or points_back
    if (
        not needs
        or count_words(lead.text) > _LEAD_WORDS
        or lead.text.lower() in candidate.language.empty_labels
    ):
        return text
    labelled = _behind_label(candidate, lead.text, text)
    return labelled if count_words(labelled) <= MAX_WORDS else text


def _behind_label(candidate: Candidate, label: str, text: str) -> str:
    tag = candidate.language.tag
    words = [
        Word(
            label[token.start : token.end],
            token.start > 0 and label[token.start - 1] == " ",
            token.low,
            tag(token.low) if token.kind is Kind.WORD else 0,
            token.kind,
        )
        for token in tokenize(label)
    ]
    label = join(third_person_words(words, candidate)) or label
    plain = text[:1].isupper() and not text[1:2].isupper() and _opens_plainly(candidate)
    return f"{label[0].upper()}{label[1:]}: {text[0].lower() + text[1:] if plain else text}"


_BACKWARD = frozenset(
    {"it", "its", "they", "them", "this", "that", "these", "those", "he", "she", "him", "her"}
)
"""Words that speak of something named before: most often of what the label names."""


def _opens_plainly(candidate: Candidate) -> bool:
    """Whether the first word's capital is only the sentence's: the source has it small, or it is a known
    word."""
    token = candidate.clause.tokens[0]
    return candidate.source[token.start].islower() or bool(candidate.clause.tags[0])


def _proposal(words: list[Word]) -> list[Word]:
    """The assistant's `I'd keep ...` is the proposal `Keep ...`: no surer, and free of the speaker."""
    lows = [word.low for word in words[:3]]
    if lows[:1] == ["i'd"] and len(words) > 2 and words[1].tag & _BASE and lows[1] not in _SAYS:
        return words[1:]
    if lows[:2] == ["i", "would"] and len(words) > 3 and words[2].tag & _BASE and lows[2] not in _SAYS:
        return words[2:]
    return words


_SAYS = frozenset({"recommend", "suggest", "say", "think", "advise", "guess", "be", "love", "like", "need"})
"""Verbs of which the assistant itself is the subject: `I'd recommend` is no order to recommend."""


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+", text))


def _decision(candidate: Candidate, words: list[Word], text: str) -> str:
    """A decision's sentence: what the owner chose, refused or decided to do."""
    voice, lows = candidate.language.voice, [word.low for word in words]
    if candidate.answers or candidate.refers:
        named = _answer(candidate)
        if named and _numbers(named) >= _numbers(candidate.quote):
            return named
    if lows[-2:] == ["it", "is"] and len(words) > 2:
        return voice.chooses.format(what=_told(candidate, words[:-2]))
    if lows[:1] in (["let's"], ["lets"]) and len(words) > 1:
        return voice.decides_to.format(what=_told(candidate, words[1:]))
    if candidate.signs & Sign.IMPERATIVE:
        return voice.decides_to.format(what=text[:1].lower() + text[1:])
    return text if candidate.clause.finite else voice.decides.format(what=text)


def _told(candidate: Candidate, words: list[Word]) -> str:
    return join(third_person_words(strip_fillers(words), candidate))


def _answer(candidate: Candidate) -> str:
    """The answer with the proposal it names, as far as both fit; "" if they do not."""
    voice, signs = candidate.language.voice, candidate.signs
    what = "; ".join(_inner(proposal.text) for proposal in candidate.answers)
    refuses = signs & Sign.REJECT and not signs & Sign.ACCEPT
    template = voice.rejects if refuses else voice.chooses
    if candidate.refers:
        named = template.format(what=f"{candidate.refers}: {what}")
        return named if what and count_words(named) <= MAX_WORDS else template.format(what=candidate.refers)
    if not signs & Sign.FRAGMENT or refuses:
        return ""
    named = voice.decides.format(what=what)
    return named if count_words(named) <= MAX_WORDS else ""


_OFFERED = re.compile(
    r"(?:the user (?:could|can|should|might|may)(?: also)?|el usuario (?:podría|puede|debería)(?: también)?"
    r"|l'utilisateur (?:pourrait|peut|devrait)(?: aussi)?) ",
    re.IGNORECASE,
)
"""What a proposal opens with that its acceptance does not repeat."""


def _inner(text: str) -> str:
    """A sentence as part of another."""
    text = text.rstrip(".。")
    opening = _OFFERED.match(text)
    if opening:
        return text[opening.end() :]
    return text[0].lower() + text[1:] if text[1:2].islower() else text
