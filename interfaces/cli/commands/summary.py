"""`mnemic summary`."""

from __future__ import annotations

from pathlib import Path

import click

from inference.secret_cover import uncovered
from interfaces.cli.commands.show import conversation_of
from interfaces.cli.lookup import account_if_named, opened
from interfaces.cli.options import any_account_option, json_option, vault_option
from interfaces.cli.terminal import print_json, say
from schemas.errors import UnknownId
from vault.threads import summary_of


@click.command("summary")
@click.argument("conversation")
@any_account_option
@vault_option
@json_option
def command(conversation: str, account: str | None, vault: Path | None, as_json: bool) -> None:
    """Say in 200-400 words what a CONVERSATION came to: by its id, the service's, or that of a note in it.

    \b
    Examples:
      mnemic summary 77b0d2e5
      mnemic summary 77b0d2e5 --json
    """
    with opened(vault) as reader:
        named = conversation_of(reader, conversation, account_if_named(reader, account))
        found = summary_of(reader.ledger, named)
    if found is None:
        raise UnknownId(
            "the conversation has no summary",
            where=conversation,
            why="it was taken in before there were summaries",
            remedy="Ingest its archive again",
        )
    found = found.model_copy(update={"text": uncovered(found.text)})
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        say(found.text)
