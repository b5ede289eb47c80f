from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from evals.bm25 import Bm25, terms
from evals.locomo import read_pair, score_pairs
from evals.ranking import FoundIds, Ranked, measure, ranker
from evals.realmem import read_person, score_people
from schemas.errors import PathMissing

CONVERSATIONS = {
    "c-old": ("2026-01-01", "My ferret Biscuit chews every cable in the flat."),
    "c-mid": ("2026-02-01", "The piano tuner comes twice a year."),
    "c-new": ("2026-03-01", "A ferret cage needs two levels and a hammock."),
}


def write_person(folder: Path, name: str = "mara") -> Path:
    export = [
        {
            "id": identity,
            "conversation_id": identity,
            "title": "Talk",
            "create_time": datetime.fromisoformat(f"{day}T08:00:00+00:00").timestamp(),
            "update_time": None,
            "current_node": f"{identity}-1",
            "mapping": {
                f"{identity}-1": {
                    "id": f"{identity}-1",
                    "parent": None,
                    "children": [],
                    "message": {
                        "id": f"{identity}-1",
                        "author": {"role": "user"},
                        "create_time": datetime.fromisoformat(f"{day}T08:00:00+00:00").timestamp(),
                        "content": {"content_type": "text", "parts": [text]},
                    },
                }
            },
        }
        for identity, (day, text) in CONVERSATIONS.items()
    ]
    (folder / f"{name}.json").write_text(json.dumps(export), encoding="utf-8")
    query = {
        "id": "q1",
        "query": "what does the ferret chew",
        "before": "2026-02-15T00:00:00Z",
        "category": "plain",
        "gold_conversations": ["c-old"],
        "gold_notes": [],
    }
    (folder / f"{name}.queries.jsonl").write_text(json.dumps(query) + "\n", encoding="utf-8")
    return folder / f"{name}.json"


def write_pair(folder: Path) -> Path:
    session = {
        "id": "s1",
        "owner": "Ada",
        "title": "Ada and Bo",
        "created_at": "2026-01-01T08:00:00Z",
        "messages": [
            {
                "id": "m1",
                "role": "user",
                "name": "Ada",
                "created_at": "2026-01-01T08:00:00Z",
                "text": "Got a dog?",
            },
            {
                "id": "m2",
                "role": "user",
                "name": "Bo",
                "created_at": "2026-01-01T08:01:00Z",
                "text": "Yes, Rex.",
            },
        ],
    }
    (folder / "pair.transcript.jsonl").write_text(json.dumps(session) + "\n", encoding="utf-8")
    queries = [
        {"id": "q1", "query": "does Bo have a dog", "category": 1, "gold_messages": ["m2"]},
        {"id": "q2", "query": "does Bo have a cat", "category": 5, "gold_messages": ["m1"]},
        {"id": "q3", "query": "no gold", "category": 1, "gold_messages": []},
    ]
    text = "".join(json.dumps(row) + "\n" for row in queries)
    (folder / "pair.queries.jsonl").write_text(text, encoding="utf-8")
    return folder / "pair.transcript.jsonl"


def test_metrics_by_hand() -> None:
    rows = [
        Ranked("a", frozenset({"x"}), ["x", "y"]),
        Ranked("a", frozenset({"x", "z"}), ["y", "x", "w", "v", "u", "z"]),
        Ranked("a", frozenset({"q"}), []),
        Ranked("a", frozenset(), ["x"]),
    ]
    found = measure(rows)
    assert found.rows == 3
    assert found.recall_at_1 == pytest.approx(1 / 3, abs=1e-4)
    assert found.recall_at_5 == pytest.approx((1 + 0.5) / 3, abs=1e-4)
    assert found.recall_at_10 == pytest.approx(2 / 3, abs=1e-4)
    assert found.mrr == pytest.approx((1 + 0.5) / 3, abs=1e-4)


def test_bm25_by_hand() -> None:
    index = Bm25(["red kite", "red red barn door", "blue door"])
    assert terms("The kites were Running") == ["kite", "run"]
    # idf of "kite" is ln(1 + 2.5 / 1.5); the text is 2 terms long, the average 8 / 3
    expected = 0.9808 * (1 * 2.2) / (1 + 1.2 * (0.25 + 0.75 * 2 / (8 / 3)))
    assert index.scores("kite")[0] == pytest.approx(expected, abs=1e-3)
    assert index.ranking("red") == [1, 0]
    assert index.ranking("the green") == []


def test_realmem_ranks_within_the_person_and_before_the_moment(tmp_path: Path) -> None:
    person = read_person(write_person(tmp_path))
    asked: list[tuple[str, str]] = []
    ours = {one.native_id: one.id for one in person.conversations}

    def rank(query: str, account: str, before: datetime | None) -> FoundIds:
        asked.append((query, account))
        assert before is not None
        return FoundIds(
            conversations=(ours["c-mid"], ours["c-old"]),
            messages=(),
            packages={1000: (ours["c-old"],), 2000: (ours["c-mid"],)},
        )

    score = score_people([person], rank, "offline", tmp_path / "dump.jsonl")
    assert asked == [("what does the ferret chew", person.account)]
    assert (score.recall_at_1, score.recall_at_5, score.mrr, score.rows) == (0, 1, 0.5, 1)
    assert score.baseline.recall_at_1 == 1
    assert score.recall_in_package == {1000: 1, 2000: 0}
    row = json.loads((tmp_path / "dump.jsonl").read_text(encoding="utf-8"))
    assert row["ranked"] == ["c-mid", "c-old"]
    assert row["baseline"] == ["c-old"]  # c-new shares a word, and is too young


def test_locomo_scores_messages_and_sessions_and_leaves_category_5_out(tmp_path: Path) -> None:
    pair = read_pair(write_pair(tmp_path))
    ours = {native: own for own, native in pair.natives.items()}

    def rank(query: str, account: str, before: datetime | None) -> FoundIds:
        return FoundIds(
            conversations=(ours["s1"],), messages=(ours["m2"],), packages={1000: (), 2000: (ours["s1"],)}
        )

    score = score_pairs([pair], rank, "offline")
    assert (score.rows, score.recall_at_1) == (1, 1)
    assert score.by_category["1-5"].rows == 2
    assert score.session is not None
    assert score.session.recall_at_1 == 1
    assert score.baseline.recall_at_10 == 1
    assert score.recall_in_package == {1000: 0, 2000: 1}


def test_a_folder_without_queries_is_named(tmp_path: Path) -> None:
    archive = write_person(tmp_path)
    (tmp_path / "mara.queries.jsonl").unlink()
    with pytest.raises(PathMissing, match="queries"):
        read_person(archive)


def test_people_with_the_same_ids_are_told_apart(tmp_path: Path) -> None:
    archives = [write_person(tmp_path, name) for name in ("mara", "nils")]
    people = [read_person(path) for path in archives]
    assert len({person.account for person in people}) == 2
    with ranker(archives, tmp_path / "vault") as rank:
        score = score_people(people, rank, "offline")
    assert (score.rows, score.recall_at_1) == (2, 1.0)
