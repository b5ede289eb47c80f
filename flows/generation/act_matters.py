"""What the owner's acts are about: only acts about one matter can be in conflict.

A note's state, its words and its place are three matters, a policy is no path, and a path is one account's.
An undo is about what it takes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from schemas.act import NAMING_ACCOUNTS, ON_BRANCHES, Act, ActKind
from vault.accounts import Names, names_of
from vault.journal import Journal

Matter = tuple[str, ...]
"""What kind of thing, and which one of them."""
_NAMED = {
    ActKind.CORRECT: "words",
    ActKind.PATH_MOVE: "place",
    ActKind.POLICY_ON: "policy",
    ActKind.POLICY_OFF: "policy",
    ActKind.ACCOUNT_SPLIT: "owner",
}
"""The others on notes give them a state."""


class Matters:
    """The matters of what was done on two lines."""

    def __init__(self, main: Journal, branch: Journal, newer: Iterable[Act], fresh: Iterable[Act]) -> None:
        """`newer`: what only the main line has, `fresh`: what only the branch has, undos among both."""
        ours, theirs = list(newer), list(fresh)
        undone = {act.detail for act in (*ours, *theirs) if act.kind is ActKind.UNDO}
        self._undone: Mapping[str, Act] = {
            act.id: act for journal in (branch, main) for act in journal.named(undone)
        }
        naming = [act for kind in NAMING_ACCOUNTS for act in main.of_kind(kind)]
        self._called: Names = names_of((*sorted(naming, key=lambda act: act.seq), *theirs))

    def of(self, act: Act) -> Matter:
        """What an act is about. Two of them differ where neither act can touch what the other did."""
        act = self._undone.get(act.detail, act) if act.kind is ActKind.UNDO else act
        if act.kind in ON_BRANCHES:
            return "path", self._account(act), act.subject
        if act.kind in NAMING_ACCOUNTS:
            return "account", act.subject
        if act.kind is ActKind.ACCOUNT_DEFAULT:
            return ("default account",)
        return _NAMED.get(act.kind, "state"), act.subject

    def told(self, act: Act) -> str:
        """An act in a few words, beside its subject; equal for acts that come to the same."""
        detail = act.detail
        if act.kind in ON_BRANCHES:
            detail = f"{detail.partition(' ')[0]} {self._account(act)}"
        if act.kind is ActKind.ACCOUNT_DEFAULT:
            detail = act.subject
        return f"{act.kind.value} {detail}".strip()

    def _account(self, act: Act) -> str:
        return self._called.now(act.detail.partition(" ")[2])
