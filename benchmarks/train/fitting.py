"""A fit: encoder layers and heads trained together with AdamW; what is shipped is the mean of the last
epochs, and of several runs.

The layers below `frozen` stay as the wheel has them. Some words are hidden from every text anew in each
epoch, so that no single word decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from benchmarks.train.jax_encoder import Drop, Params, base_weights, embedded, layer, layers_of
from inference.minilm_graph import WIDTH

jax.config.update("jax_default_prng_impl", "rbg")  # of two good ones, the one that costs a processor little

MASK = 103
"""The encoder's [MASK]."""
_MASKED_SCORE = -1e4
PADDING = 32
"""Lengths are padded to multiples of it where a recipe says nothing else: few shapes to compile."""
UNKNOWN = -1
"""Label of what was not annotated: it counts for no loss."""

Batch = dict[str, NDArray[Any]]
Loss = Callable[[Params, jax.Array, Mapping[str, jax.Array]], jax.Array]
"""(heads, states of a batch, the batch) to a number."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train. Times of learning rates are shares of the whole run."""

    frozen: int = 2
    layers: int = 6
    epochs: int = 8
    averaged: int = 3
    """Epochs at the end whose weights are averaged."""
    runs: int = 1
    """Runs that begin with the same weights and see the examples in other orders. What ships is their mean (a
    "model soup": Wortsman and others, 2022)."""
    rate: float = 2e-4
    head_rate: float = 1e-3
    warm_up: float = 0.06
    decay: float = 0.01
    dropout: float = 0.1
    hidden_words: float = 0.06
    batch_tokens: int = 2048
    padding: int = PADDING
    group: int = 1
    """Texts of one example: a batch holds their rows one after the other, padded to the longest of them."""
    seed: int = 18


@dataclass(frozen=True, slots=True)
class Fitted:
    """Weights of the changed layers and of the heads."""

    layers: list[Params]
    heads: Params
    recipe: Recipe


def padded(
    ids: Sequence[Sequence[int]], padding: int = PADDING
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """(texts, tokens) ids and mask, padded to a multiple of `padding`."""
    width = _width(max(map(len, ids)), padding)
    filled, mask = np.zeros((len(ids), width), np.int32), np.zeros((len(ids), width), np.float32)
    for row, tokens in enumerate(ids):
        filled[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
    return filled, mask


def states(
    weights: Mapping[str, jax.Array],
    below: list[Params],
    above: list[Params],
    batch: Mapping[str, jax.Array],
    drop: Drop,
) -> jax.Array:
    """The last layer's states, (texts, tokens, 384)."""
    bias = (1 - batch["mask"])[:, None, None, :] * _MASKED_SCORE
    x = embedded(weights, batch["ids"])
    for part in below:
        x = layer(x, part, bias, Drop(None, 0))
    x = jax.lax.stop_gradient(x)
    for part in above:
        x = layer(x, part, bias, drop)
    return x


def fit(
    lengths: Sequence[int],
    batch_of: Callable[[Sequence[int]], Batch],
    heads: Mapping[str, tuple[int, int]],
    loss: Loss,
    recipe: Recipe,
    tell: Callable[[str], None] = lambda _: None,
) -> Fitted:
    """Train on examples `0..len(lengths)`; `batch_of` builds a batch of some (`ids` and `mask` among it).

    `heads` names each head with the numbers that it takes and gives.
    """
    weights = base_weights()
    stem = {name: value for name, value in weights.items() if name.startswith("embeddings.")}
    fixed: Params = {"stem": stem, "below": layers_of(weights, 0, recipe.frozen)}
    chance = np.random.default_rng(recipe.seed)
    params: Params = {
        "layers": layers_of(weights, recipe.frozen, recipe.layers),
        "heads": {name: _head(chance, *sides) for name, sides in heads.items()},
    }
    course = _Course(batch_of, _stepper(loss, recipe), fixed, recipe, tell)
    fitted = []
    for run in range(recipe.runs):
        tell(f"run {run + 1} of {recipe.runs}")
        plan = [list(_batches(lengths, recipe, chance)) for _ in range(recipe.epochs)]
        fitted.append(course.run(plan, params, chance, recipe.seed + run))
        chance = np.random.default_rng(recipe.seed + run + 1)
    averaged = mean_of(fitted)
    return Fitted(averaged["layers"], averaged["heads"], recipe)


def mean_of(parts: Sequence[Params]) -> Params:
    """The mean of several sets of weights."""
    averaged: Params = jax.tree.map(lambda *leaves: np.mean(leaves, axis=0), *parts)
    return averaged


@dataclass(frozen=True, slots=True)
class _Course:
    """What the runs of a fit have in common."""

    batch_of: Callable[[Sequence[int]], Batch]
    step: Callable[..., Any]
    fixed: Params
    recipe: Recipe
    tell: Callable[[str], None]

    def run(
        self,
        plan: Sequence[Sequence[Sequence[int]]],
        params: Params,
        chance: np.random.Generator,
        seed: int,
    ) -> Params:
        """Train by a plan, the examples of each batch of each epoch; the mean of the last epochs' weights."""
        total = jnp.float32(sum(map(len, plan)))
        params = jax.tree.map(jnp.array, params)  # a step gives its arguments' memory away
        mean, square = jax.tree.map(jnp.zeros_like, params), jax.tree.map(jnp.zeros_like, params)
        key, time, averages = jax.random.PRNGKey(seed), 0, []
        for epoch, batches in enumerate(plan):
            losses = []
            for members in batches:
                batch = self.batch_of(members)
                rows = _rows(batch["ids"].shape[1], self.recipe) * self.recipe.group
                batch = _filled(batch, rows)
                hidden = chance.random(batch["ids"].shape) < self.recipe.hidden_words
                batch["ids"] = np.where(hidden & (batch["ids"] > MASK), MASK, batch["ids"])
                params, mean, square, value = self.step(
                    params,
                    mean,
                    square,
                    self.fixed,
                    jnp.float32(time),
                    total,
                    batch,
                    jax.random.fold_in(key, time),
                )
                losses.append(value)
                time += 1
            lost = float(np.mean([float(one) for one in losses]))
            self.tell(f"epoch {epoch + 1} of {self.recipe.epochs}: loss {lost:.3f}")
            if epoch >= self.recipe.epochs - self.recipe.averaged:
                averages.append(jax.tree.map(np.asarray, params))
        return mean_of(averages)


def _stepper(loss: Loss, recipe: Recipe) -> Callable[..., Any]:
    """One step of Adam, compiled: parameters and their averages in, moved, with the batch's loss."""
    rates = {"layers": recipe.rate, "heads": recipe.head_rate}

    # what stays is an argument too: a constant would be folded into every compiled shape
    def cost(params: Params, fixed: Params, batch: Mapping[str, jax.Array], key: jax.Array) -> jax.Array:
        drop = Drop(key, recipe.dropout)
        seen = states(fixed["stem"], fixed["below"], params["layers"], batch, drop)
        return loss(params["heads"], drop(seen), batch)

    @partial(jax.jit, donate_argnums=(0, 1, 2))
    def step(
        params: Params,
        mean: Params,
        square: Params,
        fixed: Params,
        time: jax.Array,
        total: jax.Array,
        batch: Any,
        key: jax.Array,
    ) -> Any:
        value, slope = jax.value_and_grad(cost)(params, fixed, batch, key)
        norm = jnp.sqrt(sum((leaf**2).sum() for leaf in jax.tree.leaves(slope)))
        slope = jax.tree.map(lambda leaf: leaf * jnp.minimum(1.0, 1.0 / norm), slope)
        pace = jnp.minimum(
            (time + 1) / (recipe.warm_up * total), (total - time) / ((1 - recipe.warm_up) * total)
        )
        mean = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, mean, slope)
        square = jax.tree.map(lambda old, new: 0.99 * old + 0.01 * new**2, square, slope)

        def moved(part: str) -> Params:
            def one(x: jax.Array, first: jax.Array, second: jax.Array) -> jax.Array:
                ahead = first / (1 - 0.9 ** (time + 1)) / (jnp.sqrt(second / (1 - 0.99 ** (time + 1))) + 1e-8)
                return x - pace * rates[part] * (ahead + recipe.decay * x)

            stepped: Params = jax.tree.map(one, params[part], mean[part], square[part])
            return stepped

        return {part: moved(part) for part in params}, mean, square, value

    compiled: Callable[..., Any] = step
    return compiled


def _head(chance: np.random.Generator, inputs: int, width: int) -> Params:
    return {
        "weight": jnp.asarray(chance.normal(0, 0.02, (inputs, width)), jnp.float32),
        "bias": jnp.zeros(width, jnp.float32),
    }


def _batches(lengths: Sequence[int], recipe: Recipe, chance: np.random.Generator) -> Iterator[list[int]]:
    """The examples in batches of one padded length, in random order."""
    by_width: dict[int, list[int]] = {}
    for place in chance.permutation(len(lengths)).tolist():
        by_width.setdefault(_width(lengths[place], recipe.padding), []).append(place)
    found = [
        members[start : start + _rows(width, recipe)]
        for width, members in sorted(by_width.items())
        for start in range(0, len(members), _rows(width, recipe))
    ]
    for place in chance.permutation(len(found)):
        yield found[place]


def _width(length: int, padding: int) -> int:
    return -(-length // padding) * padding


def _rows(width: int, recipe: Recipe) -> int:
    """Examples of a batch whose texts have so many tokens."""
    return max(1, recipe.batch_tokens // (width * recipe.group))


def _filled(batch: Batch, rows: int) -> Batch:
    """The batch with empty rows up to so many: each shape is compiled anew, which takes longer than an
    epoch."""

    def filled(name: str, value: NDArray[Any]) -> NDArray[Any]:
        label = value.dtype.kind == "i" and name != "ids"
        rest = [(0, rows - len(value)), *[(0, 0)] * (value.ndim - 1)]
        return np.pad(value, rest, constant_values=UNKNOWN if label else 0)

    return {name: filled(name, value) for name, value in batch.items()}


def head(heads: Params, name: str, x: jax.Array) -> jax.Array:
    """A head's logits."""
    return x @ heads[name]["weight"] + heads[name]["bias"]


def first_and_mean(states: jax.Array, mask: jax.Array) -> jax.Array:
    """(texts, 768): of each text its first token's state and the mean of all, as a judge's heads see it."""
    mean = (states * mask[..., None]).sum(1) / jnp.maximum(mask.sum(1, keepdims=True), 1)
    return jnp.concatenate([states[:, 0], mean], -1)


def cross_entropy(logits: jax.Array, labels: jax.Array, counts: jax.Array | float = 1.0) -> jax.Array:
    """Mean over the labels that are known; `counts` is what each of them counts."""
    known = (labels >= 0) * counts
    chances = jax.nn.log_softmax(logits)
    taken = jnp.take_along_axis(chances, jnp.maximum(labels, 0)[..., None], -1)[..., 0]
    return -(taken * known).sum() / jnp.maximum(known.sum(), 1)


class Encoder:
    """A fitted encoder, to look at what it learned before it is written."""

    def __init__(self, fitted: Fitted) -> None:
        weights = base_weights()
        stem = {name: value for name, value in weights.items() if name.startswith("embeddings.")}
        below = layers_of(weights, 0, fitted.recipe.frozen)
        self._run = jax.jit(
            lambda stem, below, above, batch: states(stem, below, above, batch, Drop(None, 0))
        )
        self._given = (stem, below, fitted.layers)

    def states(self, texts: Sequence[Sequence[int]]) -> list[NDArray[np.float32]]:
        """The states of each text, (its tokens, 384)."""
        found: list[NDArray[np.float32]] = [np.zeros((0, WIDTH), np.float32)] * len(texts)
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        for start in range(0, len(order), 16):
            members = order[start : start + 16]
            ids, mask = padded([texts[place] for place in members])
            out = np.asarray(self._run(*self._given, {"ids": ids, "mask": mask}))
            for row, place in enumerate(members):
                found[place] = out[row, : len(texts[place])]
        return found
