"""A run's account as Markdown, for Prefect's artifact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from flows.ingest.reprocessing import ReprocessPlan
from flows.reports.run_summary import RunSummary


def markdown_report(summary: RunSummary) -> str:
    """The run in tables: what came in, what could not be read, what was left out and why, what was made."""
    lines = [f"# {outcome_in_short(summary)}", "", f"Vault `{summary.vault}`, run `{summary.run}`", ""]
    lines += _table(
        ("archive", "outcome", "conversations", "messages", "new", "updated", "unchanged", "older"),
        [
            (
                Path(one.archive).name,
                one.outcome.value,
                one.report.conversations if one.report else "",
                one.report.messages if one.report else "",
                one.new,
                one.updated,
                one.unchanged,
                one.older,
            )
            for one in summary.archives
        ],
    )
    broken = [
        f"- **{_cell(Path(one.archive).name)}**: {_cell(one.error)}" for one in summary.archives if one.error
    ]
    if broken:
        lines += ["## Not readable, and why", "", *broken, ""]
    left_out = [
        (Path(one.archive).name, note.kind.value, note.reason, note.count)
        for one in summary.archives
        if one.report
        for note in one.report.notes
    ]
    if left_out:
        lines += ["## Left out, and why", "", *_table(("archive", "kind", "reason", "count"), left_out)]
    if summary.failed:
        lines += [
            "## Set aside: their extraction failed",
            "",
            *_table(("conversation", "why"), list(summary.failed.items())),
        ]
    made = [*summary.made.items(), *((f"notes: {name}", n) for name, n in summary.units_by_category.items())]
    lines += ["## Made", "", *_table(("what", "count"), made)]
    lines += ["## Time", "", *_table(("stage", "seconds"), list(summary.seconds.items()))]
    return "\n".join(lines)


def outcome_in_short(summary: RunSummary) -> str:
    """`2 imported, 1 not readable: generation 7`, as a run's title and in its log."""
    outcomes = Counter(one.outcome.value for one in summary.archives)
    told = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.items()) or "no archive"
    return f"{told}: {f'generation {summary.generation}' if summary.published else 'nothing new'}"


def markdown_plan(plan: ReprocessPlan) -> str:
    """What a reprocessing comes to, before it is done."""
    rows: list[tuple[str, object]] = [
        ("conversations and documents meant", plan.chosen),
        ("as today's versions would make them: left alone", plan.current),
        ("to do again", plan.due),
        *((f"to do again, extracted by {engine} so far", count) for engine, count in plan.made_by.items()),
        ("extracted by another engine: for another run", plan.later),
    ]
    if plan.questions is None:
        rows.append(("US dollars", "none: no language model is asked"))
    else:
        rows += [
            ("questions to a language model", plan.questions.questions),
            ("answered before", plan.questions.answered),
            ("US dollars by messages", f"{plan.questions.usd_messages:.4f}"),
            ("US dollars by batch", f"{plan.questions.usd_batch:.4f}"),
        ]
    return "\n".join(["# What there is to do", "", *_table(("what", "count"), rows)])


def _table(columns: tuple[str, ...], rows: Sequence[Sequence[object]]) -> list[str]:
    head = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return [*head, *("| " + " | ".join(_cell(cell) for cell in row) + " |" for row in rows), ""]


def _cell(value: object) -> str:
    """Archive text is data: nothing in it may end the cell or become markup."""
    text = " ".join(str(value).split())
    for character in "\\`*_{}[]<>|#":
        text = text.replace(character, "\\" + character if character != "<" else "&lt;")
    return text
