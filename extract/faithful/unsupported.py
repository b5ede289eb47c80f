"""Checks on what a model wrote, beyond those that every engine's units pass (`extract.grounding`).

A model can put words into a note that its sentence lacks. None of these checks mends a note: one that fails
is dropped with the reason, and the offline engine reads its place instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from chunking.language import shared
from extract.faithful.clauses import (
    clauses,
    content,
    denies,
    gains_denial,
    imagines,
    loses_denial,
    loses_doubt,
    supposes,
)
from extract.faithful.exchanged_names import another_name
from extract.faithful.exchanged_subjects import (
    another_subject,
    another_tense,
    answers_itself,
    tells_of_another,
    tells_quoted,
)
from extract.faithful.lettered_options import another_option
from extract.faithful.opposites import turned_round
from extract.faithful.word_cues import DECIDES, cue
from schemas.unit import Category, Speaker

_KNOWN_SHARE = 0.1
"""Share of a note's content words that its sentences must hold: less is a note on something else. A good
writer uses words of their own, and the gate shows notes with few of their sentence's to their owner."""
STRANGE = "words that its sentence does not have"
COMPARED = frozenset(
    {
        STRANGE, "the opposite of its sentence", "a negation that its sentence does not have",
        "a negation was lost", "a condition was lost", "a question told as so",
        "another subject than its sentence's", "another time than its sentence's",
        "another name than its sentence's", "another option than its sentence names",
        "words of somebody else", "somebody's quoted words",
    }
)  # fmt: skip
"""What is found by comparing words alone, so that a true note in other words can be refused for it."""
_QUOTED_SHARE = 0.5
"""Share of a decision's words that quoted speech may have: what somebody is quoted with, nobody decided."""
META = re.compile(
    r"\b(?:the (?:text|conversation|passage|transcript|chat|excerpt|message|sentence) (?:shows|describes"
    r"|contains|mentions|is about|discusses|says|begins|ends)|as an ai\b|(?:ai )?language model"
    r"|no (?:notes|units) (?:were|are|can)|here (?:are|is) the (?:notes|units)"
    r"|i (?:cannot|can't|am unable to|'m unable to) (?:help|assist|comply|process)"
    r"|(?:user|assistant) (?:greets|thanks|asks for help|provides a response|responds|replies))\b",
    re.IGNORECASE,
)
_SPEECH = re.compile(r"[\"“„«「](?P<said>[^\"“”„«»「」]+\s[^\"“”„«»「」]+)[\"”“»」]")
"""Quoted words, two at least: one alone is a name."""
_ASKED = (Category.OPEN_QUESTION, Category.PROVISIONAL)


@dataclass(frozen=True, slots=True)
class SourcePassage:
    """What a note stands on."""

    quote: str
    """The words that the anchor marks."""
    sentence: str
    """The whole sentence that they are in."""
    cited: str
    """They, and everything else that the note may take words from."""
    decides: bool
    """They are the owner's typed words, and the note is filed as a decision."""
    languages: tuple[str, ...]
    """That of the sentence, then that of the conversation: ISO 639-1."""
    speaker: Speaker = Speaker.OWNER
    speech: str = ""
    """What of the sentence, and around it, stands in quotation marks."""
    heard: str = ""
    """What was said around: it tells names from other words with a capital."""


def unfaithful(text: str, on: SourcePassage, category: Category) -> str:
    """Why a note may not stand, or ""."""
    asks = category is Category.OPEN_QUESTION
    if not asks and not on.decides and unsaid_words(text, on.cited, on.languages, DECIDES):
        return "a decision that nobody made"
    if on.decides and _quotes_another(text, on):
        return "a decision in somebody's quoted words"
    if tells_of_another(text, on.quote, on.speaker, on.languages):
        return "words of somebody else"
    if on.speaker is Speaker.OWNER and tells_quoted(text, on.quote, on.speech, on.languages):
        return "somebody's quoted words"
    if another_subject(text, on.quote, on.languages):
        return "another subject than its sentence's"
    if another_tense(text, on.quote, on.languages):
        return "another time than its sentence's"
    if another_name(text, on.quote, on.cited, on.heard, on.languages):
        return "another name than its sentence's"
    if another_option(text, on.quote, on.cited, on.languages):
        return "another option than its sentence names"
    if unknown_share(text, on.cited, on.languages) > 1 - _KNOWN_SHARE:
        return STRANGE
    reason = unsupported(text, on.quote, on.cited, on.languages)
    if reason or category in _ASKED:
        return reason
    if loses_denial(text, [on.quote], on.languages):
        return "a negation was lost"
    marked = supposes if category is Category.IDEA else imagines
    if loses_doubt(text, [on.quote], lambda clause: marked(clause, on.languages), on.languages):
        return "a condition was lost"
    if category is not Category.IDEA and answers_itself(text, on.quote, on.languages):
        return "a question told as so"
    return ""


def taken_out(text: str, sentence: str, languages: tuple[str, ...], category: Category) -> str:
    """Why words that were taken out of a sentence do not stand by themselves, or "": outside of them, in the
    same clause, stands what denies them or makes them depend on something."""
    if category in _ASKED:
        return ""
    if loses_denial(text, [sentence], languages):
        return "a negation was lost"
    marked = supposes if category is Category.IDEA else imagines
    if loses_doubt(text, [sentence], lambda clause: marked(clause, languages), languages):
        return "a condition was lost"
    return ""


def unsupported(text: str, quote: str, cited: str, languages: tuple[str, ...]) -> str:
    """Why neither a note nor a line of a retelling may say this of a quote and what else is cited, or ""."""
    if (found := META.search(text)) and found.group().lower() not in cited.lower():
        return "talk about the talk"
    if turned_round(text, quote, languages):
        return "the opposite of its sentence"
    if gains_denial(text, quote, cited, languages):
        return "a negation that its sentence does not have"
    return ""


def unknown_share(text: str, cited: str, languages: tuple[str, ...]) -> float:
    """Share of a note's content words, or of its character pairs, that its sentences do not have."""
    said = content(text, languages)
    return 1 - len(shared(said, content(cited, languages))) / len(said) if said else 0.0


def settling(text: str, languages: tuple[str, ...], *tables: Mapping[str, str]) -> list[str]:
    """The words by which a text says that something is settled, lower case; denied ones are left out."""
    return [
        found.group().lower()
        for clause in clauses(text, languages)
        if not denies(clause.text, languages)
        for table in tables
        for found in cue(table, languages).finditer(clause.text)
    ]


def unsaid_words(text: str, cited: str, languages: tuple[str, ...], *tables: Mapping[str, str]) -> bool:
    """Whether a text says by a word that something is settled where what it cites does not have that word."""
    low = cited.lower()
    return any(word not in low for word in settling(text, languages, *tables))


def _quotes_another(text: str, on: SourcePassage) -> bool:
    """Whether most of the words that a decision takes from its quote stand there in quotation marks."""
    speech = "\n".join(found["said"] for found in _SPEECH.finditer(on.sentence))
    taken = shared(content(text, on.languages), content(on.quote, on.languages))
    quoted = shared(taken, content(speech, on.languages))
    return bool(taken) and len(quoted) > _QUOTED_SHARE * len(taken)
