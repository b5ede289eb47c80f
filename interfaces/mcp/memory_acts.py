"""What an assistant may change of a memory, when it is asked to: each act is journaled under its name.

The owner takes back what an assistant did as they take back their own acts (`mnemic undo`); an assistant
takes back its own acts only.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from curation.correction import corrected
from inference.secret_cover import masked_throughout
from interfaces.cli.lookup import one_id
from interfaces.mcp.open_memory import Memory
from schemas.act import ActKind, Deed
from schemas.base import sha256_text
from schemas.deferred import deferred
from schemas.errors import UsageError
from schemas.unit import State
from vault.journal import ASSISTANT, Journal
from vault.nouns_from_rows import unit_from_row
from vault.policies import of_account
from vault.queries import Row, texts_of_notes
from vault.reader import VaultReader
from vault.remembered_talks import REMEMBERED, discard_unremembered

if TYPE_CHECKING:
    from extract.reader import answered_words, small_reader
    from extract.retell import retelling
    from flows.ingest import steps
else:
    answered_words = deferred("extract.reader.answered_words")
    small_reader = deferred("extract.reader.small_reader")
    retelling = deferred("extract.retell.retelling")
    steps = deferred("flows.ingest.steps")

LONGEST = 4_000
"""Characters of what is remembered at once: a few sentences, not a document."""
_TITLE = 12
"""Words: of what was asked, where anything was; a list of notes shows it beside them."""
_NAME = 60
_CLOSABLE = ("open_question", "action_item", "decision")


def actor_of(client: str) -> str:
    """The name under which an assistant's acts are journaled; `client` is what it calls itself."""
    plain = " ".join("".join(one if one.isprintable() else " " for one in client).split())
    return f"{ASSISTANT}{plain[:_NAME] or 'unnamed'}"


class MemoryActs:
    """Acts on one account's memory, on its owner's behalf."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def act(self, kind: ActKind, ids: Sequence[str], actor: str, reason: str) -> list[Row]:
        """Keep, discard or close notes of the account, all or none; they, as they are now.

        Raises UnknownId, and UsageError where a note that is to be closed has nothing to close.
        """
        with self._memory.now() as reader:
            units = [self._unit(reader, named) for named in ids]
            if kind is ActKind.CLOSE:
                _require_closable(reader, units)
            with Journal(reader.layout.journal) as journal:
                journal.record([Deed(kind, unit) for unit in units], actor=actor, reason=reason)
            return _notes(reader, units)

    def correct(self, named: str, text: str, actor: str, reason: str) -> list[Row]:
        """Replace a note's words; what was said stays on record. Raises UnknownId, UsageError."""
        with self._memory.now() as reader:
            unit = self._unit(reader, named)
            with Journal(reader.layout.journal) as journal:
                journal.record([Deed(ActKind.CORRECT, unit, corrected(text))], actor=actor, reason=reason)
            return _notes(reader, [unit])

    def undo(self, actor: str) -> tuple[list[Row], list[str]]:
        """Take back what this assistant did last in the account. Returns what it was, or nothing, and the
        talks that were remembered with it: their notes are discarded, and what was said stays on record."""
        with self._memory.now() as reader, Journal(reader.layout.journal) as journal:
            whose = of_account(lambda: reader.ledger, reader.generation.accounts, self._memory.account)
            acts = journal.last_lot(actor, whose)
            stays = []
            if acts:
                journal.undo(acts, actor=actor)
                stays = discard_unremembered(reader.ledger, journal, acts)
            texts = texts_of_notes(reader.ledger, [act.subject for act in acts])
            told: list[Row] = masked_throughout(
                [{"act": act.kind.value, "id": act.subject, "text": texts.get(act.subject)} for act in acts]
            )
        return told, stays

    def remember(self, said: str, answering: str, actor: str, reason: str) -> list[Row]:
        """Read the owner's own words into the memory and keep the notes that they come to; those notes.

        The words are a conversation of their own, with what they answer before them, read as any other; the
        same words are remembered once. Raises UsageError where there are none or too many, or where some of
        them are not understood without what they answer and that is not given, VaultLocked while another
        process writes: nothing was then changed.
        """
        text, heard = said.strip(), answering.strip()
        if not any(map(str.isalnum, text)) or len(text) + len(heard) > LONGEST:
            raise UsageError(
                "that is not to be remembered",
                why=f"it has no words, or more than {LONGEST} characters",
                remedy="Give the owner's own words, a few sentences at most",
            )
        if not any(map(str.isalnum, heard)):
            heard = ""
            _require_clear(text)
        name = sha256_text(f"{self._memory.account}\n{heard}\n{text}")[:20]
        if not (known := self._of_talk(name)):
            self._read_in(name, text, heard, actor)
            known = self._of_talk(name)
        with self._memory.now() as reader:
            fresh = [str(one["id"]) for one in _notes(reader, known) if one["state"] != State.KEPT.value]
            if fresh:
                with Journal(reader.layout.journal) as journal:
                    journal.record([Deed(ActKind.KEEP, unit) for unit in fresh], actor=actor, reason=reason)
            return _notes(reader, known)

    def _read_in(self, name: str, said: str, answering: str, actor: str) -> None:
        at = datetime.now(UTC).isoformat()
        messages = [{"role": "assistant", "created_at": at, "text": answering}] if answering else []
        talk = {
            "id": name,
            "title": retelling.first_words(answering or said, _TITLE),
            "provider": REMEMBERED,
            "created_at": at,
            "model": actor.removeprefix(ASSISTANT),
            "messages": [*messages, {"role": "user", "created_at": at, "text": said}],
        }
        with TemporaryDirectory(prefix="mnemic-remember-") as folder:
            file = Path(folder) / f"{REMEMBERED}-{name}.transcript.jsonl"
            file.write_text(json.dumps(talk, ensure_ascii=False) + "\n", encoding="utf-8")
            steps.ingest(
                steps.IngestRequest(
                    self._memory.root, (file,), account=self._memory.account, command="remember"
                )
            )

    def _of_talk(self, name: str) -> list[str]:
        """The owner's notes of the remembered talk of this name, by id."""
        with self._memory.now() as reader:
            found = reader.ledger.query(
                """SELECT u.id FROM units_current u JOIN conversations c USING (conversation_id)
                   WHERE c.account = ? AND c.provider = ? AND c.native_id = ? AND u.speaker = 'owner'
                   ORDER BY u.id""",
                [self._memory.account, REMEMBERED, name],
            )
        return [str(one) for (one,) in found]

    def _unit(self, reader: VaultReader, named: str) -> str:
        return one_id(reader, "units", "id", named, self._memory.account)


def _require_clear(said: str) -> None:
    """Raises UsageError where some of an owner's words are a riddle without what they answer."""
    found = answered_words.unclear_in(said, small_reader.load_reader())
    if found:
        riddles = ", ".join(f"“{said[start:end].strip()}”" for start, end in found)
        raise UsageError(
            "nothing was remembered",
            why=f"nobody would understand {riddles} a year from now without what it answers",
            remedy="Call `remember` again with the same words and, as `answering`, the question or your words"
            " that they answer, verbatim; or ask the owner for a sentence that says it",
        )


def _require_closable(reader: VaultReader, units: Sequence[str]) -> None:
    found = reader.ledger.query(
        """SELECT text FROM units_current
           WHERE id IN (SELECT unnest(?)) AND category NOT IN (SELECT unnest(?))""",
        [list(units), list(_CLOSABLE)],
    )
    if found:
        raise UsageError(
            "only an open question, an action item or a decision can be closed",
            why=f"this is none: {found[0][0]}",
            remedy="`discard` hides a note, `correct` changes its words",
        )


def _notes(reader: VaultReader, units: Sequence[str]) -> list[Row]:
    """The notes as they are now; of those that were remembered also what they answer."""
    found = reader.ledger.rows(
        "SELECT id, category, text, state FROM units_current WHERE id IN (SELECT unnest(?)) ORDER BY id",
        [list(units)],
    )
    remembered = reader.ledger.rows(
        """SELECT u.* FROM units u JOIN conversations c USING (conversation_id)
           WHERE c.provider = ? AND u.id IN (SELECT unnest(?))""",
        [REMEMBERED, list(units)],
    )
    answers = {str(row["id"]): unit_from_row(row).answers for row in remembered}
    told: list[Row] = masked_throughout(
        [{**one, "answers": answers.get(str(one["id"]), "")} for one in found]
    )
    return told
