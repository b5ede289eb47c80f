"""What `mnemic recall --explain` shows beside the package, and what `--trace` writes down."""

from __future__ import annotations

from pathlib import Path

from interfaces.cli.terminal import print_table, say
from retrieval import Package
from retrieval.package import WebReport
from schemas.words import amount
from vault.outside import PRIVATE
from vault.reader import VaultReader
from vault.tombstones import remember_copy


def add_to(trace: Path, package: Package, reader: VaultReader) -> None:
    """Write one line more, and remember the file: it quotes notes, and an erasure must find it."""
    trace.touch(PRIVATE)
    with trace.open("a", encoding="utf-8") as stream:
        stream.write(package.model_dump_json() + "\n")
    if trace.is_file():  # a pipe or device keeps nothing
        remember_copy(reader.layout, trace, "trace")


def print_trace(package: Package, reader: VaultReader) -> None:
    """Kept and dropped candidates, what the web brought, and the time of each step."""
    if package.altitude is not None:
        say(f"Altitude: {package.altitude.domain} ({package.altitude.by})")
    for way in package.ways:
        say(f"Searched besides, {way}")
    room = f"{package.tokens} of {package.budget} tokens"
    print_table(
        f"Kept: {len(package.hits)} (confidence {package.confidence:.2f}, {room})",
        ("id", "part", "score", "relevance", "cosine", "recency", "weight"),
        [
            (
                hit.short,
                hit.part.value,
                f"{hit.score:.3f}",
                f"{hit.relevance:.3f}",
                f"{hit.similarity:.3f}",
                f"{hit.recency:.2f}",
                hit.weight,
            )
            for hit in package.hits
        ],
    )
    print_table(
        f"Dropped: {len(package.dropped)}",
        ("id", "stage", "reason", "note"),
        [(reader.short_id(one.id), one.stage, one.reason, one.text[:80]) for one in package.dropped],
    )
    if package.web is not None:
        _print_web(package.web)
    print_table(
        "Time",
        ("step", "ms", "kept"),
        [(one.step, f"{one.milliseconds:.1f}", one.kept) for one in package.steps],
    )


def _print_web(report: WebReport) -> None:
    say(f"Web: {'asked' if report.live else 'not asked'}, {report.reason}")
    if report.live:
        say(f"  sent to {report.provider}: {'; '.join(report.sent)}")
        said = ", ".join(f"{many} {name}" for name, many in report.standings.items()) or "none"
        say(f"  results: {said}; {amount(report.folded, 'passage')} folded in")
    if report.saved:
        say(f"  saved pages: {amount(report.saved, 'passage')}")
    if report.problem:
        say(f"  {report.problem}")
    if report.pages:
        rows = [(one.outcome, one.standing, one.url, one.reason) for one in report.pages]
        print_table("Pages", ("outcome", "standing", "address", "reason"), rows)
