"""Questions with their answers in files: written down as a model answers, or answered from.

    --record DIR: service -> sender -> DIR/answers.jsonl and whoever asked
    --replay DIR: DIR/answers*.jsonl(.xz) -> sender -> whoever asked; no key, no network, no cost

A question is named by its prompt, its text with secrets masked, and the form of its answer (`Call.asked`), so
a recording holds whoever is asked. It holds what people said: it is as private as the archive.
"""

from __future__ import annotations

import json
import lzma
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from inference.budget import Budget
from inference.calls import Call, Deliver, Sender, Sent, StoredResponse
from inference.language_model import ModelQuestion
from inference.prices import own_price
from inference.provider import Provider
from inference.store import Store
from inference.wrapped import Wrapped
from schemas.base import Noun, sha256_text
from schemas.errors import InputError, PathMissing, UsageError

FILE = "answers.jsonl"
NOT_RECORDED = "not recorded"


class Recorded(Noun):
    """A question and its answer."""

    asked: str
    """`Call.asked`."""
    prompt: str
    """Name and version of the prompt."""
    text: str
    """What was asked beside the prompt."""
    answer: StoredResponse


def read_recordings(folder: Path) -> dict[str, Recorded]:
    """The recordings of a folder by `asked`; of one question the last.

    A last line without its end is left out: whoever wrote it was stopped. Raises PathMissing and InputError.
    """
    files = sorted((*folder.glob("answers*.jsonl"), *folder.glob("answers*.jsonl.xz")))
    if not files:
        raise PathMissing(
            "no recorded answers are there", where=str(folder), remedy=f"Name a folder that holds {FILE}"
        )
    return {one.asked: one for file in files for one in _recordings(file)}


def _recordings(file: Path) -> Iterator[Recorded]:
    try:
        raw = lzma.decompress(file.read_bytes()) if file.suffix == ".xz" else file.read_bytes()
    except lzma.LZMAError as error:
        raise InputError("the recorded answers are damaged", where=str(file), why=str(error)) from error
    *lines, rest = raw.split(b"\n")
    for number, line in enumerate([*lines, rest] if file.suffix == ".xz" else lines, start=1):
        if line.strip():
            try:
                yield Recorded.model_validate_json(line)
            except ValidationError as error:
                raise InputError(
                    "a line is no recorded answer",
                    where=f"{file}:{number}",
                    why=f"{error.errors()[0]['msg']} ({error.errors()[0]['loc']})",
                    remedy="Take the line out",
                ) from error


def write_recording(folder: Path, recorded: Recorded) -> None:
    """Add a recording to a folder, durably; the file is the owner's alone."""
    folder.mkdir(parents=True, exist_ok=True)
    line = json.dumps(recorded.model_dump(mode="json"), ensure_ascii=False) + "\n"
    file = os.open(folder / FILE, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        size = os.fstat(file).st_size
        # a line that a crash cut off must not swallow this one
        torn = size > 0 and os.pread(file, 1, size - 1) != b"\n"
        os.write(file, (b"\n" if torn else b"") + line.encode())
        os.fsync(file)
    finally:
        os.close(file)


class Recording:
    """A sender that writes down what it is answered."""

    def __init__(self, sender: Sender, folder: Path) -> None:
        self._sender, self._folder = sender, folder
        self.mode, self.hour_cache = sender.mode, sender.hour_cache

    def close(self) -> None:
        """See `Sender.close`."""
        self._sender.close()

    def send(self, calls: Sequence[Call], deliver: Deliver) -> frozenset[str]:
        """See `Sender.send`. An answer is written down after it was delivered, and so is in the store."""
        by_key = {call.key: call for call in calls}

        def note(sent: Sent) -> None:
            deliver(sent)
            if sent.answer is not None and (call := by_key.get(sent.call.key)):
                told = Recorded(asked=call.asked, prompt=call.prompt, text=call.shown, answer=sent.answer)
                write_recording(self._folder, told)

        return self._sender.send(calls, note)


class Replay:
    """A sender that answers from recordings."""

    mode = "replay"
    hour_cache = False

    def __init__(self, recordings: Mapping[str, Recorded]) -> None:
        self._recordings = recordings

    def close(self) -> None:
        """Nothing is open."""

    def send(self, calls: Sequence[Call], deliver: Deliver) -> frozenset[str]:
        """See `Sender.send`."""
        for call in calls:
            found = self._recordings.get(call.asked)
            answer, problem = (found.answer, "") if found else (None, NOT_RECORDED)
            deliver(Sent(call, answer, problem, seconds=0.0, attempts=1))
        return frozenset()


class RecordingProvider(Wrapped):
    """A provider whose answers are written down."""

    def __init__(self, provider: Provider, folder: Path) -> None:
        super().__init__(provider)
        self._folder = folder

    def sender(self, budget: Budget, store: Store, /) -> Sender:
        """See `Provider.sender`."""
        return Recording(super().sender(budget, store), self._folder)


class ReplayProvider(Wrapped):
    """What a folder holds, asked as another provider is asked. It costs nothing, and its notes are by whoever
    gave the recorded answers."""

    def __init__(self, provider: Provider, folder: Path) -> None:
        super().__init__(provider)
        self._recordings = read_recordings(folder)
        self.model = "+".join(sorted({one.answer.model for one in self._recordings.values()}))
        self.url, self.price, self.priced_by = "replay", own_price(), "no price"

    def call(self, question: ModelQuestion[Any]) -> Call:
        """See `Provider.call`. A recorded answer has a name of its own in the store, and is never taken for
        the service's."""
        call = super().call(question)
        return replace(call, key=sha256_text(f"replay {self.model} {call.asked}"), most_usd=0.0)

    def sender(self, _budget: Budget, _store: Store, /) -> Sender:
        """See `Provider.sender`."""
        return Replay(self._recordings)


def taped(provider: Provider, record: Path | None, replay: Path | None) -> Provider:
    """The provider, with its answers written down or taken from a folder where one is named.

    Raises UsageError for both, and what `read_recordings` raises.
    """
    if record and replay:
        raise UsageError(
            "answers are recorded or replayed, not both", remedy="Leave --record or --replay out"
        )
    if replay:
        return ReplayProvider(provider, replay)
    return RecordingProvider(provider, record) if record else provider
