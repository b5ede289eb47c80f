"""A cross-encoder: how well each text answers a question, both read together.

By configuration one of two things: a folder with `model.onnx` and `tokenizer.json`, as sequence classifiers
are exported for onnxruntime, or the name of a model that fastembed knows, which it fetches by itself. Neither
comes with mnemic: no weights of one are in the package registry.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

import numpy as np
from tokenizers import Tokenizer

from inference.runtime import onnxruntime
from inference.weights import hash_file
from schemas.errors import UsageError

MAX_TOKENS = 512
"""Question and text together: the length that the common cross-encoders (MS MARCO MiniLM, BGE) were trained
for. What is longer loses the end of its text, never of the question."""

BATCH = 16


class CrossEncoder(Protocol):
    """Scores texts for a question."""

    @property
    def name(self) -> str:
        """Which model, and which state of it: scores of one name may be kept."""
        ...

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One number a text, in order: the higher, the better it answers. The scale is the model's own."""
        ...


class OnnxCrossEncoder:
    """An open session on an exported sequence classifier."""

    def __init__(self, folder: Path) -> None:
        graph = _graph(folder)
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(MAX_TOKENS, strategy="only_second")
        self._tokenizer.enable_padding()
        # archive text may spell "[SEP]": it is text, not a marker
        self._tokenizer.encode_special_tokens = True
        self._session = onnxruntime.InferenceSession(str(graph), providers=["CPUExecutionProvider"])
        self._inputs = [one.name for one in self._session.get_inputs()]
        self.name = f"{folder.name} {hash_file(graph)[:16]}"

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """See `CrossEncoder.scores`: the first logit of each pair."""
        scored = list[float]()
        for start in range(0, len(texts), BATCH):
            pairs = [(_short(query), text) for text in texts[start : start + BATCH]]
            encoded = self._tokenizer.encode_batch(pairs)
            given = {
                "input_ids": [one.ids for one in encoded],
                "attention_mask": [one.attention_mask for one in encoded],
                "token_type_ids": [one.type_ids for one in encoded],
            }
            inputs = {name: np.array(given[name], np.int64) for name in self._inputs}
            logits = np.asarray(self._session.run(None, inputs)[0], np.float64)
            scored += logits.reshape(len(pairs), -1)[:, 0].tolist()
        return scored


class NamedCrossEncoder:
    """A model of fastembed's list, which fetches the weights when it is first used."""

    def __init__(self, name: str) -> None:
        try:
            self._model = import_module("fastembed.rerank.cross_encoder").TextCrossEncoder(name)
        except ValueError as error:  # a name that it lacks, weights that it cannot fetch
            raise UsageError(
                f"fastembed cannot load the cross-encoder {name!r}",
                why=str(error).splitlines()[0],
                remedy="`TextCrossEncoder.list_supported_models()` of fastembed lists the names",
            ) from error
        self.name = f"fastembed {name}"

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """See `CrossEncoder.scores`."""
        return [float(one) for one in self._model.rerank(_short(query), list(texts), batch_size=BATCH)]


def load_cross_encoder(named: str) -> CrossEncoder:
    """The cross-encoder in a folder, or of fastembed's list.

    Raises UsageError where there is no such folder and fastembed is not installed.
    """
    folder = Path(named).expanduser()
    if folder.is_dir():
        return OnnxCrossEncoder(folder)
    if find_spec("fastembed") is None:
        raise UsageError(
            f"there is no cross-encoder {named!r}",
            why="it is no folder, and fastembed, which knows models by name, is not installed",
            remedy="Name `judge`, `model`, or a folder with model.onnx and tokenizer.json, or "
            "`pip install fastembed`",
        )
    return NamedCrossEncoder(named)


def _graph(folder: Path) -> Path:
    """The model's graph, where the two usual layouts have it."""
    found = [path for path in (folder / "model.onnx", folder / "onnx" / "model.onnx") if path.is_file()]
    if not found or not (folder / "tokenizer.json").is_file():
        raise UsageError(
            "the folder holds no cross-encoder",
            where=str(folder),
            why="model.onnx or tokenizer.json is missing",
            remedy="Export a sequence classifier for onnxruntime into it",
        )
    return found[0]


MOST_CHARACTERS = 1000
"""Of a question: with more, nothing of a text would fit beside it."""


def _short(query: str) -> str:
    return query[:MOST_CHARACTERS]
