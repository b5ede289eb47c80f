"""JSON answers inside a budget of tokens: fewer members, shorter texts, at least that something was cut."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from chunking import estimate_tokens
from inference.secrets import mask_secrets
from vault.queries import Row

CAPS = (20_000, 8_000, 4_000, 2_000, 1_000, 500, 200, 100, 50)
"""Characters that a text of a record may have, tried in this order until the records fit their budget."""

CUT = ('{"cut": true}', '"cut"', "cut")
"""What is said where nothing else has room, the shortest of one token."""

CHARACTERS_PER_MEMBER = 50
"""A list keeps one member for so many characters that a text may have."""


def fewer(value: Row, members: str, every: Sequence[Row], budget: int) -> str:
    """JSON of at most so many tokens with as many members, from the first on, as fit whole; `left_out` counts
    the others. Where none fits `cut` says what the first would take, as far as there is room for that."""
    low, high = 0, len(every)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(_with(value, members, every, middle)) <= budget:
            low = middle
        else:
            high = middle - 1
    if low or not every:
        told = [_with(value, members, every, low), json.dumps({members: []}), "[]", "nil"]
    else:
        cut = {
            "left_out": len(every),
            "cut": f"the first takes {estimate_tokens(_with(value, members, every, 1))} tokens",
        }
        told = [json.dumps(one) for one in ({**value, members: [], **cut}, {members: [], **cut}, cut)]
        told += [json.dumps({"left_out": len(every)}), *CUT]
    return next(one for one in told if estimate_tokens(one) <= budget)


def _with(value: Row, members: str, every: Sequence[object], count: int) -> str:
    told = {**value, members: list(every[:count])}
    if count < len(every):
        told["left_out"] = len(every) - count
    return json.dumps(told, ensure_ascii=False, default=str)


def fitted(value: Row, budget: int) -> str:
    """JSON of at most so many tokens, secrets masked: long texts and lists in it are cut, and say so. Where
    nothing else has room it is the word `cut`, from three tokens on as JSON."""
    plain = json.loads(json.dumps(value, default=str))
    text = ""
    for cap in CAPS:
        text = json.dumps(_capped(plain, cap), ensure_ascii=False)
        if estimate_tokens(text) <= budget:
            return text
    cut = f"{estimate_tokens(text)} tokens do not fit into {budget}"
    shorter = (json.dumps(one) for one in ({"notices": [], "items": [], "cut": cut}, {"cut": cut}))
    return next(one for one in (*shorter, *CUT) if estimate_tokens(one) <= budget)


def _capped(value: Any, cap: int) -> Any:
    if isinstance(value, str):
        whole = mask_secrets(value)
        return whole if len(whole) <= cap else whole[:cap] + " […]"
    if isinstance(value, list):
        most = max(2, cap // CHARACTERS_PER_MEMBER)
        kept = [_capped(one, cap) for one in value[:most]]
        return [*kept, f"and {len(value) - most} more"] if len(value) > most else kept
    if isinstance(value, dict):
        return {key: _capped(one, cap) for key, one in value.items()}
    return value
