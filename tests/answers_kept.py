"""What an open model answered is kept: asked the same again within a test process, it computes nothing.

Many tests read the same few sentences, each into a vault of its own, and a model is the larger part of that.
It is the model's own answer, to the last bit, of the very session that is asked: a session opened anew, such
as one on another graph, computes everything afresh.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import pytest

from schemas.deferred import deferred

runtime = deferred("inference.runtime")  # the first test imports it, and not whoever only collects

KEPT_BYTES = 48 << 20
"""Of answers a session; the oldest go. The states of a sentence take 30 KB, of the longest text 0.8 MB."""

Answer = list[Any]
"""Arrays of numpy."""


class _Answers:
    """By what a session was given: what it answered."""

    def __init__(self) -> None:
        self._known: OrderedDict[object, Answer] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()  # a text's batches are embedded by several threads

    def get(self, given: object) -> Answer | None:
        with self._lock:
            found = self._known.get(given)
            if found is not None:
                self._known.move_to_end(given)
        return found and [one.copy() for one in found]

    def keep(self, given: object, answer: Answer) -> None:
        with self._lock:
            if given in self._known:
                return
            self._known[given] = [one.copy() for one in answer]
            self._bytes += _size(answer)
            while self._bytes > KEPT_BYTES:
                self._bytes -= _size(self._known.popitem(last=False)[1])


def _size(answer: Answer) -> int:
    return sum(one.nbytes for one in answer)


@contextmanager
def answers_kept() -> Iterator[None]:
    """Until this ends, sessions of onnxruntime answer what they were asked before from memory."""
    sessions: WeakKeyDictionary[object, _Answers] = WeakKeyDictionary()
    kind = runtime.onnxruntime.InferenceSession
    compute = kind.run

    def run(
        session: object, names: Sequence[str] | None, given: Mapping[str, Any], *options: object
    ) -> Answer:
        answers = sessions.setdefault(session, _Answers())
        values = ((name, value.dtype.str, value.shape, value.tobytes()) for name, value in given.items())
        asked = (tuple(names or ()), *values)
        answer = answers.get(asked)
        if answer is None:
            answer = compute(session, names, given, *options)
            answers.keep(asked, answer)
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kind, "run", run)
        yield
