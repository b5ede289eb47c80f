"""What a span takes up: the words that are pointed at, told before it, and where they were said."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extract.offline_engine import extract_units
from extract.reader.antecedents import Pointer, TakenUp
from extract.reader.note_wording import behind, leans
from extract.reader.small_reader import SmallReader, load_reader
from extract.reader.talk_windows import TalkWindow, WindowCutter
from inference.minilm import open_tokenizer
from inference.weights import find_weights
from schemas.unit import MAX_WORDS
from schemas.words import count_words
from tests.extract.extract_talks import build

CUTTER = WindowCutter(open_tokenizer(find_weights()))
WIDTH = 8
HEADS = {
    "asks.weight": np.eye(WIDTH, dtype=np.float32),
    "asks.bias": np.zeros(WIDTH, np.float32),
    "answers.weight": np.eye(WIDTH, dtype=np.float32),
    "answers.bias": np.zeros(WIDTH, np.float32),
    "nothing.weight": np.zeros((WIDTH, 1), np.float32),
    "nothing.bias": np.zeros(1, np.float32),
}


def pointed_at(window: TalkWindow, words: set[str], first: int) -> TakenUp | None:
    """What is taken up where these words' states are those that the span asks for."""
    hidden = np.zeros((len(window.ids), WIDTH), np.float32)
    for place, word in window.words_before(len(window.offsets)):
        hidden[place, 0] = 10.0 if word.said.lower() in words else -10.0
    asked = np.zeros(WIDTH, np.float32)
    asked[0] = 10.0
    return Pointer(window, hidden, HEADS).taken_up(first, asked)


def test_the_words_pointed_at_are_one_phrase_as_it_was_said() -> None:
    text = "the Head of Fermentation at Brudal called. she starts in June"
    (window,) = CUTTER.cut(text, "user", "")
    held = window.tokens_of(text.index("she"), len(text))
    assert held is not None
    found = pointed_at(window, {"head", "fermentation", "brudal"}, held[0])
    assert found is not None
    assert found.words == "Head of Fermentation"
    assert found.own
    assert found.chance > 0.5


def test_words_of_the_message_before_are_found_in_it() -> None:
    before = "Which roof do you want, slates or larch shingles?"
    (window,) = CUTTER.cut("not slates", "user", before)
    found = pointed_at(window, {"roof"}, 0)
    assert found is not None
    assert (found.words, found.own) == ("roof", False)
    assert before[-600:][found.start : found.end] == "roof"


def test_nothing_stands_before_the_first_word() -> None:
    (window,) = CUTTER.cut("not slates", "user", "")
    assert pointed_at(window, {"not"}, 0) is None


@settings(max_examples=60, deadline=None)
@given(
    st.text(alphabet=st.sampled_from("ab cdé.-'\n*"), max_size=80),
    st.text(alphabet=st.sampled_from("ab cdé.-'\n*"), min_size=1, max_size=300),
)
def test_what_is_taken_up_stands_whole_before_the_span(before: str, text: str) -> None:
    for window in CUTTER.cut(text, "user", before):
        first = len(window.offsets) - 1
        hidden = np.random.default_rng(18).normal(0, 3, (len(window.ids), WIDTH)).astype(np.float32)
        found = Pointer(window, hidden, HEADS).taken_up(first, hidden[-1])
        if found is None:
            continue
        assert found.words.strip() == found.words
        assert 0 <= found.chance <= 1.0001
        if found.own:
            assert found.text == text
            assert found.start < window.offsets[first][0] or found.end <= window.offsets[first][1]


@pytest.mark.parametrize(
    ("name", "told", "quote", "note"),
    [
        ("roof", "Not slates.", "not slates", "Roof: not slates."),
        ("cassette", "The user will ask her.", "I'll ask her", "Cassette: the user will ask her."),
        ("roof", "The roof leaks.", "the roof leaks", ""),
        ("Roofs", "The roof leaks.", "the roof leaks", ""),
        ("", "Not slates.", "not slates", ""),
        ("one two three four five six", "No.", "no", ""),
        ("iPhone 12", "Too small.", "too small", "iPhone 12: too small."),
        ("Teist", "Larch it is.", "Larch it is", "Teist: Larch it is."),
    ],
)
def test_a_note_is_told_behind_what_it_takes_up(name: str, told: str, quote: str, note: str) -> None:
    assert behind(name, told, quote) == note


@pytest.mark.parametrize(
    ("quote", "leaning"),
    [
        ("The shed door can't hold more than nine hooks.", False),
        ("Not slates.", True),
        ("It closes on Friday and they never answer the phone.", True),
        ("and the nights are better now than they had been in October", True),
        ("My budget for all of the garden is 400 euros.", False),
    ],
)
def test_a_sentence_with_its_own_subject_leans_on_nothing(quote: str, leaning: bool) -> None:
    assert leans(quote) is leaning


@given(st.text(max_size=60), st.text(min_size=1, max_size=120).filter(lambda text: bool(text.strip())))
def test_nothing_but_words_of_the_talk_is_put_in(name: str, told: str) -> None:
    note = behind(name, told, told)
    assert count_words(note) <= MAX_WORDS
    said = re.findall(r"[^\W_]+", f"{name} {told}".casefold())
    assert set(re.findall(r"[^\W_]+", note.casefold())) <= set(said)


@pytest.fixture(scope="module")
def reader() -> SmallReader:
    return load_reader()


def test_a_note_cites_where_what_it_takes_up_was_said(reader: SmallReader) -> None:
    conversation = build(
        ("assistant", "And the wedding cake, where does it come from?"),
        ("user", "from my aunt, she bakes it on Friday"),
        ("assistant", "Which budget do you have for the minibus?"),
        ("user", "400 at most"),
    )
    named = [
        (unit, place)
        for unit in extract_units(conversation, reader).units
        for place in unit.context
        if unit.text.startswith(f"{place.quote[:1].upper()}{place.quote[1:]}: ")
    ]
    assert named
    texts = {message.id: message.text for message in conversation.messages}
    for unit, place in named:
        assert texts[place.message_id][place.start : place.end] == place.quote
        assert count_words(unit.text) <= MAX_WORDS
