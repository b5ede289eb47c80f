"""Who renamed or merged the paths at which a note lies, or lay: such an act names no note."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from schemas.act import ON_BRANCHES, Act, ActKind
from schemas.semantic_path import MAX_LEVELS, is_below
from vault.accounts import names_of_accounts
from vault.blame import Entry
from vault.ledger import Ledger

Concerns = Callable[[Act], bool]
"""Whether what is asked for has to do with a rename or merge of paths."""


def touching(path: str) -> Concerns:
    """What was done to the path itself, to one above it or to one below it, under its old or its new name."""

    def concerns(act: Act) -> bool:
        names = (act.subject, act.detail.partition(" ")[0])
        return any(is_below(path, one) or is_below(one, path) for one in names)

    return concerns


def moving(ledger: Ledger, unit: str, standing: Sequence[Act]) -> Concerns:
    """What moved this note, of the acts on paths that stand, oldest first."""
    filed = ledger.query("SELECT path FROM filed_paths WHERE unit_id = ?", [unit])
    paths, moved = {str(path) for (path,) in filed}, set[str]()
    for act in standing:
        if act.kind is ActKind.PATH_MOVE:
            paths = set(act.detail.split(" ")) if act.subject == unit else paths
        elif any(is_below(path, act.subject) for path in paths):
            paths = {_renamed(path, act) for path in paths}
            moved.add(act.id)
    return lambda act: act.id in moved


def _renamed(path: str, act: Act) -> str:
    if not is_below(path, act.subject):
        return path
    said = act.detail.partition(" ")[0] + path[len(act.subject) :]
    return ".".join(said.split(".")[:MAX_LEVELS])


def of_this_account(ledger: Ledger, acts: Sequence[Act], account: str) -> list[Act]:
    """The acts without the renames of other accounts' paths."""
    called = names_of_accounts(ledger)
    return [
        act
        for act in acts
        if act.kind not in ON_BRANCHES or called.now(act.detail.partition(" ")[2]) == account
    ]


def renames_told(
    ledger: Ledger, account: str, pending: Sequence[Act], concerns: Concerns, unit: str = ""
) -> list[Entry]:
    """What was done to paths, folded or not, and what of it was taken back, as entries about the note."""
    folded = ledger.rows(
        """SELECT a.*, g.number FROM acts a
           LEFT JOIN (SELECT run, min(number) AS number FROM generations GROUP BY run) g ON g.run = a.run
           WHERE a.kind IN (SELECT unnest($kinds)) OR (a.kind = 'undo' AND a.detail IN (
               SELECT id FROM acts WHERE kind IN (SELECT unnest($kinds))))""",
        {"kinds": [kind.value for kind in ON_BRANCHES]},
    )
    runs = {str(row["id"]): (str(row.pop("run")), row.pop("number")) for row in folded}
    acts = [Act.model_validate(row, strict=False) for row in folded] + list(pending)
    undone = {act.detail: act for act in acts if act.kind is ActKind.UNDO}
    done = [act for act in acts if act.kind in ON_BRANCHES and concerns(act)]
    entries = []
    for act in of_this_account(ledger, done, account):
        said = f"{act.kind.value} of {act.subject} to {act.detail.partition(' ')[0]}"
        for one, what in ((act, said), (undone.get(act.id), f"undo of {said}")):
            if one is None:
                continue
            run, number = runs.get(one.id, ("", None))
            what += ", undone later" if one is act and act.id in undone else ""
            what += "" if run else ", not folded yet"
            generation = None if number is None else int(str(number))
            entries.append(Entry(unit, one.at, one.actor, what, one.reason, run, generation))
    return entries


def newest(entries: Sequence[Entry], limit: int) -> list[Entry]:
    """The newest so many, the newest first."""
    return sorted(entries, key=lambda one: one.at, reverse=True)[:limit]
