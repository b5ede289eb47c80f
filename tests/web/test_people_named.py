"""People whom the memory only talks about are told from the places and products that it names."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from web.routing.outgoing import leaving, outgoing
from web.routing.people_named import TextsWith, people_named

MEMORY = [
    "My sister Anneli moved to Bergen in May. I like Bergen.",
    "I talked to Petra yesterday. Petra said that the Volvo needs new brakes.",
    "I like working with Henrik. He is quick and kind.",
    "Doctor Amsel takes new patients in Kiel.",
    "My daughter Ida learns French at school. She likes her teacher.",
    "We moved the data from Postgres to the Obsidian vault. It says so in the log.",
    "I asked Mark to mark the trail. We mark it every year.",
    "Our ferry to Gotland leaves at noon. Word is slow today.",
    "My neighbour Will agreed. Will thinks it is fine.",
    "Paris said no to the offer. I was in Paris twice, and we stay in Paris again.",
]


def written_in(texts: Sequence[str]) -> TextsWith:
    return lambda words: {word: [text for text in texts if word in text] for word in words}


def named(query: str) -> tuple[str, ...]:
    return people_named(leaving(query), written_in(MEMORY))


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        ("birthday presents for Anneli", "birthday presents for someone"),
        ("petra's favourite wine", "someone favourite wine"),
        ("is Henrik Larsson's company hiring?", "is someone Larsson's company hiring?"),
        ("opening hours of Doctor Amsel in Kiel", "opening hours of Doctor someone in Kiel"),
        ("a hotel for my brother Jonas in Tromsø", "a hotel for my brother someone in Tromsø"),
        ("will it rain when Will comes?", "will it rain when someone comes?"),
        ("does Ida need a visa?", "does someone need a visa?"),
        ("do the Amsels close on Mondays?", "do the someone close on Mondays?"),
    ],
)
def test_people_who_are_talked_about_are_masked(query: str, sent: str) -> None:
    assert outgoing(query, named(query)) == sent


@pytest.mark.parametrize(
    "query",
    [
        "weather in Bergen and Kiel",
        "brakes of a Volvo 240",
        "Postgres or Obsidian for notes",
        "ferry to Gotland in June",
        "French courses in Bergen",
        "Word templates",
        "museums in Paris",
        "how to mark a trail",
        "Vaswani on attention",
    ],
)
def test_places_products_and_strangers_are_not_masked(query: str) -> None:
    assert named(query) == ()


TALKS = Path(__file__).resolve().parents[2] / "data" / "divergence" / "prompts.jsonl"
PEOPLE = (
    "Amsel Bernd Emil Falk Henrik Ida Jasmin Jonas Karin Lena Matteo Milo Miriam Nora Petersen Ruben Sabine"
    " Tomas Ursula Vera"
)
OTHERS = (
    "Acast Bitwarden Breslau Brittany Brooks Django Dobsonian French Gotland Kaiser Leipzig Lyon Montessori"
    " Naturstrom Obsidian Porto Postgres Scrivener Sendai Skoda Tartu Triodos Volvo Ystad"
)


def test_people_of_written_talks_are_known() -> None:
    """Docs say 14 of 20, and none of 24 places and products."""
    rows = [json.loads(line) for line in TALKS.read_text(encoding="utf-8").splitlines()]
    texts = [text for row in rows for talk in row["talks"] for text in talk["said"]]
    known = {
        name: bool(people_named(f"What is new about {name}?", written_in(texts)))
        for name in (*PEOPLE.split(), *OTHERS.split())
    }
    assert all(any(re.search(rf"\b{name}\b", text) for text in texts) for name in known)
    assert sum(known[name] for name in PEOPLE.split()) >= 14
    assert [name for name in OTHERS.split() if known[name]] == []
