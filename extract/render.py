"""A unit's text: its quote in minimum viable language.

Self-contained, in the third person for the owner's words, without filler and Markdown; numbers, names and
negations of the quote are kept, and so is its hedging: a text is never surer than its quote.
"""

from __future__ import annotations

import re
from dataclasses import replace

from extract.candidates import Candidate
from extract.clauses import Clause
from extract.heads import head_of
from extract.joints import Role
from extract.labelling import BACKWARD, labelled, uncapital
from extract.languages.lexicon import Sign, Tag
from extract.persons import third_person_words
from extract.phrases import Word, finish, join, strip_fillers, trim, words_of
from extract.sharing import last_noun, verb_second, with_speaker, with_subject
from extract.skeleton import rebuilt
from extract.tokens import Kind, tokenize
from schemas.unit import MAX_WORDS, Category, Speaker
from schemas.words import count_words

_BASE = Tag.BASE


def render(candidate: Candidate, category: Category, *, decided: bool = True, bare: bool = False) -> str:
    """The text of the unit that a candidate becomes.

    `decided=False` leaves a decision's words as they stand; `bare=True` adds nothing to the words: no
    label, no subject.
    """
    words = trim(words_of(candidate), candidate.language.vocatives) or words_of(candidate)
    if candidate.signs & Sign.RETRACTS:
        words = _without_no(words)
    if not bare:
        words = verb_second(candidate, words)
        words = with_speaker(candidate, category, with_subject(candidate, words))
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
    headed = _headed(candidate, category, text)
    gone_on = _gone_on(candidate, category, text) if headed == text else text
    return gone_on if gone_on != text else labelled(candidate, _beside(candidate, headed))


_TAKES_BACK = 4
"""Words before the comma of `actually no, ...`, `no wait, ...`."""


def _without_no(words: list[Word]) -> list[Word]:
    """What is said after the words by which the sentence takes back the one before. `Actually no sugar` has
    no comma, and its `no` stays."""
    lows = [word.low for word in words[: _TAKES_BACK + 1]]
    rest = words[lows.index(",") + 1 :] if "," in lows else []
    return rest or words


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
    if candidate.clause.finite or left is None:
        return text
    if candidate.signs & Sign.IMPERATIVE or left.noise:
        return text
    if (
        candidate.clause.role is Role.MAIN
        and candidate.speaker is Speaker.ASSISTANT
        and left is candidate.left
    ):
        return _beside_left(candidate, category, left, text)
    if candidate.clause.role is not Role.PHRASE:
        return text
    whole, first = _with_left(candidate, left)
    for core in rebuilt(whole, head_of(left), first, len(whole.clause.tokens)):
        sentence = render(core, category, decided=False, bare=core.clause.role is not Role.SHARED)
        if count_words(sentence) <= MAX_WORDS:
            return sentence
    return _beside_left(candidate, category, left, text)


def _beside_left(candidate: Candidate, category: Category, left: Candidate, text: str) -> str:
    """A phrase that no core fits: as a sentence of its own, or behind what it goes on."""
    phrase = candidate.clause.tags[0]
    if phrase & Tag.GERUND and not phrase & Tag.NOUNISH and candidate.clause.role is Role.PHRASE:
        return _this(candidate, category, text)
    if phrase & (
        Tag.PREPOSITION | Tag.CONDITION | Tag.INFINITIVE | Tag.PARTICIPLE | Tag.COORDINATOR | Tag.REASON
    ):
        return text
    subject = head_of(left).subject.rstrip("…")
    opens = candidate.language.tag(subject.split(" ")[0].lower()) if subject else Tag.SUBJECT
    if (opens & _NO_HOST and not opens & Tag.DETERMINER) or "," in subject or subject.lower() in BACKWARD:
        return text
    named = subject.lower() not in ("the user", "the assistant")
    headed = f"{subject}: {uncapital(candidate, text)}"
    return headed if named and count_words(headed) <= MAX_WORDS else text


_NO_HOST = (
    Tag.SUBJECT | Tag.CONDITION | Tag.RELATIVE | Tag.REASON | Tag.PREPOSITION | Tag.ADVERB | Tag.PARTICIPLE
)


def _gone_on(candidate: Candidate, category: Category, text: str) -> str:
    """A few words without a verb, behind the words of their sentence that they go on: `Look for a third
    thing: random data`."""
    left, clause = candidate.left, candidate.clause
    if (
        left is None
        or left.noise
        or clause.finite
        or candidate.signs & Sign.IMPERATIVE
        or category is Category.OPEN_QUESTION
    ):
        return text
    if clause.role not in (Role.MAIN, Role.PHRASE) or candidate.answers or category is Category.DECISION:
        return text
    between = candidate.source[left.clause.tokens[-1].end : clause.tokens[0].start].strip("*_ \n")
    if between[:1] not in (":", ",") or left.clause.tokens[-1].end > clause.tokens[0].start:
        return text
    before = render(left, Category.FACT).rstrip(".!?…。")
    joint = clause.tokens[0].low if clause.tags[0] & Tag.COORDINATOR else ""
    entry = uncapital(candidate, text)
    entry = entry if entry.lower().startswith(joint) else f"{joint} {entry}"
    whole = f"{before}{between[:1]} {entry}"
    return whole if count_words(whole) <= MAX_WORDS else text


def _this(candidate: Candidate, category: Category, text: str) -> str:
    """What a participle adds to a clause that is too long to stand before it: `This reduces the risk`."""
    gerund, _, rest = text.partition(" ")
    base = candidate.language.base_of.get(gerund.lower(), "")
    verb = candidate.language.agreement.get(base, "")
    if not verb or not rest or category is Category.OPEN_QUESTION:
        return text
    left = candidate.left
    if left is None or any(tag & (Tag.CONDITION | Tag.PREPOSITION) for tag in left.clause.tags[:2]):
        return text  # even if I wanted to, finding that card ...
    whole = f"This {verb} {rest}"
    return whole if count_words(whole) <= MAX_WORDS else text


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
    text = text[6:] if text.lower().startswith("let's ") and voice.asked_to else text
    if ordered and signs & Sign.IMPERATIVE and signs & (Sign.ORDER | Sign.REQUEST) and voice.asked_to:
        asked = voice.asked_to.format(what=text[:1].lower() + text[1:])
        return asked.replace(voice.assistant, candidate.listener) if candidate.listener else asked
    found = candidate.language.indirect.match(text) if candidate.language.indirect else None
    return text[found.end() :] if found else text


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
        for refusal in voice.refusals:
            if tuple(lows[: len(refusal)]) == refusal and len(words) > len(refusal):
                return voice.decides_not_to.format(what=_told(candidate, words[len(refusal) :]))
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
