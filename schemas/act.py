"""Act: what the owner, or a standing instruction of the owner's, did with a note."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from schemas.base import Instant, Noun
from schemas.unit import State


class ActKind(StrEnum):
    """What was done."""

    KEEP = "keep"
    DISCARD = "discard"
    CORRECT = "correct"
    """The note's text is replaced by the act's detail; the original and its evidence stay on record."""
    ACCEPT = "accept"
    """What a sweep proposed for the note comes true: it is archived. The detail is the id of what stays."""
    APART = "apart"
    """The note and another are two, whatever a sweep says. The detail is the other's id and the state that
    the note goes back to, parted by a space."""
    CLOSE = "close"
    """An open question is answered, an action item done, a decision over: the note is archived. The detail
    says how, in the owner's words, or nothing."""
    UNDO = "undo"
    """The act whose id is the detail is taken back."""
    POLICY_ON = "policy_on"
    """A standing instruction holds from now on; the detail is its JSON form."""
    POLICY_OFF = "policy_off"
    """It holds no longer. The detail is that of the act that turned it on; in older journals it is empty."""
    PATH_MOVE = "path_move"
    """The note lies at the paths of the detail, parted by spaces, and at no others."""
    PATH_RENAME = "path_rename"
    """What lies at the subject, a path, or below it, lies at or below another. The detail is that other path
    and the account, parted by a space. It holds for notes that come later, too."""
    PATH_MERGE = "path_merge"
    """The same, where notes lie at the other path already."""
    ACCOUNT_MERGE = "account_merge"
    """What is of the account of this name, or comes under it later, is of the account of the detail."""
    ACCOUNT_RENAME = "account_rename"
    """The same, where there was no account of that name."""
    ACCOUNT_SPLIT = "account_split"
    """The conversation or document is of the account of the detail."""
    ACCOUNT_DEFAULT = "account_default"
    """Archives that name nobody are of this account."""


STATE_AFTER = {ActKind.KEEP: State.KEPT, ActKind.DISCARD: State.DISCARDED}
"""The state that an act on one note gives it."""

GIVE_STATES = (*STATE_AFTER, ActKind.ACCEPT, ActKind.APART, ActKind.CLOSE)
"""The kinds of acts that give their unit a state; the others give none of their own."""


ON_BRANCHES = (ActKind.PATH_RENAME, ActKind.PATH_MERGE)
"""Acts on a path of the taxonomy and all that lies below it."""
ON_PATHS = (ActKind.PATH_MOVE, *ON_BRANCHES)
"""Acts that say where notes lie; they change no note."""
NAMING_ACCOUNTS = (ActKind.ACCOUNT_MERGE, ActKind.ACCOUNT_RENAME)
ON_ACCOUNTS = (*NAMING_ACCOUNTS, ActKind.ACCOUNT_SPLIT, ActKind.ACCOUNT_DEFAULT)
"""Acts that say whose conversations and documents are; they change no word of them."""


@dataclass(frozen=True, slots=True)
class Deed:
    """An act before it is recorded."""

    kind: ActKind
    subject: str
    detail: str = ""


class Act(Noun):
    """One act on record. `seq` orders the acts of a vault and is never reused."""

    seq: int
    id: str
    lot: str
    """Acts that were done together share it and are taken back together; empty in the first journals."""
    kind: ActKind
    subject: str
    """Id of the unit, name of the policy, a path of the taxonomy, or the name of an account."""
    actor: str
    """`user`, `policy:<name>`, or `assistant:<what it calls itself>`."""
    reason: str
    at: Instant
    detail: str
    """A correction's text, an undo's target, a policy's rule, the paths that notes lie at, an account's name;
    else empty."""

    @property
    def state(self) -> State | None:
        """The state that it gives its unit, if it gives one."""
        if self.kind in (ActKind.ACCEPT, ActKind.CLOSE):
            return State.ARCHIVED
        if self.kind is ActKind.APART:
            return State(self.detail.partition(" ")[2])
        return STATE_AFTER.get(self.kind)

    @property
    def other(self) -> str:
        """The other note of a pair; "" for an act on one note."""
        return self.detail.partition(" ")[0] if self.kind in (ActKind.ACCEPT, ActKind.APART) else ""
