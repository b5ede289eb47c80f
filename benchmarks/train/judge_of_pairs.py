"""Train the judge of pairs: `python -m benchmarks.train.judge_of_pairs [--hold FILE …] [--save PATH]`.

`data/reading/pairs-*.jsonl` holds two notes a line with what they are to one another. Bounds are set where
the files held out reach the precision that the sweeps need.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from benchmarks.train.fitting import (
    UNKNOWN,
    Batch,
    Encoder,
    Fitted,
    Recipe,
    cross_entropy,
    first_and_mean,
    fit,
    head,
    padded,
)
from benchmarks.train.labelled_windows import DATA
from benchmarks.train.reader_training import write
from curation.pairs.guards import differ_in_form
from curation.pairs.small_judge import RELATIONS, pair_ids
from inference.minilm import open_tokenizer
from inference.minilm_graph import WIDTH
from inference.weights import find_weights

BOUNDS_FROM = ("pairs-home", "pairs-alike")
"""The pairs that are not learned but set the bounds of version 1: ordinary ones, and near-duplicates."""

RECIPE = Recipe(frozen=2, epochs=5, averaged=2)
PRECISE = {"duplicate": 0.985, "supersede": 0.95, "contradict": 0.98}
"""Precision that a bound must reach on what was held out."""

_SIDES = {"relation": (2 * WIDTH, len(RELATIONS)), "subject": (2 * WIDTH, 2), "attribute": (2 * WIDTH, 2)}
_TURNED = frozenset(("dup", "con", "unr"))
"""Relations that hold both ways: such pairs are shown in both orders."""

Row = dict[str, Any]


def sources() -> list[str]:
    """The files of pairs, by name."""
    return sorted(path.stem for path in DATA.glob("pairs-*.jsonl"))


def rows_of(source: str) -> list[Row]:
    """The pairs of one file."""
    return [json.loads(line) for line in (DATA / f"{source}.jsonl").read_text(encoding="utf-8").splitlines()]


def loss(heads: dict[str, Any], states: jax.Array, batch: Mapping[str, jax.Array]) -> jax.Array:
    """Of the relation, and half as much of subject and attribute."""
    pooled = first_and_mean(states, batch["mask"])
    weights = {"relation": 1.0, "subject": 0.5, "attribute": 0.5}
    losses = (
        weight * cross_entropy(head(heads, name, pooled), batch[name]) for name, weight in weights.items()
    )
    return jnp.asarray(sum(losses))


def train(rows: Sequence[Row], recipe: Recipe) -> Fitted:
    """A judge of these pairs."""
    tokenizer = open_tokenizer(find_weights())
    shown = [(row, row["older"], row["newer"]) for row in rows]
    shown += [(row, row["newer"], row["older"]) for row in rows if row["relation"] in _TURNED]
    ids = [pair_ids(tokenizer, first, second) for _, first, second in shown]

    def batch(members: Sequence[int]) -> Batch:
        filled, mask = padded([ids[place] for place in members])
        own = [shown[place][0] for place in members]
        return {
            "ids": filled, "mask": mask,
            "relation": np.array([RELATIONS.index(row["relation"]) for row in own]),
            **{name: np.array([{"y": 1, "n": 0}.get(row[name], UNKNOWN) for row in own]) for name in
            ("subject", "attribute")},
        }  # fmt: skip

    print(f"{len(rows)} pairs, {sum(map(len, ids))} tokens", flush=True)
    begun = time.monotonic()
    return fit(
        list(map(len, ids)), batch, _SIDES, loss, recipe,
        lambda line: print(f"  {line}  {time.monotonic() - begun:.0f} s", flush=True),
    )  # fmt: skip


def chances(rows: Sequence[Row], fitted: Fitted) -> dict[str, NDArray[np.float64]]:
    """Of each pair: that it is a duplicate (the lesser of both orders), that the newer supersedes, that
    they contradict; as `curation.pairs.small_judge` reckons them."""
    tokenizer = open_tokenizer(find_weights())
    texts = [pair_ids(tokenizer, row["older"], row["newer"]) for row in rows]
    texts += [pair_ids(tokenizer, row["newer"], row["older"]) for row in rows]
    pooled = np.stack([np.concatenate([one[0], one.mean(axis=0)]) for one in Encoder(fitted).states(texts)])
    relation, subject, attribute = (_softmax(np.asarray(head(fitted.heads, name, pooled))) for name in _SIDES)
    count = len(rows)
    same_form = np.array([not differ_in_form(row["older"], row["newer"]) for row in rows])
    dup, sup, con = (RELATIONS.index(name) for name in ("dup", "sup", "con"))
    return {
        "duplicate": np.minimum(relation[:count, dup], relation[count:, dup]) * same_form,
        "supersede": np.minimum(relation[:count, sup], subject[:count, 1]),
        "contradict": np.minimum(relation[:count, con], attribute[:count, 1]),
    }


def bound_for(
    wanted: float, found: NDArray[np.float64], right: NDArray[np.bool_]
) -> tuple[float, float, float]:
    """(bound, precision, recall) of the lowest bound from which on so many are right; of .5 at least."""
    best = (1.0, 1.0, 0.0)
    for bound in np.arange(0.5, 1.0, 0.001):
        acted = found >= bound
        if acted.sum() and right[acted].mean() >= wanted:
            return (
                float(round(bound, 3)),
                float(right[acted].mean()),
                float(right[acted].sum() / max(right.sum(), 1)),
            )
    return best


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    powers = np.exp(logits.astype(np.float64) - logits.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True))


def main(arguments: Sequence[str] | None = None) -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hold", action="append", default=[], help="files that are kept apart, by name")
    parser.add_argument("--epochs", type=int, default=RECIPE.epochs)
    parser.add_argument("--save", type=Path)
    options = parser.parse_args(arguments)
    rows = {source: rows_of(source) for source in sources()}
    fitted = train(
        [row for source, own in rows.items() if source not in options.hold for row in own],
        replace(RECIPE, epochs=options.epochs),
    )
    bounds = (
        shown_bounds([row for source in options.hold for row in rows[source]], fitted) if options.hold else {}
    )
    if options.save:
        write(fitted, options.save, bounds, rows)


def shown_bounds(held: Sequence[Row], fitted: Fitted) -> dict[str, float]:
    """The bounds that reach PRECISE on pairs that were not learned; prints what they come to, and others."""
    found = chances(held, fitted)
    bounds = {}
    for name, short in (("duplicate", "dup"), ("supersede", "sup"), ("contradict", "con")):
        right = np.array([row["relation"] == short for row in held])
        bounds[name] = bound_for(PRECISE[name], found[name], right)[0]
        for wanted in sorted({PRECISE[name], 0.98, 0.95, 0.9}):
            bound, precision, recall = bound_for(wanted, found[name], right)
            print(
                f"{name} at {wanted}: bound {bound:.3f}, precision {precision:.3f}, recall {recall:.3f}",
                flush=True,
            )
    return bounds


if __name__ == "__main__":
    main()
