"""Threads through the ingest: ids stay, a night touches only its thread, recall and `get` know them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from flows.linking import POINTED_BY
from flows.loading import PointChanges, apply_changes
from flows.steps import IngestRequest, ingest
from flows.verifying import verify
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
    ("user", "My hornbeam hedge grew 20 cm over the garden fence. I decided to prune the hedge in June."),
    ("assistant", "Prune a hornbeam hedge twice a year. You could leave the hedge wider at its foot."),
    (
        "user",
        "I will return the hedge trimmer to Odile on Monday. Does hornbeam need fertiliser in the garden?",
    ),
]
WATERING: Turns = [
    ("user", "The hornbeam hedge at the garden fence has dry leaves. I decided to water the hedge weekly."),
    ("assistant", "Water a young hornbeam hedge with ten litres a metre. Mulch keeps the hedge moist."),
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
FIRST = {"hedge": HEDGE, "rye": RYE, "pruning": PRUNING, "crust": CRUST, "visa": VISA}


def run(vault: Path, archive: Path) -> None:
    assert ingest(IngestRequest(vault, (archive,))).published


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
    assert any("prune" in line["text"] for line in shown["map"]["in_force"])
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
        "The hornbeam hedge at the garden fence is green. I changed my mind: I decided to no longer water the"
        " hedge weekly.",
    ),
    ("assistant", "A grown hornbeam hedge at a fence needs no watering. Mulch keeps the hedge moist."),
]
WITHDRAWN: Turns = [
    (
        "user",
        "The hornbeam hedge at the garden fence is green."
        " I am not going to water the hedge weekly after all.",
    ),
    ("assistant", "A grown hornbeam hedge at a fence needs no watering. Mulch keeps the hedge moist."),
]


@pytest.mark.parametrize("later", [DROPPED, WITHDRAWN])
def test_what_a_later_session_takes_back_is_not_in_force(
    tmp_path: Path, export: Exporter, later: Turns
) -> None:
    vault = tmp_path / "vault"
    run(vault, export("ada", {"hedge": HEDGE, "watering": WATERING, "dropped": later}))
    with open_vault(vault) as reader:
        (made,) = thread_maps_of(reader.ledger, "ada").values()
    in_force = [line.text for line in made.in_force]
    taken_back = ("no longer", "not going")
    assert not any("water" in text and not any(one in text for one in taken_back) for text in in_force)
    (gone,) = made.superseded
    assert "water the hedge weekly" in gone.text
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
