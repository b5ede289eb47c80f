"""Acceptance cases of other retrieval designs, rewritten for this one (their numbers in the names)."""

from __future__ import annotations

import math
from datetime import timedelta
from pathlib import Path

import pytest
from small_memory import ACCOUNT, NOON, make_index, note

from evals.ranking import Ranked, measure
from inference.embedder import Embedder
from inference.sparse import encode_document
from retrieval import Mode, PackagePart
from retrieval.funnel import FUNNEL
from retrieval.question import Question
from retrieval.rank.scoring import recency, score
from retrieval.rank.thresholds import SIMILARITY_FLOOR, above_floor
from retrieval.search.hybrid import Candidate
from schemas.ids import point_id
from schemas.provenance import TIER_WEIGHTS, Tier, unit_weight
from schemas.unit import Speaker, State
from tests.asking import recall
from vault.index import IndexedPoint, Where
from vault.points import PointKind, SparseVector


def test_f2_11_a_filter_holds_before_the_top_is_taken(tmp_path: Path, embedder: Embedder) -> None:
    crowd = [note(f"crowd {n}", f"The kiln was fired {n} times.", conversation=f"c{n}") for n in range(30)]
    rare = [note(f"rare {n}", f"Kiln shelf {n} is cracked.", conversation="rare") for n in range(3)]
    index = make_index(tmp_path, embedder, [*crowd, *rare])
    package = recall(
        "the kiln was fired", index=index, embedder=embedder, account=ACCOUNT, conversations=("rare",),
        limit=5, judged=False, kinds=(PointKind.UNIT,),
    )  # fmt: skip
    assert sorted(hit.id for hit in package.hits) == ["rare 0", "rare 1", "rare 2"]


@pytest.mark.parametrize("mode", list(Mode))
def test_f2_12_gibberish_finds_nothing(tmp_path: Path, embedder: Embedder, mode: Mode) -> None:
    index = make_index(tmp_path, embedder, [note("kiln", "The kiln was fired.")])
    package = recall("zzzqqq xxyyzz", index=index, embedder=embedder, account=ACCOUNT, mode=mode)
    assert package.hits == ()
    assert package.confidence < 0.25


def test_f2_16_words_alone_need_no_embedder(tmp_path: Path, embedder: Embedder) -> None:
    notes = [
        note("kiln", "The kiln was fired on Thursday.", conversation="pottery"),
        note("oven", "We baked the vessels again.", conversation="studio"),
    ]
    index = make_index(tmp_path, embedder, notes)
    package = recall("kiln Thursday", index=index, embedder=None, account=ACCOUNT, mode=Mode.BM25)
    assert package.hits[0].conversation_id == "pottery"
    assert "oven" not in [hit.id for hit in package.hits]
    meant = recall(
        "firing pots in a furnace", index=index, embedder=embedder, account=ACCOUNT, mode=Mode.VECTOR,
        judged=False,
    )  # fmt: skip
    assert {hit.id for hit in meant.hits} >= {"kiln", "oven"}


def test_f2_20_no_measure_leaves_0_to_1_however_often_a_ranking_names_the_answer() -> None:
    measured = measure(
        [Ranked("any", frozenset({"gold"}), ("gold",) * 5), Ranked("any", frozenset({"a"}), ())]
    )
    assert (measured.recall_at_1, measured.recall_at_10, measured.mrr) == (0.5, 0.5, 0.5)
    assert measured.ndcg_at_10 == 0.5
    late = measure([Ranked("any", frozenset({"a", "b"}), ("x", "a", "a", "b"))])
    second, third = 1 / math.log2(3), 1 / math.log2(4)
    assert late.ndcg_at_10 == pytest.approx((second + third) / (1 + second), abs=1e-4)


def test_f3_22_the_floor_drops_what_is_below_it_before_the_gate_and_the_gate_before_the_rank() -> None:
    def near(ref: str, similarity: float) -> Candidate:
        return Candidate(ref, note(ref, "Nothing of what was asked."), similarity, relevance=similarity)

    found = [
        near("best", 0.5),
        near("above", SIMILARITY_FLOOR + 0.01),
        near("below", SIMILARITY_FLOOR - 0.01),
    ]
    kept, drops = above_floor(Question("kiln", Where(ACCOUNT), NOON), found)
    assert [one.id for one in kept] == ["best", "above"]
    assert [(drop.candidate.id, drop.stage) for drop in drops] == [("below", "similarity floor")]
    steps = [name for name, _ in FUNNEL]
    assert steps.index("similarity floor") < steps.index("fit-gate") < steps.index("rank")


def test_f3_23_an_engram_stands_for_its_duplicate_from_the_web(tmp_path: Path, embedder: Embedder) -> None:
    text = "Stoneware is fired at 1,240 degrees."
    notes = [
        note("web", text, conversation="page", tier=Tier.WEB),
        note("kept", text, conversation="talk", tier=Tier.ENGRAM, state=State.KEPT),
    ]
    index = make_index(tmp_path, embedder, notes)
    package = recall(
        "how hot is stoneware fired?",
        index=index,
        embedder=embedder,
        account=ACCOUNT,
        kinds=(PointKind.UNIT,),
    )
    assert [hit.id for hit in package.hits] == ["kept"]
    assert package.hits[0].also == ("web",)


def test_f3_24_an_archived_note_is_absent_by_default_and_still_on_record(
    tmp_path: Path, embedder: Embedder
) -> None:
    notes = [
        note("old", "The kiln is fired on Mondays.", state=State.ARCHIVED),
        note("new", "The kiln is fired on Thursdays."),
    ]
    index = make_index(tmp_path, embedder, notes)
    asked = {"index": index, "embedder": embedder, "account": ACCOUNT, "kinds": (PointKind.UNIT,)}
    assert [hit.id for hit in recall("when is the kiln fired?", **asked).hits] == ["new"]  # type: ignore[arg-type]
    old = recall("when is the kiln fired?", states=(State.ARCHIVED,), **asked)  # type: ignore[arg-type]
    assert [hit.id for hit in old.hits] == ["old"]


def test_ora_3_weights_order_what_is_equally_relevant_and_relevance_outweighs_them() -> None:
    fresh = {tier: score(0.5, TIER_WEIGHTS[tier], recency(tier, NOON, NOON)) for tier in Tier}
    assert fresh[Tier.ENGRAM] == pytest.approx(0.5)
    assert fresh[Tier.RESOURCE] == pytest.approx(0.4)
    assert fresh[Tier.CHAT] == pytest.approx(0.3)
    assert score(0.95, TIER_WEIGHTS[Tier.RESOURCE], 1.0) > score(0.1, TIER_WEIGHTS[Tier.ENGRAM], 1.0)


def test_ora_3_with_the_modifiers_what_an_assistant_said_first_weighs_less_when_kept() -> None:
    said = {
        speaker: score(0.5, unit_weight(State.KEPT, speaker, modified=True), 1.0)
        for speaker in (Speaker.OWNER, Speaker.ASSISTANT)
    }
    assert said == {Speaker.OWNER: pytest.approx(0.5), Speaker.ASSISTANT: pytest.approx(0.45)}


def test_ora_4_only_talk_fades_and_by_our_formula() -> None:
    def after(days: int, tier: Tier = Tier.CHAT) -> float:
        return recency(tier, NOON - timedelta(days=days), NOON)

    assert after(0) == 1.0
    assert after(14) == pytest.approx(0.8)
    assert after(10_000) == pytest.approx(0.6, abs=0.001)
    assert after(400, Tier.ENGRAM) == after(400, Tier.RESOURCE) == 1.0
    assert after(-3) == 1.0
    assert recency(Tier.CHAT, None, NOON) == 1.0


def test_ora_5_a_kind_that_recall_does_not_know_is_never_returned(tmp_path: Path, embedder: Embedder) -> None:
    text = "The kiln was fired."
    index = make_index(tmp_path, embedder, [note("known", text)])
    strange = note("strange", text).model_copy(update={"kind": "matrix"})
    words = SparseVector(*encode_document(text, 10.0))
    with pytest.warns(UserWarning, match="kind"):
        index.upsert([IndexedPoint(point_id("matrix", "strange"), strange, embedder.embed([text])[0], words)])
    assert index.count() == 3
    package = recall(text, index=index, embedder=embedder, account=ACCOUNT, judged=False)
    assert [hit.id for hit in package.hits if hit.kind is PointKind.UNIT] == ["known"]
    assert "strange" not in [hit.id for hit in package.hits]


def test_people_and_providers_are_filters(tmp_path: Path, embedder: Embedder) -> None:
    notes = [
        note("hers", "The kiln was fired by Ada.").model_copy(update={"speaker_name": "Ada"}),
        note("his", "The kiln was fired by Bo.").model_copy(update={"speaker_name": "Bo"}),
        note("paper", "The kiln was fired at night.").model_copy(update={"provider": "slack"}),
    ]
    index = make_index(tmp_path, embedder, notes)

    def ask(**bounds: object) -> set[str]:
        package = recall(
            "The kiln was fired", index=index, embedder=embedder, account=ACCOUNT, kinds=(PointKind.UNIT,),
            judged=False, **bounds,  # type: ignore[arg-type]
        )  # fmt: skip
        return {hit.id for hit in package.hits}

    assert ask(people=("Ada",)) == {"hers"}
    assert ask(people=("Ada", "Bo")) == {"hers", "his"}
    assert ask(people=("nobody",)) == set()
    assert ask(providers=("slack",)) == {"paper"}


def test_a_part_is_never_better_than_an_earlier_one(tmp_path: Path, embedder: Embedder) -> None:
    notes = [note(f"n{n}", f"Kiln shelf {n} is cracked.", conversation=f"c{n}") for n in range(12)]
    index = make_index(tmp_path, embedder, notes)
    parts = [hit.part for hit in recall("kiln", index=index, embedder=embedder, account=ACCOUNT).hits]
    assert parts == sorted(parts, key=list(PackagePart).index)
