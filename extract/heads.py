"""The head of a clause: its subject and verb, for a part of it that cannot stand alone."""

from __future__ import annotations

from extract.candidates import Candidate
from extract.joints import Role
from extract.languages.lexicon import Sign, Tag
from extract.persons import agreeing_subject, third_person_words
from extract.phrases import Word, join, respaced, trim, words_of
from extract.tokens import Kind
from extract.words import count_words

_NO_HEAD = Tag.PREPOSITION | Tag.INFINITIVE | Tag.REASON
_FINITE, _SUBJECT, _MODAL = Tag.FINITE, Tag.SUBJECT, Tag.MODAL
_HEAD_WORDS = 5


def behind(head: str, text: str) -> str:
    """A part of a clause behind its head; `…` stands for what lies between them."""
    rest = text[0].lower() + text[1:] if text[1:2].islower() or text[:2] in ("A ", "I ") else text
    return f"{head}… {rest}"


def head_of(candidate: Candidate) -> str:
    """The subject and verb that a later part needs, at most five words; "" if there is no such thing."""
    words = with_subject(candidate, trim(words_of(candidate)))
    if words and words[0].tag & _NO_HEAD:
        return ""
    taken: list[Word] = []
    for place, word in enumerate(words):
        taken.append(word)
        if word.tag & _FINITE or (place and word.tag & (Tag.THIRD | Tag.PAST)):
            break
        if len(taken) >= _HEAD_WORDS:
            taken = taken[:3]
            break
    while len(taken) > 1 and taken[-1].kind >= Kind.MARK:
        taken.pop()
    text = join(third_person_words(taken, candidate))
    if count_words(text) > _HEAD_WORDS + 1:
        return ""
    return text[:1].upper() + text[1:]


def with_subject(candidate: Candidate, words: list[Word]) -> list[Word]:
    """A clause that goes on from the one to its left gets that one's subject, and its modal verb."""
    left = candidate.left
    if left is not None and left.signs & Sign.IMPERATIVE and candidate.clause.role is Role.SHARED:
        return words
    if left is None or candidate.clause.role not in (Role.SHARED, Role.RELATIVE) or not words:
        return words
    before = trim(words_of(left))
    if candidate.clause.role is Role.RELATIVE:
        return respaced(last_noun(before), words[1:]) if words[0].low in _RELATIVES else words
    subject: list[Word] = []
    for word in before:
        subject.append(word)
        if word.tag & _FINITE:
            carries = word.tag & _MODAL or word.low.endswith(("'ll", "'d"))
            if not carries and word.tag & _SUBJECT:
                plain = agreeing_subject(word)
                return respaced([*subject[:-1], plain], words) if plain else words
            if carries and words[0].low in _OWN_MOOD:
                plain = agreeing_subject(word)
                return respaced([*subject[:-1], plain] if plain else subject[:-1], words)
            return respaced(subject if carries else subject[:-1], words)
        if word.tag & (Tag.THIRD | Tag.PAST | Tag.BASE) and len(subject) > 1:
            return respaced(subject[:-1], words)
    return words


_OWN_MOOD = frozenset({"need", "have", "want", "know", "like", "love", "own", "needs", "has", "wants"})
"""Verbs that after `we can begin and ...` state something of their own rather than go on with `can`."""
_RELATIVES = frozenset({"which", "who", "that", "qui"})


def last_noun(words: list[Word]) -> list[Word]:
    """The last noun phrase: from the last determiner or after the last preposition."""
    for place in range(len(words) - 1, -1, -1):
        tag = words[place].tag
        if tag & Tag.DETERMINER:
            return words[place:]
        if tag & (Tag.PREPOSITION | Tag.COORDINATOR | Tag.FINITE) and place + 1 < len(words):
            return words[place + 1 :]
    return words[-2:]
