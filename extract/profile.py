"""What a conversation is about, as counted words: what threads are labelled by.

Words without content of their own are left out by the rules of the language at hand, the rest are stemmed.
What the owner typed and the title count more: an assistant's long answer wanders.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache

import snowballstemmer

from extract.candidates import EMPTY_TAGS
from extract.languages.lexicon import Language
from extract.languages.registry import DEFAULT, detect
from extract.tokens import Kind, Token, tokenize
from inference.secrets import find_secrets
from schemas.conversation import Conversation, Origin
from schemas.thread import Profile

PROFILE_VERSION = "2"

MOST_TERMS = 400
"""Terms kept of a conversation; the rest of a very long one are words that occur once."""

OWNER_COUNT, TITLE_COUNT = 2, 3
"""How much an occurrence in the owner's words, and one in the title, count beside one elsewhere."""

_LONGEST = 40
"""Letters of a word: beyond, it is a key or a path, and no other conversation has it."""

_COUNTED = {Origin.TYPED: OWNER_COUNT, Origin.ASSISTANT: 1, Origin.OTHER: 1, Origin.PASTED: 1}
_STEMMERS = {"en": "english", "es": "spanish", "de": "german", "fr": "french"}
_KINDS = frozenset({Kind.WORD, Kind.CODE, Kind.UNSPACED})
_OPENS = frozenset({Kind.END, Kind.BREAK})
"""After one of these a capital says nothing."""


def profile_of(conversation: Conversation) -> Profile:
    """The profile of the conversation's active branch."""
    counts: Counter[str] = Counter()
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for text, count in _texts(conversation):
        for term, form in _terms(text):
            counts[term] += count
            forms[term][form] += 1
    terms = sorted(counts, key=lambda term: (-counts[term], term))[:MOST_TERMS]
    return Profile(
        conversation_id=conversation.id,
        account=conversation.account,
        terms=tuple(terms),
        words=tuple(_commonest(forms[term]) for term in terms),
        counts=tuple(counts[term] for term in terms),
    )


def _texts(conversation: Conversation) -> Iterator[tuple[str, int]]:
    if conversation.title:
        yield _without_secrets(conversation.title).lower(), TITLE_COUNT
    for message in conversation.active_messages():
        if message.hidden:
            continue
        for segment in message.segments:
            if count := _COUNTED.get(segment.origin):
                yield _without_secrets(message.text[segment.start : segment.end]), count


def _without_secrets(text: str) -> str:
    """A secret that is said in every session would be what they have in common, and their thread's label."""
    kept, done = [], 0
    for secret in find_secrets(text):
        kept.append(text[done : secret.start])
        done = secret.end
    return " ".join((*kept, text[done:]))


def _terms(text: str) -> Iterator[tuple[str, str]]:
    """(term, the form it stands in) of every word with content."""
    tokens = tokenize(text)
    language = detect(tokens, DEFAULT)
    opens = True
    for token in tokens:
        if token.kind in _KINDS:
            word = token.low.strip("`*'\"<>").removesuffix("'s")
            if _has_content(token, word, language):
                yield _stem(language.code, word), _form(text[token.start : token.end], word, opens)
        opens = token.kind in _OPENS or (opens and token.kind not in _KINDS)


def _form(written: str, word: str, opens: bool) -> str:
    """The word as it is written, but lower case where its capital is only that of a sentence's beginning."""
    start = written.lower().find(word)
    as_written = written[start : start + len(word)] if start >= 0 else word
    return word if opens and not as_written[1:].isupper() else as_written


def _has_content(token: Token, word: str, language: Language) -> bool:
    if not 2 < len(word) <= _LONGEST and token.kind is not Kind.UNSPACED:
        return False
    return not language.tag(token.low) & EMPTY_TAGS and word not in language.typical


@cache
def _stemmer(code: str) -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer(_STEMMERS[code])


@cache
def _stem(code: str, word: str) -> str:
    return str(_stemmer(code).stemWord(word)) if code in _STEMMERS else word


def _commonest(forms: Counter[str]) -> str:
    return min(forms, key=lambda form: (-forms[form], form))
