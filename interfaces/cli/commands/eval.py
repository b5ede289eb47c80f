"""`mnemic eval`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from evals.abstention import run_abstention_eval
from evals.duplicates import run_duplicates_eval
from evals.extraction import run_extraction_eval
from evals.faithfulness import run_faithfulness_eval
from evals.funnel import run_funnel_eval
from evals.gate import run_gate_eval
from evals.locomo import run_locomo_eval
from evals.realmem import run_realmem_eval
from evals.supersession import run_supersession_eval
from evals.threads import run_threads_eval
from interfaces.cli.model_options import (
    engine_option,
    model_options,
    proofread_option,
    recording_options,
    with_model,
)
from interfaces.cli.options import json_option
from interfaces.cli.terminal import print_json, print_table
from schemas.base import Noun
from schemas.errors import PathMissing, UsageError

Suite = Callable[[Path, str, Path | None, Path | None], Noun]

SUITES: Mapping[str, Suite] = {
    "funnel": run_funnel_eval,
    "gate": lambda path, engine, dump, _: run_gate_eval(path, engine, dump),
    "duplicates": lambda path, engine, dump, _: run_duplicates_eval(path, engine, dump),
    "supersession": lambda path, engine, dump, _: run_supersession_eval(path, engine, dump),
    "threads": lambda path, engine, dump, _: run_threads_eval(path, engine, dump),
    "abstention": run_abstention_eval,
    "realmem": run_realmem_eval,
    "locomo": run_locomo_eval,
}


@click.command("eval")
@click.argument("suite", type=click.Choice(["extraction", "faithfulness", *SUITES]))
@click.argument("path", type=click.Path(path_type=Path))
@engine_option(
    "What makes the notes that `extraction` scores, or reads those of `faithfulness` a second time; the "
    "other suites score the offline engine."
)
@model_options
@recording_options
@proofread_option
@click.option(
    "--dump",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    help="Write the produced units, or the ranked results, as JSON Lines.",
)
@click.option(
    "--vault",
    type=click.Path(path_type=Path, file_okay=False),
    default=None,
    help="Vault to ingest a retrieval suite into, and to find it in again. [default: a temporary one]",
)
@json_option
def command(
    suite: str,
    path: Path,
    engine: str,
    proofread: bool,
    dump: Path | None,
    vault: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Score SUITE on the evaluation set at PATH; retrieval is scored beside BM25 in the same run.

    \b
    Examples:
      mnemic eval extraction evals/extraction.jsonl --json --dump units.jsonl
      mnemic eval duplicates evals/duplicates.jsonl --json
      mnemic eval realmem evals/realmem --json
      mnemic eval extraction evals/extraction.jsonl --engine anthropic --replay recordings
    """
    if not path.exists():
        raise PathMissing("no such file or folder", where=str(path), remedy="Check the path")
    asked = with_model({"engine": engine, **given})["asked"] if engine != "offline" else None
    if suite == "extraction":
        extracted = run_extraction_eval(path, asked, dump, proofread=proofread)
        score = extracted.model_dump(mode="json", exclude_none=True)
    elif suite == "faithfulness":
        score = run_faithfulness_eval(path, dump, asked).model_dump(mode="json")
    elif engine != "offline":
        raise UsageError(f"{suite} scores no language model", remedy="Leave --engine out")
    else:
        score = SUITES[suite](path, engine, dump, vault).model_dump(mode="json")
    if as_json:
        print_json(score)
        return
    print_table(f"{suite}, engine {engine}", ("metric", "value"), list(score.items()))
