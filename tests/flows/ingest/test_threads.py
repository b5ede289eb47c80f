"""Threads through the ingest: ids stay, a night touches only its thread, recall and `get` know them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from chatgpt_export import chatgpt_conversation
from prepared_vaults import ingested

from flows.generation.loading import PointChanges, apply_changes
from flows.generation.thread_linking import LINKED_BY, POINTED_BY
from flows.ingest.steps import IngestRequest
from flows.upkeep.full_verification import verify
from inference import load_embedder
from interfaces.main import main
from vault.generations import building
from vault.layout import VaultLayout
from vault.lock import writer_lock
from vault.reader import open_vault
from vault.threads import thread_maps_of

Turns = Sequence[tuple[str, str]]
Exporter = Callable[[str, dict[str, Turns]], Path]

HEDGE: Turns = [
    ("user", "I want a hedge of hornbeam along the garden fence. The garden is 40 square metres."),
    ("assistant", "Hornbeam grows 30 cm a year. Plant four hornbeam plants to the metre of hedge."),
    ("user", "OK let's go with the hornbeam hedge. Which month is best for planting the hedge?"),
]
PRUNING: Turns = [
    ("user", "My hornbeam hedge grew 20 cm over the garden fence. Which date is best for the pruning?"),
    (
        "assistant",
        "Prune a hornbeam hedge in June or in August. You could leave the hedge wider at its foot.",
    ),
    (
        "user",
        "I'm going with the June date for the pruning of the hedge. I will return the trimmer to Odile on"
        " Monday. Does hornbeam need fertiliser in the garden?",
    ),
]
WATERING: Turns = [
    ("user", "The hornbeam hedge at the garden fence has dry leaves. How often should I water it?"),
    ("assistant", "Water a young hornbeam hedge every week or every month. Mulch keeps the hedge moist."),
    ("user", "I'm going with the weekly watering of the hedge."),
]
RYE: Turns = [
    ("user", "My rye bread dough is too sticky. I bake the sourdough bread in a cast iron pot."),
    ("assistant", "Rye dough is sticky because it has little gluten. Let the sourdough rest for 12 hours."),
]
CRUST: Turns = [
    ("user", "The crust of my sourdough rye bread is too pale. I decided to bake the bread at 250 degrees."),
    ("assistant", "Steam gives a rye bread its crust. Take the lid off the pot after 30 minutes of baking."),
]
VISA: Turns = [
    ("user", "How do I renew my passport before the visa interview at the consulate?"),
    ("assistant", "Renew a passport online. The consulate wants two photographs for the visa."),
]
BEGAN, DAY = 1_767_225_600.0, 86_400.0
FIRST = {"hedge": HEDGE, "rye": RYE, "pruning": PRUNING, "crust": CRUST, "visa": VISA}


@pytest.fixture
def export(tmp_path: Path) -> Exporter:
    """Writes an export `<account>.json` whose conversations were held a day apart, in the order given."""

    def write(account: str, conversations: dict[str, Turns]) -> Path:
        made = [
            chatgpt_conversation(name, turns, BEGAN + DAY * day)
            for day, (name, turns) in enumerate(conversations.items())
        ]
        path = tmp_path / f"{account}.json"
        path.write_text(json.dumps(made), encoding="utf-8")
        return path

    return write


def run(vault: Path, archive: Path) -> None:
    assert ingested(IngestRequest(vault, (archive,))).published


def threads(vault: Path) -> dict[frozenset[str], dict[str, Any]]:
    """The threads, with the run that wrote them, by the titles of their conversations."""
    with open_vault(vault) as reader:
        titles = dict(reader.ledger.query("SELECT conversation_id, title FROM conversations"))
        found = reader.ledger.rows("SELECT * FROM threads")
    return {frozenset(str(titles[one]) for one in thread["conversation_ids"]): thread for thread in found}  # type: ignore[attr-defined]


def test_one_more_conversation_touches_only_the_thread_it_joins(tmp_path: Path, export: Exporter) -> None:
    vault = tmp_path / "vault"
    run(vault, export("ada", FIRST))
    before = threads(vault)
    assert before.keys() == {frozenset({"Hedge", "Pruning"}), frozenset({"Rye", "Crust"})}
    run(vault, export("ada", {**FIRST, "watering": WATERING}))
    after = threads(vault)
    grown = after[frozenset({"Hedge", "Pruning", "Watering"})]
    founded = before[frozenset({"Hedge", "Pruning"})]
    assert grown["id"] == founded["id"]
    assert grown["run"] != founded["run"]
    assert after[frozenset({"Rye", "Crust"})] == before[frozenset({"Rye", "Crust"})]
    with open_vault(vault) as reader:
        maps = reader.ledger.rows("SELECT thread_id, len(arc) AS sessions, unit_ids FROM thread_maps")
        known = {unit for (unit,) in reader.ledger.query("SELECT id FROM units")}
        points = reader.ledger.query("SELECT ref FROM points WHERE kind = 'thread'")
    assert {row["thread_id"]: row["sessions"] for row in maps}[grown["id"]] == 3
    assert {one for (one,) in points} == {thread["id"] for thread in after.values()}
    assert all(set(row["unit_ids"]) <= known for row in maps)  # type: ignore[call-overload]


def test_a_thread_is_listed_shown_recalled_and_opened(
    tmp_path: Path, export: Exporter, capsys: pytest.CaptureFixture[str]
) -> None:
    vault = tmp_path / "vault"
    run(vault, export("ada", FIRST))

    def ask(*words: object) -> Any:
        assert main([*map(str, words), "--vault", str(vault), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    listed = ask("threads")["threads"]
    assert len(listed) == 2
    hedge = next(one for one in listed if "hedge" in one["label"].lower())
    shown = ask("threads", hedge["id"][:8])
    assert "hornbeam" in shown["map"]["text"]
    assert [one["title"] for one in shown["conversations"]] == ["Hedge", "Pruning"]
    assert any("June" in line["text"] for line in shown["map"]["in_force"])
    assert any("Odile" in line["text"] for line in shown["map"]["next_steps"])
    conversation = shown["conversations"][0]["conversation_id"]
    assert [one["id"] for one in ask("threads", "--conversation", conversation)["threads"]] == [hedge["id"]]
    hits = ask("recall", "the hornbeam hedge", "--kind", "thread")["hits"]
    assert (hits[0]["kind"], hits[0]["id"]) == ("thread", hedge["id"])
    (item,) = ask("get", hedge["id"])["items"]
    assert (item["kind"], item["record"]["label"]) == ("thread", hedge["label"])
    kept = ask("keep", "--thread", hedge["id"], "--dry-run")["units"]
    assert kept
    assert main(["threads", "00000000-none", "--vault", str(vault)]) == 2
    assert main(["threads", hedge["id"], "--vault", str(vault)]) == 0
    assert "Decisions in force" in capsys.readouterr().out


DROPPED: Turns = [
    (
        "user",
        "The hornbeam hedge at the garden fence is green."
        " We dropped the weekly watering of the hedge and I'm going with the drip hose instead.",
    ),
    ("assistant", "A grown hornbeam hedge at a fence needs little water. Mulch keeps the hedge moist."),
]
WITHDRAWN: Turns = [
    (
        "user",
        "The hornbeam hedge at the garden fence is green. We dropped the weekly watering of the hedge.",
    ),
    ("assistant", "A grown hornbeam hedge at a fence needs no watering. Mulch keeps the hedge moist."),
]


@pytest.mark.parametrize("later", [DROPPED, WITHDRAWN])
def test_what_a_later_session_takes_back_is_not_in_force(
    tmp_path: Path, export: Exporter, later: Turns
) -> None:
    vault = tmp_path / "vault"
    run(vault, export("ada", {"pruning": PRUNING, "watering": WATERING, "dropped": later}))
    with open_vault(vault) as reader:
        (made,) = thread_maps_of(reader.ledger, "ada").values()
    assert any("June" in line.text for line in made.in_force)
    assert not any("water" in line.text and "dropped" not in line.text for line in made.in_force)
    (gone,) = made.superseded
    assert "going with the weekly watering" in gone.text
    assert len(gone.unit_ids) == 2


def test_points_of_an_older_version_learn_their_members(tmp_path: Path, export: Exporter) -> None:
    vault = tmp_path / "vault"
    run(vault, export("ada", FIRST))
    as_before_there_were_members(vault)
    with open_vault(vault) as reader:
        assert reader.index.threads("ada") == {}
    run(vault, export("ben", {"visa": VISA}))
    with open_vault(vault) as reader:
        titles = dict(reader.ledger.query("SELECT conversation_id, title FROM conversations"))
        members = reader.index.threads("ada")
    joined = {titles[one]: {titles[member.conversation_id] for member in members[one]} for one in members}
    assert joined["Hedge"] == joined["Pruning"] == {"Hedge", "Pruning"}
    assert joined["Rye"] == joined["Crust"] == {"Rye", "Crust"}
    assert verify(vault, full=True)[1] == []


def as_before_there_were_members(vault: Path) -> None:
    layout, embedder = VaultLayout(vault), load_embedder()
    with writer_lock(layout), building(layout, embedder.binding) as next_generation:
        ledger = next_generation.ledger
        ledger.add_run("older", datetime.now(UTC), "test", {})
        points = [
            str(point) for (point,) in ledger.query("SELECT point_id FROM points WHERE kind = 'thread'")
        ]
        found = next_generation.index.payloads(points)
        bare = [(point, one.model_copy(update={"members": ()})) for point, one in found.items()]
        apply_changes(next_generation, PointChanges([], bare, []), "older")
        ledger.settle(POINTED_BY, "1")
        next_generation.publish("older", datetime.now(UTC))


def test_threads_of_another_version_are_found_anew(tmp_path: Path, export: Exporter) -> None:
    vault = tmp_path / "vault"
    run(vault, export("ada", FIRST))
    before = threads(vault)
    with_a_stranger_in_each_thread(vault)
    assert threads(vault).keys() != before.keys()
    run(vault, export("ben", {"visa": VISA}))
    after = threads(vault)
    assert {names: one["id"] for names, one in after.items()} == {
        names: one["id"] for names, one in before.items()
    }
    assert verify(vault, full=True)[1] == []


def with_a_stranger_in_each_thread(vault: Path) -> None:
    layout, embedder = VaultLayout(vault), load_embedder()
    with writer_lock(layout), building(layout, embedder.binding) as next_generation:
        ledger = next_generation.ledger
        ledger.add_run("older", datetime.now(UTC), "test", {})
        ledger.query(
            """UPDATE threads SET conversation_ids = list_append(conversation_ids,
               (SELECT conversation_id FROM conversations WHERE title = 'Visa'))"""
        )
        ledger.settle(LINKED_BY, "1")
        next_generation.publish("older", datetime.now(UTC))
