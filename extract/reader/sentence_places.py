"""The sentences of a text, found by place without going through them all."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from chunking.language import sentences


class Sentences:
    """The sentences of a text: `starts[i]` and `ends[i]` of each, in order and apart, in code points."""

    def __init__(self, text: str) -> None:
        spans = list(sentences(text))
        self.starts = [start for start, _ in spans]
        self.ends = [end for _, end in spans]

    def under(self, start: int, end: int) -> tuple[int, int] | None:
        """The indexes of the first and last sentence that a span has a part of; None where it has of none."""
        first, last = bisect_right(self.ends, start), bisect_left(self.starts, end) - 1
        return (first, last) if first <= last else None
