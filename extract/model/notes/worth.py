"""How likely a careful reader keeps a model's notes, by what the small reader says of their words.

A language model is asked for every note and for no judgement of its worth: what it delivers is true, and
mostly not worth having a year on. The reader's chance was fitted on notes of its own; a model's it ranks as
well (docs/extraction.md). The gate passes notes by it, and rejects none.
"""

from __future__ import annotations

from collections.abc import Sequence

from extract.model.notes.numbering import Sheet
from extract.offline_engine import Run, heard_of, runs_of
from extract.reader.calibration import estimate, features
from extract.reader.small_reader import SmallReader, SpanReading
from schemas.estimate import Estimate
from schemas.unit import Unit

STANDS_ALONE = 3.0
"""A model is asked for notes that stand alone, whatever their words did: the logit of .95."""


def with_worth(sheet: Sheet, units: Sequence[Unit], reader: SmallReader) -> list[Unit]:
    """The units with what the reader estimates of each; one that stands on no talk gets none."""
    heard = heard_of(sheet.conversation.messages)
    by_message: dict[str, list[Unit]] = {}
    for unit in units:
        by_message.setdefault(unit.evidence[0].message_id, []).append(unit)
    found: dict[str, Estimate] = {}
    for message in sheet.conversation.messages:
        own = by_message.get(message.id)
        if not own:
            continue
        for run in runs_of(message, sheet.segments[message.id], heard.get(message.parent or "", "")):
            held = [unit for unit in own if _within(unit, run)]
            spans = [
                (unit.evidence[0].start - run.segment.start, unit.evidence[0].end - run.segment.start)
                for unit in held
            ]
            readings = reader.assess(run.text, run.role, run.before, spans) if spans else []
            for unit, reading in zip(held, readings, strict=True):
                if reading is not None:
                    found[unit.id] = _estimated(unit, reading, reader)
    return [unit.model_copy(update={"estimate": found.get(unit.id)}) for unit in units]


def _within(unit: Unit, run: Run) -> bool:
    return run.segment.start <= unit.evidence[0].start and unit.evidence[0].end <= run.segment.end


def _estimated(unit: Unit, reading: SpanReading, reader: SmallReader) -> Estimate:
    seen = features(reading, reading, unit.speaker, unit.text, whole=True, named=False)
    return estimate(reader.good, {**seen, "alone": STANDS_ALONE}, reading, whole=True)
