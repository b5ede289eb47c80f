"""The desk: the open vault behind the page, and what the owner does there."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from curation.correction import corrected
from interfaces.web.views.related_pairs import related
from schemas.act import ActKind, Deed
from schemas.unit import RECALLED_STATES, State
from vault.deck import Wanted as WantedNotes
from vault.deck import card, count, ids, lay_out
from vault.journal import Brief, Journal, Whose
from vault.judgements import states_before
from vault.ledger import Ledger
from vault.policies import of_account, take_back
from vault.reader import open_vault

ACTS = {"keep": ActKind.KEEP, "discard": ActKind.DISCARD, "correct": ActKind.CORRECT}


@dataclass(frozen=True, slots=True)
class Done:
    """What came of an act: a word of `templates/said.html`, how many notes it touched, and the one if one."""

    said: str
    notes: int = 0
    unit: str = ""


class Desk:
    """One account's notes. Every page asks `ledger` anew: it moves with the published generation."""

    def __init__(self, vault: Path, account: str) -> None:
        self.account = account
        self._reader = open_vault(vault)
        self._last: tuple[tuple[int, int], Brief | None] | None = None
        """What was done last, by the reader's position when it was looked up."""
        import_module("pyarrow")  # half a second, which the first act would wait for
        lay_out(self._reader.ledger, account)

    def close(self) -> None:
        """Release files and memory."""
        self._reader.close()

    def ledger(self) -> Ledger:
        """The published ledger with the deck on it, as it is now."""
        if self._reader.refresh():
            lay_out(self._reader.ledger, self.account)
        return self._reader.ledger

    def last(self) -> Brief | None:
        """What the owner did last in this account and can take back."""
        with self._journal() as journal:
            if self._last is None or self._last[0] != self._reader.position:
                self._last = self._reader.position, journal.last_in_brief(whose=self._whose())
            return self._last[1]

    def _whose(self) -> Whose | None:
        return of_account(self.ledger, self._reader.generation.accounts, self.account)

    def act(self, kind: str, unit: str, seen: str, text: str = "") -> Done:
        """Keep, discard or correct a note that is still in the state in which the owner saw it.

        `kind` may join two: `correct keep`. Raises UsageError where a corrected text is no note.
        """
        now = card(self.ledger(), unit)
        if now is None:
            return Done("gone")
        if now["state"] != seen:
            return Done("elsewhere", unit=unit)
        kinds = [ACTS[one] for one in kind.split() if one in ACTS]
        deeds = [Deed(one, unit, corrected(text) if one is ActKind.CORRECT else "") for one in kinds]
        if not deeds:
            return Done("unknown", unit=unit)
        with self._journal() as journal:
            journal.record(deeds)
        return Done(deeds[-1].kind.value, 1, unit)

    def settle(self, kind: str, stays: str, goes: str, seen: str) -> Done:
        """Agree to what a sweep proposed for a pair, or say that the two are two: `accept` or `apart`."""
        ledger = self.ledger()
        now = card(ledger, goes)
        if now is None or not related(ledger, self.account, stays, goes):
            return Done("gone")
        successor = card(ledger, stays)
        hidden = successor is None or State(str(successor["state"])) not in RECALLED_STATES
        # one of the two always stays in sight
        if now["state"] != seen or (kind == "accept" and hidden):
            return Done("elsewhere", unit=goes)
        if kind == "accept" and State(str(now["state"])) in RECALLED_STATES:
            deed = Deed(ActKind.ACCEPT, goes, stays)
        elif kind == "apart":
            archived = now["state"] == State.ARCHIVED.value
            before = states_before(ledger, [goes]).get(goes, State.PASSED) if archived else State(seen)
            deed = Deed(ActKind.APART, goes, f"{stays} {before.value}")
        else:
            return Done("unknown", unit=goes)
        with self._journal() as journal:
            journal.record([deed], reason="on the review page")
        return Done(kind, 1, goes)

    def parted(self) -> list[tuple[str, str]]:
        """Pairs that the owner said are two, as (goes, stays)."""
        if not self._reader.layout.journal.exists():
            return []
        with self._journal() as journal:
            return [(act.subject, act.other) for act in journal.of_kind(ActKind.APART)]

    def act_on_all(self, kind: str, wanted: WantedNotes, expected: int) -> Done:
        """Keep or discard every wanted note, if they are as many as the owner was told."""
        if kind not in ("keep", "discard"):
            return Done("unknown")
        ledger = self.ledger()
        if count(ledger, wanted) != expected:
            return Done("changed")
        units = ids(ledger, wanted)
        if units:
            with self._journal() as journal:
                journal.append(ACTS[kind], units, reason="in bulk, on the review page")
        return Done(f"{kind}-all", len(units))

    def undo(self, lot: str) -> Done:
        """Take back what was done last, if it is still what the owner was shown."""
        with self._journal() as journal:
            whose = self._whose()
            last = journal.last_in_brief(whose=whose)
            if last is None or last.lot != lot:
                return Done("elsewhere")
            acts = take_back(self.ledger, self._reader.generation.accounts, journal, whose)
        return Done("undo", len(acts), acts[0].subject if len({act.subject for act in acts}) == 1 else "")

    def _journal(self) -> Journal:
        return Journal(self._reader.layout.journal)
