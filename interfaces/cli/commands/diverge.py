"""`mnemic diverge`."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from inference import load_embedder
from inference.provider_choice import open_model
from interfaces.altitude import decomposition_of, intent_of, with_altitude
from interfaces.cli.lookup import account_of, opened
from interfaces.cli.model_options import decompose_by_option, provider_options, with_model
from interfaces.cli.options import account_option, json_option, vault_option
from interfaces.cli.terminal import print_json, say
from interfaces.divergence import Divergence, Handed, diverged, text_of
from retrieval import QUOTED, Options, Question
from retrieval.question import BUDGET_TOKENS, LIMIT
from schemas.errors import UsageError
from vault.index import Where
from vault.reader import VaultReader


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
@decompose_by_option
@provider_options
@account_option
@vault_option
@json_option
def command(prompt: str, handed: str, vault: Path | None, as_json: bool, **options: Any) -> None:
    """Have a depth and a breadth analyst answer PROMPT apart, and say where they agree and where not.

    \b
    Examples:
      mnemic diverge "should the hull be painted or oiled?"
      mnemic diverge "which bank do I use?" --hand union --budget 1000
    """
    if not prompt.strip():
        raise UsageError("the prompt is empty", remedy="Ask something")
    with opened(vault) as reader:
        found = answered(reader, prompt, with_model(options))
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        say(text_of(found, Handed(handed)), nl=False)


def answered(reader: VaultReader, prompt: str, given: Mapping[str, Any]) -> Divergence:
    """What both analysts make of the prompt, from the command's options as they were given."""
    asks = given["decompose_by"] == "model"
    with open_model(given["asked"], reader.layout.cache) if asks else nullcontext() as model:
        decomposition = decomposition_of(prompt, given, model)
    question = Question(
        prompt,
        Where(account_of(reader, given["account"])),
        limit=given["limit"],
        intent=intent_of(given, decomposition),
        ways=decomposition.ways if decomposition else None,
        options=Options(given["budget"], notices=(QUOTED,), shared_ids=reader.generation.shared_ids),
    )
    found = diverged(reader, question, load_embedder())
    depth = with_altitude(reader, found.depth, question.intent, decomposition)
    return found.model_copy(update={"depth": depth, "altitude": depth.altitude})
