"""Rerank and HyDE: a real cross-encoder, tiny; a real local server for the language model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_server import ModelServer, Scripted, user_text
from onnx import TensorProto, helper, numpy_helper
from small_memory import ACCOUNT, NOON, make_index, note
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from inference.anthropic_model import AnthropicModel, ModelOptions
from inference.cross_encoder import OnnxCrossEncoder, load_cross_encoder
from inference.embedder import Embedder
from inference.pacing import Pace
from inference.score_store import FILE, RememberedScores
from inference.service import Service
from interfaces.second_look import reranker_of
from retrieval.rank.model_reranking import read_scores, rerank_with
from retrieval.rank.relevance_judge import load_relevance_judge
from retrieval.rank.reranking import TITLE_CHARACTERS, dealt_anew, told
from retrieval.search.hypothesis import hypotheses_of, usable
from retrieval.search.question_names import numbers_of
from schemas.errors import UsageError
from tests.asking import recall
from vault.edge import EdgeIndex
from vault.points import PointKind

WANTED = "shelf"
"""The tiny model's only opinion: how often a note says this word."""

NOTES = [
    note(f"kiln {n}", f"The kiln was fired {n} times in March.", conversation=f"c{n}") for n in range(20)
]
GOLD = note("gold", "A kiln needs a new shelf before May.", conversation="gold")
QUERY = "How often was the kiln fired in March?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cross-encoder that was exported as the real ones are, with one weight that is not zero."""
    target = tmp_path_factory.mktemp("cross") / "counts-shelves"
    target.mkdir()
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", WANTED, "kiln", "the", "."]
    tokenizer = Tokenizer(models.WordLevel({word: n for n, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer.save(str(target / "tokenizer.json"))
    weights = np.zeros((len(words), 1), np.float32)
    weights[words.index(WANTED)] = 1.0
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["weights", "input_ids"], ["each"]),
            helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["mask", "last"], ["wide"]),
            helper.make_node("Mul", ["each", "wide"], ["kept"]),
            helper.make_node("ReduceSum", ["kept", "first"], ["logits"], keepdims=0),
        ],
        "counts",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["pairs", "tokens"])
            for name in ("input_ids", "attention_mask")
        ],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["pairs", 1])],
        [
            numpy_helper.from_array(weights, "weights"),
            numpy_helper.from_array(np.array([2], np.int64), "last"),
            numpy_helper.from_array(np.array([1], np.int64), "first"),
        ],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(made, str(target / "model.onnx"))
    return target


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> EdgeIndex:
    return make_index(tmp_path_factory.mktemp("second") / "shard", embedder, [*NOTES, GOLD])


def ask(index: EdgeIndex, embedder: Embedder, **options: object) -> list[str]:
    package = recall(
        QUERY, index=index, embedder=embedder, account=ACCOUNT, as_of=NOON, kinds=(PointKind.UNIT,), limit=5,
        judged=False, **options,  # type: ignore[arg-type]
    )  # fmt: skip
    return [hit.id for hit in package.hits]


def test_f2_17_a_note_far_below_the_cut_comes_to_the_top(
    folder: Path, index: EdgeIndex, embedder: Embedder
) -> None:
    assert "gold" not in ask(index, embedder)
    encoder = load_cross_encoder(str(folder))
    assert ask(index, embedder, reranker=encoder.scores)[0] == "gold"


def test_scores_stay_in_order_whatever_the_batch_and_long_texts_keep_the_question(folder: Path) -> None:
    encoder = OnnxCrossEncoder(folder)
    texts = [f"{WANTED} " * n for n in range(40)]
    assert encoder.scores("kiln", texts) == [float(n) for n in range(40)]
    assert encoder.scores("kiln", []) == []
    assert encoder.scores(f"{WANTED} " * 3, ["the " * 5000]) == [3.0]
    assert encoder.scores("word " * 3000, [WANTED, "[SEP] [CLS]"])[1] == 0.0


def test_a_pair_is_scored_once(folder: Path, tmp_path: Path) -> None:
    class Counting:
        name = "counting"
        asked = 0

        def scores(self, query: str, texts: Sequence[str]) -> list[float]:
            self.asked += len(texts)
            return encoder.scores(query, texts)

    encoder, counting = OnnxCrossEncoder(folder), Counting()
    first = RememberedScores(counting, tmp_path).scores("kiln", ["a shelf", "no", "a shelf"])
    again = RememberedScores(counting, tmp_path).scores("kiln", ["no", "a shelf", "new shelf shelf"])
    assert (first, again, counting.asked) == ([1.0, 0.0, 1.0], [0.0, 1.0, 2.0], 3)


def test_scores_that_cannot_be_kept_are_scored_again(folder: Path, tmp_path: Path) -> None:
    encoder = OnnxCrossEncoder(folder)
    (tmp_path / FILE).write_bytes(b"no database" * 400)
    assert RememberedScores(encoder, tmp_path).scores("kiln", ["a shelf", "no"]) == [1.0, 0.0]
    (tmp_path / "cache").touch()
    assert RememberedScores(encoder, tmp_path / "cache").scores("kiln", ["a shelf"]) == [1.0]


def test_scores_are_of_one_question_and_one_state_of_the_judge(tmp_path: Path) -> None:
    class Lengths:
        name = "lengths"

        def scores(self, query: str, texts: Sequence[str]) -> list[float]:
            return [float(len(query) - len(text)) for text in texts]

    remembered = RememberedScores(Lengths(), tmp_path)
    assert remembered.scores("a\x1eb", ["c"]) == [2.0]
    assert remembered.scores("a", ["b\x1ec"]) == [-2.0]
    judge = load_relevance_judge()
    assert judge.name.startswith("relevance-1 ")
    assert len(judge.name) == len("relevance-1 ") + 16


def test_a_name_that_is_no_folder_and_a_folder_without_a_model_are_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no cross-encoder"):
        load_cross_encoder(str(tmp_path))


def test_the_judge_looks_again_and_its_scores_are_kept(
    index: EdgeIndex, embedder: Embedder, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    judged = reranker_of("judge", None, cache)
    assert judged is not None
    first = ask(index, embedder, reranker=judged)
    assert len(first) == 5
    assert b"kiln" not in (cache / FILE).read_bytes()
    assert ask(index, embedder, reranker=judged) == first


@given(st.lists(st.tuples(st.integers(0, 2000), st.floats(-9, 9)), min_size=1, max_size=30))
def test_a_second_look_deals_out_what_there_was(pairs: list[tuple[float, float]]) -> None:
    relevances, scores = [one / 1000 for one, _ in pairs], [one for _, one in pairs]
    dealt = dealt_anew(relevances, scores, 1.5)
    assert sorted(dealt) == sorted(relevances)
    assert dealt_anew(relevances, [1.0] * len(pairs), 1.5) == relevances


def test_of_two_that_are_alike_the_more_relevant_stays_first() -> None:
    assert dealt_anew([0.2, 0.9], [0.8, 0.1], 1.0) == [0.2, 0.9]


def test_a_note_is_read_below_a_title_that_it_does_not_begin_with() -> None:
    said = note("n", "The kiln was moved.", conversation="c")
    assert told(said.model_copy(update={"conversation_title": "Workshop"})) == "Workshop: The kiln was moved."
    assert told(said.model_copy(update={"conversation_title": "The kiln"})) == "The kiln was moved."
    long = told(said.model_copy(update={"conversation_title": "t" * 500}))
    assert len(long) == TITLE_CHARACTERS + len(": The kiln was moved.")


def test_where_the_judge_cannot_be_opened_the_order_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    blocked = tmp_path / "cache"
    blocked.write_text("a file where a folder is due")
    monkeypatch.setenv("MNEMIC_CACHE", str(blocked))
    load_relevance_judge.cache_clear()
    judged = reranker_of("judge", None, tmp_path / "vault" / "cache")
    assert judged is not None
    assert judged("Where is the kiln?", ["In the barn."]) is None
    assert "the order stays" in caplog.text
    load_relevance_judge.cache_clear()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(lambda _: {"lines": []}) as running:
        yield running


def opened(server: ModelServer, folder: Path) -> AnthropicModel:
    service = Service("claude-haiku-5-5", server.url, "test-key", timeout=10.0)
    return AnthropicModel(ModelOptions(service, pace=Pace(1, 1)), folder)


def test_a_language_model_reranks_and_every_failure_leaves_the_order(
    server: ModelServer, tmp_path: Path, index: EdgeIndex, embedder: Embedder
) -> None:
    def gold_first(body: dict[str, object]) -> dict[str, object]:
        notes = user_text(body).split("<note>")[1:]
        return {"lines": [f"{n}: {10 if GOLD.text in text else 0}" for n, text in enumerate(notes, 1)]}

    server.script = gold_first
    with opened(server, tmp_path / "a") as model:
        assert ask(index, embedder, reranker=rerank_with(model))[0] == "gold"
        ask(index, embedder, reranker=rerank_with(model))
        assert server.messages_sent == 1  # the second answer came from the store
    before = ask(index, embedder)
    for number, fault in enumerate((Scripted(status=401), {"lines": ["the first is best"]}, Scripted("no"))):
        server.script = lambda _, fault=fault: fault  # type: ignore[misc]
        with opened(server, tmp_path / str(number)) as model:
            assert ask(index, embedder, reranker=rerank_with(model)) == before


@given(st.text(max_size=200), st.integers(0, 9))
def test_any_answer_gives_a_score_for_every_note_or_none(text: str, count: int) -> None:
    scores = read_scores(text, count)
    assert scores is None or (len(scores) == count and all(0 <= one <= 10 for one in scores))
    assert read_scores("1: 8\n2) 99\n9: 3", 3) == [8.0, 10.0, 9.0]


def test_f2_18_a_hypothesis_that_drops_a_number_or_is_too_short_or_long_is_not_searched() -> None:
    prompt = "What was error 502?"
    assert usable(prompt, "The error code meant that the door was open.") is None
    assert usable(prompt, "Error 502.") is None
    assert usable(prompt, "Error 502 meant: " + "the door was open " * 40) is None
    assert (
        usable(prompt, "Error 502 meant that\nthe door was open.")
        == "Error 502 meant that the door was open."
    )


@given(st.text(max_size=60), st.text(max_size=600))
def test_every_number_of_the_prompt_is_in_what_may_be_searched(prompt: str, written: str) -> None:
    text = usable(prompt, written)
    assert text is None or (20 <= len(text) <= 500 and all(one in text for one in numbers_of(prompt)))


def test_a_hypothesis_only_adds_notes_and_a_service_that_is_away_changes_nothing(
    server: ModelServer, tmp_path: Path, index: EdgeIndex, embedder: Embedder
) -> None:
    options = {
        "index": index,
        "embedder": embedder,
        "account": ACCOUNT,
        "as_of": NOON,
        "judged": False,
        "budget": 20_000,
    }
    plain = recall(QUERY, limit=100, **options)  # type: ignore[arg-type]
    server.script = lambda _: {"note": "Before May the kiln gets a new shelf, the old one is cracked."}
    with opened(server, tmp_path / "a") as model:
        written = recall(QUERY, limit=100, writer=hypotheses_of(model), **options)  # type: ignore[arg-type]
    assert {hit.id for hit in plain.hits} <= {hit.id for hit in written.hits}
    assert written.hits[0] == plain.hits[0]
    assert {hit.id: hit.similarity for hit in written.hits}.items() >= {
        hit.id: hit.similarity for hit in plain.hits
    }.items()
    assert written.confidence == plain.confidence
    server.script = lambda _: Scripted(status=401)
    with opened(server, tmp_path / "b") as model:
        assert recall(QUERY, limit=100, writer=hypotheses_of(model), **options) == plain  # type: ignore[arg-type]
