from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.conversations import as_conversation
from evals.extraction import (
    ExtractionRow,
    ExtractionScore,
    Span,
    content_f1,
    content_words,
    maximum_matching,
    read_rows,
    run_extraction_eval,
    score_extraction,
)
from inference.provider_choice import Asked
from schemas.conversation import Conversation, Origin
from schemas.errors import InputError, PathMissing
from schemas.ids import unit_id
from schemas.unit import Category, Evidence, Speaker, Unit

USER, ANSWER = "hey so we use sqlite, about 40 members", "Use WAL mode. It takes 5 MB."


def row() -> ExtractionRow:
    return ExtractionRow.model_validate(
        {
            "conversation": {
                "id": "c1",
                "title": "Club",
                "created_at": "2026-01-01T10:00:00Z",
                "messages": [
                    {"id": "m1", "role": "user", "created_at": "2026-01-01T10:00:00Z", "text": USER},
                    {"id": "m2", "role": "assistant", "created_at": "2026-01-01T10:01:00Z", "text": ANSWER},
                ],
            },
            "gold": [
                gold("decision", "m1", "we use sqlite", "The club app uses SQLite."),
                gold("fact", "m1", "about 40 members", "The club has 40 members."),
                gold("idea", "m2", "Use WAL mode", "Use WAL mode."),
                gold("fact", "m2", "It takes 5 MB", "WAL mode takes 5 MB."),
            ],
            "not_units": [{"message_id": "m1", "quote": "hey so", "why": "greeting"}],
            "not_decisions": [{"message_id": "m1", "quote": "about 40 members", "why": "a count"}],
        }
    )


def gold(category: str, message: str, quote: str, text: str) -> dict[str, str]:
    return {"category": category, "speaker": "user", "message_id": message, "quote": quote, "text": text}


def unit(message: int, quote: str, category: str, text: str, shift: int = 0) -> Unit:
    cited = as_conversation(row().conversation).messages[message]
    start = cited.text.index(quote)
    return Unit(
        id=unit_id(cited.id, start, start + len(quote), text),
        account="evaluation",
        conversation_id="c",
        category=Category(category),
        text=text,
        speaker=Speaker.OWNER,
        evidence=(
            Evidence(
                message_id=cited.id,
                start=start + shift,
                end=start + shift + len(quote),
                quote=quote,
                text_hash=cited.text_hash,
            ),
        ),
        said_at=None,
        extractor="test/1",
    )


def score(*units: Unit) -> ExtractionScore:
    return score_extraction([row()], lambda _: units, engine="test")


PERFECT = (
    unit(0, "we use sqlite", "decision", "The club app uses SQLite."),
    unit(0, "about 40 members", "fact", "The club has 40 members."),
    unit(1, "Use WAL mode", "idea", "Use WAL mode."),
    unit(1, "It takes 5 MB", "fact", "WAL mode takes 5 MB."),
)


def test_the_gold_itself_scores_full_marks() -> None:
    found = score(*PERFECT)
    assert (found.coverage, found.precision, found.category_accuracy, found.text_f1) == (1.0, 1.0, 1.0, 1.0)
    assert found.recall_by_category[Category.DECISION] == 1.0
    assert (found.noise, found.numbers_lost, found.false_decisions, found.long, found.ungrounded) == (
        0,
        0,
        0,
        0,
        0,
    )
    assert (found.engine, found.rows, found.gold, found.units) == ("test", 1, 4, 4)


def test_a_span_as_wide_as_the_message_earns_one_match() -> None:
    found = score(unit(1, ANSWER, "fact", "WAL mode takes 5 MB."))
    assert (found.coverage, found.precision) == (0.25, 1.0)


def test_half_of_the_quote_is_enough_and_less_is_not() -> None:
    assert score(unit(0, "about 40", "fact", "About 40.")).coverage == 0.25
    assert score(unit(0, "about 4", "fact", "About 4.")).coverage == 0.0


def test_noise_is_excluded_from_precision_and_counted() -> None:
    found = score(*PERFECT, unit(0, "hey", "fact", "Hey."))
    assert (found.precision, found.noise) == (1.0, 0.2)
    assert score(*PERFECT, unit(0, "members", "fact", "Members.")).precision == 0.8


def test_a_false_decision_is_one_on_a_barred_quote_or_on_anothers_message() -> None:
    owner = score(unit(0, "about 40 members", "decision", "About 40 members."))
    assert (owner.false_decisions, owner.false_decisions_owner, owner.false_decisions_others) == (1, 1, 0)
    other = score(unit(1, "Use WAL mode", "decision", "Use WAL mode."))
    assert (other.false_decisions, other.false_decisions_owner, other.false_decisions_others) == (1, 0, 1)
    assert score(PERFECT[0]).false_decisions == 0


def test_numbers_lost_length_and_grounding_are_counted() -> None:
    assert score(unit(1, "It takes 5 MB", "fact", "WAL mode takes five MB.")).numbers_lost == 1.0
    assert score(unit(1, "It takes 5 MB", "fact", "word " * 15 + "5.")).long == 1
    assert score(unit(1, "Use WAL mode", "idea", "Use WAL mode.", shift=1)).ungrounded == 1


def test_a_wrong_category_costs_accuracy_and_recall_but_no_coverage() -> None:
    found = score(PERFECT[0].model_copy(update={"category": Category.FACT}), *PERFECT[1:])
    assert (found.coverage, found.category_accuracy) == (1.0, 0.75)
    assert found.recall_by_category[Category.DECISION] == 0.0


def test_matching_is_maximum_and_one_to_one() -> None:
    gold_spans = [Span("m", 0, 10), Span("m", 10, 20)]
    wide, narrow = Span("m", 0, 20), Span("m", 0, 10)
    assert maximum_matching(gold_spans, [wide, narrow]) == [(0, 1), (1, 0)]
    assert maximum_matching(gold_spans, [wide]) in ([(0, 0)], [(1, 0)])
    assert maximum_matching(gold_spans, [Span("other", 0, 20)]) == []


def test_content_f1_compares_words_that_carry_content() -> None:
    assert content_words("The club HAS 40 members.") == ["club", "40", "members"]
    assert content_f1("the club has members", "a club") == pytest.approx(2 / 3)
    assert content_f1("of the", "and a") == 1.0


def test_a_row_becomes_a_conversation_that_keeps_the_evaluations_ids() -> None:
    conversation = as_conversation(row().conversation)
    assert [message.native_id for message in conversation.messages] == ["m1", "m2"]
    assert [message.segments[0].origin for message in conversation.messages] == [
        Origin.TYPED,
        Origin.ASSISTANT,
    ]
    assert conversation.messages[1].parent == conversation.messages[0].id
    assert conversation.active_leaf == conversation.messages[1].id


def test_bad_input_says_where(tmp_path: Path) -> None:
    with pytest.raises(PathMissing):
        list(read_rows(tmp_path / "nothing.jsonl"))
    broken = tmp_path / "broken.jsonl"
    broken.write_text(row().model_dump_json() + "\n{}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"broken\.jsonl:2"):
        list(read_rows(broken))
    with pytest.raises(PathMissing, match="recorded"):
        run_extraction_eval(broken, Asked(replay=tmp_path / "nothing"))


def test_a_quote_that_is_not_in_its_message_is_refused() -> None:
    wrong = row().model_copy(update={"gold": (row().gold[0].model_copy(update={"quote": "nowhere"}),)})
    with pytest.raises(InputError, match="m1"):
        score_extraction([wrong], lambda _: ())


def test_a_run_dumps_its_units_under_the_evaluations_ids(tmp_path: Path) -> None:
    rows, dump = tmp_path / "rows.jsonl", tmp_path / "dump.jsonl"
    rows.write_text(row().model_dump_json() + "\n", encoding="utf-8")
    found = run_extraction_eval(rows, dump=dump)
    lines = [json.loads(line) for line in dump.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == found.units
    texts = {"m1": USER, "m2": ANSWER}
    for line in lines:
        assert set(line) == {"message_id", "start", "end", "quote", "category", "text"}
        assert texts[line["message_id"]][line["start"] : line["end"]] == line["quote"]


def test_the_score_prints_as_one_snake_case_object() -> None:
    printed = json.loads(score(*PERFECT).model_dump_json())
    assert printed["recall_by_category"]["open_question"] == 0.0
    assert {"coverage", "precision", "category_accuracy", "text_f1", "numbers_lost", "noise", "rows"} <= set(
        printed
    )


def test_the_offline_engine_keeps_what_it_reached(shared: Path) -> None:
    """Floors a little under what docs/reading.md reports; the reader never saw this set."""
    path = shared / "evals" / "extraction.jsonl"
    if not path.is_file():
        pytest.skip(f"no evaluation set at {path}")
    found: ExtractionScore = run_extraction_eval(path)
    assert found.coverage >= 0.82
    assert found.precision >= 0.88
    assert found.category_accuracy >= 0.78
    assert found.text_f1 >= 0.57
    assert found.noise <= 0.03
    assert found.numbers_lost <= 0.01
    assert (found.false_decisions_others, found.long, found.ungrounded) == (0, 0, 0)
    assert found.false_decisions_owner <= 3
    floors = {
        "decision": 0.66,
        "provisional": 0.5,
        "action_item": 0.75,
        "constraint": 0.45,
        "open_question": 0.84,
    }
    for category, floor in floors.items():
        assert found.recall_by_category[Category(category)] >= floor, category


def test_an_engine_is_handed_the_rows_conversation() -> None:
    seen: list[Conversation] = []

    def engine(conversation: Conversation) -> tuple[Unit, ...]:
        seen.append(conversation)
        return ()

    score_extraction([row()], engine)
    assert [conversation.native_id for conversation in seen] == ["c1"]
