"""The owner's word on pairs of notes, from the journal into the relations of the ledger.

accept    a proposed duplicate becomes one: the note that stays has the evidence of both
apart     the relations between the two are taken back, and no sweep adds them again
undo      of either: the relations stand as they stood before
"""

from __future__ import annotations

from collections.abc import Sequence

from schemas.act import Act, ActKind
from schemas.relation import Relation, RelationKind
from vault.ledger import Ledger
from vault.relations import add_relations, relations_of, withdraw_relations

ON_PAIRS = (ActKind.ACCEPT, ActKind.APART)
PARTED = (RelationKind.DUPLICATE_OF, RelationKind.SUPERSEDES, RelationKind.CONTRADICTS)
UNDONE = "undo"
"""Who withdraws what an undone act had added: a sweep or the owner may add it again."""


def fold_pair_acts(ledger: Ledger, acts: Sequence[Act], run: str) -> set[str]:
    """Change relations as these acts on pairs say; `acts` holds those that an undo among them takes back.

    Returns the units whose points may have changed.
    """
    taken_back = {act.detail for act in acts if act.kind is ActKind.UNDO}
    touched: set[str] = set()
    for act in acts:
        if act.kind not in ON_PAIRS:
            continue
        touched |= {act.subject, act.other}
        if act.kind is ActKind.ACCEPT:
            _accept(ledger, act, run, back=act.id in taken_back)
        else:
            _part(ledger, act, back=act.id in taken_back)
    return touched


def _accept(ledger: Ledger, act: Act, run: str, *, back: bool) -> None:
    proposed = ledger.query(
        """SELECT account, any_value(reason) FROM judgements
           WHERE unit_id = ? AND other_id = ? AND verdict = 'duplicate' GROUP BY account""",
        [act.other, act.subject],
    )
    relations = [
        Relation(
            account=str(account), unit_id=act.subject, kind=RelationKind.DUPLICATE_OF, other_id=act.other,
            reason=str(reason), actor=act.actor, at=act.at, run=run,
        )
        for account, reason in proposed
    ]  # fmt: skip
    if back:
        withdraw_relations(ledger, relations, actor=UNDONE, reason="the owner took it back", at=act.at)
    else:
        add_relations(ledger, relations)


def _part(ledger: Ledger, act: Act, *, back: bool) -> None:
    if back:
        ledger.query(
            """UPDATE relations SET withdrawn_at = NULL, withdrawn_by = NULL, withdrawn_reason = NULL
               WHERE withdrawn_at = ? AND withdrawn_by = ? AND ? IN (unit_id, other_id)""",
            [act.at, act.actor, act.subject],
        )
        return
    pair = {act.subject, act.other}
    found = [one for one in relations_of(ledger, sorted(pair), PARTED) if {one.unit_id, one.other_id} == pair]
    withdraw_relations(ledger, found, actor=act.actor, reason="the owner says that they are two", at=act.at)
