"""A quick look before a slow one: what a text must hold for a form of secret to be in it at all."""

from __future__ import annotations


def folded(text: str) -> str:
    """The text in small letters; what a pattern that ignores case takes for a Latin letter is that letter."""
    # folding leaves the dotless i alone, and makes two characters of the dotted capital
    return text.casefold().replace("ı", "i").replace("i̇", "i")


class Marks:
    """Literals: a text that holds a secret of the forms that they stand for holds one of them."""

    def __init__(self, *literals: str) -> None:
        self._literals = tuple(folded(one) for one in literals)

    def any_in(self, small: str) -> bool:
        """Whether one of them is in a text that was `folded`."""
        return any(one in small for one in self._literals)
