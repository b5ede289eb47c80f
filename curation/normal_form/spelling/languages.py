"""The other languages as data: how each is told, its articles, and its number words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chunking.wordlists import words


@dataclass(frozen=True, slots=True)
class Tongue:
    """What may go without a loss in a language, and what tells the language."""

    articles: frozenset[str]
    numbers: dict[str, int]
    marks: frozenset[str]
    """Frequent words that no other language of the list has; two of them tell the language."""


def _counted(text: str) -> dict[str, int]:
    return {word: value for value, word in enumerate(text.split(), start=2)}


TONGUES: dict[str, Tongue] = {
    "de": Tongue(
        words("der die das ein eine bitte"),
        _counted("zwei drei vier fünf sechs sieben acht neun zehn elf zwölf"),
        words(
            """
            der das und ist nicht ich wir mit für auf den dem des ein eine im vom zum zur bei
            nach wird werden hat haben nutzer nutzerin
            """
        ),
    ),
    "fr": Tongue(
        words("le la les un une"),
        _counted("deux trois quatre cinq six sept huit neuf dix onze douze"),
        words(
            """
            le les est une et dans pour avec qui nous je ne pas du au aux sur cette ce
            utilisateur utilisatrice l'utilisateur
            """
        ),
    ),
    "es": Tongue(
        words("el la los las un una"),
        _counted("dos tres cuatro cinco seis siete ocho nueve diez once doce"),
        words(
            """
            el los las una y es con para por no que del al usuario usuaria se su en lo
            """
        ),
    ),
    "it": Tongue(
        words("il lo la i gli le un uno una"),
        _counted("due tre quattro cinque sei sette otto nove dieci undici dodici"),
        words("il gli una e è con per non che del della nel di utente sono"),
    ),
    "pt": Tongue(
        words("o a os as um uma"),
        _counted("dois três quatro cinco seis sete oito nove dez onze doze"),
        words("os as uma e é com para não que do da no na dos usuário em"),
    ),
    "nl": Tongue(
        words("de het een"),
        _counted("twee drie vier vijf zes zeven acht negen tien elf twaalf"),
        words("het een en niet ik wij met voor op van gebruiker wordt heeft zijn"),
    ),
}
"""By ISO 639-1 code. English has modules of its own."""

_ENGLISH = words(
    """the a an is are was were be to of and in on at for with not no it its this that i we he she they my our
    has have had do does did will would can should must by from user assistant you your as or but if"""
)


_FOREIGN = frozenset().union(*(tongue.marks for tongue in TONGUES.values()))


def tongue_of(tokens: Sequence[str]) -> Tongue | None:
    """The language of a note's words (lower case); None for English and for what cannot be told."""
    present = set(tokens)
    if len(present & _FOREIGN) < 2:
        return None
    best, count = None, max(1, len(present & _ENGLISH))
    for tongue in TONGUES.values():
        found = len(present & tongue.marks)
        if found > count:
            best, count = tongue, found
    return best


def plain_form(tokens: Sequence[str], tongue: Tongue) -> list[str]:
    """The tokens without articles, number words as digits."""
    return [
        str(tongue.numbers[token]) if token in tongue.numbers else token
        for token in tokens
        if token not in tongue.articles
    ]
