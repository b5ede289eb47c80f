"""`mnemic web`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interfaces.cli.lookup import account_of, opened
from interfaces.cli.options import account_option, json_option, vault_option
from interfaces.cli.terminal import print_json, print_table, say
from interfaces.settings.web_settings import web_settings
from interfaces.web_lanes import page_reader, require_enabled
from schemas.deferred import deferred
from schemas.errors import UnknownId, UsageError
from schemas.provenance import STANDING_WEIGHTS
from schemas.words import amount
from vault.reader import VaultReader
from vault.web_pages import SavedPage, WebPages, pages_of

if TYPE_CHECKING:
    import inference
    from web import refreshing
    from web.standing import source_lists
else:
    inference = deferred("inference")
    refreshing = deferred("web.refreshing")
    source_lists = deferred("web.standing.source_lists")

MOST_DAYS = 36_500
"""A century: no page is older, and so many days back there still is a date."""
older_option = click.option(
    "--older-than",
    "days",
    type=click.IntRange(min=0, max=MOST_DAYS),
    default=None,
    metavar="DAYS",
    help="Pages that were fetched longer ago.",
)
all_option = click.option("--all", "everything", is_flag=True, help="Every page.")
LOG_SHOWN = 50


@click.group("web")
def command() -> None:
    """Look after the pages of the web that `mnemic recall --web-keep` saved, and the log of what left.

    \b
    Examples:
      mnemic web list
      mnemic web refresh --older-than 30
      mnemic web log
    """


@command.command("list")
@account_option
@vault_option
@json_option
def list_(account: str | None, vault: Path | None, as_json: bool) -> None:
    """Show every saved page: address, when it was fetched, hash of its text, weight.

    \b
    Examples:
      mnemic web list
      mnemic web list --json
    """
    with opened(vault) as reader:
        found = _pages(reader, account).pages()
    if as_json:
        told = [
            {**one.model_dump(mode="json", exclude={"text"}), "weight": STANDING_WEIGHTS[one.standing]}
            for one in found
        ]
        print_json({"pages": told})
        return
    rows = [
        (
            f"{one.fetched_at:%Y-%m-%d %H:%M}",
            STANDING_WEIGHTS[one.standing],
            one.sha256[:12],
            one.title,
            one.url,
        )
        for one in found
    ]
    print_table(f"Saved pages: {len(found)}", ("fetched", "weight", "hash", "title", "address"), rows)


@command.command("drop")
@click.argument("urls", nargs=-1, metavar="[URL]...")
@older_option
@all_option
@account_option
@vault_option
def drop(
    urls: tuple[str, ...], days: int | None, everything: bool, account: str | None, vault: Path | None
) -> None:
    """Erase saved pages. A later recall may save them again.

    \b
    Examples:
      mnemic web drop https://example.org/page
      mnemic web drop --older-than 90
    """
    with opened(vault) as reader:
        pages = _pages(reader, account)
        gone = pages.drop([one.url for one in _chosen(pages, urls, days, everything)])
    say(f"dropped {amount(gone, 'page')}")


@command.command("refresh")
@click.argument("urls", nargs=-1, metavar="[URL]...")
@older_option
@all_option
@account_option
@vault_option
@json_option
def refresh_(
    urls: tuple[str, ...],
    days: int | None,
    everything: bool,
    account: str | None,
    vault: Path | None,
    as_json: bool,
) -> None:
    """Fetch saved pages again. What cannot be fetched stays as it was saved, and is told.

    \b
    Examples:
      mnemic web refresh https://example.org/page
      mnemic web refresh --older-than 30
    """
    said = web_settings()
    require_enabled(said)
    lists = source_lists.source_lists(said.sources)
    with opened(vault) as reader, page_reader(said, lists.excluded) as fetching:
        pages = _pages(reader, account)
        chosen = _chosen(pages, urls, days, everything)
        done = list(refreshing.refresh(pages, chosen, fetching, lists, inference.load_embedder()))
    if as_json:
        print_json({"pages": [one.model_dump(mode="json") for one in done]})
        return
    print_table(
        "Refreshed", ("outcome", "address", "reason"), [(one.outcome, one.url, one.reason) for one in done]
    )


@command.command("log")
@click.option(
    "--limit", type=click.IntRange(min=1), default=LOG_SHOWN, show_default=True, help="Lines, newest first."
)
@click.option("--clear", is_flag=True, help="Erase the log.")
@account_option
@vault_option
@json_option
def log(limit: int, clear: bool, account: str | None, vault: Path | None, as_json: bool) -> None:
    """Show what left the machine for the live web: each query as it was sent, each address, when and why.

    \b
    Examples:
      mnemic web log
      mnemic web log --clear
    """
    with opened(vault) as reader:
        pages = _pages(reader, account)
        if clear:
            say(f"erased {amount(pages.clear_log(), 'line')}")
            return
        lines = pages.log(limit)
    if as_json:
        print_json({"sent": [one.model_dump(mode="json") for one in lines]})
        return
    rows = [(f"{one.at:%Y-%m-%d %H:%M:%S}", one.kind, one.place, one.what, one.reason) for one in lines]
    print_table("What left the machine", ("at", "kind", "to", "what", "why"), rows)


def _pages(reader: VaultReader, account: str | None) -> WebPages:
    return pages_of(reader.layout, reader.ledger, account_of(reader, account))


def _chosen(pages: WebPages, urls: Sequence[str], days: int | None, everything: bool) -> list[SavedPage]:
    """The pages that are named. Raises UsageError where nothing says which, UnknownId for an unknown one."""
    if bool(urls) + (days is not None) + everything != 1:
        raise UsageError("say which pages", remedy="Name addresses, or --older-than DAYS, or --all")
    known = pages.pages()
    if days is not None:
        since = datetime.now(UTC) - timedelta(days=days)
        return [one for one in known if one.fetched_at < since]
    by_url = {one.url: one for one in known}
    if missing := [url for url in urls if url not in by_url]:
        raise UnknownId(f"no page was saved of {missing[0]}", remedy="`mnemic web list` shows them")
    return known if everything else [by_url[url] for url in dict.fromkeys(urls)]
