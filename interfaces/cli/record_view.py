"""A record as a person reads it: what it says, where it is from, what it stands on, what is beside it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from interfaces.cli.terminal import print_table
from schemas.provenance import Tier, unit_tier
from schemas.unit import State
from vault.queries import Row

Shortened = Callable[[str], str]

BESIDE = 200
"""Characters of a neighbour, a message or a note that is listed beside a record."""


def lines_of(item: Row, short: Shortened) -> list[str]:
    """The record of an item of `mnemic get`; `short` shortens an id."""
    record = item["record"]
    if not isinstance(record, dict):
        return [f"{item['id']}: not found"]
    kind = str(item["kind"])
    # indented, so that no text can pass for what is said of it
    lines = [*(f"  {line}" for line in _text(record).splitlines()), "", " · ".join(_facts(kind, record))]
    if source := _source(record, short):
        lines.append(source)
    if place := record.get("source_file") or record.get("source_link"):
        lines.append(str(place))
    lines.append(f"id {record.get('id') or record.get('unit_id') or record.get('conversation_id')}")
    for title, shown in (
        ("Said as", _evidence(record)),
        ("In answer to", _answered(record)),
        ("Before and after", _listed(record, "neighbours", short)),
        ("Relations", _relations(record, short)),
        ("Conversations", _listed(record, "conversations", short)),
        ("Notes", _listed(record, "notes", short)),
    ):
        if shown:
            lines += ["", f"{title}:", *shown]
    if kind == "conversation":
        lines += ["", f"`mnemic show {short(str(record['conversation_id']))}` shows what was said"]
    return lines


def print_whole(item: Row) -> None:
    """Everything on record: a table of the record's fields, and one of each list."""
    record = item["record"]
    if not isinstance(record, dict):
        return
    simple = [(key, value) for key, value in record.items() if not isinstance(value, list)]
    print_table(f"{item['kind']} {item['id']}", ("field", "value"), simple)
    for key in record:
        if members := _rows(record, key):
            print_table(key, tuple(members[0]), [tuple(one.values()) for one in members])


def _text(record: Row) -> str:
    """What a record says: its text, a thread's map, or a title where it has nothing else."""
    made = record.get("map")
    told = record.get("text") or (made.get("text") if isinstance(made, dict) else None)
    return str(told or record.get("label") or record.get("title") or "untitled").strip()


def _facts(kind: str, record: Row) -> list[str]:
    state = record.get("state")
    when = record.get("said_at") or record.get("began") or record.get("created_at")
    facts = (
        record.get("category") or kind,
        _tier(kind, record),
        f"{when:%Y-%m-%d}" if isinstance(when, datetime) else when,
        record.get("speaker_name") or record.get("speaker") or record.get("role"),
        state,
        f"of generation {record['generation']}" if "generation" in record else None,
    )
    return [str(one) for one in facts if one]


def _tier(kind: str, record: Row) -> Tier | None:
    if kind == "unit":
        return unit_tier(State(str(record["state"])))
    if kind == "chunk":
        return Tier.CHAT if record["role"] else Tier.RESOURCE
    return Tier.RESOURCE if kind == "resource" else None


def _source(record: Row, short: Shortened) -> str:
    """Title, service and conversation."""
    title = record.get("conversation") or (record.get("title") if record.get("text") else None)
    service = f"({record['provider']})" if record.get("provider") else ""
    home = record.get("conversation_id") if record.get("id") else None
    named = f"in {short(str(home))}" if home else ""
    return " ".join(str(one) for one in (title, service, named) if one)


def _evidence(record: Row) -> list[str]:
    return [
        f"  “{' '.join(str(one['quote']).split())}”  message {one['message_id']}, {one['start']}-{one['end']}"
        for one in _rows(record, "evidence")
    ]


def _answered(record: Row) -> list[str]:
    """What a note needs to be understood that other messages say and its own words do not."""
    own, text = {one["message_id"] for one in _rows(record, "evidence")}, str(record.get("text")).casefold()
    said = [one for one in _rows(record, "context") if one["message_id"] not in own]
    quotes = (" ".join(str(one["quote"]).split()) for one in said)
    return [f"  “{quote}”" for quote in quotes if quote.casefold() not in text]


def _relations(record: Row, short: Shortened) -> list[str]:
    return [f"  {one['kind']} {short(str(one['other_id']))}" for one in _rows(record, "relations")]


def _listed(record: Row, name: str, short: Shortened) -> list[str]:
    lines = []
    for one in _rows(record, name):
        identity = str(one.get("id") or one.get("conversation_id"))
        text = " ".join(str(one.get("text") or one.get("title") or "untitled").split())
        told = text if len(text) <= BESIDE else text[:BESIDE] + " […]"
        lines.append(
            "  " + "  ".join(str(part) for part in (short(identity), one.get("category"), told) if part)
        )
    return lines


def _rows(record: Row, name: str) -> list[Row]:
    """The members of a list of rows; empty where the record has none of that name."""
    value = record.get(name)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
