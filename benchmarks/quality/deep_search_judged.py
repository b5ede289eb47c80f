"""What a deep search brings back of what recall missed, where a strong language model reads the pool.

    python -m benchmarks.quality.deep_search_judged REALMEM VAULT --ask FOLDER   # the requests, as files
    python -m benchmarks.quality.deep_search_judged REALMEM VAULT --keep FOLDER  # the answers beside them
    python -m benchmarks.quality.deep_search_judged REALMEM VAULT                # the figures

REALMEM is the suite's folder, VAULT what `mnemic eval realmem` ingested of it. Of every third query those are
taken whose package of 2,000 tokens (made without abstention) lacks a gold conversation, MANY of them, evenly
over the people. `--ask` writes the engine's own request of each; whoever answers sees that alone, no gold.
`--keep` puts the answers into `data/recorded/deep-search.json`, each with the hash of its request: an answer
to another request than today's is not used, and counted.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.ranking import asked
from evals.realmem import Person, RealMemQuery, read_person
from inference import load_embedder
from inference.embedder import Embedder
from retrieval.deep.comparison import PROMPT, Compared, asked_of_model, read_answer
from retrieval.deep.expansion import Neighbour, pool_of
from retrieval.deep.merging import blended, steps_after
from retrieval.deep.offline_judge import compared_offline
from retrieval.funnel import FUNNEL, package_of
from retrieval.package import Package
from retrieval.question import Question
from retrieval.search.hybrid import Candidate, gather
from schemas.base import sha256_text
from vault.name_graph import NameGraph
from vault.reader import VaultReader, open_vault

ANSWERS = Path(__file__).resolve().parents[2] / "data" / "recorded" / "deep-search.json"
EVERY, MANY = 3, 40


@dataclass(frozen=True, slots=True)
class Missed:
    """A query whose package lacks a gold conversation."""

    id: str
    question: Question
    gold: frozenset[str]
    candidates: Sequence[Candidate]
    pool: Sequence[Neighbour]
    without: frozenset[str]
    """Gold conversations that recall's package lacks."""

    @property
    def request(self) -> tuple[str, int]:
        """The engine's own question to a model, and how many notes of the pool it holds."""
        question, read, _ = asked_of_model(self.question.text, self.pool)
        return f"{PROMPT.text}\n\n{question.text}", read


def missed_queries(reader: VaultReader, folder: Path, embedder: Embedder) -> Iterator[Missed]:
    """Of every third query of each person those that miss something, as many of each person as of another."""
    names, people = NameGraph(reader.ledger), sorted(folder.glob("*.zip"))
    for path in people:
        person, taken = read_person(path), 0
        for query in person.queries[::EVERY]:
            one = _missed(reader, person, query, embedder, names)
            if one.without:
                yield one
                taken += 1
            if taken == MANY // len(people):
                break


def _missed(
    reader: VaultReader, person: Person, query: RealMemQuery, embedder: Embedder, names: NameGraph
) -> Missed:
    question = asked(query.query, person.account, query.before)
    gold = frozenset(home for home, own in person.natives.items() if own in query.gold_conversations)
    candidates = gather(question, reader.index, embedder)
    pool = pool_of(question, candidates, reader.index, embedder, names)
    primary = package_of(question, candidates, abstains=False)
    return Missed(query.id, question, gold, candidates, pool, gold - _homes(primary))


def _homes(package: Package) -> frozenset[str]:
    return frozenset(hit.conversation_id for hit in package.hits if hit.conversation_id)


def merged(one: Missed, compared: Compared) -> Package:
    """The package after a deep search with this comparison."""
    return package_of(
        one.question,
        blended(one.candidates, one.pool, compared),
        steps=steps_after(FUNNEL, compared),
        abstains=False,
    )


def measured(reader: VaultReader, folder: Path, embedder: Embedder) -> dict[str, object]:
    """The figures over the queries whose request was answered."""
    if not ANSWERS.exists():
        raise SystemExit(f"no answers are recorded yet in {ANSWERS.name}: see --ask and --keep")
    answers: dict[str, dict[str, str]] = json.loads(ANSWERS.read_text(encoding="utf-8"))
    told = dict.fromkeys(
        ("queries", "other requests", "gold", "missed", "in the pool", "recovered offline",
         "recovered by the model", "lost by the model"), 0
    )  # fmt: skip
    for one in missed_queries(reader, folder, embedder):
        request, read = one.request
        known = answers.get(one.id)
        if known is None or known["request"] != sha256_text(request):
            told["other requests"] += 1
            continue
        said = read_answer(known["answer"], one.pool[:read])
        assert said is not None, f"{one.id}: no line with a score"
        judged = Compared(said.scores, said.reasons, said.contradictions, by="recorded")
        offline, model = (
            _homes(merged(one, compared_offline(one.question.text, one.pool))),
            _homes(merged(one, judged)),
        )
        told["queries"] += 1
        told["gold"] += len(one.gold)
        told["missed"] += len(one.without)
        told["in the pool"] += len(one.without & {x.candidate.payload.conversation_id for x in one.pool})
        told["recovered offline"] += len(one.without & offline)
        told["recovered by the model"] += len(one.without & model)
        told["lost by the model"] += len(one.gold - one.without - model)
    return {**told, "recovered share": round(told["recovered by the model"] / max(told["missed"], 1), 3)}


def main() -> None:
    """Ask, keep the answers, or measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("vault", type=Path)
    parser.add_argument("--ask", type=Path)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    if options.keep:
        kept = {
            path.stem: {
                "request": sha256_text(path.read_text(encoding="utf-8")),
                "answer": path.with_suffix(".answer").read_text(encoding="utf-8"),
            }
            for path in sorted(options.keep.glob("*.txt"))
            if path.with_suffix(".answer").exists()
        }
        ANSWERS.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"{len(kept)} answers in {ANSWERS.name}")
        return
    embedder = load_embedder()
    with open_vault(options.vault) as reader:
        if options.ask:
            options.ask.mkdir(parents=True, exist_ok=True)
            for one in missed_queries(reader, options.folder, embedder):
                (options.ask / f"{one.id}.txt").write_text(one.request[0], encoding="utf-8")
        else:
            print(json.dumps(measured(reader, options.folder, embedder), indent=2))


if __name__ == "__main__":
    main()
