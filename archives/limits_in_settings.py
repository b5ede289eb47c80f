"""The limits of what an archive may unfold to, as the settings state them."""

from __future__ import annotations

import os
from dataclasses import replace

from archives.guarded_stream import Limits
from schemas.errors import UsageError

GIGABYTE = 10**9
VARIABLES = {
    "ratio": "MNEMIC_MAX_RATIO",
    "gigabytes": "MNEMIC_MAX_GIGABYTES",
    "members": "MNEMIC_MAX_MEMBERS",
    "nesting": "MNEMIC_MAX_NESTING",
}


def stated_limits(
    *,
    ratio: float | None = None,
    gigabytes: float | None = None,
    members: int | None = None,
    nesting: int | None = None,
) -> Limits:
    """The limits that are named here, else those of the environment, else those that are built in.

    `gigabytes` bounds each member and all of them together. Raises UsageError for a variable without a
    number.
    """
    limits = Limits()
    ratio = _stated("ratio") if ratio is None else ratio
    if ratio is not None:
        limits = replace(limits, ratio=ratio)
    gigabytes = _stated("gigabytes") if gigabytes is None else gigabytes
    if gigabytes is not None:
        size = int(gigabytes * GIGABYTE)
        limits = replace(limits, member_bytes=size, total_bytes=size)
    counted = {"members": members, "nesting": nesting}
    for name, count in counted.items():
        value = _stated(name) if count is None else count
        if value is not None:
            limits = replace(limits, **{name: int(value)})
    return limits


def _stated(name: str) -> float | None:
    variable = VARIABLES[name]
    said = os.environ.get(variable, "").strip()
    if not said:
        return None
    try:
        value = float(said)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise UsageError(
            f"{variable} is no number that can limit anything: {said!r}", remedy="Write a number"
        )
    return value
