"""How unlikely the annotators' segmentation of a window is, as `extract.reader.segmentation` scores it: the
training side of the semi-Markov conditional random field."""

from __future__ import annotations

from collections.abc import Mapping

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.train.fitting import UNKNOWN, head
from benchmarks.train.jax_encoder import Params
from extract.reader.segmentation import BARRED, BEGIN, INSIDE, LONGEST, OUT

_UNROLLED = 8
"""Steps of the recursion that are compiled as one: an accelerator waits for each."""


def segment_loss(heads: Params, states: jax.Array, batch: Mapping[str, jax.Array]) -> jax.Array:
    """Mean over a batch's own tokens of what its windows' segmentations lack to be certain.

    `batch["bio"]` holds labels of own tokens, UNKNOWN elsewhere; `batch["ending"]`, (windows, tokens), how
    many tokens the unit has that ends there, 0 for none; `batch["segmented"]`, (windows,), what each counts.
    """
    own = batch["bio"] != UNKNOWN
    outside, scores = _scores(heads, states, own)
    marked = batch["bio"] == OUT
    ending = batch["ending"]
    taken = jnp.take_along_axis(scores, jnp.maximum(ending - 1, 0)[..., None], -1)[..., 0]
    gold = (outside * marked).sum(-1) + jnp.where(ending > 0, taken, 0.0).sum(-1)
    lacking = (_all_paths(outside, scores) - gold) * batch["segmented"]
    return lacking.sum() / jnp.maximum((own * batch["segmented"][:, None]).sum(), 1)


def _scores(heads: Params, states: jax.Array, own: jax.Array) -> tuple[jax.Array, jax.Array]:
    """As `segmentation.segment_scores`, for whole batches: what is not a window's own costs nothing, and no
    span has part of it."""
    bio = jnp.where(own[..., None], head(heads, "bio", states), jnp.array([0.0, BARRED, BARRED]))
    opens, closes = head(heads, "opens", states), head(heads, "closes", states)
    together = jnp.einsum("bsd,btd->bst", opens, closes) / np.sqrt(opens.shape[-1])
    lengths = head(heads, "lengths", jnp.ones(1))
    inside = jnp.pad(jnp.cumsum(bio[..., INSIDE], -1), ((0, 0), (1, 0)))
    end = np.arange(bio.shape[1])[:, None]
    first = end - np.arange(LONGEST)
    begin = np.maximum(first, 0)
    scores = (
        bio[:, begin, BEGIN]
        + inside[:, end + 1]
        - inside[:, begin + 1]
        + head(heads, "last", states)
        + together[:, begin, end]
        + lengths
    )
    return bio[..., OUT], jnp.where(first >= 0, scores, BARRED)


def _all_paths(outside: jax.Array, scores: jax.Array) -> jax.Array:
    """Of each window, the logarithm of the sum over all its segmentations."""
    windows = outside.shape[0]

    def step(reached: jax.Array, given: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, None]:
        # reached[:, n - 1]: of all paths over the tokens up to n before the next
        alone, spans = given
        here = jnp.logaddexp(reached[:, 0] + alone, jax.nn.logsumexp(reached + spans, -1))
        return jnp.concatenate([here[:, None], reached[:, :-1]], -1), None

    begun = jnp.full((windows, LONGEST), BARRED).at[:, 0].set(0.0)
    reached, _ = jax.lax.scan(step, begun, (outside.T, scores.transpose(1, 0, 2)), unroll=_UNROLLED)
    return reached[:, 0]
