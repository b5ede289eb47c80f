"""A note's words: the quote's own, the speaker in the third person where English grammar allows it.

Words are dropped and persons shifted; nothing is put in. Where a shift is not certain to be grammatical
(`we`, a verb that no dictionary knows), the words stay as they were said: a note is shown with who said it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from chunking.closed_classes import hedges, negates
from chunking.wordlists import words
from extract.reader.antecedents import base_of
from schemas.deferred import deferred
from schemas.unit import MAX_WORDS, Category, Speaker
from schemas.words import count_words

if TYPE_CHECKING:
    import lemminflect
else:
    lemminflect = deferred("lemminflect")


_MARKS = re.compile(r"\*\*|__|~~|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)|^(?:[-*+•>]|#{1,6})(?: |$)|^\| ?| ?\|$")
"""Marks in a line whose blanks are single: a pattern that may begin with many is tried at each of them."""
_LEADING = re.compile(
    r"^(?:[\s,;:!?)\]…—]+|\.{2,}|\.(?!\w)|[–-]+(?![\w–-]))+"
    r"|^(?:and|but(?! for\b)|so(?! (?:far|long|much|many|called)\b)|or|also|then)\b,?\s+(?=\S)",
    re.IGNORECASE,
)
"""What only joins a text to others. A sign that is written on to a word is the word's: `-20`, `.NET`."""
_TRAILING = " ,;:–—-"
_JOINED_ON = re.compile(r"[\s,;]+(?:and|but|or)$", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|[^\w\s]|_")
_QUOTES = re.compile(r"[\"“”«»]|(?<!\w)['‘][^'’‘]*\s[^'’‘]*['’](?!\w)")
"""Speech in quotation marks; in single ones two words at least."""

_BE, _HAVE, _DO = {"am": "is", "are": "is", "were": "was"}, {"have": "has"}, {"do": "does"}
_AGREEING = {
    **_BE, **_HAVE, **_DO,
    "ain't": "isn't", "aren't": "isn't", "weren't": "wasn't", "haven't": "hasn't", "don't": "doesn't",
    "arent": "isn't", "havent": "hasn't", "dont": "doesn't", "werent": "wasn't",
}  # fmt: skip
_UNCHANGED = words(
    """
    was had did will would can could shall should may might must wasn't hadn't didn't won't wouldn't can't
    cannot couldn't shan't shouldn't mightn't mustn't didnt wont wouldnt cant couldnt shouldnt wasnt
    hadnt 'll 'd
    """
)
_CONTRACTED = {"'m": " is", "'re": " is", "'ve": " has", "'ll": " will", "'d": " would"}
_BETWEEN = words("also just only never always still ever even now then not so both already")
"""Adverbs that stand between subject and verb and do not end in -ly."""

_FIRST = {
    "i": "the user", "me": "the user", "my": "the user's", "mine": "the user's", "im": "the user is",
    "ive": "the user has", "id": "the user would", "ill": "the user will",
}  # fmt: skip
_SECOND = {"you": "the user", "your": "the user's", "yours": "the user's"}
_UNSHIFTED = words("we us our ours ourselves myself yourself let's lets")
"""Words that are told of more people than one, or need more than a shift."""


def cleaned(quote: str) -> str:
    """The quote on one line, without Markdown marks and what only joins it to others; "" without a word."""
    text = " ".join(_MARKS.sub("", " ".join(line.split())) for line in quote.split("\n"))
    text = _LEADING.sub("", " ".join(text.split())).rstrip(_TRAILING)
    text = _JOINED_ON.sub("", text).rstrip(_TRAILING)
    return text if any(map(str.isalnum, text)) else ""


def worded(quote: str, speaker: Speaker, category: Category, *, english: bool, of_owner: bool = True) -> str:
    """The quote as a note: one sentence, its persons shifted where that is grammatical.

    `of_owner`: an assistant's `you` is the owner, and not anybody.
    """
    text = cleaned(quote)
    if english and not _QUOTES.search(text):
        if speaker is Speaker.OWNER:
            text = _shifted(text, "i", _FIRST)
        elif speaker is Speaker.ASSISTANT and of_owner:
            text = _shifted(text, "you", _SECOND)
    if not text:
        return ""
    text = text[0].upper() + text[1:] if text[0].islower() and not _is_name_like(text) else text
    if text[-1] in ".!?…。！？":
        text = text.rstrip("!") + "." if text.endswith("!") and text.rstrip("!") else text
    else:
        text += "?" if category is Category.OPEN_QUESTION and _asks(text) else "."
    return text


_NAMING_WORDS = 5
"""Words of a name that a note may be told behind, at most."""


_LEANING = words("it its he him his she her hers they them their theirs this that these those there one ones")
"""Words that mean something said before; a closed class."""
_FRAGMENT = 6
"""Words of a quote up to which it may be no sentence of its own."""


def leans(quote: str) -> bool:
    """Whether a quote may need what was said before it: by a pronoun, as the middle of a sentence, or by
    being short. The pointer, sure of what the talk is about, points there from sentences with a subject of
    their own too."""
    said = cleaned(quote)
    low = {word.lower().partition("'")[0] for word in _WORD.findall(said.replace("’", "'"))}
    return bool(low & _LEANING) or said[:1].islower() or count_words(said) <= _FRAGMENT


def behind(name: str, told: str, quote: str) -> str:
    """A note told behind what it takes up ("Roof: not slates."); "" where it says it already, or gets too
    long. `quote` is what it was taken from."""
    name = " ".join(cleaned(name).split())
    words = {base_of(word) for word in _WORD.findall(name)}
    known = {base_of(word) for word in _WORD.findall(f"{told} {quote}")}
    if not words or words <= known or count_words(name) > _NAMING_WORDS:
        return ""
    shifted = told.startswith(("The user", "The assistant"))
    lower = shifted or cleaned(quote)[:1].islower()
    rest = told[0].lower() + told[1:] if lower else told
    note = f"{name[0].upper() + name[1:] if not _is_name_like(name) else name}: {rest}"
    return note if fits(note) else ""


def fits(text: str) -> bool:
    """Whether a text is within the length of a note."""
    return 0 < count_words(text) <= MAX_WORDS


def without(text: str, start: int, end: int, spare: Sequence[tuple[int, int]]) -> str:
    """`text[start:end]` without the words in `spare`; "" where that loses a number, a negation or a doubt.

    A word goes only where all of it is spare, and what carries the sentence stays (`_carries`).
    """
    quote = text[start:end]
    said = list(re.finditer(r"\S+", quote))
    carries = _carries([found.group() for found in said])
    kept = " ".join(
        found.group()
        for found, carried in zip(said, carries, strict=True)
        if carried
        or not any(first <= start + found.start() and start + found.end() <= last for first, last in spare)
    )
    same = set(_DIGITS.findall(kept)) == set(_DIGITS.findall(quote))
    return kept if same and negates(kept) == negates(quote) and hedges(kept) == hedges(quote) else ""


_DIGITS = re.compile(r"\d+")

_PRONOUNS = words("i you he she it we they me him her us them who which that")
"""Words that stand for somebody or something, or join a clause to one; a closed class."""


def _carries(said: Sequence[str]) -> list[bool]:
    """Of each word whether a sentence of these would say something else without it: a pronoun, the verb after
    one, and what a `to` leads to ("I need you to know" is neither "I you to know" nor "I need to you")."""
    lows = [word.strip(".,;:!?()[]\"'*_").lower().replace("’", "'") or " " for word in said]
    carries = [False] * len(lows)
    for place, low in enumerate(lows):
        if low == "to" or _split_contraction(low)[0] in _PRONOUNS:
            carries[place] = True
            verb = _verb_place(lows, place)
            if verb is not None:
                carries[verb] = True
    return carries


def shortened(text: str) -> str:
    """The first words of a text that is too long for a note, with a sign that more was said."""
    cut = " ".join(text.split()[: MAX_WORDS - 1])
    while count_words(cut) >= MAX_WORDS:  # scripts without spaces
        cut = cut[: -max(1, len(cut) // 8)]
    return cut.rstrip(",;:.") + " …"


def _is_name_like(text: str) -> bool:
    """`iPhone`, `kubectl apply`, `x = 3`: a first word whose writing must stay."""
    first = text.split(maxsplit=1)[0]
    return any(character.isupper() or character in "_./\\=`(" for character in first[1:-1])


def _asks(text: str) -> bool:
    return text.split(maxsplit=1)[0].lower().replace("’", "'").removesuffix("'s") in _QUESTION_WORDS


_QUESTION_WORDS = words(
    """
    what which who whom whose when where why how is are was were do does did can could should would will shall
    may might have has had am don't isn't aren't
    """
)


def _shifted(text: str, subject: str, persons: dict[str, str]) -> str:
    """The text in the third person, or as it was where a shift is not certain to be grammatical."""
    pieces = _pieces(text)
    lows = [piece.lower().replace("’", "'") for piece in pieces]
    if _UNSHIFTED & set(lows):
        return text
    if subject == "i" and any(_unsure_of_i(pieces, lows, at) for at, low in enumerate(lows) if low == "i"):
        return text
    out: list[str] = []
    place = 0
    while place < len(pieces):
        low = lows[place]
        head, tail = _split_contraction(low)
        name = len(low) > 1 and pieces[place].isupper()  # Money Forward ME
        name |= low in _AMBIGUOUS and not _stands_for_i(lows, place)
        if not name and (low in persons or (head == subject and tail)):
            as_subject = head == subject or low in ("im", "ive", "id", "ill")
            if subject == "you" and low == "you" and not _has_verb_after(lows, place):
                as_subject = False
            told = persons.get(low) or persons[head] + _CONTRACTED[tail]
            if tail == "'d" and _had(lows, place):
                told = f"{persons[head]} had"
            if head == subject and not tail and as_subject:
                verb = _verb_place(lows, place)
                inverted = _inverted(lows, place)
                if inverted is not None:
                    agreed = _agreeing(lows[inverted])
                    if agreed is None:
                        return text
                    out[inverted] = _like(agreed, pieces[inverted])
                elif verb is not None:
                    agreed = _agreeing(lows[verb])
                    if agreed is None:
                        return text
                    out.append(_as_opening(told, place))
                    out += pieces[place + 1 : verb]
                    out.append(agreed if agreed != lows[verb] else pieces[verb])
                    place = verb + 1
                    continue
                elif subject == "i":
                    return text
            out.append(_as_opening(told, place))
        else:
            out.append(pieces[place])
        place += 1
    return "".join(out)


_AMBIGUOUS = words("ill id mine")
"""What is "I'll", "I'd" and "what is mine", or a state, a card and a pit."""
_OPENERS = words("and but so then or because maybe think guess hope if when that perhaps sure")
_OF_ONE = words("of is are was were be been it's that's not all")
_NUMERALLED = words(
    """
    phase part war act chapter volume book class type level grade section appendix figure table stage article
    title schedule model mark option plan group unit tier category
    """
)
"""Nouns that a numeral `I` follows; with a capital, as in "Phase I"."""


def _unsure_of_i(pieces: Sequence[str], lows: Sequence[str], place: int) -> bool:
    """Whether an `I` may be a numeral (`World War I`), one of several (`Ana and I are`), or ends its clause
    (`so do I`): then nothing is shifted."""
    before = next((at for at in range(place - 1, -1, -1) if lows[at].strip()), None)
    after = next((at for at in range(place + 1, len(lows)) if lows[at].strip()), None)
    if before is None:
        return False
    if lows[before] in _NUMERALLED and pieces[before][0].isupper():  # not "the plan I have"
        return True
    if lows[before] in ("and", "or", "nor"):
        return after is not None and lows[after] in ("are", "were", "aren't", "weren't", "have", "do")
    ends = after is None or not lows[after][0].isalnum()
    return ends and (lows[before] in _AGREEING or lows[before] in _UNCHANGED)


def _stands_for_i(lows: Sequence[str], place: int) -> bool:
    """Whether `ill` and `id` open a clause, or `mine` stands alone."""
    before = next((lows[at] for at in range(place - 1, -1, -1) if lows[at].strip()), "")
    if lows[place] == "mine":
        return not before or before in _OF_ONE
    verb = _verb_place(lows, place)
    opens = not before or not before[0].isalnum() or before in _OPENERS
    return opens and verb is not None and _agreeing(lows[verb]) is not None


def _had(lows: Sequence[str], place: int) -> bool:
    """Whether `'d` before a verb is `had`: "I'd sold", "I'd better"."""
    verb = _verb_place(lows, place)
    if verb is None:
        return False
    low = lows[verb]
    lemmas = lemminflect.getAllLemmas(low, upos="VERB").get("VERB", ())
    return low == "better" or (bool(lemmas) and low not in lemmas and not low.endswith("ing"))


def _pieces(text: str) -> list[str]:
    """Words, marks and the blanks between them; joined they are the text."""
    pieces, done = [], 0
    for found in _WORD.finditer(text):
        if found.start() > done:
            pieces.append(text[done : found.start()])
        pieces.append(found.group())
        done = found.end()
    if done < len(text):
        pieces.append(text[done:])
    return pieces


def _split_contraction(low: str) -> tuple[str, str]:
    head, mark, tail = low.partition("'")
    return (head, f"'{tail}") if mark and f"'{tail}" in _CONTRACTED else (low, "")


def _verb_place(lows: Sequence[str], subject: int) -> int | None:
    """Place of the verb that agrees with the subject before it; None where other words stand between."""
    for place in range(subject + 1, len(lows)):
        low = lows[place]
        if not low.strip():
            continue
        if low in _BETWEEN or (low.endswith("ly") and len(low) > 4):
            continue
        return place if low[0].isalpha() or low.startswith("'") else None
    return None


def _has_verb_after(lows: Sequence[str], place: int) -> bool:
    verb = _verb_place(lows, place)
    return verb is not None and _agreeing(lows[verb]) is not None


def _inverted(lows: Sequence[str], subject: int) -> int | None:
    """Place of an auxiliary right before the subject, as questions have it."""
    before = next((place for place in range(subject - 1, -1, -1) if lows[place].strip()), None)
    if before is None:
        return None
    return before if lows[before] in _AGREEING or lows[before] in _UNCHANGED else None


@lru_cache(maxsize=4096)
def _agreeing(verb: str) -> str | None:
    """The verb as `the user` takes it; None where no dictionary knows its form."""
    if verb in _AGREEING:
        return _AGREEING[verb]
    if verb in _UNCHANGED:
        return verb

    lemmas = lemminflect.getAllLemmas(verb, upos="VERB").get("VERB", ())
    if not lemmas:
        return None
    if verb not in lemmas or any(verb in lemminflect.getInflection(lemma, "VBD") for lemma in lemmas):
        return verb if not verb.endswith("ing") else None
    third = lemminflect.getInflection(verb, "VBZ")
    return third[0] if third else None


def _as_opening(told: str, place: int) -> str:
    return told[0].upper() + told[1:] if place == 0 else told


def _like(word: str, written: str) -> str:
    return word[0].upper() + word[1:] if written[:1].isupper() else word
