"""`mnemic correct`."""

from __future__ import annotations

from pathlib import Path

import click

from curation.correction import corrected
from interfaces.cli.lookup import account_of, one_id, opened
from interfaces.cli.options import account_option, json_option, vault_option
from interfaces.cli.terminal import print_json, say
from schemas.act import ActKind, Deed
from schemas.errors import UsageError
from vault.journal import Journal


@click.command("correct")
@click.argument("note")
@click.argument("text", required=False)
@click.option("--keep", is_flag=True, help="Keep the note as well.")
@click.option("--undo", is_flag=True, help="Take the newest correction of the note back.")
@click.option("--reason", default="", help="Why; kept with the act.")
@account_option
@vault_option
@json_option
def command(
    note: str,
    text: str | None,
    keep: bool,
    undo: bool,
    reason: str,
    account: str | None,
    vault: Path | None,
    as_json: bool,
) -> int:
    """Correct the text of a NOTE. The original and its evidence stay on record.

    Recall shows the new text at once, and finds the note by its new words after the next ingest.

    \b
    Examples:
      mnemic correct 3f2a9c41 "The hedge is hornbeam." --keep
      mnemic correct 3f2a9c41 --undo
    """
    if undo == (text is not None):
        raise UsageError("give the text that should stand, or --undo", remedy="See `mnemic correct --help`")
    with opened(vault) as reader:
        unit = one_id(reader, "units", "id", note, account_of(reader, account))
        with Journal(reader.layout.journal) as journal:
            if text is not None:
                deeds = [Deed(ActKind.CORRECT, unit, corrected(text))]
                deeds += [Deed(ActKind.KEEP, unit)] if keep else []
                seq: int | None = journal.record(deeds, reason=reason)
            else:
                standing = journal.standing(ActKind.CORRECT, [unit])
                seq = journal.undo(standing, reason=reason) if standing else None
        named = reader.short_id(unit)
        ((now,),) = reader.ledger.query("SELECT text FROM units_current WHERE id = ?", [unit])
    if as_json:
        print_json(
            {"act": "undo correct" if undo else "correct", "unit": unit, "text": now, "journal_seq": seq}
        )
    else:
        if not seq:
            say(f"{named}: was not corrected")
        elif undo:
            say(f"{named}: {now}")
        else:
            say(f"{named} corrected: {now}\nThe next ingest of anything finds it by its new words, too")
    return 0 if seq else 1
