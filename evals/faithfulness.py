"""The scorer of faithfulness sets: which false notes are stopped, and which true ones are refused.

    row -> each claim as a language model's answer -> the engine's guards -> the gate -> counts
                                       a second reading by a model, where one is asked ^

Each claim is judged as if the model had written it alone, so one cannot take others down with it. The sets
were written apart from the guards: conversations, and of each true notes and lines and false ones of every
kind. Half of them, `final`, is for one score of what is finished.

A second reading is shown half of a conversation's claims at a time, drawn so that of two on one sentence it
sees one: a false note beside the true one that it was made of would be told by that.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from curation.gate import gate_state, judge
from curation.gate_input import SourceContext
from evals.conversations import EvalConversation, as_conversation
from evals.models import opened_model
from extract.model.model_summaries import HeldLines, SummaryAnswer, hold_lines, line_of, summary_windows
from extract.model.notes.claim_checks import judged, writer_for
from extract.model.notes.claims import read_claim
from extract.model.notes.note_windows import WindowAnswer, unit_windows
from extract.model.notes.numbering import Sentence, Sheet, numbered_sheet
from extract.model.proofreading import (
    ProofAnswer,
    Proposed,
    proof_question,
    proposed_lines,
    proposed_notes,
    second_readings,
)
from extract.model.replies import Replies
from inference.language_model import ModelQuestion, Reply
from inference.provider_choice import Asked
from schemas.base import Noun
from schemas.errors import InputError
from schemas.unit import Category, State, Unit

_LETTERS = {
    Category.DECISION: "D",
    Category.OPEN_QUESTION: "Q",
    Category.CONSTRAINT: "C",
    Category.FACT: "F",
    Category.IDEA: "I",
    Category.ACTION_ITEM: "A",
    Category.PROVISIONAL: "P",
}


class Cite(Noun):
    """What a claim stands on: a verbatim part of a message."""

    message_id: str
    quote: str


class Claim(Noun):
    """A note, or a line of a summary."""

    id: str
    true: bool
    kind: str = ""
    """How a false one is false."""
    cites: tuple[Cite, ...]
    """The first says it; the others are needed to understand it."""
    text: str


class NoteClaim(Claim):
    """A note, in the category that its writer claims for it."""

    category: Category


class LineClaim(Claim):
    """A line of a summary, with its part's letter."""

    letter: str


class FaithfulnessRow(Noun):
    """One line of a set."""

    conversation: EvalConversation
    notes: tuple[NoteClaim, ...]
    lines: tuple[LineClaim, ...]


class ClaimVerdict(Noun):
    """What became of a claim, as `--dump` writes it."""

    id: str
    text: str
    true: bool
    kind: str
    by: str
    """`engine`, `gate` or, of one that is told, nobody: ""."""
    reason: str


class ClaimScore(Noun):
    """Shares are 0-1."""

    true: int
    false: int
    stopped: float
    """Of the false ones: those that are not told."""
    stopped_by_engine: float
    refused: float
    """Of the true ones: those that the engine refuses, or the gate rejects."""
    held: float
    """Of the true ones: those that the gate leaves to its owner to see."""
    told_by_kind: dict[str, str]
    """Of each kind of false ones, how many are told of how many."""
    refused_by_reason: dict[str, int]


class FaithfulnessScore(Noun):
    """Of notes, by engine and gate; of lines of summaries, by the engine."""

    rows: int
    notes: ClaimScore
    lines: ClaimScore


def run_faithfulness_eval(
    path: Path, dump: Path | None = None, asked: Asked | None = None
) -> FaithfulnessScore:
    """Judge every claim of a set; with `asked`, by a second reading too.

    Raises InputError where a line is no row, or a quote not in its message, and what `open_model` raises.
    """
    rows = [(row, numbered_sheet(as_conversation(row.conversation))) for row in _rows(path)]
    proof: dict[str, str] = {}
    if asked is not None:
        with opened_model(asked) as model:
            parts = [part for row, sheet in rows for part in proofs_of(row, sheet)]
            proof = _proofread(parts, model.complete, lifts=not model.provider.reach.brief)
    notes: list[ClaimVerdict] = []
    lines: list[ClaimVerdict] = []
    for row, sheet in rows:
        units, found = _notes(row, sheet, proof)
        notes += found
        lines += _lines(row, sheet, units, proof)
    if dump is not None:
        dump.write_text("".join(f"{one.model_dump_json()}\n" for one in (*notes, *lines)), encoding="utf-8")
    return FaithfulnessScore(rows=len(rows), notes=_scored(notes), lines=_scored(lines))


Part = tuple[tuple[str, ...], tuple[Proposed, ...], ModelQuestion[ProofAnswer]]
"""Ids of claims, the claims, and what is asked about them."""


def proofs_of(row: FaithfulnessRow, sheet: Sheet) -> list[Part]:
    """What a second reading is asked about a conversation: its notes in two halves, and its lines."""
    (window,), (part,) = unit_windows(sheet), summary_windows(sheet)
    asked = []
    notes = sorted(row.notes, key=lambda claim: (_sentences(claim.cites[0], sheet)[0].number, claim.id))
    lines = sorted(row.lines, key=lambda claim: (_sentences(claim.cites[0], sheet)[0].number, claim.id))
    for half in (0, 1):
        claims = [read_claim(_note_line(one, sheet)) for one in notes[half::2]]
        asked.append((tuple(one.id for one in notes[half::2]), proposed_notes(window, claims), window))
        told = [line_of(_summary_line(one, sheet)) for one in lines[half::2]]
        asked.append((tuple(one.id for one in lines[half::2]), proposed_lines(told), part.window))
    return [
        (ids, tuple(proposed), question)
        for ids, proposed, shown in asked
        if (question := proof_question(shown, proposed)) is not None
    ]


def _proofread(parts: Sequence[Part], complete: Replies, *, lifts: bool) -> dict[str, str]:
    """By claim, why a second reading calls it false, "" of true ones. Claims that it does not speak of are
    left to the guards."""
    found = {}
    asked = [(proposed, question) for _, proposed, question in parts]
    for (ids, _, _), proof in zip(parts, second_readings(asked, complete, lifts=lifts), strict=True):
        found.update({ids[place]: reason for place, reason in (proof.said or {}).items()})
    return found


def _of(claim: Claim, proof: Mapping[str, str]) -> dict[int, str] | None:
    return {0: proof[claim.id]} if claim.id in proof else None


def _notes(
    row: FaithfulnessRow, sheet: Sheet, proof: Mapping[str, str]
) -> tuple[list[Unit], list[ClaimVerdict]]:
    """(the units of true notes, what became of all)"""
    (window,) = unit_windows(sheet)
    writer = writer_for(sheet, "evaluation")
    conversation = sheet.conversation
    heard = SourceContext(
        {message.id: message.text for message in conversation.messages}, conversation.title or ""
    )
    units, verdicts = [], []
    for claim in row.notes:
        line = _note_line(claim, sheet)
        found = judged(window, Reply(WindowAnswer(units=[line])), writer, _of(claim, proof))
        by = reason = ""
        if not found.units:
            by, reason = "engine", next(iter(found.reasons))
        else:
            (unit,) = found.units
            said = judge(unit, heard, older=lambda _: None)
            state = gate_state(said)
            if state is not State.PASSED:
                by = "gate" if state is State.REJECTED else "review"
                reason = next((one.criterion for one in said if one.outcome.value == _outcome(state)), "")
            if claim.true:
                units.append(unit)
        verdicts.append(
            ClaimVerdict(id=claim.id, text=claim.text, true=claim.true, kind=claim.kind, by=by, reason=reason)
        )
    return units, verdicts


def _outcome(state: State) -> str:
    return {State.REJECTED: "reject", State.ARCHIVED: "merge"}.get(state, "review")


def _lines(
    row: FaithfulnessRow, sheet: Sheet, units: Sequence[Unit], proof: Mapping[str, str]
) -> Iterator[ClaimVerdict]:
    (part,) = summary_windows(sheet)
    for claim in row.lines:
        told = HeldLines()
        answer = SummaryAnswer(lines=[_summary_line(claim, sheet)])
        hold_lines(part, answer, sheet, units, told, _of(claim, proof))
        reason = next(iter(told.dropped), "")
        by = "" if told.lines else "engine"
        yield ClaimVerdict(
            id=claim.id, text=claim.text, true=claim.true, kind=claim.kind, by=by, reason=reason
        )


def _note_line(claim: NoteClaim, sheet: Sheet) -> str:
    """The claim as a language model writes it: sentences, category, anchor, text."""
    first, *rest = claim.cites
    own = _sentences(first, sheet)
    beside = [one for cite in rest for one in _sentences(cite, sheet) if one not in own]
    numbers = ",".join(str(one.number) for one in own)
    context = f"<{','.join(str(one.number) for one in beside)}" if beside else ""
    anchor = "" if own[0].quote.strip() == first.quote.strip() or len(own) > 1 else first.quote
    return f"{numbers}{context}|{_LETTERS[claim.category]}|{' '.join(anchor.split())}|{claim.text}"


def _summary_line(claim: LineClaim, sheet: Sheet) -> str:
    numbers = sorted({one.number for cite in claim.cites for one in _sentences(cite, sheet)})
    return f"{claim.letter}|{','.join(map(str, numbers))}|{claim.text}"


def _sentences(cite: Cite, sheet: Sheet) -> list[Sentence]:
    """The sentences that a quote has a part of."""
    for message in sheet.conversation.messages:
        at = message.text.find(cite.quote) if message.native_id == cite.message_id else -1
        if at >= 0:
            end = at + len(cite.quote)
            found = [
                one
                for one in sheet.sentences
                if one.message.id == message.id and one.start < end and at < one.end
            ]
            if found:
                return found
    raise InputError(
        "a quote is not in its message",
        where=f"{sheet.conversation.native_id}, {cite.message_id}",
        why=cite.quote,
    )


def _scored(verdicts: Sequence[ClaimVerdict]) -> ClaimScore:
    true = [one for one in verdicts if one.true]
    false = [one for one in verdicts if not one.true]
    kinds = Counter(one.kind for one in false)
    told = Counter(one.kind for one in false if not one.by)
    refused = [one for one in true if one.by in ("engine", "gate")]
    return ClaimScore(
        true=len(true),
        false=len(false),
        stopped=_share([one.by != "" for one in false]),
        stopped_by_engine=_share([one.by == "engine" for one in false]),
        refused=_share([one.by in ("engine", "gate") for one in true]),
        held=_share([one.by == "review" for one in true]),
        told_by_kind={kind: f"{told[kind]} of {count}" for kind, count in sorted(kinds.items())},
        refused_by_reason=dict(Counter(one.reason for one in refused).most_common()),
    )


def _share(which: Sequence[bool]) -> float:
    return round(sum(which) / len(which), 4) if which else 0.0


def _rows(path: Path) -> Iterator[FaithfulnessRow]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip():
            try:
                yield FaithfulnessRow.model_validate(json.loads(line))
            except (ValueError, ValidationError) as error:
                raise InputError(
                    "a line is no row of a faithfulness set",
                    where=f"{path}:{number}",
                    why=str(error).splitlines()[0],
                    remedy="See evals/faithfulness.py for what a row holds",
                ) from error
