"""`mnemic train`."""

from __future__ import annotations

from pathlib import Path

import click

from flows.upkeep.reader_teaching import Teaching, teach_reader, untaught
from flows.upkeep.scorer_teaching import ScorerTeaching, teach_scorer, untaught_scorer
from interfaces.cli.options import json_option, vault_folder, vault_option
from interfaces.cli.terminal import agreed, print_json, print_table, say
from schemas.words import amount


@click.group("train")
def command() -> None:
    """Teach mnemic's small models by what your own vault holds. Nothing leaves this machine.

    \b
    Examples:
      mnemic train reader
      mnemic train reader --back
      mnemic train scorer
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


@command.command("scorer")
@click.option("--yes", is_flag=True, help="Let the taught scorer take over without asking, if it is better.")
@click.option("--back", is_flag=True, help="Let every part of relevance count the same again.")
@vault_option
@json_option
def scorer(yes: bool, back: bool, vault: Path | None, as_json: bool) -> int:
    """Teach recall how much meaning and words count, of a note and of where it stands, by what deep searches
    found that it had missed, or had rightly first.

    It learns from four fifths of the deep searches that a language model judged, and is compared with the
    scorer in use on the fifth kept apart. You see both and are asked.

    \b
    Examples:
      mnemic train scorer
      mnemic train scorer --yes --json
      mnemic train scorer --back
    """
    folder = vault_folder(vault)
    if back:
        was_taught = untaught_scorer(folder)
        if as_json:
            print_json({"was_taught": was_taught})
        else:
            say("every part of relevance counts the same from now on" if was_taught else "it does already")
        return 0

    def agree(done: ScorerTeaching) -> bool:
        better = done.after > done.before
        if not as_json:
            learned = amount(done.learned, "deep search", "deep searches")
            say(f"learned from {learned}, {done.apart} kept apart")
            rows = [("the note that answers comes first", f"{done.before:.3f}", f"{done.after:.3f}")]
            print_table("On the searches kept apart", ("share of pairs", "now", "taught"), rows)
            say("weights: " + ", ".join(f"{name} {value:.2f}" for name, value in done.weights.items()))
        if yes or as_json:
            return yes and better
        return agreed("Let recall weigh so from now on?")

    done = teach_scorer(folder, agree)
    if as_json:
        print_json(done.model_dump(mode="json"))
    else:
        say("recall weighs so from now on" if done.taken else "nothing was changed")
    return 0
