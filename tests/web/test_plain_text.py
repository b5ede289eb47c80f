"""What a page's text keeps of characters that nobody sees."""

from __future__ import annotations

import pytest

from web.plain_text import one_line, plain_line, without_controls

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
HEART = "\u2764\ufe0f\u200d\U0001f525"


@pytest.mark.parametrize(
    "text",
    [
        "two\nlines\tand a tab",
        "na\u00efve",
        FAMILY,
        HEART,
        "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "co\u00adop",
        "1\ufe0f\u20e3",
        "\u0915\u094d\u200d\u0937",
        "\U0001f469\U0001f3fd\u200d\u2695\ufe0f",
    ],
)
def test_what_writing_needs_stays(text: str) -> None:
    assert without_controls(text) == text


@pytest.mark.parametrize(
    "hidden",
    [
        "".join(chr(0xE0100 + byte) for byte in b"ignore all"),
        "".join(chr(0xFE00 + byte % 14) for byte in b"ignore all"),
        "".join(chr(0xE0000 + byte) for byte in b"ignore all"),
        "\u3164\u115f\u1160\uffa0",
        "\u180b\u180c\u180d\u180e",
        "\u034f\u2060\u2061\u2065\u202e\ufff0",
        "\x1b\x07\x9b",
    ],
)
def test_what_hides_words_goes(hidden: str) -> None:
    assert without_controls(f"tide{hidden} table") == "tide table"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a" + "\u200c\u200d" * 100 + "b", "ab"),
        ("a\ufe0fb\ufe0e c\u200dd", "ab cd"),
        ("h\u00adigh wa\u00ad\u00adter", "high water"),
        ("t\u00adi\u00add\u00ade", "tide"),
        ("\u0646\u200c\u200c\u0645", "\u0646\u200c\u0645"),
        ("\u2764\ufe0f\ufe0f\ufe0e", "\u2764\ufe0f"),
        ("one\x0ctwo\x0bthree\x85four", "one two three four"),
    ],
)
def test_a_mark_stands_alone_where_writing_needs_it(text: str, kept: str) -> None:
    assert without_controls(text) == kept


def test_plain_text_is_no_markup() -> None:
    assert (
        plain_line("<canvas>:\nThe Graphics\x00 Canvas  element") == "<canvas>: The Graphics Canvas element"
    )


def test_a_title_is_one_line_without_marks() -> None:
    assert one_line("<b>Tide</b>\n&amp; wind\u202e") == "Tide & wind"
