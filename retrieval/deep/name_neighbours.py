"""What stands near a question by names: a hop over the memory's own graph of names, and the circles in it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from inference.sparse import encode_query
from retrieval.question import Question
from retrieval.search.hybrid import Candidate
from schemas.ids import point_id
from schemas.words import amount
from vault.index import Accounts, Search, Vector, Where
from vault.name_graph import LinkKind
from vault.points import PointKind, SparseVector

READ = 30
"""Candidates whose names are asked for where a question has none."""

MOST_NAMES = 6
"""Names that are sought: those of the question, then those that stand beside them by the strongest links."""

OF_NAME = 400
"""Notes of a name, or of a circle's member, that are searched."""

MOST_MEMBERS = 40
"""NameHops of a circle that are sought."""

WORDS_OF_NAME = 4
"""Words that a name has, at most (`vault.named_things`)."""

MOST_WORDS = 100
"""Of a question, in which names are looked for."""

PER_SEARCH = 15

_WORD = re.compile(r"\w[\w&-]*")
_SHARED = {LinkKind.NOTE: "note", LinkKind.TALK: "conversation"}


class NameHops(Protocol):
    """What the memory's notes name, a hop at a time (`vault.name_graph.NameGraph`)."""

    def known(self, account: Accounts, words: Sequence[str]) -> list[str]:
        """The names among these words, whatever their case."""

    def standing_in(self, account: Accounts, units: Sequence[str], talks: Sequence[str]) -> list[str]:
        """The names in these notes, and in these talks' notes."""

    def beside(self, account: Accounts, names: Sequence[str], limit: int) -> list[tuple[str, LinkKind, int]]:
        """One hop: name, what it shares with one of these, how often."""

    def circle(self, account: Accounts, names: Sequence[str]) -> dict[str, str]:
        """The other members of these names' circles, with the circle's label."""

    def notes(self, account: Accounts, names: Sequence[str], limit: int) -> dict[str, str]:
        """Ids of the notes that have one of the names, with the name."""


def by_names(
    question: Question, where: Where, ordered: Sequence[Candidate], names: NameHops, vector: Vector | None
) -> list[tuple[Search, str]]:
    """Searches within `where`, each with its reason: of notes that have a name of the question, one that is
    linked with it, or one of its circle; of passages, by the words of those names.

    A question that names nobody asks for those whom the first of the candidates name.
    """
    linked, circles = _reasons(question, ordered[:READ], names)
    if where.kinds == (PointKind.UNIT,):
        return _among_notes(question, where, names, linked | circles, vector)
    return [
        (Search(SparseVector(*encode_query(name)), where, PER_SEARCH), why) for name, why in linked.items()
    ]


def _reasons(
    question: Question, read: Sequence[Candidate], names: NameHops
) -> tuple[dict[str, str], dict[str, str]]:
    """The names that are sought, each with why; and the other members of their circles."""
    account = question.where.account
    start = names.known(account, _runs_of_words(question.text))[:MOST_NAMES]
    whose = "the question"
    if not start:
        units = [one.payload.ref for one in read if one.payload.kind is PointKind.UNIT]
        talks = [one.payload.conversation_id for one in read if one.payload.kind is PointKind.CHUNK]
        start = names.standing_in(account, units, talks)[: MOST_NAMES // 2]
        whose = "what came first"
    reasons = {name: f"names {name}, as {whose} does" for name in start}
    for name, kind, times in names.beside(account, start, MOST_NAMES - len(start)):
        reasons[name] = f"names {name}, which shares {amount(times, _SHARED[kind])} with a name of {whose}"
    circles = {
        name: f"names one of the circle of {label}"
        for name, label in list(names.circle(account, start).items())[:MOST_MEMBERS]
        if name not in reasons
    }
    return reasons, circles


def _among_notes(
    question: Question, where: Where, names: NameHops, reasons: Mapping[str, str], vector: Vector | None
) -> list[tuple[Search, str]]:
    """Searches by the question among the notes that have one of the names, one a name's reason."""
    having = defaultdict[str, set[str]](set)
    for unit, name in names.notes(question.where.account, list(reasons), OF_NAME).items():
        having[reasons[name]].add(point_id(PointKind.UNIT, unit))
    told = list[tuple[Search, str]]()
    for why, points in having.items():
        among = frozenset(points) if where.among is None else where.among & points
        told += by_question(question, replace(where, among=among), vector, why)
    return told


def _runs_of_words(text: str) -> list[str]:
    """Every run of one to WORDS_OF_NAME words, as names are written; of a long question its first words."""
    words = _WORD.findall(text)[:MOST_WORDS]
    return [
        " ".join(words[at : at + length])
        for length in range(1, WORDS_OF_NAME + 1)
        for at in range(len(words) - length + 1)
    ]


def by_question(
    question: Question, where: Where, vector: Vector | None, why: str
) -> list[tuple[Search, str]]:
    """The searches of a place by the question itself, by words and, with its vector, by meaning."""
    terms = SparseVector(*encode_query(question.text))
    queries: list[Vector | SparseVector] = [terms] if vector is None else [vector, terms]
    return [(Search(query, where, PER_SEARCH), why) for query in queries]
