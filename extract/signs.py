"""What a clause shows: the cue phrases in it, its form, and its place."""

from __future__ import annotations

from collections.abc import Sequence

from extract.blocks import Block, Shape
from extract.candidates import Turn, carries_content, content_stems
from extract.clauses import Clause
from extract.joints import Role
from extract.languages.lexicon import Language, Sign, Tag
from extract.scan import CONDITION, INFINITIVE, PREPOSITION, Scan
from extract.tokens import Kind, Token
from extract.wordlists import words

_SKIPPED = Tag.FILLER | Tag.ASSENT | Tag.REFUSAL
_AT_START_ONLY = Sign.WRAPPER | Sign.COURTESY
SHORT_WORDS = 9
"""A reply of at most this many words can be an answer that takes its meaning from what it answers."""
_TELLING = 3
"""Letters that a word must have to show what an answer takes up."""
_TELLS_NOTHING = frozenset(words("guy guys way day man bro set lot bit one ones thing time part"))
_SUBJECT_WITHIN = 3
"""Tokens of a clause's opening in which its subject stands."""
_SELF = frozenset(words("i we j ich wir yo nosotros je nous"))
_PAST_AUXILIARIES = frozenset(words("was were had did been war waren hatte fue era était"))
_CONCLUDING = frozenset(words("so then hence therefore entonces donc alors dann also"))


def opening(clause: Clause) -> int:
    """Where the clause starts once fillers and commas are skipped."""
    place, last = 0, len(clause.tokens) - 1
    while place < last and (
        (clause.tags[place] & _SKIPPED and not clause.tags[place] & Tag.SUBJECT)
        or clause.tokens[place].low in ",:\"'“«„¿¡"
    ):
        place += 1
    return place


def _is_verb(clause: Clause, place: int) -> bool:
    """Whether a verb that is as often a noun stands as a verb."""
    if not clause.tags[place] & Tag.NOUNISH or clause.verbs[place]:
        return True
    return bool(
        place
        and clause.tags[place - 1] & (Tag.MODAL | Tag.INFINITIVE | Tag.SUBJECT | Tag.ADVERB | Tag.FINITE)
    )


_OPENING_QUOTES = frozenset('"“„«‘')


def signs_of(clause: Clause, language: Language, block: Block, source: str) -> int:
    """The signs of a clause by its words and form, as a plain integer of `Sign` bits."""
    words = respelt(clause.tokens, language)
    signs = _cues(clause, words, language, source) | _form(clause, words, language)
    if any(token.kind is Kind.NUMBER for token in clause.tokens):
        signs |= Sign.NUMBERED
    if clause.words <= SHORT_WORDS:
        signs |= Sign.SHORT
    start = opening(clause)
    if any(token.low.partition("'")[0] in _SELF for token in clause.tokens[start : start + _SUBJECT_WITHIN]):
        signs |= Sign.FIRST_PERSON
    if any(
        (tag & Tag.PAST and not tag & (Tag.BASE | Tag.NOUNISH)) or token.low in _PAST_AUXILIARIES
        for token, tag in zip(clause.tokens, clause.tags, strict=True)
    ):
        signs |= Sign.PAST_TENSE
    if clause.role is Role.ASIDE:
        signs |= Sign.BESIDE
    told = signs & _TOLD == _TOLD or signs & _RETRACTED == _RETRACTED
    if told and not signs & Sign.REFERENCE and _only_settles(clause, words, language):
        signs |= Sign.ANNOUNCES
    if clause.tokens[0].low in _OPENING_QUOTES:
        signs |= Sign.REPORTED
    if clause.tokens[0].low in _CONCLUDING and len(clause.tokens) > 1 and clause.tokens[1].low != ",":
        signs |= Sign.CONCLUDES
    if block.shape is Shape.ITEM:
        signs |= Sign.IN_LIST
    elif block.shape is Shape.CELL:
        signs |= Sign.IN_TABLE
    return signs


_TOLD = Sign.COMMIT | Sign.FIRST_PERSON | Sign.PAST_TENSE
_RETRACTED = Sign.RETRACTS | Sign.FRAGMENT


def _only_settles(clause: Clause, words: Sequence[Token], language: Language) -> bool:
    """Whether all words of content belong to phrases that settle: nothing is left that was settled."""
    found = language.table.find(words, opening(clause))
    covered = {
        place
        for hit in found
        if hit.signs & (Sign.COMMIT | Sign.TURNS)
        for place in range(hit.first, hit.last)
    }
    return not any(
        carries_content(token, tag) and place not in covered
        for place, (token, tag) in enumerate(zip(clause.tokens, clause.tags, strict=True))
    )


def respelt(tokens: Sequence[Token], language: Language) -> list[Token]:
    """The tokens with chat spellings mended: `dont` reads as `don't`."""
    spellings = language.spellings
    return [token._replace(low=spellings[token.low]) if token.low in spellings else token for token in tokens]


def _cues(clause: Clause, words: Sequence[Token], language: Language, source: str) -> int:
    signs = 0
    start = opening(clause)
    for hit in language.table.find(words, start):
        found = hit.signs
        if found & Sign.HEDGE and hit.last < len(words) and words[hit.last].kind is Kind.NUMBER:
            found &= ~Sign.HEDGE  # `maybe 4 hours` rounds a number, it does not doubt a claim
        if found & Sign.NEED and not _is_verb(clause, hit.first):
            found &= ~Sign.NEED  # `your needs`, `the need for`
        if found & Sign.WANTS and hit.last < len(words) and language.tag(words[hit.last].low) & INFINITIVE:
            found &= ~Sign.WANTS  # `I want to know` wants no thing
        if found & _AT_START_ONLY and hit.first > start:
            found &= ~_AT_START_ONLY
        signs |= found
    if clause.role in (Role.SHARED, Role.RELATIVE):
        signs &= ~Sign.ASKS  # `has its own socket` after `the alcove is ...` is no question
    if language.compiled:
        text = source[clause.tokens[0].start : clause.tokens[-1].end]
        for found, pattern in language.compiled:
            if pattern.search(text):
                signs |= found
    return signs


def _form(clause: Clause, words: Sequence[Token], language: Language) -> int:
    scan = Scan(clause.tokens, language, known=(clause.tags, clause.verbs))
    start = _main_part(scan)
    opens_finite = bool(scan.tags[start] & (Tag.SUBJECT | Tag.FINITE)) and scan.tokens[start].low not in (
        "do",
        "don't",
        "dont",
    )
    if not opens_finite and scan.imperative_at(start, len(scan.tokens)):
        signs = Sign.IMPERATIVE
        verb = next(
            (word.low for word in words[max(start, opening(clause)) :] if language.tag(word.low) & Tag.BASE),
            "",
        )
        supposed = start and scan.tags[scan.skip(0, len(scan.tokens), Tag.FILLER)] & Tag.CONDITION
        if verb in language.directives and not supposed:  # what hangs on an `if` is not settled
            signs |= Sign.DIRECTIVE
        if verb in language.orders:
            signs |= Sign.ORDER
        return signs
    first = words[min(opening(clause), len(words) - 1)].low
    if first in language.orders and not language.tag(first) & Tag.BASE:
        return Sign.IMPERATIVE | Sign.ORDER
    if first in language.directives and not language.tag(first) & Tag.BASE:
        return Sign.IMPERATIVE | Sign.DIRECTIVE
    if first in _HORTATIVE:
        return Sign.IMPERATIVE
    return 0 if clause.finite else Sign.FRAGMENT


_HORTATIVE = frozenset({"let's", "lass", "lasst", "vamos"})


def _main_part(scan: Scan) -> int:
    """Where the main clause starts: after `if ...,` or `for 2 GB,`, else at the beginning."""
    first = scan.skip(0, len(scan.tokens), Tag.FILLER)
    if first >= len(scan.tokens) or not scan.tags[first] & (CONDITION | PREPOSITION | INFINITIVE):
        return 0
    for place in range(first, len(scan.tokens) - 1):
        if scan.tokens[place].low == ",":
            return place + 1
    return 0


def inherited(clause: Clause, left_signs: int) -> int:
    """The signs that a clause has from the one whose subject and mood it shares."""
    return left_signs & _MOOD if clause.role is Role.SHARED else 0


_MOOD = (
    Sign.OWN_FUTURE
    | Sign.OBLIGATION
    | Sign.NEED
    | Sign.ADVICE
    | Sign.POSSIBLE
    | Sign.HEDGE
    | Sign.IMPERATIVE
    | Sign.DIRECTIVE
    | Sign.ORDER
    | Sign.REPORTED
    | Sign.WANTS
    | Sign.REQUEST
    | Sign.TASK
)


def assigns(clause: Clause, language: Language, source: str) -> bool:
    """Whether somebody named is said to do something: `Gosia checks the numbers`."""
    start = opening(clause)
    if start + 1 >= len(clause.tokens):
        return False
    who = clause.tokens[start]
    named = (
        who.kind is Kind.WORD and not clause.tags[start] and source[who.start].isupper() and who.low.isalpha()
    )
    verb = start + 1
    while verb < len(clause.tokens) - 1 and clause.tags[verb] & Tag.ADVERB:
        verb += 1
    base = language.base_of.get(clause.tokens[verb].low, "")
    does = bool(clause.tags[verb] & Tag.THIRD or clause.tokens[verb].low == "does") and base not in _STATES
    return does and (named or who.low in ("he", "she", "they"))


_STATES = frozenset(
    words(
        """
be have want need like love hate know think believe say feel seem mean cost prefer own belong contain
depend hope doubt sound look understand remember agree disagree matter fit live work exist wish fear
enjoy insist claim swear suggest recommend tell report worry suffer stay remain keep become get make wake
sleep nap
"""
    )
)
"""Verbs that describe rather than do: their third person is no task."""


def reply_signs(clause: Clause, turn: Turn | None, proposed: frozenset[str]) -> int:
    """The signs of an owner's clause that answers the assistant's turn, which put `proposed` forward."""
    if turn is None:
        return 0
    signs = Sign.REPLY
    if turn.asked:
        signs |= Sign.ASKED
    if clause.left is None:
        signs |= Sign.OPENS
    stems = content_stems(clause.tokens, clause.tags)
    if stems & turn.stems:
        signs |= Sign.MENTIONS
    shared = stems & proposed
    new_number = any(stem.isdigit() for stem in stems - proposed)  # nobody proposed it: a report, more likely
    if (
        2 * len(shared) >= len(stems)
        and not new_number
        and any(s.isdigit() or (len(s) >= _TELLING and s not in _TELLS_NOTHING) for s in shared)
    ):
        signs |= Sign.ECHO
    return signs
