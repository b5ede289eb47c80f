"""The package made of ranked candidates: parts, cuts, notices and the account of the tokens; no index."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from small_memory import ACCOUNT, NOON, note

from chunking import estimate_tokens
from retrieval.assembly import DroppedCandidate, assemble
from retrieval.package import Package, PackagePart
from retrieval.rendering import LAYOUTS, PackageFormat
from retrieval.search.hybrid import Candidate
from tests.asking import question as asked
from vault.points import PointKind

KEY = "sk-ant-" + "a1b2c3d4" * 6
SENTENCE = "The kiln was fired again on a Thursday in March."

RESERVED = estimate_tokens(
    LAYOUTS[PackageFormat.MARKDOWN].notice("For lack of room: 100 cut short, 100 left out.")
)
"""Tokens that are kept free where not everything fits."""


def ranked(ref: str, score: float, text: str = SENTENCE, kind: PointKind = PointKind.UNIT) -> Candidate:
    payload = note(ref, text, kind, conversation=f"c {ref}")
    return Candidate(ref, payload, 0.123456, 0.234567, recency=0.345678, novelty=0.456789, score=score)


def packed(
    candidates: Sequence[Candidate],
    budget: int = 4000,
    *,
    notices: tuple[str, ...] = (),
    drops: Sequence[DroppedCandidate] = (),
) -> Package:
    question = asked("kiln", ACCOUNT, as_of=NOON, budget=budget, notices=notices, explained=True)
    package = assemble(question, candidates, drops, 0.567891)
    assert estimate_tokens(package.render()) == package.tokens <= budget
    return package


def tokens_of(*candidates: Candidate) -> int:
    """What they take when all are shown whole."""
    return sum(hit.tokens for hit in packed(candidates, 100_000).hits)


def test_core_begins_at_three_quarters_of_the_best_and_structural_at_half() -> None:
    scores = {"best": 1.0, "core": 0.75, "high": 0.749, "low": 0.5, "peripheral": 0.499}
    parts = {hit.id: hit.part for hit in packed([ranked(ref, score) for ref, score in scores.items()]).hits}
    assert parts == {
        "best": PackagePart.CORE,
        "core": PackagePart.CORE,
        "high": PackagePart.STRUCTURAL,
        "low": PackagePart.STRUCTURAL,
        "peripheral": PackagePart.PERIPHERAL,
    }
    whole = ranked("whole", 1.0, kind=PointKind.CONVERSATION)
    assert [hit.part for hit in packed([whole]).hits] == [PackagePart.PERIPHERAL]
    assert [hit.id for hit in packed([whole, ranked("after", 0.6)]).hits] == ["after", "whole"]


def test_core_takes_half_the_budget_at_most_and_the_others_a_share() -> None:
    long = ranked("long", 1.0, SENTENCE * 20, PointKind.CHUNK)
    least = tokens_of(long)
    assert packed([long], 2 * least).hits[0].part is PackagePart.CORE
    assert packed([long], 2 * least - 2).hits[0].part is PackagePart.STRUCTURAL
    second = ranked("second", 0.9, SENTENCE * 20, PointKind.CHUNK)
    parts = [hit.part for hit in packed([ranked("first", 1.0), second], 2 * least + 100).hits]
    assert parts == [PackagePart.CORE, PackagePart.STRUCTURAL]


def test_core_is_whole_while_others_wait_and_a_sentence_is_never_cut() -> None:
    core = ranked("core", 1.0, SENTENCE * 20, PointKind.CHUNK)
    wide = ranked("wide", 0.6, "The shelves of the kiln, " * 14 + "all of them.")
    rest = [ranked(f"n{n}", 0.6, SENTENCE * 20, PointKind.CHUNK) for n in range(12)]
    package = packed([core, wide, *rest], 1000)
    assert [hit.id for hit in package.hits[:2]] == ["core", "wide"]
    assert not package.hits[0].cut
    assert not package.hits[1].cut
    assert package.hits[1].tokens > 70
    assert all(hit.cut for hit in package.hits[2:])


def test_passages_share_the_room_so_that_one_does_not_push_the_others_out() -> None:
    passages = [ranked(f"n{n}", 0.6, SENTENCE * 80, PointKind.CHUNK) for n in range(10)]
    package = packed([ranked("core", 1.0), *passages], 1400)
    assert len(package.hits) == 11
    assert package.notices == ("For lack of room: 10 cut short.",)
    taken = [hit.tokens for hit in package.hits[1:]]
    assert all(tokens <= 98 for tokens in taken[1:])
    assert taken[0] > 98  # the room that was left in the end
    assert sum(hit.tokens for hit in package.hits) > 1400 - 98 - 20


def test_what_fits_exactly_is_there_whole_and_nothing_is_said_of_room() -> None:
    notes = [ranked(f"n{n}", 1.0) for n in range(6)]
    exact = tokens_of(*notes)
    package = packed(notes, exact)
    assert (len(package.hits), package.notices) == (6, ())
    tight = packed(notes, exact - 1)
    assert len(tight.hits) < 6
    assert tight.notices == (f"For lack of room: {6 - len(tight.hits)} left out.",)
    assert [(one.stage, one.id) for one in tight.dropped] == [
        ("budget", f"n{n}") for n in range(len(tight.hits), 6)
    ]
    assert all("do not fit" in one.reason for one in tight.dropped)


def test_a_notice_has_its_place_up_to_a_quarter_of_the_room() -> None:
    notes = [ranked(f"n{n}", 1.0) for n in range(40)]
    said = "Quoted from a memory, and this sentence goes on for quite a while to be long."
    takes = estimate_tokens(LAYOUTS[PackageFormat.MARKDOWN].notice(said))
    roomy = packed(notes, 4 * takes, notices=(said,))
    assert roomy.notices[0] == said
    assert said in roomy.render()
    tight = packed(notes, 4 * takes - 1, notices=(said,))
    assert len(tight.hits) == len(packed(notes, 4 * takes - 1).hits)
    assert sum(hit.tokens for hit in tight.hits) > sum(hit.tokens for hit in roomy.hits)


def test_a_passage_is_cut_where_the_next_sentence_would_not_fit() -> None:
    sentences = [f"Firing {n} took {n} hours." for n in range(60)]
    (hit,) = packed([ranked("log", 1.0, " ".join(sentences), PointKind.CHUNK)], 200).hits
    kept = hit.text.removesuffix(" […]")
    count = kept.count("Firing")
    assert kept == " ".join(sentences[:count])
    frame = hit.tokens - estimate_tokens(kept)
    assert estimate_tokens(" ".join(sentences[: count + 1])) + frame > 200 - RESERVED


def test_a_cut_at_a_paragraph_is_taken_where_half_of_the_room_is_used() -> None:
    rest = " ".join(f"Firing {n} took {n} hours." for n in range(80))
    (hit,) = packed([ranked("log", 1.0, "Short. " * 40 + "\n\n" + rest, PointKind.CHUNK)], 250).hits
    assert "Firing 1 " in hit.text  # the paragraph before is less than half
    (hit,) = packed([ranked("log", 1.0, "Short. " * 60 + "\n\n" + rest, PointKind.CHUNK)], 250).hits
    assert "Firing" not in hit.text


def test_too_little_of_a_passage_is_none_of_it() -> None:
    passage = ranked("log", 0.6, SENTENCE * 40, PointKind.CHUNK)
    core = ranked("core", 1.0)
    least = tokens_of(core) + RESERVED
    for budget in range(least, least + 100):
        hits = packed([core, passage], budget).hits
        assert [hit.id for hit in hits] in (["core"], ["core", "log"])
        assert all(estimate_tokens(hit.text.removesuffix(" […]")) >= 12 for hit in hits[1:])
    assert len(hits) == 2


def test_measures_are_rounded_secrets_masked_and_what_was_dropped_is_cut_short() -> None:
    one = ranked("one", 1 / 3, f"The key is {KEY}.")
    titled = one.payload.model_copy(update={"conversation_title": f"Title {KEY}", "heading_path": (KEY,)})
    bare = one.payload.model_copy(update={"ref": "bare", "conversation_title": None})
    gone = ranked("gone", 0.1, "x" * 1000)
    hits = packed(
        [Candidate("one", titled, 0.123456, 0.234567, recency=0.345678, novelty=0.456789, score=1 / 3)],
        drops=[DroppedCandidate(gone, "fit-gate", "said so")],
    )
    (hit,), (dropped,) = hits.hits, hits.dropped
    measures = (hit.similarity, hit.relevance, hit.recency, hit.novelty, hit.score, hits.confidence)
    assert measures == (0.1235, 0.2346, 0.3457, 0.4568, 0.3333, 0.5679)
    assert (dropped.similarity, dropped.relevance, dropped.text) == (0.1235, 0.2346, "x" * 300)
    assert (dropped.stage, dropped.reason) == ("fit-gate", "said so")
    assert KEY not in hits.model_dump_json()
    assert packed([Candidate("bare", bare, 0.5, 0.5, score=1.0)]).hits[0].conversation_title is None


def test_nothing_says_how_near_the_best_was() -> None:
    assert packed([]).notices == ("Nothing in this memory answers the query (confidence 0.57).",)
    assert packed([], notices=("Read as: kiln",)).notices[0] == "Read as: kiln"


@pytest.mark.parametrize("budget", [0, 1, 15])
def test_without_room_for_one_note_the_package_is_empty_and_says_so(budget: int) -> None:
    package = packed([ranked("one", 1.0)], budget)
    assert package.hits == ()
    assert [one.stage for one in package.dropped] == ["budget"]
    assert package.notices == ("For lack of room: 1 left out.",)
