from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import duckdb
import pytest
from open_gate import let_pass
from prepared_vaults import ingested

from extract import offline_engine
from flows.ingest.reprocessing import ReprocessRequest, reprocess
from flows.ingest.steps import IngestRequest
from inference import load_embedder
from inference.sparse import encode_query
from retrieval import Question, recall
from schemas.act import ActKind, Deed
from schemas.ids import point_id
from schemas.policy import KeepPolicy
from schemas.unit import RECALLED_STATES, Category, Speaker, State
from vault.acts import Overlay
from vault.index import Vector, Where
from vault.integrity import differences
from vault.journal import Journal
from vault.layout import LEDGER_FILE, MANIFEST_FILE, VaultLayout
from vault.points import PointKind, SparseVector
from vault.policies import keep_by_policies
from vault.queries import NoteFilter, Row, conversation_in_full, list_notes, note_in_full
from vault.reader import open_vault

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]

GARDEN = [
    ("user", "The garden is 40 square metres. I can only spend 200 euros on it."),
    ("assistant", "You could plant a hedge of hornbeam. Hornbeam grows 30 cm a year."),
    ("user", "I have decided to plant the hornbeam hedge."),
]
MORE = [*GARDEN, ("user", "The fence is 12 metres long.")]
EVERYTHING = NoteFilter("ada", states=None)


class Kept:
    """A vault with one archive in it, and the few questions that the tests ask of it."""

    def __init__(self, vault: Path, export: Exporter) -> None:
        self.vault, self._export = let_pass(vault), export
        self.ingest(GARDEN)

    def ingest(self, turns: Sequence[tuple[str, str]]) -> None:
        ingested(IngestRequest(self.vault, (self._export("ada", {"garden": turns}),)))

    def journal(self) -> Journal:
        return Journal(VaultLayout(self.vault).journal)

    def notes(self, wanted: NoteFilter = EVERYTHING) -> dict[str, Row]:
        with open_vault(self.vault) as reader:
            return {str(row["id"]): row for row in list_notes(reader.ledger, wanted)}

    def one(self, words: str) -> str:
        (unit,) = (unit for unit, row in self.notes().items() if words in str(row["text"]))
        return unit

    def full(self, unit: str) -> Row:
        with open_vault(self.vault) as reader:
            return note_in_full(reader.ledger, unit)

    def state(self, unit: str) -> State:
        return State(str(self.notes()[unit]["state"]))

    def found(self, query: str, states: tuple[State, ...] | None = RECALLED_STATES) -> dict[str, str]:
        """Text by unit id of what the index finds by words."""
        with open_vault(self.vault) as reader:
            where = Where("ada", (PointKind.UNIT,), states)
            hits = reader.index.search_sparse(SparseVector(*encode_query(query)), where, 10)
        return {hit.payload.ref: hit.payload.text for hit in hits}

    def fold(self) -> None:
        """Publish a generation that holds every act."""
        ingested(IngestRequest(self.vault, ()))
        with open_vault(self.vault) as reader:
            assert reader.overlay() == Overlay()
            assert differences(reader.index, reader.ledger) == []


@pytest.fixture
def kept(tmp_path: Path, export: Exporter) -> Kept:
    return Kept(tmp_path / "vault", export)


@pytest.mark.parametrize("fold_between", [False, True])
def test_an_act_and_its_undo_hold_before_and_after_the_fold(kept: Kept, fold_between: bool) -> None:
    unit = kept.one("40 square")
    for kind, state in (
        (ActKind.KEEP, State.KEPT),
        (ActKind.DISCARD, State.DISCARDED),
        (ActKind.CLOSE, State.ARCHIVED),
    ):
        with kept.journal() as journal:
            journal.append(kind, [unit])
        assert kept.state(unit) is state
        if fold_between:
            kept.fold()
            assert kept.state(unit) is state
        with kept.journal() as journal:
            journal.undo(journal.standing(kind, [unit]))
        assert kept.state(unit) is State.PASSED
        kept.fold()
        assert kept.state(unit) is State.PASSED


@pytest.mark.parametrize("fold_between", [False, True])
def test_what_was_taken_back_is_not_told_beside_other_records(kept: Kept, fold_between: bool) -> None:
    gone, mended = kept.one("40 square"), kept.one("the hornbeam hedge")
    home = str(kept.notes()[gone]["conversation_id"])
    with kept.journal() as journal:
        journal.append(ActKind.DISCARD, [gone])
        journal.record([Deed(ActKind.CORRECT, mended, "The user wants a yew hedge.")])
    if fold_between:
        kept.fold()
    others = kept.notes().keys() - {gone, mended}
    beside = [row for unit in others for row in kept.full(unit)["neighbours"]]
    with open_vault(kept.vault) as reader:
        listed = conversation_in_full(reader.ledger, home)["notes"]
    assert isinstance(listed, list)
    for told in (beside, listed):
        assert gone not in {row["id"] for row in told}
        assert {row["text"] for row in told if row["id"] == mended} == {"The user wants a yew hedge."}
    assert kept.full(gone)["neighbours"], "what was discarded is still on record, with its place"


def test_undoing_the_second_act_brings_the_first_back(kept: Kept) -> None:
    unit = kept.one("40 square")
    with kept.journal() as journal:
        journal.append(ActKind.KEEP, [unit])
    kept.fold()
    with kept.journal() as journal:
        journal.append(ActKind.DISCARD, [unit])
        journal.undo(journal.last_lot())
    assert kept.state(unit) is State.KEPT
    kept.fold()
    assert kept.state(unit) is State.KEPT


def test_each_act_is_folded_once(kept: Kept) -> None:
    unit = kept.one("40 square")
    with kept.journal() as journal:
        journal.append(ActKind.KEEP, [unit], reason="mine")
    kept.fold()
    kept.ingest(MORE)
    note = kept.full(unit)
    assert [event["reason"] for event in note["events"] if event["actor"] == "user"] == ["mine"]  # type: ignore[attr-defined]
    assert [act["kind"] for act in note["acts"]] == ["keep"]  # type: ignore[attr-defined]


def test_a_correction_is_shown_at_once_and_found_by_its_words_after_the_fold(kept: Kept) -> None:
    unit = kept.one("40 square")
    before = kept.notes()[unit]["text"]
    with kept.journal() as journal:
        journal.record([Deed(ActKind.CORRECT, unit, "The orchard covers 45 square metres.")])
    assert kept.found("garden 40 square metres")[unit] == "The orchard covers 45 square metres."
    assert unit not in kept.found("orchard covers")
    kept.fold()
    assert kept.found("orchard covers")[unit] == "The orchard covers 45 square metres."
    row = kept.full(unit)
    assert (row["text"], row["text_before"]) == ("The orchard covers 45 square metres.", before)
    assert "40 square" in str(row["evidence"])


def test_a_correction_outlives_a_new_extraction_and_can_be_taken_back(kept: Kept) -> None:
    unit = kept.one("40 square")
    before = str(kept.notes()[unit]["text"])
    with kept.journal() as journal:
        journal.record([Deed(ActKind.CORRECT, unit, "The orchard covers 45 square metres.")])
    kept.ingest(MORE)
    assert kept.found("orchard covers")[unit] == "The orchard covers 45 square metres."
    with kept.journal() as journal:
        journal.undo(journal.standing(ActKind.CORRECT, [unit]))
    assert kept.notes()[unit]["text"] == before
    kept.fold()
    assert kept.found("orchard covers") == {}
    assert kept.found("garden square metres")[unit] == before
    assert kept.full(unit)["text_before"] is None


@pytest.mark.parametrize("folded", [False, True])
def test_a_correction_stands_when_another_engine_words_the_note_otherwise(
    kept: Kept, folded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    unit = kept.one("40 square")
    with kept.journal() as journal:
        journal.record([Deed(ActKind.CORRECT, unit, "The orchard covers 45 square metres.")])
    if folded:
        kept.fold()
    as_today = offline_engine.worded
    monkeypatch.setattr(
        offline_engine,
        "worded",
        lambda quote, *rest, **more: as_today(quote.replace(" square", ""), *rest, **more),
    )
    reprocess(ReprocessRequest(kept.vault, stage="extract", force=True))
    assert kept.state(unit) is State.PASSED
    assert kept.found("orchard covers")[unit] == "The orchard covers 45 square metres."
    assert kept.state(kept.one("40 metres")) is State.ARCHIVED


def test_search_sees_pending_states_in_both_directions(kept: Kept) -> None:
    unit = kept.one("40 square")
    with kept.journal() as journal:
        journal.append(ActKind.DISCARD, [unit])
    assert unit not in kept.found("garden square metres")
    assert unit in kept.found("garden square metres", (State.DISCARDED,))
    kept.fold()
    with kept.journal() as journal:
        journal.append(ActKind.KEEP, [unit])
    assert unit in kept.found("garden square metres")
    assert unit in kept.found("garden square metres", (State.KEPT,))
    assert unit not in kept.found("garden square metres", (State.DISCARDED,))


def test_a_policy_keeps_what_fits_now_and_after_the_next_ingest(kept: Kept) -> None:
    owners = KeepPolicy(speakers=(Speaker.OWNER,), categories=(Category.FACT,))
    with open_vault(kept.vault) as reader, kept.journal() as journal:
        journal.record([Deed(ActKind.POLICY_ON, "mine", owners.model_dump_json())])
        assert keep_by_policies(reader.ledger, reader.generation.accounts, journal) > 0
        assert keep_by_policies(reader.ledger, reader.generation.accounts, journal) == 0
    first = kept.one("40 square")
    assert kept.state(first) is State.KEPT
    with kept.journal() as journal:
        journal.undo(journal.standing(ActKind.KEEP, [first]))
    kept.ingest(MORE)
    assert kept.state(kept.one("12 metres")) is State.KEPT
    assert kept.state(first) is State.PASSED  # taken back: the policy does not do it again
    assert kept.state(kept.one("30 cm")) is State.PASSED


def test_an_act_done_while_the_writer_works_is_not_lost(kept: Kept) -> None:
    policy = KeepPolicy()
    with kept.journal() as journal:
        journal.record([Deed(ActKind.POLICY_ON, "all", policy.model_dump_json())])
        journal.append(ActKind.DISCARD, [kept.one("40 square")])
    kept.ingest(MORE)
    assert kept.state(kept.one("40 square")) is State.DISCARDED
    assert kept.state(kept.one("12 metres")) is State.KEPT


def test_a_generation_of_the_first_schema_is_read(kept: Kept) -> None:
    unit = kept.one("40 square")
    with open_vault(kept.vault) as reader:
        folder = VaultLayout(kept.vault).generation(reader.generation.number)
        manifest = reader.generation.model_copy(update={"files": {}, "seal": ""})
    path = folder / LEDGER_FILE
    with duckdb.connect(str(path)) as ledger:  # as an older mnemic left it
        ledger.execute("DELETE FROM migrations WHERE name = 'the owner''s acts'").fetchall()
        for view in ("standing_acts", "standing_events", "corrections"):
            ledger.execute(f"DROP VIEW {view}").fetchall()
        for table in ("acts", "pending"):
            ledger.execute(f"DROP TABLE {table}").fetchall()
    (folder / MANIFEST_FILE).write_text(manifest.model_dump_json())
    with kept.journal() as journal:
        journal.append(ActKind.KEEP, [unit])
    assert kept.state(unit) is State.KEPT
    assert load_embedder().dimension


def test_a_reader_that_stays_open_sees_what_a_new_one_sees(kept: Kept) -> None:
    one, two = kept.one("40 square"), kept.one("200 euros")
    with open_vault(kept.vault) as staying:
        steps: list[Callable[[Journal], object]] = [
            lambda journal: journal.append(ActKind.KEEP, [one, two]),
            lambda journal: journal.record([Deed(ActKind.CORRECT, one, "The garden is small.")]),
            lambda journal: journal.append(ActKind.DISCARD, [two]),
            lambda journal: journal.undo(journal.last_lot()),
            lambda journal: journal.undo(journal.standing(ActKind.CORRECT, [one])),
            lambda journal: journal.append(ActKind.DISCARD, [one]),
        ]
        for step in steps:
            with kept.journal() as journal:
                step(journal)
            with open_vault(kept.vault) as new:
                assert staying.overlay() == new.overlay()
                assert list_notes(staying.ledger, EVERYTHING) == list_notes(new.ledger, EVERYTHING)


def vectors_of(vault: Path, units: Iterable[str]) -> dict[str, Vector]:
    """Those that the index has, by unit."""
    points = {point_id(PointKind.UNIT, unit): unit for unit in units}
    with open_vault(vault) as reader:
        return {points[point]: vector for point, vector in reader.index.vectors(list(points)).items()}


def test_what_is_rejected_is_embedded_once_it_is_kept(kept: Kept) -> None:
    VaultLayout(kept.vault).gate.write_text('{"rejecting": 1.0}', encoding="utf-8")
    kept.ingest(MORE)
    before, fence = kept.one("40 square"), kept.one("fence")
    assert {kept.state(before), kept.state(fence)} == {State.REJECTED}
    assert vectors_of(kept.vault, [before, fence]).keys() == {before}, "it has its vector from before"
    with kept.journal() as journal:
        journal.append(ActKind.KEEP, [fence])
    question = Question("How long is the fence?", Where("ada", kinds=(PointKind.UNIT,)))
    with open_vault(kept.vault) as reader:
        assert [hit.id for hit in recall(question, reader.index, load_embedder()).hits] == [fence], "at once"
    kept.fold()
    (vector,) = vectors_of(kept.vault, [fence]).values()
    assert float(vector @ load_embedder().embed([str(kept.notes()[fence]["text"])])[0]) > 0.9999
    with kept.journal() as journal:
        journal.undo(journal.standing(ActKind.KEEP, [fence]))
    kept.fold()
    assert kept.state(fence) is State.REJECTED
    assert fence not in kept.found("fence")


def test_rejected_notes_are_recalled_where_they_are_asked_for(tmp_path: Path, export: Exporter) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    VaultLayout(vault).gate.write_text('{"rejecting": 1.0}', encoding="utf-8")
    ingested(IngestRequest(vault, (export("ada", {"garden": MORE}),)))
    where = Where("ada", kinds=(PointKind.UNIT,), states=(State.REJECTED,))
    for decomposed in (False, True):
        question = Question("How long is the fence?", where, decomposed=decomposed)
        with open_vault(vault) as reader:
            package = recall(question, reader.index, load_embedder())
        assert [hit.text for hit in package.hits if "fence" in hit.text]
