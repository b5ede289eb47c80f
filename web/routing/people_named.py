"""Which words of a query name people whom the memory only talks about: by how the memory speaks of them.

A name is a person's where more of the memory's sentences put it as only a person is put (`my sister NAME`,
`Mr NAME`, `NAME said`, `told NAME`, `NAME … She …`) than as a place or a thing is (`in NAME`, `the NAME`).
So a place or a product that the question is about stays. English alone; a name that the memory never puts so
is not known as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from chunking.language import content_words

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
LEAST = 2
"""Letters of a name."""
_KIN = (
    r"(?:mother|father|mum|mom|dad|parents?|sister|brother|son|daughter|wife|husband|spouse|partner|fianc[ée]e?"
    r"|girlfriend|boyfriend|(?:grand|step)(?:mother|father|ma|pa|son|daughter)|aunt|uncle|cousin|niece|nephew"
    r"|friend|neighbou?r|colleague|boss|flatmate|roommate|[a-z]+-in-law)"
)
_TITLE = (
    r"(?:Mr|Mrs|Ms|Miss|Dr|Doctor|Prof|Professor|Aunt|Uncle|Grandma|Grandpa|Granny|Grandmother|Grandfather)"
)
_IS_TITLE = re.compile(_TITLE, re.IGNORECASE)
_SAYS = (
    r"(?:says?|said|told|tells|asked|asks|thinks|thought|wrote|writes|promised|agreed|suggested|phoned|replied"
    r"|answered|wants|wanted|likes|loves|hates)"
)
_TO_PEOPLE = r"(?:tell|told|ask|asked|met|meet|meeting|phoned|thank|thanked|married|hug|invite|invited)"
_REST = r"[^.!?\n]{0,80}"
_INSIDE = r"[^.!?\n]"
_NO_PERSON = r"(?:in|near|into|via|using|on|onto|through|the|a|an)"


def _as_person(name: str) -> re.Pattern[str]:
    """Puttings that only a person has. The name, as it is written, is one group's whole match."""
    own = rf"(?<!\w){re.escape(name)}(?!\w)"
    return re.compile(
        rf"\b(?i:{_KIN}),?\s+{own}|\b{_TITLE}\.?\s+(?:[A-Z]\w+\s+)?{own}|{own}\s+(?:\w+ly\s+)?{_SAYS}\b"
        rf"|\b(?i:{_TO_PEOPLE})\s+{own}|{own},?\s+(?:who|whom|whose)\b"
        # who does what is said, and a pronoun afterwards; or whoever is named last before one
        rf"|(?:^|[.!?]\s+|\bwith\s){own}{_REST}[.!?]\s+(?:He|She)\b"
        rf"|(?<!\bin\s)(?<!\bthe\s)(?<!\bto\s)(?<!\bat\s){own}(?:(?![A-Z]){_INSIDE})*\b(?:he|she|himself|herself)\b"
    )


def _as_thing(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?i:{_NO_PERSON})\s+{re.escape(name)}(?!\w)(?!['’]s)")


def people_named(query: str, texts_with: Callable[[str], Iterable[str]]) -> tuple[str, ...]:
    """The words of the query, as the memory writes them, that name people; of `the Amsels`, what one of them
    is called. `texts_with` gives what the memory says with a word in it, in small letters, whatever its case
    there."""
    named = []
    words = _WORD.findall(query.replace("’s", "").replace("'s", ""))
    for word in dict.fromkeys(form for one in words for form in (one, one.removesuffix("s"))):
        if len(word) < LEAST or _IS_TITLE.fullmatch(word):
            continue
        name = word[:1].upper() + word[1:]
        inside = re.compile(rf"[\w,;)]\s+{name}\b")
        asked = inside.search(query) is not None
        if not content_words(word) and (not asked or word.islower()):
            continue
        texts = list(texts_with(word.lower()))
        if word.islower() and _is_common(word, name, texts):
            continue
        # a word that only begins sentences has its capital from that
        if not asked and not any(map(inside.search, texts)):
            continue
        persons = sum(len(_as_person(name).findall(text)) for text in (*texts, query))
        if persons and persons > sum(len(_as_thing(name).findall(text)) for text in texts):
            named.append(name)
    return tuple(named)


def _is_common(word: str, name: str, texts: Iterable[str]) -> bool:
    """Whether the memory writes it in small letters as often as with a capital: `mark`, `rose`."""
    both = [(len(re.findall(rf"\b{word}\b", text)), len(re.findall(rf"\b{name}\b", text))) for text in texts]
    return sum(small for small, _ in both) >= sum(capital for _, capital in both)
