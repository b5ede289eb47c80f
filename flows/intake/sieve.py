"""What a run does not take in: conversations and documents that a rule excludes, and what was forgotten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from archives import LeftOut
from flows.intake.exclusions import Exclusion
from flows.intake.last_seen import Sightings
from schemas.conversation import Conversation
from schemas.report import ImportReport
from schemas.resource import Resource
from vault.tombstones import Burial

FORGOTTEN = "forgotten: the owner had it erased"


@dataclass(frozen=True, slots=True)
class Sieve:
    """Says of each conversation and document whether it is left out, and notes that the service has it."""

    exclusions: Sequence[Exclusion]
    forgotten: Mapping[str, Burial]
    sightings: Sightings

    def __call__(self, read: Conversation | Resource) -> LeftOut | None:
        """Why it is left out; None for what stays. Of what was forgotten not even the name stays."""
        if read.id in self.forgotten:
            day = self.forgotten[read.id].day
            return LeftOut(FORGOTTEN, f"It was forgotten on {day} and stays so", nameless=True)
        if isinstance(read, Conversation):
            self.sightings.see(read)
        rule = next((rule for rule in self.exclusions if rule.matches(read)), None)
        if rule is None:
            return None
        return LeftOut(
            f"excluded by the rule {rule}", f"`mnemic exclusions --remove {rule}` takes the rule back"
        )


def forgotten_of(report: ImportReport) -> str:
    """When something of the archive was forgotten, in a sentence; "" if nothing was."""
    return next((note.remedy for note in report.notes if note.reason == FORGOTTEN), "")


def without_names(report: ImportReport) -> ImportReport:
    """The report; where some of the archive was forgotten, without samples and places."""
    if not any(note.reason == FORGOTTEN for note in report.notes):
        return report
    notes = tuple(note.model_copy(update={"sample": "", "where": ""}) for note in report.notes)
    return report.model_copy(update={"notes": notes})
