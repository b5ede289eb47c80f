from __future__ import annotations

import pytest

from curation.gate import CRITERIA, gate_state, judge
from schemas.base import sha256_text
from schemas.unit import Category, Evidence, Outcome, Speaker, State, Unit, Verdict

TEXT = "We moved the shed to the north fence. It was 3 m wide."
TEXTS = {"m": TEXT}


def unit(**changes: object) -> Unit:
    evidence = Evidence(message_id="m", start=0, end=36, quote=TEXT[:36], text_hash=sha256_text(TEXT))
    base = Unit(
        id="u",
        account="ada",
        conversation_id="c",
        category=Category.FACT,
        text="The shed was moved to the north fence.",
        speaker=Speaker.OWNER,
        evidence=(evidence,),
        said_at=None,
        extractor="offline/1",
    )
    return base.model_copy(update=changes)


def cite(**changes: object) -> dict[str, object]:
    return {"evidence": (unit().evidence[0].model_copy(update=changes),)}


def failing(one: Unit) -> list[str]:
    return [verdict.criterion for verdict in judge(one, TEXTS) if verdict.outcome is not Outcome.PASS]


def test_a_good_unit_passes_every_criterion() -> None:
    verdicts = judge(unit(), TEXTS)
    assert [verdict.criterion for verdict in verdicts] == [name for name, _ in CRITERIA]
    assert gate_state(verdicts) is State.PASSED


@pytest.mark.parametrize(
    ("changes", "criterion"),
    [
        (cite(quote="We moved the barn"), "grounded"),
        (cite(start=1), "grounded"),
        (cite(message_id="gone"), "grounded"),
        (cite(text_hash="0" * 64), "grounded"),
        (cite(start=0, end=0, quote=""), "grounded"),
        ({"text": " ".join(["word"] * 16)}, "short"),
        ({"text": "…!"}, "says_something"),
        ({"category": Category.DECISION, "speaker": Speaker.ASSISTANT}, "decided_by_owner"),
        ({"category": Category.DECISION, "speaker": Speaker.OTHER}, "decided_by_owner"),
        ({"category": Category.DECISION, "speaker": Speaker.SOURCE}, "decided_by_owner"),
    ],
)
def test_each_criterion_refuses_with_a_reason(changes: dict[str, object], criterion: str) -> None:
    assert failing(unit(**changes)) == [criterion]
    verdicts = judge(unit(**changes), TEXTS)
    assert gate_state(verdicts) is State.REJECTED
    assert all(verdict.reason for verdict in verdicts if verdict.outcome is Outcome.REJECT)


def test_context_must_be_grounded_too() -> None:
    wrong = unit().evidence[0].model_copy(update={"quote": "never said"})
    assert failing(unit(context=(wrong,))) == ["grounded"]


def test_a_decision_of_the_owner_passes() -> None:
    assert failing(unit(category=Category.DECISION)) == []


def test_a_check_that_could_not_run_blocks_a_pass() -> None:
    skipped = Verdict(criterion="duplicate", outcome=Outcome.SKIPPED, reason="no index")
    assert gate_state((*judge(unit(), TEXTS), skipped)) is State.REVIEW
