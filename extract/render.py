"""A unit's text: its quote in minimum viable language.

Self-contained, in the third person for the owner's words, without filler and Markdown; numbers, names and negations
of the quote are kept, and so is its hedging: a text is never surer than its quote.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from extract.candidates import Candidate
from extract.cuts import Role
from extract.languages.english_verbs import third_person
from extract.languages.lexicon import Sign, Tag
from extract.tokens import Kind, Token
from schemas.unit import Category, Speaker

_FILLER, _ASSENT = int(Tag.FILLER), int(Tag.ASSENT)
_SUBJECT, _FINITE, _MODAL, _BASE = int(Tag.SUBJECT), int(Tag.FINITE), int(Tag.MODAL), int(Tag.BASE)
_ADVERB = int(Tag.ADVERB)


@dataclass(slots=True)
class Word:
    """A piece of the text to be, and whether a blank stands before it."""

    text: str
    spaced: bool
    low: str
    tag: int
    kind: Kind


def words_of(candidate: Candidate, tokens: Sequence[Token], tags: Sequence[int]) -> list[Word]:
    """Tokens as words, Markdown gone."""
    words: list[Word] = []
    end = None
    for token, tag in zip(tokens, tags, strict=True):
        if token.kind in (Kind.MARK, Kind.BREAK):
            continue
        text = candidate.source[token.start : token.end]
        if token.kind is Kind.LINK and "](" in text:
            text = text[text.index("[") + 1 : text.index("](")]
        gap = end is not None and (token.start > end)
        words.append(Word(text, gap, token.low, tag, token.kind))
        end = token.end
    return words


def join(words: Sequence[Word]) -> str:
    """Words to text."""
    return "".join(
        (" " if word.spaced and index else "") + word.text for index, word in enumerate(words)
    ).strip()


def render(candidate: Candidate, category: Category, *, decided: bool = True, bare: bool = False) -> str:
    """The text of the unit that a candidate becomes."""
    clause = candidate.clause
    words = trim(words_of(candidate, clause.tokens, clause.tags))
    if not words:
        words = words_of(candidate, clause.tokens, clause.tags)
    if not bare:
        words = _with_subject(candidate, words)
    if candidate.speaker is Speaker.ASSISTANT:
        words = _advice(words)
    text = join(third_person_words(words, candidate, question=category is Category.OPEN_QUESTION))
    if decided and category is Category.DECISION:
        text = _decision(candidate, words, text)
    elif (
        candidate.lead
        and candidate.signs & int(Sign.FRAGMENT | Sign.IN_TABLE)
        and candidate.clause.left is None
    ):
        lead = candidate.lead.text
        if len(lead.split()) <= 6 and (candidate.signs & int(Sign.IN_TABLE)):
            text = f"{lead}: {text}"
    return finish(text, question=category is Category.OPEN_QUESTION)


def finish(text: str, *, question: bool) -> str:
    """Capital first, full stop or question mark last."""
    text = text.strip().strip(",;: ").strip()
    while text and text[-1] in ".!?…":
        text = text[:-1].rstrip()
    if text[:1].islower():
        text = text[0].upper() + text[1:]
    return text + ("?" if question else ".")


def trim(words: list[Word]) -> list[Word]:
    """The words without fillers at either end."""
    first, last = 0, len(words)
    while first < last and (
        words[first].tag & _FILLER and not words[first].tag & _SUBJECT or words[first].low in ",:;-–—"
    ):
        first += 1
    while last > first and (
        words[last - 1].low in ",;:"
        or (
            words[last - 1].tag & _FILLER
            and last - first > 2
            and words[last - 1].low
            not in (
                "now",
                "then",
                "so",
                "right",
                "well",
                "fine",
                "great",
                "good",
                "nice",
                "true",
                "correct",
                "perfect",
                "cool",
                "like",
                "also",
                "sure",
            )
        )
    ):
        last -= 1
    words = words[first:last]
    if words and words[0].low in '"“' and words[-1].low not in '"”':
        words = words[1:]
    return words


def _with_subject(candidate: Candidate, words: list[Word]) -> list[Word]:
    left = candidate.left
    if left is None or candidate.clause.role not in (Role.SHARED, Role.RELATIVE):
        return words
    before = words_of(left, left.clause.tokens, left.clause.tags)
    before = trim(before)
    if candidate.clause.role is Role.RELATIVE:
        return _last_noun(before) + words[1:] if words and words[0].low in ("which", "who", "that") else words
    subject: list[Word] = []
    for word in before:
        subject.append(word)
        if word.tag & _FINITE:
            if not (word.tag & _MODAL or word.low.endswith(("'ll", "'d"))):
                if not word.tag & _SUBJECT:
                    subject.pop()
                else:
                    return words
            return _spaced(subject, words)
        if word.tag & int(Tag.THIRD | Tag.PAST | Tag.BASE) and len(subject) > 1:
            subject.pop()
            return _spaced(subject, words)
    return words


def _spaced(head: list[Word], tail: list[Word]) -> list[Word]:
    if tail:
        tail = [Word(tail[0].text, True, tail[0].low, tail[0].tag, tail[0].kind), *tail[1:]]
    return head + tail


def _last_noun(words: list[Word]) -> list[Word]:
    """The last noun phrase: from the last determiner or after the last preposition."""
    for place in range(len(words) - 1, -1, -1):
        tag = words[place].tag
        if tag & int(Tag.DETERMINER):
            return words[place:]
        if tag & int(Tag.PREPOSITION | Tag.COORDINATOR | Tag.FINITE) and place + 1 < len(words):
            return words[place + 1 :]
    return words[-2:]


def _advice(words: list[Word]) -> list[Word]:
    """The assistant's `I'd keep ...` is the proposal `Keep ...`."""
    lows = [word.low for word in words[:3]]
    if lows[:1] == ["i'd"] and len(words) > 2 and words[1].tag & _BASE:
        return words[1:]
    if lows[:2] == ["i", "would"] and len(words) > 3 and words[2].tag & _BASE:
        return words[2:]
    return words


def third_person_words(words: list[Word], candidate: Candidate, *, question: bool = False) -> list[Word]:
    """Words of the owner, or to the owner, in the third person."""
    language = candidate.language
    if candidate.speaker is Speaker.ASSISTANT:
        persons = language.addressee
    elif candidate.speaker is Speaker.OWNER:
        persons = language.persons
    else:
        return words
    shifted: list[Word] = []
    agree = False
    for word in words:
        low = language.spellings.get(word.low, word.low)
        replacement = persons.get(low)
        if replacement is not None:
            shifted.append(Word(replacement, word.spaced, replacement, word.tag, word.kind))
            agree = low in ("i", "we", "you") and not (
                len(shifted) > 1 and shifted[-2].tag & (_FINITE | int(Tag.PREPOSITION))
            )
            if low in ("i", "we", "you") and len(shifted) > 1 and shifted[-2].tag & _FINITE:
                _agree_inverted(shifted)
            continue
        if candidate.speaker is Speaker.OWNER and low in ("you", "your", "you're") and question:
            word = Word(
                {"you": "the assistant", "your": "the assistant's"}.get(low, word.text),
                word.spaced,
                low,
                word.tag,
                word.kind,
            )
        if agree and not (word.tag & _ADVERB):
            agree = False
            word = Word(_agreeing(word, low), word.spaced, word.low, word.tag, word.kind)
        shifted.append(word)
    return shifted


_AGREEMENT = {
    "am": "is",
    "are": "is",
    "have": "has",
    "do": "does",
    "don't": "doesn't",
    "haven't": "hasn't",
    "aren't": "isn't",
    "were": "was",
    "weren't": "wasn't",
}


def _agreeing(word: Word, low: str) -> str:
    if low in _AGREEMENT:
        return _AGREEMENT[low]
    if word.tag & _BASE and not word.tag & (_MODAL | int(Tag.PAST)):
        return third_person(low)
    return word.text


def _agree_inverted(words: list[Word]) -> None:
    before = words[-2]
    changed = _AGREEMENT.get(before.low)
    if changed is not None:
        words[-2] = Word(
            changed.capitalize() if before.text[:1].isupper() else changed,
            before.spaced,
            before.low,
            before.tag,
            before.kind,
        )


def _decision(candidate: Candidate, words: list[Word], text: str) -> str:
    voice, signs = candidate.language.voice, candidate.signs
    lows = [word.low for word in words]
    if lows[:1] in (["let's"], ["lets"]) and len(words) > 1:
        return voice.decides_to.format(what=join(words[1:]))
    if signs & int(Sign.IMPERATIVE):
        return voice.decides_to.format(what=text[:1].lower() + text[1:])
    if lows[-2:] == ["it", "is"] and len(words) > 2:
        return voice.decides.format(what=join(words[:-2]))
    if candidate.clause.finite:
        return text
    return voice.decides.format(what=text)
