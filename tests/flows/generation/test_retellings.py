"""Summaries and thread maps tell nothing that the owner took back, from the act to its undo."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from chatgpt_export import chatgpt_conversation
from prepared_vaults import ingested

from flows.generation.loading import fold_journal
from flows.generation.thread_linking import link_threads
from flows.ingest.steps import IngestRequest
from flows.upkeep.full_verification import verify
from flows.upkeep.index_rebuild import rebuild, rollback
from inference import load_embedder
from interfaces.main import main
from interfaces.record_items import item_of
from tests.asking import recall
from vault.generations import building
from vault.layout import MANIFEST_FILE, VaultLayout
from vault.lock import writer_lock
from vault.points import OVERVIEWS
from vault.queries import NoteFilter, Row, export, list_notes
from vault.reader import open_vault
from vault.retellings import RESTATED_BY
from vault.threads import list_threads, summary_of

Turns = Sequence[tuple[str, str]]
PRUNED = "the June date"

HEDGE: Turns = [
    ("user", "I want a hedge of hornbeam along the garden fence. The garden is 40 square metres."),
    ("assistant", "Hornbeam grows 30 cm a year. Plant four hornbeam plants to the metre of hedge."),
    ("user", "My sister Odile has lived in Bergen for nine years. OK let's go with the hornbeam hedge."),
]
PRUNING: Turns = [
    ("user", "My hornbeam hedge grew 20 cm over the garden fence. Which date is best for the pruning?"),
    (
        "assistant",
        "Prune a hornbeam hedge in early summer or in autumn. You could leave the hedge wider at its foot.",
    ),
    (
        "user",
        "I'm going with the June date for the pruning of the hedge."
        " My sister Odile has lived in Bergen for nine years."
        " Does hornbeam need fertiliser in the garden?",
    ),
]
RYE: Turns = [
    ("user", "My rye bread dough is too sticky. I bake the sourdough bread in a cast iron pot."),
    ("assistant", "Rye dough is sticky because it has little gluten. Let the sourdough rest for 12 hours."),
]
GARDEN = {"hedge": HEDGE, "pruning": PRUNING, "rye": RYE}


class Told:
    """A vault with a thread of two conversations, and everything that retells them."""

    def __init__(self, vault: Path) -> None:
        self.vault = vault

    def run(self, conversations: dict[str, Turns]) -> None:
        archive = self.vault.parent / "ada.json"
        made = [chatgpt_conversation(name, turns) for name, turns in conversations.items()]
        archive.write_text(json.dumps(made), encoding="utf-8")
        ingested(IngestRequest(self.vault, (archive,)))

    def act(self, *words: object) -> None:
        assert main([*map(str, words), "--vault", str(self.vault)]) == 0

    def notes(self, words: str) -> list[Row]:
        with open_vault(self.vault) as reader:
            found = list_notes(reader.ledger, NoteFilter("ada", states=None))
        return [one for one in found if words in str(one["text"])]

    def overviews(self, conversation: object) -> dict[str, str]:
        """What each way in tells of a conversation and of its thread."""
        home = str(conversation)
        with open_vault(self.vault) as reader:
            ledger = reader.ledger
            (thread,) = (str(one["id"]) for one in list_threads(ledger, "ada", home))
            summary = summary_of(ledger, home)
            assert summary is not None
            hits = recall(
                "the hedge in the garden, and Odile",
                index=reader.index,
                embedder=load_embedder(),
                account="ada",
                kinds=OVERVIEWS,
            ).hits
            got = {one: item_of(reader, one)["record"] for one in (summary.id, thread)}
            files = {}
            for what in ("summaries", "threads"):
                export(ledger, what, "jsonl", str(self.vault.parent / what))
                rows = (self.vault.parent / what).read_text("utf-8").splitlines()
                files[what] = [row for row in rows if home in row]
        return {
            "summary": summary.text,
            "get summary": json.dumps(got[summary.id], default=str),
            "get thread": json.dumps(got[thread]["map"], default=str),
            "recalled": json.dumps([one.text for one in hits if one.conversation_id in (home, thread)]),
            "exported": json.dumps(files),
        }

    def telling(self, word: str, conversation: object) -> list[str]:
        """The ways in by which an overview of the conversation says the word."""
        return [where for where, text in self.overviews(conversation).items() if word in text]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    told = Told(tmp_path_factory.mktemp("first") / "vault")
    told.run(GARDEN)
    return told.vault


@pytest.fixture
def told(first: Path, tmp_path: Path) -> Told:
    return Told(Path(shutil.copytree(first, tmp_path / "vault")))


def test_what_is_discarded_is_told_nowhere_and_told_again_after_an_undo(told: Told) -> None:
    (note,) = told.notes(PRUNED)
    home = note["conversation_id"]
    before = told.overviews(home)
    assert len(told.telling("June", home)) == len(before)
    told.act("discard", note["id"])
    assert told.telling("June", home) == []
    assert told.overviews(home)["recalled"] == "[]"
    told.act("undo")
    assert told.overviews(home) == before


def test_the_run_that_folds_a_discard_tells_the_overviews_anew_and_one_that_folds_its_undo(
    told: Told,
) -> None:
    (note,) = told.notes(PRUNED)
    home = note["conversation_id"]
    before = told.overviews(home)
    told.act("discard", note["id"])
    told.run(GARDEN)
    after = told.overviews(home)
    assert told.telling("June", home) == told.telling("Withheld", home) == []
    assert "hornbeam" in after["summary"]
    assert "hornbeam" in after["recalled"]
    assert str(note["id"]) not in after["get summary"] + after["get thread"]
    assert verify(told.vault, full=True)[1] == []
    told.act("undo")
    told.run(GARDEN)
    again = told.overviews(home)
    assert (again["summary"], again["recalled"]) == (before["summary"], before["recalled"])


def test_a_corrected_note_is_told_as_the_owner_put_it(told: Told) -> None:
    (note,) = told.notes(PRUNED)
    home = note["conversation_id"]
    told.act("correct", note["id"], "The user is going with the August date for the pruning of the hedge.")
    assert told.telling("June", home) == []
    told.run(GARDEN)
    assert "June" not in told.overviews(home)["summary"]
    assert "August" in told.overviews(home)["summary"]
    assert "August" in told.overviews(home)["get thread"]
    assert told.telling("June", home) == []


def test_what_says_the_same_in_another_conversation_is_taken_back_with_it(told: Told) -> None:
    notes = told.notes("Bergen")
    homes = {one["conversation_id"] for one in notes}
    assert len(homes) == 2
    assert all("summary" in told.telling("Odile", home) for home in homes)
    (standing,) = (one for one in notes if one["state"] != "archived")
    told.act("discard", standing["id"])
    assert [told.telling("Odile", home) for home in homes] == [[], []]
    told.run(GARDEN)
    assert [told.telling("Odile", home) for home in homes] == [[], []]


def test_what_was_discarded_stays_untold_when_its_conversation_is_read_again(told: Told) -> None:
    (note,) = told.notes(PRUNED)
    told.act("discard", note["id"])
    told.run({**GARDEN, "pruning": [*PRUNING, ("assistant", "A hornbeam hedge needs no fertiliser.")]})
    assert told.telling("June", note["conversation_id"]) == []
    assert "fertiliser" in told.overviews(note["conversation_id"])["summary"]
    rebuild(told.vault)
    assert told.telling("June", note["conversation_id"]) == []
    assert verify(told.vault, full=True)[1] == []


def test_a_rollback_brings_nothing_back_that_was_discarded_since(told: Told) -> None:
    (note,) = told.notes(PRUNED)
    told.act("discard", note["id"])
    told.run(GARDEN)
    rollback(told.vault, 1)
    assert told.telling("June", note["conversation_id"]) == []
    assert told.telling("Withheld", note["conversation_id"]) == []


def test_what_an_earlier_version_folded_is_withheld_until_the_next_run(told: Told) -> None:
    (note,) = told.notes(PRUNED)
    home = note["conversation_id"]
    told.act("discard", note["id"])
    _fold_as_before(told.vault)
    assert told.telling("June", home) == []
    assert told.overviews(home)["recalled"] == "[]"
    told.run({**GARDEN, "rye": RYE[:1]})
    assert told.telling("June", home) == told.telling("Withheld", home) == []
    assert "hornbeam" in told.overviews(home)["summary"]


def _fold_as_before(vault: Path) -> None:
    """Publish the owner's acts as a version did that told no summary anew."""
    layout, embedder = VaultLayout(vault), load_embedder()
    with writer_lock(layout), building(layout, embedder.binding) as following:
        fold_journal(following, embedder, "before")
        link_threads(following, embedder, "before")
        following.ledger.query("DELETE FROM settled WHERE name = ?", [RESTATED_BY])
        manifest = following.publish("before", datetime.now(UTC))
    rows = {table: count for table, count in manifest.rows.items() if table != "restated_summaries"}
    path = layout.generation(manifest.number) / MANIFEST_FILE
    path.write_text(manifest.model_copy(update={"rows": rows}).sealed().model_dump_json(indent=2))
