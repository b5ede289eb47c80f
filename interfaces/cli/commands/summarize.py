"""`mnemic summarize`."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import click

from inference.secret_cover import masked_throughout
from interfaces.cli.lookup import opened
from interfaces.cli.options import account_option, as_of_option, json_option, vault_option
from interfaces.cli.terminal import print_json, print_table, say
from interfaces.history_answers import lying_then
from interfaces.path_survey import Surveyed, SurveyKind, asked_namespace, namespace_of, surveyed
from schemas.words import amount

KEYS_SHOWN = 50
"""`--json` and `--stream` have all of them."""


@click.command("summarize")
@click.argument(
    "kind",
    metavar="[all|taxonomy|timeline|places]",
    type=click.Choice([one.value for one in SurveyKind]),
    default=SurveyKind.ALL.value,
)
@click.option(
    "--depth", type=int, default=None, help="Count by the first so many names of a path: 1, 2 or 3."
)
@click.option("--keys", "globs", multiple=True, help="Only paths that this glob fits; several are a union.")
@click.option("-n", "--namespace", default=None, help='Whose: alice, user:alice or ("user","alice").')
@click.option("--stream", is_flag=True, help="One JSON object a line.")
@as_of_option
@account_option
@vault_option
@json_option
def command(
    kind: str,
    depth: int | None,
    globs: tuple[str, ...],
    namespace: str | None,
    stream: bool,
    moment: int | datetime | None,
    account: str | None,
    vault: Path | None,
    as_json: bool,
) -> None:
    """Say how many notes lie where: counts by path, by date, or of places. No model is asked.

    A key is a path at which notes lie, such as home.garden.hedge. Counts are exact, at any size.

    \b
    Examples:
      mnemic summarize --depth 1
      mnemic summarize taxonomy --depth 2 --keys 'home.*' --keys 'places.*'
      mnemic summarize timeline --depth 2 --json
      mnemic summarize --depth 1 --as-of 2026-03-01
    """
    with opened(vault) as reader:
        whose = asked_namespace(reader, namespace, account) or namespace_of(reader, None)
        as_of = None if moment is None else lying_then(reader, whose, moment)
        told = surveyed(reader, whose, SurveyKind(kind), depth, globs, as_of)
    if stream:
        for line in told.lines():
            say(json.dumps(line, ensure_ascii=False, default=str))
    elif as_json:
        print_json(told.as_json())
    else:
        _print(told)


def _print(told: Surveyed) -> None:
    for notice in told.notices:
        say(notice)
    title = f"{told.account}: {amount(told.notes, 'note')} at {amount(told.keys, 'key')}"
    if told.depth is None:
        say(title)
    else:
        rows = [
            (one.prefix, f"{one.keys:,}", f"{one.notes:,}", masked_throughout(one.sample))
            for one in told.branches
        ]
        print_table(title, ("path", "keys", "notes", "such as"), rows)
    if told.matching is not None:
        say(f"{amount(len(told.matching), 'key')} found")
        for key in told.matching[:KEYS_SHOWN]:
            say(f"  {key}")
        if len(told.matching) > KEYS_SHOWN:
            say(f"  and {len(told.matching) - KEYS_SHOWN:,} more")
