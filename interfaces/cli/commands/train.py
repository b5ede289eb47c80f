"""`mnemic train`."""

from __future__ import annotations

from pathlib import Path

import click

from flows.upkeep.reader_teaching import Teaching, teach_reader, untaught
from interfaces.cli.options import json_option, vault_folder, vault_option
from interfaces.cli.terminal import agreed, print_json, print_table, say


@click.group("train")
def command() -> None:
    """Teach mnemic's small models by what your own vault holds. Nothing leaves this machine.

    \b
    Examples:
      mnemic train reader
      mnemic train reader --back
    """


@command.command("reader")
@click.option("--from", "vault_from", type=click.Path(path_type=Path), help="The vault, as --vault.")
@click.option("--yes", is_flag=True, help="Let the taught reader take over without asking, if it is better.")
@click.option("--back", is_flag=True, help="Let the reader that came with mnemic read again.")
@vault_option
@json_option
def reader(vault_from: Path | None, yes: bool, back: bool, vault: Path | None, as_json: bool) -> int:
    """Teach the offline engine's reader by the notes that a language model made of your talk.

    It learns from nine tenths of the conversations that a model read whole, and is compared with the reader
    that came with mnemic on the tenth kept apart. You see both and are asked before it takes over; then new
    conversations are read with it, and `mnemic reprocess` reads the old ones again.

    \b
    Examples:
      mnemic train reader
      mnemic train reader --from ~/vault --yes --json
      mnemic train reader --back
    """
    folder = vault_folder(vault_from or vault)
    if back:
        was_taught = untaught(folder)
        if as_json:
            print_json({"was_taught": was_taught})
        else:
            say("the reader that came with mnemic reads from now on" if was_taught else "it reads already")
        return 0

    def agree(done: Teaching) -> bool:
        if not as_json:
            _print(done)
        better = done.after.score > done.before.score
        if yes or as_json:
            return yes and better
        return agreed("Let the taught reader read from now on?")

    done = teach_reader(folder, agree)
    if as_json:
        print_json(done.model_dump(mode="json"))
    elif done.taken:
        say(f"{done.version} reads from now on; `mnemic reprocess --dry-run` shows what it would read again")
    else:
        say("nothing was changed")
    return 0


def _print(done: Teaching) -> None:
    rows = [
        (name, f"{getattr(done.before, key):.3f}", f"{getattr(done.after, key):.3f}")
        for name, key in (
            ("the model's spans that it finds", "coverage"),
            ("its spans that the model found too", "precision"),
            ("of these, with the same category", "category"),
            ("all of it in one number", "score"),
        )
    ]
    title = (
        f"Learned from {done.learned:,} conversations, compared on {done.apart:,} others with {done.spans:,} "
        "of the model's spans"
    )
    print_table(title, ("on the conversations kept apart", "as it came", "taught"), rows)
