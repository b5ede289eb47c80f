from __future__ import annotations

from datetime import UTC, datetime

from chunking import chunk_message, embedding_text
from flows.batches.search_points import PREVIOUS_WORDS, points_of
from schemas.conversation import Conversation, Message, Origin, Segment
from schemas.ids import conversation_id, message_id
from vault.points import DraftPoint, PointKind

HOME = conversation_id("mara", "transcript", "kiln")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ANSWER = "# Firing\n\nHeat it slowly.\n\n# Cooling\n\nLeave the lid shut until morning."


def message(native: str, text: str, parent: str | None, author: str | None = None) -> Message:
    origin = Origin.ASSISTANT if native == "answer" else Origin.TYPED
    return Message(
        id=message_id(HOME, native),
        native_id=native,
        parent=parent,
        role="assistant" if native == "answer" else "user",
        author=author,
        created_at=NOON,
        text=text,
        segments=(Segment(start=0, end=len(text), origin=origin),),
    )


def compose(question: str, author: str | None = None) -> list[DraftPoint]:
    asked = message("question", question, None, author)
    answered = message("answer", ANSWER, asked.id)
    conversation = Conversation(
        id=HOME,
        account="mara",
        provider="transcript",
        native_id="kiln",
        title="The kiln",
        created_at=NOON,
        updated_at=None,
        messages=(asked, answered),
        active_leaf=answered.id,
        active_leaf_stated=True,
    )
    chunks = [chunk for one in conversation.messages for chunk in chunk_message(one.text, one.id)]
    return list(points_of(conversation, [], chunks, lambda header, body: [embedding_text(header, body)]))


def of_kind(points: list[DraftPoint], kind: PointKind) -> list[DraftPoint]:
    return [point for point in points if point.payload.kind is kind]


def test_a_conversation_is_the_mean_of_its_passages_and_every_word_said() -> None:
    points = compose("How do I fire stoneware?")
    (talk,) = of_kind(points, PointKind.CONVERSATION)
    passages = of_kind(points, PointKind.CHUNK)
    assert talk.dense_texts == tuple(text for one in passages for text in one.dense_texts)
    assert "stoneware" in talk.lexical_text
    assert "lid shut" in talk.lexical_text
    assert talk.payload.text == "The kiln: How do I fire stoneware?"


def test_an_answer_is_found_by_the_words_of_its_question_but_not_embedded_with_them() -> None:
    cooling = next(one for one in compose("How do I fire stoneware?") if "lid" in one.payload.text)
    assert "stoneware" in cooling.lexical_text
    assert "stoneware" not in cooling.dense_texts[0]
    assert cooling.dense_texts[0].startswith("The kiln › Cooling")


def test_only_the_end_of_a_long_question_counts() -> None:
    cooling = next(one for one in compose("porcelain " * 500 + "stoneware?") if "lid" in one.payload.text)
    assert "stoneware?" in cooling.lexical_text
    assert cooling.lexical_text.count("porcelain") == PREVIOUS_WORDS - 1


def test_a_named_speaker_is_embedded_with_the_words() -> None:
    first, *_ = of_kind(compose("How do I fire stoneware?", "Bo"), PointKind.CHUNK)
    assert first.dense_texts == ("The kiln\nBo\n\nHow do I fire stoneware?",)


def test_the_same_conversation_composes_the_same_points() -> None:
    assert compose("How do I fire stoneware?") == compose("How do I fire stoneware?")
