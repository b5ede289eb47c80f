"""The owner's acts on the command line."""

from __future__ import annotations

from pathlib import Path

import click

from interfaces.reading import one_id, opened
from interfaces.terminal import print_json
from vault.journal import STATE_AFTER, ActKind, Journal


def act_on(kind: ActKind, named: tuple[str, ...], reason: str, vault: Path | None, as_json: bool) -> None:
    """Record one act for each named note, all or none. Raises UnknownId where a note does not exist."""
    with opened(vault) as reader:
        units = [one_id(reader, "units", "id", one) for one in named]
        with Journal(reader.layout.journal) as journal:
            seq = journal.append(kind, units, reason=reason)
    if as_json:
        print_json({"act": kind.value, "units": units, "journal_seq": seq})
        return
    for unit in units:
        click.echo(f"{unit}: {STATE_AFTER[kind].value}")
