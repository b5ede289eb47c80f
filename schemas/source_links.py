"""The address of a conversation at its service, where the service has one that its id alone makes up."""

from __future__ import annotations

import re

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_HEX = re.compile(r"[0-9a-f]{16}")
_PAGES = {
    "chatgpt": ("https://chatgpt.com/c/", _UUID),
    "claude_ai": ("https://claude.ai/chat/", _UUID),
    "perplexity": ("https://www.perplexity.ai/search/", _UUID),
    # only of activity that names its conversation's address: other rows have ids of mnemic's own
    "gemini_takeout": ("https://gemini.google.com/app/", _HEX),
}
"""What stands before the id, and the id's form, by provider; it opens for whoever is signed in as the
conversation's owner."""


def source_link(provider: object, native_id: object) -> str | None:
    """The page of a conversation at its service; None where the service has none, or where the id is not of
    the service's form (an archive may say anything, and not all of it may become part of an address)."""
    page, form = _PAGES.get(str(provider), ("", _UUID))
    if not page or not form.fullmatch(str(native_id)):
        return None
    return page + str(native_id)
