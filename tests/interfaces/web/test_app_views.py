"""What the application draws: marks on a message, the graph, the calendar, the tree of paths, names."""

from __future__ import annotations

import random
from datetime import date

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interfaces.web.paging import pager
from interfaces.web.responses import counted
from interfaces.web.views.excerpt import whole, with_notes
from interfaces.web.views.graph_drawing import (
    CHARACTER,
    HEIGHT,
    LABEL_HEIGHT,
    WIDTH,
    Circle,
    GraphLink,
    GraphNode,
    drawn,
)
from interfaces.web.views.heat_map import LEVELS, heat_map
from interfaces.web.views.path_tree import tree_of
from vault.deck import Row
from vault.ledger import Ledger
from vault.named_things import lay_out_names, names
from vault.path_queries import PathBranch


def message(text: str) -> Row:
    return {
        "message_id": "m",
        "role": "user",
        "author": None,
        "created_at": None,
        "position": 0,
        "text": text,
    }


def span(start: int, end: int, *, needed: bool) -> Row:
    return {"message_id": "m", "start": start, "end": end, "needed": needed}


def test_a_notes_own_words_are_marked_inside_what_it_needs() -> None:
    shown = whole(
        message("First. The hull is dry. Last."), [span(0, 29, needed=True), span(7, 23, needed=False)]
    )
    assert [(piece.text, piece.mark) for piece in shown.pieces] == [
        ("First. ", "needed"),
        ("The hull is dry.", "said"),
        (" Last.", "needed"),
    ]


BOUNDS = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40), st.booleans()), max_size=6)


@given(st.text(min_size=40, max_size=40), BOUNDS)
def test_marks_leave_the_text_as_it_is(text: str, bounds: list[tuple[int, int, bool]]) -> None:
    places = [span(start, end, needed=needed) for start, end, needed in bounds]
    assert "".join(piece.text for piece in whole(message(text), places).pieces) == text


def test_each_note_has_its_number_at_its_words() -> None:
    notes = [
        {"id": "a", "start": 0, "end": 3},
        {"id": "b", "start": 4, "end": 8},
        {"id": "a", "start": 9, "end": 11},
    ]
    shown = with_notes(message("The hull is dry."), notes)
    assert [(piece.text, piece.number) for piece in shown.pieces] == [
        ("The", 1), (" ", 0), ("hull", 2), (" ", 0), ("is", 1), (" dry.", 0),
    ]  # fmt: skip
    assert [(note["id"], note["number"]) for note in shown.notes] == [("a", 1), ("b", 2)]


def graph(seed: int) -> tuple[dict[str, GraphNode], list[GraphLink]]:
    draw, nodes, links = random.Random(seed), dict[str, GraphNode](), list[GraphLink]()
    for number in range(14):
        thread = f"thread {number}"
        nodes[thread] = GraphNode(
            "thread",
            str(number),
            "paint, hull, primer and rigging"[: draw.randint(6, 31)],
            draw.randint(1, 300),
        )
        for _ in range(4):
            name = f"name {draw.randint(0, 45)}"
            nodes.setdefault(
                name, GraphNode("name", name, "Mara Lindqvist"[: draw.randint(3, 14)], draw.randint(1, 90))
            )
            links.append(GraphLink(thread, name, draw.randint(1, 30)))
    return nodes, links


def overlap(one: Circle, other: Circle) -> bool:
    """Whether the boxes of two circles with their labels share more than an edge of three units."""
    wide = sum(max(len(it.text) * CHARACTER / 2, it.radius) for it in (one, other)) - abs(one.x - other.x)
    tall = min(it.y + it.radius + LABEL_HEIGHT for it in (one, other)) - max(
        it.y - it.radius for it in (one, other)
    )
    return wide > 3 and tall > 3


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_label_of_the_graph_lies_on_another(seed: int) -> None:
    made = drawn(*graph(seed))
    assert len(made.circles) > 40
    assert all(0 <= one.x <= WIDTH and 0 <= one.y <= HEIGHT for one in made.circles)
    pairs = [(a, b) for place, a in enumerate(made.circles) for b in made.circles[:place] if overlap(a, b)]
    assert pairs == []
    assert drawn(*graph(seed)) == made


def test_an_empty_graph_and_one_node_are_drawn() -> None:
    assert drawn({}, []).circles == ()
    assert len(drawn({"thread a": GraphNode("thread", "a", "a", 1)}, []).circles) == 1


def test_a_year_has_every_day_and_its_months_count_them() -> None:
    made = heat_map(2028, {date(2028, 2, 29): 7, date(2028, 3, 1): 1, date(2028, 12, 31): 2})
    assert len(made.days) == 366
    assert made.notes == sum(month.notes for month in made.months) == 10
    levels = {day.day: day.level for day in made.days if day.notes}
    assert levels[date(2028, 2, 29)] == LEVELS
    assert 1 <= levels[date(2028, 3, 1)] < LEVELS
    assert {day.level for day in made.days if not day.notes} == {0}


@pytest.mark.parametrize(
    ("number", "told"), [(0, "0 notes"), (1, "1 note"), ("1", "1 note"), (1200, "1,200 notes")]
)
def test_what_is_counted_is_one_or_several(number: object, told: str) -> None:
    assert counted(number, "note") == told


PATHS = (("work", 2), ("home", 9), ("home.garden", 4), ("home.kitchen", 5), ("home.garden", 4))


def test_paths_become_a_tree_with_the_most_notes_first() -> None:
    found = [PathBranch(prefix, 1, notes, "") for prefix, notes in PATHS]
    made = tree_of(found)
    assert [(twig.path, twig.notes) for twig in made] == [("home", 9), ("work", 2)]
    assert [twig.name for twig in made[0].below] == ["kitchen", "garden"]


@pytest.mark.parametrize(
    ("start", "told"),
    [
        (0, (1, 50, None, "50")),
        (50, (51, 100, "0", "100")),
        (100, (101, 120, "50", None)),
        (500, (120, 120, "450", None)),
    ],
)
def test_a_part_of_a_list_leads_on_and_back(
    start: int, told: tuple[int, int, str | None, str | None]
) -> None:
    made = pager("/notes", {}, start, 120)

    def begins(address: str | None) -> str | None:
        return None if address is None else address.partition("from=")[2] or "0"

    assert (made.first, made.last, begins(made.previous), begins(made.next)) == told


NOTES = (
    "Yesterday Mara Lindqvist painted it.",
    "Mara Lindqvist sails from Oslo.",
    "The hull of Mara Lindqvist was dry in Oslo, and May was warm.",
    "It rained in May. A tip: keep it dry.",
    "The Tip was good, said the Tip.",
    "A tip is a tip.",
)


def test_names_are_what_is_written_as_names_are() -> None:
    with duckdb.connect() as connection:
        ledger = Ledger(connection)
        ledger.query(
            """CREATE TABLE deck AS
               SELECT 'id' || n AS id, text, 'talk' || n AS conversation_id, 'passed' AS state,
                      TIMESTAMPTZ '2026-01-01' AS said_at
               FROM (SELECT unnest($texts) AS text, unnest(range(6)) AS n)""",
            {"texts": list(NOTES)},
        )
        ledger.query("CREATE TABLE threads (id VARCHAR, account VARCHAR, conversation_ids VARCHAR[])")
        lay_out_names(ledger, "ada", ("may",))
        found = {str(row["name"]): row["notes"] for row in names(ledger, "", 10)}
    assert found == {"Mara Lindqvist": 3, "Oslo": 2}
