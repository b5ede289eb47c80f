from __future__ import annotations

from dataclasses import replace
from math import exp, log, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_memory import ACCOUNT, NOON, make_index, note

from inference.embedder import Embedder
from retrieval import Package
from retrieval.question import Mode, Question
from retrieval.relevance.abstention import doubt as doubt_at
from retrieval.relevance.abstention import least_of
from retrieval.relevance.answer_chance import FEWEST_CANDIDATES, AnswerWeights, judged, learned
from retrieval.relevance.confidence import confidence_of, weighed
from retrieval.relevance.evidence import (
    EVIDENCE,
    MOST_NAMES,
    MOST_RARE,
    AnswerEvidence,
    best_share,
    evidence_of,
    names_of,
)
from retrieval.relevance.word_rarity import STEPS, Rarity, counted, learned_rarity, store
from retrieval.search.hybrid import Candidate
from retrieval.search.word_vectors import words_of
from schemas.provenance import Tier
from schemas.unit import Category
from tests.asking import recall
from vault.edge import EdgeIndex
from vault.index import Where
from vault.points import Payload, PointKind

PLACES = ("Bergen", "Os", "Lerwick", "Stromness", "Kirkwall", "Wick", "Thurso", "Oban")
NOTES = [
    note(
        f"trip {n}",
        f"For the trip to {place} I {act} the {thing}.",
        PointKind.CHUNK,
        conversation=f"trip to {place}",
    )
    for n, (place, act, thing) in enumerate(
        (place, act, thing)
        for place in PLACES
        for act in ("booked", "planned", "cancelled")
        for thing in ("ferry", "hotel", "train", "dinner")
    )
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> EdgeIndex:
    return make_index(tmp_path_factory.mktemp("abstention") / "shard", embedder, NOTES)


def ask(index: EdgeIndex, embedder: Embedder, query: str, **bounds: object) -> Package:
    return recall(
        query, index=index, embedder=embedder, account=ACCOUNT, as_of=NOON, explained=True, **bounds
    )  # type: ignore[arg-type]


def test_what_is_near_but_not_about_it_is_not_answered(index: EdgeIndex, embedder: Embedder) -> None:
    assert len(NOTES) > FEWEST_CANDIDATES
    query = "Which physiotherapist did the doctor recommend for the shoulder exercises and travel insurance?"
    package = ask(index, embedder, query)
    assert package.hits == ()
    assert package.dropped
    assert "Nothing in this memory" in package.render()


def test_what_is_there_is_answered(index: EdgeIndex, embedder: Embedder) -> None:
    package = ask(index, embedder, "Which ferry did I book for the trip to Bergen?")
    assert package.hits[0].conversation_id == "trip to Bergen"


def test_evidence_is_what_the_passages_have_of_the_question() -> None:
    def passage(ref: str, text: str, near: float, words: float) -> Candidate:
        payload = note(ref, text, PointKind.CHUNK, conversation=ref)
        return Candidate(ref, payload, near, relevance=near, words=words)

    found = [passage("a", "The ferry to Bergen is booked.", 0.6, 9.0), passage("b", "Fog.", 0.2, 0.0)]
    every = Rarity(np.empty(0, np.int64), np.empty(0), unseen=2.0)
    known = evidence_of("Is the ferry to Bergen booked?", found, every)
    # each of the three words is in one of two conversations
    assert known == AnswerEvidence(
        0.6, 9 / sqrt(3), covered=1.0, specific=pytest.approx(sqrt(3 * 2 * log(3 / 1.5))), lacking=0.0,
        rarity=2.0, strangers=0.0, steepness=pytest.approx(0.2), conversations=2,
    )  # fmt: skip
    assert dict(zip(EVIDENCE, known.values, strict=True))["conversations"] == log(2)
    strange = evidence_of("Did the ferry suit Aksel?", found, every)
    assert strange is not None
    assert (strange.lacking, strange.strangers) == (pytest.approx(2 * 2 / 3), 1.0)
    assert evidence_of("Is the ferry to Bergen booked?", []) is None


def test_evidence_stays_within_what_was_learned_from() -> None:
    found = [Candidate("a", note("a", "Fog.", PointKind.CHUNK), 0.2, relevance=0.2)]
    page = " ".join(f"Wort{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(100))
    told = evidence_of(page, found)
    assert told is not None
    assert (told.rarity, told.strangers) == (MOST_RARE, MOST_NAMES)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 4), st.floats(0, 30), st.floats(0, 20))
def test_more_evidence_never_lowers_the_chance(
    near: float, covered: float, lacking: float, words: float, specific: float
) -> None:
    less = AnswerEvidence(near, words, covered, specific, lacking, 2.0, 1.0, 0.1, conversations=40)
    more = AnswerEvidence(near + 0.1, words + 1, covered, specific + 1, lacking / 2, 2.0, 0.0, 0.1, 40)
    assert 0 <= learned().chance(less) <= learned().chance(more) <= 1
    assert least_of(2) < least_of(40) == weighed().least


def test_a_word_of_one_person_is_as_rare_as_one_of_nobody(tmp_path: Path) -> None:
    counts = counted([({1: 10, 2: 4, 3: 1}, 10), ({1: 10, 2: 1}, 10)])
    of_all, of_some, of_one, of_none = counts.of(np.array([1, 2, 3, 4]))
    assert 0 < of_all < of_some < of_one == of_none == pytest.approx(log(22))
    store(counts, tmp_path / "rarity.npz")
    with np.load(tmp_path / "rarity.npz") as stored:
        assert stored["terms"].tolist() == [1, 2]
        assert stored["steps"].tolist() == [STEPS * of_all, STEPS * of_some]


def test_the_learned_rarity_knows_everyday_words() -> None:
    plan, grape = learned_rarity().of(words_of("plan merlot").terms)
    assert 0 < plan < 1 < 4 < grape <= learned_rarity().unseen


@pytest.mark.parametrize("together", [True, False])
def test_a_short_question_about_one_of_sixty_alike_notes_is_answered(
    tmp_path: Path, embedder: Embedder, together: bool
) -> None:
    rules = [
        note(
            f"rule {n}", f"Rule {n}: bake {n + 40} loaves before the market opens on day {n}.",
            kind, conversation="the bakery's rules" if together else f"rule {n}",
        )
        for n in range(60)
        for kind in (PointKind.UNIT, PointKind.CHUNK)
    ]  # fmt: skip
    index = make_index(tmp_path, embedder, rules)
    for query in ("Rule 7: how many loaves", "How many loaves does rule 7 ask for before the market?"):
        package = ask(index, embedder, query)
        assert package.hits[0].id == "rule 7"
    assert ask(index, embedder, "Which physiotherapist treated the shoulder that hurt in Lisbon?").hits == ()


def test_the_share_of_a_note_counts_numbers() -> None:
    def said(text: str, words: float) -> Candidate:
        return Candidate(text, note(text, text), 0.5, relevance=0.5, words=words)

    notes = [said("Rule 8: bake 48 loaves.", 3.0), said("Rule 7: bake 47 loaves.", 2.0)]
    assert best_share("Rule 7: how many loaves", notes) > best_share("Rule 7: how many loaves", notes[:1])
    assert best_share("", notes) == best_share("Rule 7", []) == 0.0


@pytest.mark.parametrize("notes", [NOTES, NOTES[:5]], ids=["a memory of trips", "five notes"])
def test_a_short_question_on_what_was_never_said_is_not_answered(
    tmp_path: Path, embedder: Embedder, notes: list[Payload]
) -> None:
    kept = note("type", "We found what type of ferry it is.", PointKind.CHUNK, conversation="ferry")
    index = make_index(tmp_path, embedder, [*notes, kept])
    unheard = ask(index, embedder, "What is my blood type?")
    assert unheard.hits == ()
    assert {one.stage for one in unheard.dropped} <= {"similarity floor", "abstention", "fit-gate"}
    assert "Nothing in this memory" in unheard.render()
    assert ask(index, embedder, "What type is the ferry?").hits[0].id == "type"
    # a word alone is looked for, and what is close is an answer in other words
    assert ask(index, embedder, "vessel").hits
    assert ask(index, embedder, "Which vessel is it?").hits
    assert ask(index, embedder, "What is my blood type?", mode=Mode.BM25).hits[0].id == "type"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("When does Zeus want it? Tell him.", ["Zeus"]),
        ("Right. I'd ask the CRD about Bergen-Os", ["CRD", "Bergen-Os"]),
        ("Nothing here. Nor here: So what", []),
    ],
)
def test_names_are_capitals_inside_a_sentence(text: str, names: list[str]) -> None:
    assert names_of(text) == names


def test_a_page_on_the_owner_does_not_stand_before_every_answer(tmp_path: Path, embedder: Embedder) -> None:
    page = "I am Hanne, I live in Orkney, I sail a small boat called Teist, and I look after my dad."
    notes = [
        note(
            "page",
            page,
            PointKind.CHUNK,
            conversation="custom instructions",
            tier=Tier.RESOURCE,
            said_at=None,
        ),
        note("said", "No epoxy anywhere on Teist: we rivet larch.", PointKind.CHUNK, conversation="boat"),
    ]
    index = make_index(tmp_path, embedder, notes)
    package = ask(index, embedder, "What did I decide about epoxy on Teist?")
    assert [hit.id for hit in package.hits if hit.kind is PointKind.CHUNK] == ["said"]
    assert {one.id: one.stage for one in package.dropped}["page"] in ("fit-gate", "similarity floor")
    alone = ask(index, embedder, "Who am I and where do I live?", tiers=(Tier.RESOURCE,))
    assert [hit.id for hit in alone.hits] == ["page"]


FOUR_TERMS = "physiotherapist shoulder insurance lisbon"


def crowd(count: int, text: str = "Fog over the harbour.", near: float = 0.3) -> list[Candidate]:
    """Passages of as many conversations, near to the question and about something else."""
    return [
        Candidate(f"p{n}", note(f"p{n}", text, PointKind.CHUNK, conversation=f"c{n}"), near, relevance=0.5)
        for n in range(count)
    ]


def doubt(question: Question, came: list[Candidate]) -> str | None:
    return doubt_at(question, came, confidence_of(question, came))


def asked(text: str = FOUR_TERMS, **bounds: object) -> Question:
    return Question(text, Where(ACCOUNT, **bounds), NOON)  # type: ignore[arg-type]


def test_thirty_candidates_and_four_terms_are_judged_and_fewer_are_not() -> None:
    assert judged(asked(), crowd(30)) == evidence_of(FOUR_TERMS, crowd(30))
    assert judged(asked(), crowd(29)) is None
    assert judged(asked("physiotherapist shoulder insurance"), crowd(30)) is None


@pytest.mark.parametrize(
    "bounds",
    [
        {"kinds": (PointKind.CHUNK,)},
        {"categories": (Category.FACT,)},
        {"conversations": ("c1",)},
        {"tiers": (Tier.CHAT,)},
        {"people": ("owner",)},
    ],
)
def test_a_question_inside_bounds_is_not_judged(bounds: dict[str, object]) -> None:
    assert judged(asked(**bounds), crowd(40)) is None
    assert doubt(asked(**bounds), crowd(40)) is None


def test_only_a_question_by_meaning_and_words_through_the_funnel_is_judged() -> None:
    for question in (
        *(replace(asked(), mode=mode) for mode in (Mode.BM25, Mode.VECTOR)),
        replace(asked(), judged=False),
    ):
        assert judged(question, crowd(40)) is None


def test_the_chance_is_logistic_and_never_overflows() -> None:
    known = AnswerEvidence(0.5, 2.0, 0.1, 0.5, 0.2, 1.0, 0.4, 0.1, conversations=40)
    parts = zip(EVIDENCE, known.values, strict=True)
    total = learned().bias + sum(learned().weights[name] * value for name, value in parts)
    assert learned().chance(known) == pytest.approx(1 / (1 + exp(-total)))
    for bias in (1e9, -1e9):
        steep = AnswerWeights(weights=dict.fromkeys(EVIDENCE, 0.0), bias=bias, run="none")
        assert steep.chance(known) == 1 / (1 + exp(-50 if bias > 0 else 50))


def test_the_least_chance_shrinks_below_twenty_conversations() -> None:
    least = {count: least_of(count) for count in (10, 19, 20, 40)}
    share = {count: value / weighed().least for count, value in least.items()}
    assert share == {10: pytest.approx(0.5), 19: pytest.approx(0.95), 20: 1.0, 40: 1.0}


def test_a_doubt_says_the_chance_and_a_note_with_the_words_dispels_it() -> None:
    known = judged(asked(), crowd(40))
    assert known is not None
    chance = confidence_of(asked(), crowd(40))
    assert chance < weighed().least
    assert doubt(asked(), crowd(40)) == (
        f"near, but not about it: confidence {chance:.2f} is below {weighed().least:.2f}"
    )
    assert doubt(asked(), crowd(40, FOUR_TERMS, near=0.9)) is None
    five = "physiotherapist shoulder insurance lisbon knee"
    for said, answered in (("shoulder insurance lisbon", True), ("shoulder insurance", False)):
        among = [*crowd(40), replace(crowd(1, said, near=0.1)[0], id="said", words=1.0)]
        assert (doubt_at(asked(five), among, weighed().least / 2) is None) == answered


def test_words_that_nobody_ever_said_find_nothing(index: EdgeIndex, embedder: Embedder) -> None:
    for query in ("asdfgh qwerty", "What is my dog called?"):
        package = ask(index, embedder, query)
        assert package.hits == ()
        assert "Nothing in this memory" in package.render()
