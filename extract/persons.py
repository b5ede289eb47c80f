"""First and second person to third: the owner is `the user`, another speaker goes by name."""

from __future__ import annotations

from extract.candidates import Candidate
from extract.languages.lexicon import Language, Tag
from extract.phrases import Word
from schemas.unit import Speaker

_FINITE, _SUBJECT = int(Tag.FINITE), int(Tag.SUBJECT)
_ADVERB, _PREPOSITION = int(Tag.ADVERB | Tag.NEGATION), int(Tag.PREPOSITION)
_SINGULAR = {"i'll": "i", "i'd": "i", "we'll": "we", "we'd": "we", "you'll": "you", "you'd": "you", "i'm": "i", "i've": "i", "we're": "we", "we've": "we", "you're": "you", "you've": "you"}
_BARE = {"he's": "he", "she's": "she", "it's": "it", "they're": "they", "they've": "they", "that's": "that"}
_SUBJECTS = frozenset({"i", "we", "you", "ich", "wir", "je", "yo", "nous"})
_WRITER = "the writer"


def agreeing_subject(word: Word) -> Word | None:
    """The bare subject inside a contraction, for a verb that shares it: `I've` -> `I`."""
    low = _SINGULAR.get(word.low) or _BARE.get(word.low)
    if low is None:
        return None
    return Word(word.text[: len(low)], word.spaced, low, int(Tag.SUBJECT), word.kind)


def third_person_words(words: list[Word], candidate: Candidate, *, question: bool = False) -> list[Word]:
    """The words with the speaker, and the owner where spoken to, in the third person."""
    language = candidate.language
    persons = _persons(candidate, language)
    if not persons:
        return words
    if language.patterns:
        return [_within(word, persons) for word in words]
    shifted: list[Word] = []
    agree = quoted = False
    for word in words:
        if word.low in _QUOTES:
            quoted = not quoted and word.low in _OPENING
        if quoted:
            shifted.append(word)
            continue
        low = language.spellings.get(word.low, word.low)
        third = persons.get(low)
        if third is not None:
            shifted.append(Word(third, word.spaced, third, word.tag, word.kind))
            before = shifted[-2] if len(shifted) > 1 else None
            agree = low in _SUBJECTS
            if agree and before is not None and before.tag & _FINITE and not before.tag & _SUBJECT:
                shifted[-2] = _agreeing(before, language)
                agree = False
            continue
        if question and candidate.speaker is Speaker.OWNER and low in _ASSISTANT:
            word = Word(_ASSISTANT[low], word.spaced, low, word.tag, word.kind)
        if agree and not (word.tag & _ADVERB and not word.tag & _FINITE):
            agree = False
            word = _agreeing(word, language)
        shifted.append(word)
    return shifted


_OPENING = frozenset("\"“«„")
_QUOTES = frozenset("\"“”«»„")
_ASSISTANT = {"you": "the assistant", "your": "the assistant's"}


def _persons(candidate: Candidate, language: Language) -> dict[str, str]:
    """The words to replace, by who speaks."""
    if candidate.speaker is Speaker.OWNER:
        return dict(language.persons)
    if candidate.speaker is Speaker.ASSISTANT:
        return dict(language.addressee)
    name = candidate.message.author if candidate.speaker is Speaker.OTHER else None
    user = language.voice.user
    if not user:
        return {}
    who = name or (_WRITER if language.code == "en" else "")
    if not who:
        return {}
    return {low: third.replace(user, who) for low, third in language.persons.items() if user in third}


def _agreeing(word: Word, language: Language) -> Word:
    low = language.spellings.get(word.low, word.low)
    text = language.agreement.get(low)
    if text is None:
        return word
    return Word(text.capitalize() if word.text[:1].isupper() else text, word.spaced, word.low, word.tag, word.kind)


def _within(word: Word, persons: dict[str, str]) -> Word:
    """Persons inside a run of a script without spaces."""
    text = word.text
    for first, third in persons.items():
        text = text.replace(first, third)
    return Word(text, word.spaced, word.low, word.tag, word.kind)
