"""`mnemic recall`."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from chunking import estimate_tokens
from inference import load_embedder
from inference.provider_choice import open_model
from interfaces.altitude import decomposition_of, intent_of, with_altitude, with_ways
from interfaces.cli.deep_options import deep_options, deep_search_of
from interfaces.cli.lookup import account_of, conversations_of, opened
from interfaces.cli.model_options import decompose_by_option, provider_options, with_model
from interfaces.cli.options import GENERATION_OR_MOMENT, MOMENT, account_option, json_option, vault_option
from interfaces.cli.recall_trace import add_to, print_trace
from interfaces.cli.second_look import reranker_of
from interfaces.cli.session_options import session_of, session_options
from interfaces.cli.terminal import print_json, print_markdown, say
from interfaces.history_answers import BEFORE_ALL, TEXTS_ALONE, then_of, what_is_gone
from interfaces.package_detail import Detail, listed, shown_as, text_of
from interfaces.package_sources import rendered, with_links
from interfaces.path_recall import PathQuestion, nearest_paths, paths_asked, recalled_by_path
from interfaces.web_lanes import WebLanes, web_lanes
from retrieval import QUOTED, Fusion, Mode, Options, Package, PackageFormat, Question, recall
from retrieval.by_path.drill import DrillMode
from retrieval.by_path.pickers import ModelPicks
from retrieval.question import BUDGET_TOKENS, LIMIT, NOW
from retrieval.relevance.filter_verdict import by_rules
from retrieval.relevance.model_filter import judge_with
from retrieval.scorer import scorer_weights
from retrieval.search.hypothesis import hypotheses_of
from schemas.errors import UsageError
from schemas.provenance import Tier
from schemas.unit import RECALLED_STATES, Category, State
from schemas.words import amount
from vault.history import first_generation
from vault.index import Accounts, Index, Where
from vault.index_then import index_then
from vault.points import PointKind
from vault.reader import VaultReader


def _as_one(_: click.Context, __: click.Parameter, words: tuple[str, ...]) -> str:
    """Words that were typed without quotes are one question."""
    return " ".join(words)


@click.command("recall")
@click.argument("query", nargs=-1, required=True, metavar="QUERY...", callback=_as_one)
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
    help="Tokens that the package may take; never exceeded.",
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
    help="Look again at the best fifty: `model`, or a cross-encoder (a folder, or a name of fastembed's).",
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
    query: str,
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
    """
    if not query.strip():
        raise UsageError("the query is empty", remedy="Ask something, or use `mnemic list`")
    if options["mode"] in {one.value for one in DrillMode}:
        _by_path(query, vault, as_json, options)
        return
    with opened(vault) as reader:
        given = with_model(options)
        whose, past = account_of(reader, given["account"]), given["as_of"] is not None
        lanes = web_lanes(reader, whose, given["web"], past=past)
        package = recalled(reader, query, given, lanes, explain=explain or trace is not None)
        package = with_links(package, reader)
        rows = listed(Detail(detail), package, reader) if detail else None
        if trace is not None:
            add_to(trace, package, reader)
        if options["web_keep"]:
            say(f"{amount(len(lanes.save()), 'page')} saved; `mnemic web list` shows them", err=True)
    if not explain:
        package = package.model_copy(update={"dropped": (), "steps": (), "altitude": None, "ways": ()})
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


def _by_path(query: str, vault: Path | None, as_json: bool, options: dict[str, Any]) -> None:
    if options["session"] is not None:
        raise UsageError("a session goes by words and meaning", remedy="Leave out --session, or --mode")
    if options["also"]:
        raise UsageError("paths are one account's", remedy="Leave out --also, or --mode")
    embedder = load_embedder()
    with opened(vault) as reader:
        given = with_model(options)
        where, whose = _bounds(reader, given, None), account_of(reader, given["account"])
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
    if as_json:
        print_json(told)
        return
    memories = told["memories"]
    notices = told["notices"]
    for notice in notices if isinstance(notices, list) else []:
        say(notice)
    for one in memories if isinstance(memories, list) else []:
        say(f"{one['relevance_score']:.2f} {one['path']}: {one['content']}")
    say(f"{amount(int(str(told['count'])), 'hit')} by path, {told['timing_ms']} ms", err=True)


def recalled(
    reader: VaultReader, query: str, given: Mapping[str, Any], lanes: WebLanes | None = None, *, explain: bool
) -> Package:
    """The package, from the command's options as they were given."""
    cache = reader.layout.cache
    asks = "model" in (given["gate"], given["rerank"], given["decompose_by"]) or given["hyde"]
    index, now, notices, hidden = _as_of(reader, given)
    with open_model(given["asked"], cache) if asks else nullcontext() as model:
        decomposition = decomposition_of(query, given, model)
        question = Question(
            query,
            _bounds(reader, given, hidden),
            now,
            given["limit"] or LIMIT,
            most=given["limit"],
            intent=intent_of(given, decomposition),
            judged=not given["no_funnel"],
            judge=judge_with(model) if model and given["gate"] == "model" else by_rules,
            reranker=reranker_of(given["rerank"], model, cache),
            writer=hypotheses_of(model) if model and given["hyde"] else None,
            deep=deep_search_of(reader, query, given),
            weights=scorer_weights(reader.layout),
            web=None if lanes is None else lanes.lane,
            mode=Mode(given["mode"]),
            fusion=Fusion(given["fusion"]),
            decomposed=given["decompose"] or decomposition is not None,
            ways=decomposition.ways if decomposition else None,
            options=_options(reader, given, notices, explain=explain),
        )
        embedder = None if question.mode is Mode.BM25 else load_embedder()
        package = recall(question, index, embedder, session_of(reader, given))
    if not explain:
        return package
    return with_altitude(reader, with_ways(package, question), question.intent, decomposition)


def _as_of(
    reader: VaultReader, given: Mapping[str, Any]
) -> tuple[Index, datetime, tuple[str, ...], frozenset[str] | None]:
    """The index to search, the moment that recency counts from, what to say of them, and, where notes of a
    generation are asked for, the points of those that it did not have."""
    moment = given["as_of"]
    if moment is not None and given["also"]:
        raise UsageError("the memory as it was is one account's", remedy="Leave out --also, or --as-of")
    first = None if moment is None else first_generation(reader.ledger)
    if moment is None or first is None or (isinstance(moment, datetime) and moment < first.published_at):
        return reader.index, moment or NOW, (QUOTED,) if moment is None else (QUOTED, BEFORE_ALL), None
    then = then_of(reader, moment)
    index, hidden = index_then(reader, then)
    gone = what_is_gone(reader, account_of(reader, given["account"]), then)
    notices = (QUOTED, f"as of generation {then.number}", TEXTS_ALONE, *gone)
    return index, moment if isinstance(moment, datetime) else then.published_at, notices, hidden


def _bounds(reader: VaultReader, given: Mapping[str, Any], hidden: frozenset[str] | None) -> Where:
    whose = account_of(reader, given["account"])
    return Where(
        _with_others(reader, whose, given["also"]),
        kinds=(PointKind.UNIT,) if hidden is not None else tuple(map(PointKind, given["kinds"])) or None,
        besides=hidden or frozenset(),
        states=tuple(map(State, given["states"])) or RECALLED_STATES,
        tiers=tuple(map(Tier, given["tiers"])) or None,
        categories=tuple(map(Category, given["categories"])) or None,
        conversations=conversations_of(reader, given["conversation"], given["thread"], whose),
        before=given["before"],
        after=given["after"],
        providers=given["providers"] or None,
        people=given["people"] or None,
    )


def _with_others(reader: VaultReader, whose: str, others: tuple[str, ...]) -> Accounts:
    """The account, or several of one person where the owner named more."""
    known = (whose, *(account_of(reader, one) for one in others))
    return tuple(dict.fromkeys(known)) if others else whose


def _options(
    reader: VaultReader, given: Mapping[str, Any], notices: tuple[str, ...], *, explain: bool
) -> Options:
    return Options(
        budget=given["budget"],
        window=given["window"],
        format=PackageFormat(given["output"]),
        explained=explain,
        notices=notices,
        shared_ids=reader.generation.shared_ids,
    )
