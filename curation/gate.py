"""The Note Quality Gate: a list of named criteria, each a pure function from a note to a finding.

A new criterion is one file in `criteria/` and one line in `CRITERIA`.
"""

from __future__ import annotations

from collections.abc import Sequence

from curation.criteria.category_fits import category_fits
from curation.criteria.duplicate import duplicate, merged_or_passed
from curation.criteria.grounded import grounded
from curation.criteria.hedge_kept import hedge_kept
from curation.criteria.length import length
from curation.criteria.negation_kept import negation_kept
from curation.criteria.numbers_and_names import numbers_and_names
from curation.criteria.reasoning import reasoning
from curation.criteria.refusal_or_boilerplate import refusal_or_boilerplate
from curation.criteria.secret import secret
from curation.criteria.whose_claim import whose_claim
from curation.criteria.worth_keeping import worth_keeping
from curation.gate_input import Criterion, Finding, Older, SourceContext, Ungated
from curation.gate_settings import DEFAULT_SETTINGS, GateSettings
from inference.secrets import mask_secrets
from schemas.unit import Outcome, State, Unit, Verdict

GATE_VERSION = "10"
"""Raise it when a criterion changes: every unit is then judged again."""

CRITERIA: tuple[tuple[str, Criterion], ...] = (
    ("secret", secret),
    ("grounded", grounded),
    ("length", length),
    ("refusal_or_boilerplate", refusal_or_boilerplate),
    ("reasoning", reasoning),
    ("category_fits", category_fits),
    ("numbers_and_names", numbers_and_names),
    ("negation_kept", negation_kept),
    ("hedge_kept", hedge_kept),
    ("whose_claim", whose_claim),
    ("worth_keeping", worth_keeping),
    ("duplicate", duplicate),
)

COMPARING = frozenset(("numbers_and_names", "negation_kept", "hedge_kept"))
"""Criteria that compare words. What they would reject of a note that a second reading found true
(`Unit.proofread`), its owner sees: the same may be said by other words."""


def gate_version(settings: GateSettings = DEFAULT_SETTINGS) -> str:
    """What a verdict depends on besides the unit: the criteria's version and the settings."""
    return "+".join(part for part in (GATE_VERSION, settings.digest) if part)


def judge(
    unit: Unit,
    heard: SourceContext,
    *,
    older: Older | None = None,
    settings: GateSettings = DEFAULT_SETTINGS,
) -> tuple[Verdict, ...]:
    """Every criterion's verdict on the unit, in the order of `CRITERIA`.

    `heard` is what was said in its conversation; `older` finds an older unit that says the same. Without it
    the check for duplicates is skipped, which blocks a pass (see `after_corpus`). Where no
    reader looked at the unit, the criteria that ask it pass.
    """
    note = Ungated(unit, heard, older)
    verdicts = []
    for name, criterion in CRITERIA:
        if name not in settings.off:
            lenient = name in settings.only_review or (unit.proofread and name in COMPARING)
            verdicts.append(_verdict(name, criterion(note, settings), lenient=lenient))
    return tuple(verdicts)


def after_corpus(verdicts: Sequence[Verdict], older: str | None) -> tuple[Verdict, ...]:
    """The verdicts once the corpus was asked: `older` is the unit that says the same, if there is one."""
    name = CRITERIA[-1][0]
    outcome, reason = merged_or_passed(older)
    return tuple(
        Verdict(criterion=name, outcome=outcome, reason=reason) if one.criterion == name else one
        for one in verdicts
    )


def _verdict(name: str, finding: Finding, *, lenient: bool) -> Verdict:
    outcome, reason = finding
    if outcome is Outcome.REJECT and lenient:
        outcome = Outcome.REVIEW
    return Verdict(criterion=name, outcome=outcome, reason=reason)


def gate_state(verdicts: Sequence[Verdict]) -> State:
    """Rejected if any criterion rejects; archived if it is merged into an older note; review if any asks for
    it or could not run; else passed."""
    outcomes = {verdict.outcome for verdict in verdicts}
    if Outcome.REJECT in outcomes:
        return State.REJECTED
    if Outcome.MERGE in outcomes:
        return State.ARCHIVED
    if outcomes & {Outcome.REVIEW, Outcome.SKIPPED}:
        return State.REVIEW
    return State.PASSED


def held_back(unit: Unit, verdicts: Sequence[Verdict]) -> Unit:
    """The unit as it is stored: with its text masked where it holds a secret. Its id and evidence stay."""
    if any(one.criterion == "secret" and one.outcome is not Outcome.PASS for one in verdicts):
        return unit.model_copy(update={"text": mask_secrets(unit.text)})
    return unit
