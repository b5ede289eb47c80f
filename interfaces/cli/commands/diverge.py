"""`mnemic diverge`."""

from __future__ import annotations

from pathlib import Path

import click

from inference import load_embedder
from interfaces.cli.lookup import account_of, opened
from interfaces.cli.options import account_option, json_option, vault_option
from interfaces.cli.terminal import print_json, say
from interfaces.divergence import Handed, diverged, text_of
from retrieval import QUOTED, Options, Question
from retrieval.question import BUDGET_TOKENS, LIMIT
from schemas.errors import UsageError
from vault.index import Where


@click.command("diverge")
@click.argument("prompt")
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=BUDGET_TOKENS,
    show_default=True,
    help="Tokens that each of the two packages may take.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=LIMIT,
    show_default=True,
    help="At most so many notes of breadth.",
)
@click.option(
    "--hand",
    "handed",
    type=click.Choice([one.value for one in Handed]),
    default=Handed.BOTH.value,
    show_default=True,
    help="Both packages, or each hit once, marked with who found it.",
)
@click.option("--intent", default=None, help="What the prompt is about, in a few words: its subject domain.")
@account_option
@vault_option
@json_option
def command(
    prompt: str,
    budget: int,
    limit: int,
    handed: str,
    intent: str | None,
    account: str | None,
    vault: Path | None,
    as_json: bool,
) -> None:
    """Have a depth and a breadth analyst answer PROMPT apart, and say where they agree and where not.

    \b
    Examples:
      mnemic diverge "should the hull be painted or oiled?"
      mnemic diverge "which bank do I use?" --hand union --budget 1000
    """
    if not prompt.strip():
        raise UsageError("the prompt is empty", remedy="Ask something")
    with opened(vault) as reader:
        options = Options(budget=budget, notices=(QUOTED,), shared_ids=reader.generation.shared_ids)
        where = Where(account_of(reader, account))
        question = Question(prompt, where, limit=limit, intent=intent, options=options)
        found = diverged(reader, question, load_embedder())
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        say(text_of(found, Handed(handed)), nl=False)
