"""Keep policies: which ones the owner turned on, and which notes each of them is about to keep.

A policy acts on a note once, so that the owner can take back what it did without its doing it again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from schemas.act import ON_ACCOUNTS, ON_BRANCHES, Act, ActKind, Deed
from schemas.policy import KeepPolicy
from schemas.unit import State
from vault.accounts import names_of_accounts
from vault.journal import Journal, Whose, live
from vault.ledger import Ledger
from vault.queries import NoteFilter, list_notes


def policy_actor(name: str) -> str:
    """Who keeps on the policy's behalf."""
    return f"policy:{name}"


def policies_on(journal: Journal) -> dict[str, Act]:
    """By name, the act that turned on each policy that is on now."""
    newest = {act.subject: act for act in live(journal.on_policies())}
    return {name: act for name, act in sorted(newest.items()) if act.kind is ActKind.POLICY_ON}


def policy_of(act: Act) -> KeepPolicy:
    """The policy that an act turned on."""
    return rule_of(act.detail)


def rule_of(detail: str) -> KeepPolicy:
    """The policy that the detail of an act tells."""
    return KeepPolicy.model_validate_json(detail)


def notes_to_keep(
    ledger: Ledger, accounts: Iterable[str], policy: KeepPolicy, acted_on: frozenset[str] = frozenset()
) -> list[str]:
    """Ids of the notes that the policy would keep, but for those that it acted on already.

    A note in which the gate found a secret is never among them, even where the owner has such notes held for
    review and the policy keeps what is: only the owner's own act keeps one.
    """
    wanted = [names_of_accounts(ledger).now(policy.account)] if policy.account else list(accounts)
    besides = acted_on | (_with_secrets(ledger) if State.REVIEW in policy.states else frozenset())
    return [
        str(note["id"])
        for account in wanted
        for note in list_notes(
            ledger,
            NoteFilter(
                account=account,
                categories=policy.categories or None,
                speakers=policy.speakers or None,
                states=policy.states,
                said_times=policy.said_times,
            ),
        )
        if note["id"] not in besides
    ]


def _with_secrets(ledger: Ledger) -> frozenset[str]:
    found = ledger.query(
        """SELECT id FROM (SELECT id, unnest(verdicts) AS v FROM units)
           WHERE v.criterion = 'secret' AND v.outcome <> 'pass'"""
    )
    return frozenset(str(unit) for (unit,) in found)


def keep_by_policies(
    ledger: Ledger, accounts: Iterable[str], journal: Journal, *, only: str | None = None
) -> int:
    """Let every policy that is on (or only one) keep what it is about; returns how many notes were kept.

    The keeps are acts in the journal, as the owner's own are.
    """
    named = list(accounts)
    kept = 0
    for name, turned_on in policies_on(journal).items():
        if only is not None and name != only:
            continue
        actor = policy_actor(name)
        acted_on = _acted_on(journal, name, turned_on)
        if units := notes_to_keep(ledger, named, policy_of(turned_on), acted_on):
            journal.append(ActKind.KEEP, units, actor=actor, reason="a standing instruction")
            kept += len(units)
    return kept


def _acted_on(journal: Journal, name: str, turned_on: Act) -> frozenset[str]:
    """What a policy acted on since it was turned on, but for what turning it off took back, where that was
    taken back in turn."""
    actor = policy_actor(name)
    acted_on = journal.subjects_of(actor, turned_on.seq)
    switches = journal.on_policies()
    withdrawn = {act.detail for act in switches if act.kind is ActKind.UNDO}
    for off in switches:
        if off.kind is ActKind.POLICY_OFF and off.subject == name and off.id in withdrawn:
            acted_on -= journal.taken_back_in(off.lot) - journal.subjects_of(actor, off.seq)
    return acted_on


def of_account(ledger: Callable[[], Ledger], accounts: Collection[str], account: str) -> Whose | None:
    """What tells the acts of an account from those of others; None where the vault has no other.

    An act is of the account whose note it is about, a policy of the one that it is limited to, and so is what
    was done to a path. A policy for every account is of none, nor is an act on a note that a rollback lost.
    """
    if set(accounts) <= {account}:
        return None

    def subjects(deeds: Sequence[Deed]) -> set[str]:
        policies = [deed for deed in deeds if deed.kind in (ActKind.POLICY_ON, ActKind.POLICY_OFF)]
        branches = [deed for deed in deeds if deed.kind in ON_BRANCHES]
        notes = [deed.subject for deed in deeds if deed not in policies and deed not in branches]
        found = ledger().query(
            "SELECT id FROM units WHERE account = ? AND id IN (SELECT unnest(?))", [account, notes]
        )
        own = [one.subject for one in policies if one.detail and rule_of(one.detail).account == account]
        own += [one.subject for one in branches if one.detail.partition(" ")[2] == account]
        own += [
            one.subject for one in deeds if one.kind in ON_ACCOUNTS and account in (one.detail, *_named(one))
        ]
        return {str(unit) for (unit,) in found}.union(own)

    return subjects


def _named(deed: Deed) -> tuple[str, ...]:
    """The account that an act on accounts is about, beside the one of its detail."""
    return () if deed.kind is ActKind.ACCOUNT_SPLIT else (deed.subject,)


def take_back(
    ledger: Callable[[], Ledger], accounts: Iterable[str], journal: Journal, whose: Whose | None = None
) -> list[Act]:
    """Take back what `last_done` gives, and return it. A policy that is on again for it keeps what it kept.

    `ledger` gives the notes as they are then.
    """
    acts = last_done(journal, whose)
    if acts:
        journal.undo(acts)
    for act in acts:
        if act.kind is ActKind.POLICY_OFF:
            keep_by_policies(ledger(), accounts, journal, only=act.subject)
    return acts


def last_done(journal: Journal, whose: Whose | None = None) -> list[Act]:
    """What the owner did last (in the account of `whose`) and has not taken back; of a policy turned on, also
    what it kept since."""
    acts = journal.last_lot(whose=whose)
    turned_on = [act for act in acts if act.kind is ActKind.POLICY_ON]
    kept = [
        keep
        for act in turned_on
        for keep in journal.standing_of(policy_actor(act.subject))
        if keep.seq > act.seq
    ]
    return acts + kept
