"""What deep searches teach: thresholds by kind of question, and the weights of the parts of relevance."""

from __future__ import annotations

import random
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from flows.upkeep.scorer_teaching import LEAST, ScorerTeaching, teach_scorer, untaught_scorer
from retrieval.deep.comparison import OFFLINE, Compared
from retrieval.deep.escalation import Looked, TrainingPair
from retrieval.deep.learning import (
    DOUBT,
    QuestionKind,
    deep_summary,
    fitted,
    found_at_once,
    kind_of,
    logged,
    threshold_of,
)
from retrieval.deep.parts import RelevanceParts
from retrieval.question import EQUAL
from retrieval.scorer import scorer_weights
from schemas.errors import IntegrityError, UsageError
from vault.deep_log import DeepLog, DeepOutcome, LoggedSearch, RelevanceLesson, drop_deep_log
from vault.layout import VaultLayout

NOW = datetime(2026, 11, 1, tzinfo=UTC)


def search(outcome: DeepOutcome, kind: str = "plain", at: datetime = NOW, session: str = "") -> LoggedSearch:
    return LoggedSearch(
        at=at, account="ada", session=session, kind=kind, confidence=0.1, pool=50, judge="m",
        milliseconds=3.0, outcome=outcome,
    )  # fmt: skip


def lessons(count: int) -> list[list[RelevanceLesson]]:
    """Searches whose better note has more of the words, and of the rest now more and now less."""
    draw = random.Random(3)

    def one(place: int) -> RelevanceLesson:
        rest = [draw.uniform(-0.2, 0.2) for _ in range(3)]
        return RelevanceLesson(f"n{place}", f"p{place}", (rest[0], draw.uniform(0.05, 0.3), rest[1], rest[2]))

    return [[one(place)] for place in range(count)]


def log_of(folder: Path, count: int) -> DeepLog:
    log = DeepLog(VaultLayout(folder))
    for found in lessons(count):
        log.add(search(DeepOutcome.HIT), found)
    return log


def test_kinds_go_by_the_form_of_a_question() -> None:
    assert kind_of("What did Aksel say?") is QuestionKind.NAMES
    assert kind_of("who owes me 40 euros?") is QuestionKind.NUMBERS
    assert kind_of("when is the kiln moved?") is QuestionKind.PLAIN


def test_a_threshold_falls_where_nothing_is_found_and_never_rises() -> None:
    misses, hits = [search(DeepOutcome.MISS)] * 30, [search(DeepOutcome.HIT)] * 30
    assert threshold_of([], QuestionKind.PLAIN, 0.3) == pytest.approx(0.3)
    assert threshold_of(misses, QuestionKind.PLAIN, 0.3) == pytest.approx(0.3 * DOUBT / (DOUBT + 30))
    assert threshold_of(misses, QuestionKind.NAMES, 0.3) == pytest.approx(0.3)
    assert threshold_of(hits, QuestionKind.PLAIN, 0.3) == pytest.approx(0.3)
    unjudged = [search(DeepOutcome.UNJUDGED), search(DeepOutcome.TIMED_OUT)] * 30
    assert threshold_of(unjudged, QuestionKind.PLAIN, 0.3) == pytest.approx(0.3)


def test_weights_learn_which_part_tells_and_keep_to_equal_otherwise() -> None:
    weights = fitted(lessons(200))
    assert weights.words > 2 * max(weights.meaning, weights.home_meaning, weights.home_words)
    assert found_at_once(lessons(50), weights) > found_at_once(lessons(50), EQUAL)
    few = fitted(lessons(1))
    assert abs(few.words - 1) < 0.2
    assert fitted([[RelevanceLesson("n", "p", (0.0, 0.0, 0.0, 0.0))]]) == EQUAL


def test_a_log_holds_what_was_found_and_no_word(tmp_path: Path) -> None:
    log = DeepLog(VaultLayout(tmp_path))
    more = RelevanceParts(0.1, 0.2, -0.1, 0.0)
    looked = Looked(
        "ada", "Where does Aksel keep the awl?", 0.2, (), Compared({}, by="m"),
        (TrainingPair("n", "p", more),), (), 12.5,
    )  # fmt: skip
    logged(log, "chat")(looked)
    (told,) = log.searches("ada")
    assert (told.kind, told.session, told.outcome) == ("names", "chat", DeepOutcome.HIT)
    assert log.lessons() == [[RelevanceLesson("n", "p", tuple(more))]]  # type: ignore[arg-type]
    assert log.searches("bo") == []
    assert all(b"awl" not in path.read_bytes() for path in tmp_path.iterdir())
    offline = Looked("ada", "what?", 0.2, (), Compared({}, by=OFFLINE), (), (), 1.0)
    logged(log)(offline)
    assert [one.outcome for one in log.searches()] == [DeepOutcome.HIT, DeepOutcome.UNJUDGED]
    assert deep_summary(log.searches())[0]["share"] == 1.0
    drop_deep_log(log.layout)
    assert list(tmp_path.iterdir()) == []


def test_a_log_that_cannot_be_written_takes_nothing_away(tmp_path: Path) -> None:
    log = DeepLog(VaultLayout(tmp_path))
    log.layout.deep_log.write_bytes(b"no database at all" * 100)
    logged(log)(Looked("ada", "what?", 0.2, (), Compared({}), (), (), 1.0))
    with pytest.raises(IntegrityError, match="begin anew"):
        log.searches()
    with sqlite3.connect(":memory:"):
        drop_deep_log(log.layout)


def test_searches_of_a_session_count_for_a_day(tmp_path: Path) -> None:
    log = DeepLog(VaultLayout(tmp_path))
    for hours in (0, 20, 30):
        log.add(search(DeepOutcome.MISS, at=NOW - timedelta(hours=hours), session="chat"), [])
    log.add(search(DeepOutcome.MISS), [])
    assert log.made_in("ada", "chat", NOW) == 2
    assert log.made_in("bo", "chat", NOW) == 0


def test_the_scorer_is_taught_where_the_owner_agrees(tmp_path: Path) -> None:
    layout = log_of(tmp_path, 200).layout
    seen = list[ScorerTeaching]()
    refused = teach_scorer(tmp_path, lambda done: bool(seen.append(done)))
    assert not refused.taken
    assert scorer_weights(layout) == EQUAL
    assert (seen[0].learned, seen[0].apart) == (160, 40)
    assert seen[0].after > seen[0].before
    assert teach_scorer(tmp_path, lambda _: True).taken
    assert scorer_weights(layout).words > 1
    assert untaught_scorer(tmp_path)
    assert not untaught_scorer(tmp_path)
    assert scorer_weights(layout) == EQUAL


def test_too_few_lessons_teach_nothing(tmp_path: Path) -> None:
    log_of(tmp_path, LEAST - 1)
    with pytest.raises(UsageError, match="too few"):
        teach_scorer(tmp_path, lambda _: True)


def test_a_damaged_scorer_says_so(tmp_path: Path) -> None:
    layout = VaultLayout(tmp_path)
    layout.scorer.write_text('{"meaning": -3}', encoding="utf-8")
    with pytest.raises(IntegrityError, match="--back"):
        scorer_weights(layout)
