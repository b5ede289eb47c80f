"""Extraction takes time that grows as a message and as a conversation do, and no faster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from extract_talks import build
from growth import Shape, Work, counted, grows_linearly, too_fast
from numpy.typing import NDArray

from curation.gate import judge
from curation.gate_input import SourceContext
from extract.markdown_runs import parse_blocks
from extract.model.notes.note_windows import cut_windows, unit_windows
from extract.model.notes.numbering import numbered_sheet
from extract.offline_engine import extract_units
from extract.reader.note_wording import cleaned, shortened, worded
from extract.reader.segmentation import LONGEST
from extract.reader.small_reader import ATTRIBUTES, SmallReader
from extract.reader.talk_windows import WindowCutter
from extract.retell.session_summary import summarise
from extract.retell.thread_map import SessionNotes, ThreadNotes, thread_map
from extract.segments import refine_segments
from extract.threads.word_profile import profile_of
from flows.batches.batch_stages import chunks_of
from flows.batches.search_points import points_of
from inference.finetuned import FineTuned
from inference.language_model import Reach
from inference.minilm import open_tokenizer
from inference.weights import find_weights
from schemas.conversation import Conversation
from schemas.thread import Thread
from schemas.unit import Category, Evidence, Speaker, State, Unit

SIZE = 8_000
SHEET_SIZE = 16_000
"""A sheet is cut into windows of some thousand characters: of a short text it is one window."""
TOKENIZER = open_tokenizer(find_weights())
CUTTER = WindowCutter(TOKENIZER)
SPAN = 5
"""Tokens of a span."""

Array = NDArray[np.float32]


class EagerEncoder(FineTuned):
    """Stands in for the shipped encoder, whose states cost a hundred times what is compared here: every
    `SPAN` tokens are a span, whatever they say, as no text would have it do."""

    def __init__(self) -> None:
        self.tokenizer = TOKENIZER
        self.metadata: Mapping[str, str] = {}
        sides = {
            "bio": (1, 3), "last": (1, 1), "opens": (1, 1), "closes": (1, 1), "lengths": (1, LONGEST),
            "kept": (1, 2), "unit": (3, 2), "asks": (3, 1), "answers": (1, 1), "nothing": (3, 1),
            **{name: (3, len(values)) for name, values in ATTRIBUTES.items()},
        }  # fmt: skip
        self.heads: Mapping[str, Array] = {
            **{f"{name}.weight": np.zeros(side, np.float32) for name, side in sides.items()},
            **{f"{name}.bias": np.zeros(side[1], np.float32) for name, side in sides.items()},
            "bio.weight": np.array([[0, 18, -18]], np.float32),
            "bio.bias": np.array([0, -9, 9], np.float32),
        }

    def hidden(self, ids: Sequence[int]) -> Array:
        return np.array([[place % SPAN == 0] for place in range(len(ids))], np.float32)


READER = SmallReader(EagerEncoder())
OWNERS = Reach(owner_only=True)


def refined(text: str) -> object:
    talk = build(("user", text))
    return refine_segments(talk.messages[0], talk)


STAGES: dict[str, Work] = {
    "blocks": parse_blocks,
    "segments": refined,
    "windows": lambda text: list(CUTTER.cut(text, "user", "")),
    "words before": lambda text: [list(one.words_before(99)) for one in CUTTER.cut(text, "user", "")],
    "cleaned": cleaned,
    "worded, of the owner": lambda text: worded(text, Speaker.OWNER, Category.FACT, english=True),
    "worded, of the assistant": lambda text: worded(text, Speaker.ASSISTANT, Category.FACT, english=True),
    "shortened": shortened,
    "profile": lambda text: profile_of(build(("user", text))),
    "sheet of the owner's side": lambda text: unit_windows(numbered_sheet(build(("user", text))), OWNERS),
    "sheet for a model": lambda text: cut_windows(numbered_sheet(build(("user", text)))),
}


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_is_linear(stage: str) -> None:
    assert too_fast(STAGES[stage], SHEET_SIZE if stage.startswith("sheet") else SIZE) == []


def work_on(talk: Conversation) -> None:
    """Extraction, the gate, the summary, chunks and points of a conversation."""
    extraction = extract_units(talk, READER)
    heard = SourceContext({one.id: one.text for one in talk.messages}, talk.title or "")
    for unit in extraction.units:
        judge(unit, heard)
    summary = summarise(talk, extraction.units)
    units = [(unit, State.PASSED) for unit in extraction.units]
    list(points_of(talk, units, chunks_of(talk), lambda _, body: [body], summary))


LONG: dict[str, Shape] = {
    unit: counted(unit)
    for unit in (
        *("{}, ", "“w{}” ", "(w{}) ", "w{}、", "w{}: ", "word{} ", "w{}\n\n", "I go to Rome by train {}. "),
        *("**N**ame{} met the **B**ob. ", "- I decided on plan{}\n", "I will buy seed{}. "),
    )
}


@pytest.mark.parametrize("said", LONG)
def test_a_long_message_is_linear(said: str) -> None:
    """No text comes twice in it, so every span of it is a note of its own."""
    assert grows_linearly(lambda text: work_on(build(("user", text))), LONG[said], 4_000)


def many_messages(text: str) -> Conversation:
    """Every line a message; an empty line is a message without words."""
    lines = text.split("\n")
    return build(*(("user" if place % 3 else "assistant", line) for place, line in enumerate(lines)))


@pytest.mark.parametrize("said", ["I went to town{} by train.\n", "a{}\n", "\n\n\n\n\n\n\n\n\n"])
def test_a_long_conversation_is_linear(said: str) -> None:
    assert grows_linearly(lambda text: work_on(many_messages(text)), counted(said), 4_000)


def session(text: str, category: Category) -> SessionNotes:
    """A session every line of which is a note, all of them in its last message."""
    cited = Evidence(message_id="m", start=0, end=len(text), quote=text, text_hash="")
    units = tuple(
        Unit(
            id=line,
            account="test",
            conversation_id=category,
            category=category,
            text=line,
            speaker=Speaker.OWNER,
            evidence=(cited.model_copy(update={"quote": line, "end": len(line)}),),
            said_at=None,
            extractor="test/1",
        )
        for line in text.split("\n")
    )
    return SessionNotes(category, None, None, None, "m", units, None)


def charted(text: str) -> None:
    """The map of a thread whose first session ends with questions and whose second is full of decisions."""
    asked, decided = (session(text, one) for one in (Category.OPEN_QUESTION, Category.DECISION))
    thread = Thread(id="t", account="test", label="Words", conversation_ids=())
    apart = [unit.model_copy(update={"text": f"{unit.text} instead of salt"}) for unit in decided.units]
    thread_map(ThreadNotes(thread, (asked, replace(decided, units=tuple(apart))), {}, {}))


@pytest.mark.parametrize("said", ["buy seed{} of rye\n", "sow{0} reap{0} rye\n"])
def test_a_thread_map_is_linear(said: str) -> None:
    assert grows_linearly(charted, counted(said), 8_000)
