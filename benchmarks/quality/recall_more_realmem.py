"""What one call of `recall_more` adds: gold conversations of RealMem found before and after a further need.

    python -m benchmarks.quality.recall_more_realmem FOLDER VAULT             # the figures
    python -m benchmarks.quality.recall_more_realmem FOLDER VAULT --show      # the first packages

FOLDER holds the RealMem suite, VAULT what `mnemic eval realmem FOLDER --vault VAULT` ingested. Every
seventeenth query is asked in a session of its own with a package of BUDGET tokens; then the recorded need
(`data/recorded/realmem-needs.json`: written by a language model that saw the query and this first package,
and no gold) is asked for, with as much again. Beside it: one recall with twice the budget. Use a copy of the
vault: sessions are stored in it. The first query is left out: its gold had been seen.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from itertools import islice
from pathlib import Path

from evals.ranking import asked
from evals.realmem import Person, RealMemQuery, read_person
from inference import load_embedder
from inference.embedder import Embedder
from retrieval import Options, Question, recall
from retrieval.package import Package
from retrieval.supplement import RecallSession
from vault.reader import VaultReader, open_vault
from vault.sessions import Sessions

NEEDS = Path(__file__).resolve().parents[2] / "data" / "recorded" / "realmem-needs.json"
EVERY, MANY, BUDGET = 17, 40, 400


def queries(folder: Path) -> list[tuple[Person, RealMemQuery]]:
    """Every seventeenth query of all people in the folder, in the order of their names."""
    people = [read_person(path) for path in sorted(folder.glob("*.zip"))]
    every = [(person, query) for person in people for query in person.queries]
    return list(islice(every, 0, None, EVERY))[1 : MANY + 1]


def question_of(person: Person, text: str, query: RealMemQuery, budget: int) -> Question:
    """The text asked as of the query's moment."""
    return replace(asked(text, person.account, query.before), options=Options(budget=budget))


def gold_in(package: Package, person: Person, query: RealMemQuery) -> set[str]:
    """The gold conversations of which something is in the package."""
    natives = person.natives
    cited = {natives.get(one) for hit in package.hits if (one := hit.conversation_id)}
    return set(query.gold_conversations) & {one for one in cited if one}


def measured(reader: VaultReader, folder: Path, embedder: Embedder) -> dict[str, object]:
    """The figures over all recorded needs."""
    needs: dict[str, str] = json.loads(NEEDS.read_text(encoding="utf-8"))
    sessions = Sessions(reader.layout)
    gold = before = after = double = answered = 0
    improved: list[str] = []
    for person, query in queries(folder):
        if not (need := needs.get(query.id)):
            continue
        name = f"measured-{query.id}"
        if sessions.named(person.account, name):
            sessions.end(person.account, name)
        first = recall(
            question_of(person, query.query, query, BUDGET),
            reader.index,
            embedder,
            RecallSession(sessions, name),
        )
        more = recall(
            question_of(person, need, query, BUDGET),
            reader.index,
            embedder,
            RecallSession(sessions, name, going_on=True),
        )
        whole = recall(question_of(person, query.query, query, 2 * BUDGET), reader.index, embedder)
        had, has = gold_in(first, person, query), gold_in(more, person, query)
        shared = {hit.id for hit in first.hits if not hit.cut} & {hit.id for hit in more.hits}
        assert not shared, f"{query.id}: {shared} was handed over twice"
        gold += len(query.gold_conversations)
        before += len(had)
        after += len(had | has)
        double += len(gold_in(whole, person, query))
        answered += bool(more.hits)
        improved += [query.id] * (len(had | has) > len(had))
    return {
        "queries": len(queries(folder)), "needs": len(needs), "gold conversations": gold,
        "found by the first call": before, "found after one more call": after,
        "found by one call of twice the budget": double, "calls for more that gave anything": answered,
        "queries that gained": len(improved),
    }  # fmt: skip


def main() -> None:
    """Show the packages, or measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("vault", type=Path)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    embedder = load_embedder()
    with open_vault(options.vault) as reader:
        if not options.show:
            print(json.dumps(measured(reader, options.folder, embedder), indent=2))
            return
        for person, query in queries(options.folder):
            package = recall(question_of(person, query.query, query, BUDGET), reader.index, embedder)
            print(f"##### {query.id}\nQUERY: {query.query}\nPACKAGE:\n{package.render()}\n")


if __name__ == "__main__":
    main()
