from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import retrieval
from inference.embedder import Embedder
from retrieval import Package
from retrieval.supplement import GIVEN_BEFORE, LEAST_ROOM, RecallSession
from schemas.errors import UnknownId
from tests.asking import question
from tests.retrieval.small_memory import ACCOUNT, make_index, note
from vault.edge import EdgeIndex
from vault.layout import VaultLayout
from vault.points import Payload, PointKind
from vault.sessions import Sessions

PAINT = [
    "I decided to paint the hull of the boat green.",
    "The green paint for the boat comes from Kiel.",
    "The hull of the boat takes two coats of paint.",
    "Paint on the boat's hull must dry for two days.",
    "The boat's paint costs forty euros a litre.",
    "Otto will help to paint the hull of the boat.",
]
OTTO = "otto"
START = "The boat's hull is painted green with paint from Kiel. "
END = "The boat's hull paint costs forty euros."
LONG = START + "It dries for two days in the shed by the water. " * 30 + END


def of_otto(ref: str, text: str, kind: PointKind = PointKind.UNIT) -> Payload:
    at = LONG.index(text)
    return note(ref, text, kind, account=OTTO, message="m", span=(at, at + len(text)))


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[EdgeIndex]:
    notes = [note(f"p{at}", text, conversation=f"talk {at}") for at, text in enumerate(PAINT)]
    notes.append(note("again", PAINT[0], conversation="later"))
    passage = of_otto("long", LONG, PointKind.CHUNK)
    notes += [passage, of_otto("price", END), of_otto("colour", START.strip())]
    opened = make_index(tmp_path_factory.mktemp("paint") / "index", embedder, notes)
    yield opened
    opened.close()


@pytest.fixture
def session(tmp_path: Path) -> RecallSession:
    return RecallSession(Sessions(VaultLayout(tmp_path)), "chat-42", budget=1500, calls=4)


def asked(index: EdgeIndex, embedder: Embedder, session: RecallSession, **given: object) -> Package:
    words = question("what paint for the boat's hull?", ACCOUNT, kinds=(PointKind.UNIT,), **given)
    return retrieval.recall(words, index, embedder, session)


def test_a_session_is_never_given_a_note_twice(
    index: EdgeIndex, embedder: Embedder, session: RecallSession
) -> None:
    packages = [asked(index, embedder, session, limit=2) for _ in range(4)]
    texts = [hit.text for package in packages for hit in package.hits]
    assert set(texts) == set(PAINT)
    assert len(texts) == len(PAINT)  # of two that say the same, one
    assert packages[-1].hits == ()
    assert [one.session.call for one in packages if one.session] == [1, 2, 3, 4]


def test_a_session_keeps_to_its_budget(index: EdgeIndex, embedder: Embedder, session: RecallSession) -> None:
    tight = replace(session, budget=150, calls=10)
    packages = [asked(index, embedder, tight, limit=3) for _ in range(10)]
    assert sum(one.tokens for one in packages if one.session and not one.session.refused) <= 150
    last = packages[-1].session
    assert last is not None
    assert "tokens are left" in last.refused
    assert last.tokens_left < LEAST_ROOM
    assert packages[-1].hits == ()


def test_calls_after_the_last_one_are_refused(
    index: EdgeIndex, embedder: Embedder, session: RecallSession
) -> None:
    short = replace(session, calls=1)
    assert asked(index, embedder, short, limit=1).hits
    refused = asked(index, embedder, short, limit=1)
    assert refused.hits == ()
    assert "its 1 calls are made" in refused.render()
    record = session.sessions.named(ACCOUNT, "chat-42")
    assert record is not None
    assert (record.refused, len(record.calls)) == (1, 1)


def test_the_log_says_what_was_asked_and_given(
    index: EdgeIndex, embedder: Embedder, session: RecallSession
) -> None:
    token = "ghp_" + "A1b2C3d4E5f6G7h8I9j0" + "K1l2M3n4O5p6Q7r8"
    package = asked(index, embedder, replace(session, why=f"with {token}"), limit=2)
    (call,) = session.sessions.named(ACCOUNT, "chat-42").calls  # type: ignore[union-attr]  # it was just made
    assert call.need == "what paint for the boat's hull?"
    assert token not in call.why
    assert [one.ref for one in call.given] == [hit.id for hit in package.hits]
    assert call.tokens == package.tokens


def test_what_was_given_is_dropped_with_its_reason(
    index: EdgeIndex, embedder: Embedder, session: RecallSession
) -> None:
    asked(index, embedder, session, limit=2)
    more = asked(index, embedder, session, explained=True)
    reasons = [one.reason for one in more.dropped if one.stage == GIVEN_BEFORE]
    assert "this session has it" in reasons


def test_a_session_that_has_to_be_there_is_not_begun(
    index: EdgeIndex, embedder: Embedder, session: RecallSession
) -> None:
    with pytest.raises(UnknownId, match="Begin one"):
        asked(index, embedder, replace(session, going_on=True))


def test_two_at_once_are_given_different_notes(
    index: EdgeIndex, embedder: Embedder, session: RecallSession
) -> None:
    packages: list[Package] = []
    both = threading.Barrier(2)

    def ask() -> None:
        both.wait()
        packages.append(asked(index, embedder, session, limit=2))

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    ids = [hit.id for package in packages for hit in package.hits]
    assert len(ids) == len(set(ids)) == 4
    assert {one.session.call for one in packages if one.session} == {1, 2}


def test_a_cut_passage_hides_only_what_was_shown(
    index: EdgeIndex, embedder: Embedder, session: RecallSession
) -> None:
    passages = question("boat hull paint green", OTTO, budget=140, kinds=(PointKind.CHUNK,))
    first = retrieval.recall(passages, index, embedder, session)
    assert [(hit.id, hit.cut) for hit in first.hits] == [("long", True)]
    more = retrieval.recall(question("boat hull paint euros", OTTO), index, embedder, session)
    shown = {hit.id for hit in more.hits}
    assert "price" in shown
    assert not {"long", "colour"} & shown
