"""The questions that `mnemic recall` asks, from its options, and the packages that answer them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from datetime import datetime
from typing import Any

from inference import load_embedder
from inference.provider_choice import open_model
from interfaces.altitude import decomposition_of, intent_of, with_altitude, with_ways
from interfaces.cli.lookup import account_of, conversations_of
from interfaces.cli.session_options import session_of
from interfaces.history_answers import BEFORE_ALL, TEXTS_ALONE, then_of, what_is_gone
from interfaces.second_look import reranker_of
from interfaces.web_lanes import WebLanes
from retrieval import QUOTED, Fusion, Mode, Options, Package, PackageFormat, Question, recall, recall_together
from retrieval.deep.escalation import DeepSearch
from retrieval.question import LIMIT, NOW
from retrieval.relevance.filter_verdict import by_rules
from retrieval.relevance.model_filter import judge_with
from retrieval.scorer import scorer_weights
from retrieval.search.hypothesis import hypotheses_of
from retrieval.supplement import RecallSession
from schemas.errors import UsageError
from schemas.provenance import Tier
from schemas.unit import RECALLED_STATES, Category, State
from vault.history import first_generation
from vault.index import Accounts, Index, Where
from vault.index_then import index_then
from vault.points import PointKind
from vault.reader import VaultReader


def recalled(
    reader: VaultReader,
    queries: Sequence[str],
    given: Mapping[str, Any],
    deep: Callable[[str], DeepSearch | None],
    lanes: WebLanes | None = None,
    *,
    explain: bool,
) -> list[Package]:
    """The packages of queries that are asked together, from the command's options as they were given; `deep`:
    how each looks further."""
    cache = reader.layout.cache
    asks = "model" in (given["gate"], given["rerank"], given["decompose_by"]) or given["hyde"]
    index, now, notices, hidden = _as_of(reader, given)
    with open_model(given["asked"], cache) if asks else nullcontext() as model:
        decompositions = [decomposition_of(query, given, model) for query in queries]
        reranker = reranker_of(given["rerank"], model, cache)
        weights, where = scorer_weights(reader.layout), bounds_of(reader, given, hidden)
        options = _options(reader, given, notices, explain=explain)
        questions = [
            Question(
                query,
                where,
                now,
                given["limit"] or LIMIT,
                most=given["limit"],
                intent=intent_of(given, decomposition),
                judged=not given["no_funnel"],
                judge=judge_with(model) if model and given["gate"] == "model" else by_rules,
                reranker=reranker,
                writer=hypotheses_of(model) if model and given["hyde"] else None,
                deep=deep(query),
                weights=weights,
                web=None if lanes is None else lanes.lane,
                mode=Mode(given["mode"]),
                fusion=Fusion(given["fusion"]),
                decomposed=given["decompose"] or decomposition is not None,
                ways=decomposition.ways if decomposition else None,
                options=options,
            )
            for query, decomposition in zip(queries, decompositions, strict=True)
        ]
        packages = _asked(questions, index, session_of(reader, given))
    if not explain:
        return packages
    return [
        with_altitude(reader, with_ways(package, question), question.intent, decomposition)
        for package, question, decomposition in zip(packages, questions, decompositions, strict=True)
    ]


def _asked(questions: Sequence[Question], index: Index, session: RecallSession | None) -> list[Package]:
    embedder = load_embedder() if any(one.mode is not Mode.BM25 for one in questions) else None
    if session is None:
        return recall_together(questions, index, embedder)
    return [recall(one, index, embedder, session) for one in questions]


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


def bounds_of(reader: VaultReader, given: Mapping[str, Any], hidden: frozenset[str] | None) -> Where:
    """What may answer; `hidden`: the points that may not."""
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
