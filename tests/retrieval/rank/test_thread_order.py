"""What a thread does to the order of its notes."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_memory import ACCOUNT, NOON, make_index, note

from inference.embedder import Embedder
from inference.sparse import encode_document
from retrieval.question import LIMIT, Question
from retrieval.search.hybrid import gather
from retrieval.thread_order import LENT_SHARE, NEWEST_SESSIONS, lent, newer_sessions, newest_sessions
from schemas.ids import point_id
from tests.asking import recall
from vault.edge import EdgeIndex
from vault.index import IndexedPoint, Where
from vault.points import Payload, PointKind, SparseVector, ThreadMember, members_among, threads_among

SESSIONS = ("first", "second", "third", "fourth")


def began(number: int) -> datetime:
    return NOON + timedelta(days=number)


def thread(*conversations: str) -> Payload:
    members = tuple(
        ThreadMember(conversation_id=one, began=began(place)) for place, one in enumerate(conversations)
    )
    text = "the thread of " + " and ".join(conversations)
    point = note("hedge", text, PointKind.THREAD, conversation="hedge", said_at=began(len(conversations)))
    return point.model_copy(update={"members": members})


def memory(folder: Path, embedder: Embedder, notes: list[Payload], *threads: Payload) -> EdgeIndex:
    index = make_index(folder, embedder, notes)
    index.upsert(
        IndexedPoint(
            point_id(one.kind, one.ref),
            one,
            embedder.embed([one.text])[0],
            SparseVector(*encode_document(one.text)),
        )
        for one in threads
    )
    return index


def test_newer_sessions_are_those_that_were_known_then() -> None:
    threads = threads_among(members_among([thread(*SESSIONS)]))
    assert [newer_sessions(one, threads, began(9)) for one in SESSIONS] == [3, 2, 1, 0]
    assert [newer_sessions(one, threads, began(2)) for one in SESSIONS] == [1, 0, 0, 0]
    assert newer_sessions("elsewhere", threads, began(9)) == 0


def test_the_newest_sessions_are_those_that_were_known_then() -> None:
    threads = threads_among(members_among([thread(*SESSIONS)]))
    assert newest_sessions(["elsewhere", "first", "third"], threads, began(9)) == ["third", "fourth"]
    assert newest_sessions(["first"], threads, began(2)) == ["first", "second"]
    assert NEWEST_SESSIONS == 2


def test_the_newest_sessions_of_the_first_three_threads_are_taken() -> None:
    four = [thread(f"old {number}", f"new {number}") for number in range(4)]
    four = [one.model_copy(update={"ref": f"thread {number}"}) for number, one in enumerate(four)]
    threads = threads_among(members_among(four))
    asked = [f"old {number}" for number in (2, 0, 3, 1)]
    both = [[f"old {number}", f"new {number}"] for number in (2, 0, 3)]
    assert newest_sessions(asked, threads, began(9)) == [session for pair in both for session in pair]


def test_an_undated_session_is_neither_older_nor_newer() -> None:
    dated = thread("first", "second")
    undated = ThreadMember(conversation_id="some day", began=None)
    threads = threads_among(members_among([dated.model_copy(update={"members": (*dated.members, undated)})]))
    assert [newer_sessions(one, threads, began(9)) for one in ("first", "second", "some day")] == [1, 0, 0]


def test_a_thread_lends_the_score_of_its_best_other_conversation() -> None:
    scores = [("t", "a", 0.2), ("t", "a", 0.8), ("t", "b", 0.5), ("", "c", 0.9), ("u", "d", 0.7)]
    assert lent(scores) == pytest.approx({"a": LENT_SHARE * 0.5, "b": LENT_SHARE * 0.8, "d": 0.0})


@given(st.lists(st.tuples(st.sampled_from("tu"), st.sampled_from("abc"), st.floats(0, 1)), max_size=12))
def test_a_loan_never_puts_a_conversation_before_a_better_one_of_its_thread(
    scores: list[tuple[str, str, float]],
) -> None:
    named = [(one, one + conversation, score) for one, conversation, score in scores]
    gifts = lent(named)
    best: dict[tuple[str, str], float] = {}
    for one, conversation, score in named:
        best[one, conversation] = max(score, best.get((one, conversation), 0.0))
    for (one, conversation), score in best.items():
        for (other_thread, other), less in best.items():
            if one == other_thread and score > less:
                assert score + gifts[conversation] >= less + gifts[other]


def test_a_newer_session_ages_the_notes_of_its_own_thread_alone(tmp_path: Path, embedder: Embedder) -> None:
    said = "the hornbeam hedge is watered on Mondays"
    notes = [
        note("old", said, conversation="first", said_at=NOON),
        note("alone", f"{said}, too", conversation="elsewhere", said_at=NOON),
        note("new", "the hedge trimmer is at Odile's", conversation="second", said_at=began(1)),
    ]
    apart = memory(tmp_path / "apart", embedder, notes)
    joined = memory(tmp_path / "joined", embedder, notes, thread("first", "second"))

    def recency_of(index: EdgeIndex, ref: str) -> float:
        package = recall(
            "when is the hornbeam hedge watered?",
            index=index,
            embedder=embedder,
            account=ACCOUNT,
            as_of=began(5),
            judged=False,
        )
        return next(hit.recency for hit in package.hits if hit.id == ref)

    assert recency_of(joined, "old") < recency_of(apart, "old")
    assert recency_of(joined, "alone") == recency_of(apart, "alone")
    assert recency_of(joined, "new") == recency_of(apart, "new")


def test_the_newest_session_of_a_thread_is_a_candidate_whatever_words_it_uses(
    tmp_path: Path, embedder: Embedder
) -> None:
    hedges = [note(f"h{n}", f"hornbeam hedge, metre {n}", conversation="first") for n in range(8)]
    later = note("later", "Odile brings it back on Tuesday", conversation="second", said_at=began(1))
    beyond = note("beyond", "it was broken, sadly", conversation="third", said_at=began(2))
    index = memory(tmp_path, embedder, [*hedges, later, beyond], thread("first", "second", "third"))

    def found(as_of: datetime, where: Where) -> set[str]:
        question = Question("the hornbeam hedge", where, as_of, LIMIT, pool=4)
        came = [one.payload for one in gather(question, index, embedder)]
        return {one.conversation_id for one in came if one.kind is not PointKind.THREAD}

    assert found(began(2), Where(ACCOUNT)) == {"first", "second"}
    assert found(began(9), Where(ACCOUNT)) == {"first", "second", "third"}
    assert found(began(9), Where(ACCOUNT, before=began(1))) == {"first"}
    assert found(began(9), Where(ACCOUNT, kinds=(PointKind.UNIT,))) == {"first"}
