"""A run's account as one HTML page that needs nothing else: counts, reasons, costs, times, pictures.

Everything from an archive is escaped; nothing is loaded and no script runs, by the page's own policy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

from flows.reports.run_summary import ModelUse, RunSummary
from schemas.base import sha256_text
from vault.files import write_text_durably
from vault.layout import VaultLayout

_END = "\n</body></html>\n"
KEPT_REPORTS = 100
"""Pages that stay; each is some tens of kilobytes."""

_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>%s</title><style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  color: #1d2733; background: #fff }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; width: 100%% }
th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #d9dee5;
  vertical-align: top; overflow-wrap: anywhere }
svg { display: block; margin: .5rem 0 1.5rem } svg text { font: 13px system-ui, sans-serif; fill: #1d2733 }
svg rect { fill: #2f6f9f } .bad { color: #a3231f; font-weight: 600 } small { color: #5a6675 }
</style></head><body>
"""


def report_page(layout: VaultLayout, run: str) -> Path:
    """Where the page of a run lies."""
    return layout.reports / f"{run}.html"


def write_report(layout: VaultLayout, summary: RunSummary) -> Path:
    """Write the page of a run into the vault, and remove the oldest beyond `KEPT_REPORTS`."""
    page = report_page(layout, summary.run)
    write_text_durably(page, _sealed(html_report(summary)))
    pages = sorted(layout.reports.glob("*.html"), key=lambda one: one.stat().st_mtime, reverse=True)
    for old in pages[KEPT_REPORTS:]:
        old.unlink()
    return page


def newest_report(layout: VaultLayout) -> Path | None:
    """The page of the run that ended last."""
    pages = layout.reports.glob("*.html") if layout.reports.is_dir() else ()
    return max(pages, key=lambda one: one.stat().st_mtime, default=None)


def _sealed(text: str) -> str:
    """The page with a last line that says what it was when it was written; a browser shows nothing of it."""
    return f"{text}<!-- sha256 {sha256_text(text)} -->\n"


def damaged_reports(layout: VaultLayout) -> list[Path]:
    """The pages that are not as they were written; of the earliest, which lack that line, those cut short."""
    pages = sorted(layout.reports.glob("*.html")) if layout.reports.is_dir() else []
    return [page for page in pages if not _is_whole(page.read_text(encoding="utf-8", errors="replace"))]


def _is_whole(page: str) -> bool:
    text, end, _ = page.rpartition(_END)
    return page in (text + end, _sealed(text + end))


def html_report(summary: RunSummary) -> str:
    """The page's text."""
    published = (
        f"Generation {summary.generation} published" if summary.published else "Nothing new to publish"
    )
    parts = [
        _HEAD % escape(f"mnemic: {published}"),
        f"<h1>{escape(published)}</h1>",
        f"<p><small>{summary.started_at:%Y-%m-%d %H:%M:%S} UTC, run {escape(summary.run)},"
        f" vault {escape(summary.vault)}, exit code {summary.exit_code}</small></p>",
        _came_in(summary),
        _left_out(summary),
        _set_aside(summary),
        _pictures("Made", summary.made),
        _pictures("New notes by category", summary.units_by_category),
        _pictures("New notes by state", summary.units_by_state),
        _pictures("Refused by extraction, by reason", summary.dropped),
        _cost(summary.model_use),
        _pictures("Seconds by stage", summary.seconds),
        _section("The vault now", _table(("table", "rows"), summary.rows.items())),
    ]
    return "\n".join(part for part in parts if part) + _END


def _came_in(summary: RunSummary) -> str:
    rows = []
    for one in summary.archives:
        report = one.report
        rows.append(
            (
                Path(one.archive).name,
                one.account or (report.account if report else ""),
                one.error or one.outcome.value,
                report.conversations if report else "",
                report.messages if report else "",
                one.new,
                one.updated,
                one.unchanged,
                one.older,
            )
        )
    columns = (
        "archive",
        "account",
        "outcome",
        "conversations",
        "messages",
        "new",
        "updated",
        "unchanged",
        "older",
    )
    return _section("What came in", _table(columns, rows)) if rows else ""


def _left_out(summary: RunSummary) -> str:
    rows = [
        (Path(one.archive).name, note.kind.value, note.reason, note.count, note.remedy)
        for one in summary.archives
        if one.report
        for note in one.report.notes
    ]
    columns = ("archive", "kind", "reason", "count", "remedy")
    return _section("Left out, and why", _table(columns, rows)) if rows else ""


def _set_aside(summary: RunSummary) -> str:
    if not summary.failed:
        return ""
    return _section(
        "Set aside: their extraction failed", _table(("conversation", "why"), summary.failed.items())
    )


def _cost(use: ModelUse | None) -> str:
    if use is None:
        return _section("Cost", "<p>No language model was asked: nothing was spent.</p>")
    told = {
        "model": f"{use.model} by {use.mode}",
        "questions": use.questions,
        "answered before": use.answered_before,
        "expected, US dollars": f"{use.expected_usd:.4f}",
        "spent, US dollars": f"{use.spent_usd:.4f}",
        "under way": use.under_way,
        "left by the budget": use.unsent,
    }
    stopped = f'<p class="bad">{escape(use.stopped)}</p>' if use.stopped else ""
    return _section("Cost", _table(("", ""), told.items()) + stopped)


def _section(title: str, body: str) -> str:
    return f"<h2>{escape(title)}</h2>\n{body}"


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "\n".join("<tr>" + "".join(f"<td>{_shown(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"


def _shown(cell: object) -> str:
    return f"{cell:,}" if isinstance(cell, int) else escape(str(cell))


_ROW, _LABEL, _WIDTH = 22, 330, 860


def _pictures(title: str, counts: Mapping[str, float]) -> str:
    """Bars, one a name, each with its number."""
    told = {name: count for name, count in counts.items() if count}
    if not told:
        return ""
    most = max(told.values())
    lines = []
    for place, (name, count) in enumerate(told.items()):
        top = place * _ROW
        width = max(1.0, (_WIDTH - _LABEL - 110) * count / most)
        shown = f"{count:,}" if isinstance(count, int) else f"{count:,.2f}"
        label = name if len(name) <= 48 else name[:47] + "…"
        lines.append(
            f'<text x="0" y="{top + 15}">{escape(label)}</text>'
            f'<rect x="{_LABEL}" y="{top + 3}" width="{width:.1f}" height="{_ROW - 7}"/>'
            f'<text x="{_LABEL + width + 8:.1f}" y="{top + 15}">{shown}</text>'
        )
    height = len(told) * _ROW
    shape = f'viewBox="0 0 {_WIDTH} {height}" width="100%" role="img" aria-label="{escape(title)}"'
    return _section(title, f"<svg {shape}>\n" + "\n".join(lines) + "\n</svg>")
