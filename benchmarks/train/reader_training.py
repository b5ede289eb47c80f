"""Train the small reader: `python -m benchmarks.train.reader_training [--hold SOURCE …] [--write]`.

With `--hold`, the sources named are kept apart and what the reader makes of them is printed: that is the
figure to believe. With `--write`, all of them are learned and `extract/reader/weights/` gets the file that
is shipped.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from benchmarks.train import keep_chance, labelled_windows
from benchmarks.train.fitting import UNKNOWN, Fitted, Recipe, cross_entropy, fit, head
from benchmarks.train.jax_encoder import Params
from benchmarks.train.labelled_windows import Row, classes_of
from benchmarks.train.reader_batches import learned
from benchmarks.train.segment_loss import segment_loss
from evals.extraction import Span, maximum_matching
from extract.reader.segmentation import LONGEST
from extract.reader.small_reader import ATTRIBUTES, SmallReader, SpanReading
from extract.reader.talk_windows import WindowCutter
from inference.finetuned import FineTuned
from inference.minilm import open_tokenizer
from inference.minilm_graph import WIDTH
from inference.weights import find_weights, hash_file

RECIPE = Recipe(epochs=6, runs=3, padding=64)

EAGERNESS = 0.5
"""Added to the score of each span: more covers more, less is more precise."""

TRIED = (-0.5, 0.0, EAGERNESS, 1.0)
"""Those by which what was held out is read."""

LEAST = 0.5
"""The chance of being a unit at all that a span needs."""

NAMED = 0.6
"""The chance from which on a note is told behind what it takes up: of four names that were put there on talk
held out, the annotators' notes have about three as well."""

_WEIGHTS = {
    "bio": 0.5, "unit": 0.5, "kept": 0.3, "category": 1.0, "force": 0.3, "state": 0.3, "act": 0.3,
    "actor": 0.2, "whose": 0.4, "alone": 0.4, "keep": 0.4,
}  # fmt: skip
"""What each head's loss counts."""

_SHARES = {
    "decision": 0.13, "constraint": 0.12, "provisional": 0.06, "action_item": 0.05, "idea": 0.12,
    "open_question": 0.05, "fact": 0.47,
}  # fmt: skip
_RARER = np.array([(1 / 7 / _SHARES[name]) ** 0.4 for name in ATTRIBUTES["category"]], np.float32)
"""What a unit of each category counts: rare ones more, as facts are almost half of all talk. What is learned
so is surer of rare categories than it ought to be, which is taken back in the end (`evened`)."""

_AIMING, _UNDECIDED, _SEGMENTING = 0.4, 0.5, 2.0
"""What the losses count that are not of one head."""

_POINTER = 64
"""Numbers in which a span and what it takes up are compared."""

_BARRED = -1e4

_SPAN = 3 * WIDTH
"""Numbers by which a span is described."""

_SIDES = {
    "bio": (WIDTH, 3), "last": (WIDTH, 1), "opens": (WIDTH, _POINTER), "closes": (WIDTH, _POINTER),
    "lengths": (1, LONGEST), "kept": (WIDTH, 2), "unit": (_SPAN, 2),
    "asks": (_SPAN, _POINTER), "answers": (WIDTH, _POINTER), "nothing": (_SPAN, 1),
    **{name: (_SPAN, len(values)) for name, values in ATTRIBUTES.items()},
}  # fmt: skip
"""What each head takes and gives."""


def loss(heads: Params, states: jax.Array, batch: Mapping[str, jax.Array]) -> jax.Array:
    """Of tokens and of spans, each head weighted."""
    spans = described(states, batch)
    counts = {
        "bio": batch["marked"],
        "unit": batch["counted"],
        "category": jnp.asarray(_RARER)[jnp.maximum(batch["category"], 0)],
    }
    total = sum(
        weight
        * cross_entropy(
            head(heads, name, states if name in ("bio", "kept") else spans),
            batch[name],
            counts.get(name, 1.0),
        )
        for name, weight in _WEIGHTS.items()
    )
    total += _AIMING * _aiming(heads, spans, states, batch)
    total += _UNDECIDED * _deciding(heads, spans, batch)
    total += _SEGMENTING * segment_loss(heads, states, batch)
    return jnp.asarray(total)


def described(states: jax.Array, batch: Mapping[str, jax.Array]) -> jax.Array:
    """Spans as `small_reader.described` gives them to the heads, (windows, MOST_SPANS, 3 x 384)."""
    windows = np.arange(states.shape[0])[:, None]
    edges = [states[windows, batch["edges"][..., side]] for side in (0, 1)]
    return jnp.concatenate([batch["pool"] @ states, *edges], -1)


def _aiming(heads: Params, spans: jax.Array, states: jax.Array, batch: Mapping[str, jax.Array]) -> jax.Array:
    """Of what each span takes up: the words before it that its note has, or nothing."""
    asks, answers = head(heads, "asks", spans), head(heads, "answers", states)
    scores = jnp.einsum("bsd,btd->bst", asks, answers) / np.sqrt(_POINTER)
    logits = jnp.concatenate([scores, head(heads, "nothing", spans)], -1)
    barred = jnp.pad(batch["before"] == 0, ((0, 0), (0, 0), (0, 1)), constant_values=False)
    chances = jax.nn.log_softmax(jnp.where(barred, _BARRED, logits), -1)
    known = batch["aim"].sum(-1) > 0
    return -(batch["aim"] * chances).sum() / jnp.maximum(known.sum(), 1)


def _deciding(heads: Params, spans: jax.Array, batch: Mapping[str, jax.Array]) -> jax.Array:
    """Of what annotators said is no decision, and may be anything else or nothing."""
    decision = jax.nn.softmax(head(heads, "category", spans))[..., 0]
    wrong = -jnp.log1p(-jnp.minimum(decision, 0.999))
    return (wrong * batch["undecided"]).sum() / jnp.maximum((batch["category"] >= 0).sum(), 1)


def train(rows: Sequence[Row], recipe: Recipe, cutter: WindowCutter) -> Fitted:
    """A reader of these conversations."""
    given = learned([*rows, *labelled_windows.shortened(rows)], cutter, recipe.padding)
    lengths = [len(one.window.ids) for one in given.windows]
    spans = sum(len(one.spans) for one in given.windows)
    print(
        f"{len(rows)} conversations, {len(lengths)} windows, {sum(lengths)} tokens, {spans} units", flush=True
    )
    begun = time.monotonic()
    fitted = fit(
        lengths, given.batch, _SIDES, loss, recipe,
        lambda line: print(f"  {line}  {time.monotonic() - begun:.0f} s", flush=True),
    )  # fmt: skip
    return evened(fitted)


def evened(fitted: Fitted) -> Fitted:
    """With categories as likely as they are in the data: less sure of those whose units counted more (logit
    adjustment: Menon and others, 2021)."""
    category = fitted.heads["category"]
    even = {**category, "bias": category["bias"] - np.log(_RARER)}
    return replace(fitted, heads={**fitted.heads, "category": even})


def read(rows: Sequence[Row], reader: SmallReader) -> dict[str, list[tuple[str, SpanReading]]]:
    """What a reader finds in conversations, by their ids: messages with readings."""
    found: dict[str, list[tuple[str, SpanReading]]] = {row["id"]: [] for row in rows}
    for row in rows:
        before = ""
        for message in row["messages"]:
            if message.get("read", True):
                readings = reader.read(message["text"], message["role"], before)
                found[row["id"]] += [(message["id"], one) for one in readings]
            before = message["text"]
    return found


def figures(rows: Sequence[Row], found: Mapping[str, Sequence[tuple[str, SpanReading]]]) -> dict[str, float]:
    """How what was found compares with what the annotators marked."""
    gold = produced = matched = right = 0
    total, named, said = Counter[str](), Counter[str](), Counter[str]()
    agree = Counter[str]()
    judged = Counter[str]()
    for row in rows:
        units, own = row["units"], found[row["id"]]
        spans = [Span(one["message"], one["start"], one["start"] + len(one["quote"])) for one in units]
        pairs = maximum_matching(spans, [Span(message, one.start, one.end) for message, one in own])
        gold, produced, matched = gold + len(units), produced + len(own), matched + len(pairs)
        total.update(one["category"] for one in units)
        said.update(one.likeliest("category") for _, one in own)
        for left, place in pairs:
            for name, label in classes_of(units[left]).items():
                same = own[place][1].likeliest(name) == ATTRIBUTES[name][label] and label != UNKNOWN
                judged[name] += label != UNKNOWN
                agree[name] += same
                if name == "category" and same:
                    right += 1
                    named[units[left]["category"]] += 1
    shares = {f"recall {name}": named[name] / count for name, count in sorted(total.items())}
    return {
        "coverage": matched / max(gold, 1), "precision": matched / max(produced, 1),
        "category": right / max(matched, 1), **shares,
        "precision decision": named["decision"] / max(said["decision"], 1),
        **{name: agree[name] / count for name, count in judged.items() if count and name != "category"},
    }  # fmt: skip


def write(
    fitted: Fitted,
    path: Path,
    settings: Mapping[str, object],
    made_of: Iterable[str],
    state: NDArray[np.float64] | None = None,
) -> None:
    """The file that is shipped: changed layers and heads in float16, and the hash of what they were made of:
    `made_of` names the sources taught. `state` is the head of `KeepChance`."""
    tensors = {
        f"encoder.layer.{fitted.recipe.frozen + number}.{name}": np.asarray(value, np.float16)
        for number, part in enumerate(fitted.layers)
        for name, value in part.items()
    }
    for name, part in fitted.heads.items():
        tensors |= {f"head.{name}.{kind}": np.asarray(value, np.float16) for kind, value in part.items()}
    if state is not None:
        tensors["head.good.weight"] = np.asarray(state[:, None], np.float16)
        tensors["head.good.bias"] = np.zeros(1, np.float16)
    metadata = {
        "version": path.stem, "layers": str(fitted.recipe.layers), "base": hash_file(find_weights().weights),
        "data": labelled_windows.digest([*made_of, "verdicts"]),
        "settings": json.dumps(settings, sort_keys=True),
    }  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file(tensors, str(path), metadata)


def finish(fitted: Fitted, path: Path, settings: Mapping[str, object], made_of: Sequence[str]) -> None:
    """Write a reader, taught the sources `made_of`, with the chance that what it finds is kept: fitted on
    what the reader itself makes of the judged notes, so the weights are written first without it."""
    write(fitted, path, settings, made_of)
    taught = [row for source in made_of for row in labelled_windows.rows_of(source)]
    judged = keep_chance.rows(labelled_windows.texts_read(taught))
    seen = keep_chance.seen(SmallReader(FineTuned(path)), judged)
    print(keep_chance.table(seen, judged), flush=True)
    chance = keep_chance.fitted(seen)
    write(fitted, path, {**settings, "good": chance.weights}, made_of, chance.state)


def main(arguments: Sequence[str] | None = None) -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--hold", action="append", default=[], metavar="SOURCE", help="sources that are kept apart"
    )
    parser.add_argument("--share", type=float, default=1.0, help="of the conversations that are learned")
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--runs", type=int)
    parser.add_argument("--frozen", type=int)
    parser.add_argument("--layers", type=int)
    parser.add_argument("--save", type=Path, help="where the weights go")
    parser.add_argument("--eagerness", type=float, default=EAGERNESS)
    options = parser.parse_args(arguments)
    recipe = RECIPE
    changed = {
        name: value
        for name in ("epochs", "runs", "frozen", "layers")
        if (value := getattr(options, name)) is not None
    }
    recipe = replace(recipe, **changed)
    cutter = WindowCutter(open_tokenizer(find_weights()))
    rows = {source: labelled_windows.rows_of(source) for source in labelled_windows.sources()}
    given = [row for source, own in rows.items() if source not in options.hold for row in own]
    if options.share < 1:
        chance = np.random.default_rng(recipe.seed)
        given = [
            given[place]
            for place in sorted(chance.permutation(len(given))[: int(options.share * len(given))])
        ]
    fitted = train(given, recipe, cutter)
    with TemporaryDirectory() as folder:
        path = options.save or Path(folder) / "reader-tried.safetensors"
        learnt = [source for source in rows if source not in options.hold]
        bounds = {"eagerness": options.eagerness, "unit": LEAST, "named": NAMED}
        finish(fitted, path, bounds, learnt)
        for source in options.hold:
            for eagerness in TRIED:
                shown = figures(rows[source], read(rows[source], SmallReader(FineTuned(path), eagerness)))
                told = json.dumps({name: round(value, 3) for name, value in shown.items()})
                print(source, eagerness, told, flush=True)


if __name__ == "__main__":
    main()
