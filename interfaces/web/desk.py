"""The desk: the open vault behind the pages, and what the owner does there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from curation.correction import corrected
from interfaces.web.choices import Choices, choices_of
from interfaces.web.views.related_pairs import related
from schemas.act import ON_PATHS, ActKind, Deed
from schemas.unit import RECALLED_STATES, State
from vault.browsing import lay_out_succeeded
from vault.deck import Wanted as WantedNotes
from vault.deck import card, count, ids, lay_out, lay_out_paths, states_now
from vault.journal import Brief, Journal, Whose, live
from vault.judgements import states_before
from vault.ledger import Ledger
from vault.named_things import WORDS_OF_TIME, lay_out_names
from vault.paths import PUBLISHED, PathTables
from vault.paths_now import path_tables, pending_acts_of
from vault.policies import of_account, take_back
from vault.reader import VaultReader, open_vault

ACTS = {"keep": ActKind.KEEP, "discard": ActKind.DISCARD, "correct": ActKind.CORRECT}
MANY = {"keep": ActKind.KEEP, "discard": ActKind.DISCARD, "close": ActKind.CLOSE}
MOST_AT_ONCE = 200
"""Notes that one form decides."""


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
        self._succeeded: tuple[int, int] | None = None
        """The reader's position for which it was laid out which notes take the place of others."""
        self._paths, self._moved = PUBLISHED, tuple[str, ...]()
        """Where notes lie, and the owner's moves that are in it and no generation has."""
        self._choices: Choices | None = None
        """What filters offer, until another generation is published or a path is moved."""
        self._last: tuple[tuple[int, int], Brief | None] | None = None
        """What was done last, by the reader's position when it was looked up."""
        import_module("pyarrow")  # half a second, which the first act would wait for
        self._lay_out()

    def close(self) -> None:
        """Release files and memory."""
        self._reader.close()

    def ledger(self) -> Ledger:
        """The published ledger with the deck on it, as it is now."""
        if self._reader.refresh():
            self._lay_out()
        ledger = self._reader.ledger
        if self._succeeded != self._reader.position:
            lay_out_succeeded(ledger, self.account, self.parted())
            self._lay_out_paths()
            self._succeeded = self._reader.position
        return ledger

    def _lay_out(self) -> None:
        lay_out(self._reader.ledger, self.account)
        lay_out_names(self._reader.ledger, self.account, WORDS_OF_TIME)
        self._succeeded, self._moved, self._paths, self._choices = None, (), PUBLISHED, None

    @property
    def reader(self) -> VaultReader:
        """The open vault, as `ledger` left it."""
        return self._reader

    def paths(self) -> PathTables:
        """Where notes lie, as `ledger` left it."""
        return self._paths

    def choices(self) -> Choices:
        """What the filters offer, as `ledger` left it."""
        if self._choices is None:
            self._choices = choices_of(self._reader.ledger, self.account, self._paths)
        return self._choices

    def _lay_out_paths(self) -> None:
        """Settle where notes lie anew, which takes a while, only where the owner moved something since the
        last run: what a keep or a discard changes in the counts comes with the next one."""
        moved = tuple(act.id for act in live(pending_acts_of(self._reader)) if act.kind in ON_PATHS)
        if moved != self._moved:
            self._paths = path_tables(self._reader) if moved else PUBLISHED
            lay_out_paths(self._reader.ledger, self._paths)
            self._moved, self._choices = moved, None

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

    def decide(self, units: Mapping[str, tuple[str, str]]) -> Done:
        """Decide many notes as one act: by note, (`keep`, `discard` or `close`; the state in which it was
        seen). What was decided elsewhere since is left as it is; one undo takes it all back."""
        deeds, elsewhere = [], 0
        now = states_now(self.ledger(), list(units))
        for unit, (kind, seen) in list(units.items())[:MOST_AT_ONCE]:
            if now.get(unit) != seen or kind not in MANY:
                elsewhere += 1
            else:
                deeds.append(Deed(MANY[kind], unit))
        if deeds:
            with self._journal() as journal:
                journal.record(deeds, reason="several at once, in the application")
        if len(deeds) == 1 and not elsewhere:
            return Done(deeds[0].kind.value, 1, deeds[0].subject)
        return Done("some-elsewhere" if elsewhere else "many", len(deeds))

    def reopen(self, unit: str) -> Done:
        """Bring an archived note back to recall: it is kept, for its owner says that it matters."""
        now = card(self.ledger(), unit)
        if now is None:
            return Done("gone")
        if now["state"] != State.ARCHIVED.value:
            return Done("elsewhere", unit=unit)
        with self._journal() as journal:
            journal.record([Deed(ActKind.KEEP, unit)], reason="reopened")
        return Done("reopen", 1, unit)

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
