"""Who a note says does something, and when: the subject and the tense of its verb beside those of its words.

A note's own words give both away, so neither needs a list of what may be swapped: the verb of the note is
looked for in its sentence, and what stands before it there says who does it, and whether it is done.
Subjects and tenses are read in English alone; who speaks, in the languages of `cues`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from chunking.closed_classes import KEEPS_HEDGE
from chunking.irregular_verbs import PAST_FORMS, SAME_IN_PAST
from chunking.language import ENGLISH, shared, stem
from chunking.stop_words import STOP_WORDS
from chunking.wordlists import words
from extract.faithful.clauses import content, doubts
from extract.faithful.word_cues import ADDRESSES, OUGHT, TALK, cue
from schemas.unit import Speaker

_OWNER = re.compile(
    r"(?:the user|der nutzer|die nutzerin|l['’]utilisat(?:eur|rice))\b(?!['’]s?\b)", re.IGNORECASE
)
_ASSISTANT = re.compile(r"(?:the assistant|der assistent|l['’]assistant)\b(?!['’]s?\b)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_CUT = re.compile(r"[,.;:!?()\n—–]|\s-\s|\b(?:and|but|because|so|while|though|as|when|if)\b", re.IGNORECASE)
"""What ends the reach of a subject to its left."""
_AUXILIARY = words(
    """
    will would shall should can could may might must has have had is are was were be been being am do does did
    not never also already still just only now soon going to about maybe perhaps probably
    """
)
_FIRST = re.compile(r"\b(?:i|im|ive|ill|id|we|me|us|i['’]\w+|we['’]\w+)\b", re.IGNORECASE)
_PERSON = re.compile(
    r"\b(?:(?:he|she|they|who)(?:['’]\w+)?|(?:my|our|his|her|their)\s+(?P<kin>\w+))\b", re.IGNORECASE
)
_NAME = re.compile(r"\b[A-Z][a-zà-ÿ]+\b")
_SHALL = re.compile(
    r"\b(?:will|won['’]t|shall|gonna|going to|\w+['’]ll|[iI]ll|tomorrow|tonight|tmrw)\b",
    re.IGNORECASE,
)
_WILL = re.compile(r"\b(?:will|shall|(?:is|are) going to)\b(?! (?:have|be)\b)", re.IGNORECASE)
_GIVEN = re.compile(
    r"\b(?:to|will|would|could|can|may|might|must|should|ll|d)(?:\s+\w+ly)?(?:\s+(?:be|have|get))?\s*$",
    re.IGNORECASE,
)
_SPEECH = re.compile(r"(?<!\w)[\"“„«](?P<said>[^\"“”„«»\n]+\s[^\"“”„«»\n]+)[\"”“»](?!\w)")
"""Quoted words, two at least: one alone is a name. They may run over several sentences of a line."""
_OWN_SPEECH = re.compile(r"\b(?:i|we|i['’]\w+|we['’]\w+|my|our)\b[^.!?\n]{0,40}$", re.IGNORECASE)
_ASKS = words("is are was were do does did has have had will would can could should")
"""What a question of yes or no begins with."""
_MOST = 0.5
_REPORTS = frozenset(("say", "tell"))
"""Verbs by which a note says that the owner said it, whoever does what is said."""


def tells_of_another(text: str, quote: str, speaker: Speaker, languages: tuple[str, ...]) -> bool:
    """Whether a note puts what one said or did into another's mouth.

    Of the owner somebody else tells what the owner should do or what `you` do, and nothing else; nor does
    the owner say what the assistant says.
    """
    if languages[0] not in ADDRESSES or any(
        pattern.search(words)
        for pattern, words in ((cue(ADDRESSES, languages), quote), (cue(OUGHT, languages), text))
    ):
        return False
    if _OWNER.match(text):
        return speaker is not Speaker.OWNER
    return _ASSISTANT.match(text) is not None and speaker in (Speaker.OWNER, Speaker.OTHER)


def speech_around(text: str, start: int, end: int) -> str:
    """What stands in quotation marks, somebody else's words, and has a part of `text[start:end]`."""
    return "\n".join(
        found["said"]
        for found in _SPEECH.finditer(text)
        if found.start() < end
        and start < found.end()
        and not _OWN_SPEECH.search(text[max(0, found.start() - 60) : found.start()])
    )


def tells_quoted(text: str, quote: str, speech: str, languages: tuple[str, ...]) -> bool:
    """Whether a note tells as the owner's what they quote."""
    if not speech or not _OWNER.match(text):
        return False
    taken = shared(content(text, languages), content(quote, languages))
    return bool(taken) and len(shared(taken, content(speech, languages))) > _MOST * len(taken)


@dataclass(frozen=True, slots=True)
class _Verb:
    """A word of a text, and what stands before it in its clause."""

    word: str
    before: str


def _verb_of(text: str) -> _Verb | None:
    """The verb of a note that begins with its owner: the first word behind auxiliaries and adverbs."""
    begun = _OWNER.match(text)
    if begun is None:
        return None
    for found in _WORD.finditer(text, begun.end()):
        word = found.group().lower()
        if word not in _AUXILIARY and not word.endswith("ly"):
            return (
                None
                if word in ("and", "or", "who", "whose")
                else _Verb(word, text[begun.end() : found.start()])
            )
    return None


def _base(word: str) -> str:
    return stem(PAST_FORMS.get(word, word))


def _places(verb: str, quote: str) -> Iterator[_Verb]:
    """Where a quote has a verb, in whatever form."""
    for found in _WORD.finditer(quote):
        if _base(found.group().lower()) == _base(verb):
            before = quote[: found.start()]
            cut = max((one.end() for one in _CUT.finditer(before)), default=0)
            yield _Verb(found.group().lower(), before[cut:])


def another_subject(text: str, quote: str, languages: tuple[str, ...]) -> bool:
    """Whether a note has its owner do what its words have somebody else do: `my wife refuses to fly`."""
    ought = cue(OUGHT, languages).search(text)
    verb = _verb_of(text) if languages[0] == ENGLISH and not ought else None
    found = list(_places(verb.word, quote)) if verb and _base(verb.word) not in _REPORTS else []
    return bool(found) and all(_is_third(one.before, text) for one in found)


def _is_third(before: str, text: str) -> bool:
    """Whether the words before a verb name somebody who is not the speaker, and whom the note leaves out."""
    if _FIRST.search(before):
        return False
    own = content(text, (ENGLISH,))
    named = {one.group() for one in _NAME.finditer(before) if not one.group().endswith("ly")}
    called = {one["kin"] or "" for one in _PERSON.finditer(before)} | named
    called = {word for word in called if word.lower() not in STOP_WORDS or word == ""}
    return any(not word or not shared(frozenset({stem(word.lower())}), own) for word in called)


def another_tense(text: str, quote: str, languages: tuple[str, ...]) -> bool:
    """Whether a note tells as done what its words have yet to be done, or the other way round."""
    if languages[0] != ENGLISH:
        return False
    told = [found.group().lower() for found in _WORD.finditer(text)]
    coming = _WILL.search(text) is not None
    for at, word in enumerate(told):
        behind = told[max(0, at - 3) : at]
        for there in _places(word, quote) if word not in STOP_WORDS else ():
            if not coming and _is_past(word, behind) and _is_coming(there) and not _SHALL.search(text):
                return True
            if (
                coming
                and _will_stands(behind)
                and _is_past(there.word, ())
                and not _GIVEN.search(there.before)
            ):
                return True
    return False


def _will_stands(behind: list[str]) -> bool:
    return bool(behind) and (
        behind[-1] == "will"
        or behind[-2:] == ["going", "to"]
        or (behind[-2:-1] == ["will"] and behind[-1] in _AUXILIARY - {"be", "have"})
    )


def _is_past(word: str, behind: object) -> bool:
    if word in SAME_IN_PAST:
        return isinstance(behind, list) and bool({"has", "had", "have", "was", "were"} & set(behind))
    return word in PAST_FORMS or (word.endswith("ed") and len(word) > len("need"))


def _is_coming(there: _Verb) -> bool:
    past = there.word in PAST_FORMS or there.word.endswith("ed")
    return _SHALL.search(there.before) is not None and not past


def answers_itself(text: str, quote: str, languages: tuple[str, ...]) -> bool:
    """Whether a note tells for certain what its words ask by yes or no."""
    if languages[0] != ENGLISH or not quote.rstrip().endswith("?") or text.rstrip().endswith("?"):
        return False
    asked = re.split(r"[.!?,;:]\s+", quote)[-1]
    first = _WORD.search(asked)
    yes_or_no = first is not None and first.group().lower() in _ASKS
    kept = doubts(text, languages) or KEEPS_HEDGE.search(text) or cue(TALK, languages).search(text)
    whole = shared(content(text, languages), content(asked, languages)) == content(text, languages)
    return yes_or_no and whole and not kept
