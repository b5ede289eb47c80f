"""all-MiniLM-L6-v2 through onnxruntime: the default embedder."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property, partial
from importlib import resources
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING
from uuid import uuid4

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from inference.runtime import UNREADABLE_GRAPH, onnxruntime
from inference.weights import (
    DISTRIBUTION,
    GRAPH_FILE,
    QUERY_FILE,
    WEIGHTS_FILE,
    WeightFiles,
    cache_folder,
    file_state,
    find_weights,
    hash_once,
    known_hash,
    recalled,
    remember,
)
from schemas.deferred import deferred
from schemas.errors import MachineError
from schemas.generation import EmbedderBinding

if TYPE_CHECKING:
    from inference import graph_files
else:
    graph_files = deferred("inference.graph_files")


GRAPH_VERSION = 1
"""Version of the graph in `minilm_graph.py`: raise it whenever a vector can come out different."""

DIMENSION = 384
MAX_TOKENS = 256
"""The length the model was trained for (sentence_bert_config.json in the wheel), its two markers included."""

BATCH_TOKENS = 1024
"""Padding included. Larger batches are no faster, and take more memory
(`benchmarks/speed/embedding_speed.py`)."""

GOLDEN_COSINE = 0.9999
"""A right graph reaches .999999 on every machine; another model stays below .99."""

QUERY_COSINE = 0.999
"""The graph for questions has .9995. On a processor that adds up products in sixteen bits, which overflow, it
has less; there questions are embedded as everything else is."""

_EIGHT_BITS, _FLOATS = "questions in eight bits", "questions in floats"


class MiniLM:
    """An open session on the graph; safe to call from several threads."""

    def __init__(self, files: WeightFiles, folder: Path, threads: int, *, eight_bits: bool = True) -> None:
        self._files, self._folder, self._threads = files, folder, threads
        self._eight_bits = eight_bits
        self._tokenizer = open_tokenizer(files)

    @cached_property
    def _session(self) -> onnxruntime.InferenceSession:
        # a thread a batch, where threads that share a product wait for one another half of the time
        return _opened(self._folder / GRAPH_FILE, 1)

    @cached_property
    def _query_session(self) -> onnxruntime.InferenceSession:
        return _opened(self._folder / QUERY_FILE, self._threads)

    @cached_property
    def binding(self) -> EmbedderBinding:
        """Name, dimension, hashes of weights and tokenizer, graph version."""
        return EmbedderBinding(
            name=DISTRIBUTION,
            dimension=DIMENSION,
            weights_hash=hash_once(self._files.weights),
            tokenizer_hash=hash_once(self._files.tokenizer),
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
        batches = list(_batches([len(ids) for ids in tokens], batch_tokens))
        made = partial(self._made, tokens)
        if len(batches) == 1:
            vectors[batches[0]] = made(batches[0])
        elif batches:
            with ThreadPoolExecutor(self._threads, thread_name_prefix="embed") as pool:
                for members, found in zip(batches, pool.map(made, batches), strict=True):
                    vectors[members] = found
        return vectors[rows]

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """See `Embedder.embed_query`: by the graph for questions, where this machine computes it rightly."""
        if not self._eight_bits:
            (vector,) = self.embed([text])
            return np.asarray(vector, np.float32)
        ids = np.array(_truncate(self._tokenizer.encode(text).ids), np.int32)
        given = {"ids": ids, "places": np.arange(len(ids), dtype=np.int32)}
        (vector,) = self._query_session.run(["vector"], given)
        return np.asarray(vector, np.float32)

    def _made(self, tokens: Sequence[list[int]], members: Sequence[int]) -> npt.NDArray[np.float32]:
        batch = [tokens[member] for member in members]
        width = max(len(ids) for ids in batch)
        ids = np.zeros((len(batch), width), np.int32)
        mask = np.zeros((len(batch), width), np.int32)
        for row, own in enumerate(batch):
            ids[row, : len(own)] = own
            mask[row, : len(own)] = 1
        (vectors,) = self._session.run(["vector"], {"ids": ids, "mask": mask})
        return np.asarray(vectors, np.float32)


def open_tokenizer(files: WeightFiles) -> Tokenizer:
    """The encoder's tokenizer, which neither pads nor cuts."""
    tokenizer = Tokenizer.from_file(str(files.tokenizer))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    # archive text may spell "[SEP]": it is text, not a marker
    tokenizer.encode_special_tokens = True
    return tokenizer


def minilm_folder() -> Path:
    """Where the graphs lie that are built of the installed weights."""
    return cache_folder() / f"minilm-{known_hash(find_weights().weights)[:16]}-{GRAPH_VERSION}"


def _opened(graph: Path, threads: int) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    # threads that sleep between the products of a short text make it take up to half as long again
    # (`benchmarks/speed/recall_latency.py`); that spin when it is done, they take a core from the search
    # that follows
    options.add_session_config_entry("session.intra_op.allow_spinning", "1")
    options.add_session_config_entry("session.force_spinning_stop", "1")
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])


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
    folder = minilm_folder()
    if all((folder / name).is_file() for name in (GRAPH_FILE, WEIGHTS_FILE, QUERY_FILE)):
        state, known = _state(files, folder), None if afresh else recalled(folder / _CHECKED)
        for how in (_EIGHT_BITS, _FLOATS):
            if known == f"{state} {how}":
                return MiniLM(files, folder, threads, eight_bits=how == _EIGHT_BITS)
        embedder = MiniLM(files, folder, threads)
        with suppress(*UNREADABLE_GRAPH):  # a damaged cache entry: built again below
            if golden_cosine(embedder.embed) >= GOLDEN_COSINE:
                return _checked(embedder, files, folder, threads)

    graph_files.write_graphs(files.weights, folder)
    embedder = MiniLM(files, folder, threads)
    cosine = golden_cosine(embedder.embed)
    if cosine < GOLDEN_COSINE:
        raise MachineError(
            "the embedder does not give the vectors it should",
            where=str(files.weights),
            why=f"cosine to the golden vectors {cosine:.6f}, at least {GOLDEN_COSINE} is needed",
            remedy="Run `mnemic setup` to install the weights again",
        )
    return _checked(embedder, files, folder, threads)


def kept_minilm(threads: int | None = None) -> MiniLM:
    """`load_minilm`, once a process for as long as the files that it was opened from stay as they are.

    A run asks for it at every step, a nightly server at every run: what it holds, a hash of the 90 MB of
    weights, the tokenizer and the open graph, is the same each time. Raises as `load_minilm` does.
    """
    threads = threads or _available_cores()
    with _OPENING:
        opened_from, embedder = _KEPT.get(threads, (None, None))
        if embedder is None or opened_from != _identity():
            embedder = load_minilm(threads)
            _KEPT[threads] = (_identity(), embedder)
        return embedder


_KEPT: dict[int, tuple[str, MiniLM]] = {}
"""By number of threads: what the embedder was opened from, and the embedder."""
_OPENING = Lock()


def _identity() -> str:
    """Changes with the weights and the graphs that were built of them, and each time where one is missing."""
    files, folder = find_weights(), minilm_folder()
    try:
        return f"{folder} {file_state(files.weights)} {_state(files, folder)}"
    except FileNotFoundError:
        return f"{folder} lacks a file, {uuid4()}"


_CHECKED = "checked-both"
"""Earlier versions share the cache; they have `checked`, for the one graph that they know."""


def _checked(embedder: MiniLM, files: WeightFiles, folder: Path, threads: int) -> MiniLM:
    """Remember that the graph is right, and whether the one for questions is right on this machine."""
    right = golden_cosine(lambda texts: np.stack(list(map(embedder.embed_query, texts)))) >= QUERY_COSINE
    remember(folder / _CHECKED, f"{_state(files, folder)} {_EIGHT_BITS if right else _FLOATS}")
    return embedder if right else MiniLM(files, folder, threads, eight_bits=False)


def _state(files: WeightFiles, folder: Path) -> str:
    """Changes with everything that a vector hangs on."""
    parts = [onnxruntime.__version__, platform.machine()]
    parts += map(
        file_state, (files.tokenizer, folder / GRAPH_FILE, folder / WEIGHTS_FILE, folder / QUERY_FILE)
    )
    return " ".join(parts)


def _available_cores() -> int:
    if hasattr(os, "sched_getaffinity"):  # Linux: a container may own fewer cores than the machine has
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def golden_cosine(embed: Callable[[list[str]], npt.NDArray[np.float32]]) -> float:
    """The smallest cosine between a golden sentence's stored vector and the one that `embed` gives.

    The stored vectors come from a plain numpy forward pass over the same weights
    (`tests/inference/test_minilm.py`, which also writes them anew on request).
    """
    golden: dict[str, list[float]] = json.loads(
        resources.files("inference").joinpath("golden.json").read_text(encoding="utf-8")
    )
    stored = np.array(list(golden.values()), np.float32)
    stored /= np.linalg.norm(stored, axis=1, keepdims=True)
    return float((stored * embed(list(golden))).sum(axis=1).min())
