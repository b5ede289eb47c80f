"""What is left out of a reading is not read further, leaves no words behind, and is accounted for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from archive_reading import FIXTURES, read_all

from archives import LeftOut
from schemas.conversation import Conversation
from schemas.resource import Resource

PATHS = sorted(path for folder in FIXTURES.iterdir() for path in folder.iterdir())
SECRET = "Kestrel-7"


@pytest.mark.parametrize("fixture", PATHS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_is_left_out_leaves_the_rest_as_it_was_and_every_record_counted(fixture: Path) -> None:
    whole, documents, report, _ = read_all(fixture)
    out = {one.id for one in whole[::2]}
    kept, left, sifted, _ = read_all(
        fixture, rules=lambda one: LeftOut("unwanted") if one.id in out else None
    )
    assert kept == [one for one in whole if one.id not in out]
    # a document that stands in a conversation goes with it, and is no record of the archive by itself
    assert {one.id for one in left} <= {one.id for one in documents}
    assert sifted.records == report.records - (len(documents) - len(left))


def test_documents_are_left_out_too() -> None:
    fixture = FIXTURES / "claude_ai" / "account_export"
    _, documents, report, _ = read_all(fixture)
    _, left, sifted, _ = read_all(
        fixture, rules=lambda one: LeftOut("unwanted") if isinstance(one, Resource) else None
    )
    assert (bool(documents), left, sifted.records) == (True, [], report.records)


def _message(
    text: object, kind: str = "text", role: str = "user", recipient: str = "all"
) -> dict[str, object]:
    return {
        "author": {"role": role},
        "create_time": 1767261600.0,
        "content": {"content_type": kind, "parts": [text]},
        "recipient": recipient,
    }  # fmt: skip


def _chatgpt(title: str, word: str) -> dict[str, object]:
    canvas = json.dumps({"name": "plan", "type": "document", "content": f"A canvas on {word}"})
    said = [
        _message(f"We speak of {word}."),
        _message(canvas, "code", "assistant", "canmore.create_textdoc"),
        _message(f"raw {word}", f"never_heard_of_{word}", "tool"),
        {
            "author": {"role": "user"},
            "content": {"content_type": "user_editable_context", "user_profile": f"I like {word}"},
        },
    ]
    nodes = {
        f"n{place}": {"parent": f"n{place - 1}" if place else None, "children": [], "message": one}
        for place, one in enumerate(said)
    }
    return {"conversation_id": title, "title": title, "create_time": 1767261600.0, "mapping": nodes}


def _unwanted(one: Conversation | Resource) -> LeftOut | None:
    return LeftOut("unwanted") if one.title == "secret" else None


def test_of_a_chatgpt_conversation_that_is_left_out_nothing_is_read_but_its_head(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([_chatgpt("secret", SECRET), _chatgpt("open", "boats")]))
    shown: list[Conversation | Resource] = []
    conversations, resources, report, rejected = read_all(
        path, rules=lambda one: shown.append(one) or _unwanted(one)
    )
    assert [one.title for one in conversations] == ["open"]
    assert len(resources) == 2
    assert SECRET not in report.model_dump_json() + repr(resources) + repr(rejected) + repr(shown)
    assert {(note.reason, note.count) for note in report.notes} >= {("unwanted", 4)}


def test_of_a_session_that_is_left_out_no_words_stay_in_the_report(tmp_path: Path) -> None:
    def line(session: str, number: int, kind: str, content: object) -> str:
        return json.dumps(
            {
                "type": kind, "sessionId": session, "uuid": f"{session}{number}", "cwd": "/home/me/boats",
                "timestamp": "2026-01-05T10:00:00Z", "message": {"role": kind, "content": content},
            }
        )  # fmt: skip

    folder = tmp_path / "project"
    folder.mkdir()
    for session, word in (("a", SECRET), ("b", "boats")):
        odd = [{"type": "never_heard_of", "text": f"raw {word}"}, {"type": "text", "text": f"On {word}."}]
        lines = [line(session, 0, "user", f"We speak of {word}."), line(session, 1, "assistant", odd)]
        (folder / f"{session}.jsonl").write_text("\n".join(lines))
    conversations, _, report, _ = read_all(
        folder, rules=lambda one: LeftOut("unwanted") if SECRET in repr(one) else None
    )
    assert len(conversations) == 1
    assert SECRET not in report.model_dump_json()
    whole = read_all(folder)[2]
    assert SECRET in whole.model_dump_json(), (
        "the sample of what is not understood is kept where it is wanted"
    )
    assert report.records == whole.records
