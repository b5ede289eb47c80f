"""A run's account as Markdown, for Prefect's artifact."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from flows.reprocessing import ReprocessPlan
from flows.summary import RunSummary


def markdown_report(summary: RunSummary) -> str:
    """The run in three tables: what came in, what was left out and why, what was made."""
    published = f"generation {summary.generation}" if summary.published else "nothing new"
    lines = [f"# Ingest: {published}", "", f"Vault `{summary.vault}`, run `{summary.run}`", ""]
    lines += _table(
        ("archive", "outcome", "conversations", "messages", "new", "updated", "unchanged", "older"),
        [
            (
                Path(one.archive).name,
                one.error or one.outcome.value,
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
    left_out = [
        (Path(one.archive).name, note.kind.value, note.reason, note.count)
        for one in summary.archives
        if one.report
        for note in one.report.notes
    ]
    if left_out:
        lines += ["## Left out, and why", "", *_table(("archive", "kind", "reason", "count"), left_out)]
    made = [*summary.made.items(), *((f"notes: {name}", n) for name, n in summary.units_by_category.items())]
    lines += ["## Made", "", *_table(("what", "count"), made)]
    lines += ["## Time", "", *_table(("stage", "seconds"), list(summary.seconds.items()))]
    return "\n".join(lines)


def markdown_plan(plan: ReprocessPlan) -> str:
    """What a reprocessing comes to, before it is done."""
    rows: list[tuple[str, object]] = [
        ("meant", plan.chosen),
        ("up to date", plan.current),
        ("due", plan.due),
        ("for another run", plan.later),
        *((f"due, extracted by {engine}", count) for engine, count in plan.made_by.items()),
    ]
    if plan.questions is not None:
        rows += [
            ("questions", plan.questions.questions),
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
