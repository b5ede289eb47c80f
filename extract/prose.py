"""Choosing units worth retelling, and saying whose they are: what summaries and thread maps share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from extract.tokens import Kind, tokenize
from extract.wordlists import words
from schemas.unit import Category, Speaker, Unit
from schemas.words import CHARACTERS_PER_WORD, count_words

_LEAST_WORDS = 4
_ENDS = tuple(".!?。！？")
_DANGLING = frozenset(
    words("it this that these those they there he she here then so and but or which given because if as to")
)
"""A sentence that opens with one of these leans on what stood before it."""
_SMALL_TALK = re.compile(
    r"^(?:the (?:user|assistant)"
    r" (?:is|feels|would be|can|hopes?|appreciates?|understands?|wishes|loves?|thanks?)"
    r" (?:very |truly |really |so |absolutely |most |completely )*"
    r"(?:glad|happy|welcome|sorry|sure|ready|here|excited|thrilled|delighted|help|thankful|grateful|relieved)?\b"
    r"|the assistant (?:(?:completely|fully|truly|totally|deeply) |is here\b|looks? forward|stands? ready"
    r"|will (?:be here|continue to|always)\b)"
    r"|it['’]s (?:excellent|great|wonderful|fantastic|good|lovely|important) (?:that|to)\b"
    r"|the user (?:will|['’]ll) (?:let (?:you|ya|the assistant) know|miss you|hit you up|be back|holla)\b"
    r"|rest assured|feel free|be assured|please|thanks?\b|let the (?:user|assistant) know)",
    re.IGNORECASE,
)
_CUT_OUT = re.compile(
    r"[?!.][\"”][?!.]|^\d+[.,]\s?[A-Z]|^Can the assistant let['’]s\b"
    r"|^\w+ \w+ (?:decides|entscheidet|decide|décide): (?!(?:no|not|kein|keine|keinen)\b)[a-zà-öø-ÿ]"
    r"|\bdecides to (?:the|a|an|this|that|some|it|until)\b"
)
"""Marks of a sentence that was cut out of another, or put together wrongly."""
_OPENS_MIDWAY = frozenset(
    words(
        """
of is are was were can could would will should may might must has have had do does did even including based
than whether both
"""
    )
)
"""A statement that opens with one of these lacks its beginning; with a preposition and no comma, its end."""
_PREPOSITIONS = frozenset(
    words("with from for by in on at through while before after when where until during")
)
_FEEDBACK = re.compile(
    r"^(?:(?:is|are|would|does|do|did|shall|should|can|could|may) the (?:user|assistant)\b.*\b(?:ready|like"
    r"|want|any|help|explore|proceed|continue|start|begin|discuss|dive|adjust|feel|sound|please|provide|share)\b"
    r"|(?:does|do|is|are|how (?:does|do|is|are)) (?:this|that|these|those|it|all)\b|any(?:thing)?\b"
    r"|what else\b|is there any|now that\b|resonate\b|(?:it|let)['’]s\b"
    r"|(?:allows|perhaps|the|once|another|specific)\b|what['’]s (?:next|on)\b)",
    re.IGNORECASE,
)
_ALIKE = 0.7
"""Share of the shorter sentence's words of content that make two sentences one to a reader."""
_CONTENT = frozenset({Kind.WORD, Kind.NUMBER, Kind.CODE, Kind.UNSPACED})
_LETTERS = 4
"""Words shorter than this seldom say what a text is about."""


def reads_well(unit: Unit) -> bool:
    """Whether the unit's sentence can stand in running text: whole, long enough, leaning on nothing."""
    text = unit.text
    if "…" in text or not text.endswith(_ENDS) or text.startswith("["):
        return False
    opening = text.split(maxsplit=1)[0].lower().strip(",.'’")
    if opening in _DANGLING or _SMALL_TALK.match(text) or _is_cut_out(text):
        return False
    asks = unit.category is Category.OPEN_QUESTION
    if not asks and (opening in _OPENS_MIDWAY or (opening in _PREPOSITIONS and "," not in text)):
        return False
    if unit.category is Category.DECISION:
        return count_words(text.partition(":")[2] or text) > 1
    return count_words(text) >= _LEAST_WORDS


def _is_cut_out(text: str) -> bool:
    """Whether a sentence shows that it is a piece of another: by its mark, or what it leaves open."""
    pairs = (("“", "”"), ("(", ")"))
    left_open = text.count('"') % 2 or any(text.count(one) != text.count(other) for one, other in pairs)
    return bool(left_open or _CUT_OUT.search(text))


def asks_for_feedback(unit: Unit) -> bool:
    """Whether a question only keeps the talk going: the assistant's `does this sound right?`."""
    return unit.speaker is Speaker.ASSISTANT and bool(_FEEDBACK.search(unit.text))


def says_again(unit: Unit, others: Iterable[Unit]) -> bool:
    """Whether somebody reads in a sentence what they read in one before it, of the same speaker."""
    own = set(content(unit.text))
    return any(
        unit.speaker is other.speaker and len(own & words_of) >= _ALIKE * min(len(own), len(words_of))
        for other, words_of in ((other, set(content(other.text))) for other in others)
        if own and words_of
    )


def content(text: str) -> list[str]:
    """The words of a text that may say what it is about, lower case."""
    return [
        token.low
        for token in tokenize(text)
        if token.kind in _CONTENT and (token.end - token.start >= _LETTERS or token.kind is not Kind.WORD)
    ]


def frequencies(units: Iterable[Unit]) -> Counter[str]:
    """How often each word of content stands in the units; the owner's count double."""
    counts: Counter[str] = Counter()
    for unit in units:
        weight = 2 if unit.speaker is Speaker.OWNER else 1
        for word in set(content(unit.text)):
            counts[word] += weight
    return counts


def salience(unit: Unit, counts: Mapping[str, int]) -> float:
    """How much of what the conversation keeps coming back to is in the unit; numbers and names help.

    The mean over its words of content of log2 of their frequency would favour short sentences: the root of
    their number stands between sum and mean.
    """
    found = content(unit.text)
    if not found:
        return 0.0
    total = sum(min(counts.get(word, 0), 8) for word in set(found))
    return float(total / len(found) ** 0.5) + sum(word[0].isdigit() for word in found)


def name_of(unit: Unit, owner: str | None) -> str:
    """Who said the unit, as a sentence's subject."""
    if unit.speaker is Speaker.OWNER:
        return owner or "The user"
    if unit.speaker is Speaker.ASSISTANT:
        return "The assistant"
    if unit.speaker is Speaker.OTHER:
        return unit.speaker_name or "Somebody else"
    return "A pasted text"


def listed(texts: Sequence[str]) -> str:
    """Sentences as the members of one: `a; b; and c`. Their own full stops are dropped."""
    members = [text.rstrip(".。") for text in texts]
    return "; ".join(members)


def first_sentences(text: str, most_words: int) -> str:
    """The beginning of a text: whole sentences up to so many words, else that many words and an ellipsis."""
    flat = " ".join(text.split())
    kept = ""
    for sentence in re.split(r"(?<=[.!?。！？])\s+", flat[: most_words * 40]):
        if count_words(kept) + count_words(sentence) > most_words:
            break
        kept = f"{kept} {sentence}".strip()
    if kept:
        return kept
    cut = " ".join(flat.split()[:most_words])[: most_words * 12]
    if count_words(cut) > most_words:
        cut = cut[: most_words * CHARACTERS_PER_WORD]
    return cut if cut == flat else f"{cut} …"
