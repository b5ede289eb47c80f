"""Whether a text is a whole statement, which can stand alone: what remains a fragment is no unit.

The words of a fragment are not lost: they stand in the message, in the quotes of the units beside it, and the
fragment is counted with its reason.
"""

from __future__ import annotations

from extract.blocks import Shape
from extract.candidates import Candidate, carries_content
from extract.joints import Role
from extract.languages.lexicon import Language, Sign, Tag
from extract.scan import Scan
from extract.tokens import Kind, Token, tokenize
from extract.wordlists import words
from schemas.unit import Category, Speaker

BROKEN = "a sentence broken off"
SUBORDINATE = "a subordinate clause alone"
PHRASE = "a phrase alone"

_DANGLING = frozenset(
    words(
        """
a an the my your its our their and or but nor of than via per between such
including because if while whether although unless user's assistant's every depending based compared according
"""
    )
)
"""Words that no sentence ends in."""
_STRANDED = frozenset(words("just especially particularly for with from at by into about to based"))
"""Words that a whole sentence may end in (`what to look for`), and a part of one hardly."""
_OPENS_SUBORDINATE = Tag.CONDITION | Tag.RELATIVE | Tag.REASON | Tag.INFINITIVE | Tag.PREPOSITION | Tag.GERUND
_LINKING = frozenset(words("be become seem feel look sound stay keep get remain make taste appear"))
_PAIRS = frozenset({("in", "order"), ("as", "well"), ("due", "to"), ("such", "as"), ("rather", "than")})
_FEW = 3
"""Words of content that a phrase of the assistant's needs to say anything."""


def lacking(candidate: Candidate, category: Category, text: str, *, part: bool) -> str:
    """Why the text cannot stand alone, or "" if it can.

    `part`: it is a part of a clause that did not fit into fifteen words.
    """
    if "…" in text and "…" not in candidate.quote:
        return ""  # it stands behind the core of its sentence: what only it says is not left out
    language = candidate.language
    if language.code != "en" or category is Category.DECISION:
        return ""
    tokens = [token for token in tokenize(text) if token.kind not in (Kind.MARK, Kind.BREAK)]
    said = [token for token in tokens if token.kind <= Kind.UNSPACED]
    if not said:
        return PHRASE
    if _breaks_off(candidate, said, part=part):
        return BROKEN
    if category is Category.OPEN_QUESTION:
        tags = [language.tag(token.low) for token in said[:2]]
        verbal = Tag.PARTICIPLE | Tag.PAST | Tag.GERUND
        headless = len(tags) > 1 and tags[0] & Tag.FINITE and not tags[0] & Tag.SUBJECT and tags[1] & verbal
        return BROKEN if part and headless and not tags[1] & (Tag.NOUNISH | Tag.SUBJECT) else ""
    if any(token.low in ("which", "whom") for token in said[:4]) and said[0].low in _OF_WHICH:
        return SUBORDINATE
    scan = Scan(tokens, language)
    if candidate.clause.role is Role.SHARED and not candidate.signs & Sign.IMPERATIVE:
        first = scan.tags[min(scan.skip(0, len(scan.tokens), Tag.ADVERB), len(scan.tokens) - 1)]
        if (
            first & Tag.BASE
            and not first & (Tag.FINITE | Tag.SUBJECT)
            and scan.imperative_at(0, len(scan.tokens))
        ):
            return PHRASE
    if candidate.speaker is Speaker.ASSISTANT and category is not Category.CONSTRAINT and _depends(scan):
        return SUBORDINATE
    if part and scan.tags[0] & Tag.THIRD and not scan.tags[0] & (Tag.NOUNISH | Tag.FINITE):
        return PHRASE
    told = not part and _told(candidate, scan)
    if candidate.speaker is Speaker.ASSISTANT and _hangs(candidate, scan):
        return SUBORDINATE
    if _has_verb(scan) or told or _is_labelled(candidate, text):
        return ""
    if candidate.signs & Sign.IMPERATIVE and not part:
        return ""
    opening = scan.skip(0, len(scan.tokens) - 1, Tag.ADVERB)
    opening += scan.tokens[opening].low in ("either", "both") and opening + 1 < len(scan.tokens)
    opens = scan.tags[opening]
    numbered = any(token.kind is Kind.NUMBER for token in said)
    if numbered and not part and (candidate.speaker is not Speaker.ASSISTANT or opens & Tag.PREPOSITION):
        return ""
    if opens & _OPENS_SUBORDINATE and not opens & (Tag.SUBJECT | Tag.DETERMINER):
        return SUBORDINATE
    if part:
        return PHRASE
    return PHRASE if _says_too_little(candidate, said) else ""


def is_sentence(text: str, language: Language) -> bool:
    """Whether a part of a clause is a sentence as it stands; said of English only."""
    tokens = [token for token in tokenize(text) if token.kind not in (Kind.MARK, Kind.BREAK)]
    if language.code != "en" or not tokens or tokens[0].kind > Kind.UNSPACED:
        return False
    scan = Scan(tokens, language)
    opens = scan.tags[0]
    if opens & (_OPENS_SUBORDINATE | Tag.COORDINATOR) and not opens & (Tag.SUBJECT | Tag.DETERMINER):
        return False
    return scan.main_verb(0, len(tokens)) > 0 and scan.starts_clause(0, len(tokens))


_OF_WHICH = frozenset(
    words("which whom all some both many most each one none either of in to for with by from")
)


def _hangs(candidate: Candidate, scan: Scan) -> bool:
    """Whether the text is a clause that another one holds: `to help you start`, `who owned it`."""
    count = len(scan.tokens)
    place = min(scan.skip(0, count, Tag.ADVERB), count - 1)
    low = scan.tokens[place].low
    if any(token.low == ":" for token in scan.tokens):
        return False
    if low in _WH and not scan.asks:
        copula = any(token.low in _COPULAS for token in scan.tokens[place + 2 :])
        return sum(scan.finite) < 2 and not copula
    if low == "that":
        return _relative_that(candidate, scan, place)
    if low not in _WHEN and not scan.tags[place] & Tag.INFINITIVE:
        return False
    behind = [comma + 1 for comma in range(place, count - 1) if scan.tokens[comma].low == ","]
    return not any(scan.starts_clause(p, count) or scan.imperative_at(p, count) for p in behind)


def _relative_that(candidate: Candidate, scan: Scan, place: int) -> bool:
    """Whether `that` goes on a noun (`a tool that allows ...`) rather than points at what was said."""
    following = scan.tags[place + 1] if place + 1 < len(scan.tokens) else 0
    before = candidate.source[: candidate.clause.tokens[0].start].rstrip().rsplit(None, 1)[-1:]
    if not before or not before[0][-1].isalnum():
        return False
    bound = candidate.language.tag(before[0].lower()) & (Tag.REASON | Tag.COORDINATOR)
    return not bound and bool(following & (Tag.THIRD | Tag.PAST)) and not following & Tag.FINITE


def _told(candidate: Candidate, scan: Scan) -> bool:
    """Whether a clause has its verb outside any relative clause: `a tool that can be used` has not."""
    if not candidate.clause.finite:
        return False
    if candidate.speaker is not Speaker.ASSISTANT or scan.tags[0] & Tag.PREPOSITION:
        return True
    verb = next((place for place, tag in enumerate(scan.tags) if tag & Tag.FINITE), 0)
    return verb > 0 and not any(token.low in ("that", "which", "who") for token in scan.tokens[1:verb])


_COPULAS = frozenset({"is", "are", "was", "were"})
_WH = frozenset(words("who why how what which whose"))
_WHEN = frozenset(words("as before after until when whenever once while whether"))


def _depends(scan: Scan) -> bool:
    """Whether the text is no more than what an `if` or a `with` opens: no clause stands behind a comma."""
    count = len(scan.tokens)
    place = min(scan.skip(0, count, Tag.ADVERB), count - 1)
    tag, low = scan.tags[place], scan.tokens[place].low
    opened = tag & Tag.CONDITION and not tag & (Tag.RELATIVE | Tag.SUBJECT | Tag.QUESTION | Tag.PREPOSITION)
    if low == "with":
        return not any(
            tag & Tag.FINITE or token.low == "," for tag, token in zip(scan.tags, scan.tokens, strict=True)
        )
    if not opened:
        return False
    behind = [comma + 1 for comma in range(place, count - 1) if scan.tokens[comma].low == ","]
    return not any(scan.starts_clause(p, count) or scan.imperative_at(p, count) for p in behind)


def _has_verb(scan: Scan) -> bool:
    """Whether the text has a main verb; after what may be a subject a verb that is as often a noun counts."""
    count = len(scan.tokens)
    opening = min(scan.skip(0, count, Tag.ADVERB), count - 1)
    opens = scan.tags[opening]
    if opens & Tag.INFINITIVE:
        behind = [place + 1 for place in range(count - 1) if scan.tokens[place].low == ","]
        return any(scan.starts_clause(p, count) or scan.imperative_at(p, count) for p in behind)
    if opens & Tag.PREPOSITION and not opens & (Tag.SUBJECT | Tag.DETERMINER | Tag.BASE | Tag.CONDITION):
        commas = [place + 1 for place in range(count - 1) if scan.tokens[place].low == ","]
        if commas and scan.tags[commas[-1]] & Tag.FINITE and not scan.tags[commas[-1]] & Tag.SUBJECT:
            return False  # of feeling targeted, is a breakthrough
    if scan.main_verb(0, count) >= 0 or scan.imperative_at(0, count):
        return True
    if opens & (Tag.CONDITION | Tag.RELATIVE | Tag.REASON) and not opens & (Tag.SUBJECT | Tag.DETERMINER):
        comma = next((place + 1 for place in range(count) if scan.tokens[place].low == ","), count)
    else:
        comma = 0
    if any(token.low in _NOMINATIVE for token in scan.tokens[comma : count - 1]):
        return True
    return any(_may_be_verb(scan, place) for place in range(max(comma, 1), count))


_NOMINATIVE = frozenset(words("he she they i we"))
"""Words that are nothing but subjects: there is a verb, known or not."""


_NO_NOUN_BEFORE = (
    Tag.DETERMINER | Tag.PREPOSITION | Tag.ADJECTIVE | Tag.RELATIVE | Tag.COORDINATOR | Tag.CONDITION
)
_FOLLOWS_VERB = Tag.DETERMINER | Tag.SUBJECT | Tag.ADVERB | Tag.PREPOSITION | Tag.NEGATION | Tag.CONDITION


def _may_be_verb(scan: Scan, place: int) -> bool:
    """Whether the word at `place` may be the verb that it can be, by what stands on both sides."""
    tag, before = scan.tags[place], scan.tags[place - 1]
    if not tag & (Tag.THIRD | Tag.PAST | Tag.BASE) or tag & Tag.PREPOSITION:
        return False
    if before & Tag.ADVERB and place > 1 and not before & _NO_NOUN_BEFORE:
        return (
            not scan.tags[place - 2] & (Tag.DETERMINER | Tag.PREPOSITION)
            or scan.tokens[place - 1].low == "longer"
        )
    if tag & Tag.BASE and not tag & (Tag.THIRD | Tag.PAST):
        return scan.tokens[place - 1].low == "longer"
    following = scan.tags[place + 1] if place + 1 < len(scan.tokens) else 0
    return not before & _NO_NOUN_BEFORE and bool(following & _FOLLOWS_VERB)


def _breaks_off(candidate: Candidate, said: list[Token], *, part: bool) -> bool:
    last = said[-1].low
    if last in _DANGLING or (last in _STRANDED and part):
        return True
    if part and len(said) > 1 and (said[-2].low, last) in _PAIRS:
        return True
    if len(said) > 2 and (said[-3].low, said[-2].low, last) == ("and", "of", "course"):
        return True
    tag, before = candidate.language.tag(last), candidate.language.tag(said[-2].low) if len(said) > 1 else 0
    plain = tag & Tag.ADJECTIVE and not tag & (Tag.NOUNISH | Tag.ADVERB | Tag.SUBJECT | Tag.DETERMINER)
    if part and plain and before & Tag.BASE and not before & Tag.NOUNISH and said[-2].low not in _LINKING:
        return True  # able to establish clear
    noun = tag & (Tag.NOUNISH | Tag.SUBJECT | Tag.DETERMINER | Tag.ADVERB)
    return bool(tag & Tag.ADJECTIVE and before & Tag.DETERMINER and not noun and said[-2].low in ("a", "an"))


def _is_labelled(candidate: Candidate, text: str) -> bool:
    return ": " in text and (candidate.lead is not None or candidate.left is not None)


def _says_too_little(candidate: Candidate, said: list[Token]) -> bool:
    """Whether a whole phrase says nothing without what stands around it."""
    if any(token.kind in (Kind.NUMBER, Kind.CODE) for token in said):
        return False
    tag = candidate.language.tag
    content = sum(carries_content(token, tag(token.low)) for token in said)
    if candidate.speaker is Speaker.ASSISTANT:
        return candidate.block.shape is Shape.PARAGRAPH or content < _FEW
    return content < 2 and not candidate.signs & Sign.REPLY
