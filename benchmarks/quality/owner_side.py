"""What `--model-reads owner` gives: notes by a model, save of what the assistant said.

    python benchmarks/quality/owner_side.py RECORDINGS EXTRACTION_SET...

The recordings answer questions about everybody's sentences. Their notes of the owner's side stand here for
those that a model would make of it alone; a question about that side shows less of the assistant's words, so
this is what to expect and not what was seen. Three rows a set: all by the model, the owner's side, none.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from evals.extraction import ExtractionScore, read_rows, score_extraction
from evals.models import opened
from extract.offline_engine import extract_units
from inference.provider_choice import Asked
from schemas.conversation import Conversation
from schemas.unit import Category, Speaker, Unit

COLUMNS = ("coverage", "precision", "category_accuracy", "text_f1", "noise")


def scored(recordings: Path, rows: Path) -> dict[str, ExtractionScore]:
    """The score of each way to read a set."""
    with opened(Asked("anthropic", replay=recordings)) as (_, engine):

        def by_model(conversation: Conversation) -> Sequence[Unit]:
            return engine.extract(conversation).units

        def owners_side(conversation: Conversation) -> Sequence[Unit]:
            own = [unit for unit in by_model(conversation) if unit.speaker is not Speaker.ASSISTANT]
            rest = [unit for unit in offline(conversation) if unit.speaker is Speaker.ASSISTANT]
            return [*own, *rest]

        def offline(conversation: Conversation) -> Sequence[Unit]:
            return extract_units(conversation).units

        ways = {"all by the model": by_model, "the owner's side": owners_side, "none": offline}
        return {name: score_extraction(read_rows(rows), produce) for name, produce in ways.items()}


def main() -> None:
    """Print the rows."""
    recordings, *sets = map(Path, sys.argv[1:])
    print("set", "read by the model", *COLUMNS, "decisions", sep=" | ")
    for one in sets:
        for name, score in scored(recordings, one).items():
            told = [f"{getattr(score, column):.3f}" for column in COLUMNS]
            print(one.stem, name, *told, round(score.recall_by_category[Category.DECISION], 3), sep=" | ")


if __name__ == "__main__":
    main()
