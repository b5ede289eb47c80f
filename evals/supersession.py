"""The supersession suite: an older and a newer note: does the newer one take the older one's place?"""

from __future__ import annotations

from pathlib import Path

from curation.pairs.pair import JudgedNote, NotePair, PairVerdict
from curation.pairs.small_judge import load_judge
from evals.pairs import PairOutcome, PairRow, PairScore, dump_rows, score_pairs
from schemas.base import Instant, Noun
from schemas.unit import Category, Speaker

SUPERSEDE = "supersede"
_SPEAKERS = {"user": Speaker.OWNER, "assistant": Speaker.ASSISTANT}


class _Side(Noun):
    text: str
    at: Instant
    speaker: str
    category: Category

    def judged(self) -> JudgedNote:
        return JudgedNote(self.text, self.category, _SPEAKERS.get(self.speaker, Speaker.OTHER), self.at)


class _Row(Noun):
    id: str
    older: _Side
    newer: _Side
    label: str
    kind: str


def run_supersession_eval(path: Path, engine: str = "offline", dump: Path | None = None) -> PairScore:
    """Score the offline judge on a set of pairs."""
    outcomes = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = _Row.model_validate_json(line)
        ruling = load_judge().ruling(NotePair(row.older.judged(), row.newer.judged()))
        acts = ruling.verdict is PairVerdict.SUPERSEDE
        judged = PairRow(id=row.id, kind=row.kind, label=row.label, acts=acts, reason=ruling.reason)
        outcomes.append(PairOutcome(judged, row.label == SUPERSEDE))
    dump_rows(dump, outcomes)
    return score_pairs("supersession", engine, outcomes)
