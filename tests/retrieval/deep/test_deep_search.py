"""Deep search end to end: acceptance cases 25 to 31 of other designs (their numbers in the names)."""

from __future__ import annotations

import json
import random
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from model_server import ModelServer, Scripted, user_text
from small_memory import ACCOUNT, NOON, make_index, make_names, note

from chunking import estimate_tokens
from inference.anthropic_model import AnthropicModel
from inference.embedder import Embedder
from inference.openai_chat import OpenAIOptions, OpenAIProvider
from inference.stored_model import StoredModel
from retrieval import Package, Question, recall
from retrieval.deep.comparison import MOST_TOKENS, Compared, Opened, asked_of_model, compare_with, read_answer
from retrieval.deep.escalation import CALLS, Allowance, DeepMode, DeepSearch, Looked
from retrieval.deep.expansion import POOL, Neighbour, pool_of
from retrieval.search.hybrid import Candidate, gather
from schemas.unit import Category
from vault.edge import EdgeIndex
from vault.index import Where
from vault.name_graph import NameGraph
from vault.points import Payload, PointKind

QUERY = "When was the old kiln of Teist moved?"
KILNS = [
    note(f"kiln {n}", f"The kiln of shed {n} was moved to Oban in spring.", conversation=f"c{n}")
    for n in range(12)
]
RULE = note(
    "rule", "Nothing heavy goes over the Oban slipway.", category=Category.CONSTRAINT, conversation="slipway"
)
GOLD = note("gold", "Aksel and Oban harbour agreed on the ninth of May.", conversation="harbour")
LATER = NOON + timedelta(days=30)
WEAK = 1.01
"""A threshold that every confidence is below."""


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> EdgeIndex:
    folder = tmp_path_factory.mktemp("deep") / "shard"
    return make_index(folder, embedder, [*KILNS, RULE, GOLD])


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> NameGraph:
    return make_names(tmp_path_factory.mktemp("names"), [*KILNS, RULE, GOLD])


def question(deep: DeepSearch | None = None, limit: int = 3) -> Question:
    return Question(QUERY, Where(ACCOUNT), NOON, limit, judged=False, deep=deep)


def scoring(first: str = "gold", reason: str = "names the day") -> object:
    """A comparison to which one note is everything."""

    def compare(_: str, pool: Sequence[Neighbour]) -> Compared:
        scores = {one.candidate.id: float(one.candidate.payload.ref == first) for one in pool}
        reasons = {point: reason for point, score in scores.items() if score}
        return Compared(scores, reasons, by="test")

    return compare


def ids(package: Package) -> list[str]:
    return [hit.id for hit in package.hits]


def test_f4_25_only_below_the_threshold_and_off_by_default() -> None:
    package = Package(query=QUERY, account=ACCOUNT, as_of=NOON, budget=1, tokens=0, confidence=0.29, hits=())
    assert DeepSearch(threshold=0.3).wanted(package)
    assert not DeepSearch(threshold=0.3).wanted(package.model_copy(update={"confidence": 0.3}))
    assert not DeepSearch(DeepMode.OFF, threshold=0.3).wanted(package)
    assert question().deep is None


def test_what_deep_search_adds_is_marked(index: EdgeIndex, embedder: Embedder) -> None:
    plain = recall(question(), index, embedder)
    assert "gold" not in ids(plain)
    deep = DeepSearch(threshold=WEAK, compare=scoring())  # type: ignore[arg-type]
    package = recall(question(deep), index, embedder)
    assert ids(package)[0] == "gold"
    assert package.deep is not None
    gold = package.hits[0]
    assert "names the day" in gold.found_by or not package.deep.added
    assert package.tokens <= package.budget


def test_f4_26_at_most_fifty_notes_and_8192_tokens_are_sent() -> None:
    long = "The kiln of the long shed was moved over the water to Oban. " * 40
    pool = [Neighbour(Candidate(f"p{n}", note(f"n{n}", long), 0.5, 0.5), "") for n in range(200)]
    asked, read, tokens = asked_of_model(QUERY, pool)
    assert 0 < read < 200
    assert tokens <= MOST_TOKENS
    assert estimate_tokens(asked.prompt.text + asked.text) + asked.most_tokens <= MOST_TOKENS


def test_a_model_of_8192_tokens_is_asked_what_fits_it(server: ModelServer, tmp_path: Path) -> None:
    long = "The kiln of the long shed was moved over the water to Oban. " * 40
    pool = [Neighbour(Candidate(f"p{n}", note(f"n{n}", long), 0.5, 0.5), "") for n in range(200)]
    server.script = lambda _: Scripted(json.dumps({"lines": ["1: 9 - as told"]}))
    small = OpenAIOptions("small", f"{server.url}/v1", context=MOST_TOKENS)
    compare = compare_with(lambda: StoredModel(OpenAIProvider(small), tmp_path))
    compared = compare(QUERY, pool)
    assert not compared.timed_out
    assert compared.scores == {"p0": 0.9}
    assert 0.5 * MOST_TOKENS < compared.tokens < MOST_TOKENS


def test_f4_26_a_pool_has_at_most_fifty(tmp_path: Path, embedder: Embedder) -> None:
    many = [note(f"m{n}", f"Shed {n} of Oban keeps a kiln.", conversation=f"h{n % 9}") for n in range(200)]
    index = make_index(tmp_path, embedder, many)
    asked = question()
    assert len(pool_of(asked, gather(asked, index, embedder), index, embedder)) == POOL


def test_a_conversation_is_told_by_its_nearest_passage(tmp_path: Path, embedder: Embedder) -> None:
    talk = [
        note("far", "The rent is due in June.", kind=PointKind.CHUNK, conversation="harbour"),
        note("near", "We moved the kiln to Oban.", kind=PointKind.CHUNK, conversation="harbour"),
        note("alone", "Kilns of Oban.", conversation="without passages"),
    ]
    index = make_index(tmp_path, embedder, talk)
    asked = question()
    whole = [one for one in gather(asked, index, embedder) if one.payload.kind is PointKind.CONVERSATION]
    assert {one.payload.ref for one in whole} == {"harbour", "without passages"}
    pool = {one.candidate.payload.ref: one.why for one in pool_of(asked, whole, index, embedder)}
    assert pool.keys() >= {"near", "without passages"}
    assert "harbour" not in pool
    assert pool["near"], "it is marked where recall had not found it"
    only = replace(asked, where=replace(asked.where, kinds=(PointKind.CONVERSATION,)))
    pool = {one.candidate.payload.ref: one.why for one in pool_of(only, whole, index, embedder)}
    assert pool.keys() == {"harbour", "without passages"}


def test_f4_26_a_session_has_five(index: EdgeIndex, embedder: Embedder) -> None:
    deep = DeepSearch(threshold=WEAK)
    told = [recall(question(deep), index, embedder) for _ in range(CALLS + 1)]
    assert [one.deep.refused for one in told if one.deep] == [*[False] * CALLS, True]
    assert told[-1].hits == recall(question(), index, embedder).hits


def test_f4_27_a_timeout_leaves_the_primary_result(
    index: EdgeIndex, embedder: Embedder, server: ModelServer, opened: Opened
) -> None:
    server.script = lambda _: Scripted("1: 10", seconds=3)
    deep = DeepSearch(threshold=WEAK, compare=compare_with(opened, timeout=0.2))
    package = recall(question(deep), index, embedder)
    primary = recall(question(), index, embedder)
    assert package.deep is not None
    assert package.deep.timed_out
    assert package.render().encode() == primary.render().encode()
    assert package.model_copy(update={"deep": None}) == primary


def test_a_model_orders_the_pool(
    index: EdgeIndex, embedder: Embedder, server: ModelServer, opened: Opened
) -> None:
    def script(body: dict[str, object]) -> Scripted:
        notes = user_text(body).split("<note>")[1:]
        lines = [f"{n}: {10 if 'ninth' in text else 0} - as told" for n, text in enumerate(notes, 1)]
        return Scripted(json.dumps({"lines": [*lines, "CONTRADICT 1 2"]}))

    server.script = script
    package = recall(question(DeepSearch(threshold=WEAK, compare=compare_with(opened))), index, embedder)
    assert ids(package)[0] == "gold"
    assert package.deep is not None
    assert package.deep.by == "anthropic claude-haiku-5-5"
    assert len(package.deep.contradictions) == 1
    assert not package.deep.timed_out


def test_f4_28_shadow_changes_no_byte_and_logs(index: EdgeIndex, embedder: Embedder) -> None:
    seen = list[Looked]()
    deep = DeepSearch(DeepMode.SHADOW, WEAK, scoring(), listener=seen.append)  # type: ignore[arg-type]
    shadow, primary = recall(question(deep), index, embedder), recall(question(), index, embedder)
    assert shadow.model_dump_json() == primary.model_dump_json()
    assert seen[0].pool
    assert seen[0].compared.scores


def test_f4_29_no_note_crosses_accounts(tmp_path: Path, embedder: Embedder) -> None:
    notes = list[Payload]()
    for account in ("ada", "bo", "cy"):
        for n in range(12):
            for kind in (PointKind.UNIT, PointKind.CHUNK):
                notes.append(
                    note(
                        f"{account} {kind} {n}", f"On day {n} Aksel met Runa in Oban about kiln {n}.", kind,
                        account=account, conversation=f"{account} talk {n % 4}",
                        said_at=NOON + timedelta(hours=n),
                    )
                )  # fmt: skip
    index, names = make_index(tmp_path, embedder, notes), make_names(tmp_path, notes)
    draw = random.Random(5)
    words = ("Aksel", "Runa", "Oban", "kiln", "met", "day", "about", "Did", "ask", "4")
    for _ in range(120):
        account = draw.choice(("ada", "bo", "cy"))
        asked = Question(" ".join(draw.choices(words, k=draw.randint(1, 6))), Where(account), NOON)
        pool = pool_of(asked, gather(asked, index, embedder), index, embedder, names)
        assert {one.candidate.payload.account for one in pool} <= {account}


def test_a_pool_is_within_the_question_s_bounds(index: EdgeIndex, embedder: Embedder) -> None:
    asked = replace(question(), where=Where(ACCOUNT, conversations=("c1", "c2"), before=NOON + timedelta(1)))
    pool = pool_of(asked, gather(asked, index, embedder), index, embedder)
    assert {one.candidate.payload.conversation_id for one in pool} <= {"c1", "c2"}
    early = replace(question(), where=Where(ACCOUNT, before=NOON))
    assert pool_of(early, gather(early, index, embedder), index, embedder) == []


def test_f4_30_a_constraint_is_there_below_the_limit(
    index: EdgeIndex, names: NameGraph, embedder: Embedder
) -> None:
    asked = replace(question(), pool=8)
    found = gather(asked, index, embedder)
    assert "rule" not in [one.payload.ref for one in found]
    deep = DeepSearch(threshold=WEAK, names=lambda: names)
    package = recall(replace(asked, deep=deep), index, embedder)
    assert len(package.hits) > asked.limit
    rule = next(hit for hit in package.hits if hit.id == "rule")
    assert rule.found_by
    assert f"_deep search: {rule.found_by}_" in package.render()


def test_f4_31_a_hit_makes_a_training_pair(index: EdgeIndex, names: NameGraph, embedder: Embedder) -> None:
    seen = list[Looked]()
    asked = replace(question(), pool=8)
    deep = DeepSearch(DeepMode.ON, WEAK, scoring("rule"), listener=seen.append, names=lambda: names)  # type: ignore[arg-type]
    recall(replace(asked, deep=deep), index, embedder)
    (pair,) = seen[0].pairs
    refs = {one.candidate.id: one for one in seen[0].pool}
    assert refs[pair.positive].candidate.payload.ref == "rule"
    assert refs[pair.negative].why == ""
    missed = DeepSearch(threshold=WEAK, compare=scoring("kiln 1"), listener=seen.append)  # type: ignore[arg-type]
    recall(replace(asked, deep=missed), index, embedder)
    assert all(refs[one.positive].candidate.payload.ref == "kiln 1" for one in seen[1].pairs)


def test_names_hop_once_and_say_how(tmp_path: Path, embedder: Embedder) -> None:
    told = [
        note("asked", "Last week with Aksel I caulked a hull.", conversation="hull"),
        note("both", "So Aksel and Runa met again.", conversation="met", said_at=LATER),
        note("more", "Then Aksel gave Runa the awl.", conversation="awl", said_at=LATER),
        note("hop", "In May with Runa we went north.", conversation="north", said_at=LATER),
        note("none", "The slipway is closed in winter.", conversation="slip", said_at=LATER),
    ]
    index, names = make_index(tmp_path, embedder, told), make_names(tmp_path, told)
    asked = replace(question(), text="what did aksel caulk", pool=1, most=1)
    found = [one for one in gather(asked, index, embedder) if one.payload.ref == "asked"]
    pool = pool_of(asked, found, index, embedder, names)
    why = {one.candidate.payload.ref: one.why for one in pool}
    assert why["both"] == "names Aksel, as the question does"
    assert why["hop"] == "names Runa, which shares 2 notes with a name of the question"
    nobody = replace(asked, text="what was caulked")
    pool = pool_of(nobody, found, index, embedder, names)
    why = {one.candidate.payload.ref: one.why for one in pool}
    assert why["both"] == "names Aksel, as what came first does"


def test_the_circle_of_a_name_is_looked_into(tmp_path: Path, embedder: Embedder) -> None:
    family = ("Aksel", "Runa", "Tove", "Ivar", "Sunniva", "Gudrun", "Hakon", "Embla")
    told = [
        note(f"{one} {other}", f"Again {one} and {other} ate soup.", conversation=f"{one} {other}")
        for place, one in enumerate(family) for other in family[:place]
    ]  # fmt: skip
    told += [
        note(f"Zeno {one}", f"Again Zeno and {one} ate soup.", conversation=f"Zeno {one}")
        for one in family if one != "Aksel"
    ]  # fmt: skip
    told.append(note("far", "Now with Zeno it snowed.", conversation="far"))
    index, names = make_index(tmp_path, embedder, told), make_names(tmp_path, told)
    asked = replace(question(), text="Where was Aksel?")
    pool = pool_of(asked, [], index, embedder, names)
    assert "circle of" in {one.candidate.payload.ref: one.why for one in pool}["far"]


def test_a_store_that_fails_leaves_the_primary_result(index: EdgeIndex, embedder: Embedder) -> None:
    def broken() -> AnthropicModel:
        raise sqlite3.OperationalError("disk I/O error")

    package = recall(question(DeepSearch(threshold=WEAK, compare=compare_with(broken))), index, embedder)
    assert package.deep is not None
    assert package.deep.timed_out
    assert package.hits == recall(question(), index, embedder).hits


def test_a_garbled_answer_has_no_scores() -> None:
    pool = [Neighbour(Candidate(f"p{n}", note(f"n{n}", "Fog."), 0.5, 0.5), "") for n in range(2)]
    assert read_answer("I would say both are fine.", pool) is None
    read = read_answer("1: 99 - all of it\n7: 3\nCONTRADICT 1 9\nCONTRADICT 2 1", pool)
    assert read is not None
    assert (read.scores, read.reasons) == ({"p0": 1.0}, {"p0": "all of it"})
    assert read.contradictions == (("p0", "p1"),)


def test_an_allowance_runs_out() -> None:
    began, allowance = time.monotonic(), Allowance(2)
    assert [allowance.take() for _ in range(4)] == [True, True, False, False]
    assert began <= time.monotonic()
