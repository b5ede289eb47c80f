"""Pairs to be read: open questions, and the later note that looks most as if it answered them.

    python -m benchmarks.quality.later_answers VAULT [--account NAME] [--pairs 20] [--seed 5]

Three ways to find such a note by what is there: of the reply right after the question, and of later sessions
of its thread, the note nearest in meaning (cosine .6 or more); and of later sessions those among its eight
nearest that the pair judge calls of the same subject and attribute (.95 of each, cosine of .5). Nothing is
judged here: how many of the pairs printed are answers is for whoever reads them (`docs/threads.md`).
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from chunking.language import ENGLISH, language_of
from curation.pairs.small_judge import PairJudge, load_judge
from inference import load_embedder
from interfaces.cli.lookup import account_of
from schemas.unit import Category
from vault.index import Vector
from vault.queries import Row
from vault.reader import VaultReader, open_vault

NEAR, FAIRLY_NEAR, SURE, NEAREST = 0.6, 0.5, 0.95, 8


def notes_of(reader: VaultReader, account: str) -> list[Row]:
    """The notes that recall tells, in the order in which they were said."""
    return reader.ledger.rows(
        """SELECT u.id, u.text, u.category, u.speaker, u.said_at, u.conversation_id, m.position,
                  coalesce(t.id, u.conversation_id) AS home
           FROM units_current u JOIN units x ON x.id = u.id
           JOIN messages m ON m.message_id = x.evidence[1].message_id
           LEFT JOIN (SELECT id, unnest(conversation_ids) AS conversation_id FROM threads) t
                ON t.conversation_id = u.conversation_id
           WHERE u.account = ? AND u.state IN ('passed', 'review', 'kept')
           ORDER BY u.said_at, m.position, x.evidence[1]."start", u.id""",
        [account],
    )


def asks(note: Row) -> bool:
    """Whether a note is a question."""
    return note["category"] == Category.OPEN_QUESTION.value or str(note["text"]).rstrip().endswith("?")


class LaterNotes:
    """The notes of an account, and which of them may answer a question."""

    def __init__(self, notes: Sequence[Row], vectors: dict[str, Vector], judge: PairJudge) -> None:
        self._notes, self._vectors, self._judge = notes, vectors, judge
        self._homes: dict[str, list[Row]] = defaultdict(list)
        self._last: dict[str, int] = defaultdict(int)
        for one in notes:
            self._homes[str(one["home"])].append(one)
            talk = str(one["conversation_id"])
            self._last[talk] = max(self._last[talk], int(str(one["position"])))

    def questions(self) -> list[Row]:
        """The open questions, in English alone: the embedder reads no other language."""
        return [
            one
            for one in self._notes
            if asks(one) and language_of(str(one["text"])) == ENGLISH and one["said_at"]
        ]

    def reply(self, question: Row) -> Row | None:
        """Of the message right after a question the other side's note that is nearest, where it is near."""
        after = int(str(question["position"])) + 1
        found = [
            one
            for one in self._homes[str(question["home"])]
            if one["conversation_id"] == question["conversation_id"]
            and int(str(one["position"])) == after
            and one["speaker"] != question["speaker"]
            and not asks(one)
        ]
        best = self._nearest(question, found)
        return best[0] if best and self._near(question, best[0]) >= NEAR else None

    def later(self, question: Row) -> list[Row]:
        """What was said in later sessions of the thread of a question that was left open, nearest first."""
        talk = str(question["conversation_id"])
        if int(str(question["position"])) < self._last[talk] - 1:
            return []
        found = [
            one
            for one in self._homes[str(question["home"])]
            if one["conversation_id"] != talk
            and str(one["said_at"]) > str(question["said_at"])
            and not asks(one)
        ]
        return self._nearest(question, found)[:NEAREST]

    def near_later(self, question: Row) -> list[Row]:
        """The nearest of those, where it is near."""
        return [one for one in self.later(question)[:1] if self._near(question, one) >= NEAR]

    def judged_later(self, question: Row) -> list[Row]:
        """Those of them that the pair judge calls of the same subject and attribute."""
        told = []
        for one in self.later(question):
            found = self._judge.opinion(str(question["text"]), str(one["text"]))
            if min(found.subject, found.attribute) >= SURE and self._near(question, one) >= FAIRLY_NEAR:
                told.append(one)
        return told

    def _nearest(self, question: Row, notes: Sequence[Row]) -> list[Row]:
        return sorted(notes, key=lambda one: (-self._near(question, one), str(one["id"])))

    def _near(self, question: Row, note: Row) -> float:
        return float(self._vectors[str(question["text"])] @ self._vectors[str(note["text"])])


def main() -> None:
    """Print pairs of each way, drawn by the seed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("vault", type=Path)
    parser.add_argument("--account")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=5)
    given = parser.parse_args()
    with open_vault(given.vault) as reader:
        notes = notes_of(reader, account_of(reader, given.account))
    texts = sorted({str(one["text"]) for one in notes})
    vectors = dict(zip(texts, load_embedder().embed(texts), strict=True))
    later, chance = LaterNotes(notes, vectors, load_judge()), random.Random(given.seed)
    asked = later.questions()
    replies = [(one, found) for one in asked if (found := later.reply(one)) is not None]
    near = [(one, found) for one in asked for found in later.near_later(one)]
    judged = [(one, found) for one in asked for found in later.judged_later(one)]
    sys.stdout.write(f"{len(notes)} notes, {len(asked)} questions\n")
    for name, pairs in (("the reply", replies), ("later, near", near), ("later, judged", judged)):
        sys.stdout.write(f"\n{name}: {len(pairs)} pairs\n")
        for question, note in chance.sample(pairs, min(given.pairs, len(pairs))):
            sys.stdout.write(
                f"  {question['text']}\n      {note['said_at']} {note['speaker']}: {note['text']}\n"
            )


if __name__ == "__main__":
    main()
