"""The encoder of `minilm_graph` for one question at a time, its products in whole numbers.

A recall waits for one vector. With weights and activations of eight bits it comes in three fifths of the time
that floats take. Its cosine to the vector in floats is .9995 on average (`docs/retrieval.md`, "Time"); what
is stored is embedded in floats.

Each row of weights and each token has a scale of its own. A layer norm gives a few channels values ten times
those of the others, which would leave the others four bits: these channels are multiplied in floats. Only
standard operators are used.

The graph takes `ids` and `places` (0, 1, 2, …), int32 of shape (tokens,), and gives `vector`, float32 of
shape (384,). No shape in it is computed: onnxruntime makes a name for each that it cannot tell, and needs for
that the square of their number when it opens a graph (70 ms).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper

from inference.minilm_graph import HEAD_WIDTH, HEADS, LAYERS, WIDTH, Graph, position_vectors

FAR_CHANNELS = (63, 99, 157, 223)
"""Of every layer norm's output, where its largest values are: up to 30, with the next channel below 8 and
half of them below 2, whatever the text. With these apart the mean cosine to the vector in floats is .9994,
with none .9977."""

_STEPS, _MIDDLE = 127.0, 128
"""Eight bits without a sign, zero in the middle: what processors multiply fastest by weights with one."""

_GELU_LEAST = 0.17
"""GELU gives no less than minus this: its eight bits begin there."""

_LEAST_TOP = 1e-6
"""So that nothing is divided by zero."""

_Array = npt.NDArray[np.float32]


class _Rows:
    """Activations in eight bits: `values`, and of each token the `scale` of one step."""

    def __init__(self, values: str, scale: str, zero: int) -> None:
        self.values, self.scale, self.zero = values, scale, zero


def _number(graph: Graph, value: float) -> str:
    return graph.constant(np.array(value, np.float32))


def _top(graph: Graph, x: str) -> str:
    top = graph.apply("ReduceMax", x, graph.constant(np.array([-1], np.int64)), keepdims=1)
    return graph.apply("Max", top, _number(graph, _LEAST_TOP))


def _in_eight_bits(graph: Graph, x: str) -> _Rows:
    """Of any values: from -127 to 127 steps."""
    scale = graph.apply("Mul", _top(graph, graph.apply("Abs", x)), _number(graph, 1 / _STEPS))
    steps = graph.apply("Add", graph.apply("Div", x, scale), _number(graph, _MIDDLE + 0.5))
    return _Rows(graph.apply("Cast", steps, to=TensorProto.UINT8), scale, _MIDDLE)


def _gelu_in_eight_bits(graph: Graph, x: str) -> _Rows:
    """Of what GELU gives, plus _GELU_LEAST: from 0 to 255 steps."""
    least = _number(graph, _GELU_LEAST)
    scale = graph.apply("Mul", graph.apply("Add", _top(graph, x), least), _number(graph, 1 / 255))
    steps_in_one = graph.apply("Reciprocal", scale)
    lift = graph.apply("Add", graph.apply("Mul", steps_in_one, least), _number(graph, 0.5))
    steps = graph.apply("Add", graph.apply("Mul", x, steps_in_one), lift)
    return _Rows(graph.apply("Cast", steps, to=TensorProto.UINT8), scale, 0)


def _product(graph: Graph, rows: _Rows, weight: _Array) -> tuple[str, _Array]:
    """`rows @ weight.T`, and the weight (out, in) as the eight bits have it."""
    scales = np.maximum(np.abs(weight).max(axis=1), np.finfo(np.float32).tiny) / _STEPS
    steps = np.round(weight / scales[:, None]).astype(np.int8)
    zero = graph.constant(np.array(rows.zero, np.uint8))
    whole = graph.apply("MatMulInteger", rows.values, graph.constant(steps.T), zero)
    product = graph.apply("Cast", whole, to=TensorProto.FLOAT)
    product = graph.apply("Mul", product, graph.constant(scales.astype(np.float32)))
    return graph.apply("Mul", product, rows.scale), steps * scales[:, None]


def _after_norm(graph: Graph, x: str, weight: _Array, bias: _Array) -> str:
    """`x @ weight.T + bias` of what a layer norm gave, its far channels in floats."""
    far = np.array(FAR_CHANNELS)
    near = np.ones(WIDTH, np.float32)
    near[far] = 0
    rows = _in_eight_bits(graph, graph.apply("Mul", x, graph.constant(near)))
    alone = graph.apply("Gather", x, graph.constant(far), axis=1)
    exact = graph.apply("Gemm", alone, graph.constant(weight[:, far].T), graph.constant(bias))
    return graph.apply("Add", _product(graph, rows, weight * near)[0], exact)


def _attention(graph: Graph, x: str, layer: dict[str, _Array]) -> str:
    """Multi-head self-attention; query, key and value come of one product."""
    parts = {"query": np.float32(1 / np.sqrt(HEAD_WIDTH)), "key": np.float32(1), "value": np.float32(1)}
    weight, bias = (
        np.concatenate([layer[f"attention.self.{part}.{name}"] * factor for part, factor in parts.items()])
        for name in ("weight", "bias")
    )
    split = graph.constant(np.array([0, len(parts), HEADS, HEAD_WIDTH], np.int64))
    together = graph.apply("Reshape", _after_norm(graph, x, weight, bias), split)
    heads = graph.apply("Transpose", together, perm=[1, 2, 0, 3])
    query, key, value = (
        graph.apply("Gather", heads, graph.constant(np.array([part], np.int64)), axis=0)
        for part in range(len(parts))
    )
    scores = graph.apply("MatMul", query, graph.apply("Transpose", key, perm=[0, 1, 3, 2]))
    first = graph.constant(np.array([0], np.int64))
    mixed = graph.apply("MatMul", graph.apply("Softmax", scores, axis=-1), value)
    joined = graph.apply("Squeeze", graph.apply("Transpose", mixed, perm=[0, 2, 1, 3]), first)
    return graph.apply("Reshape", joined, graph.constant(np.array([0, WIDTH], np.int64)))


def _layer(graph: Graph, x: str, layer: dict[str, _Array]) -> str:
    """One encoder layer, as in `minilm_graph`."""

    def add_and_norm(dense: str, bias: _Array, before: str, part: str) -> str:
        total = graph.apply("Add", graph.apply("Add", dense, graph.constant(bias)), before)
        return graph.layer_norm(total, layer[f"{part}.LayerNorm.weight"], layer[f"{part}.LayerNorm.bias"])

    rows = _in_eight_bits(graph, _attention(graph, x, layer))
    dense, _ = _product(graph, rows, layer["attention.output.dense.weight"])
    attended = add_and_norm(dense, layer["attention.output.dense.bias"], x, "attention.output")
    widened = _after_norm(
        graph, attended, layer["intermediate.dense.weight"], layer["intermediate.dense.bias"]
    )
    rows = _gelu_in_eight_bits(graph, graph.apply("Gelu", widened))
    dense, weight = _product(graph, rows, layer["output.dense.weight"])
    lifted = layer["output.dense.bias"] - _GELU_LEAST * weight.sum(axis=1)
    return add_and_norm(dense, lifted.astype(np.float32), attended, "output")


def build_query_graph(weights: dict[str, _Array], words: onnx.TensorProto) -> onnx.ModelProto:
    """The encoder of one text; `words` is the table of word vectors, stored by the graph of floats."""
    graph = Graph()
    table = graph.stored(words)
    words_said = graph.apply("Gather", table, "ids")
    standing = graph.apply("Gather", graph.constant(position_vectors(weights)), "places")
    x = graph.layer_norm(
        graph.apply("Add", words_said, standing),
        weights["embeddings.LayerNorm.weight"],
        weights["embeddings.LayerNorm.bias"],
    )
    for number in range(LAYERS):
        prefix = f"encoder.layer.{number}."
        layer = {name[len(prefix) :]: value for name, value in weights.items() if name.startswith(prefix)}
        x = _layer(graph, x, layer)
    total = graph.apply("ReduceSum", x, graph.constant(np.array([0], np.int64)), keepdims=0)
    graph.apply("LpNormalization", total, name="vector", axis=-1, p=2)
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT32, ["tokens"]) for name in ("ids", "places")
    ]
    vector = helper.make_tensor_value_info("vector", TensorProto.FLOAT, [WIDTH])
    return graph.model("minilm_query", inputs, [vector])
