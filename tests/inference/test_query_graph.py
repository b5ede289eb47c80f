from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file

from inference.minilm import QUERY_COSINE, MiniLM, golden_cosine, load_minilm
from inference.minilm_query_graph import build_query_graph
from inference.weights import QUERY_FILE, find_weights
from schemas.errors import EmbedderMissing


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MiniLM]:
    """With a cache of its own, which one test damages."""
    before = os.environ.get("MNEMIC_CACHE")
    os.environ["MNEMIC_CACHE"] = str(tmp_path_factory.mktemp("cache"))
    try:
        yield load_minilm()
    except EmbedderMissing as missing:
        pytest.skip(str(missing))
    finally:
        if before is None:
            del os.environ["MNEMIC_CACHE"]
        else:
            os.environ["MNEMIC_CACHE"] = before


def cosine(embedder: MiniLM, text: str) -> float:
    return float(embedder.embed_query(text) @ embedder.embed([text])[0])


def test_golden_questions_have_the_vectors_of_golden_texts(embedder: MiniLM) -> None:
    assert golden_cosine(lambda texts: np.stack(list(map(embedder.embed_query, texts)))) >= QUERY_COSINE


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=300))
def test_whatever_is_asked_its_vector_is_of_unit_length_and_near_the_text_s(
    embedder: MiniLM, text: str
) -> None:
    vector = embedder.embed_query(text.encode("utf-8", "replace").decode())
    assert vector.shape == (384,)
    assert vector.dtype == np.float32
    assert abs(float(np.linalg.norm(vector)) - 1) < 1e-5
    assert cosine(embedder, text.encode("utf-8", "replace").decode()) > 0.99


def test_of_a_long_question_only_the_first_tokens_count(embedder: MiniLM) -> None:
    long = "the kiln was opened " * 200
    assert (embedder.embed_query(long) == embedder.embed_query(long + "and closed")).all()
    assert cosine(embedder, long) > QUERY_COSINE


def test_where_a_processor_computes_it_wrongly_questions_are_embedded_in_floats(embedder: MiniLM) -> None:
    (stored,) = Path(os.environ["MNEMIC_CACHE"]).rglob(QUERY_FILE)
    weights = load_file(str(find_weights().weights))
    weights["embeddings.token_type_embeddings.weight"][:] = 0
    table = onnx.load(str(stored), load_external_data=False).graph.initializer[0]
    stored.write_bytes(build_query_graph(weights, table).SerializeToString())
    for _ in ("judged", "remembered"):
        careful = load_minilm()
        assert (careful.embed_query("a garden of stones") == careful.embed(["a garden of stones"])[0]).all()
