"""What one question shows: a run of sentences to make notes of, and the sentences that are shown along to
understand them by.

Every sentence is in exactly one window's run, so windows together lose and repeat nothing; where only the
owner's side is read, every sentence that is not the assistant's. A question for a small local model has a
short prompt and a small window: it loses lines of a longer one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from itertools import groupby
from typing import Annotated

from pydantic import BaseModel, BeforeValidator

from extract.model.notes.claims import joined, numbers_in
from extract.model.notes.named_paths import lines_of_paths
from extract.model.notes.numbering import Sentence, Sheet
from inference.fence import fenced
from inference.language_model import REACH, ModelQuestion, Prompt, Reach, read_prompt
from inference.prices import estimate_tokens
from schemas.conversation import Conversation
from schemas.unit import Speaker

_FOLDER = resources.files("extract") / "prompts"
PROMPT = read_prompt(_FOLDER, "units", 4)
SMALL_PROMPT = read_prompt(_FOLDER, "units-small", 2)
FILING = read_prompt(_FOLDER, "filing", 1)
SMALL_FILING = read_prompt(_FOLDER, "filing-small", 1)
"""What follows one of these where answers are to say where notes belong; the paths follow them."""

WINDOW_SENTENCES = 250
OVERLAP_TOKENS = 500
_OVERLAP_SHARE = 0.12
"""Tokens before a window that are shown along: a share of the window's, and not more than those."""
ANSWERED_TOKENS = 250
"""Tokens of what the assistant said right before the owner's words, its end, where only these are read: what
they accept, refuse or choose from."""
TOKENS_PER_TOKEN, TOKENS_PER_SENTENCE = 0.5, 23
"""Of an answer, for each token of the sentences and for each sentence: numbers, category, anchor and the
words that a note needs to be understood cost more where sentences are short. Fitted on the answers of
`data/recorded`: within 7% of each of their sources (`benchmarks/quality/recorded_cost.py`)."""
PATH_TOKENS = 4
"""Tokens that the paths take in an answer, for each sentence: a line of some 15 for each stretch of a talk.
An estimate: no answer was measured."""
_ANSWER_ROOM = 400
_TITLE = 200


class WindowAnswer(BaseModel):
    """The form of an answer."""

    units: Annotated[list[str], BeforeValidator(joined)]
    """One line a note: `<sentences>|<category letter>|<anchor>|<note>`."""
    empty: Annotated[list[int], BeforeValidator(numbers_in)] = []
    """Numbers of sentences that carry no meaning of their own."""


class FiledAnswer(WindowAnswer):
    """The form of an answer that says where its notes belong."""

    paths: Annotated[list[str], BeforeValidator(lines_of_paths)] = []
    """One line a path: `<sentences>|<path>`."""


@dataclass(frozen=True, slots=True)
class NoteWindow:
    """A run of sentences, with those that are shown along."""

    along: tuple[Sentence, ...]
    """Those before the run, and those of the assistant in it where only the owner's side is read."""
    own: tuple[Sentence, ...]
    about: str = ""
    """Title and date of the conversation, a line each."""
    account: str = ""
    """Whose conversation it is: questions of one account may travel together. "" is asked about alone."""


def unit_windows(sheet: Sheet, reach: Reach = REACH) -> list[NoteWindow]:
    """The windows whose sentences a model of that reach is to make notes of, in order."""
    if reach.owner_only:
        return _owners_windows(sheet, reach.detail)
    return cut_windows(sheet, reach.detail)


def is_read(sentence: Sentence, reach: Reach) -> bool:
    """Whether a model of that reach makes notes of a sentence."""
    return sentence.fits and not (reach.owner_only and sentence.speaker is Speaker.ASSISTANT)


def cut_windows(
    sheet: Sheet, most_tokens: int = REACH.detail, most_sentences: int = WINDOW_SENTENCES
) -> list[NoteWindow]:
    """The windows of a conversation, in order. A conversation that fits is one window.

    A window ends early, before a message of the owner, where it is three quarters full: question and answer
    stay together. Sentences too long to be shown are in no window.
    """
    fitting = [sentence for sentence in sheet.sentences if sentence.fits]
    windows: list[NoteWindow] = []
    own: list[Sentence] = []
    size = 0

    def closed(place: int) -> NoteWindow:
        """The window that ends before a place."""
        before = _before(fitting, place - len(own), min(OVERLAP_TOKENS, int(_OVERLAP_SHARE * most_tokens)))
        return NoteWindow(before, tuple(own), about(sheet.conversation), sheet.conversation.account)

    for place, sentence in enumerate(fitting):
        tokens = estimate_tokens(sentence.shown) + 3
        full = size + tokens > most_tokens or len(own) == most_sentences
        turns = size > 0.75 * most_tokens and sentence.message is not own[-1].message
        if own and (full or (turns and sentence.heading.startswith("user"))):
            windows.append(closed(place))
            own, size = [], 0
        own.append(sentence)
        size += tokens
    if own:
        windows.append(closed(len(fitting)))
    return windows


def _owners_windows(sheet: Sheet, most_tokens: int) -> list[NoteWindow]:
    """The windows of the owner's side: runs of what the assistant did not say, each turn with the end of what
    stands before it."""
    fitting = [sentence for sentence in sheet.sentences if sentence.fits]
    windows: list[NoteWindow] = []
    shown: dict[int, Sentence] = {}
    own: list[Sentence] = []

    def close() -> None:
        if own:
            owned = {one.number for one in own}
            along = tuple(one for number, one in sorted(shown.items()) if number not in owned)
            windows.append(
                NoteWindow(along, tuple(own), about(sheet.conversation), sheet.conversation.account)
            )
        shown.clear()
        own.clear()

    for place, sentence in enumerate(fitting):
        if sentence.speaker is Speaker.ASSISTANT:
            continue
        size = sum(estimate_tokens(one.shown) + 3 for one in (*shown.values(), sentence))
        if size > most_tokens or len(own) == WINDOW_SENTENCES:
            close()
        if not own or fitting[place - 1].speaker is Speaker.ASSISTANT:
            shown |= {one.number: one for one in _before(fitting, place, ANSWERED_TOKENS)}
        shown[sentence.number] = sentence
        own.append(sentence)
    close()
    return windows


def windows_again(window: NoteWindow, unread: Sequence[Sentence]) -> list[NoteWindow]:
    """What is asked once more of a window, alone: the sentences that its answer could not be read on.

    A window is at most half as long as the one that failed, so that no question is asked twice; there is none
    for a single sentence that was alone already.
    """
    most = len(window.own) // 2
    shown = sorted((*window.along, *window.own), key=lambda one: one.number)
    places = {sentence.number: place for place, sentence in enumerate(shown)}
    return [
        NoteWindow(
            _before(shown, places[unread[start].number], OVERLAP_TOKENS),
            tuple(unread[start : start + most]),
            window.about,
        )
        for start in range(0, len(unread), most or len(unread) or 1)
        if most
    ]


def about(conversation: Conversation) -> str:
    """A conversation's title and the day on which it began, as far as they are known."""
    title = " ".join((conversation.title or "").split())[:_TITLE]
    dated = (one.created_at for one in conversation.messages if one.created_at)
    began = conversation.created_at or next(dated, None)
    parts = (f"Title: {title}" if title else "", f"Date: {began.date().isoformat()}" if began else "")
    return "\n".join(filter(None, parts))


def _before(shown: Sequence[Sentence], place: int, most_tokens: int) -> tuple[Sentence, ...]:
    """The sentences before a place, as many as the tokens allow."""
    before: list[Sentence] = []
    size = 0
    for sentence in (shown[earlier] for earlier in range(place - 1, -1, -1)):
        size += estimate_tokens(sentence.shown) + 3
        if size > most_tokens:
            break
        before.append(sentence)
    return tuple(reversed(before))


def prompt_for(reach: Reach) -> Prompt:
    """The prompt for notes."""
    return _with_paths(reach.brief, reach.filing) if reach.filing else _plain_prompt(reach.brief)


def prompt_identity(reach: Reach) -> str:
    """What work that used the prompt depends on. Which paths there are is no part of it: a taxonomy that its
    owner edits would otherwise have every conversation read, and paid for, again."""
    identity = _plain_prompt(reach.brief).identity
    return f"{identity} {_filing_prompt(reach.brief).identity}" if reach.filing else identity


def _plain_prompt(brief: bool) -> Prompt:
    return SMALL_PROMPT if brief else PROMPT


def _filing_prompt(brief: bool) -> Prompt:
    return SMALL_FILING if brief else FILING


@lru_cache(maxsize=4)
def _with_paths(brief: bool, listed: str) -> Prompt:
    plain, filing = _plain_prompt(brief), _filing_prompt(brief)
    return Prompt(name=f"{plain.name}+{filing.name}", text=f"{plain.text}\n{filing.text}{listed}\n")


def window_question(window: NoteWindow, reach: Reach = REACH) -> ModelQuestion[WindowAnswer]:
    """The question about a window."""
    read = sum(estimate_tokens(sentence.shown) for sentence in window.own)
    each = TOKENS_PER_SENTENCE + (PATH_TOKENS if reach.filing else 0)
    expected = int(TOKENS_PER_TOKEN * read) + each * len(window.own) + 20
    most = 2 * expected + _ANSWER_ROOM
    form = FiledAnswer if reach.filing else WindowAnswer
    return ModelQuestion(prompt_for(reach), shown(window), form, expected, most, window.account)


def shown(window: NoteWindow) -> str:
    """A window as text: what it is about, its sentences under who speaks, fenced, and which are its own."""
    parts = []
    if window.about:
        parts.append(fenced("about", window.about))
    numbers = [sentence.number for sentence in window.own]
    owned = frozenset(numbers)
    in_order = sorted((*window.along, *window.own), key=lambda one: one.number)
    for is_own, stretch in groupby(in_order, lambda one: one.number in owned):
        parts.append(fenced("conversation" if is_own else "before", "\n".join(_listed(list(stretch)))))
    run = numbers == list(range(numbers[0], numbers[-1] + 1))
    parts.append(f"Sentences {f'{numbers[0]} to {numbers[-1]}' if run else ', '.join(map(str, numbers))}.")
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
