from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file
from tokenizers import Tokenizer

import inference
from inference import minilm
from inference.graph_files import put_in_place
from inference.minilm import GOLDEN_COSINE, MAX_TOKENS, MiniLM, golden_cosine, kept_minilm, load_minilm
from inference.minilm_graph import build_graph
from inference.weights import GRAPH_FILE, QUERY_FILE, WEIGHTS_FILE, find_weights, hash_once, known_hash
from schemas.errors import EmbedderMissing, MachineError

GOLDEN = Path(minilm.__file__).with_name("golden.json")
REGENERATE = os.environ.get("MNEMIC_REGENERATE_GOLDEN") == "1"
SENTENCES = (
    "We decided to keep the ledger in DuckDB.",
    "¿Quién puede venir el martes?",
    "def area(r): return 3.14159 * r ** 2",
    "庭の石は動かない。",
    "The recipe needs 250 g of flour, two eggs and a pinch of salt; rest the dough for half an hour "
    "before rolling it out, or it will tear.",
)

Matrix = npt.NDArray[np.float64]
ERROR_FUNCTION = np.vectorize(math.erf, otypes=[np.float64])


@pytest.fixture(scope="module")
def embedder() -> MiniLM:
    try:
        return load_minilm()
    except EmbedderMissing as missing:
        pytest.skip(str(missing))


def reference_vector(text: str, weights: Mapping[str, Matrix]) -> Matrix:
    """BERT's forward pass in plain numpy and float64: slow, and independent of the ONNX graph."""
    tokenizer = Tokenizer.from_file(str(find_weights().tokenizer))
    tokenizer.no_padding()
    ids = tokenizer.encode(text).ids

    def linear(x: Matrix, name: str) -> Matrix:
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(x: Matrix, name: str) -> Matrix:
        centred = x - x.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
        return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    x = weights["embeddings.word_embeddings.weight"][ids]
    x = x + weights["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(x + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for number in range(6):
        layer = f"encoder.layer.{number}"
        heads = {
            part: linear(x, f"{layer}.attention.self.{part}").reshape(len(ids), 12, 32).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        }
        scores = heads["query"] @ heads["key"].transpose(0, 2, 1) / np.sqrt(32)
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = (scores / scores.sum(axis=-1, keepdims=True)) @ heads["value"]
        joined = mixed.transpose(1, 0, 2).reshape(len(ids), 384)
        x = norm(linear(joined, f"{layer}.attention.output.dense") + x, f"{layer}.attention.output.LayerNorm")
        wide = linear(x, f"{layer}.intermediate.dense")
        wide = 0.5 * wide * (1 + ERROR_FUNCTION(wide / np.sqrt(2)))
        x = norm(linear(wide, f"{layer}.output.dense") + x, f"{layer}.output.LayerNorm")
    mean = x.mean(axis=0)
    return np.asarray(mean / np.linalg.norm(mean))


def test_golden_vectors_are_those_of_a_plain_forward_pass() -> None:
    try:
        stored_weights = load_file(str(find_weights().weights)).items()
        weights = {name: value.astype(np.float64) for name, value in stored_weights}
        computed = {text: reference_vector(text, weights) for text in SENTENCES}
    except EmbedderMissing as missing:
        pytest.skip(str(missing))
    if REGENERATE:
        rounded = {text: [round(float(x), 5) for x in vector] for text, vector in computed.items()}
        GOLDEN.write_text(json.dumps(rounded, ensure_ascii=False) + "\n", encoding="utf-8")
    stored = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert tuple(stored) == SENTENCES
    for text, vector in computed.items():
        assert float(vector @ np.array(stored[text])) > 0.99999


def test_the_graph_gives_the_golden_vectors(embedder: MiniLM) -> None:
    assert golden_cosine(embedder.embed) > 0.99999


def test_the_regenerate_switch_is_off() -> None:
    assert not REGENERATE


def test_the_smallest_slip_in_the_graph_fails_the_golden_check(embedder: MiniLM, tmp_path: Path) -> None:
    weights = load_file(str(find_weights().weights))
    weights["embeddings.token_type_embeddings.weight"][:] = 0
    (tmp_path / GRAPH_FILE).write_bytes(build_graph(weights).SerializeToString())
    assert golden_cosine(MiniLM(find_weights(), tmp_path, threads=1).embed) < GOLDEN_COSINE


def test_order_shape_and_length(embedder: MiniLM) -> None:
    texts = ["a", "a much longer text " * 40, "", "middle sized text", "a"]
    vectors = embedder.embed(texts)
    assert vectors.shape == (5, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    for text, vector in zip(texts, vectors, strict=True):
        assert float(embedder.embed([text])[0] @ vector) > 0.99999


def test_no_text_gives_no_vector(embedder: MiniLM) -> None:
    assert embedder.embed([]).shape == (0, 384)


def test_only_the_first_256_tokens_count(embedder: MiniLM) -> None:
    words = "alpha beta gamma delta " * 100
    assert embedder.count_tokens(words) > MAX_TOKENS
    changed = embedder.embed([words, words + " something else entirely"])
    assert float(changed[0] @ changed[1]) > 0.99999


def test_markers_spelled_in_a_text_are_text(embedder: MiniLM) -> None:
    assert embedder.count_tokens("a [SEP] b") > embedder.count_tokens("a b") + 1


@settings(deadline=None, max_examples=25)
@given(st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60), max_size=12))
def test_a_batch_never_changes_a_vector(embedder: MiniLM, texts: list[str]) -> None:
    together = embedder.embed(texts)
    for text, vector in zip(texts, together, strict=True):
        assert float(embedder.embed([text])[0] @ vector) > 0.9999


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Path]:
    before = os.environ.get("MNEMIC_CACHE")
    os.environ["MNEMIC_CACHE"] = str(tmp_path)
    yield tmp_path
    if before is None:
        del os.environ["MNEMIC_CACHE"]
    else:
        os.environ["MNEMIC_CACHE"] = before


@pytest.mark.parametrize("name", [GRAPH_FILE, WEIGHTS_FILE, QUERY_FILE])
def test_a_damaged_graph_in_the_cache_is_built_again(embedder: MiniLM, cache: Path, name: str) -> None:
    load_minilm()
    (built,) = cache.rglob(name)
    whole = built.read_bytes()
    built.write_bytes(whole[: len(whole) // 2])
    assert golden_cosine(load_minilm().embed) > 0.99999
    assert built.read_bytes() == whole
    assert not list(cache.glob(".minilm-*"))


def test_many_may_put_the_same_graph_in_place_at_once(tmp_path: Path) -> None:
    def put(number: int) -> None:
        made = tmp_path / f"scratch{number}" / "graph"
        made.mkdir(parents=True)
        (made / "nodes").write_text("the same")
        put_in_place(made, tmp_path / "graph")

    with ThreadPoolExecutor(8) as processes:
        list(processes.map(put, range(200)))
    assert (tmp_path / "graph" / "nodes").read_text() == "the same"


def test_constants_that_changed_are_found_out(embedder: MiniLM, cache: Path) -> None:
    load_minilm()
    (built,) = cache.rglob(WEIGHTS_FILE)
    whole = built.read_bytes()
    built.write_bytes(bytes(len(whole)))
    assert golden_cosine(load_minilm().embed) > 0.99999
    assert built.read_bytes() == whole


def test_what_was_checked_is_not_checked_at_every_start(embedder: MiniLM, cache: Path) -> None:
    load_minilm()
    (checked,) = cache.rglob("checked-both")
    (remembered,) = (cache / "hashes").iterdir()
    first = checked.stat().st_mtime_ns, remembered.stat().st_mtime_ns
    load_minilm()
    assert (checked.stat().st_mtime_ns, remembered.stat().st_mtime_ns) == first
    checked.write_text("another version of onnxruntime")
    load_minilm()
    assert checked.read_text() != "another version of onnxruntime"


def test_a_hash_that_was_remembered_belongs_to_the_file_as_it_is(cache: Path, tmp_path: Path) -> None:
    file = tmp_path / "weights"
    for content in (b"one", b"another", b"a third"):
        file.write_bytes(content)
        assert known_hash(file) == known_hash(file) == hashlib.sha256(content).hexdigest()
    next((cache / "hashes").iterdir()).write_text("no hash")
    assert known_hash(file) == hashlib.sha256(b"a third").hexdigest()


def test_a_cache_that_cannot_be_written_to_is_done_without(cache: Path, tmp_path: Path) -> None:
    (cache / "hashes").write_text("in the way")
    file = tmp_path / "weights"
    file.write_bytes(b"one")
    assert known_hash(file) == hashlib.sha256(b"one").hexdigest()


def test_a_cache_folder_that_cannot_be_made_is_told_with_its_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("MNEMIC_CACHE", str(tmp_path / "file"))
    with pytest.raises(MachineError, match="MNEMIC_CACHE"):
        load_minilm(1)


def test_the_binding_names_weights_and_tokenizer(embedder: MiniLM) -> None:
    assert embedder.binding.weights_hash.startswith("53aa51172d142c89")
    assert embedder.binding.dimension == embedder.dimension == 384
    assert len(embedder.binding.tokenizer_hash) == 64


def test_the_package_opens_the_default_embedder_once(embedder: MiniLM) -> None:
    opened = inference.load_embedder(threads=1)
    assert opened.binding == embedder.binding
    assert inference.load_embedder(threads=1) is opened
    assert inference.load_embedder(threads=2) is not opened


def test_an_embedder_whose_files_changed_is_opened_anew(embedder: MiniLM, cache: Path) -> None:
    opened = kept_minilm()
    (built,) = cache.rglob(GRAPH_FILE)
    built.unlink()
    again = kept_minilm()
    assert again is not opened
    assert built.is_file()
    assert golden_cosine(again.embed) > 0.99999


def test_a_file_that_changed_is_hashed_anew(tmp_path: Path) -> None:
    file = tmp_path / "weights"
    for content in (b"one", b"another"):
        file.write_bytes(content)
        assert hash_once(file) == hash_once(file) == hashlib.sha256(content).hexdigest()
