"""What the owner's acts are about: only acts about one matter can be in conflict.

A note's state, its words and its place are three matters, a policy is no path, and a path is one account's.
An undo is about what it takes back. Renames that one line would refuse, or that come to something else in
another order, are one matter: they cannot both hold as they were meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

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


@dataclass(frozen=True, slots=True)
class _Renaming:
    """A rename or merge of paths of one account, or of accounts, by the levels of their names."""

    matter: Matter
    before: tuple[str, ...]
    after: tuple[str, ...]
    alone: bool
    """Whether it is refused where something lies at its target, or below it."""

    def meets(self, other: _Renaming) -> bool:
        """Whether the two touch the same names."""
        if self.matter[:-1] != other.matter[:-1]:
            return False
        touching = ((self.before, other.before), (self.before, other.after), (self.after, other.before))
        return (
            any(_lies_at(one, two) or _lies_at(two, one) for one, two in touching)
            or (self.alone and _lies_at(other.after, self.after))
            or (other.alone and _lies_at(self.after, other.after))
        )


def _lies_at(name: tuple[str, ...], above: tuple[str, ...]) -> bool:
    return name[: len(above)] == above


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
        self._one = _joined(self._renaming(act) for act in map(self._done, (*ours, *theirs)) if _renames(act))

    def of(self, act: Act) -> Matter:
        """What an act is about. Two of them differ where neither act can touch what the other did."""
        named = self._alone(self._done(act))
        return self._one.get(named, named)

    def _done(self, act: Act) -> Act:
        """The act, or what it takes back."""
        return self._undone.get(act.detail, act) if act.kind is ActKind.UNDO else act

    def _renaming(self, act: Act) -> _Renaming:
        alone = act.kind in (ActKind.PATH_RENAME, ActKind.ACCOUNT_RENAME)
        if act.kind in NAMING_ACCOUNTS:
            return _Renaming(self._alone(act), (act.subject,), (act.detail,), alone)
        before, after = (path.split(".") for path in (act.subject, act.detail.partition(" ")[0]))
        return _Renaming(self._alone(act), tuple(before), tuple(after), alone)

    def _alone(self, act: Act) -> Matter:
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
        if _renames(act) and act.subject != self.of(act)[-1]:
            detail = f"{act.subject} {detail}"
        return f"{act.kind.value} {detail}".strip()

    def _account(self, act: Act) -> str:
        return self._called.now(act.detail.partition(" ")[2])


def _renames(act: Act) -> bool:
    return act.kind in (*ON_BRANCHES, *NAMING_ACCOUNTS)


def _joined(renamings: Iterable[_Renaming]) -> dict[Matter, Matter]:
    """One matter for all that meet, directly or over others: the first of them."""
    found = list(dict.fromkeys(renamings))
    one = {renaming.matter: renaming.matter for renaming in found}
    for first, second in combinations(found, 2):
        if first.meets(second):
            kept, gone = sorted((one[first.matter], one[second.matter]))
            one = {matter: kept if of == gone else of for matter, of in one.items()}
    return one
