"""First and second person to third: the owner is `the user`, another speaker goes by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from extract.candidates import Candidate
from extract.languages.english_verbs import third_person
from extract.languages.lexicon import Language, Tag
from extract.languages.registry import BY_CODE
from extract.phrases import Word
from extract.wordlists import words
from schemas.unit import Speaker
from schemas.words import count_words

_FINITE, _SUBJECT = Tag.FINITE, Tag.SUBJECT
_ADVERB, _PREPOSITION = Tag.ADVERB | Tag.NEGATION, Tag.PREPOSITION
_SINGULAR = {
    f"{subject}'{ending}": subject
    for subject in ("i", "we", "you")
    for ending in ("ll", "d", "m", "ve", "re")
}
_BARE = {"he's": "he", "she's": "she", "it's": "it", "they're": "they", "they've": "they", "that's": "that"}


def agreeing_subject(word: Word) -> Word | None:
    """The bare subject inside a contraction, for a verb that shares it: `I've` -> `I`."""
    low = _SINGULAR.get(word.low) or _BARE.get(word.low)
    if low is None:
        return None
    return Word(word.text[: len(low)], word.spaced, low, Tag.SUBJECT, word.kind)


def third_person_words(words: list[Word], candidate: Candidate, *, question: bool = False) -> list[Word]:
    """The words with the speaker, and the owner where spoken to, in the third person."""
    language = candidate.language
    persons = _persons(candidate, language)
    if not persons:
        return words
    if language.patterns:
        return [_within(word, persons) for word in words]
    if language.pro_drop:
        return _with_dropped_subject(words, language, persons, _speaker_name(candidate, language))
    shifted: list[Word] = []
    agree = quoted = False
    subjects = {word.low for word in words} & language.subjects
    for word in words:
        if word.low in _QUOTES:
            quoted = not quoted and word.low in _OPENING
        if quoted:
            shifted.append(word)
            continue
        low = language.spellings.get(word.low, word.low)
        third = persons.get(low) or _elided(low, persons, language)
        if third is not None and language.own and _is_of_subject(third, shifted):
            third = language.own  # the user ... their
        if third is not None and low in language.reflexive and subjects - {low}:
            third = language.reflexive[low]
        if third is not None:
            shifted.append(Word(third, word.spaced, third, word.tag, word.kind))
            before = shifted[-2] if len(shifted) > 1 else None
            object_of = before is not None and (
                before.low in language.causatives
                or (before.tag & _PREPOSITION and not before.tag & (Tag.CONDITION | Tag.REASON))
            )
            agree = (low in language.subjects and not object_of) or (agree and language.verb_last)
            inverted = before is not None and (
                (before.tag & _FINITE and not before.tag & _SUBJECT)
                or (language.verb_last and before.low in language.agreement)
            )
            if agree and before is not None and inverted:
                shifted[-2] = _agreeing(before, language)
                agree = False
            continue
        if low in _YOU and candidate.speaker is Speaker.OWNER and (question or candidate.listener):
            word = Word(
                _YOU[low].format(candidate.listener or "the assistant"), word.spaced, low, word.tag, word.kind
            )
            if low == "you" and shifted and shifted[-1].low in _ASKING:
                shifted[-1] = _agreeing(shifted[-1], language)
        if agree and language.verb_last:
            word = _agreeing(word, language) if word.text[:1].islower() else word
        elif (
            agree
            and not (word.tag & _ADVERB and not word.tag & _FINITE and not low.startswith("n'"))
            and not (not word.tag and low.endswith(("ly", "by")))
        ):
            agree = False
            word = _agreeing(word, language)
        shifted.append(word)
    return shifted


def _is_of_subject(third: str, words: list[Word]) -> bool:
    """Whether a possessive is that of whoever the sentence begins with: the user has ... the user's."""
    owner = third.removesuffix("'s")
    return owner != third and bool(words) and f"{words[0].text} ".startswith(f"{owner} ")


def _elided(low: str, persons: Mapping[str, str], language: Language) -> str | None:
    """`j'appelle` -> `l'utilisateur appelle`: a French subject that is one word with its verb."""
    subject = persons.get("je")
    if subject is None or not low.startswith("j'") or len(low) < 4:
        return None
    verb = low[2:]
    return f"{subject} {_third_french(verb, language)}"


def _third_french(verb: str, language: Language) -> str:
    """A verb of the first person in the third: `n'ai` -> `n'a`, `irai` -> `ira`."""
    if verb.startswith("n'"):
        return f"n'{_third_french(verb[2:], language)}"
    found = language.agreement.get(verb)
    if found is None and verb.endswith("rai") and len(verb) > 3:
        return verb[:-1]
    return found or verb


def _with_dropped_subject(
    words: list[Word], language: Language, persons: Mapping[str, str], speaker: str
) -> list[Word]:
    """Where the verb alone says who acts: `no sé` -> `el usuario no sabe`; the subject is put in once."""
    shifted: list[Word] = []
    named = False
    for place_in, word in enumerate(words):
        if word.low in language.dropped:
            continue
        following = words[place_in + 1].low if place_in + 1 < len(words) else ""
        if word.low in ("me", "nos") and following in language.agreement and speaker:
            shifted.append(Word("se", word.spaced, "se", word.tag, word.kind))  # nos quedamos con
            continue
        verb = language.agreement.get(word.low) if speaker else None
        if verb is None:
            third = persons.get(word.low)
            shifted.append(word if third is None else Word(third, word.spaced, third, word.tag, word.kind))
            continue
        place = len(shifted)
        while (
            not named
            and place
            and shifted[place - 1].tag & (_ADVERB | _PREPOSITION)
            and shifted[place - 1].low in _CLITICS
        ):
            place -= 1
        if not named:
            together = word.low in language.plural_forms and speaker == language.voice.user
            who = language.voice.users if together else speaker
            shifted.insert(place, Word(who, True, who, Tag.SUBJECT, word.kind))
            if place == 0:
                shifted[1:] = [Word(w.text.lower(), True, w.low, w.tag, w.kind) for w in shifted[1:]]
            named = True
        shifted.append(Word(verb, True, verb, word.tag, word.kind))
    return shifted


_CLITICS = frozenset(words("no me te se nos os le les lo la ya también"))
_OPENING = frozenset('"“«„')
_QUOTES = frozenset('"“”«»„')
_ASKING = frozenset({"do", "are", "have", "were", "don't", "aren't", "haven't"})
"""Verbs that stand before the one who is asked, and agree with them."""
_YOU = {"you": "{}", "your": "{}'s"}
"""Whom the owner speaks to, in English."""


def _speaker_name(candidate: Candidate, language: Language) -> str:
    """What `I` stands for; "" where the language has no word for it."""
    voice = language.voice
    if candidate.speaker is Speaker.OWNER:
        return voice.user
    if candidate.drafted:
        return voice.writer
    if candidate.speaker is Speaker.ASSISTANT:
        return voice.assistant
    name = candidate.message.author if candidate.speaker is Speaker.OTHER else None
    return name or voice.writer


def _persons(candidate: Candidate, language: Language) -> Mapping[str, str]:
    """The words to replace, by who speaks."""
    if candidate.drafted:
        return _drafted_replacements(language.code)
    return _replacements(
        language.code, _speaker_name(candidate, language), candidate.speaker, bool(candidate.listener)
    )


def spoken_words(candidate: Candidate) -> Mapping[str, int]:
    """How many words each word becomes that is put in the third person."""
    return {low: count_words(third) for low, third in _persons(candidate, candidate.language).items()}


@lru_cache(maxsize=256)
def _replacements(code: str, who: str, speaker: Speaker, spoken_to_owner: bool) -> Mapping[str, str]:
    language = BY_CODE[code]
    user = language.voice.user
    own = {low: third.replace(user, who) for low, third in language.persons.items()} if who else {}
    if speaker is Speaker.ASSISTANT:
        return own | dict(language.addressee)
    if speaker is Speaker.OWNER:
        return own
    own = {low: third for low, third in own.items() if who in third}
    return own | dict(language.addressee) if spoken_to_owner else own


@lru_cache(maxsize=16)
def _drafted_replacements(code: str) -> Mapping[str, str]:
    """In a draft "I" is whoever will send it, and "you" whoever will read it."""
    language = BY_CODE[code]
    voice = language.voice
    if not voice.writer or not voice.reader:
        return {}
    own = {low: third.replace(voice.user, voice.writer) for low, third in language.persons.items()}
    return own | {low: third.replace(voice.user, voice.reader) for low, third in language.addressee.items()}


def _agreeing(word: Word, language: Language) -> Word:
    low = language.spellings.get(word.low, word.low)
    text = language.agreement.get(low)
    if (
        text is None
        and language.code == "en"
        and not word.tag
        and low.isalpha()
        and not low.endswith(_NO_STEM)
    ):
        text = third_person(low)  # a verb of no list: we specialize
    if text is None or low == "last":  # we last met
        return word
    return Word(
        text.capitalize() if word.text[:1].isupper() else text, word.spaced, word.low, word.tag, word.kind
    )


_NO_STEM = ("s", "ed", "ly", "ing", "ght", "lt", "pt", "er")
"""Endings of words that are no present tense: pasts, adverbs, participles."""


def _within(word: Word, persons: Mapping[str, str]) -> Word:
    """Persons inside a run of a script without spaces."""
    text = word.text
    for first, third in persons.items():
        text = text.replace(first, third)
    return Word(text, word.spaced, word.low, word.tag, word.kind)
