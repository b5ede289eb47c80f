"""What one question shows: a run of sentences to make notes of, and the sentences before it to understand
them by.

Every sentence is in exactly one window's run, so windows together lose and repeat nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources

from pydantic import BaseModel

from extract.model.numbering import Sentence, Sheet
from inference.fence import fenced
from inference.language_model import Question, Reach, read_prompt
from inference.prices import estimate_tokens

PROMPT = read_prompt(resources.files("extract") / "prompts", "units", 2)

WINDOW_TOKENS = Reach().detail
"""Tokens of a window's sentences, where a provider does not say otherwise."""
WINDOW_SENTENCES = 250
OVERLAP_TOKENS = 500
OUTPUT_SHARE = 1.1
"""Tokens of an answer for each token of sentences: 1.06 by `benchmarks/model_output.py 10` over RealMem. A
note is about as long as the words it stands on, many are those words and are answered by `=`, and numbers,
category and anchor add some nine tokens."""
_ANSWER_ROOM = 400


class WindowAnswer(BaseModel):
    """The form of an answer."""

    units: list[str]
    """One line a note: `<sentences>|<category letter>|<anchor>|<note>`."""
    empty: list[int]
    """Numbers of sentences that carry no meaning of their own."""


@dataclass(frozen=True, slots=True)
class Window:
    """A run of sentences, with those before it that are shown along."""

    before: tuple[Sentence, ...]
    own: tuple[Sentence, ...]


def cut_windows(
    sheet: Sheet, most_tokens: int = WINDOW_TOKENS, most_sentences: int = WINDOW_SENTENCES
) -> list[Window]:
    """The windows of a conversation, in order. A conversation that fits is one window.

    A window ends early, before a message of the owner, where it is three quarters full: question and answer
    stay together. Sentences too long to be shown are in no window.
    """
    fitting = [sentence for sentence in sheet.sentences if sentence.fits]
    windows: list[Window] = []
    own: list[Sentence] = []
    size = 0
    for place, sentence in enumerate(fitting):
        tokens = estimate_tokens(sentence.shown) + 3
        full = size + tokens > most_tokens or len(own) == most_sentences
        turns = size > 0.75 * most_tokens and sentence.message is not own[-1].message
        if own and (full or (turns and sentence.heading.startswith("user"))):
            windows.append(_window(fitting, place - len(own), own))
            own, size = [], 0
        own.append(sentence)
        size += tokens
    if own:
        windows.append(_window(fitting, len(fitting) - len(own), own))
    return windows


def _window(shown: Sequence[Sentence], first: int, own: Sequence[Sentence]) -> Window:
    """The window of `own`, which begins at `first` among all that is shown."""
    before: list[Sentence] = []
    size = 0
    for sentence in (shown[place] for place in range(first - 1, -1, -1)):
        size += estimate_tokens(sentence.shown) + 3
        if size > OVERLAP_TOKENS:
            break
        before.append(sentence)
    return Window(tuple(reversed(before)), tuple(own))


def window_question(window: Window) -> Question[WindowAnswer]:
    """The question about a window."""
    expected = int(OUTPUT_SHARE * estimate_tokens("\n".join(_listed(window.own)))) + 20
    return Question(PROMPT, shown(window), WindowAnswer, expected, 2 * expected + _ANSWER_ROOM)


def shown(window: Window) -> str:
    """A window as text: its sentences under who speaks, fenced, and which of them are its own."""
    parts = []
    if window.before:
        parts.append(fenced("before", "\n".join(_listed(window.before))))
    parts.append(fenced("conversation", "\n".join(_listed(window.own))))
    parts.append(f"Sentences {window.own[0].number} to {window.own[-1].number}.")
    return "\n".join(parts)


def _listed(sentences: Sequence[Sentence]) -> Iterator[str]:
    """Each message under who speaks, each sentence under its number."""
    last: tuple[str, str] | None = None
    for sentence in sentences:
        here = (sentence.message.id, sentence.heading)
        if here != last:
            yield f"{sentence.heading}:"
        last = here
        yield f"{sentence.number} {sentence.shown}"
