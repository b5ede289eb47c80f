"""The graph of names: what it links, that accounts never meet in it, and what its circles are called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vault.ledger import Ledger
from vault.name_graph import LinkKind, NameGraph, circles_of, labelled, publish_names

PEOPLE = ("Aksel", "Runa", "Tove", "Ivar")


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "ledger.duckdb", read_only=False) as opened:
        yield opened


def put(ledger: Ledger, notes: Sequence[tuple[str, str, str]], state: str = "review") -> None:
    """Notes as (account, conversation, text), each with an id of its own words and place."""
    ((already,),) = ledger.query("SELECT count(*) FROM units")
    ledger.insert(
        """INSERT INTO units (id, account, conversation_id, category, text, speaker, active_branch, extractor,
                              evidence, context, verdicts, gate_state, run)
           SELECT id, account, talk, 'fact', text, 'owner', true, 't', [], [], [], 'review', 'r'
           FROM new_rows""",
        [
            {"id": f"{account} {int(str(already)) + n}", "account": account, "talk": talk, "text": text}
            for n, (account, talk, text) in enumerate(notes)
        ],
    )
    ledger.query(
        """INSERT INTO unit_events (event_no, unit_id, state, actor, reason, "at", run)
           SELECT $start + row_number() OVER (), id, $state, 'gate', '', now(), 'r' FROM units
           WHERE id NOT IN (SELECT unit_id FROM unit_events)""",
        {"start": already, "state": state},
    )


def met(*names: str) -> str:
    return f"In May there met {' and '.join(names)} again."


def test_names_are_linked_by_notes_and_by_talks(ledger: Ledger) -> None:
    put(
        ledger,
        [
            ("ada", "one", met("Aksel", "Runa")),
            ("ada", "two", met("Aksel", "Runa")),
            ("ada", "two", met("Tove")),
            ("ada", "three", met("Tove")),
            ("ada", "three", met("Aksel")),
        ],
    )
    publish_names(ledger)
    graph = NameGraph(ledger)
    assert graph.known("ada", ["aksel", "soup", "TOVE"]) == ["Aksel", "Tove"]
    assert graph.beside("ada", ["Aksel"], 5) == [("Runa", LinkKind.NOTE, 2), ("Tove", LinkKind.TALK, 2)]
    assert graph.beside("ada", ["Aksel"], 1) == [("Runa", LinkKind.NOTE, 2)]
    assert graph.standing_in("ada", ["ada 0"], ["three"]) == ["Aksel", "Runa", "Tove"]
    assert set(graph.notes("ada", ["Tove"], 5)) == {"ada 2", "ada 3"}
    assert set(graph.circle("ada", ["Tove"])) == {"Aksel", "Runa"}


def test_what_was_rejected_names_nobody(ledger: Ledger) -> None:
    put(ledger, [("ada", "one", met("Aksel")), ("ada", "two", met("Aksel"))], "rejected")
    publish_names(ledger)
    assert NameGraph(ledger).known("ada", ["Aksel"]) == []


def test_a_publication_without_change_writes_no_row(ledger: Ledger) -> None:
    put(ledger, [("ada", f"talk {n}", met(*PEOPLE[:3])) for n in range(4)])
    publish_names(ledger)
    tables = ("note_names", "name_links", "name_groups")
    before = [ledger.query(f"SELECT rowid, * FROM {table} ORDER BY ALL") for table in tables]
    publish_names(ledger)
    assert [ledger.query(f"SELECT rowid, * FROM {table} ORDER BY ALL") for table in tables] == before
    assert all(before)


TOLD = st.lists(
    st.tuples(
        st.sampled_from(("ada", "bo", "cy")),
        st.sampled_from(("one", "two")),
        st.lists(st.sampled_from(PEOPLE), min_size=1, max_size=3, unique=True).map(lambda them: met(*them)),
    ),
    max_size=25,
)


@contextmanager
def emptied_after(ledger: Ledger) -> Iterator[None]:
    """What is written here is gone afterwards: a ledger of its own takes 80 ms to make."""
    ledger.query("BEGIN")
    try:
        yield
    finally:
        ledger.query("ROLLBACK")


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(TOLD)
def test_an_account_s_graph_is_as_if_it_were_alone(ledger: Ledger, told: list[tuple[str, str, str]]) -> None:
    notes = [(account, f"{account} {talk}", text) for account, talk, text in told]
    with emptied_after(ledger):
        put(ledger, notes)
        publish_names(ledger)
        together = {one: answers(NameGraph(ledger), one) for one in ("ada", "bo", "cy")}
    for account, said in together.items():
        with emptied_after(ledger):
            put(ledger, [one for one in notes if one[0] == account])
            publish_names(ledger)
            assert answers(NameGraph(ledger), account) == said


def answers(graph: NameGraph, account: str) -> list[object]:
    talks = [f"{account} one", f"{account} two"]
    return [
        graph.known(account, PEOPLE),
        graph.standing_in(account, [], talks),
        *(graph.beside(account, [one], 5) for one in PEOPLE),
        *(graph.circle(account, [one]) for one in PEOPLE),
        *(len(graph.notes(account, [one], 50)) for one in PEOPLE),
    ]


def test_two_groups_are_two_circles() -> None:
    left, right = [f"a{n}" for n in range(5)], [f"b{n}" for n in range(4)]
    links = [(one, other, 3.0) for group in (left, right) for one in group for other in group if one < other]
    links.append(("a0", "b0", 1.0))
    assert circles_of(links) == [set(left), set(right)]
    assert circles_of(reversed(links)) == [set(left), set(right)]
    assert circles_of([("x", "y", 1.0)]) == []


def test_a_circle_keeps_its_label_while_most_stay() -> None:
    first = labelled([{"Aksel", "Runa", "Tove"}, {"Oban", "Mull", "Iona"}], {"Runa": 9, "Oban": 4}, {})
    assert set(first.values()) == {"Runa", "Oban"}
    later = [{"Oban", "Mull", "Iona", "Skye", "Runa"}, {"Aksel", "Tove", "Ivar"}]
    again = labelled(later, {"Runa": 9, "Skye": 20, "Tove": 5}, first)
    assert again == {
        "Oban": "Oban", "Mull": "Oban", "Iona": "Oban", "Skye": "Oban", "Runa": "Oban",
        "Aksel": "Tove", "Tove": "Tove", "Ivar": "Tove",
    }  # fmt: skip
