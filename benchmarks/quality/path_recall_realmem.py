"""What recall by path finds of RealMem's gold conversations, beside hybrid recall at the same tokens.

    python -m benchmarks.quality.path_recall_realmem REALMEM VAULT              # all queries, by the embedder
    python -m benchmarks.quality.path_recall_realmem REALMEM VAULT --ask FILE    # requests without an answer
    python -m benchmarks.quality.path_recall_realmem REALMEM VAULT --keep FILE   # answers to them
    python -m benchmarks.quality.path_recall_realmem REALMEM VAULT --recorded    # the figures of MANY queries

REALMEM is the suite's folder, VAULT what `mnemic ingest` or `mnemic eval realmem --vault` made of some or all
of its people; each person whose account the vault has is asked about. `--ask` writes the engine's own
requests to a language model for MANY queries, evenly over those people: whoever answers sees them alone, no
gold. A later pick depends on the one before it, so it is asked in rounds until FILE is empty. `--keep` takes
a file of lines `{"request": ..., "paths": [...]}` into `data/recorded/realmem-picks.json`, by the hash of the
request: an answer to another request than today's is not used.

Notes are what `recall` prints of them, a line each with path and text, the most relevant first, cut where the
budget is full. Hybrid recall is counted twice: its package, and its notes as such lines. The list that is
picked from holds every path of the person, those of conversations after the query's date too; notes of those
never answer.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from chunking import estimate_tokens
from evals.ranking import asked, mean, share
from evals.realmem import Person, RealMemQuery, read_person
from inference import load_embedder
from inference.embedder import Embedder
from inference.language_model import ModelQuestion, Reply
from interfaces.path_recall import PathQuestion, nearest_paths, recalled_by_path
from retrieval import Options, Package, recall
from retrieval.by_path.drill import DrillMode, Picker
from retrieval.by_path.pickers import ModelPicks, PickAnswer
from schemas.base import sha256_text
from vault.index import Where
from vault.points import PointKind
from vault.reader import VaultReader, open_vault

PICKS = Path(__file__).resolve().parents[2] / "data" / "recorded" / "realmem-picks.json"
THREAD = PointKind.THREAD
BUDGETS = (400, 1000, 2000)
MANY = 60
NOTES = 200

Found = tuple[float, ...]
"""The share of a query's gold conversations that each budget holds."""


class PickNotRecorded(Exception):
    """A request has no answer, and what is asked next depends on it."""


class RecordedPicks:
    """A language model that answers from `PICKS`, and keeps what it has no answer to."""

    name = "recorded"

    def __init__(self, answers: dict[str, list[str]]) -> None:
        self._answers = answers
        self.unanswered: dict[str, str] = {}

    def complete(self, questions: Sequence[ModelQuestion[Any]]) -> list[Reply[Any]]:
        """See `inference.language_model.LanguageModel`."""
        return [self._reply(one) for one in questions]

    def _reply(self, question: ModelQuestion[Any]) -> Reply[Any]:
        request = request_id(question.prompt.text, question.text)
        if request not in self._answers:
            self.unanswered[request] = question.text
            raise PickNotRecorded
        return Reply(PickAnswer(paths=self._answers[request]))


def request_id(prompt: str, text: str) -> str:
    """What an answer is kept under."""
    return sha256_text(f"{prompt}\n\n{text}")[:16]


def people_of(reader: VaultReader, folder: Path) -> list[Person]:
    """The suite's people whose account the vault has."""
    people = [read_person(path) for path in sorted(folder.glob("*.zip"))]
    return [one for one in people if one.account in reader.generation.accounts]


def some_queries(person: Person, count: int) -> tuple[RealMemQuery, ...]:
    """So many of a person's queries, evenly over all."""
    return tuple(person.queries[place * len(person.queries) // count] for place in range(count))


def lines_within(lines: Sequence[tuple[str, str]], budget: int) -> set[str]:
    """The conversations of the first lines, (text, conversation), that fit into so many tokens together."""
    left, homes = budget, set[str]()
    for text, home in lines:
        left -= estimate_tokens(text)
        if left < 0:
            break
        homes.add(home)
    return homes


class Measure:
    """Asks one vault."""

    def __init__(self, reader: VaultReader, embedder: Embedder) -> None:
        self._reader, self._embedder = reader, embedder
        rows = reader.ledger.query("SELECT id, conversation_id FROM units")
        self._homes = {str(unit): str(home) for unit, home in rows}

    def by_path(self, person: Person, query: RealMemQuery, mode: DrillMode, picker: Picker) -> dict[str, Any]:
        """The drill's lines, and what it picked and was asked."""
        where = Where(person.account, before=query.before)
        question = PathQuestion(query.query, where, mode, NOTES)
        told = recalled_by_path(self._reader, question, picker, self._embedder)
        memories: Any = told["memories"]
        told["lines"] = [
            (f"{one['path']}: {one['content']}", self._homes[one["metadata"]["id"]]) for one in memories
        ]
        return told

    def hybrid(self, person: Person, query: RealMemQuery) -> tuple[list[set[str]], list[tuple[str, str]]]:
        """The conversations in recall's package of each budget, and its notes as lines."""
        question = asked(query.query, person.account, query.before)

        def package(budget: int, limit: int) -> Package:
            asks = replace(question, limit=limit, options=Options(budget=budget))
            return recall(asks, self._reader.index, self._embedder)

        packages = [
            {one.conversation_id for one in package(budget, question.limit).hits if one.kind is not THREAD}
            for budget in BUDGETS
        ]
        hits = package(50_000, NOTES).hits
        return packages, [
            (f"{hit.conversation_title}: {hit.text}", hit.conversation_id)
            for hit in hits
            if hit.kind is PointKind.UNIT
        ]

    def figures(
        self,
        queries: Sequence[tuple[Person, RealMemQuery]],
        modes: dict[str, Callable[[Person], tuple[DrillMode, Picker]]],
    ) -> dict[str, object]:
        """Shares of gold by way and budget, tokens read, and how many picks were empty or garbage."""
        shares: dict[str, list[Found]] = {}
        read, requests = dict[str, list[int]](), dict[str, list[int]]()
        calls, empty, fallbacks = Counter[str](), Counter[str](), Counter[str]()
        for person, query in queries:
            gold = frozenset(home for home, own in person.natives.items() if own in query.gold_conversations)
            packages, lines = self.hybrid(person, query)
            self._add(shares, "hybrid, package", gold, packages)
            self._add(shares, "hybrid, lines", gold, [lines_within(lines, budget) for budget in BUDGETS])
            for name, of in modes.items():
                told = self.by_path(person, query, *of(person))
                found: Any = told["metadata"]
                self._add(shares, name, gold, [lines_within(told["lines"], budget) for budget in BUDGETS])
                every = {home for _, home in told["lines"]}
                self._add(shares, f"{name}, all its notes", gold, [every] * len(BUDGETS))
                read.setdefault(name, []).append(sum(estimate_tokens(text) for text, _ in told["lines"]))
                prompts = found["llm_prompts"].values()
                requests.setdefault(name, []).append(sum(map(estimate_tokens, prompts)))
                calls[name] += len(prompts)
                empty[name] += not told["lines"]
                fallbacks[name] += bool(found["fallbacks"])
        return {
            "queries": len(queries),
            "budgets": BUDGETS,
            "share of gold conversations": {
                name: [mean([one[place] for one in rows]) for place in range(len(BUDGETS))]
                for name, rows in shares.items()
            },
            "tokens of all its notes, mean": {name: round(fmean(own)) for name, own in read.items()},
            "tokens of its requests, mean": {name: round(fmean(own)) for name, own in requests.items()},
            "calls": calls,
            "queries without a note": empty,
            "queries with a fallback": fallbacks,
        }

    @staticmethod
    def _add(
        shares: dict[str, list[Found]], name: str, gold: frozenset[str], homes: Sequence[set[str]]
    ) -> None:
        shares.setdefault(name, []).append(tuple(share(gold, one) for one in homes))

    def offline(self) -> dict[str, Callable[[Person], tuple[DrillMode, Picker]]]:
        """Both modes, picked by the embedder."""
        return {
            f"{mode.value}, embedder": lambda person, mode=mode: (  # type: ignore[misc]
                mode,
                nearest_paths(self._reader, person.account, self._embedder),
            )
            for mode in DrillMode
        }


def recorded_queries(people: Sequence[Person]) -> Iterator[tuple[Person, RealMemQuery]]:
    """The queries whose picks are recorded."""
    for person in people:
        yield from ((person, query) for query in some_queries(person, MANY // len(people)))


def answered_modes(
    measure: Measure, queries: Sequence[tuple[Person, RealMemQuery]], model: RecordedPicks
) -> Iterator[DrillMode]:
    """The modes all of whose requests have an answer."""
    for mode in DrillMode:
        with suppress(PickNotRecorded):
            for person, query in queries:
                measure.by_path(person, query, mode, ModelPicks(model))
            yield mode


def main() -> None:
    """Ask, keep the answers, or measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("vault", type=Path)
    parser.add_argument("--ask", type=Path)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--recorded", action="store_true")
    parser.add_argument("--mode", type=DrillMode, default=DrillMode.TIERED, help="of what --ask asks for")
    options = parser.parse_args()
    answers = json.loads(PICKS.read_text(encoding="utf-8")) if PICKS.exists() else {}
    if options.keep:
        for line in options.keep.read_text(encoding="utf-8").splitlines():
            said = json.loads(line)
            answers[said["request"]] = said["paths"]
        PICKS.write_text(json.dumps(answers, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"{len(answers)} answers in {PICKS.name}")
        return
    embedder = load_embedder()
    with open_vault(options.vault) as reader:
        measure, model = Measure(reader, embedder), RecordedPicks(answers)
        people = people_of(reader, options.folder)
        if options.ask:
            for person, query in recorded_queries(people):
                with suppress(PickNotRecorded):
                    measure.by_path(person, query, options.mode, ModelPicks(model))
            asks = [{"request": name, "text": text} for name, text in model.unanswered.items()]
            options.ask.write_text("".join(f"{json.dumps(one)}\n" for one in asks), encoding="utf-8")
            print(f"{len(asks)} requests in {options.ask}")
            return
        modes = measure.offline()
        queries = [(person, query) for person in people for query in person.queries]
        if options.recorded:
            queries = list(recorded_queries(people))
            for mode in answered_modes(measure, queries, model):
                modes[f"{mode.value}, recorded"] = lambda _, mode=mode: (mode, ModelPicks(model))  # type: ignore[misc]
        told = measure.figures(queries, modes)
        print(json.dumps({"people": [one.account for one in people], **told}, indent=2))


if __name__ == "__main__":
    main()
