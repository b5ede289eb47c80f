"""The offline judge: rules in order, the first that has something to say decides, each with its reason.

What speaks for keeping both comes first, and a pair that no rule knows is kept: a wrong supersession hides a
note. A new rule is one function, in `keeping`, `retiring` or `revaluing`, and one name in `RULES`.
"""

from __future__ import annotations

from collections.abc import Callable

from curation.supersession import keeping, retiring, revaluing
from curation.supersession.pair import Pair, Ruling, keep

JUDGE = "offline/3"
"""Name and version of the judge. Raise it when a rule changes: pairs are then judged again."""

Rule = Callable[[Pair], Ruling | None]

PROTECTING: tuple[Rule, ...] = (
    keeping.not_newer,
    keeping.not_the_owners,
    keeping.asks,
    keeping.only_supposed,
)
"""What no other judge may overrule."""

RULES: tuple[Rule, ...] = (
    keeping.not_newer,
    keeping.asks,
    keeping.only_supposed,
    keeping.opposes,
    keeping.not_the_owners,
    keeping.another_subject,
    keeping.another_thing,
    keeping.another_name,
    retiring.done,
    retiring.replaced,
    keeping.holds_for_a_time,
    keeping.another_case,
    retiring.changed,
    retiring.dropped,
    keeping.adds,
    keeping.contrasts,
    retiring.denied,
    retiring.now_otherwise,
    revaluing.reset,
    revaluing.updated,
    revaluing.revalued,
    revaluing.renamed,
    revaluing.chosen,
    revaluing.decided_again,
    revaluing.swapped,
    revaluing.equated,
    revaluing.located,
)


def judge(pair: Pair) -> Ruling:
    """The first rule's ruling; both are kept where no rule knows."""
    for rule in RULES:
        ruling = rule(pair)
        if ruling is not None:
            return ruling
    return keep("nothing shows that one takes the other's place")
