"""The address of a conversation at its service, where the service has one that its id alone makes up."""

from __future__ import annotations

import re

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_PAGES = {
    "chatgpt": "https://chatgpt.com/c/",
    "claude_ai": "https://claude.ai/chat/",
    "perplexity": "https://www.perplexity.ai/search/",
}
"""What stands before the id, by provider; it opens for whoever is signed in as the conversation's owner.
Gemini's activity names no conversation, so it has none."""


def source_link(provider: object, native_id: object) -> str | None:
    """The page of a conversation at its service; None where the service has none, or where the id is not of
    the service's form (an archive may say anything, and not all of it may become part of an address)."""
    page = _PAGES.get(str(provider))
    if page is None or not _UUID.fullmatch(str(native_id)):
        return None
    return page + str(native_id)
