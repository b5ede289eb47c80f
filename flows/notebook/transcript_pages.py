"""Whole conversations as pages: who said what and when, in order, on the branch that was last seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from archives.local_source import way_back
from flows.notebook.markdown_escaping import escaped, front_matter
from flows.notebook.note_pages import Page, PageKind, as_page, link_to, moment, wiki_link
from flows.notebook.transcript_text import shown_text
from inference.secret_cover import concealed, uncovered
from schemas.conversation import Conversation, Message, Origin
from schemas.words import amount

_SAID = frozenset(
    {Origin.TYPED, Origin.ASSISTANT, Origin.OTHER, Origin.PASTED, Origin.ATTACHED, Origin.UNKNOWN}
)
"""What people and the assistant said or put in; no tools, no reasoning, no set-up."""
_SPEAKERS = {"user": "You", "assistant": "Assistant"}


def transcript_id(conversation: str) -> str:
    """What the record of an export calls the page of a whole conversation."""
    return f"transcript {conversation}"


def transcript_page(conversation: Conversation, paths: Mapping[str, str]) -> Page:
    """The page of a conversation, its secrets masked."""
    hidden = concealed(conversation)
    head = front_matter(
        {
            "mnemic": "transcript",
            "id": conversation.id,
            "provider": conversation.provider,
            "source": way_back(conversation.provider, conversation.native_id),
            "began": moment(conversation.created_at),
            "summary": wiki_link(conversation.id, paths),
        }
    )
    shown = [one for one in hidden.active_messages() if not one.hidden]
    body = [f"# {escaped(uncovered(hidden.title or 'Untitled'))}"]
    if conversation.id in paths:
        body.append(link_to("Its summary", conversation.id, paths))
    for message in shown:
        body += _told(message, hidden.owner)
    left_out = sum(not one.hidden for one in hidden.messages) - len(shown)
    if left_out:
        body.append(f"*{amount(left_out, 'message')} of other branches not shown.*")
    identity = transcript_id(conversation.id)
    page = as_page(head, "\n\n".join(body))
    return Page(PageKind.TRANSCRIPT, identity, paths[identity], page, (conversation.id,))


def _told(message: Message, owner: str | None) -> Iterator[str]:
    text = "".join(message.text[one.start : one.end] for one in message.segments if one.origin in _SAID)
    said = shown_text(uncovered(text))
    files = [f"Attached: {escaped(uncovered(one.name))}" for one in message.attachments]
    if not said and not files:
        return
    who = message.author or _SPEAKERS.get(message.role, message.role)
    if owner and message.author == owner:
        who = "You"
    when = f" · {message.created_at:%Y-%m-%d %H:%M}" if message.created_at else ""
    yield f"## {escaped(uncovered(who))}{when}"
    if said:
        yield said
    yield from files
