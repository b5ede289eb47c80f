"""Every step of the funnel by itself: candidates as they are handed to it, no index, no embedder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from small_memory import ACCOUNT, NOON, note

from retrieval import Package
from retrieval.funnel import (
    BESIDE_REASON,
    FUNNEL,
    Stopwatch,
    behind_successors,
    deduplicated,
    first_few,
    fitting,
    package_of,
    ranked,
    reranked,
    spread,
)
from retrieval.question import Options, Question
from retrieval.rank.thresholds import above_floor, beside_best
from retrieval.relevance.confidence import confidence_of
from retrieval.relevance.filter_verdict import FilterVerdict
from retrieval.relevance.relevance_filter import PlacedNote
from retrieval.search.hybrid import Candidate
from schemas.provenance import Tier
from vault.index import Where
from vault.points import PointKind

ASKED = Question("kiln shelf glaze cone", Where(ACCOUNT), NOON)
"""Four terms."""


def found(ref: str, similarity: float = 0.5, relevance: float = 0.5, **told: object) -> Candidate:
    """A candidate that shares no word with the question."""
    text = str(told.pop("text", f"Nothing of that, {ref}."))
    return Candidate(ref, note(ref, text, **told), similarity, relevance)  # type: ignore[arg-type]


def ids(candidates: Sequence[Candidate]) -> list[str]:
    return [one.id for one in candidates]


def test_what_lies_on_a_floor_stays() -> None:
    kept, drops = above_floor(ASKED, [found("best", 0.5), found("on", 0.14), found("below", 0.139)])
    assert ids(kept) == ["best", "on"]
    assert "cosine 0.14 is below 0.14" in drops[0].reason
    kept, drops = above_floor(ASKED, [found("near", 0.25), found("also", 0.2)])
    assert (ids(kept), drops) == (["near", "also"], [])
    kept, drops = above_floor(ASKED, [found("far", 0.249)])
    assert kept == []
    assert drops[0].reason == "nothing in this memory comes close: cosine 0.25 is below 0.25"


def test_half_of_the_questions_terms_pass_either_floor() -> None:
    half, less = found("half", 0.0, text="The shelf in the kiln."), found("less", 0.0, text="The kiln.")
    for beside in ([found("best", 0.5)], []):
        kept, drops = above_floor(ASKED, [half, less, *beside])
        assert ids(kept) == ["half", *ids(beside)]
        assert [drop.candidate.id for drop in drops] == ["less"]
    assert above_floor(replace(ASKED, text="?!"), [half])[0] == []


def test_without_the_funnel_no_step_drops_anything() -> None:
    everything = [found("far", 0.0), found("page", 0.0, 0.0, tier=Tier.RESOURCE)]
    for step in (above_floor, fitting):
        assert step(replace(ASKED, judged=False), everything) == (everything, [])


def keeping(*kept: bool) -> Question:
    def judge(query: str, intent: str | None, notes: Sequence[PlacedNote]) -> list[FilterVerdict]:
        assert (query, intent, len(notes)) == (ASKED.text, None, len(kept))
        return [FilterVerdict(one, "said so") for one in kept]

    return replace(ASKED, judge=judge)


def test_the_gates_word_is_taken_with_its_reason() -> None:
    kept, drops = fitting(keeping(True, False), [found("a"), found("b")])
    assert ids(kept) == ["a"]
    assert [(drop.candidate.id, drop.stage, drop.reason) for drop in drops] == [("b", "fit-gate", "said so")]


def test_what_retells_a_conversation_is_no_further_voice_in_it() -> None:
    voices: list[str] = []

    def judge(_: str, __: str | None, notes: Sequence[PlacedNote]) -> list[FilterVerdict]:
        voices.extend(one.conversation for one in notes)
        return [FilterVerdict(True, "said so") for _ in notes]

    note_of_it = found("note", conversation="c")
    summary = found("summary", conversation="c", kind=PointKind.SUMMARY)
    fitting(replace(ASKED, judge=judge), [note_of_it, found("other", conversation="c"), summary])
    assert voices == ["c", "c", summary.payload.ref]


def test_a_document_stays_from_fifty_five_hundredths_of_the_best_talk_on() -> None:
    talk = found("talk", relevance=1.0)
    near, far = (
        found(ref, relevance=much, tier=Tier.RESOURCE) for ref, much in (("on", 0.55), ("far", 0.54))
    )
    kept, drops = fitting(keeping(True, True, True), [talk, near, far])
    assert ids(kept) == ["talk", "on"]
    assert [(drop.candidate.id, drop.reason) for drop in drops] == [("far", BESIDE_REASON)]
    assert ids(fitting(keeping(True), [far])[0]) == ["far"]
    weak = found("weak", relevance=0.1)
    assert ids(fitting(keeping(True, True), [talk, weak])[0]) == ["talk", "weak"]
    dropped = fitting(keeping(True, False), [talk, far])[1]
    assert dropped[0].reason == "said so"


def test_where_the_memory_does_not_answer_what_fits_is_dropped_too() -> None:
    crowd = [found(f"n{n}", 0.3, kind=PointKind.CHUNK, conversation=f"c{n}") for n in range(40)]
    foreign = replace(ASKED, text="physiotherapist shoulder insurance lisbon")
    package = packed(foreign, crowd)
    assert package.hits == ()
    assert [drop.stage for drop in package.dropped] == ["abstention"] * 40
    assert all("near, but not about it" in drop.reason for drop in package.dropped)
    assert package_of(foreign, crowd, abstains=False).hits
    assert packed(foreign, crowd[:2]).hits


def test_a_second_look_orders_anew_and_drops_nothing() -> None:
    question = replace(ASKED, reranker=lambda query, texts: [float(len(text)) for text in texts])
    kept, drops = reranked(question, [found("a", relevance=0.9), found("longer", relevance=0.1)])
    assert sorted(ids(kept)) == ["a", "longer"]
    assert max(kept, key=lambda one: one.relevance).id == "longer"
    assert drops == []


def test_the_order_is_relevance_by_weight_by_recency_and_ties_by_id() -> None:
    old = found("old", relevance=0.5, said_at=NOON - timedelta(days=14))
    kept, drops = ranked(
        ASKED, [old, found("b"), found("a"), found("engram", relevance=0.4, tier=Tier.ENGRAM)]
    )
    assert [(one.id, pytest.approx(one.score)) for one in kept] == [
        ("engram", 0.4), ("a", 0.3), ("b", 0.3), ("old", 0.24)
    ]  # fmt: skip
    assert kept[-1].recency == pytest.approx(0.8)
    assert drops == []
    assert reranked(ASKED, kept) == (kept, [])


def test_no_document_comes_before_nearer_talk_by_the_fading_of_that_talk() -> None:
    old = NOON - timedelta(days=1000)
    talk = found("talk", relevance=0.9, said_at=old)
    less = found("less", relevance=0.9 * 0.6 / 0.8 - 0.01, tier=Tier.RESOURCE, said_at=None)
    more = found("more", relevance=0.9 * 0.6 / 0.8 + 0.01, tier=Tier.RESOURCE, said_at=None)
    by_id = {one.id: one for one in ranked(ASKED, [less, talk, more])[0]}
    assert by_id["more"].recency == 1.0
    assert by_id["less"].recency == by_id["talk"].recency < 0.7
    assert list(by_id) == ["more", "talk", "less"]
    alone = ranked(ASKED, [less])[0]
    assert alone[0].recency == 1.0


def test_what_says_the_same_becomes_the_first_that_said_it() -> None:
    notes = [
        found("a", text="Red."),
        found("b", text="Blue."),
        found("c", text="blue."),
        found("d", text="RED."),
    ]
    kept, drops = deduplicated(ASKED, [*notes, found("e", text="Red. ")])
    assert [(one.id, [twin.ref for twin in one.duplicates]) for one in kept] == [
        ("a", ["d", "e"]),
        ("b", ["c"]),
    ]
    assert {drop.stage for drop in drops} == {"exact dedup"}
    assert [(drop.candidate.id, drop.reason) for drop in drops] == [
        ("c", "said by b"), ("d", "said by a"), ("e", "said by a")
    ]  # fmt: skip


def test_a_fuller_unit_of_the_message_takes_the_shorter_ones_place() -> None:
    said = {"message": "m", "conversation": "c"}
    short = replace(found("short", text="She feeds it daily.", **said), score=0.9)
    other = replace(found("other", text="It is a starter."), score=0.8)
    full = replace(found("full", text="She feeds it daily, at noon.", **said), score=0.5)
    kept, drops = deduplicated(ASKED, [short, other, full])
    assert [(one.id, one.score, [twin.ref for twin in one.duplicates]) for one in kept] == [
        ("full", 0.9, ["short"]), ("other", 0.8, [])
    ]  # fmt: skip
    assert [(drop.candidate.id, drop.reason) for drop in drops] == [("short", "said by full")]
    engram = found("short", text="She feeds it daily.", tier=Tier.ENGRAM, **said)
    assert ids(deduplicated(ASKED, [engram, full])[0]) == ["short", "full"]


def test_each_further_note_of_a_conversation_counts_seven_tenths() -> None:
    talk = [replace(found(f"a{n}", conversation="a"), score=1.0) for n in range(3)]
    other = replace(found("b", conversation="b"), score=0.6, recency=0.9)
    kept, drops = spread(ASKED, [*talk, other])
    assert [(one.id, pytest.approx(one.score), pytest.approx(one.novelty)) for one in kept] == [
        ("a0", 1.0, 1.0), ("a1", 0.7, 0.7), ("b", 0.6, 1.0), ("a2", 0.49, 0.49)
    ]  # fmt: skip
    assert kept[2].recency == 0.9
    assert drops == []


def replaced(ref: str, by: str, score: float) -> Candidate:
    one = found(ref)
    return replace(one, payload=one.payload.model_copy(update={"superseded_by": by}), score=score)


def test_what_is_superseded_comes_right_after_its_successor_and_never_before() -> None:
    new, between, last = (
        replace(found(ref), score=score) for ref, score in (("new", 0.7), ("x", 0.8), ("y", 0.1))
    )
    kept, drops = behind_successors(ASKED, [replaced("old", "new", 0.9), between, new, last])
    assert [(one.id, one.score) for one in kept] == [("x", 0.8), ("new", 0.7), ("old", 0.7), ("y", 0.1)]
    assert drops == []
    behind = [new, between, replaced("old", "new", 0.2)]
    assert behind_successors(ASKED, behind)[0] == behind
    alone = [replaced("old", "gone", 0.9), between]
    assert behind_successors(ASKED, alone)[0] == alone
    itself = [replace(replaced("old", "new", 0.9), duplicates=(new.payload,)), last]
    assert behind_successors(ASKED, itself)[0] == itself
    stands_for = replace(new, payload=note("twin", "Twin."), duplicates=(new.payload,))
    assert ids(behind_successors(ASKED, [replaced("old", "new", 0.9), stands_for])[0]) == ["new", "old"]


def test_as_many_as_were_asked_for() -> None:
    kept, drops = first_few(replace(ASKED, limit=2), [found(ref) for ref in "abcd"])
    assert ids(kept) == ["a", "b"]
    assert [(one.candidate.id, one.stage, one.reason) for one in drops] == [
        (ref, "limit", "ranked below the first 2") for ref in "cd"
    ]
    assert first_few(replace(ASKED, limit=2), [found("a")]) == ([found("a")], [])


def test_of_many_what_is_half_as_relevant_as_the_best_stays_and_less_goes() -> None:
    half, less, best = (
        found("half", relevance=0.4),
        found("less", relevance=0.399),
        found("best", relevance=0.8),
    )
    two = replace(ASKED, limit=2)
    kept, drops = beside_best(two, [half, best, less])
    assert ids(kept) == ["half", "best"]
    assert [(one.candidate.id, one.stage) for one in drops] == [("less", "beside the best")]
    assert "0.40 is below 0.40" in drops[0].reason
    assert beside_best(replace(ASKED, limit=0), []) == ([], [])
    for few in (replace(ASKED, limit=3), replace(two, judged=False)):
        assert beside_best(few, [half, best, less]) == ([half, best, less], [])


def packed(question: Question, candidates: Sequence[Candidate]) -> Package:
    return package_of(replace(question, options=Options(explained=True)), candidates)


def test_the_package_has_the_confidence_of_all_candidates_and_a_lap_of_every_step() -> None:
    came = [found("a", 0.61235), found("b", 0.3)]
    package = packed(keeping(False, True), came)
    assert package.confidence == pytest.approx(confidence_of(keeping(False, True), came), abs=1e-4)
    assert 0 < package.confidence < 1
    assert [hit.id for hit in package.hits] == ["b"]
    assert [one.id for one in package.dropped] == ["a"]
    assert [one.step for one in package.steps] == [
        "confidence",
        *(name for name, _ in FUNNEL),
        "overviews",
        "assemble",
    ]
    assert [one.kept for one in package.steps] == [2, 2, *[1] * (len(FUNNEL) - 1), 0, 1]
    assert package_of(ASKED, []).steps == ()
    assert packed(ASKED, []).confidence == 0.0


def test_laps_add_up_to_the_time_that_passed() -> None:
    watch = Stopwatch()
    for count in range(5):
        watch.lap(f"lap {count}", count)
    assert [(one.step, one.kept) for one in watch.laps] == [(f"lap {n}", n) for n in range(5)]
    assert all(0 <= one.milliseconds < 1000 for one in watch.laps)


def test_the_steps_are_in_the_order_of_the_design() -> None:
    names = [name for name, _ in FUNNEL]
    wanted = ("similarity floor", "fit-gate", "rerank", "rank", "exact dedup", "limit")
    assert all(names.index(one) < names.index(other) for one, other in pairwise(wanted))
