"""Verification of a published generation: the vault's own checks, and a sample embedded again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from curation.gate_settings import read_settings
from flows.batches.batch_stages import embed_points, windows_for
from flows.generation.index_points import points_from_ledger
from flows.intake.collected import kept_answers
from flows.intake.exclusions import kept_rules
from flows.reports.run_page import damaged_reports
from inference import load_embedder
from inference.store import FILE, damaged_rows
from schemas.errors import IntegrityError, UsageError
from vault.generations import finished_numbers, published_number, read_manifest
from vault.layout import MANIFEST_FILE, VaultLayout
from vault.occupancy import occupy
from vault.opening import REBUILD
from vault.points import DraftPoint
from vault.sums import damaged_files
from vault.verification import (
    Finding,
    Subject,
    check_current,
    check_journal,
    examine,
)

PRUNE = (
    "Run `mnemic vault prune`: it drops what is damaged, and an answer is asked for again when it is needed"
)
DROP_OLDER = (
    "Nothing that is read today is touched. Run `mnemic vault prune --keep 1`: it drops older generations"
)
DROP_REPORT = "Remove the file: what the run did stands in the ledger (`mnemic status --imports`)"
RE_EMBEDDED = 64
"""Points whose vectors are computed again."""
RE_EMBEDDED_OWNERS = 8
"""Conversations and resources that they are taken from."""
LEAST_COSINE = 0.9999
"""Between a stored vector and the one computed now: batching changes the last digits (measured .9999996)."""


def check_vectors(subject: Subject) -> Iterator[Finding]:
    """A sample, drawn by the generation's digest, has the vectors that its texts have today."""
    if not subject.full:
        return
    embedder = load_embedder()
    if embedder.binding != subject.manifest.embedder:
        here, there = embedder.binding.name, subject.manifest.embedder.name
        yield Finding("vectors", "model", f"{there} made the vectors, {here} is installed", REBUILD)
        return
    owners = subject.ledger.query(
        "SELECT conversation_id FROM (SELECT DISTINCT conversation_id FROM points)"
        " ORDER BY hash(conversation_id || ?) LIMIT ?",
        [subject.manifest.points_digest, RE_EMBEDDED_OWNERS],
    )
    drafts = _some(
        points_from_ledger(subject.ledger, windows_for(embedder), frozenset(str(one) for (one,) in owners))
    )
    expected = subject.ledger.content_hashes([draft.id for draft in drafts])
    for draft in drafts:
        if expected.get(draft.id) != draft.payload.content_hash:
            what = "the ledger expects another text for it than it composes now"
            yield Finding("vectors", draft.id, what, REBUILD)
    stored = subject.index.fetch([draft.id for draft in drafts], with_vectors=True)
    for point, vector in embed_points(drafts, embedder).items() if drafts else ():
        found = stored[point].vector if point in stored else None
        if found is None or float(np.dot(found, vector)) < LEAST_COSINE:
            yield Finding("vectors", point, "its vector is not that of its text", REBUILD)


def check_cache(layout: VaultLayout) -> Iterator[Finding]:
    """What models answered can be read and is what was stored."""
    if not (layout.cache / FILE).exists():
        return
    try:
        for name in damaged_rows(layout.cache):
            what = f"{name} is not what was stored"
            yield Finding("cache", FILE, what, PRUNE)
    except sqlite3.DatabaseError as error:
        remedy = f"Move cache/{FILE} away, or restore it from a backup; costs are in the ledger"
        yield Finding("cache", FILE, str(error), remedy)


def check_rules(layout: VaultLayout) -> Iterator[Finding]:
    """The owner's rules and the gate's settings can be read."""
    for path, read in (
        (layout.exclusions, lambda: kept_rules(layout)),
        (layout.collected, lambda: kept_answers(layout)),
        (layout.gate, lambda: read_settings(layout.gate)),
    ):
        try:
            read()
        except UsageError as error:
            yield Finding("rules", path.name, f"{error.what} ({error.why})", error.remedy)


def check_reports(layout: VaultLayout) -> Iterator[Finding]:
    """The pages on runs are as they were written."""
    for page in damaged_reports(layout):
        yield Finding("reports", f"reports/{page.name}", "the page is not what was written", DROP_REPORT)


def check_older(layout: VaultLayout) -> Iterator[Finding]:
    """The files of the generations that a rollback can go back to are those that were published."""
    published = published_number(layout)
    for number in finished_numbers(layout):
        folder = layout.generation(number)
        hold = None if number == published else occupy(folder)
        if hold is None:  # the published one has checks of its own; another is just being dropped
            continue
        try:
            damaged = damaged_files(folder, read_manifest(folder).files)
        except IntegrityError as error:
            damaged = [f"{MANIFEST_FILE}: {error.why}"]
        finally:
            hold.release()
        for line in damaged:
            name, _, what = line.partition(": ")
            yield Finding("older", f"generations/{number}/{name}", what, DROP_OLDER)


def _some(drafts: Iterator[DraftPoint]) -> list[DraftPoint]:
    """Up to `RE_EMBEDDED` of the points, spread evenly over those that are offered."""
    offered = list(drafts)
    step = max(1, len(offered) // RE_EMBEDDED)
    return offered[::step][:RE_EMBEDDED]


def verify(vault: Path, *, full: bool, number: int | None = None) -> tuple[list[str], list[Finding]]:
    """(checks that ran, findings) for the published generation, or for the one that is named.

    Without `full`: the manifest, the files (read once a day), counts and digest, a sample of the points;
    nothing of older generations.
    """
    layout = VaultLayout(vault)
    found = [
        *check_current(layout), *check_journal(layout), *check_cache(layout), *check_rules(layout),
        *check_reports(layout),
    ]  # fmt: skip
    ran = ["current", "journal", "cache", "rules", "reports"]
    if any(one.check == "current" for one in found) and number is None:
        return ran, found
    wanted = number if number is not None else published_number(layout)
    if wanted is None:
        return ran, found
    more, findings = examine(layout, wanted, full=full, further=(check_vectors,))
    older = list(check_older(layout)) if full and number is None else []
    return [*ran, *more, *(["older"] if full and number is None else [])], found + findings + older
