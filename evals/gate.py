"""The scorer of `gate.jsonl`: what the gate lets through that it must not, and refuses that it must not.

The metrics are those that `evals/README.md` of the shared folder defines. A row's unit is judged as the
offline engine's units are; `previous` is the message before its own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from curation.gate import GATE_VERSION, gate_state, held_back, judge
from curation.gate_input import SourceContext
from extract.offline_engine import ENGINE_VERSION
from extract.reader.calibration import estimate, features
from extract.reader.small_reader import load_reader
from inference.secrets import find_secrets
from schemas.base import Noun, sha256_text
from schemas.errors import InputError
from schemas.estimate import Estimate
from schemas.unit import Category, Evidence, Outcome, Speaker, State, Unit, Verdict

Label = Literal["pass", "review", "reject"]
_SPEAKERS = {"user": Speaker.OWNER, "assistant": Speaker.ASSISTANT}


class GateUnit(Noun):
    """A unit as a row writes it."""

    text: str
    category: Category
    speaker: str
    quote: str
    message: str
    previous: str = ""


class GateRow(Noun):
    """One line of `gate.jsonl`."""

    id: str
    unit: GateUnit
    label: Label
    criterion: str = ""
    why: str = ""


class GateDump(Noun):
    """What the gate said of a row, as `--dump` writes it."""

    id: str
    label: Label
    outcome: State
    reasons: dict[str, str]


class GateScore(Noun):
    """Shares are 0-1. Rows of label `review` are counted, not scored."""

    engine: str
    rows: int
    rejects_let_through: float
    """Of the rows to be rejected: those that pass."""
    passes_refused: float
    """Of the rows to be passed: those that are rejected."""
    passes_held: float
    """Of the rows to be passed: those that are held for review."""
    credentials_let_through: int
    """Rows of criterion `secret` that pass, or whose stored text still holds the secret."""
    let_through_by_criterion: dict[str, int]
    refused_by_criterion: dict[str, int]
    """By the criterion of the gate that refused."""
    held_by_criterion: dict[str, int]
    outcomes: dict[str, dict[str, int]]
    """Counts by label and outcome."""


def run_gate_eval(path: Path, engine: str, dump: Path | None) -> GateScore:
    """Judge every row. Raises InputError where a row is not one of `gate.jsonl`."""
    rows = [_row(line, f"{path}:{number}") for number, line in enumerate(_lines(path), start=1)]
    outcomes: dict[str, Counter[str]] = defaultdict(Counter)
    let, refused, held = Counter[str](), Counter[str](), Counter[str]()
    credentials = 0
    written = []
    for row in rows:
        unit, verdicts = judged(row.unit)
        state = gate_state(verdicts)
        outcomes[row.label][state.value] += 1
        if row.label == "reject" and state is State.PASSED:
            let[row.criterion] += 1
        if row.label == "pass":
            refused.update(one.criterion for one in verdicts if one.outcome is Outcome.REJECT)
            if state is State.REVIEW:
                held.update(one.criterion for one in verdicts if one.outcome is Outcome.REVIEW)
        if row.criterion == "secret" and (
            state is State.PASSED or any(find_secrets(held_back(unit, verdicts).text))
        ):
            credentials += 1
        reasons = {one.criterion: one.reason for one in verdicts if one.outcome is not Outcome.PASS}
        written.append(GateDump(id=row.id, label=row.label, outcome=state, reasons=reasons))
    if dump is not None:
        dump.write_text("".join(f"{one.model_dump_json()}\n" for one in written), encoding="utf-8")
    return GateScore(
        engine=f"{engine}, gate {GATE_VERSION}",
        rows=len(rows),
        rejects_let_through=_share(outcomes["reject"], State.PASSED),
        passes_refused=_share(outcomes["pass"], State.REJECTED),
        passes_held=_share(outcomes["pass"], State.REVIEW),
        credentials_let_through=credentials,
        let_through_by_criterion=dict(let),
        refused_by_criterion=dict(refused),
        held_by_criterion=dict(held),
        outcomes={label: dict(counts) for label, counts in outcomes.items()},
    )


def judged(row: GateUnit) -> tuple[Unit, tuple[Verdict, ...]]:
    """A row's unit and the gate's verdicts on it; no older note stands in such a set."""
    at = row.message.find(row.quote)
    evidence = Evidence(
        message_id="message",
        start=max(at, 0),
        end=max(at, 0) + len(row.quote),
        quote=row.quote,
        text_hash=sha256_text(row.message),
    )
    unit = Unit(
        id="unit",
        account="evaluation",
        conversation_id="conversation",
        category=row.category,
        text=row.text,
        speaker=_SPEAKERS.get(row.speaker, Speaker.OTHER),
        evidence=(evidence,),
        said_at=None,
        extractor=ENGINE_VERSION,
    )
    heard = SourceContext({"message": row.message, "previous": row.previous})
    unit = unit.model_copy(update={"estimate": _estimate(unit, row)})
    return unit, judge(unit, heard, older=lambda _: None)


def _estimate(unit: Unit, row: GateUnit) -> Estimate | None:
    """What the small reader makes of the words that the row's note stands on; None without them."""
    reader, span = load_reader(), (unit.evidence[0].start, unit.evidence[0].end)
    (found,) = reader.assess(row.message, row.speaker, row.previous, [span])
    if found is None:
        return None
    seen = features(found, found, unit.speaker, unit.text, whole=True, named=False)
    return estimate(reader.good, seen, found, whole=True)


def _share(counts: Counter[str], state: State) -> float:
    return round(counts[state.value] / max(sum(counts.values()), 1), 4)


def _row(line: str, where: str) -> GateRow:
    try:
        return GateRow.model_validate_json(line)
    except ValidationError as error:
        why = str(error).splitlines()[0]
        raise InputError("a row is not one of gate.jsonl", where=where, why=why) from error


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
