"""From what a reader found to a Conversation: ids, segments, order, and an account of every record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from archives.branches import Ordered, order
from archives.instants import Moment
from archives.message_texts import BENT, Joined, all_storable, clean, joined, mend
from archives.tally import Tally
from archives.wellformed import well_formed
from schemas.base import sha256_text, unchecked
from schemas.conversation import Attachment, Conversation, Message, Origin, RawBlock
from schemas.ids import conversation_id, message_id
from schemas.report import NoteKind


class Piece(NamedTuple):
    """A run of text with one origin, before it has a place in a message."""

    text: str
    origin: Origin
    label: str | None = None


@dataclass(slots=True)
class MessageDraft:
    """A record of the archive that may become a message."""

    key: str
    """Names the record inside its conversation; `parent` refers to it."""
    parent: str | None
    role: str
    native_id: str | None
    """The service's own id; None has one made from time and text."""
    pieces: list[Piece] = field(default_factory=list)
    author: str | None = None
    when: Moment = field(default_factory=Moment)
    hidden: bool = False
    attachments: list[Attachment] = field(default_factory=list)
    raw: list[RawBlock] = field(default_factory=list)
    kind: str = ""
    """The service's word for what it holds."""
    empty_because: str = "a message without words"
    """The reason to give when it turns out to hold nothing."""
    is_turn: bool = False
    """A turn that somebody took: a message even without words, as an answer that was stopped at once."""

    def told(self, kept: list[str]) -> None:
        """Put every text of the draft among those that are kept."""
        for text, _, label in self.pieces:
            kept.append(text)
            if label:
                kept.append(label)
        if self.author:
            kept.append(self.author)
        for file in self.attachments:
            kept.extend(filter(None, (file.name, file.media_type, file.native_id)))
        if self.raw:
            kept.extend([block.json_text for block in self.raw])


@dataclass(frozen=True, slots=True)
class Head:
    """What a reader knows of a conversation beside its messages."""

    account: str
    provider: str
    native_id: str | None
    """The service's own id; None has one made from the content."""
    where: str
    """File and record, for the report."""
    title: str | None = None
    created: Moment = field(default_factory=Moment)
    updated: Moment = field(default_factory=Moment)
    leaf: str | None = None
    """Key of the last record of the branch that its user last saw."""
    leaf_is_hint: bool = False
    """The service may name a record in the middle of a branch: then it says nothing."""
    owner: str | None = None
    model: str | None = None
    project: str | None = None


def outline(head: Head) -> Conversation | None:
    """The conversation without its messages; None where its id is made from them."""
    if head.native_id is None:
        return None
    native, provider = well_formed(head.native_id)[0], well_formed(head.provider)[0]
    return Conversation(
        id=conversation_id(head.account, provider, native),
        account=head.account,
        provider=provider,
        native_id=native,
        title=clean(head.title),
        created_at=head.created.at,
        updated_at=head.updated.at,
        messages=(),
        active_leaf=None,
        active_leaf_stated=False,
        owner=clean(head.owner),
        model=clean(head.model),
        project=clean(head.project),
    )


def assemble(
    head: Head,
    drafts: Sequence[MessageDraft],
    tally: Tally,
    *,
    listed: Mapping[str, Sequence[str]] | None = None,
) -> Conversation:
    """Build the conversation and count its records: each is a message of it or skipped with a reason.

    A skipped record's children hang on its nearest ancestor that is a message. `listed` gives the order of
    siblings where the archive states one.
    """
    tally.records += len(drafts)
    _keep(head, drafts, tally.kept)
    by_key = {draft.key: draft for draft in drafts}
    if len(by_key) < len(drafts):
        by_key = _without_repeats(drafts, head, tally)
    ordered = order({key: draft.parent for key, draft in by_key.items()}, listed or {})
    _report_tree(ordered, by_key, head, tally)
    found = {key: by_key[key] for key in ordered.keys}
    if not all_storable(drafts):
        for draft in found.values():
            mend(draft, head, tally)
    texts = {key: joined(draft.pieces) for key, draft in found.items()}
    stated_id = well_formed(head.native_id)[0] if head.native_id else None
    native = stated_id or _content_key(head, found.values(), texts)
    provider = well_formed(head.provider)[0]
    conversation = conversation_id(head.account, provider, native)
    ids, places = _message_ids(conversation, found, texts, head, tally)
    kept = [draft for key, draft in found.items() if places[key] == key]
    parents = _parents(kept, conversation, ids, places)
    leaf, stated = _active_leaf(head, kept, ids, parents, places)
    title, bent = well_formed(head.title) if head.title else (None, 0)
    if bent:
        tally.unknown(BENT, head.where, count=bent)
    return Conversation(
        id=conversation,
        account=head.account,
        provider=provider,
        native_id=native,
        title=title,
        created_at=head.created.at,
        updated_at=head.updated.at,
        messages=_messages(kept, texts, ids, parents, head, tally),
        active_leaf=leaf,
        active_leaf_stated=stated,
        owner=clean(head.owner),
        model=clean(head.model),
        project=clean(head.project),
    )


def _keep(head: Head, drafts: Sequence[MessageDraft], kept: list[str]) -> None:
    """What is in the conversation, as the archive wrote it."""
    kept.extend(filter(None, (head.title, head.owner, head.model, head.project, head.native_id)))
    for draft in drafts:
        draft.told(kept)


_NEVER = datetime.min.replace(tzinfo=UTC)
NAME_THE_ZONE = "UTC was taken; --timezone says where they were written, as in --timezone Europe/Berlin"


def _without_repeats(drafts: Sequence[MessageDraft], head: Head, tally: Tally) -> dict[str, MessageDraft]:
    by_key: dict[str, MessageDraft] = {}
    for draft in drafts:
        if draft.key in by_key:
            _repeated(draft, by_key, head, tally)
        else:
            by_key[draft.key] = draft
    return by_key


def _repeated(draft: MessageDraft, by_key: dict[str, MessageDraft], head: Head, tally: Tally) -> None:
    """A second record under one id: a plain copy is skipped, another text gets an id of its own."""
    where = f"{head.where}, message {draft.key}"
    first = by_key[draft.key]
    if first.pieces == draft.pieces:
        tally.skip("a record that repeats another one", where)
        return
    tally.unknown("two records with one id and different words", where)
    mark = sha256_text(well_formed("\n".join(piece.text for piece in draft.pieces))[0])[:12]
    draft.key = f"{draft.key}~{mark}"
    draft.native_id = draft.key
    if draft.key in by_key:
        tally.skip("a record that repeats another one", where)
    else:
        by_key[draft.key] = draft


def _report_tree(ordered: Ordered, by_key: dict[str, MessageDraft], head: Head, tally: Tally) -> None:
    for key in ordered.dangling:
        tally.hole("a message whose parent is missing", f"{head.where}, message {key}")
    for key in ordered.cut:
        tally.unknown("a circle of parents, cut open", f"{head.where}, message {key}")
        by_key[key].parent = None


def _content_key(head: Head, drafts: Iterable[MessageDraft], texts: Mapping[str, Joined]) -> str:
    """An id from the content: creation time and first message, which stay when the conversation grows.

    Without any time the whole text has to serve: two chats may open with the same "hi".
    """
    spoken = [draft for draft in drafts if texts[draft.key].text]
    time = head.created.given or (spoken[0].when.given if spoken else None)
    if time:
        first = texts[spoken[0].key].text if spoken else head.title or ""
        return "content-" + sha256_text(well_formed(f"{time}\n{first}")[0])
    whole = "\n".join(f"{draft.role}\n{texts[draft.key].text}" for draft in spoken)
    return "content-" + sha256_text(well_formed(f"{head.title or ''}\n{whole}")[0])


def _message_ids(
    conversation: str,
    found: Mapping[str, MessageDraft],
    texts: Mapping[str, Joined],
    head: Head,
    tally: Tally,
) -> tuple[dict[str, str], dict[str, str | None]]:
    """Per key: the message's id, and the key of the nearest message at or above it (None above the roots)."""
    ids: dict[str, str] = {}
    places: dict[str, str | None] = {}
    taken: dict[str, int] = {}
    owners: dict[str, str] = {}
    versions: dict[tuple[str, str], str] = {}
    """By id and words: the first of the records beside an id's owner that says this."""
    for key, draft in found.items():
        native = draft.native_id or None
        first = owners.setdefault(native, key) if native is not None else key
        if native is not None and first != key:
            if texts[first] != texts[key]:
                first = versions.setdefault((native, texts[key].text), key)
            first = first if texts[first] == texts[key] else key
        if first != key:
            ids[key], places[key] = ids[first], _above(draft, places)
            tally.skip("a record that repeats another one", f"{head.where}, message {native}")
            continue
        if native is None or native in taken:
            native = _made_id(draft, native, texts[key].text, head, tally)
        taken[native] = taken.get(native, 0) + 1
        if taken[native] > 1:
            native = f"{native}-{taken[native]}"
        draft.native_id = native
        ids[key] = message_id(conversation, native)
        if texts[key].text or draft.attachments or draft.raw or draft.is_turn:
            places[key] = key
        else:
            places[key] = _above(draft, places)
            kind = f" ({draft.role}, {draft.kind})" if draft.kind else ""
            plain = draft.empty_because.partition(" (")[0]
            tally.skip(draft.empty_because + kind, f"{head.where}, message {key}", plain=plain)
    return ids, places


def _made_id(draft: MessageDraft, taken: str | None, text: str, head: Head, tally: Tally) -> str:
    """An id from time, role and words; for a record without one, or with one that is `taken`."""
    if taken is not None:
        tally.unknown("two records with one id and different words", f"{head.where}, message {taken}")
    whole = f"{draft.when.given or ''}\n{draft.role}\n{text}"
    return f"content-{sha256_text(well_formed(whole)[0])}"


def _above(draft: MessageDraft, places: Mapping[str, str | None]) -> str | None:
    return places.get(draft.parent) if draft.parent is not None else None


def _parents(
    kept: Iterable[MessageDraft],
    conversation: str,
    ids: Mapping[str, str],
    places: Mapping[str, str | None],
) -> dict[str, str | None]:
    """Per key the id of the nearest message above; a parent that the archive lacks keeps its name."""
    parents: dict[str, str | None] = {}
    for draft in kept:
        above = draft.parent
        if above is None:
            parents[draft.key] = None
        elif above in ids:
            place = places[above]
            parents[draft.key] = ids[place] if place is not None else None
        else:
            parents[draft.key] = message_id(conversation, well_formed(above)[0])
    return parents


_new_message = unchecked(Message)


def _messages(
    kept: Iterable[MessageDraft],
    texts: Mapping[str, Joined],
    ids: Mapping[str, str],
    parents: Mapping[str, str | None],
    head: Head,
    tally: Tally,
) -> tuple[Message, ...]:
    """A Message of each draft. Every field is made here of what the types of a draft promise."""
    made: list[Message] = []
    for draft in kept:
        text, segments = texts[draft.key]
        fields = {
            "id": ids[draft.key],
            "native_id": draft.native_id or "",
            "parent": parents[draft.key],
            "role": draft.role,
            "author": draft.author or None,
            "created_at": _checked_time(draft, head, tally),
            "time_as_given": draft.when.given or None,
            "text": text,
            "segments": segments,
            "hidden": draft.hidden,
            "gone": False,
            "attachments": tuple(draft.attachments),
            "raw": tuple(draft.raw),
        }
        made.append(_new_message(fields))
    return tuple(made)


def _checked_time(draft: MessageDraft, head: Head, tally: Tally) -> datetime | None:
    when = draft.when
    if when.at is not None and not when.zone_assumed and 2000 <= when.at.year < 2100:
        return when.at
    if when.unreadable:
        reason = "a time that cannot be read"
    elif when.zone_assumed:
        reason = "a local time without a zone"
    elif when.at is not None and not 2000 <= when.at.year < 2100:
        reason = "a time outside the years 2000 to 2099"
    else:
        return when.at
    remedy = NAME_THE_ZONE if when.zone_assumed else ""
    where = f"{head.where}, message {draft.key}"
    tally.note(NoteKind.UNKNOWN, reason, where, sample=when.given, remedy=remedy)
    return when.at


def _active_leaf(
    head: Head,
    kept: Sequence[MessageDraft],
    ids: Mapping[str, str],
    parents: Mapping[str, str | None],
    places: Mapping[str, str | None],
) -> tuple[str | None, bool]:
    """The leaf that the archive states, else the newest one (the later in the file of two alike).

    A leaf without a time is as new as the nearest message above that has one.
    """
    if not kept:
        return None, False
    inner = set(parents.values())
    stated = places.get(head.leaf) if head.leaf is not None else None
    if stated is not None and not (head.leaf_is_hint and ids[stated] in inner):
        return ids[stated], True
    times: dict[str | None, datetime] = {}
    for draft in kept:
        times[ids[draft.key]] = draft.when.at or times.get(parents[draft.key], _NEVER)
    leaves = [draft for draft in kept if ids[draft.key] not in inner]
    newest = max(enumerate(leaves), key=lambda place: (times[ids[place[1].key]], place[0]))[1]
    return ids[newest.key], False
