"""Counts by path are exact at every size, and what the owner does about paths stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas.act import Act, ActKind
from schemas.unit import RECALLED_STATES, State
from vault.ledger import Ledger
from vault.path_queries import Survey, branches, keys_of, notes_at, notes_of
from vault.paths import PUBLISHED, SETTLED, publish_paths, settle_paths, standing_path_acts

SAID = datetime(2026, 3, 14, tzinfo=UTC)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "ledger.duckdb", read_only=False) as opened:
        yield opened


def put(ledger: Ledger, notes: list[tuple[str, str, str]], state: str = "passed") -> None:
    """Notes as (id, account, path); one that stands twice lies at two paths."""
    at = pa.scalar(SAID, pa.timestamp("us", tz="UTC"))
    known = list({unit: account for unit, account, _ in notes}.items())
    ids, accounts = [one for one, _ in known], [one for _, one in known]
    none = pa.array([[]] * len(ids), pa.list_(pa.struct([("message_id", pa.string())])))
    ledger.append(
        "units",
        pa.table({
            "id": ids, "account": accounts, "conversation_id": ids, "category": ["fact"] * len(ids),
            "text": [f"Note {one}." for one in ids], "speaker": ["owner"] * len(ids),
            "said_at": pa.array([at.as_py()] * len(ids), at.type), "active_branch": [True] * len(ids),
            "extractor": ["t"] * len(ids), "gate_state": [state] * len(ids), "run": ["r"] * len(ids),
        }).append_column("evidence", pa.array([[]] * len(ids), pa.list_(EVIDENCE)))
        .append_column("context", pa.array([[]] * len(ids), pa.list_(EVIDENCE)))
        .append_column("verdicts", pa.array([[]] * len(ids), pa.list_(VERDICT))),
    )  # fmt: skip
    assert len(none) == len(ids)
    ledger.append(
        "unit_events",
        pa.table({
            "event_no": list(range(len(ids))), "unit_id": ids, "state": [state] * len(ids),
            "actor": ["gate:1"] * len(ids), "reason": [""] * len(ids),
            "at": pa.array([at.as_py()] * len(ids), at.type), "run": ["r"] * len(ids),
        }),
    )  # fmt: skip
    ledger.append(
        "filed_paths",
        pa.table({
            "unit_id": [one for one, _, _ in notes], "account": [one for _, one, _ in notes],
            "path": [one for _, _, one in notes], "likeness": [1.0] * len(notes),
            "content_hash": [""] * len(notes), "run": ["r"] * len(notes),
        }),
    )  # fmt: skip


EVIDENCE = pa.struct(
    [
        ("message_id", pa.string()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("quote", pa.string()),
        ("text_hash", pa.string()),
    ]
)
VERDICT = pa.struct([("criterion", pa.string()), ("outcome", pa.string()), ("reason", pa.string())])


def counted(ledger: Ledger, depth: int, *globs: str, account: str = "ada") -> dict[str, int]:
    found = branches(ledger, PUBLISHED, Survey(account, globs=globs), depth)
    return {one.prefix: one.keys for one in found}


def act(seq: int, kind: ActKind, subject: str, detail: str) -> Act:
    return Act(
        seq=seq, id=f"a{seq}", lot=f"l{seq}", kind=kind, subject=subject, actor="user", reason="", at=SAID,
        detail=detail,
    )  # fmt: skip


def lying(ledger: Ledger, acts: list[Act]) -> set[tuple[str, str]]:
    settle_paths(ledger, acts)
    found = ledger.query(f"SELECT unit_id, path FROM {SETTLED.notes} WHERE tree = 'paths'")
    return {(str(unit), str(path)) for unit, path in found}


@pytest.mark.parametrize("count", [1, 1_024, 1_025, 10_000])
def test_counts_sum_to_the_truth_at_every_size(ledger: Ledger, count: int) -> None:
    keys = [f"l{n % 12}.m{n % 50}.k{n}" for n in range(count)]
    put(ledger, [(f"u{n}", "ada", key) for n, key in enumerate(keys)])
    publish_paths(ledger)
    for depth in (1, 2, 3, 9):
        truth = Counter(".".join(key.split(".")[:depth]) for key in keys)
        assert counted(ledger, depth) == dict(truth)
    assert notes_of(ledger, PUBLISHED, "ada") == count
    assert keys_of(ledger, PUBLISHED, Survey("ada", globs=("*",))) == sorted(keys)
    assert sum(counted(ledger, 2, "l1.*").values()) == sum(fnmatchcase(key, "l1.*") for key in keys)


def test_depths_cut_keys_and_short_keys_count_as_they_are(ledger: Ledger) -> None:
    keys = ("preferences.coding.style", "preferences.tools.editor", "context.project.stack")
    put(ledger, [(key, "ada", key) for key in keys])
    publish_paths(ledger)
    assert counted(ledger, 1) == {"context": 1, "preferences": 2}
    assert counted(ledger, 2) == {"context.project": 1, "preferences.coding": 1, "preferences.tools": 1}
    assert counted(ledger, 9) == dict.fromkeys(sorted(keys), 1)


def test_globs_are_a_union_and_compose_with_depth(ledger: Ledger) -> None:
    keys = ("a.project.x", "a.other.y", "b.project.z", "c.thing", "A_.project.x")
    put(ledger, [(key, "ada", key) for key in keys])
    publish_paths(ledger)
    assert counted(ledger, 9, "a.*", "b.*") == {"a.other.y": 1, "a.project.x": 1, "b.project.z": 1}
    assert counted(ledger, 1, "*.project.*") == {"A_": 1, "a": 1, "b": 1}
    assert counted(ledger, 2, "a.*", "a.project.*") == {"a.other": 1, "a.project": 1}


_NAMES = st.sampled_from(["a", "b", "ab", "a-b", "a_b", "z"])


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sets(st.lists(_NAMES, min_size=1, max_size=3).map(".".join), min_size=1, max_size=12))
def test_counts_below_a_path_are_those_of_a_walk_over_all(ledger: Ledger, keys: set[str]) -> None:
    ledger.query("DELETE FROM units")
    ledger.query("DELETE FROM unit_events")
    ledger.query("DELETE FROM filed_paths")
    put(ledger, [(f"{place % 5}", "ada", key) for place, key in enumerate(sorted(keys))])
    publish_paths(ledger)
    for above in {key.rpartition(".")[0] or key for key in keys} | {"a", "none"}:
        glob = f"{above}.*"
        counts, walk = Survey("ada", globs=(glob,)), Survey("ada", globs=(glob, glob))
        for depth in (1, 2, 3):
            assert branches(ledger, PUBLISHED, counts, depth) == branches(ledger, PUBLISHED, walk, depth)
        below = [key for key in sorted(keys) if fnmatchcase(key, glob)]
        assert keys_of(ledger, PUBLISHED, counts) == keys_of(ledger, PUBLISHED, walk) == below


def test_a_bare_prefix_is_a_key_beside_what_lies_below_it(ledger: Ledger) -> None:
    put(ledger, [("one", "ada", "preferences"), ("two", "ada", "preferences.food"),
                 ("three", "ada", "preferences.food.fish")])  # fmt: skip
    publish_paths(ledger)
    assert counted(ledger, 1) == {"preferences": 3}
    assert counted(ledger, 2) == {"preferences": 1, "preferences.food": 2}
    assert notes_at(ledger, PUBLISHED, "ada", ["preferences", "preferences.food"]).keys() == {
        "preferences", "preferences.food",
    }  # fmt: skip


def test_of_a_note_at_two_paths_keys_count_two_and_notes_one(ledger: Ledger) -> None:
    put(ledger, [("one", "ada", "home.garden.a"), ("one", "ada", "home.repairs.a")])
    publish_paths(ledger)
    (home,) = branches(ledger, PUBLISHED, Survey("ada"), 1)
    assert (home.keys, home.notes, home.sample) == (2, 1, "Note one.")
    (globbed,) = branches(ledger, PUBLISHED, Survey("ada", globs=("home.*",)), 1)
    assert globbed == home


def test_accounts_see_nothing_of_one_another(ledger: Ledger) -> None:
    put(ledger, [("one", "alice", "home.garden"), ("two", "bob", "home.garden"), ("three", "bob", "food")])
    publish_paths(ledger)
    assert counted(ledger, 3, account="alice") == {"home.garden": 1}
    at = notes_at(ledger, PUBLISHED, "alice", ["home.garden", "food"])
    assert [note["id"] for note in at["home.garden"]] == ["one"]
    assert "food" not in at


def test_what_recall_tells_has_paths_and_nothing_else(ledger: Ledger) -> None:
    for state in State:
        put(ledger, [(f"{state}", "ada", f"{state}.garden")], state=state.value)
    publish_paths(ledger)
    assert counted(ledger, 1) == dict.fromkeys(sorted(RECALLED_STATES), 1)


def test_acts_hold_in_the_order_in_which_they_were_done(ledger: Ledger) -> None:
    put(ledger, [("one", "ada", "home.garden.a"), ("two", "ada", "homework.x"), ("two", "ada", "home"),
                 ("of ben", "ben", "home.garden.a")])  # fmt: skip
    renamed = act(2, ActKind.PATH_RENAME, "home", "house ada")
    moved = act(3, ActKind.PATH_MOVE, "one", "home.shed food")
    ben = ("of ben", "home.garden.a")
    assert lying(ledger, [renamed]) == {
        ("one", "house.garden.a"), ("two", "homework.x"), ("two", "house"), ben,
    }  # fmt: skip
    assert lying(ledger, [renamed, moved]) >= {("one", "home.shed"), ("one", "food"), ben}
    again = act(4, ActKind.PATH_MERGE, "home", "house ada")
    assert lying(ledger, [renamed, moved, again]) >= {("one", "house.shed"), ("one", "food"), ben}
    deep = act(5, ActKind.PATH_RENAME, "house.garden", "a.b.c ada")
    assert ("one", "a.b.c") in lying(ledger, [renamed, deep])


def test_a_small_change_leaves_the_rows_of_the_rest(ledger: Ledger) -> None:
    put(ledger, [(f"u{n}", "ada", f"home.m{n}") for n in range(200)])
    publish_paths(ledger)
    before = ledger.query("SELECT rowid, path FROM note_paths WHERE tree = 'paths' ORDER BY ALL")
    ledger.query(
        "INSERT INTO acts VALUES (1, 'a', 'l', 'path_move', 'u7', 'user', '', ?, 'food.x', 'r')", [SAID]
    )
    assert [one.detail for one in standing_path_acts(ledger)] == ["food.x"]
    publish_paths(ledger)
    after = ledger.query("SELECT rowid, path FROM note_paths WHERE tree = 'paths' ORDER BY ALL")
    assert len(after) == 200
    assert {path for _, path in after} - {path for _, path in before} == {"food.x"}
    assert len(set(before) & set(after)) == 199
    assert counted(ledger, 1) == {"food": 1, "home": 199}
