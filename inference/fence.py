"""Archive text inside a prompt: fenced, so that it reads as data and cannot close its own fence."""

from __future__ import annotations

import re

_TAG = re.compile(r"<(?=\s{0,8}/?\s{0,8}[a-z_]\w{0,40}\b)", re.IGNORECASE)


def fenced(tag: str, text: str) -> str:
    """`text` between `<tag>` and `</tag>`; what looks like a tag inside it no longer is one."""
    return f"<{tag}>\n{_TAG.sub('‹', text)}\n</{tag}>"
