"""Conversations in ChatGPT's layout, for tests of every package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Turn = tuple[str, str]
"""(role, text)"""


def chatgpt_conversation(name: str, turns: Sequence[Turn], began: float = 1_767_225_600.0) -> dict[str, Any]:
    """A conversation in ChatGPT's layout: one branch, a minute between turns."""
    root = f"{name}-root"
    mapping: dict[str, Any] = {root: {"id": root, "parent": None, "children": [], "message": None}}
    parent = root
    for number, (role, text) in enumerate(turns):
        node = f"{name}-{number}"
        mapping[parent]["children"].append(node)
        mapping[node] = {
            "id": node,
            "parent": parent,
            "children": [],
            "message": {
                "id": node,
                "author": {"role": role, "name": None, "metadata": {}},
                "create_time": began + 60 * number,
                "content": {"content_type": "text", "parts": [text]},
                "status": "finished_successfully",
                "weight": 1.0,
                "metadata": {},
                "recipient": "all",
            },
        }
        parent = node
    return {
        "id": name,
        "conversation_id": name,
        "title": name.replace("-", " ").title(),
        "create_time": began,
        "update_time": began + 60 * len(turns),
        "mapping": mapping,
        "current_node": parent,
    }
