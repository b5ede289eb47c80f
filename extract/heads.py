"""The head of a clause: its subject and verb, for a part of it that cannot stand alone."""

from __future__ import annotations

from extract.candidates import Candidate
from extract.languages.lexicon import Tag
from extract.persons import third_person_words
from extract.phrases import Word, join, trim, words_of
from extract.tokens import Kind
from extract.words import count_words

_NO_HEAD = int(Tag.PREPOSITION | Tag.INFINITIVE | Tag.REASON)
_FINITE = int(Tag.FINITE)
_HEAD_WORDS = 5


def behind(head: str, text: str) -> str:
    """A part of a clause behind its head; `…` stands for what lies between them."""
    rest = text[0].lower() + text[1:] if text[1:2].islower() or text[:2] in ("A ", "I ") else text
    return f"{head}… {rest}"


def head_of(candidate: Candidate) -> str:
    """The subject and verb that a later part needs, at most five words; "" if there is no such thing."""
    words = trim(words_of(candidate))
    if words and words[0].tag & _NO_HEAD:
        return ""
    taken: list[Word] = []
    for place, word in enumerate(words):
        taken.append(word)
        if word.tag & _FINITE or (place and word.tag & int(Tag.THIRD | Tag.PAST)):
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
