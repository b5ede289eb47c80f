"""Messages: short ones stay whole, long ones part at their writer's marks and at topic shifts."""

from __future__ import annotations

from chunking import chunk_message

SAIL = (
    "The sailing boat needs a new mast before the sailing season; the harbour master wants the boat moved. "
)
BREAD = (
    "Sourdough bread takes a long cold proof; the dough rises while the oven and the flour wait for baking. "
)


def texts(message: str) -> list[str]:
    chunks = chunk_message(message, "m")
    assert "".join(chunk.text for chunk in chunks) == message
    assert all(chunk.source_id == "m" for chunk in chunks)
    return [chunk.text for chunk in chunks]


def test_a_short_message_stays_whole() -> None:
    message = "Hi.\n\n- a\n- b\n\n---\n\n**Note**\n\nBye."
    assert texts(message) == [message]
    assert texts("") == []


def test_a_long_message_parts_where_the_topic_turns() -> None:
    sail = [SAIL * 2 + f"Sail number {n}.\n\n" for n in range(4)]
    bread = [BREAD * 2 + f"Loaf number {n}.\n\n" for n in range(4)]
    assert texts("".join(sail + bread)) == ["".join(sail), "".join(bread)]


def test_one_long_topic_stays_whole() -> None:
    message = "".join(SAIL * 2 + f"Sail number {n}.\n\n" for n in range(8))
    assert texts(message) == [message]


def test_a_lead_stays_with_what_it_leads_into() -> None:
    sail = "".join(SAIL * 2 + "\n\n" for _ in range(4))
    bread = "Bread:\n\n" + "".join(f"- {BREAD}\n" for _ in range(8))
    assert texts(sail + bread) == [sail, bread]


def test_headings_part_a_message_as_they_part_a_document() -> None:
    assert texts("Sure.\n\n## A\n\na\n\n## B\n\nb") == ["Sure.\n\n", "## A\n\na\n\n", "## B\n\nb"]


def test_marks_of_the_writer_part_a_long_message() -> None:
    parts = ["Intro.\n\n---\n\n", "**Boats**\n\n" + SAIL * 6 + "\n\n", "**Boats again:**\n\n" + SAIL * 6]
    assert texts("".join(parts)) == parts


def test_bold_words_in_a_line_are_no_mark() -> None:
    message = ("**Boats** and **masts**\n\n" + SAIL * 3 + "\n\n") * 4
    assert texts(message) == [message]


def test_no_part_begins_inside_an_item_or_fence() -> None:
    listing = "```\n" + "\n\n".join(BREAD for _ in range(20)) + "\n```\n\n"
    items = "".join(f"- {SAIL}\n\n  {BREAD}\n" for _ in range(10))
    assert texts(listing + items) in ([listing + items], [listing, items])
