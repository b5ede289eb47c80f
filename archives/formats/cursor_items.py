"""Cursor's older chats, in the `ItemTable` of a workspace's `state.vscdb`.

`workbench.panel.aichat.view.aichat.chatdata` holds `{tabs: [{tabId, chatTitle, lastSendTime, bubbles: [{type,
text}]}]}`; `aiService.prompts` lists what was asked, `{text}`, of which the tabs may have lost some.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from archives.contract import Part, Reading
from archives.drafts import Head, MessageDraft, Piece, assemble
from archives.formats.rows import last_key
from archives.record_bounds import bounded_json
from archives.shapes import identifier, mapping, objects, string
from archives.sqlite_copy import Database
from schemas.conversation import Conversation, Origin

CHATS = "workbench.panel.aichat.view.aichat.chatdata"
PROMPTS = "aiService.prompts"
_ROLES = {"user": ("user", Origin.TYPED), "ai": ("assistant", Origin.ASSISTANT)}


def item_conversations(
    database: Database, part: Part, reading: Reading, *, alone: bool
) -> Iterator[Conversation]:
    """A conversation a tab, and one of the prompts that no tab has. `alone`: the state has no other."""
    said: set[str] = set()
    tabs = list(objects(mapping(_item(database, CHATS, part, reading)).get("tabs")))
    for tab in tabs:
        yield _tab(tab, said, f"{part.name}, tab {identifier(tab.get('tabId'))}", reading)
    prompts = [string(one.get("text")) or "" for one in objects(_item(database, PROMPTS, part, reading))]
    unanswered = [one for one in prompts if one.strip() and one not in said]
    reading.passes_over(sorted(said))
    if unanswered:
        yield _prompts(unanswered, part, reading)
    if alone and not tabs and not prompts:
        reading.tally.records += 1
        reading.tally.skip("a state of the editor without chats", part.name)


def _item(database: Database, key: str, part: Part, reading: Reading) -> object:
    for row in database.rows("SELECT value FROM ItemTable WHERE key = ?", (key,)):
        value = row["value"]
        text = value.decode(errors="surrogateescape") if isinstance(value, bytes) else value
        try:
            held = bounded_json(text) if isinstance(text, str) else None
        except (ValueError, RecursionError):
            reading.reject(
                str(value)[:2_000], "a list of chats that is no JSON", f"{part.name}, {key}", alone=True
            )
            return None
        reading.takes(held, f"{part.name}, {key}")
        return held
    return None


def _tab(tab: Mapping[str, object], said: set[str], where: str, reading: Reading) -> Conversation:
    drafts: list[MessageDraft] = []
    for number, bubble in enumerate(objects(tab.get("bubbles"))):
        role, spoken = _ROLES.get(string(bubble.get("type")) or "", ("unknown", Origin.UNKNOWN))
        words = string(bubble.get("text")) or string(bubble.get("rawText")) or ""
        said.add(words)
        draft = MessageDraft(f"#{number}", last_key(drafts), role, identifier(bubble.get("id")))
        draft.author = string(bubble.get("modelType"))
        draft.pieces.append(Piece(words, spoken))
        for selection in objects(bubble.get("selections")):
            draft.pieces.append(Piece(string(selection.get("text")) or "", Origin.ATTACHED, "selection"))
        drafts.append(draft)
    when = reading.moment(tab.get("lastSendTime"))
    head = Head(
        account=reading.account,
        provider="cursor",
        native_id=identifier(tab.get("tabId")),
        where=where,
        title=string(tab.get("chatTitle")),
        updated=when,
        leaf=last_key(drafts),
    )
    return assemble(head, drafts, reading.tally)


def _prompts(words: list[str], part: Part, reading: Reading) -> Conversation:
    drafts: list[MessageDraft] = []
    for number, text in enumerate(words):
        draft = MessageDraft(f"#{number}", last_key(drafts), "user", None)
        draft.pieces.append(Piece(text, Origin.TYPED))
        drafts.append(draft)
    head = Head(
        account=reading.account,
        provider="cursor",
        native_id=None,
        where=f"{part.name}, {PROMPTS}",
        title="Prompts whose chats are gone",
        leaf=last_key(drafts),
    )
    return assemble(head, drafts, reading.tally)
