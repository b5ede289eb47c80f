"""No deep search leaves its question's account or bounds, whoever shares its names.

    python -m benchmarks.faults.deep_scoping [--questions 10000] [--seed 1] [--seconds 1800]

The vault is ingested: in each account the same people say the same things at the same hours, so that names,
circles, words, meaning and time lead from every account into the others. A question draws its account, its
words and, two times in three, bounds: conversations (another account's among them), a time before or after.
Each looks further; whoever compares takes everything in the pool for an answer, so all of it is merged.
Checked are the notes that were read, the hits with what they stand for, and what is said to contradict. Exit
code 1 where anything was another's, or outside the bounds. With --seconds no question is asked later.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

from benchmarks.faults.drill import Drill, run
from inference import load_embedder
from retrieval import Package, Question, recall
from retrieval.deep.comparison import Compared
from retrieval.deep.escalation import DeepSearch, Looked
from retrieval.deep.expansion import Neighbour
from vault.index import Where
from vault.name_graph import NameGraph
from vault.points import Payload, PointKind
from vault.reader import VaultReader, open_vault

ACCOUNTS = ("ada", "bo", "cy")
NAMES = ("Aksel", "Runa", "Tove", "Ivar", "Sunniva", "Oban", "Teist")
WORDS = (
    *NAMES,
    "aksel",
    "kiln",
    "boat",
    "moved",
    "met",
    "rent",
    "paid",
    "When",
    "Who",
    "did",
    "in",
    "9",
    "day",
)
TALKS = 12
BEGIN = datetime(2026, 3, 1, 9, tzinfo=UTC)
EVERYTHING_IS_WEAK = 1.01
SAID = (
    "{0} and {1} met in Oban on day {2}. I decided to move the kiln of shed {2} to {1}.",
    "{1} paid {2}0 euros of rent for the boat Teist. It cannot carry more than {2} people.",
    "On day {2} {0} told me that {1} keeps the kiln in Oban. I still have to ask {0}.",
)


def brewed(folder: Path) -> Path:
    """A vault with the three accounts; their talks differ in nothing but whose they are, and a mark."""
    vault = folder / "vault"
    for account in ACCOUNTS:
        place = folder / account
        place.mkdir()
        talks = [_talk(account, number) for number in range(TALKS)]
        (place / "conversations.json").write_text(json.dumps(talks), encoding="utf-8")
        code, said = run(vault, "ingest", str(place / "conversations.json"), "--account", account)
        assert code == 0, said
    return vault


def _talk(account: str, number: int) -> dict[str, object]:
    chance, began = random.Random(number), BEGIN + timedelta(hours=7 * number)
    told = [sentence.format(*chance.sample(NAMES[:5], 2), number + 3) for sentence in SAID]
    at = began.isoformat()
    return {
        "uuid": f"{account}-{number}", "name": f"Day {number}", "created_at": at, "updated_at": at,
        "chat_messages": [
            {"uuid": f"{account}-{number}-{place}", "sender": "human", "created_at": at, "text": text}
            for place, text in enumerate(told)
        ],
    }  # fmt: skip


def random_question(chance: random.Random, talks: Sequence[str], deep: DeepSearch) -> Question:
    """A question of anybody's, in bounds or without."""
    moment = BEGIN + timedelta(hours=chance.randrange(7 * TALKS))
    bounds = chance.randrange(6)
    where = Where(
        chance.choice(ACCOUNTS),
        conversations=tuple(chance.sample(talks, 5)) if bounds in (2, 3) else None,
        before=moment if bounds == 4 else None,
        after=moment if bounds == 5 else None,
    )
    text = " ".join(chance.choices(WORDS, k=chance.randint(1, 6)))
    moment = BEGIN + timedelta(days=chance.randrange(60))
    # with few candidates most of the pool are neighbours
    return Question(text, where, moment, pool=chance.choice((4, 8, 200)), judged=False, deep=deep)


def takes_everything(_: str, pool: Sequence[Neighbour]) -> Compared:
    """A comparison to which every note is the answer, and contradicts the next."""
    points = [one.candidate.id for one in pool]
    return Compared(dict.fromkeys(points, 1.0), {}, tuple(pairwise(points)), by="everything")


def _outside(one: Payload, where: Where) -> bool:
    """Whether a note is another's or beyond the bounds; a map is where any conversation of its thread is."""
    told = [(one.conversation_id, one.conversation_at)]
    if one.kind is PointKind.THREAD:
        told = [(member.conversation_id, member.began) for member in one.members]
    return one.account != where.account or any(
        (where.conversations is not None and home not in where.conversations)
        or (where.before is not None and (began is None or began >= where.before))
        or (where.after is not None and (began is None or began < where.after))
        for home, began in told
    )


def _named_in(package: Package) -> set[str]:
    named = {ref for hit in package.hits for ref in (hit.id, *hit.also)}
    if package.deep is not None:
        named.update(package.deep.added, *package.deep.contradictions)
    return named


def deep_scoping(folder: Path, questions: int, seed: int, until: float = math.inf) -> Drill:
    """So many random questions, none after `until`, and what came of them."""
    drill, chance = Drill("deep search stays in its account and bounds"), random.Random(seed)
    with open_vault(brewed(folder)) as reader:
        owners = {one.payload.ref: one.payload for one in reader.index.points()}
        for account in ACCOUNTS:
            drill.expect(
                sum(one.account == account for one in owners.values()) > 2 * TALKS,
                f"{account} has notes that another's question could meet",
            )
        while drill.counts.get("questions", 0) < questions and time.monotonic() < until:
            _ask(reader, owners, chance, drill)
    return drill


def _ask(reader: VaultReader, owners: dict[str, Payload], chance: random.Random, drill: Drill) -> None:
    seen = list[Looked]()
    deep = DeepSearch(
        threshold=EVERYTHING_IS_WEAK,
        compare=takes_everything,
        listener=seen.append,
        names=lambda: NameGraph(reader.ledger),
    )
    talks = sorted({one.conversation_id for one in owners.values() if one.kind is not PointKind.THREAD})
    question = random_question(chance, talks, deep)
    package = recall(question, reader.index, load_embedder())
    drill.count("questions")
    read = [one.candidate.payload for looked in seen for one in looked.pool]
    drill.counts["notes read"] = drill.counts.get("notes read", 0) + len(read)
    drill.counts["hits"] = drill.counts.get("hits", 0) + len(package.hits)
    if any(one.why for looked in seen for one in looked.pool):
        drill.count("questions with neighbours")
    strangers = [one.ref for one in read if _outside(one, question.where)]
    strangers += [ref for ref in _named_in(package) if _outside(owners[ref], question.where)]
    drill.expect(not strangers, f"{question.where.account}: {question.text!r} met {strangers[:3]}")


def main() -> None:
    """Run the drill and print what it came to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=math.inf)
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        drill = deep_scoping(Path(folder), options.questions, options.seed, began + options.seconds)
    told = {**asdict(drill), "seconds": round(time.monotonic() - began)}
    print(json.dumps({**told, "violations": len(drill.failures), "failures": drill.failures[:20]}, indent=2))
    if drill.failures:
        sys.exit("a deep search left its account or bounds: see the failures above")


if __name__ == "__main__":
    main()
