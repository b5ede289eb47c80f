"""Deep search over time: how often recall looks further, and what its packages hold, as it learns.

    python -m benchmarks.quality.deep_search_learning REALMEM VAULT [--threshold .3] [--svg FILE]

REALMEM is the suite's folder, VAULT what `mnemic eval realmem` ingested of it. Each person's questions are
asked in the order of their dates, packages of 2,000 tokens. Whoever compares is told by the suite which
conversations are gold: an upper bound of any judge, so that what is simulated is the learning alone. Three
recalls stand side by side: never looking further; looking further below the threshold; the same with
thresholds by kind of question and the scorer taught anew after every TAUGHT_EVERY questions, both from this
person's own log alone.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from evals.ranking import asked
from evals.realmem import Person, RealMemQuery, read_person
from inference import load_embedder
from inference.embedder import Embedder
from retrieval import Package, Question, recall
from retrieval.deep.comparison import Compared
from retrieval.deep.escalation import Allowance, DeepSearch
from retrieval.deep.expansion import Neighbour
from retrieval.deep.learning import fitted, kind_of, logged, threshold_of
from retrieval.question import EQUAL, Weights
from vault.deep_log import DeepLog
from vault.layout import VaultLayout
from vault.name_graph import NameGraph
from vault.reader import VaultReader, open_vault

TAUGHT_EVERY, LEAST_LESSONS, WINDOWS = 20, 10, 5


@dataclass
class Course:
    """What one way of recalling came to, question by question."""

    looked: list[bool] = field(default_factory=list)
    found: list[float] = field(default_factory=list)
    """Share of the gold conversations that the package holds."""

    def add(self, package: Package, gold: frozenset[str]) -> None:
        """One more question."""
        self.looked.append(package.deep is not None)
        self.found.append(len(gold & {hit.conversation_id for hit in package.hits}) / max(len(gold), 1))


def by_gold(gold: frozenset[str]) -> Callable[[str, Sequence[Neighbour]], Compared]:
    """A comparison that knows."""

    def compare(_: str, pool: Sequence[Neighbour]) -> Compared:
        told = {one.candidate.id: float(one.candidate.payload.conversation_id in gold) for one in pool}
        return Compared(told, by="gold")

    return compare


def simulated(
    reader: VaultReader, person: Person, embedder: Embedder, threshold: float, folder: Path
) -> dict[str, Course]:
    """The three courses over one person's questions."""
    names, log = NameGraph(reader.ledger), DeepLog(VaultLayout(folder))
    courses = {name: Course() for name in ("never", "below", "learning")}
    weights: Weights = EQUAL
    for place, query in enumerate(sorted(person.queries, key=_when)):
        gold = frozenset(home for home, own in person.natives.items() if own in query.gold_conversations)
        question: Question = asked(query.query, person.account, query.before)
        deep = DeepSearch(
            threshold=threshold, compare=by_gold(gold), allowance=Allowance(1), names=lambda: names
        )
        courses["never"].add(recall(question, reader.index, embedder), gold)
        courses["below"].add(recall(replace(question, deep=deep), reader.index, embedder), gold)
        own = threshold_of(log.searches(), kind_of(query.query), threshold)
        deep = replace(deep, threshold=own, allowance=Allowance(1), listener=logged(log))
        asks = replace(question, deep=deep, weights=weights)
        courses["learning"].add(recall(asks, reader.index, embedder), gold)
        lessons = log.lessons()
        if place % TAUGHT_EVERY == TAUGHT_EVERY - 1 and len(lessons) >= LEAST_LESSONS:
            weights = fitted(lessons)
    print(person.account, json.dumps({name: _mean(one.found) for name, one in courses.items()}), weights)
    return courses


def _when(query: RealMemQuery) -> tuple[str, str]:
    return (str(query.before), query.id)


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 3) if values else 0.0


def windows(courses: Sequence[Course], what: str) -> list[float]:
    """The mean over each fifth of every person's questions, in order."""
    told = [list[float]() for _ in range(WINDOWS)]
    for course in courses:
        values = [float(one) for one in getattr(course, what)]
        for place, value in enumerate(values):
            told[place * WINDOWS // len(values)].append(value)
    return [_mean(one) for one in told]


def as_svg(rows: dict[str, list[float]]) -> str:
    """Lines over the fifths, 0 to 1, with their names."""
    colours = ("#888", "#b25", "#27a", "#b25", "#27a")
    box = 'viewBox="0 0 640 320" font-family="sans-serif" font-size="12"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {box}>']
    for level in range(0, 11, 2):
        y = 280 - 25 * level
        parts.append(f'<line x1="50" x2="420" y1="{y}" y2="{y}" stroke="#ddd"/>')
        parts.append(f'<text x="44" y="{y + 4}" text-anchor="end">{level / 10:.1f}</text>')
    for number in range(WINDOWS):
        parts.append(f'<text x="{60 + 90 * number}" y="300" text-anchor="middle">fifth {number + 1}</text>')
    for (name, values), colour in zip(rows.items(), colours, strict=False):
        dashes = ' stroke-dasharray="6 4"' if "looks" in name else ""
        points = " ".join(f"{60 + 90 * x},{280 - 250 * value:.1f}" for x, value in enumerate(values))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        parts.append(f'<text x="430" y="{284 - 250 * values[-1]:.1f}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> None:
    """Simulate, print, draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("vault", type=Path)
    parser.add_argument("--threshold", type=float, default=0.3)
    parser.add_argument("--svg", type=Path)
    options = parser.parse_args()
    embedder, every = load_embedder(), list[dict[str, Course]]()
    with open_vault(options.vault) as reader:
        for path in sorted(options.folder.glob("*.zip")):
            with TemporaryDirectory() as folder:
                every.append(simulated(reader, read_person(path), embedder, options.threshold, Path(folder)))
    rows = {
        "found, never looking": windows([one["never"] for one in every], "found"),
        "found, looking below": windows([one["below"] for one in every], "found"),
        "found, learning": windows([one["learning"] for one in every], "found"),
        "looks, below": windows([one["below"] for one in every], "looked"),
        "looks, learning": windows([one["learning"] for one in every], "looked"),
    }
    print(json.dumps(rows, indent=1))
    if options.svg:
        options.svg.write_text(as_svg(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
