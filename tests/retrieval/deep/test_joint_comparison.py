"""Several weak questions in one call of a language model, against a local server."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from model_server import ModelServer, Scripted, user_text
from small_memory import ACCOUNT, NOON, make_index, note

from chunking import estimate_tokens
from inference.embedder import Embedder
from retrieval import Package, Question, recall, recall_together
from retrieval.deep.comparison import MOST_TOKENS, Opened, compare_with
from retrieval.deep.escalation import CALLS, Allowance, DeepMode, DeepSearch, Looked
from retrieval.deep.expansion import Neighbour
from retrieval.deep.joint_comparison import (
    MOST_QUESTIONS,
    asked_together,
    compare_together_with,
    each_offline,
    read_together,
)
from retrieval.search.hybrid import Candidate
from schemas.unit import Category
from vault.edge import EdgeIndex
from vault.index import Where

QUERIES = (
    "When was the old kiln of Teist moved?",
    "Which sheds have a kiln?",
    "What did Oban harbour agree?",
)
WEAK = 1.01
"""A threshold that every confidence is below."""
NOTES = [
    note(
        "rule", "Nothing heavy goes over the slipway.", category=Category.CONSTRAINT, conversation="slipway"
    ),
    note("gold", "Aksel and Oban harbour agreed on the ninth of May.", conversation="harbour"),
    note("theirs", "Oban harbour agreed with Bo on the ninth of May.", account="bo", conversation="bo's"),
]
NOTES += [
    note(f"kiln {n}", f"The kiln of shed {n} was moved to Oban in spring.", conversation=f"c{n}")
    for n in range(8)
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> EdgeIndex:
    return make_index(tmp_path_factory.mktemp("joint") / "shard", embedder, NOTES)


def looking(opened: Opened, timeout: float = 10.0, calls: int = CALLS, threshold: float = WEAK) -> DeepSearch:
    together = compare_together_with(opened, timeout)
    allowance = Allowance(calls)
    return DeepSearch(DeepMode.ON, threshold, compare_with(opened, timeout), together, allowance)


def questions(
    deep: DeepSearch | None, queries: Sequence[str] = QUERIES, account: str = ACCOUNT
) -> list[Question]:
    return [Question(one, Where(account), NOON, 3, judged=False, deep=deep) for one in queries]


def alone(index: EdgeIndex, embedder: Embedder) -> list[Package]:
    return [recall(one, index, embedder) for one in questions(None)]


def numbered(body: dict[str, Any]) -> list[tuple[str, str]]:
    """(number, text) of the notes of a request."""
    return re.findall(r"^([\d.]+):\n<note>\n(.*?)\n</note>", user_text(body), re.M | re.S)


def scoring(words: dict[str, str], *, besides: str = "") -> Any:
    """Of each question, by its number, the notes with a word of it are all of the answer."""

    def script(body: dict[str, Any]) -> Scripted:
        lines = []
        for number, text in numbered(body):
            word = words.get(number.split(".")[0])
            if word:
                lines.append(f"{number}: {10 if word in text else 0} - as told")
        return Scripted(json.dumps({"lines": [*lines, besides]}))

    return script


def test_weak_questions_share_one_call(
    index: EdgeIndex, embedder: Embedder, server: ModelServer, opened: Opened
) -> None:
    server.script = scoring({"1": "ninth", "2": "shed 5", "3": "slipway"}, besides="CONTRADICT 3.1 3.2")
    packages = recall_together(questions(looking(opened)), index, embedder)
    assert server.messages_sent == 1
    assert [one.query for one in packages] == list(QUERIES)
    assert [one.hits[0].id for one in packages] == ["gold", "kiln 5", "rule"]
    told = [one.deep for one in packages if one.deep]
    assert {(one.by, one.questions, one.timed_out) for one in told} == {
        ("anthropic claude-haiku-5-5", 3, False)
    }
    assert [len(one.contradictions) for one in told] == [0, 0, 1]


def test_what_is_found_together_is_marked_as_alone(
    index: EdgeIndex, embedder: Embedder, server: ModelServer, opened: Opened
) -> None:
    words = ("shed", "moved", "Oban")
    few = [replace(one, pool=4) for one in questions(looking(opened))]
    server.script = scoring({str(place): word for place, word in enumerate(words, 1)})
    together = recall_together(few, index, embedder)
    for word, package, question in zip(words, together, few, strict=True):
        server.script = lambda body, word=word: Scripted(
            json.dumps(
                {"lines": [f"{n}: {10 if word in text else 0} - as told" for n, text in numbered(body)]}
            )
        )
        by_itself = recall(question, index, embedder)
        assert package.hits == by_itself.hits
        assert any("as told" in hit.found_by for hit in package.hits)
        assert package.render() == by_itself.render()


def test_a_timeout_leaves_every_primary_result(
    index: EdgeIndex, embedder: Embedder, server: ModelServer, opened: Opened
) -> None:
    server.script = lambda _: Scripted("1.1: 10", seconds=3)
    packages = recall_together(questions(looking(opened, timeout=0.2)), index, embedder)
    for package, primary in zip(packages, alone(index, embedder), strict=True):
        assert package.deep is not None
        assert package.deep.timed_out
        assert package.render().encode() == primary.render().encode()
        assert package.model_copy(update={"deep": None}) == primary


def test_garbage_for_one_leaves_that_one_alone(
    index: EdgeIndex, embedder: Embedder, server: ModelServer, opened: Opened
) -> None:
    server.script = scoring({"1": "ninth"}, besides="2: all of these are fine\n3.900: 10\n99.1: 10\n3.x: 4")
    packages = recall_together(questions(looking(opened)), index, embedder)
    primaries = alone(index, embedder)
    assert packages[0].hits[0].id == "gold"
    assert [one.deep.timed_out for one in packages if one.deep] == [False, True, True]
    for package, primary in zip(packages[1:], primaries[1:], strict=True):
        assert package.model_copy(update={"deep": None}) == primary


def test_a_shared_call_is_one_of_the_session_s(
    index: EdgeIndex, embedder: Embedder, server: ModelServer, opened: Opened
) -> None:
    server.script = scoring({"1": "ninth", "2": "ninth", "3": "ninth"})
    deep = looking(opened, calls=2)
    told = [recall_together(questions(deep), index, embedder) for _ in range(3)]
    refused = [[bool(one.deep and one.deep.refused) for one in packages] for packages in told]
    assert refused == [[False] * 3, [False] * 3, [True] * 3]
    assert [one.hits for one in told[2]] == [one.hits for one in alone(index, embedder)]


def test_more_than_a_call_holds_are_parted_evenly(
    index: EdgeIndex, embedder: Embedder, server: ModelServer, opened: Opened
) -> None:
    many = [f"Which shed has kiln {n}?" for n in range(MOST_QUESTIONS + 1)]
    packages = recall_together(questions(looking(opened), many), index, embedder)
    assert [one.deep.questions for one in packages if one.deep] == [4] * 4 + [5] * 5
    assert len(server.received) == 2


def test_one_weak_question_asks_what_it_asks_alone(
    index: EdgeIndex, embedder: Embedder, server: ModelServer, opened: Opened
) -> None:
    sure = [replace(one, deep=looking(opened, threshold=0.0)) for one in questions(None)[1:]]
    server.script = lambda _: Scripted(json.dumps({"lines": ["1: 10 - as told"]}))
    recall_together([questions(looking(opened))[0], *sure], index, embedder)
    # the same request: its answer is on record
    recall(questions(looking(opened))[0], index, embedder)
    (asked,) = server.received
    assert user_text(asked).startswith(f"<question>\n{QUERIES[0]}\n</question>\n\n1:\n<note>")


def test_accounts_never_meet_in_a_request(
    index: EdgeIndex, embedder: Embedder, server: ModelServer, opened: Opened
) -> None:
    deep = looking(opened)
    mixed = [*questions(deep), *questions(deep, account="bo")]
    packages = recall_together(mixed, index, embedder)
    assert [one.account for one in packages] == [ACCOUNT] * 3 + ["bo"] * 3
    mine, theirs = (user_text(body) for body in server.received)
    assert "with Bo" not in mine
    assert "Aksel" not in theirs


def test_shadow_changes_no_byte_of_any(
    index: EdgeIndex, embedder: Embedder, server: ModelServer, opened: Opened
) -> None:
    seen = list[Looked]()
    server.script = scoring({"1": "ninth", "2": "shed 5", "3": "slipway"})
    deep = replace(looking(opened), mode=DeepMode.SHADOW, listener=seen.append)
    packages = recall_together(questions(deep), index, embedder)
    assert [one.model_dump_json() for one in packages] == [
        one.model_dump_json() for one in alone(index, embedder)
    ]
    assert [one.query for one in seen] == list(QUERIES)


def test_without_a_model_each_is_as_alone(index: EdgeIndex, embedder: Embedder) -> None:
    packages = recall_together(questions(DeepSearch(threshold=WEAK, together=each_offline)), index, embedder)
    singles = [recall(one, index, embedder) for one in questions(DeepSearch(threshold=WEAK))]
    assert [one.hits for one in packages] == [one.hits for one in singles]


def pool(count: int, text: str, name: str = "n") -> list[Neighbour]:
    return [Neighbour(Candidate(f"{name}{n}", note(f"{name}{n}", text), 0.5, 0.5), "") for n in range(count)]


@pytest.mark.parametrize(
    "text", ["The kiln of the long shed was moved over the water. ", "窯は春に移された。", "🚣🏽‍♀️⛵"]
)
def test_all_pools_fit_and_are_cut_evenly(text: str) -> None:
    asked = [(text * 90, pool(size, text * 40)) for size in (50, 50, 3, 50, 50, 50, 0, 50)]
    question, read, tokens = asked_together(asked)
    assert tokens <= MOST_TOKENS
    assert estimate_tokens(question.prompt.text + question.text) + question.most_tokens <= MOST_TOKENS
    assert read[6] == 0
    full = [one for place, one in enumerate(read) if place not in (2, 6)]
    assert max(full) - min(full) <= 1
    assert max(full) >= read[2]


def test_lines_are_told_apart_by_their_question() -> None:
    pools = [pool(2, "Fog.", "a"), pool(2, "Fog.", "b"), pool(2, "Fog.", "c")]
    said = (
        "1.1: 9 - yes\n 2.2) 3\n2.1 : 7\nCONTRADICT 1.1 2.1\nCONTRADICT 2.2 2.1\n3: 8\n0.1: 9\n4.1: 9\n1.9: 9"
    )
    first, second, third = read_together(said, pools)
    assert first is not None
    assert second is not None
    assert third is None
    assert (first.scores, first.reasons, first.contradictions) == ({"a0": 0.9}, {"a0": "yes"}, ())
    assert (second.scores, second.contradictions) == ({"b1": 0.3, "b0": 0.7}, (("b0", "b1"),))
