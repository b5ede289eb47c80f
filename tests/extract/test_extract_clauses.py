from __future__ import annotations

import pytest

from extract.clauses import split_clauses, split_label
from extract.joints import Role
from extract.languages.registry import DEFAULT, detect
from extract.tokens import tokenize


def clauses(text: str) -> list[str]:
    tokens = tokenize(text)
    return [
        text[c.tokens[0].start : c.tokens[-1].end]
        for c in split_clauses(tokens, detect(tokens, DEFAULT))
        if c.role is not Role.ASIDE
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # claims that a conjunction joins
        ("blobs are slow and they break", ["blobs are slow", "they break"]),
        (
            "I'll ring the vet on Monday and ask about the dose",
            ["I'll ring the vet on Monday", "ask about the dose"],
        ),
        ("we can't wait because my mother moves in", ["we can't wait", "my mother moves in"]),
        ("It is cheap but it leaks", ["It is cheap", "but it leaks"]),
        ("take the heater, which fits under the sink", ["take the heater", "which fits under the sink"]),
        ("he has gout, swims twice a week", ["he has gout", "swims twice a week"]),
        ("I signed it, so no notice period", ["I signed it", "so no notice period"]),
        # what belongs together
        ("if he accepts cards, pay by card", ["if he accepts cards, pay by card"]),
        ("the wall between kitchen and hall is solid", ["the wall between kitchen and hall is solid"]),
        ("she is six and a half months old", ["she is six and a half months old"]),
        ("we do not rock or carry children to sleep", ["we do not rock or carry children to sleep"]),
        (
            "Perrin, the only witness, is the obvious choice",
            ["Perrin, the only witness, is the obvious choice"],
        ),
        ('my agent says "it needs a clock, now"', ['my agent says "it needs a clock, now"']),
        ("salt, pepper and oil", ["salt, pepper and oil"]),
        # phrases that are claims of their own
        ("one plan, 212 customers, churn 4.1% monthly", ["one plan", "212 customers", "churn 4.1% monthly"]),
        ("all children nap once, from 11:45 to 13:45", ["all children nap once", "from 11:45 to 13:45"]),
        ("max 150 kg per m² and no drilling", ["max 150 kg per m²", "no drilling"]),
        # speech without punctuation
        (
            "its 3am and she wakes every hour my husband works nights so its just me until thursday "
            "can you make me a plan also is it teeth how would i know",
            [
                "its 3am",
                "she wakes every hour",
                "my husband works nights",
                "so its just me until thursday",
                "can you make me a plan also",
                "is it teeth",
                "how would i know",
            ],
        ),
    ],
)
def test_english_clauses(text: str, expected: list[str]) -> None:
    assert clauses(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "No podemos tocar las tuberías porque el edificio es de 1962",
            ["No podemos tocar las tuberías", "el edificio es de 1962"],
        ),
        ("Ich ziehe im Mai um, weil die Miete steigt", ["Ich ziehe im Mai um", "die Miete steigt"]),
        ("Je veux un jardin mais le terrain est petit", ["Je veux un jardin", "mais le terrain est petit"]),
        ("これはテストで、あれは違います", ["これはテストで、あれは違います"]),
    ],
)
def test_clauses_in_other_languages(text: str, expected: list[str]) -> None:
    assert clauses(text) == expected


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Async: not needed for a CLI", "Async"),
        ("My sister's idea: a sandpit", "My sister's idea"),
        ("To confirm, print the seed: it helps", ""),
        ("I did this: it works", ""),
        ("gravel instead of paving: it drains", ""),
    ],
)
def test_a_label_is_a_few_verbless_words_before_a_colon(text: str, label: str) -> None:
    words, rest = split_label(tokenize(text), DEFAULT)
    found = text[words[0].start : words[-1].end] if words and rest else ""
    assert found == label
