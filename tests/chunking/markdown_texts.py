"""Markdown to try the chunker on: fragments that matter to block structure, put together at random."""

from __future__ import annotations

from hypothesis import strategies as st

_LINES = [
    "",
    "",
    "   ",
    "\t",
    "words",
    "words and | a pipe",
    "# A",
    "## B ##",
    "### *C* `d`",
    "#### D",
    "##### E",
    "#",
    "#no",
    "   ## F",
    "    # code",
    "Title",
    "===",
    "---",
    "--",
    "-",
    "- item",
    "- - - nested",
    "-\t tab",
    "* item",
    "* * *",
    "***",
    "**bold**",
    "_ _ _",
    "__init__",
    "+ plus",
    "1. one",
    "2) two",
    "1234567890. no",
    "  continued",
    "    more",
    "   - deeper",
    "      - deepest",
    "- # in item",
    "- ```",
    "> quote",
    "> # in quote",
    "> - x",
    ">",
    ">>> deep",
    "```",
    "````",
    "```py",
    "``` a`b",
    "~~~",
    "~~~~",
    "   ```",
    "    ```",
    "  ```",
    "`code`",
    "| a | b |",
    "|---|---|",
    "--|--",
    ":-:|",
    "| 1 | 2 |",
    "<div>",
    "</div>",
    "<!--",
    "-->",
    "<!-- one line -->",
    "<pre>",
    "</pre> tail",
    "<br> tail",
    "<a href='x'>",
    "<b",
    "<https://example.org>",
    "<?php",
    "?>",
    "<!DOCTYPE x",
    "<![CDATA[",
    "]]>",
    "[ref]: /url 'title'",
    "[ref]:",
    "[a",
    "[x](y) words",
    "[^1]: Note",
    "[^1]:",
    "$$",
    "$$ x $$",
    "$$ y",
    "\\[",
    "\\]",
    "=",
    "...",
    "- [ ] task",
    "\u2028# no",
    "\x0c# no",
    "\ufeff# no",
    "e\u0301 🙂 会議。行く！",
    "A. B? c! Use e.g. Redis.",
    "\\# escaped",
    "&amp; a_b_c **x",
]

_ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])


@st.composite
def markdown(draw: st.DrawFn, front_matter: bool = True) -> str:
    """A text of up to 25 such lines, some with a wild character, in one or mixed line endings."""
    lines = draw(st.lists(st.sampled_from(_LINES) | st.text(max_size=6), max_size=25))
    if front_matter and draw(st.integers(0, 5)) == 0:
        lines = ["---", "key: value", "# comment", "---", *lines]
    one_kind = draw(st.booleans())
    ends = [draw(_ENDS)] * len(lines) if one_kind else [draw(_ENDS) for _ in lines]
    text = "".join(line + end for line, end in zip(lines, ends, strict=True))
    mark = "\ufeff" if draw(st.integers(0, 9)) == 0 else ""
    return mark + (text.rstrip("\r\n") if draw(st.booleans()) else text)
