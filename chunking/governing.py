"""The governing-idea test: the one sentence that a chunk's points are sub-points of, and what speaks against.

The idea is taken from the text, never made up: the sentence that leads into the chunk's list, else its first
sentence, else its heading, whichever comes first and has 15 words or fewer. What fails the test is flagged;
a flag never moves a cut.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from chunking.blocks import Block
from chunking.sentences import sentences
from chunking.words import count_words, terms
from schemas.unit import MAX_WORDS

MOST_BULLETS = 4
"""More bullets than this on one level pack several concepts (the operator's rule: two to four)."""

_LABEL_WORDS = 4
"""Bullets of at most this many words are a list of names: nothing in them can be compared."""

_LONGEST_LEAD = 2_000
"""A paragraph longer than this many characters leads nothing in: only its beginning is read."""

_BOLD = re.compile(r"(\*\*|__)(?P<words>(?:(?!\1).)+)\1")

SEVERAL_CONCEPTS = "several_concepts"
HEADING_ONLY = "heading_only"
FRONT_MATTER = "front_matter"


def governing_idea(text: str, blocks: Sequence[Block], heading: str) -> str | None:
    """The governing idea of the chunk made of these blocks of `text`, in one line.

    `heading` is the chunk's own heading in plain words, or the document's title for a chunk without one.
    """
    body = [block for block in blocks if block.kind != "heading" or block.level > 4]
    for index, block in enumerate(body):
        if block.kind == "list" and index and body[index - 1].kind == "paragraph":
            lead = _paragraph(text, body[index - 1])
            if idea := _fitting(lead, last=True):
                return idea
        if block.kind == "list":
            break
    if body and body[0].kind == "paragraph" and (idea := _fitting(_paragraph(text, body[0]), last=False)):
        return idea
    return heading if heading and count_words(heading) <= MAX_WORDS else None


def flags(text: str, blocks: Sequence[Block], heading: str) -> tuple[str, ...]:
    """What the chunk's structure says without changing the cut."""
    if blocks[0].kind == "front_matter":
        return (FRONT_MATTER,)
    if len(blocks) == 1 and blocks[0].kind == "heading":
        return (HEADING_ONLY,)
    lists = [block for block in blocks if block.items]
    if lists and (_too_many(lists) or not _share_one_idea(text, blocks, heading)):
        return (SEVERAL_CONCEPTS,)
    return ()


def _paragraph(text: str, block: Block) -> str:
    return text[block.start : min(block.end, block.start + _LONGEST_LEAD)].strip()


def _fitting(paragraph: str, *, last: bool) -> str | None:
    spans = sentences(paragraph)
    if not spans:
        return None
    start, end = spans[-1 if last else 0]
    sentence = " ".join(paragraph[start:end].split())
    if bold := _BOLD.fullmatch(sentence):
        sentence = bold["words"]
    return sentence if 1 < count_words(sentence) <= MAX_WORDS else None


def _too_many(lists: Sequence[Block]) -> bool:
    """Whether a level holds too many bullets. All lists under one heading are on one level."""
    top = sum(1 for block in lists for item in block.items if item.parent < 0)
    nested = (Counter(item.parent for item in block.items if item.parent >= 0) for block in lists)
    return top > MOST_BULLETS or any(count > MOST_BULLETS for level in nested for count in level.values())


def _share_one_idea(text: str, blocks: Sequence[Block], heading: str) -> bool:
    """Whether the bullets hang together.

    A list that a sentence ending in a colon leads into does, on its writer's word; so does a list of names.
    Otherwise at least half of the bullets must share a content word with the heading or with another bullet.
    The half is a choice, not a measurement: the flag is a hint.
    """
    bullets = [
        text[item.start : item.end]
        for before, block in zip([None, *blocks], blocks, strict=False)
        if block.items and not leads_in(text, before)
        for item in block.items
        if item.parent < 0
    ]
    if len(bullets) < 2 or all(count_words(bullet) <= _LABEL_WORDS for bullet in bullets):
        return True
    about = [set(terms(bullet)) for bullet in bullets]
    mentions = Counter(term for words in about for term in words)
    mentions.update(set(terms(heading)))
    connected = sum(1 for words in about if any(mentions[word] > 1 for word in words))
    return 2 * connected >= len(bullets)


def leads_in(text: str, block: Block | None) -> bool:
    """Whether the block is a paragraph that ends in a colon: what follows is its matter."""
    if block is None or block.kind != "paragraph":
        return False
    return text[block.start : block.end].rstrip(" \t\r\n*_").endswith((":", "："))
