"""Where an owner's message goes over to words that need not be theirs.

`Translate to German: I decided to buy a goat`, `He texted me: we will move to Oslo`, `Proofread this:` above
a letter: what follows the colon is material, and whoever says "I" in it need not be the owner.
"""

from __future__ import annotations

from collections.abc import Sequence

from extract.tokens import Token
from extract.wordlists import words

_ORDERS = frozenset(
    words(
        """
translate proofread rewrite rephrase paraphrase correct polish improve shorten fix summarise summarize grammar
spelling translation quote transcript lyrics poem dialogue caption
traduce traducir corrige reescribe übersetze korrigiere verbessere traduis traduire corrigez
"""
    )
)
_REPORTS = frozenset(
    words(
        """
says said say wrote writes texted told replied answered emailed messaged commented
dice dijo escribió sagt sagte schrieb schreibt dit écrit
"""
    )
)
_SELF = frozenset(words("i we yo nosotros ich wir je nous"))


def handed_over(sentence: Sequence[Token]) -> int | None:
    """Place of the token after the colon that hands over; None where the owner goes on speaking.

    Of the words before the colon one orders work on a text, or reports somebody else's speech (`I told him:`
    is the owner's own).
    """
    before = set[str]()
    for place, token in enumerate(sentence):
        if token.low == ":" and (before & _ORDERS or (before & _REPORTS and not before & _SELF)):
            return place + 1
        before.add(token.low)
    return None
