"""Text that a coding agent's runtime puts into its user's messages, told from what the user typed."""

from __future__ import annotations

import re
from collections.abc import Mapping

from archives.drafts import Piece
from schemas.conversation import Origin

_TAGS = (
    "system-reminder",
    "task-notification",
    "environment_context",
    "user_instructions",
    "permissions instructions",
    "collaboration_mode",
    "turn_aborted",
    "subagent_notification",
    "skill",
    "user_info",
    "user-prompt-submit-hook",
    "qwen:user-prompt-submit-context",
    "ide_opened_file",
    "ide_selection",
    "teammate-message",
    "user_shell_command",
)
_OPENING = re.compile(
    f"<({'|'.join(re.escape(tag) for tag in _TAGS)}|channel(?= source=)|"
    "(?:local-)?command-[a-z]{1,20}|bash-[a-z]{1,20})(?: [^<>]{0,200})?>"
)
"""A `<channel>` without a source may be a feed that somebody typed about. Commands and shells come with a tag
for each of their parts: name, message, args, contents, stdout."""
_WHOLE: Mapping[str, Origin] = {
    "Caveat: The messages below": Origin.RUNTIME_CONTEXT,
    "[Request interrupted": Origin.RUNTIME_CONTEXT,
    "Base directory for this skill:": Origin.RUNTIME_CONTEXT,
    "# AGENTS.md instructions": Origin.RUNTIME_CONTEXT,
    "This session is being continued": Origin.GENERATED_SUMMARY,
    "Another language model started to solve this problem": Origin.GENERATED_SUMMARY,
}
"""A text that begins so is the runtime's from end to end."""


def typed_apart(text: str) -> list[Piece]:
    """Split a user's text into what was typed and what the runtime put in. Linear in the text's length."""
    opening = text.lstrip()
    for start, origin in _WHOLE.items():
        if opening.startswith(start):
            return [Piece(text, origin)]
    pieces: list[Piece] = []
    at = 0
    while (tag := _OPENING.search(text, at)) is not None:
        pieces.append(Piece(text[at : tag.start()].strip(), Origin.TYPED))
        closing = f"</{tag[1]}>"
        end = text.find(closing, tag.end())
        at = len(text) if end < 0 else end + len(closing)
        pieces.append(Piece(text[tag.start() : at], Origin.RUNTIME_CONTEXT, tag[1]))
    rest = text[at:]
    pieces.append(Piece(rest.strip() if pieces else rest, Origin.TYPED))
    return pieces
