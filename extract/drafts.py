"""What an assistant wrote for somebody else to say: letters, posts, speeches, scenes.

Whoever says "I" in a draft is not the assistant, and its "you" is not the owner.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from extract.blocks import Block, Shape
from extract.segments import opens_letter, signs_off
from extract.titles import is_title

_ORDER = re.compile(
    r"\b(?:write|draft|compose|rewrite|craft|polish|proofread|escribe|redacta|schreibe?|verfasse|écris|rédige)\b"
    r"(?: (?:me|us|up|out))?(?: (?:a|an|the|my|this|that|another|one|some))?(?: [\w'-]+){0,4}?"
    r" (?:letters?|e-?mails?|speech|essays?|stor(?:y|ies)|posts?|bio|blog|monologue|pitch|poems?|songs?"
    r"|lyrics|dialogues?|tweets?|testimonials?|captions?|toast|eulogy|advertorial|newsletter|scripts?"
    r"|carta|correo|discurso|ensayo|brief|rede|aufsatz|lettre|discours)\b",
    re.IGNORECASE,
)
_LEADS_IN = re.compile(
    r"\b(?:draft|letter|e-?mail|speech|script|essay|post|bio|statement|caption|pitch|message|poem|story|lyrics"
    r"|dialogue|note|reply|response)s?\b[^.\n]{0,60}:\s*\**$",
    re.IGNORECASE,
)
_TO_THE_OWNER = re.compile(
    r"\s*(?:sure|certainly|of course|absolutely|okay|great|here(?:'s| is| are)|let me know|feel free|i hope"
    r"|would you|does this|how does|i(?:'ve| have) |i(?:'ll| will) |we(?:'ve|'ll| have| can| will)"
    r"|i can |i understand|i apologi|please (?:let|note|review)|this (?:draft|version)|remember)",
    re.IGNORECASE,
)
_SUBJECT_LINE = re.compile(r"\s*\**(?:subject(?: line)?|betreff|asunto|objet)\**\s*:", re.IGNORECASE)


def asks_for_draft(text: str) -> bool:
    """Whether a message asks for something that somebody is to say or send."""
    return _ORDER.search(text[:_LOOKED_AT]) is not None


_LOOKED_AT = 2_000


def drafted(blocks: Sequence[Block], *, ordered: bool) -> frozenset[int]:
    """The blocks of an assistant's message in which somebody else says "I".

    `ordered`: the message before it asked for a draft; then all that is not said to the owner is one.
    """
    found: set[int] = set()
    inside = led = False
    for index, block in enumerate(blocks):
        text = block.flat.text
        titled = block.shape is Shape.HEADING or is_title(text)
        if inside and titled:
            inside = False
        if (opens_letter(text) and (index or ordered)) or _SUBJECT_LINE.match(text):
            inside = True
        own = _TO_THE_OWNER.match(text) is not None
        if inside or block.quoted or (led and not own and not titled) or (ordered and not own):
            found.add(index)
        led = not titled and (bool(_LEADS_IN.search(text)) or (led and not own))
        if inside and signs_off(block):
            inside = led = False
    return frozenset(found)
