"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from interfaces.cli.plain_dates import plain_date
from schemas.deferred import deferred
from schemas.errors import AccountNeeded
from vault.layout import VaultLayout, default_vault_folder

if TYPE_CHECKING:
    from vault import branches
else:
    branches = deferred("vault.branches")  # takes what `--version` need not wait for

F = TypeVar("F", bound=Callable[..., Any])

VAULT_HELP = "Folder of the vault. [default: $MNEMIC_VAULT, else this platform's data folder]"
main_line_option = click.option(
    "--vault", type=click.Path(path_type=Path, file_okay=False), default=None, help=VAULT_HELP
)
"""For commands that are about branches themselves."""


def _in_branch(context: click.Context, _: click.Parameter, vault: Path | None) -> Path | None:
    """The folder of the vault, or of its branch where one was named: a branch is a vault."""
    name = context.meta.get("branch")
    if name is None:
        return vault
    return branches.branch_layout(VaultLayout(vault_folder(vault)), name).root


def _note_branch(context: click.Context, _: click.Parameter, name: str | None) -> None:
    context.meta["branch"] = name


def vault_option(command: F) -> F:
    """`--vault` and `--branch`, which the command gets as one folder."""
    branch = click.option(
        "--branch",
        default=None,
        metavar="NAME",
        is_eager=True,  # read before --vault, which it changes
        expose_value=False,
        callback=_note_branch,
        help="Work on a branch of the vault.",
    )
    vault = click.option(
        "--vault",
        type=click.Path(path_type=Path, file_okay=False),
        default=None,
        callback=_in_branch,
        help=VAULT_HELP,
    )
    return vault(branch(command))


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
account_option = click.option(
    "--account", default=None, help="Whose memory. [default: the only account of the vault]"
)
any_account_option = click.option(
    "--account", default=None, help="As if there were no other account. [default: ids of any]"
)


class MomentParameter(click.ParamType[datetime]):
    """A date or time in ISO form, or a plain word such as `yesterday`; without a zone it is UTC."""

    name = "date"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Read the moment; a bad one is a misuse of the command."""
        if isinstance(value, datetime):
            return value
        try:
            moment = plain_date(str(value)) or datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(
                f"{value!r} is not a date such as 2026-03-01, 2026-03-01T08:00:00Z, yesterday or 3 weeks ago",
                param,
                ctx,
            )
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


MOMENT = MomentParameter()


class GenerationOrMoment(click.ParamType[int | datetime]):
    """A generation's number, or a date or time."""

    name = "generation|date"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | datetime:
        """Read a number as a generation's, unless it is as long as a date."""
        said = str(value)
        is_number = said.isascii() and said.isdigit() and len(said) < len("20260301")
        return int(said) if is_number else MOMENT.convert(value, param, ctx)


GENERATION_OR_MOMENT = GenerationOrMoment()

as_of_option = click.option(
    "--as-of",
    "moment",
    type=GENERATION_OR_MOMENT,
    default=None,
    help="The memory as it was in that generation, or in the one of that date.",
)


class Zone(click.ParamType[tzinfo]):
    """A time zone by its IANA name."""

    name = "zone"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tzinfo:
        """Read the zone; an unknown one is a misuse of the command."""
        if isinstance(value, tzinfo):
            return value
        try:
            return ZoneInfo(str(value))
        except (ZoneInfoNotFoundError, ValueError):
            self.fail(f"{value!r} is not a time zone such as Europe/Berlin or UTC", param, ctx)


ZONE = Zone()


def vault_folder(named: Path | None) -> Path:
    """The vault to work on."""
    return named if named is not None else default_vault_folder()


def the_account(named: str | None, accounts: list[str]) -> str:
    """The account asked for, or the only one there is.

    Raises AccountNeeded where the vault has several, or not the one that was named.
    """
    if named is not None and named in accounts:
        return named
    if named is None and len(accounts) == 1:
        return accounts[0]
    if not accounts:
        raise AccountNeeded("the vault holds no account yet", remedy="Read an archive with `mnemic ingest`")
    what = f"the vault has no account {named!r}" if named else "the vault holds several accounts"
    remedy = "Name one with --account, or the one that is meant without it by `mnemic account default NAME`"
    raise AccountNeeded(what, why=f"there are: {', '.join(accounts)}", remedy=remedy)
