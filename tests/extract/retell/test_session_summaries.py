"""Session summaries of the offline engine: each sentence once, and short only where little more was noted."""

from __future__ import annotations

from extract_talks import build

from extract.retell.session_summary import SHORT_SUMMARY, summarise
from schemas.conversation import Conversation
from schemas.estimate import Estimate
from schemas.thread import SUMMARY_WORDS
from schemas.unit import Category, Evidence, Speaker, Unit
from schemas.words import count_words


def unit(
    talk: Conversation,
    quote: str,
    around: str = "",
    category: Category = Category.FACT,
    good: float = 0.1,
) -> Unit:
    (message,) = talk.messages
    cited, home = (
        Evidence(
            message_id=message.id,
            start=message.text.index(part),
            end=message.text.index(part) + len(part),
            quote=part,
            text_hash=message.text_hash,
        )
        for part in (quote, around or quote)
    )
    return Unit(
        id=f"{category} {quote}",
        account="test",
        conversation_id=talk.id,
        category=category,
        text=quote,
        speaker=Speaker.OWNER,
        evidence=(cited,),
        context=(home,) if around else (),
        said_at=None,
        extractor="test",
        estimate=Estimate(good=good, whose="own", own=1.0, whole=True),
    )


def letters(number: int) -> str:
    """A word of its own for each number."""
    return "".join(chr(ord("a") + int(digit)) for digit in f"{number:03}")


def sentences(many: int, words: int) -> list[str]:
    return [
        " ".join(f"x{letters(first * words + word)}" for word in range(words)) + "." for first in range(many)
    ]


def test_a_summary_is_not_short_where_more_was_noted() -> None:
    lines = sentences(40, 6)
    talk = build(("user", " ".join(lines)))
    summary = summarise(talk, [unit(talk, line) for line in lines])
    assert not summary.short
    assert SUMMARY_WORDS[0] <= count_words(summary.text) <= SUMMARY_WORDS[1]


def test_a_short_summary_tells_all_that_was_noted() -> None:
    lines = sentences(8, 6)
    talk = build(("user", " ".join(lines)))
    summary = summarise(talk, [unit(talk, line) for line in lines])
    assert summary.text.startswith(SHORT_SUMMARY)
    assert all(line in summary.text for line in lines)


def test_a_summary_tells_each_sentence_once() -> None:
    sentence = "Copper rivets, same holes where we can, and tar all over."
    talk = build(("user", f"I've thought. {sentence} That's it."))
    units = [
        unit(talk, "Copper rivets", sentence, Category.DECISION, 0.8),
        unit(talk, "same holes where we can", "", Category.CONSTRAINT, 0.8),
        unit(talk, "tar all over", sentence, Category.DECISION, 0.8),
    ]
    text = summarise(talk, units).text
    assert text.count("Copper rivets") == text.count("same holes") == text.count("tar all over") == 1


def test_of_two_lines_that_overlap_one_is_told() -> None:
    talk = build(("user", "- larch: 148\n- tar: 96\n- sail: 310"))
    first = unit(talk, "larch", "- larch: 148\n- tar: 96", good=0.5)
    second = unit(talk, "sail", "- tar: 96\n- sail: 310")
    assert summarise(talk, [first, second]).text.count("tar: 96") == 1


def test_of_a_sentence_and_its_part_a_summary_tells_the_longer() -> None:
    talk = build(("user", "Oars out first, and a line ashore."))
    part = unit(talk, "a line ashore", good=0.9)
    whole = unit(talk, "Oars out first, and a line ashore.", good=0.5)
    assert "“Oars out first, and a line ashore.”" in summarise(talk, [part, whole]).text
