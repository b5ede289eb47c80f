"""Windows of a chunk that is larger than what the embedder takes in at once. For embedding only.

The chunk stays one chunk for retrieval. Windows end where its structure lets them: after a block, else after
a table row or list item, else after a sentence or line of code, and only in a sentence longer than the window
after a word. A table's header is repeated in what is embedded, not in the spans.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from chunking.blocks import Block, outline, plain_line_ends
from chunking.sentences import sentences
from chunking.tokens import CountTokens


class Window(NamedTuple):
    """A span of the text, in code points, and what is embedded for it: its words, under a table's header."""

    start: int
    end: int
    text: str


Span: TypeAlias = tuple[int, int]
_Splitter: TypeAlias = Callable[[Span], list[Span]]


def embedding_windows(text: str, count: CountTokens, limit: int) -> list[Window]:
    """Split a text into windows of at most `limit` tokens whose spans, in order, cover it without gaps.

    `count` should add up over parts set apart by white space, as a word-piece tokenizer's count does; where
    it does not, a window may exceed the limit by the difference. A single character is never split. An
    empty text has no window. Takes time in proportion to the text, times the depth of its lists.
    """
    if limit < 1:
        raise ValueError(f"a window of {limit} tokens holds nothing")
    if not text:
        return []
    if count(text) <= limit:
        return [Window(0, len(text), text)]
    blocks = outline(text).blocks
    by_start = {block.start: block for block in blocks}
    packer = _Packer(text, count, limit)
    packer.pack([(block.start, block.end) for block in blocks], lambda span: packer.block(by_start[span[0]]))
    return packer.windows


class _Packer:
    """The windows made so far; holds the text, the count and the limit for the functions that make them."""

    def __init__(self, text: str, count: CountTokens, limit: int) -> None:
        self.text, self.count, self.limit = text, count, limit
        self.plain = plain_line_ends(text)
        self.windows: list[Window] = []

    def pack(self, spans: Iterable[Span], too_large: Callable[[Span], None], header: str = "") -> None:
        """Join neighbouring spans as long as they fit; hand a span that does not fit alone to `too_large`."""
        room = self.limit - (self.count(header) if header else 0)
        start, end, used = -1, -1, 0
        for span in spans:
            size = self.count(self.text[span[0] : span[1]])
            if start >= 0 and used + size > room:
                self._close(start, end, header)
                start, used = -1, 0
            if size > room:
                too_large(span)
            else:
                start, end, used = (start if start >= 0 else span[0]), span[1], used + size
        if start >= 0:
            self._close(start, end, header)

    def _close(self, start: int, end: int, header: str) -> None:
        self.windows.append(Window(start, end, header + self.text[start:end]))

    def block(self, block: Block) -> None:
        """A block that does not fit into a window."""
        span = (block.start, block.end)
        if block.kind == "table":
            self._table(span)
        elif block.items:
            self._finer([*_by_items(block), self._by_sentences], span)
        elif block.kind in ("paragraph", "blockquote", "footnote"):
            self._finer([self._by_sentences], span)
        else:
            self._finer([self._by_lines], span)

    def _finer(self, splitters: list[_Splitter], span: Span) -> None:
        """Split by the first splitter, what is still too large by the next, and at last between words."""
        if splitters:
            self.pack(splitters[0](span), lambda part: self._finer(splitters[1:], part))
        else:
            self._halve(span)

    def _halve(self, span: Span) -> None:
        """Between two words near the middle, as often as needed; inside a word where there is no other."""
        waiting = [span]
        while waiting:
            start, end = waiting.pop()
            own = self.text[start:end]
            if end - start < 2 or self.count(own) <= self.limit:
                self.windows.append(Window(start, end, own))
                continue
            middle = (start + end) // 2
            gap = max(self.plain.rfind(blank, start, middle) for blank in " \n\t") + 1
            cut = gap if gap > start + (end - start) // 4 else middle
            waiting += [(cut, end), (start, cut)]

    def _table(self, span: Span) -> None:
        """Rows under the table's header, as long as the header takes no more than half of a window."""
        header_line, rule, *rows = self._by_lines(span)
        header = self.text[header_line[0] : rule[1]]
        if not rows or 2 * self.count(header) > self.limit:
            self.pack([header_line, rule, *rows], self._halve)
            return
        first = len(self.windows)
        self.pack(rows, self._halve, header)
        if self.windows[first].text.startswith(header):
            self.windows[first] = self.windows[first]._replace(start=span[0])
        else:
            self.windows.insert(first, Window(span[0], rule[1], header))

    def _by_lines(self, span: Span) -> list[Span]:
        spans = []
        at, end = span
        while at < end:
            after = self.plain.find("\n", at, end) + 1 or end
            spans.append((at, after))
            at = after
        return spans

    def _by_sentences(self, span: Span) -> list[Span]:
        return [(span[0] + start, span[0] + end) for start, end in sentences(self.text[span[0] : span[1]])]


def _by_items(block: Block) -> list[_Splitter]:
    """One splitter a depth of the list: it begins a part at every item of that depth."""

    def at_depth(depth: int) -> _Splitter:
        starts = [item.start for item in block.items if item.depth == depth]

        def split(span: Span) -> list[Span]:
            inside = starts[bisect_right(starts, span[0]) : bisect_left(starts, span[1])]
            cuts = [span[0], *inside, span[1]]
            return list(pairwise(cuts))

        return split

    return [at_depth(depth) for depth in sorted({item.depth for item in block.items})]
