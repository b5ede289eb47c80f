"""The owner's acts on the command line: which notes are meant, and recording what is done with them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from interfaces.cli.lookup import account_of, notes_of_thread, one_id, opened
from interfaces.cli.options import MOMENT, account_option, json_option, vault_option
from interfaces.cli.terminal import agreed, print_json, say
from schemas.act import STATE_AFTER, ActKind
from schemas.deferred import deferred
from schemas.errors import UsageError
from schemas.unit import Category, Speaker, State
from schemas.words import amount
from vault.journal import Journal
from vault.queries import NoteFilter, list_notes, texts_of_notes
from vault.reader import VaultReader

if TYPE_CHECKING:
    import inference
    import retrieval
    from retrieval import question as retrieval_question
    from vault import index, points
else:
    inference = deferred("inference")
    retrieval = deferred("retrieval")
    retrieval_question = deferred("retrieval.question")
    index = deferred("vault.index")
    points = deferred("vault.points")


F = TypeVar("F", bound=Callable[..., Any])

FOUND_BY_QUERY = 10
SHOWN = 20
"""Notes named of a bulk act; `--json` has all of them."""
NOTHING = 1


@dataclass(frozen=True, slots=True)
class Selection:
    """Which notes an act is about: by id, or all that a question, a thread or a state brings up."""

    ids: tuple[str, ...]
    query: str | None
    limit: int
    thread: str | None
    all_passed: bool
    categories: tuple[str, ...]
    speakers: tuple[str, ...]
    conversation: str | None
    since: datetime | None
    before: datetime | None
    account: str | None


_OPTIONS: tuple[Callable[[F], F], ...] = (
    click.argument("ids", nargs=-1),
    click.option("--query", default=None, help="The notes that `recall` finds for this question."),
    click.option(
        "--limit",
        type=click.IntRange(min=1),
        default=FOUND_BY_QUERY,
        show_default=True,
        help="With --query: at most so many.",
    ),
    click.option("--thread", default=None, help="The notes of this thread (its id, or the start of it)."),
    click.option("--all-passed", is_flag=True, help="Every note that passed the gate."),
    click.option(
        "--category", "categories", multiple=True, type=click.Choice([one.value for one in Category])
    ),
    click.option("--speaker", "speakers", multiple=True, type=click.Choice([one.value for one in Speaker])),
    click.option("--conversation", default=None, help="Only of this conversation."),
    click.option("--since", type=MOMENT, default=None, help="Said at or after this date."),
    click.option("--before", type=MOMENT, default=None, help="Said before this date."),
    click.option("--reason", default="", help="Why; kept with the act."),
    click.option("--undo", is_flag=True, help="Take the newest such act on each of the notes back."),
    click.option("--dry-run", is_flag=True, help="Only say which notes it would be."),
    click.option(
        "--yes", is_flag=True, help="Do not ask; on a terminal you are asked of what was not named."
    ),
    account_option,
    vault_option,
    json_option,
)


def acting_options(command: F) -> F:
    """The arguments and options of `keep` and `discard`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def act_on(
    kind: ActKind,
    *,
    reason: str,
    undo: bool,
    dry_run: bool,
    yes: bool,
    vault: Path | None,
    as_json: bool,
    **chosen: Any,
) -> int:
    """Record, or take back, one act for each chosen note, all or none; returns the exit code.

    On a terminal, notes that were not named by their ids are shown, and it is asked first.

    Raises UnknownId where the account has no note that was named, UsageError where it is not clear whose or
    which are meant.
    """
    selection = Selection(**chosen)
    with opened(vault) as reader:
        units = chosen_notes(reader, selection, account_of(reader, selection.account), undo=undo)
        asks = not (selection.ids or undo or dry_run or yes or as_json)
        if asks and sys.stdin.isatty() and sys.stdout.isatty() and units and not _agreed(reader, kind, units):
            return NOTHING
        with Journal(reader.layout.journal) as journal:
            standing = journal.standing(kind, units) if undo else []
            if undo:
                units = [act.subject for act in standing]
            seq = None
            if units and not dry_run:
                seq = (
                    journal.undo(standing, reason=reason)
                    if undo
                    else journal.append(kind, units, reason=reason)
                )
        texts = texts_of_notes(reader.ledger, units[:SHOWN])
        named = {one: reader.short_id(one) for one in units[:SHOWN]}
    done = f"undo {kind.value}" if undo else kind.value
    if as_json:
        print_json({"act": done, "units": units, "dry_run": dry_run, "journal_seq": seq})
    else:
        became = "taken back" if undo else STATE_AFTER[kind].value
        shown = [(named[one], texts.get(one, "")) for one in units[:SHOWN]]
        _say(shown, len(units), f"would be {became}" if dry_run else became, bulk=not selection.ids)
        if not selection.ids and units and not dry_run:
            say("`mnemic undo` takes it back")
    return 0 if units else NOTHING


def _agreed(reader: VaultReader, kind: ActKind, units: Sequence[str]) -> bool:
    """Show the notes and ask."""
    texts = texts_of_notes(reader.ledger, units[:SHOWN])
    shown = [(reader.short_id(one), texts.get(one, "")) for one in units[:SHOWN]]
    _say(shown, len(units), f"would be {STATE_AFTER[kind].value}", bulk=True)
    try:
        if agreed(f"{kind.value.capitalize()} {'it' if len(units) == 1 else 'them'}?"):
            return True
    except click.exceptions.Abort:
        say()
    say(f"Nothing was {STATE_AFTER[kind].value}")
    return False


def chosen_notes(reader: VaultReader, selection: Selection, account: str, *, undo: bool) -> list[str]:
    """Ids of the account's notes that are meant, in the order in which they were named or said."""
    ways = [
        bool(selection.ids),
        selection.query is not None,
        selection.thread is not None,
        selection.all_passed,
    ]
    filtered = any((selection.categories, selection.speakers, selection.conversation,
                    selection.since, selection.before))  # fmt: skip
    if sum(ways) != 1 and not (sum(ways) == 0 and filtered and undo):
        raise UsageError(
            "it is not clear which notes are meant",
            remedy="Name ids, or give exactly one of --query, --thread and --all-passed",
        )
    if selection.ids:
        if filtered:
            raise UsageError("ids and filters exclude each other", remedy="Give one or the other")
        return [one_id(reader, "units", "id", one, account) for one in selection.ids]
    states = None if undo else ((State.PASSED,) if selection.all_passed else (State.PASSED, State.REVIEW))
    found = list_notes(
        reader.ledger,
        NoteFilter(
            account=account,
            categories=tuple(map(Category, selection.categories)) or None,
            speakers=tuple(map(Speaker, selection.speakers)) or None,
            states=states,
            since=selection.since,
            before=selection.before,
            conversation=one_id(reader, "conversations", "conversation_id", selection.conversation, account)
            if selection.conversation
            else None,
        ),
    )
    fitting = [str(note["id"]) for note in found]
    if selection.query is not None:
        among = set(fitting)
        return [unit for unit in _recalled(reader, selection, account) if unit in among]
    if selection.thread is not None:
        among = notes_of_thread(reader, selection.thread, account)
        return [unit for unit in fitting if unit in among]
    return fitting


def _recalled(reader: VaultReader, selection: Selection, account: str) -> list[str]:
    where = index.Where(account, kinds=(points.PointKind.UNIT,), states=tuple(State))
    options = retrieval.Options(budget=retrieval_question.UNBOUNDED)
    question = retrieval.Question(str(selection.query), where, limit=selection.limit, options=options)
    package = retrieval.recall(question, reader.index, inference.load_embedder())
    return [hit.id for hit in package.hits]


def _say(shown: Sequence[tuple[str, str]], count: int, became: str, *, bulk: bool) -> None:
    """One line a shown note, as (id, text), and how many there are."""
    for named, text in shown:
        say(f"{named} {became}" + (f": {text}" if text else ""))
    if count > len(shown):
        say(f"and {count - len(shown):,} more")
    if bulk or not count:
        say(f"{amount(count, 'note')} {became}")
