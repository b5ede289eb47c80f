from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.criteria.duplicate import is_whole
from curation.gate import CRITERIA, after_corpus, gate_state, gate_version, held_back, judge
from curation.gate_input import SourceContext
from curation.gate_settings import GateSettings, read_settings
from schemas.base import sha256_text
from schemas.errors import UsageError
from schemas.estimate import Estimate
from schemas.unit import Category, Evidence, Outcome, Speaker, State, Unit, Verdict

TEXT = "We moved the shed to the north fence. It was 3 m wide."
HEARD = SourceContext({"m": TEXT})
OWNER, ASSISTANT = Speaker.OWNER, Speaker.ASSISTANT


def unit(**changes: object) -> Unit:
    evidence = Evidence(message_id="m", start=0, end=36, quote=TEXT[:36], text_hash=sha256_text(TEXT))
    base = Unit(
        id="u",
        account="ada",
        conversation_id="c",
        category=Category.FACT,
        text="The shed was moved to the north fence.",
        speaker=OWNER,
        evidence=(evidence,),
        said_at=None,
        extractor="offline/1",
    )
    return base.model_copy(update=changes)


def cite(**changes: object) -> dict[str, object]:
    return {"evidence": (unit().evidence[0].model_copy(update=changes),)}


def alone(_: Unit) -> None:
    """A corpus without an older note that says the same."""


def said(quote: str, text: str | None = None, **changes: object) -> tuple[Unit, SourceContext]:
    """A unit whose message is its quote."""
    evidence = Evidence(message_id="m", start=0, end=len(quote), quote=quote, text_hash=sha256_text(quote))
    return unit(text=text or quote, evidence=(evidence,), **changes), SourceContext({"m": quote})


def findings(one: Unit, heard: SourceContext = HEARD) -> dict[str, Outcome]:
    verdicts = judge(one, heard, older=alone)
    return {one.criterion: one.outcome for one in verdicts if one.outcome is not Outcome.PASS}


def test_a_good_unit_passes_every_criterion() -> None:
    verdicts = judge(unit(), HEARD, older=alone)
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
        ({"category": Category.DECISION, "speaker": Speaker.ASSISTANT}, "category_fits"),
        ({"category": Category.DECISION, "speaker": Speaker.OTHER}, "category_fits"),
        ({"category": Category.DECISION, "speaker": Speaker.SOURCE}, "category_fits"),
        ({"text": "The shed was moved " + "to the north fence " * 3 + "now."}, "length"),
        ({"text": "…!"}, "length"),
    ],
)
def test_what_breaks_a_rule_of_the_design_is_rejected(changes: dict[str, object], criterion: str) -> None:
    assert findings(unit(**changes))[criterion] is Outcome.REJECT


@pytest.mark.parametrize(
    ("quote", "text", "speaker", "criterion", "outcome"),
    [
        ("the fence is grey", "The roof tiles were replaced by copper.", OWNER, "grounded", "reject"),
        ("the boat is blue", "The boat is blue because algae grew.", OWNER, "grounded", "reject"),
        ("the hull costs 300 euros", "The hull costs 800 euros.", OWNER, "numbers_and_names", "reject"),
        ("the hull is 3 m long", "The hull is 3 km long.", OWNER, "numbers_and_names", "reject"),
        ("we sail at 11:30 pm", "We sail at 23:45.", OWNER, "numbers_and_names", "reject"),
        ("we sail at 11 pm", "We sail at 23:30.", OWNER, "numbers_and_names", "reject"),
        ("we sail from Oban to Tiree", "We sail from Tiree.", OWNER, "numbers_and_names", "reject"),
        ("I work at the yard", "My brother works at the yard.", OWNER, "numbers_and_names", "review"),
        ("Ines sold the hull", "Marta sold the hull to Bruno.", OWNER, "numbers_and_names", "reject"),
        ("the hull is not dry", "The hull is dry.", OWNER, "negation_kept", "reject"),
        ("maybe I will sell the hull", "The user will sell the hull.", OWNER, "hedge_kept", "reject"),
        ("Okay, so the user wants a boat.", None, ASSISTANT, "reasoning", "reject"),
        ("Let me think about the hull.", None, ASSISTANT, "reasoning", "reject"),
        ("I'm sorry, but I can't help with that.", None, ASSISTANT, "refusal_or_boilerplate", "reject"),
        ("Great question!", None, ASSISTANT, "refusal_or_boilerplate", "reject"),
        ("Would you like me to draft a plan?", None, ASSISTANT, "refusal_or_boilerplate", "reject"),
        ("No dudes en preguntarme más.", None, ASSISTANT, "refusal_or_boilerplate", "reject"),
        ("The wifi password is Tr0ub4dor&3", None, OWNER, "secret", "reject"),
        ("The PIN is 4711.", None, OWNER, "secret", "reject"),
    ],
)
def test_each_criterion_speaks_with_a_reason(
    quote: str, text: str | None, speaker: Speaker, criterion: str, outcome: str
) -> None:
    one, heard = said(quote, text, speaker=speaker)
    verdicts = {verdict.criterion: verdict for verdict in judge(one, heard, older=alone)}
    assert verdicts[criterion].outcome.value == outcome
    assert verdicts[criterion].reason


@pytest.mark.parametrize(
    ("quote", "text", "changes"),
    [
        ("I will varnish the hull on Monday", "The user will varnish the hull on Monday.", {}),
        ("we have no mast yet", "There is no mast yet.", {}),
        ("maybe I sell the hull", "The user may sell the hull.", {"category": Category.PROVISIONAL}),
        ("which varnish is best?", "Which varnish is best?", {"category": Category.OPEN_QUESTION}),
        ("It is better to sand in summer.", None, {"speaker": ASSISTANT}),
        ("Carlos, Deep Dark Secret: Former gang member.", None, {}),
        ("He asked to pass the salt?", "The user asks for the salt.", {}),
        ("Confirm the password and tap **Done** or **Create**.", "Confirm the password.", {}),
        ("The first Friday and Saturday opening times are known.", None, {}),
        ("Travel from June 1st to June 7th.", "The user travels from June 1st to June 7th.", {}),
        ("Aligns more closely with academic conventions.", None, {"speaker": ASSISTANT}),
        ("The system itself logs everything.", None, {"speaker": ASSISTANT}),
        ("the dinghy costs two hundred euros", "The dinghy costs 200 euros.", {}),
        ("we sail at 11:30 pm", "We sail at 23:30.", {}),
        ("we sail at 11 pm", "We sail at 23:00.", {}),
        ("we sail at 23:00", "We sail at 11 pm.", {}),
    ],
)
def test_what_only_looks_wrong_is_not_rejected(
    quote: str, text: str | None, changes: dict[str, object]
) -> None:
    one, heard = said(quote, text, **changes)
    assert Outcome.REJECT not in findings(one, heard).values()


@pytest.mark.parametrize(
    ("quote", "text", "outcome"),
    [
        ("Ruth refuses to sell the hull", "Ruth does not sell the hull.", "pass"),
        ("Ruth does not sell the hull", "Ruth refuses to sell the hull.", "pass"),
        ("the cabin is untidy", "The cabin is not tidy.", "pass"),
        ("No, the hull is dry", "The hull is dry.", "pass"),
        ("the hull is without paint", "The hull is without paint.", "pass"),
        ("the varnish is dry", "The varnish is not dry.", "reject"),
        ("the hull is in", "The hull is not in.", "reject"),
        ("the varnish is not dry", "The varnish is dry.", "reject"),
        ("we sand the hull, oil the mast and do not paint the keel", "The hull is sanded.", "review"),
    ],
)
def test_a_note_denies_what_its_quote_denies(quote: str, text: str, outcome: str) -> None:
    one, heard = said(quote, text)
    verdicts = {verdict.criterion: verdict.outcome.value for verdict in judge(one, heard, older=alone)}
    assert verdicts["negation_kept"] == outcome


def test_context_must_be_grounded_too() -> None:
    wrong = unit().evidence[0].model_copy(update={"quote": "never said"})
    assert findings(unit(context=(wrong,))) == {"grounded": Outcome.REJECT}


@pytest.mark.parametrize(
    ("good", "whole", "outcome"),
    [
        (0.9, True, State.PASSED),
        (0.3, True, State.REVIEW),
        (0.9, False, State.REVIEW),
        (0.01, True, State.REJECTED),
    ],
)
def test_a_note_passes_only_where_a_careful_reader_would_keep_it(
    good: float, whole: bool, outcome: State
) -> None:
    estimate = Estimate(good=good, whose="own", own=0.99, whole=whole)
    bounds = GateSettings(passing=0.5, rejecting=0.05)
    assert gate_state(judge(unit(estimate=estimate), HEARD, older=alone, settings=bounds)) is outcome


@pytest.mark.parametrize(
    ("whose", "own", "outcome"),
    [
        ("own", 0.4, State.PASSED),
        ("drafted", 0.6, State.PASSED),
        ("drafted", 0.2, State.REJECTED),
        ("fiction", 0.2, State.REJECTED),
        ("exam", 0.2, State.REJECTED),
        ("reported", 0.2, State.REVIEW),
        ("pasted", 0.2, State.REVIEW),
    ],
)
def test_what_is_drafted_played_or_asked_for_practice_is_nobodys_claim(
    whose: str, own: float, outcome: State
) -> None:
    estimate = Estimate(good=0.99, whose=whose, own=own, whole=True)
    assert gate_state(judge(unit(estimate=estimate), HEARD, older=alone)) is outcome


def test_a_check_that_could_not_run_blocks_a_pass_until_the_corpus_was_asked() -> None:
    verdicts = judge(unit(), HEARD)
    assert verdicts[-1] == Verdict(
        criterion="duplicate",
        outcome=Outcome.SKIPPED,
        reason="the corpus could not be asked for older notes",
    )
    assert gate_state(verdicts) is State.REVIEW
    assert gate_state(after_corpus(verdicts, None)) is State.PASSED
    assert gate_state(after_corpus(verdicts, "older")) is State.ARCHIVED
    assert gate_state(judge(unit(), HEARD, older=lambda _: "older")) is State.ARCHIVED


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("The shed was moved to the fence.", True),
        ("The shed moved.", False),
        ("It was moved to the fence.", False),
        ("The shed is moved tomorrow at noon.", False),
    ],
)
def test_only_what_says_the_same_everywhere_is_merged(text: str, whole: bool) -> None:
    assert is_whole(unit(text=text)) is whole


def test_a_secret_is_masked_in_the_note_and_not_in_its_evidence() -> None:
    one, heard = said("The wifi password is Tr0ub4dor&3")
    verdicts = judge(one, heard, older=alone)
    kept = held_back(one, verdicts)
    assert kept.text == "The wifi password is [masked: stated secret]"
    assert (kept.evidence, kept.id) == (one.evidence, one.id)
    assert held_back(unit(), judge(unit(), HEARD, older=alone)) == unit()


def test_settings_switch_criteria_off_or_down_and_change_the_version(tmp_path: Path) -> None:
    one, heard = said("Great question!", speaker=ASSISTANT)
    name = "refusal_or_boilerplate"
    assert gate_state(judge(one, heard, older=alone)) is State.REJECTED
    assert name not in [
        found.criterion for found in judge(one, heard, settings=GateSettings(off=frozenset({name})))
    ]
    lenient = GateSettings(only_review=frozenset({name}))
    assert gate_state(judge(one, heard, older=alone, settings=lenient)) is State.REVIEW
    assert gate_version() == gate_version(GateSettings()) != gate_version(lenient)
    path = tmp_path / "gate.json"
    assert read_settings(path) == GateSettings()
    path.write_text(lenient.model_dump_json(), encoding="utf-8")
    assert read_settings(path) == lenient
    path.write_text('{"max_wrods": 3}', encoding="utf-8")
    with pytest.raises(UsageError, match=r"gate\.json"):
        read_settings(path)


@settings(deadline=None)
@given(st.text(min_size=1), st.text(min_size=1), st.sampled_from(Category), st.sampled_from(Speaker))
def test_any_text_gets_a_verdict_and_never_an_error(
    quote: str, text: str, category: Category, speaker: Speaker
) -> None:
    one, heard = said(quote, text, category=category, speaker=speaker)
    assert len(judge(one, heard, older=alone)) == len(CRITERIA)


@pytest.mark.parametrize("bait", ["a" * 50_000, "1 " * 25_000, "no, " * 12_000, "and I am " * 6_000])
def test_bait_for_regular_expressions_does_not_take_longer_than_its_length(bait: str) -> None:
    def seconds(text: str) -> float:
        one, heard = said(text)
        began = time.process_time()
        judge(one, heard, older=alone)
        return time.process_time() - began

    # four times the length: sixteen times the work would be quadratic
    assert seconds(bait) < 10 * seconds(bait[: len(bait) // 4]) + 0.5


@pytest.mark.parametrize("text", ["The roof leaks.", "Unset DATABASE_URL.", "Dry the wood first."])
def test_a_short_sentence_is_one(text: str) -> None:
    assert findings(*said(text.lower().rstrip(".") if text != "Unset DATABASE_URL." else text, text)) == {}


def test_a_hedge_before_a_number_is_kept_by_rounding_and_by_nothing_less() -> None:
    quote = "use depth 4, maybe 5 lets see"
    assert findings(*said(quote, "The user uses depth 4."))["hedge_kept"] is Outcome.REJECT
    decided = findings(*said(quote, "The user decides on depth 4, maybe 5.", category=Category.DECISION))
    assert decided["category_fits"] is Outcome.REVIEW
    assert findings(*said("the trip takes maybe 4 hours", "The trip takes about 4 hours.")) == {}
