from __future__ import annotations

import pytest

from extract.languages.registry import DEFAULT, detect
from extract.sentences import LONGEST, split_sentences
from extract.tokens import Kind, tokenize


def sentences(text: str) -> list[str]:
    tokens = tokenize(text)
    return [text[s[0].start : s[-1].end] for s in split_sentences(text, tokens, detect(tokens, DEFAULT))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ok use redis. it's faster", ["ok use redis.", "it's faster"]),
        ("Dr. Smith paid 3.5k. Fine.", ["Dr. Smith paid 3.5k.", "Fine."]),
        ("Is it?! yes... no wait.", ["Is it?!", "yes...", "no wait."]),
        ("Run `a. b` first. Then stop.", ["Run `a. b` first.", "Then stop."]),
        ("See https://a.example/x.y for it. Bye", ["See https://a.example/x.y for it.", "Bye"]),
        ("go with A. Paul wants oak", ["go with A.", "Paul wants oak"]),
        ("B. the rest maybe later", ["B.", "the rest maybe later"]),
        ("It is 1.5 m. You need more.", ["It is 1.5 m.", "You need more."]),
        ("she is up by 6:45. chair yes", ["she is up by 6:45.", "chair yes"]),
        ("Das ist am 3. Mai um acht. Gut.", ["Das ist am 3. Mai um acht.", "Gut."]),
        ("これはテストです。元気ですか？はい。", ["これはテストです。", "元気ですか？", "はい。"]),
        ("first line\nsecond line", ["first line", "second line"]),
    ],
)
def test_sentences_end_where_a_reader_of_chat_would_end_them(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_a_wrapped_line_goes_on() -> None:
    wrapped = (
        "This line is long enough that somebody's terminal wrapped it just\nbefore the end of the sentence."
    )
    assert len(sentences(wrapped)) == 1


def test_an_endless_sentence_is_closed_so_that_reading_stays_linear() -> None:
    parts = [tokenize(sentence) for sentence in sentences("and so on " * 2_000)]
    assert max(len(part) for part in parts) <= LONGEST
    assert sum(len(part) for part in parts) == 6_000


def test_code_links_and_addresses_are_single_tokens() -> None:
    kinds = {
        token.low: token.kind
        for token in tokenize("`x = 1` [doc](http://a.b/c) me@a.example 1,000-litre isn’t <br>")
    }
    assert kinds["`x = 1`"] is Kind.CODE
    assert kinds["[doc](http://a.b/c)"] is Kind.LINK
    assert kinds["me@a.example"] is Kind.LINK
    assert kinds["1,000-litre"] is Kind.NUMBER
    assert kinds["isn't"] is Kind.WORD
    assert kinds["<br>"] is Kind.BREAK


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("Jeg falt i sjøen", "und"),
        ("Den lekket som en kurv i tre dager.", "und"),
        ("Ik weet het niet", "und"),
        ("so i said ok", "en"),
        ("The boat leaks like a basket.", "en"),
        ("Ich habe das nicht gewusst", "de"),
        ("Je ne sais pas où aller", "fr"),
    ],
)
def test_the_i_of_another_language_is_not_the_english_speaker(said: str, code: str) -> None:
    assert detect(tokenize(said), DEFAULT).code == code
