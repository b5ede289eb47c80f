"""What a conversation is about, as counted words: what threads are labelled by.

Words without content of their own are left out by the rules of the language at hand, the rest are stemmed.
What the owner typed and the title count more: an assistant's long answer wanders.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from chunking.language import language_of, stem
from chunking.stop_words import STOP_WORDS
from schemas.conversation import Conversation, Origin
from schemas.thread import Profile

PROFILE_VERSION = "4"

MOST_TERMS = 400
"""Terms kept of a conversation; the rest of a very long one are words that occur once."""

OWNER_COUNT, TITLE_COUNT = 2, 3
"""How much an occurrence in the owner's words, and one in the title, count beside one elsewhere."""

_LONGEST = 40
"""Letters of a word: beyond, it is a key or a path, and no other conversation has it."""

_COUNTED = {Origin.TYPED: OWNER_COUNT, Origin.ASSISTANT: 1, Origin.OTHER: 1, Origin.PASTED: 1}
_PARTS = re.compile(r"(?P<word>[^\W\d_](?:\w|['’.-](?=\w))*)|(?P<between>\W+)|[\d_]+")
"""A word, what is between words, or digits: each character is looked at once."""
_OPENING = re.compile(r"[.!?:\n]")
"""After one of these a word opens a sentence: its capital says nothing then."""


def profile_of(conversation: Conversation) -> Profile:
    """The profile of the conversation's active branch.

    Hand the conversation over `concealed`: a secret that is said in every session would be what they have in
    common, and their thread's label.
    """
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
        yield conversation.title.lower(), TITLE_COUNT
    for message in conversation.active_messages():
        if message.hidden:
            continue
        for segment in message.segments:
            if count := _COUNTED.get(segment.origin):
                yield message.text[segment.start : segment.end], count


def _terms(text: str) -> Iterator[tuple[str, str]]:
    """(term, the form it stands in) of every word with content."""
    code = language_of(text)
    opens = True
    for found in _PARTS.finditer(text):
        if found["between"] is not None:
            opens = opens or _OPENING.search(found["between"]) is not None
            continue
        if found["word"] is not None:
            written = found["word"].replace("’", "'").removesuffix("'s")
            word = written.lower()
            if 2 < len(word) <= _LONGEST and word not in STOP_WORDS:
                # a capital that is only that of a sentence's beginning is none
                yield stem(word, code), word if opens and not written[1:].isupper() else written
        opens = False


def _commonest(forms: Counter[str]) -> str:
    return min(forms, key=lambda form: (-forms[form], form))
