"""Train the judge of relevance: `python -m benchmarks.train.judge_of_relevance [--epochs N] [--save PATH]`.

`data/reading/askings.jsonl` has what people would ask of their old talk, or say in going on with it, and
which messages hold the answer. Each asking is shown one of these beside messages that do not: most of them
those that vectors and words think nearest in all talk, some of the same conversation. `askings-held.jsonl`,
of other talk, is never taught, though messages of that talk stand among the wrong answers to others: the
figures printed are of it, each asking's CANDIDATES nearest messages in order.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from benchmarks.train.fitting import Batch, Encoder, Fitted, Recipe, first_and_mean, fit, head, padded
from benchmarks.train.labelled_windows import DATA
from benchmarks.train.reader_training import write
from inference import load_embedder
from inference.minilm import open_tokenizer
from inference.minilm_graph import WIDTH
from inference.weights import find_weights
from retrieval.rank.relevance_judge import FITS, PAIR_TOKENS, pair_ids, tokens_of
from retrieval.rank.reranking import below_title, dealt_anew

TAUGHT, HELD = "askings", "askings-held"

GROUP = 8
"""Messages that an asking is shown: one that answers, and seven that do not."""
NEAREST, NEXT, BESIDE = 4, 1, 2
"""Of the seven: of the first half of the nearest, of the second half, of the same conversation; where that
has fewer, of the first half again. One that is drawn both ways counts twice."""
CANDIDATES = 48

RECIPE = Recipe(epochs=5, averaged=2, rate=1e-4, group=GROUP, batch_tokens=GROUP * PAIR_TOKENS * 16, seed=22)
"""Sixteen askings a step where a message is long."""

_WORDS_COUNT = 0.35
"""Of BM25, its best one being 1, beside the cosine: what the candidates are sought by."""

_WORD = re.compile(r"\w+")

_SIDES = {FITS: (2 * WIDTH, 1)}

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class AnsweredAsking:
    """What is said, and messages by their places among all."""

    text: str
    answers: tuple[int, ...]
    candidates: NDArray[np.int64]
    """The CANDIDATES nearest messages, the nearest first, those that answer among them."""
    nearness: NDArray[np.float64]
    nearest: tuple[int, ...]
    """Those of the candidates that do not answer."""
    beside: tuple[int, ...]
    """Messages of the same conversation that do not."""


class AllTalk:
    """All messages that askings are about, and those whom vectors and words think nearest to a text."""

    def __init__(self) -> None:
        self.texts = list[str]()
        self.homes = dict[tuple[str, str], list[int]]()
        for source in sorted({row["source"] for name in (TAUGHT, HELD) for row in rows_of(name)}):
            for row in sorted(rows_of(source), key=lambda row: row.get("date") or ""):
                home = self.homes.setdefault((source, row.get("archive") or row["id"]), [])
                for message in row["messages"]:
                    home.append(len(self.texts))
                    self.texts.append(below_title(row.get("title"), message["text"]))
        self._vectors = load_embedder().embed(self.texts)
        self._counts = [Counter(_WORD.findall(text.lower())) for text in self.texts]
        self._having = Counter(word for own in self._counts for word in own)
        self._lengths = np.array([sum(own.values()) for own in self._counts])

    @cached_property
    def _postings(self) -> dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """Of each word the messages that have it, and what it counts in each (BM25)."""
        found = dict[str, list[tuple[int, float]]]()
        usual = self._lengths.mean()
        for place, own in enumerate(self._counts):
            for word, times in own.items():
                rare = np.log1p((len(self.texts) - self._having[word] + 0.5) / (self._having[word] + 0.5))
                full = times * 2.2 / (times + 1.2 * (0.25 + 0.75 * self._lengths[place] / usual))
                found.setdefault(word, []).append((place, rare * full))
        return {
            word: (np.array([place for place, _ in own]), np.array([worth for _, worth in own]))
            for word, own in found.items()
        }

    def near(self, asked: Sequence[str]) -> list[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """Of each text its CANDIDATES nearest messages, and how near they are."""
        found = []
        for text, vector in zip(asked, load_embedder().embed(asked), strict=True):
            worth = np.zeros(len(self.texts))
            for word in set(_WORD.findall(text.lower())):
                if word in self._postings:
                    places, own = self._postings[word]
                    worth[places] += own
            worth = self._vectors @ vector + _WORDS_COUNT * worth / (worth.max() or 1.0)
            first = np.argsort(-worth, kind="stable")[:CANDIDATES]
            found.append((first, worth[first]))
        return found


def rows_of(source: str) -> list[Row]:
    """The lines of one file."""
    return [json.loads(line) for line in (DATA / f"{source}.jsonl").read_text("utf-8").splitlines()]


def askings_of(name: str, talk: AllTalk) -> list[AnsweredAsking]:
    """The askings of a file."""
    rows, made = rows_of(name), []
    for row, (first, worth) in zip(rows, talk.near([row["asking"] for row in rows]), strict=True):
        home = talk.homes[row["source"], row["id"]]
        answers, helps = ([home[place] for place in row[part]] for part in ("answers", "helps"))
        holding = {*answers, *helps}
        made.append(
            AnsweredAsking(
                row["asking"],
                tuple(answers),
                first,
                worth,
                tuple(place for place in first.tolist() if place not in holding),
                tuple(place for place in home if place not in holding),
            )
        )
    return made


def loss(heads: dict[str, Any], states: jax.Array, batch: Mapping[str, jax.Array]) -> jax.Array:
    """That the answer is the first of its group, and of each message by itself whether it answers, so that a
    score means something without others."""
    scores = head(heads, FITS, first_and_mean(states, batch["mask"]))[:, 0]
    known = batch["answers"] >= 0
    right = jnp.where(known, batch["answers"], 0)
    each = (jax.nn.softplus(scores) - right * scores) * known
    first = jax.nn.log_softmax(scores.reshape(-1, GROUP))[:, 0] * known.reshape(-1, GROUP)[:, 0]
    return each.sum() / known.sum() - first.sum() * GROUP / known.sum()


def train(askings: Sequence[AnsweredAsking], talk: AllTalk, recipe: Recipe) -> Fitted:
    """A judge of these askings."""
    tokenizer = open_tokenizer(find_weights())
    chance = np.random.default_rng(recipe.seed)
    asked = [tokens_of(tokenizer, one.text) for one in askings]
    told = [tokens_of(tokenizer, text) for text in talk.texts]

    def shown(asking: AnsweredAsking) -> list[int]:
        near, half = asking.nearest, CANDIDATES // 2
        wrong = [*_some(chance, near[:half], NEAREST), *_some(chance, near[half:], NEXT)]
        wrong += _some(chance, asking.beside, BESIDE)
        wrong += [int(one) for one in chance.choice(near[:half], GROUP - 1 - len(wrong), replace=False)]
        return [int(chance.choice(asking.answers)), *wrong]

    def batch(members: Sequence[int]) -> Batch:
        filled, mask = padded(
            [pair_ids(asked[one], told[place]) for one in members for place in shown(askings[one])],
            recipe.padding,
        )
        width = -(-max(lengths[one] for one in members) // recipe.padding) * recipe.padding
        room = [(0, 0), (0, width - filled.shape[1])]
        answers = np.tile(np.arange(GROUP) == 0, len(members)).astype(np.int32)
        return {"ids": np.pad(filled, room), "mask": np.pad(mask, room), "answers": answers}

    lengths = [
        max(len(pair_ids(own, told[place])) for place in (*one.answers, *one.nearest, *one.beside))
        for own, one in zip(asked, askings, strict=True)
    ]
    print(f"{len(askings)} askings of {len(talk.texts)} messages", flush=True)
    begun = time.monotonic()
    return fit(
        lengths, batch, _SIDES, loss, recipe,
        lambda line: print(f"  {line}  {time.monotonic() - begun:.0f} s", flush=True),
    )  # fmt: skip


def _some(chance: np.random.Generator, places: Sequence[int], count: int) -> list[int]:
    return [int(one) for one in chance.choice(places, min(count, len(places)), replace=False)]


def scored(pairs: Sequence[tuple[str, str]], fitted: Fitted) -> NDArray[np.float64]:
    """Of each question and text what `RelevanceJudge.scores` says of it."""
    tokenizer = open_tokenizer(find_weights())
    tokens = {text: tokens_of(tokenizer, text) for pair in pairs for text in pair}
    states = Encoder(fitted).states([pair_ids(tokens[query], tokens[text]) for query, text in pairs])
    pooled = np.stack([np.concatenate([one[0], one.mean(axis=0)]) for one in states])
    return np.asarray(head(fitted.heads, FITS, pooled)[:, 0], np.float64)


def shown_orders(askings: Sequence[AnsweredAsking], talk: AllTalk, fitted: Fitted) -> None:
    """Print how the candidates' orders find the answers: their own, the judge's, and both at some weights."""
    pairs = [(one.text, talk.texts[place]) for one in askings for place in one.candidates]
    read = scored(pairs, fitted).reshape(len(askings), CANDIDATES)
    for weight in (0.0, 0.5, 1.0, 1.5, 2.0, 4.0):
        sums = np.zeros(4)
        for one, own in zip(askings, read, strict=True):
            dealt = np.array(dealt_anew(one.nearness.tolist(), own.tolist(), weight))
            ranked = one.candidates[np.argsort(-dealt, kind="stable")].tolist()
            gold = set(one.answers)
            places = [place for place, note in enumerate(ranked) if note in gold]
            sums += [
                *(sum(place < most for place in places) / len(gold) for most in (1, 5, 10)),
                1 / (places[0] + 1) if places else 0.0,
            ]
        shares = dict(
            zip(("R@1", "R@5", "R@10", "MRR"), (sums / len(askings)).round(3).tolist(), strict=True)
        )
        print(json.dumps({"judge counts": weight, "askings": len(askings), **shares}), flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--epochs", type=int, default=RECIPE.epochs)
    parser.add_argument("--runs", type=int, default=RECIPE.runs)
    parser.add_argument("--save", type=Path)
    options = parser.parse_args(arguments)
    talk = AllTalk()
    recipe = replace(RECIPE, epochs=options.epochs, runs=options.runs)
    fitted = train(askings_of(TAUGHT, talk), talk, recipe)
    shown_orders(askings_of(HELD, talk), talk, fitted)
    if options.save:
        made_of = sorted({row["source"] for row in rows_of(TAUGHT)})
        write(fitted, options.save, {}, [TAUGHT, *made_of])


if __name__ == "__main__":
    main()
