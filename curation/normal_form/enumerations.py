"""Lists of three and more words in one order: `red, green and blue` says what `blue, green and red` says."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def in_order(tokens: Sequence[str], borders: Collection[str]) -> list[str]:
    """Tokens with the items of every list `A, B and C` sorted, where each item is one word."""
    made = list(tokens)
    if "," not in made:
        return made
    for at, token in enumerate(tokens):
        if token not in ("and", "or") or at + 1 >= len(made) or made[at + 1] in borders:
            continue
        places = [at + 1]
        back = at - 1 - (made[at - 1] == ",")
        while back >= 0 and made[back] != "," and made[back] not in borders:
            places.append(back)
            if back < 2 or made[back - 1] != ",":
                break
            back -= 2
        ends = at + 2 == len(made) or made[at + 2] in borders or made[at + 2] == ","
        if len(places) > 2 and ends:
            for place, item in zip(sorted(places), sorted(made[one] for one in places), strict=True):
                made[place] = item
    return made
