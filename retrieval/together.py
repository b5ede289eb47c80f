"""Several questions at once: each is answered as by itself, and the weak ones look further together.

every question    what recall comes to by itself
the weak ones     at most MOST_QUESTIONS of one account to a call, which is one deep search of the session
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from time import perf_counter

from inference.embedder import Embedder
from retrieval.deep.escalation import DeepSearch, Primary, concluded, escalated
from retrieval.deep.joint_comparison import MOST_QUESTIONS
from retrieval.funnel import primary_of
from retrieval.package import Package
from retrieval.question import Question
from vault.index import Accounts, Index


def recall_together(questions: Sequence[Question], index: Index, embedder: Embedder | None) -> list[Package]:
    """A package a question, in their order: what `recall` gives, but for the deep searches that share a call.

    One that looks further alone, or has no way to share (`DeepSearch.together`), does so as in `recall`.
    """
    found = [primary_of(one, index, embedder) for one in questions]
    packages = [one.package for one in found]
    for places in _sharing(found):
        if len(places) == 1:
            packages[places[0]] = escalated(found[places[0]], index)
            continue
        for place, package in zip(
            places, _looked_together([found[one] for one in places], index), strict=True
        ):
            packages[place] = package
    return packages


def _sharing(found: Sequence[Primary]) -> list[list[int]]:
    """The places of the weak ones that share a call. Notes of two accounts never meet in a request."""
    groups: dict[tuple[Accounts, object, object], list[int]] = {}
    for place, one in enumerate(found):
        deep = one.weak
        if deep is not None:
            alone = place if deep.together is None else deep.together
            groups.setdefault((one.question.where.account, alone, deep.allowance), []).append(place)
    return [part for places in groups.values() for part in _even_parts(places)]


def _even_parts(places: Sequence[int]) -> list[list[int]]:
    """As few as MOST_QUESTIONS allows, their sizes at most one apart."""
    count = -(-len(places) // MOST_QUESTIONS)
    ends = [len(places) * part // count for part in range(count + 1)]
    return [list(places[start:end]) for start, end in pairwise(ends)]


def _looked_together(weak: Sequence[Primary], index: Index) -> list[Package]:
    deeps = [one.question.deep or DeepSearch() for one in weak]
    together = deeps[0].together
    assert together is not None, "questions without a way to share are asked by themselves"
    if not deeps[0].allowance.take():
        return [one.refused() for one in weak]
    began = perf_counter()
    pools = [one.pool(index) for one in weak]
    compared = together([(one.question.text, pool) for one, pool in zip(weak, pools, strict=True)])
    spent = 1000 * (perf_counter() - began)
    return [
        concluded(one, deep, pool, said, spent, index)
        for one, deep, pool, said in zip(weak, deeps, pools, compared, strict=True)
    ]
