"""`mnemic recall`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

import click

from chunking import estimate_tokens
from inference import load_embedder
from inference.provider_choice import open_model
from interfaces.cli.asked_questions import bounds_of, recalled
from interfaces.cli.deep_options import deep_options, deep_searches
from interfaces.cli.lookup import account_of, opened
from interfaces.cli.model_options import decompose_by_option, provider_options, with_model
from interfaces.cli.options import GENERATION_OR_MOMENT, MOMENT, account_option, json_option, vault_option
from interfaces.cli.path_options import MODES_BY_PATH, check_read
from interfaces.cli.recall_trace import add_to, print_trace
from interfaces.cli.session_options import session_options
from interfaces.cli.terminal import print_json, print_json_line, print_markdown, say
from interfaces.package_detail import Detail, listed, shown_as, text_of
from interfaces.package_sources import rendered, with_links
from interfaces.path_recall import PathQuestion, line_of, nearest_paths, paths_asked, recalled_by_path, within
from interfaces.web_lanes import WebLanes, web_lanes
from retrieval import Fusion, Mode, Package, PackageFormat
from retrieval.by_path.drill import DrillMode
from retrieval.by_path.pickers import ModelPicks
from retrieval.question import BUDGET_TOKENS, LIMIT
from schemas.errors import UsageError
from schemas.provenance import Tier
from schemas.unit import Category, State
from schemas.words import amount
from vault.points import PointKind
from vault.queries import Row
from vault.reader import VaultReader

ASKED_AT_ONCE = 50
"""Questions of a file that are answered together; their packages are held until all are made."""


def _as_one(_: click.Context, __: click.Parameter, words: tuple[str, ...]) -> str | None:
    """Words that were typed without quotes are one question; None where there are none."""
    return " ".join(words) if words else None


@click.command("recall")
@click.argument("query", nargs=-1, metavar="[QUERY]...", callback=_as_one)
@click.option(
    "--questions",
    type=click.File(encoding="utf-8-sig", errors="surrogateescape"),
    default=None,
    help="Ask every line of this file (- is standard input) in place of QUERY, and print one line of JSON a "
    "question. Those that --deep looks further for share a call.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=None,
    help=f"At most so many in all. [default: {LIMIT} notes, and what stands around them]",
)
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=BUDGET_TOKENS,
    show_default=True,
    help="Tokens that the package may take; never exceeded. By path: that its notes may take, a line each.",
)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice([one.value for one in PointKind]),
    help="What may answer. [default: notes, and after them one summary and one map of theirs]",
)
@click.option("--category", "categories", multiple=True, type=click.Choice([one.value for one in Category]))
@click.option("--tier", "tiers", multiple=True, type=click.Choice([one.value for one in Tier]))
@click.option(
    "--state",
    "states",
    multiple=True,
    type=click.Choice([one.value for one in State]),
    help="Notes in this state. [default: passed, review, kept]",
)
@click.option(
    "--after", type=MOMENT, default=None, help="From conversations that began at or after this date."
)
@click.option("--before", type=MOMENT, default=None, help="From conversations that began before this date.")
@click.option("--provider", "providers", multiple=True, help="From this service, such as chatgpt.")
@click.option("--person", "people", multiple=True, help="Said by: a name, or owner, assistant, source.")
@click.option("--conversation", default=None, help="Of this conversation (its id, or the start of it).")
@click.option("--thread", default=None, help="Of this thread (its id, or the start of it).")
@click.option(
    "--mode",
    type=click.Choice([*(one.value for one in Mode), *(one.value for one in DrillMode)]),
    default=Mode.HYBRID.value,
    show_default=True,
    help="What is searched by: words and meaning, words alone, meaning alone; or by path, in one pick of "
    "paths (single) or level by level (tiered).",
)
@click.option(
    "--pick",
    type=click.Choice(["offline", "model"]),
    default="offline",
    show_default=True,
    help="Who picks paths: the embedder, or a language model, one call a pick.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(-1, 1),
    default=0.0,
    show_default=True,
    help="By path: least relevance (cosine) of a note.",
)
@click.option(
    "--fusion",
    type=click.Choice([one.value for one in Fusion]),
    default=Fusion.WEIGHTED.value,
    show_default=True,
    help="What makes one order of the searches: their scores, or ranks alone (RRF, k = 60).",
)
@click.option(
    "--decompose", is_flag=True, help="Also search variations of QUERY: concept, method, continuity, sources."
)
@decompose_by_option
@click.option(
    "--gate",
    type=click.Choice(["offline", "model"]),
    default="offline",
    show_default=True,
    help="Who judges what fits: rules, or a language model in one call.",
)
@click.option(
    "--rerank",
    default=None,
    help="Look again at the best fifty: `judge` reads each beside the question (offline, a second), `model` "
    "asks a language model, else a cross-encoder (a folder, or a name of fastembed's).",
)
@deep_options
@click.option(
    "--web",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Whether the live web is asked too, where MNEMIC_WEB_ENABLED turned it on; auto: where the prompt "
    "asks for what is outside.",
)
@click.option("--web-keep", is_flag=True, help="Save the pages that were read: later recalls find them.")
@click.option("--hyde", is_flag=True, help="Also search a note that a language model writes as an answer.")
@click.option(
    "--as-of",
    type=GENERATION_OR_MOMENT,
    default=None,
    help="Notes as that generation, or the one of that date, had them; recency counts from there. A date "
    "from before the first generation is only what recency counts from. [default: now]",
)
@click.option(
    "--intent", default=None, help="What the question is about, in a few words: the fit-gate judges by it."
)
@click.option("--no-funnel", is_flag=True, help="Rank everything that was found: no floor, no fit-gate.")
@click.option(
    "--format",
    "output",
    type=click.Choice([one.value for one in PackageFormat]),
    default=PackageFormat.MARKDOWN.value,
    show_default=True,
    help="What the package is written as, for a prompt. For a program there is --json.",
)
@click.option(
    "--window",
    type=click.IntRange(min=1),
    default=None,
    help="Tokens of the context that the package is for: it takes at most three quarters.",
)
@click.option("--digest", "detail", flag_value="digest", help="Of each hit only a short id, and where.")
@click.option(
    "--compact",
    "detail",
    flag_value="compact",
    help="Of each hit only what is known of it, and what `mnemic get` would cost in tokens.",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Also show every dropped candidate, by which stage and why, and how long each stage took.",
)
@click.option(
    "--trace",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    help="Add the package, with what --explain shows, to this file, as one line of JSON.",
)
@session_options
@provider_options
@account_option
@click.option("--also", multiple=True, metavar="ACCOUNT", help="Look here, too: you say that all are yours.")
@vault_option
@json_option
def command(
    query: str | None,
    questions: TextIO | None,
    detail: str | None,
    explain: bool,
    trace: Path | None,
    vault: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Find the notes that fit QUERY, best first, each with its quote and where it was said.

    QUERY may be typed without quotes; quotes keep the shell from ? and * in it.

    \b
    Examples:
      mnemic recall "what did I decide about the boat's paint?"
      mnemic recall "open questions on the thesis" --category open_question --budget 1000 --json
      mnemic recall "the thesis" --digest, then: mnemic get 3f2a9c41
      mnemic recall "the boat" --kind summary
      mnemic recall --questions questions.txt --deep --deep-judge model
    """
    check_read(click.get_current_context())
    if questions is not None:
        if query is not None or options["session"] is not None:
            raise UsageError(
                "--questions goes with neither QUERY nor --session",
                why="a session is asked one question after the other",
                remedy="Leave one of them out",
            )
        _ask_all(questions, vault, (detail, explain, trace), options)
        return
    if query is None or not query.strip():
        raise UsageError("the query is empty", remedy="Ask something, or use `mnemic list`")
    if options["mode"] in MODES_BY_PATH:
        _by_path(query, vault, as_json, options)
        return
    with _opened_to_ask(vault, options) as (reader, given, lanes):
        deep, told = deep_searches(reader, given), explain or trace is not None
        (package,) = recalled(reader, [query], given, deep, lanes, explain=told)
        package, rows = _shown(reader, package, detail, explain, trace)
    if as_json:
        print_json(package.model_dump(mode="json") if rows is None else shown_as(package, rows))
        return
    text = rendered(package) if rows is None else text_of(package, rows)
    print_markdown(text)
    shown, tokens = len(package.hits if rows is None else rows), estimate_tokens(text)
    room = f"confidence {package.confidence:.2f}, {tokens} of {package.budget} tokens"
    say(f"{amount(shown, 'hit')}, {room}", err=True)
    if explain:
        print_trace(package, reader)


@contextmanager
def _opened_to_ask(
    vault: Path | None, options: dict[str, Any]
) -> Iterator[tuple[VaultReader, dict[str, Any], WebLanes]]:
    """The vault, the options, and the web, whose pages are saved at the end where that is wanted."""
    with opened(vault) as reader:
        given = with_model(options)
        whose, past = account_of(reader, given["account"]), given["as_of"] is not None
        lanes = web_lanes(reader, whose, given["web"], past=past)
        yield reader, given, lanes
        if options["web_keep"]:
            say(f"{amount(len(lanes.save()), 'page')} saved; `mnemic web list` shows them", err=True)


def _shown(
    reader: VaultReader, package: Package, detail: str | None, explain: bool, trace: Path | None
) -> tuple[Package, list[Row] | None]:
    """The package as it is shown, and its hits where less is shown of them; with a line more in the trace."""
    package = with_links(package, reader)
    rows = listed(Detail(detail), package, reader) if detail else None
    if trace is not None:
        add_to(trace, package, reader)
    if not explain:
        package = package.model_copy(update={"dropped": (), "steps": (), "altitude": None, "ways": ()})
    return package, rows


def _ask_all(
    questions: TextIO,
    vault: Path | None,
    show: tuple[str | None, bool, Path | None],
    options: dict[str, Any],
) -> None:
    told, asked = 0, filter(None, (line.strip() for line in questions))
    with _opened_to_ask(vault, options) as (reader, given, lanes):
        deep = deep_searches(reader, given)  # one allowance for the whole file
        while block := list(islice(asked, ASKED_AT_ONCE)):
            explain = show[1] or show[2] is not None
            for package in recalled(reader, block, given, deep, lanes, explain=explain):
                package, rows = _shown(reader, package, *show)
                print_json_line(package.model_dump(mode="json") if rows is None else shown_as(package, rows))
            told += len(block)
    if not told:
        raise UsageError(f"{questions.name} has no question", remedy="Write one a line")
    say(amount(told, "question"), err=True)


def _by_path(query: str, vault: Path | None, as_json: bool, options: dict[str, Any]) -> None:
    embedder = load_embedder()
    with opened(vault) as reader:
        given = with_model(options)
        where, whose = bounds_of(reader, given, None), account_of(reader, given["account"])
        limit = given["limit"] or LIMIT
        question = PathQuestion(
            query, where, DrillMode(given["mode"]), limit, given["threshold"], given["as_of"]
        )
        asked = paths_asked(reader, question)
        if given["pick"] == "model":
            with open_model(given["asked"], reader.layout.cache) as model:
                told = recalled_by_path(reader, question, ModelPicks(model), embedder, asked)
        else:
            picker = nearest_paths(reader, whose, embedder, asked)
            told = recalled_by_path(reader, question, picker, embedder, asked)
    told = within(told, given["budget"])
    if as_json:
        print_json(told)
        return
    memories = told["memories"]
    notices = told["notices"]
    for notice in notices if isinstance(notices, list) else []:
        say(notice)
    for one in memories if isinstance(memories, list) else []:
        say(line_of(one))
    left = f", {told['left_out']} left out for the budget" if "left_out" in told else ""
    say(f"{amount(int(str(told['count'])), 'hit')} by path{left}, {told['timing_ms']} ms", err=True)
