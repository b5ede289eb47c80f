"""`mnemic account`."""

from __future__ import annotations

from pathlib import Path

import click

from interfaces.cli.account_publishing import publish_accounts
from interfaces.cli.lookup import one_id, opened
from interfaces.cli.options import json_option, the_account, vault_option
from interfaces.cli.terminal import print_json, print_table, say
from schemas.act import ActKind, Deed
from schemas.errors import UnknownId, UsageError
from schemas.words import amount
from vault.account_book import account_book
from vault.accounts import names_of_accounts
from vault.journal import Journal
from vault.queries import overview
from vault.reader import VaultReader


@click.group("account")
def command() -> None:
    """Whose memory: every conversation is of one account, and nothing crosses accounts.

    What you do here keeps every id, note, quote and act; nothing is read or embedded again, what comes later
    follows, and `mnemic undo` takes it back.

    \b
    Examples:
      mnemic account list
      mnemic account merge claude-data gemini alice@example.org
      mnemic account default alice@example.org
    """


@command.command("list")
@vault_option
@json_option
def list_(vault: Path | None, as_json: bool) -> int:
    """Show the accounts, the names that archives came under, and which account is the default.

    \b
    Examples:
      mnemic account list
    """
    with opened(vault) as reader:
        book = account_book(reader.layout, reader.ledger)
        came = {name for _, name in book.imports} | book.names.ever
        held = {str(row["account"]): row for row in overview(reader.ledger)}
        default = book.default()
    accounts = [
        {
            "account": name,
            "default": name == default,
            "names": sorted(one for one in came if one != name and book.names.now(one) == name),
            "conversations": row["conversations"],
            "notes": row["notes"],
        }
        for name, row in held.items()
    ]
    if as_json:
        print_json({"accounts": accounts})
        return 0
    rows = [
        (one["account"], "yes" if one["default"] else "", ", ".join(map(str, one["names"])),  # type: ignore[call-overload]  # a list
         one["conversations"], one["notes"])
        for one in accounts
    ]  # fmt: skip
    print_table("Accounts", ("account", "default", "also known as", "conversations", "notes"), rows)
    return 0


@command.command("merge")
@click.argument("merged", nargs=-1, required=True, metavar="ACCOUNT...")
@click.argument("into", metavar="INTO")
@vault_option
@json_option
def merge(merged: tuple[str, ...], into: str, vault: Path | None, as_json: bool) -> int:
    """Make what is of each ACCOUNT, and what comes under its name later, the account INTO's.

    \b
    Examples:
      mnemic account merge claude-data gemini alice@example.org
    """
    with opened(vault) as reader:
        accounts = list(reader.generation.accounts)
        for name in (*merged, into):
            the_account(name, accounts)
        if into in merged:
            raise UsageError(f"{into} cannot be merged into itself", remedy="Leave it out of the first names")
        deeds = [Deed(ActKind.ACCOUNT_MERGE, name, into) for name in dict.fromkeys(merged)]
        _record(reader, deeds)
    return _publish(reader.layout.root, f"merged {' and '.join(merged)} into {into}", as_json)


@command.command("rename")
@click.argument("before", metavar="ACCOUNT")
@click.argument("after", metavar="NAME")
@vault_option
@json_option
def rename(before: str, after: str, vault: Path | None, as_json: bool) -> int:
    """Call an account by another name. Archives that come under the old one are still its own.

    \b
    Examples:
      mnemic account rename chatgpt-export me
    """
    with opened(vault) as reader:
        the_account(before, list(reader.generation.accounts))
        _require_free(reader, after, of=before)
        _record(reader, [Deed(ActKind.ACCOUNT_RENAME, before, after)])
    return _publish(reader.layout.root, f"{before} is now called {after}", as_json)


@command.command("split")
@click.argument("account")
@click.option("--to", "into", required=True, metavar="NAME", help="The account to give it to, new or not.")
@click.option("--provider", default=None, help="What came from this service.")
@click.option("--archive", default=None, metavar="NAME", help="What came in this archive.")
@click.option("--conversation", "named", multiple=True, metavar="ID", help="This one.")
@vault_option
@json_option
def split(
    account: str,
    into: str,
    provider: str | None,
    archive: str | None,
    named: tuple[str, ...],
    vault: Path | None,
    as_json: bool,
) -> int:
    """Give some of an account's conversations and documents to another account.

    They meet every condition that is given. A conversation stays where it was given when a newer export
    holds it again; new ones of the same service still come to ACCOUNT unless --account says otherwise.

    \b
    Examples:
      mnemic account split me --to work --provider slack
      mnemic account split me --to work --conversation 77b0d2e5
    """
    if provider is None and archive is None and not named:
        raise click.UsageError("say what to split off: --provider, --archive or --conversation")
    with opened(vault) as reader:
        accounts = list(reader.generation.accounts)
        the_account(account, accounts)
        if into == account:
            raise UsageError(f"{into} is the account itself", remedy="Name another with --to")
        if into not in accounts:
            _require_free(reader, into)
        own = [one_id(reader, "conversations", "conversation_id", one, account) for one in named]
        found = _chosen(reader, account, provider, archive, own)
        if not found:
            raise UnknownId("nothing of the account is meant by that", remedy="`mnemic status --imports`")
        _record(reader, [Deed(ActKind.ACCOUNT_SPLIT, one, into) for one in found])
    return _publish(
        reader.layout.root, f"gave {amount(len(found), 'record')} of {account} to {into}", as_json
    )


@command.command("default")
@click.argument("account")
@vault_option
@json_option
def default(account: str, vault: Path | None, as_json: bool) -> int:
    """Say which account archives that name nobody are of: yours.

    \b
    Examples:
      mnemic account default alice@example.org
    """
    with opened(vault) as reader:
        the_account(account, list(reader.generation.accounts))
        _record(reader, [Deed(ActKind.ACCOUNT_DEFAULT, account)])
    return _publish(reader.layout.root, f"archives that name nobody are {account}'s", as_json)


def _record(reader: VaultReader, deeds: list[Deed]) -> None:
    with Journal(reader.layout.journal) as journal:
        journal.record(deeds)


def _publish(root: Path, done: str, as_json: bool) -> int:
    shown = publish_accounts(root)
    if as_json:
        print_json({"done": done, "published": shown})
    else:
        say(done)
    return 0


def _require_free(reader: VaultReader, name: str, of: str | None = None) -> None:
    """Raises UsageError for a name that cannot be an account's, or that another one has or had."""
    if not name.strip() or name != name.strip() or not name.isprintable():
        raise UsageError("an account's name is a line of plain text", why=f"not {name!r}")
    names = names_of_accounts(reader.ledger)
    if name in reader.generation.accounts or (name in names.ever and names.now(name) not in (name, of)):
        raise UsageError(
            f"there is an account {name}, or was one that is {names.now(name)} now",
            remedy="`mnemic account merge` makes two accounts one",
        )


def _chosen(
    reader: VaultReader, account: str, provider: str | None, archive: str | None, named: list[str]
) -> list[str]:
    """Ids of the account's conversations and documents that meet every condition."""
    found = reader.ledger.query(
        """
        SELECT o.id FROM (
            SELECT conversation_id AS id, account, provider, archive_hash FROM conversations
            UNION ALL SELECT id, account, provider, archive_hash FROM resources
        ) o
        WHERE o.account = $account AND ($provider IS NULL OR o.provider = $provider)
          AND ($archive IS NULL
               OR o.archive_hash IN (SELECT archive_hash FROM imports WHERE archive = $archive))
          AND (len($named) = 0 OR o.id IN (SELECT unnest($named))) ORDER BY o.id
        """,
        {"account": account, "provider": provider, "archive": archive, "named": named},
    )
    return [str(one) for (one,) in found]
