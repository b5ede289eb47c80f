"""A clause that goes on with the subject of the one to its left: which subject, with which auxiliaries."""

from __future__ import annotations

from extract.candidates import Candidate
from extract.joints import Role
from extract.languages.lexicon import Sign, Tag
from extract.persons import agreeing_subject
from extract.phrases import Word, respaced, trim, words_of
from extract.scan import Scan
from extract.tokens import Kind
from extract.wordlists import words as listed_words
from schemas.unit import Category, Speaker

_FINITE, _SUBJECT, _MODAL = Tag.FINITE, Tag.SUBJECT, Tag.MODAL
SUBJECT_RELATIVES = frozenset(listed_words("which who that qui"))


def scan_of(candidate: Candidate) -> Scan:
    """The candidate's clause, read again with the tags and verbs that it has."""
    clause = candidate.clause
    return Scan(clause.tokens, candidate.language, known=(clause.tags, clause.verbs))


def with_subject(candidate: Candidate, words: list[Word]) -> list[Word]:
    """A clause that goes on from the one to its left gets that one's subject, and its modal verb."""
    left = candidate.left
    if left is not None and left.signs & Sign.IMPERATIVE and candidate.clause.role is Role.SHARED:
        return words
    if left is None or candidate.clause.role not in (Role.SHARED, Role.RELATIVE) or not words:
        return words
    before = trim(words_of(left))
    if candidate.clause.role is Role.RELATIVE:
        noun = last_noun(before) if left.language.code == "en" else _last_named(before)
        if len(words) > 1 and words[1].low in _PLURAL_VERBS and not noun[-1].low.endswith("s"):
            return words  # drive, patience and trust, which are ...
        if words[0].low not in SUBJECT_RELATIVES:
            return words
        main = scan_of(left).main_verb(0, len(left.clause.tokens))
        if (
            main > 0
            and left.clause.tokens[main].low in _COPULAS
            and not left.clause.tags[0] & (_SUBJECT | Tag.ADVERB)
        ):
            return respaced(trim(words_of(left, 0, main)), words[1:])  # Ansa is a keeper's daughter who ...
        return respaced(noun, words[1:])
    if before and before[0].tag & (Tag.THIRD | Tag.PAST) and not before[0].tag & (_SUBJECT | Tag.NOUNISH):
        return words  # a note without its subject goes on without it
    if left.clause.role is Role.RELATIVE and left.left is not None and before[0].low in SUBJECT_RELATIVES:
        before = respaced(last_noun(trim(words_of(left.left))), before[1:])
        return _shared(before, words)
    if left.clause.role is Role.SHARED:
        return _shared(with_subject(left, before), words)
    inner = _inner_subject(left, words)
    if inner:
        return _shared(trim(words_of(left, inner)), words)
    main = scan_of(left).main_verb(0, len(left.clause.tokens))
    ahead = words_of(left, 0, max(main, 0))
    dropped = len(words_of(left)) - len(before) if before and before == words_of(left)[-len(before) :] else 0
    return _shared(before, words, len(ahead) - dropped if main > 0 else -1)


def _inner_subject(left: Candidate, words: list[Word]) -> int:
    """The token at which a clause begins that `that` opens at the end of `left`, if the words go on its verb
    rather than the main one: `glad that you've activated it, and | reviewed the examples`; 0 if not."""
    clause = left.clause
    finite = [place for place, verb in enumerate(clause.verbs) if verb]
    if left.language.code != "en" or len(finite) < 2:
        return 0
    if words[0].tag & Tag.BASE and clause.tags[finite[-1]] & Tag.MODAL and finite[0] + 1 < finite[-1]:
        return finite[0] + 1 + (clause.tokens[finite[0] + 1].low == "that")  # we believe it will ..., and
    if not words[0].tag & (Tag.PAST | Tag.PARTICIPLE):
        return 0
    opens = [p for p in range(finite[0], finite[-1]) if clause.tokens[p].low == "that"]
    return opens[-1] + 1 if opens and clause.tags[opens[-1] + 1] & _SUBJECT else 0


def _shared(before: list[Word], words: list[Word], verb: int = -1) -> list[Word]:
    """The words with the subject of the clause `before` them, and the auxiliary or modal that they need.

    `verb` is the place of the main verb in `before`, where it is known.
    """
    subject: list[Word] = []
    if (
        len(before) > 1
        and before[0].tag & _FINITE
        and before[1].tag & _SUBJECT
        and not before[0].tag & _SUBJECT
    ):
        return respaced(before[:2], words) if words[0].tag & Tag.BASE else words  # do you open ..., check ...
    for place, word in enumerate(before):
        subject.append(word)
        if place < verb:
            continue
        if word.tag & _FINITE:
            helped = _helped(before, place, words)
            if helped:
                return respaced(before[:helped], words)
            carries = word.tag & _MODAL or word.low.endswith(("'ll", "'d"))
            to = 0 if carries else _infinitive(before, place, words)
            if to:
                return respaced(before[:to], words)
            if not carries and word.tag & _SUBJECT:
                plain = agreeing_subject(word)
                return respaced([*subject[:-1], plain], words) if plain else words
            if carries and (words[0].low in _OWN_MOOD or words[0].tag & _FINITE):
                plain = agreeing_subject(word)
                return respaced([*subject[:-1], plain] if plain else subject[:-1], words)
            return respaced(subject if carries else subject[:-1], words)
        noun = word.tag & Tag.NOUNISH and len(subject) > 1 and subject[-2].tag & Tag.DETERMINER
        if word.tag & (Tag.THIRD | Tag.PAST | Tag.BASE) and len(subject) > 1 and (place == verb or not noun):
            to = _infinitive(before, place, words) if place == verb else 0
            if to:
                return respaced(before[:to], words)
            return words if subject[0].tag & Tag.GERUND else respaced(subject[:-1], words)
    return words


def _infinitive(before: list[Word], verb: int, words: list[Word]) -> int:
    """How many words of `before` go on as far as the `to` of an infinitive that the words continue: `need to
    call Marta and | confirm the date`; 0 if they continue none."""
    if not words[0].tag & Tag.BASE or words[0].tag & (_FINITE | Tag.THIRD):
        return 0
    for place in range(len(before) - 2, verb, -1):
        if before[place].tag & Tag.INFINITIVE and before[place + 1].tag & Tag.BASE:
            return place + 1
    return 0


_HELPERS = frozenset(
    listed_words("is are was were am been be has have had isn't aren't wasn't weren't hasn't haven't hadn't")
)
_HELPING = ("'s", "'re", "'m", "'ve")


def _helped(before: list[Word], place: int, words: list[Word]) -> int:
    """How many words of `before` go on as auxiliaries of a participle: `should be assessed and managed`; 0 if
    none."""
    first = next((word for word in words if not word.tag & Tag.ADVERB), words[0])
    if not first.tag & (Tag.PARTICIPLE | Tag.PAST) or first.tag & (Tag.BASE | Tag.FINITE):
        return 0
    end = place
    while end < len(before) and (
        before[end].low in _HELPERS
        or before[end].low.endswith(_HELPING)
        or before[end].tag & (_MODAL | Tag.NEGATION)
    ):
        end += 1
    if end == place or not (before[end - 1].low in _HELPERS or before[end - 1].low.endswith(_HELPING)):
        return 0
    has = before[end - 1].low in ("has", "have", "had") or before[end - 1].low.endswith("'ve")
    rest = before[end:]
    while rest and rest[0].tag & Tag.ADVERB:
        rest = rest[1:]
    joined = bool(rest) and bool(rest[0].tag & (Tag.PARTICIPLE | Tag.PAST))
    return end if joined or (not has and not first.tag & Tag.PAST) else 0


_OWN_MOOD = frozenset({"need", "have", "want", "know", "like", "love", "own", "needs", "has", "wants"})
"""Verbs that after `we can begin and ...` state something of their own rather than go on with `can`."""
_COPULAS = frozenset({"is", "are", "was", "were"})
_PLURAL_VERBS = frozenset({"are", "were", "have"})


def verb_second(candidate: Candidate, words: list[Word]) -> list[Word]:
    """A German clause cut from its `weil` with its verb where a main clause has it: `sie tragend ist` becomes
    `sie ist tragend`; only where the end of the subject is certain."""
    clause, language = candidate.clause, candidate.language
    if not language.verb_last or clause.left is None or clause.role is not Role.MAIN or len(words) < 3:
        return words
    opens = candidate.source[: clause.tokens[0].start].split()[-1:]
    last = words[-1]
    if not opens or not language.tag(opens[0].lower()) & Tag.REASON or not last.tag & _FINITE:
        return words
    if any(word.tag & _FINITE for word in words[:-1]) or opens[0].lower() == "denn":
        return words
    pronoun = words[0].tag & _SUBJECT and not words[0].tag & Tag.DETERMINER
    noun = next((place for place, word in enumerate(words[:-1]) if word.text[:1].isupper()), -1)
    subject = 0 if pronoun else noun
    behind = words[subject + 1]
    if (
        subject < 0
        or behind.tag & (Tag.DETERMINER | Tag.PREPOSITION | Tag.COORDINATOR)
        or behind.text[:1].isupper()
    ):
        return words
    moved = Word(last.text, True, last.low, last.tag, last.kind)
    return [*words[: subject + 1], moved, *words[subject + 1 : -1]]


def _last_named(words: list[Word]) -> list[Word]:
    """The last noun phrase with an article, without what hangs on it: `une étagère [de 60 cm de large]`."""
    articles = [place for place, word in enumerate(words) if word.tag & Tag.DETERMINER]
    if not articles:
        return last_noun(words)
    first = last = articles[-1]
    while last + 1 < len(words) and not words[last + 1].tag & Tag.PREPOSITION:
        last += 1
    return words[first : last + 1]


def last_noun(words: list[Word]) -> list[Word]:
    """The last noun phrase: from the last determiner or after the last preposition."""
    for place in range(len(words) - 1, -1, -1):
        tag = words[place].tag
        if tag & Tag.DETERMINER:
            return words[place:]
        verb = tag & (Tag.BASE | Tag.GERUND | Tag.THIRD) and not tag & (Tag.NOUNISH | Tag.ADJECTIVE)
        if (verb or tag & (Tag.PREPOSITION | Tag.COORDINATOR | Tag.FINITE)) and place + 1 < len(words):
            return words[place + 1 :]
    return words[-2:]


_OF_SELF = frozenset(
    listed_words(
        "trying looking hoping thinking feeling struggling planning wondering coming heading leaning hosting"
    )
)
"""Participles that people open a message with to say what they are about."""
_NO_SPEAKER = frozenset(
    {"based", "given", "compared", "regarding", "including", "considering", "according", "done"}
)


def with_speaker(candidate: Candidate, category: Category, words: list[Word]) -> list[Word]:
    """The owner's `Managed about 3 sets`, `Trying to plan the garden` with the subject that was left out."""
    clause, language = candidate.clause, candidate.language
    settled = category in (Category.DECISION, Category.OPEN_QUESTION)
    if language.code != "en" or candidate.speaker is not Speaker.OWNER or settled or len(words) < 3:
        return words
    tag, following = clause.tags[0], words[1]
    if clause.role is not Role.MAIN or candidate.lead is not None or candidate.left is not None:
        return words
    first = words[0]
    if clause.finite or first.low != clause.tokens[0].low or first.low in _NO_SPEAKER or tag & Tag.NOUNISH:
        return words
    if any(word.low in "=:" for word in words):
        return words
    governs = following.tag & (Tag.DETERMINER | Tag.PREPOSITION | Tag.SUBJECT | Tag.INFINITIVE | Tag.ADVERB)
    opens = candidate.start == candidate.message.segments[0].start or first.low in _OF_SELF
    if tag & Tag.GERUND and opens and (governs or following.text[:1].isupper()):
        return respaced([Word("I'm", True, "i'm", Tag.SUBJECT | Tag.FINITE, first.kind)], _lowered(words))
    numbered = following.kind is Kind.NUMBER
    if tag & Tag.PAST and not tag & (Tag.BASE | Tag.ADJECTIVE | Tag.FINITE) and (governs or numbered):
        return respaced([Word("I", True, "i", Tag.SUBJECT, first.kind)], _lowered(words))
    return words


def _lowered(words: list[Word]) -> list[Word]:
    first = words[0]
    return [Word(first.text.lower(), first.spaced, first.low, first.tag, first.kind), *words[1:]]
