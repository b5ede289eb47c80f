"""Asking in one line: where a test bounds the notes, the order or the package, it names just that."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import retrieval
from inference.embedder import Embedder
from retrieval import Options, Package, Question
from vault.index import Index, Where

_OF_WHERE = {one.name for one in fields(Where)}
_OF_OPTIONS = {one.name for one in fields(Options)}


def question(text: str, account: str, **given: Any) -> Question:
    """A question whose bounds, options and own fields are named side by side."""
    where = {name: value for name, value in given.items() if name in _OF_WHERE}
    options = {name: value for name, value in given.items() if name in _OF_OPTIONS}
    own = {name: value for name, value in given.items() if name not in (*where, *options)}
    return Question(text, Where(account, **where), options=Options(**options), **own)


def recall(text: str, *, index: Index, embedder: Embedder | None, account: str, **given: Any) -> Package:
    """What the memory answers."""
    return retrieval.recall(question(text, account, **given), index, embedder)
