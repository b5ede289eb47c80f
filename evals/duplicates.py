"""The duplicates suite: pairs of notes, one label each: does keeping one lose nothing?"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from curation.pairs.near_duplicates import RULES, same_meaning
from curation.pairs.small_judge import load_judge
from curation.swept_note import SweptNote
from evals.pairs import PairOutcome, PairRow, PairScore, dump_rows, score_pairs
from schemas.base import Noun
from schemas.unit import Category, Speaker, State

DUPLICATE = "duplicate"


class _Row(Noun):
    id: str
    a: str
    b: str
    label: str
    kind: str


def run_duplicates_eval(path: Path, engine: str = "offline", dump: Path | None = None) -> PairScore:
    """Score form and judge on a set of pairs; both notes of a pair are of one person, talk and day."""
    outcomes = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = _Row.model_validate_json(line)
        acts = same_meaning(_note("a", row.a), _note("b", row.b), load_judge())
        judged = PairRow(id=row.id, kind=row.kind, label=row.label, acts=acts, reason=RULES)
        outcomes.append(PairOutcome(judged, row.label == DUPLICATE))
    dump_rows(dump, outcomes)
    return score_pairs("duplicates", engine, outcomes)


def _note(identity: str, text: str) -> SweptNote:
    return SweptNote(
        id=identity, account="eval", conversation_id="eval", text=text, category=Category.FACT,
        speaker=Speaker.OWNER, speaker_name=None, state=State.PASSED,
        said_at=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip
