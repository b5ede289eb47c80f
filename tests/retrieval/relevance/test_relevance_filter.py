from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_memory import ACCOUNT, NOON, make_index, note

from inference.embedder import Embedder
from retrieval.relevance.filter_verdict import by_rules
from retrieval.relevance.relevance_filter import PlacedNote, fits, learned
from retrieval.search.hybrid import NEAR_HOMES, near_homes
from retrieval.search.index_searches import CONVERSATIONS_SHARE
from retrieval.search.word_vectors import UNKNOWN, table, words_of
from schemas.provenance import Tier
from schemas.unit import State
from tests.asking import recall
from vault.points import PointKind

GARDEN_QUERY = "Ma reading of a Japanese garden: what is the empty space between the stones doing?"
HUBBLE = "Hubble's Law: galaxies recede because the empty space between them is itself expanding."
GRAVEL = "The raked gravel is the active part; the fifteen stones only punctuate it."

PLACES = {
    HUBBLE: "Cosmology lecture notes. Expansion of the universe, redshift, large-scale structure.",
    GRAVEL: "Visit to Ryoan-ji. A dry landscape garden in Kyoto and how its viewers read it.",
}


def placed(*texts: str) -> list[PlacedNote]:
    return [PlacedNote(text, PLACES.get(text, ""), PLACES.get(text, "nowhere")) for text in texts]


def test_what_shares_words_and_is_about_something_else_is_dropped_with_a_reason() -> None:
    hubble, gravel = by_rules(GARDEN_QUERY, None, placed(HUBBLE, GRAVEL))
    assert not hubble.kept
    assert "something else" in hubble.reason
    assert gravel.kept


def test_the_hubble_note_ranks_first_without_the_gate_and_is_gone_with_it(
    tmp_path: Path, embedder: Embedder
) -> None:
    """Kept, so it is heavy, and full of the query's words: similarity and provenance reward it."""
    notes = [
        note("hubble", HUBBLE, conversation="cosmology", tier=Tier.ENGRAM, state=State.KEPT, said_at=NOON),
        note("redshift", "Redshift grows with the distance of a galaxy.", conversation="cosmology"),
        note("gravel", GRAVEL, conversation="dry gardens of Kyoto", said_at=NOON),
        note(
            "moss",
            "Moss under the garden wall is older than the stones.",
            conversation="dry gardens of Kyoto",
        ),
    ]
    index = make_index(tmp_path, embedder, notes)

    def ask(*, judged: bool) -> list[str]:
        package = recall(
            GARDEN_QUERY,
            index=index,
            embedder=embedder,
            account=ACCOUNT,
            as_of=NOON,
            kinds=(PointKind.UNIT,),
            judged=judged,
            explained=True,
        )
        dropped = {one.id: one.stage for one in package.dropped}
        assert not judged or dropped["hubble"] == "fit-gate"
        return [hit.id for hit in package.hits]

    assert ask(judged=False)[0] == "hubble"
    assert "hubble" not in ask(judged=True)
    assert "gravel" in ask(judged=True)


SUBJECTS = (
    "sourdough bread", "income tax", "a knee injury", "train tickets", "chess openings", "bees in winter",
    "a leaking roof", "watercolour paper", "swimming lessons", "the school play", "tyre pressure",
    "coffee grinders", "a wedding speech", "rental contracts", "spanish verbs", "a router's password",
)  # fmt: skip


def test_a_conversation_that_is_near_as_a_whole_keeps_its_lone_note(
    tmp_path: Path, embedder: Embedder
) -> None:
    hubble, gravel = placed(HUBBLE, GRAVEL)
    assert not by_rules(GARDEN_QUERY, None, [hubble, gravel])[0].kept
    assert by_rules(GARDEN_QUERY, None, [replace(hubble, at_home=True), gravel])[0].kept
    notes = [
        note("hubble", HUBBLE, conversation="cosmology", tier=Tier.ENGRAM, state=State.KEPT),
        note("redshift", "Redshift grows with the distance of a galaxy.", conversation="cosmology"),
        note("seat", "Sit on the left side, where empty gravel meets the stones.", conversation="Ryoan-ji"),
        note("garden", "The Japanese garden of Ryoan-ji: stones in raked gravel.", conversation="Ryoan-ji"),
        *(note(one, f"We talked of {one} for a while.", conversation=one) for one in SUBJECTS),
    ]
    index = make_index(tmp_path, embedder, notes)
    package = recall(
        GARDEN_QUERY, index=index, embedder=embedder, account=ACCOUNT, as_of=NOON, kinds=(PointKind.UNIT,),
        explained=True,
    )  # fmt: skip
    assert {hit.id for hit in package.hits} >= {"seat", "garden"}
    assert {one.id: one.stage for one in package.dropped}["hubble"] == "fit-gate"


@given(st.dictionaries(st.text(max_size=4), st.floats(-1, 1)), st.integers(1, 60))
def test_one_in_eight_conversations_is_near_and_none_of_a_handful(
    cosines: dict[str, float], pool: int
) -> None:
    near = near_homes(cosines, pool)
    assert len(near) == min(len(cosines), pool // CONVERSATIONS_SHARE) // NEAR_HOMES
    others = cosines.keys() - near
    assert all(cosines[one] >= cosines[other] for one in near for other in others)


@pytest.mark.parametrize("query", ["", "gravel", "empty space", "枯山水の空間とは何ですか", "?!", "42 1240"])
def test_what_cannot_be_judged_is_kept(query: str) -> None:
    assert all(verdict.kept for verdict in by_rules(query, None, placed(HUBBLE, GRAVEL)))


def test_no_candidates_no_verdicts() -> None:
    assert by_rules(GARDEN_QUERY, None, []) == []


def test_the_intent_lets_the_gate_judge_by_the_domain() -> None:
    gardens, cosmology = (
        fits(GARDEN_QUERY, intent, placed(HUBBLE))[0].total(learned())
        for intent in ("Design of Japanese gardens.", "Astronomy: universe, stars, planets, telescopes.")
    )
    assert gardens is not None
    assert cosmology is not None
    assert cosmology > gardens


def test_company_counts_notes_of_the_same_conversation() -> None:
    alone = fits(GARDEN_QUERY, None, placed(GRAVEL, HUBBLE))[0]
    together = fits(GARDEN_QUERY, None, placed(GRAVEL, GRAVEL, HUBBLE))[0]
    assert together.company > alone.company
    assert together.place == alone.place


@settings(deadline=None)
@given(st.text(max_size=300), st.lists(st.tuples(st.text(max_size=200), st.text(max_size=80)), max_size=6))
def test_every_note_gets_a_verdict_whatever_it_says(query: str, notes: list[tuple[str, str]]) -> None:
    verdicts = by_rules(query, None, [PlacedNote(text, place, place) for text, place in notes])
    assert len(verdicts) == len(notes)
    assert all(verdict.reason for verdict in verdicts)


def test_words_are_the_content_words_each_once() -> None:
    words = words_of("The garden, the gardens and a zzyzzyx!")
    assert len(words.rows) == 3
    assert words.rows[2] == UNKNOWN
    assert words.terms[0] == words.terms[1]
    assert table().shape[1] == 128
