"""The small reader: windows that lose nothing, the best path of labels, words that are the quote's own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extract.reader.note_wording import fits, shortened, without, worded
from extract.reader.segmentation import LONGEST, best_segments, segment_scores
from extract.reader.small_reader import ATTRIBUTES, SmallReader, load_reader
from extract.reader.talk_windows import BODY_TOKENS, CONTEXT_TOKENS, WindowCutter
from inference.minilm import open_tokenizer
from inference.weights import find_weights
from schemas.unit import Category, Speaker

TEXTS = st.text(alphabet=st.sampled_from("abc déß.!? \n\t*-😀日本"), max_size=1500)
CUTTER = WindowCutter(open_tokenizer(find_weights()))


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS)
def test_every_token_of_a_text_is_read_in_one_window(text: str, before: str) -> None:
    windows = list(CUTTER.cut(text, "user", before))
    offsets = [one for window in windows for one in window.offsets]
    whole = open_tokenizer(find_weights()).encode(text, add_special_tokens=False)
    assert offsets == list(whole.offsets)
    for window in windows:
        assert 0 < len(window.offsets) <= BODY_TOKENS
        assert len(window.ids) == window.own + len(window.offsets) + 1
        assert window.own <= CONTEXT_TOKENS + 5


WIDTH = 4


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 7), st.integers(0, 2**32 - 1), st.floats(-2, 2))
def test_the_segmentation_chosen_has_the_highest_sum(count: int, seed: int, eagerness: float) -> None:
    chance = np.random.default_rng(seed)
    sides = {"bio": (WIDTH, 3), "last": (WIDTH, 1), "opens": (WIDTH, 2), "closes": (WIDTH, 2)}
    heads = {
        f"{name}.{kind}": chance.normal(0, 1, shape).astype(np.float32)
        for name, side in {**sides, "lengths": (1, LONGEST)}.items()
        for kind, shape in (("weight", side), ("bias", side[1:]))
    }
    states = chance.normal(0, 1, (count, WIDTH)).astype(np.float32)
    outside, scores = segment_scores(states, heads, eagerness)

    def total(spans: list[tuple[int, int]]) -> float:
        inside = {place for first, last in spans for place in range(first, last + 1)}
        alone = sum(float(outside[place]) for place in range(count) if place not in inside)
        return alone + sum(float(scores[last, last - first]) for first, last in spans)

    def segmentations(begin: int) -> Iterator[list[tuple[int, int]]]:
        if begin == count:
            yield []
            return
        yield from segmentations(begin + 1)
        for last in range(begin, count):
            yield from ([(begin, last), *rest] for rest in segmentations(last + 1))

    best = max(total(spans) for spans in segmentations(0))
    assert total(best_segments(outside, scores)) == pytest.approx(best, abs=1e-3)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.booleans(), min_size=1, max_size=30), st.integers(0, 2**32 - 1))
def test_no_span_goes_over_the_end_of_a_block(begins: list[bool], seed: int) -> None:
    chance, blocks = np.random.default_rng(seed), np.cumsum(begins).tolist()
    sides = {"bio": (WIDTH, 3), "last": (WIDTH, 1), "opens": (WIDTH, 2), "closes": (WIDTH, 2)}
    heads = {
        f"{name}.{kind}": chance.normal(0, 1, shape).astype(np.float32)
        for name, side in {**sides, "lengths": (1, LONGEST)}.items()
        for kind, shape in (("weight", side), ("bias", side[1:]))
    }
    states = chance.normal(0, 1, (len(begins), WIDTH)).astype(np.float32)
    spans = best_segments(*segment_scores(states, heads, 3.0, blocks))
    assert all(blocks[first] == blocks[last] for first, last in spans)


PRICES = (
    "What it came to:\n- larch and copper: £148\n- tar, oil, turps: £96\n2. sail and rope: £310\n\n"
    "That is a lot\nof money."
)


def test_a_block_ends_where_its_line_does(reader: SmallReader) -> None:
    (window,) = CUTTER.cut(PRICES, "user", "")
    lines = [PRICES.count("\n", 0, start) for start, _ in window.offsets]
    assert list(dict.fromkeys(zip(window.blocks(), lines, strict=True))) == [
        (0, 0), (1, 1), (2, 2), (3, 3), (4, 5), (4, 6),
    ]  # fmt: skip
    said = [PRICES[one.start : one.end] for one in reader.read(PRICES, "user", "")]
    assert not any("\n" in one.replace("a lot\nof", "") for one in said)


def test_no_text_has_longer_spans_than_are_scored() -> None:
    count = 2 * LONGEST
    outside, scores = np.full(count, -9.0, np.float32), np.zeros((count, LONGEST), np.float32)
    spans = best_segments(outside, np.where(np.arange(count)[:, None] >= np.arange(LONGEST), scores, -1e4))
    assert sorted(place for first, last in spans for place in range(first, last + 1)) == list(range(count))
    assert all(last - first < LONGEST for first, last in spans)


@pytest.fixture(scope="module")
def reader() -> SmallReader:
    return load_reader()


def test_a_text_is_read_the_same_whatever_is_read_before_and_after(reader: SmallReader) -> None:
    text = "no paella pan, lamb then. i work till 3 and guests come at 7"
    alone = list(reader.read(text, "user", "Which main?"))
    list(reader.read("Something else entirely. " * 40, "assistant", ""))
    assert list(reader.read(text, "user", "Which main?")) == alone


OPTIONS = "Option A is a lined pond for 180 euros. Option B is a tub pond, which freezes in winter."


@pytest.mark.parametrize(
    "text",
    ["OK let's go with B.", "let's go with the tub pond", "the second one", "We've settled on B."],
)
def test_a_choice_said_alone_is_a_decision(reader: SmallReader, text: str) -> None:
    decision = ATTRIBUTES["category"].index("decision")
    found = list(reader.read(text, "user", OPTIONS))
    assert [one.chances["category"][decision] > 0.9 for one in found] == [True]


@pytest.mark.parametrize("text", ["Let's move on to the budget.", "thanks, that helps", "go on"])
def test_steering_of_the_talk_is_no_unit(reader: SmallReader, text: str) -> None:
    assert not list(reader.read(text, "user", OPTIONS))


def test_the_words_themselves_count_in_the_chance(reader: SmallReader) -> None:
    """Two spans of one length and speaker: a fact of a life stands above a shrug."""
    worths = []
    for text in (
        "My daughter Ines starts school in Porto in September.",
        "Well, that is more or less how it is, you know.",
    ):
        (found,) = reader.assess(text, "user", "", [(0, len(text))])
        assert found is not None
        mean = reader.means(text, "user", "", [(0, len(text))])[0]
        assert found.worth == pytest.approx(float(mean @ reader.heads["good.weight"][:, 0]), abs=1e-4)
        worths.append(found.worth)
    assert worths[0] > worths[1]


def test_given_spans_are_judged_as_those_that_are_found(reader: SmallReader) -> None:
    text = "My budget is 120 euros. Should I buy a new colander?"
    found = list(reader.read(text, "user", ""))
    judged = reader.assess(text, "user", "", [(one.start, one.end) for one in found])
    assert [one.chances for one in judged if one] == [one.chances for one in found]


@pytest.mark.parametrize(
    ("quote", "told"),
    [
        ("I'm allergic to walnuts", "The user is allergic to walnuts."),
        ("i work till 3", "The user works till 3."),
        ("I really want a quiet place", "The user really wants a quiet place."),
        ("my brother's renting a place in Brittany", "The user's brother's renting a place in Brittany."),
        ("I lay awake", "The user lay awake."),
        ("I don't like it", "The user doesn't like it."),
        ("**budget** 120 euros", "Budget 120 euros."),
        ("and she told me", "She told the user."),
        ("we moved in June", "We moved in June."),
        ("I hurt myself", "I hurt myself."),
        ('my go: "I am taking the kids"', 'My go: "I am taking the kids".'),
        ("iPhone 12 is too small", "iPhone 12 is too small."),
        ("Money Forward ME shows my cash", "Money Forward ME shows the user's cash."),
    ],
)
def test_the_owners_words_are_shifted_where_that_is_grammatical(quote: str, told: str) -> None:
    assert worded(quote, Speaker.OWNER, Category.FACT, english=True) == told


@pytest.mark.parametrize(
    ("quote", "told"),
    [
        ("your oven is small", "The user's oven is small."),
        ("you have two options", "The user has two options."),
        ("If you sear it first, it keeps", "If the user sears it first, it keeps."),
    ],
)
def test_an_assistants_you_is_the_owner(quote: str, told: str) -> None:
    assert worded(quote, Speaker.ASSISTANT, Category.FACT, english=True) == told


def test_a_question_gets_its_mark_and_words_of_another_language_stay() -> None:
    assert worded("do I need a new one", Speaker.OWNER, Category.OPEN_QUESTION, english=True) == (
        "Does the user need a new one?"
    )
    assert worded("-20 °C is too cold", Speaker.OWNER, Category.FACT, english=True) == "-20 °C is too cold."
    assert worded("ich arbeite bis 3", Speaker.OWNER, Category.FACT, english=False) == "Ich arbeite bis 3."


WORDS = st.lists(
    st.sampled_from(["I", "my", "me", "walk", "not", "budget", "120", "the", "you", "never", "maybe"]),
    min_size=1,
    max_size=40,
)


@settings(deadline=None)
@given(WORDS, st.sampled_from(list(Speaker)), st.sampled_from(list(Category)))
def test_no_number_and_no_negation_is_lost_or_put_in(
    words: list[str], speaker: Speaker, category: Category
) -> None:
    quote = " ".join(words)
    told = worded(quote, speaker, category, english=True)
    for kept in ("120", "not", "never", "maybe", "budget", "walk"):
        stem = kept[:4]
        assert told.lower().count(stem) == quote.lower().count(stem)


@given(st.text(min_size=1, max_size=400))
def test_a_text_that_is_too_long_is_cut_to_a_notes_length(text: str) -> None:
    if text.strip() and not fits(text):
        assert fits(shortened(text))


def spare(text: str, *said: str) -> list[tuple[int, int]]:
    return [(text.index(one), text.index(one) + len(one)) for one in said]


@pytest.mark.parametrize(
    ("text", "loose", "told"),
    [
        (
            "I really need you to know the names",
            ("really", "need", "you", "know"),
            "I need you to know the names",
        ),
        (
            "I also want to just keep it for later",
            ("also", "want", "just", "it"),
            "I want to keep it for later",
        ),
        ("a name that covers both, honestly", ("that covers", "honestly"), "a name that covers both,"),
        ("the very old slipway of Oban", ("very old", "of"), "the slipway Oban"),
    ],
)
def test_no_cut_takes_a_subject_or_its_verb(text: str, loose: tuple[str, ...], told: str) -> None:
    assert without(text, 0, len(text), spare(text, *loose)) == told


@pytest.mark.parametrize(
    ("quote", "told"),
    [
        ("both written and verbal, and", "Both written and verbal."),
        ("It was either slate or", "It was either slate."),
        ("rock and roll", "Rock and roll."),
        ("but and", "And."),
    ],
)
def test_what_only_joins_on_goes_at_both_ends(quote: str, told: str) -> None:
    assert worded(quote, Speaker.ASSISTANT, Category.FACT, english=True) == told


@pytest.mark.parametrize(
    ("quote", "told"),
    [
        (".5 mg of melatonin is enough", ".5 mg of melatonin is enough."),
        ("--force deletes the lock", "--force deletes the lock."),
        ("- a list mark", "A list mark."),
        ("so far the roof holds", "So far the roof holds."),
        ("but for Ana nobody came", "But for Ana nobody came."),
        ("so the roof holds", "The roof holds."),
        ("my mother is ill since May", "The user's mother is ill since May."),
        ("ill call Ana tomorrow", "The user will call Ana tomorrow."),
        ("the form needs an id number", "The form needs an id number."),
        ("the coal mine closed", "The coal mine closed."),
        ("that bike is mine", "That bike is the user's."),
        ("World War I began in 1914", "World War I began in 1914."),
        ("Yesterday I went home", "Yesterday the user went home."),
        ("On Monday I start", "On Monday the user starts."),
        ("the plan I have is cheap", "The plan the user has is cheap."),
        ("I'd sold the car", "The user had sold the car."),
        ("I'd like tea", "The user would like tea."),
        ("my boss said 'I will resign in May'", "My boss said 'I will resign in May'."),
        ("Ana and I are moving", "Ana and I are moving."),
    ],
)
def test_what_only_looks_like_i_is_left_alone(quote: str, told: str) -> None:
    assert worded(quote, Speaker.OWNER, Category.FACT, english=True) == told
