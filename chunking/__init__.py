"""Markdown and messages into chunks by their structure. `chunk_markdown(text)` needs nothing else of mnemic.

Names are loaded when they are first used: importing this package costs no parser.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chunking.header import contextual_header as contextual_header
    from chunking.header import embedding_text as embedding_text
    from chunking.markdown import chunk_markdown as chunk_markdown
    from chunking.message import chunk_message as chunk_message
    from chunking.tokens import estimate_tokens as estimate_tokens
    from chunking.tokens import token_counts as token_counts
    from chunking.tree_view import tree_lines as tree_lines
    from chunking.turns import link_turns as link_turns
    from chunking.windows import Window as Window
    from chunking.windows import embedding_windows as embedding_windows

_HOME = {
    "chunk_markdown": "markdown",
    "chunk_message": "message",
    "contextual_header": "header",
    "embedding_text": "header",
    "estimate_tokens": "tokens",
    "token_counts": "tokens",
    "Window": "windows",
    "embedding_windows": "windows",
    "tree_lines": "tree_view",
    "link_turns": "turns",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return list(_HOME)
