"""Train the likeness of conversations: `python -m benchmarks.train.likeness_training [--precision 0.92]
[--save DIR]`.

`data/reading/threads.jsonl` holds one conversation a line: its archive (one person), and the thread that it
belongs to or null. Every figure printed is of archives that nothing was fitted on. The bound is the one with
the best recall among those whose pooled precision is as high as asked for; "nested" is what comes out where
each archive's bound was chosen by the others too. Shares are of pairs of conversations.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from benchmarks.train.vector_map import trained_turn
from evals.conversations import EvalConversation
from evals.threads import likened
from extract.threads.likeness import (
    FEATURES,
    TURN,
    WEIGHTS,
    Likeness,
    Matrix,
    Pairs,
    Talk,
    centred,
    features,
    log_odds,
)
from extract.threads.linking import FLOOR, LARGEST_SHARE, SMALL_THREAD, merged
from inference import load_embedder
from schemas.errors import InputError

DATA = Path("data/reading/threads.jsonl")
L2 = 10.0
"""Penalty on the squared weights of the standardised features: 5,200 pairs, most of them alike."""
BOUNDS = tuple(round(-3 + 0.05 * step, 2) for step in range(141))
PRECISIONS = (0.95, 0.92, 0.9, 0.85, 0.8, 0.75, 0.7)
PARTS = 3
"""Parts of the archives; each is turned by a map of the others."""
NEWTON_STEPS = 30
FIRST = 10
"""Conversations that an archive begins with, before one comes at a time."""
TOGETHER = 4
"""Archives put together as one account, to see what becomes of larger ones."""

Counts = NDArray[np.float64]
"""Pairs rightly called one thread, pairs called so, pairs that are."""


@dataclass(frozen=True, slots=True)
class PersonArchive:
    """One person's conversations, in the order of their ids."""

    talks: tuple[Talk, ...]
    vectors: Matrix
    threads: tuple[str, ...]
    """Beside them: the thread of each, or a name that no other has."""

    @property
    def same(self) -> NDArray[np.bool_]:
        """Which pairs are one thread."""
        names = np.array(self.threads)
        return np.asarray(names[:, None] == names[None], bool)

    @property
    def pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Places of all pairs."""
        first, second = np.triu_indices(len(self.talks), 1)
        return first, second

    def values(self, turn: Matrix) -> Matrix:
        """(pairs, features)."""
        blocks = [block for _, block in features(self.talks, self.vectors, turn)]
        return np.concatenate(blocks)[self.pairs]


@dataclass(frozen=True, slots=True)
class LikenessData:
    """What `likeness` needs."""

    model: Likeness
    turn: Matrix


def archive_of(talks: Sequence[Talk], vectors: Matrix, threads: Sequence[str]) -> PersonArchive:
    """An archive in the order of its conversations' ids."""
    order = sorted(range(len(talks)), key=lambda place: talks[place].id)
    own = tuple(talks[place] for place in order)
    return PersonArchive(own, vectors[order], tuple(threads[place] for place in order))


def read_archives(path: Path) -> list[PersonArchive]:
    """The archives of a file, embedded as `mnemic eval threads` embeds them."""
    embedder = load_embedder()
    rows: dict[str, list[dict[str, Any]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        rows.setdefault(row["archive"], []).append(row)
    found = []
    for name, own in rows.items():
        talks, vectors = likened([_conversation(row) for row in own], embedder)
        threads = [f"{name} {row['thread'] or row['id']}" for row in own]
        found.append(archive_of(talks, vectors, threads))
    return found


def _conversation(row: dict[str, Any]) -> EvalConversation:
    messages = [
        {"id": f"{row['id']}.{place}", "created_at": None, **message}
        for place, message in enumerate(row["messages"])
    ]
    dated = {"id": row["id"], "title": row["title"], "created_at": f"{row['date']}T00:00:00Z"}
    return EvalConversation.model_validate({**dated, "messages": messages})


def fit(archives: Sequence[PersonArchive]) -> LikenessData:
    """The map of vectors and the regression, from all pairs of the archives.

    The regression sees each archive as turned by a map that was trained without it: by its own map an
    archive's threads would look plainer than any new one's.
    """
    values: dict[int, Matrix] = {}
    for part in range(PARTS):
        others = [one for place, one in enumerate(archives) if place % PARTS != part]
        turn = turned_for(others)
        values |= {place: archives[place].values(turn) for place in range(part, len(archives), PARTS)}
    return LikenessData(
        regression(archives, [values[place] for place in range(len(archives))]), turned_for(archives)
    )


def turned_for(archives: Sequence[PersonArchive]) -> Matrix:
    """The map trained on some archives, as precise as it is stored."""
    turn = trained_turn([(centred(one.vectors).astype(np.float64), one.same) for one in archives])
    return turn.astype(np.float16).astype(np.float32)


def regression(archives: Sequence[PersonArchive], by_archive: Sequence[Matrix]) -> Likeness:
    """A logistic regression on the pairs' features, by Newton's method; its bound is 0.

    The archives are of about one size, so nothing is learned of larger ones: see `likeness.log_odds`.
    """
    values = np.concatenate(by_archive).astype(np.float64)
    same = np.concatenate([one.same[one.pairs] for one in archives]).astype(np.float64)
    usual = float(np.mean([len(one.talks) for one in archives]))
    means, spreads = values.mean(axis=0), values.std(axis=0)
    known = np.column_stack([np.ones(len(values)), (values - means) / spreads])
    penalty = np.full(known.shape[1], L2)
    penalty[0] = 0
    weights = np.zeros(known.shape[1])
    for _ in range(NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-(known @ weights)))
        slope = known.T @ (chance - same) + penalty * weights
        curve = (known * (chance * (1 - chance))[:, None]).T @ known + np.diag(penalty)
        weights -= np.linalg.solve(curve, slope)
    rounded = [round(float(one), 5) for one in weights]
    return Likeness(
        features=FEATURES,
        means=tuple(round(float(one), 5) for one in means),
        spreads=tuple(round(float(one), 5) for one in spreads),
        weights=tuple(rounded[1:]),
        intercept=rounded[0],
        conversations=round(usual, 2),
        bound=0.0,
    )


def scores(fitted: LikenessData, archive: PersonArchive) -> Counts:
    """(bounds, 3): what the threads found at each bound are worth."""
    first, second = archive.pairs
    same = archive.same
    wanted = int(same[first, second].sum())
    found = []
    for groups in grouped(fitted, archive, BOUNDS):
        called = [pair for group in groups for pair in combinations(group, 2)]
        found.append((sum(bool(same[pair]) for pair in called), len(called), wanted))
    return np.array(found, np.float64)


def grouped(fitted: LikenessData, archive: PersonArchive, bounds: Sequence[float]) -> list[list[list[int]]]:
    """The archive's threads at each bound."""
    first, second = archive.pairs
    number = len(archive.talks)
    odds = log_odds(archive.values(fitted.turn), number, fitted.model)
    above = odds > FLOOR
    pairs = Pairs(first[above], second[above], odds[above])
    most = max(SMALL_THREAD, number // LARGEST_SHARE)
    return [merged(number, pairs, bound, most) for bound in bounds]


def best_bound(counts: Counts, precision: float) -> int | None:
    """The place of the bound with the best recall among those that are so precise, of (bounds, 3) counts."""
    called = counts[:, 1]
    fine = np.flatnonzero((called > 0) & (counts[:, 0] >= precision * called))
    return int(fine[np.argmax(counts[fine, 0])]) if len(fine) else None


def told(counts: Counts) -> str:
    """Precision, recall and F1 of counts."""
    right, called, wanted = counts.tolist()
    precision, recall = right / called if called else 1.0, right / wanted
    return f"precision {precision:.3f} recall {recall:.3f} F1 {2 * right / (called + wanted):.3f}"


def mean_told(counts: Iterable[Counts]) -> str:
    """The same as means over archives."""
    rows = [(c[0] / c[1] if c[1] else 1.0, c[0] / c[2], 2 * c[0] / (c[1] + c[2])) for c in counts]
    return "precision {:.3f} recall {:.3f} F1 {:.3f}".format(*np.mean(rows, axis=0))


def held_out(archives: Sequence[PersonArchive]) -> Counts:
    """(archives, bounds, 3), each archive scored by a model of the others."""
    return np.stack([scores(fit([one for one in archives if one is not held]), held) for held in archives])


def put_together(archives: Sequence[PersonArchive], place: int) -> Counts:
    """Archives as one account, a few at a time, scored by a model of the others at one bound."""
    total = np.zeros(3)
    for start in range(0, len(archives), TOGETHER):
        some = archives[start : start + TOGETHER]
        account = archive_of(
            [talk for one in some for talk in one.talks],
            np.concatenate([one.vectors for one in some]),
            [thread for one in some for thread in one.threads],
        )
        total += scores(fit([one for one in archives if one not in some]), account)[place]
    return total


def nights(fitted: LikenessData, archives: Sequence[PersonArchive], bound: float) -> tuple[int, int, int]:
    """Archives imported one conversation at a time: (conversations after the tenth, threads that they join or
    found, other threads that change)."""
    come = joined = other = 0
    for archive in archives:
        by_time = sorted(range(len(archive.talks)), key=lambda place: str(archive.talks[place].began))
        before: set[frozenset[str]] = set()
        for number in range(FIRST, len(by_time) + 1):
            places = by_time[:number]
            part = archive_of(
                [archive.talks[place] for place in places],
                archive.vectors[places],
                [archive.threads[place] for place in places],
            )
            (groups,) = grouped(fitted, part, [bound])
            now = {frozenset(part.talks[place].id for place in group) for group in groups}
            if number > FIRST:
                new = archive.talks[by_time[number - 1]].id
                changed = now - before
                mine = [group for group in changed if new in group]
                lost = [group for group in before if not any(group & one for one in now)]
                come, joined = come + 1, joined + len(mine)
                other += len(changed) - len(mine) + len(lost)
            before = now
    return come, joined, other


def main() -> None:
    """Print the figures of archives held out, and write the model of all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--precision", type=float, default=0.92)
    parser.add_argument("--save", type=Path, default=Path("extract"), help="the folder to write to")
    options = parser.parse_args()
    archives = read_archives(DATA)
    counts = held_out(archives)
    pooled = counts.sum(axis=0)
    for precision in PRECISIONS:
        place = best_bound(pooled, precision)
        if place is not None:
            print(f"precision >= {precision}: bound {BOUNDS[place]:.2f}, {told(pooled[place])}")
    chosen = best_bound(pooled, options.precision)
    if chosen is None:
        raise InputError(
            "no bound is so precise",
            why=f"precision {options.precision}",
            remedy="Ask for a lower --precision",
        )
    nested = np.zeros(3)
    for held, own in enumerate(counts):
        place = best_bound(np.delete(counts, held, axis=0).sum(axis=0), options.precision)
        nested += own[place] if place is not None else [0, 0, own[0, 2]]
    print(f"\nbound {BOUNDS[chosen]:.2f}, {len(archives)} archives, {int(pooled[0, 2])} pairs of one thread")
    print(f"pooled:   {told(pooled[chosen])}")
    print(f"mean:     {mean_told(counts[:, chosen])}")
    print(f"nested:   {told(nested)}")
    print(f"{TOGETHER} at once: {told(put_together(archives, chosen))}")
    fitted = fit(archives)
    model = fitted.model.model_copy(update={"bound": BOUNDS[chosen]})
    print(
        "night by night: {} conversations, {} joined, {} other threads changed".format(
            *nights(fitted, archives, BOUNDS[chosen])
        )
    )
    (options.save / WEIGHTS).write_text(model.model_dump_json(indent=1) + "\n", encoding="utf-8")
    (options.save / TURN).write_bytes(save({"turn": fitted.turn.astype(np.float16)}))
    print(dict(zip(model.features, model.weights, strict=True)), f"-> {options.save}")


if __name__ == "__main__":
    main()
