"""What a page tells, on its way out: masked again, since a page is copied to places that the vault is not."""

from __future__ import annotations

from dataclasses import replace

from inference.secret_cover import form_in, shown_quote, uncovered
from schemas.thread import MapLine, Thread, ThreadMap
from vault.engrams import Summarised, Tie, ToldNote


def masked_note(note: ToldNote) -> ToldNote:
    """The note with its texts, quotes and title masked."""
    withheld = form_in(note.first_text) is not None
    return replace(
        note,
        text=uncovered(note.text),
        first_text=uncovered(note.first_text),
        conversation=note.conversation and uncovered(note.conversation),
        quotes=tuple(shown_quote(one, withheld=withheld) for one in note.quotes),
    )


def masked_tie(tie: Tie) -> Tie:
    """The relation with the texts of both notes masked."""
    return replace(tie, unit_text=uncovered(tie.unit_text), other_text=uncovered(tie.other_text))


def masked_conversation(one: Summarised) -> Summarised:
    """The conversation with its title and summary masked."""
    return replace(one, title=one.title and uncovered(one.title), text=uncovered(one.text))


def masked_thread(thread: Thread) -> Thread:
    """The thread with its label masked."""
    return thread.model_copy(update={"label": uncovered(thread.label)})


def masked_map(made: ThreadMap) -> ThreadMap:
    """The map with every line masked."""
    parts = {
        name: tuple(line.model_copy(update={"text": uncovered(line.text)}) for line in lines)
        for name in ThreadMap.model_fields
        if isinstance(lines := getattr(made, name), tuple) and all(isinstance(one, MapLine) for one in lines)
    }
    return made.model_copy(update={**parts, "text": uncovered(made.text)})
