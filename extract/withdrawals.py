"""Whether the owner's words take back what they settled: said of themselves, without a `not` or an `if`.

A decision that is taken back is retired by the next sweep, so what only sounds like it must not pass:
`no longer crashes`, `haven't changed my mind`, `after all, it is the standard`.
"""

from __future__ import annotations

import re

_REVERSES = re.compile(
    r"\b(?:instead|chang(?:ed?|ing) my mind|on second thoughts?|after all|no longer"
    r"|(?:take|took) (?:that|it|this) back|forget what i|not any ?more|scrap"
    r"|forget (?:about )?(?:the|that|it)|go(?:ing)? back to|back to|switch(?:ing)?|rather than|cancel|undo"
    r"|actually,? (?:no|let's|use|go|make|keep|drop|we|i)|wait,? no"
    r"|en (?:vez|lugar) de|cambi[éo] de (?:idea|opinión)|al final|mejor no"
    r"|doch (?:lieber|nicht(?! gegen))|stattdessen|statt|umentschieden"
    r"|finalement|plutôt que|à la place|au lieu de|changé d'avis)\b",
    re.IGNORECASE,
)
"""Words by which a decision takes back another, in the four languages that are read by clause."""
_DENIABLE = re.compile(
    r"(?:chang|scrap|forget|go|switch|cancel|undo|take|took|cambi|umentsch)", re.IGNORECASE
)
"""Those of them that a `not` before them turns round."""

_WITHDRAWS = re.compile(
    r"\b(?:(?P<first>tak(?:e|ing) (?:that|it|this) back(?! (?:to|from|into|home|with)\b)"
    r"|took (?:that|it|this) back(?! (?:to|from|into|home|with)\b)"
    r"|chang(?:ed|ing) (?:my|our) mind|retract"
    r"|(?:no longer) (?:want|need|plan|intend|going|use|using|will|do|doing|take|taking|buy|buying|go))"
    r"|(?P<order>scrap (?:the|this|that|it)|cancel (?:that|it|this)(?=\s*(?:[.,;:!?—–-]|$))"
    r"|(?:forget|ignore) what (?:i|we) (?:said|wrote|decided))"
    r"|(?P<after>after all)"
    r"|(?P<plain>cambi[éo] de (?:idea|opinión)|me retracto|olvida lo (?:que dije|de)|umentschieden"
    r"|vergiss,? was ich|changé d'avis|oublie ce que j'ai dit|finalement (?:non|pas)))\b",
    re.IGNORECASE,
)
"""Words by which a statement that settles nothing new still takes back what was settled."""
_I = re.compile(
    r"(?:\b(?:i|we)(?:['’](?:ve|m|re|d like to)|\s+(?:have|am|are|do|did|will))?"
    r"(?:\s+(?:\w+ly|just|since|now|also))?|^\W*(?:(?:ok|okay|so|and|but|well|sorry)\W+)*)\s*$",
    re.IGNORECASE,
)
"""Ends before the words that only an `I` or a `we` may say, or nobody named."""
_ORDER = re.compile(
    r"^\W*(?:(?:ok|okay|actually|no|nah|hmm|well|so|and|wait|please|sorry|oh|on second thoughts?|let['’]?s"
    r"|then|just|but|yeah|yes)\W+)*$",
    re.IGNORECASE,
)
"""All that may stand before an order."""
_NOT_I = re.compile(
    r"(?:\b(?:i|we)(?:['’]\w+|\s+\w+)?\s+(?:not|never)\b|\b(?:i|we)\s+\w+n['’]t\b|\bi['’]m not\b"
    r"|^\W*(?:(?:so|ok|okay|then|let['’]s)\W+)*(?:no|not)\b)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:\b(?:not|never|nicht|nie|niemals|nunca|jamais|pas|\w+n['’]t)(?:\s+\w+){0,3}|\bno(?:\s+(?:he|me|hemos))?"
    r"|\bn['’]ai\s+pas)\s+$",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:if|unless|suppos\w+|in case|whenever|would|could|might|wenn|falls|sofern|si|en caso)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.!?;\n]")


def reverses(text: str) -> bool:
    """Whether a decision, with its line up to it, says that it takes another one's place."""
    return any(
        not (_DENIABLE.match(found.group()) and _DENIED.search(before))
        and not (found.group().lower().endswith(" my mind") and not _I.search(before))
        and not _SUPPOSED.search(sentence)
        for found, before, sentence in _found(_REVERSES, text)
    )


def withdraws(text: str, quote: int, *, settles: bool) -> bool:
    """Whether a statement, with its line up to it, takes back what the owner settled.

    `quote` is where the statement itself begins: what is said before it counts for one that `settles`.
    """
    return any(
        _says(found, before) and (settles or found.end() > quote) and not _SUPPOSED.search(sentence)
        for found, before, sentence in _found(_WITHDRAWS, text)
    )


def _says(found: re.Match[str], before: str) -> bool:
    if found["after"]:
        return _NOT_I.search(before) is not None
    if _DENIED.search(before):
        return False
    if found["first"]:
        return _I.search(before) is not None
    return found["order"] is None or _ORDER.match(before) is not None


def _found(pattern: re.Pattern[str], text: str) -> list[tuple[re.Match[str], str, str]]:
    """Each match with what its sentence says before it, and the sentence."""
    found = []
    for one in pattern.finditer(text):
        start = max((end.end() for end in _ENDS.finditer(text, 0, one.start())), default=0)
        end = _ENDS.search(text, one.end())
        found.append((one, text[start : one.start()], text[start : end.start() if end else len(text)]))
    return found
