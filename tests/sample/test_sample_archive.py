"""The sample archive is what its sources build, has the service's layout, and holds what its README lists."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLE = REPOSITORY / "data" / "sample"
OUTPUTS = ("conversations.json", "user.json", "message_feedback.json", "shared_conversations.json")

Json = dict[str, Any]


@pytest.fixture(scope="module")
def conversations() -> list[Json]:
    loaded: list[Json] = json.loads((SAMPLE / "conversations.json").read_text(encoding="utf-8"))
    return loaded


@pytest.fixture(scope="module")
def messages(conversations: list[Json]) -> list[Json]:
    return [node["message"] for chat in conversations for node in chat["mapping"].values() if node["message"]]


def titled(conversations: list[Json], title: str) -> Json:
    return next(chat for chat in conversations if chat["title"] == title)


def active_path(chat: Json) -> list[Json]:
    """The nodes from the root to the current one."""
    path, node = [], chat["current_node"]
    while node is not None:
        path.append(chat["mapping"][node])
        node = chat["mapping"][node]["parent"]
    return path[::-1]


def test_the_archive_is_what_its_sources_build(tmp_path: Path) -> None:
    subprocess.run([sys.executable, SAMPLE / "build.py", tmp_path], check=True)
    for name in OUTPUTS:
        assert (tmp_path / name).read_bytes() == (SAMPLE / name).read_bytes(), name


def test_parents_and_children_agree_and_each_chat_has_one_root(conversations: list[Json]) -> None:
    for chat in conversations:
        mapping = chat["mapping"]
        assert [key for key, node in mapping.items() if node["parent"] is None] == ["client-created-root"]
        assert chat["current_node"] in mapping
        assert not mapping[chat["current_node"]]["children"], "the active branch ends in a leaf"
        for key, node in mapping.items():
            assert node["id"] == key
            assert all(mapping[child]["parent"] == key for child in node["children"])
            if node["parent"] is not None:
                assert mapping[node["parent"]]["children"].count(key) == 1
                assert node["message"]["id"] == key


def test_ids_are_unique_and_chats_are_newest_first(conversations: list[Json], messages: list[Json]) -> None:
    assert all(chat["id"] == chat["conversation_id"] for chat in conversations)
    assert len({chat["id"] for chat in conversations}) == len(conversations) == 32
    assert len({message["id"] for message in messages}) == len(messages)
    starts = [chat["create_time"] for chat in conversations]
    assert starts == sorted(starts, reverse=True)
    assert all(chat["update_time"] >= chat["create_time"] for chat in conversations)


def test_roles_and_content_types_are_all_there(messages: list[Json]) -> None:
    assert {message["author"]["role"] for message in messages} == {"user", "assistant", "tool", "system"}
    kinds = Counter(message["content"]["content_type"] for message in messages)
    assert kinds.pop("text") > 120
    assert kinds == {
        "user_editable_context": 31,
        "multimodal_text": 7,
        "thoughts": 2,
        "reasoning_recap": 2,
        "code": 2,
        "execution_output": 1,
        "tether_browsing_display": 1,
        "live_forecast_card": 1,
    }


def test_two_chats_branch_and_the_rest_do_not(conversations: list[Json]) -> None:
    forks = {
        (chat["title"], chat["mapping"][node["children"][0]]["message"]["author"]["role"])
        for chat in conversations
        for node in chat["mapping"].values()
        if len(node["children"]) > 1
    }
    assert forks == {("Cover letter for Eynhallow Tidal", "assistant"), ("Building a steam box", "user")}


@pytest.mark.parametrize(
    ("title", "left", "taken"),
    [
        ("Cover letter for Eynhallow Tidal", "proven track record", "the water's timetable instead"),
        ("Building a steam box", "15 cm thick", "15 mm thick"),
    ],
)
def test_the_second_branch_is_the_active_one(
    conversations: list[Json], title: str, left: str, taken: str
) -> None:
    chat = titled(conversations, title)
    path = json.dumps([node["message"] for node in active_path(chat)], ensure_ascii=False)
    everything = json.dumps(chat, ensure_ascii=False)
    assert left in everything
    assert left not in path
    assert taken in path


def test_one_chat_is_archived_and_one_is_empty(conversations: list[Json]) -> None:
    assert [chat["title"] for chat in conversations if chat["is_archived"]] == [
        "Portion for an overweight cat"
    ]
    assert [chat["title"] for chat in conversations if len(chat["mapping"]) == 1] == ["New chat"]


def test_one_answer_is_dated_before_its_question(conversations: list[Json]) -> None:
    backwards = [
        chat["title"]
        for chat in conversations
        for node in chat["mapping"].values()
        if node["message"] and node["message"]["create_time"]
        for child in node["children"]
        if chat["mapping"][child]["message"]["create_time"] < node["message"]["create_time"]
    ]
    assert backwards == ["Bere bannock proportions"]


def test_custom_instructions_are_hidden_and_come_in_three_versions(messages: list[Json]) -> None:
    instructions = [m for m in messages if m["content"]["content_type"] == "user_editable_context"]
    assert all(m["metadata"]["is_visually_hidden_from_conversation"] for m in instructions)
    assert all(m["author"]["role"] == "user" for m in instructions)
    assert len({m["content"]["user_profile"] for m in instructions}) == 3


def test_tools_are_called_by_recipient_and_answer_by_name(messages: list[Json]) -> None:
    calls = {m["recipient"] for m in messages if m["content"]["content_type"] == "code"}
    answers = {m["author"]["name"] for m in messages if m["author"]["role"] == "tool"}
    assert calls == answers == {"python", "web.run"}


def test_citations_point_at_their_marks(messages: list[Json]) -> None:
    cited = [m for m in messages if "content_references" in m["metadata"]]
    assert len(cited) == 1
    text = cited[0]["content"]["parts"][0]
    references = cited[0]["metadata"]["content_references"]
    assert len(references) == 2
    for reference in references:
        assert text[reference["start_idx"] : reference["end_idx"]] == reference["matched_text"]
        assert reference["items"][0]["url"].startswith("https://")


def test_voice_turns_say_who_spoke(conversations: list[Json]) -> None:
    spoken = [
        (node["message"]["author"]["role"], part["direction"])
        for node in active_path(titled(conversations, "Physio exercises on the drive home"))
        if node["message"] and node["message"]["content"]["content_type"] == "multimodal_text"
        for part in node["message"]["content"]["parts"]
        if part["content_type"] == "audio_transcription"
    ]
    assert spoken == [("user", "in"), ("assistant", "out")] * 3


def test_attachments_code_table_mail_injection_and_credential_are_there(messages: list[Json]) -> None:
    names = [file["name"] for m in messages for file in m["metadata"].get("attachments", [])]
    assert sorted(names) == ["IMG_2207.jpg", "adcp_sample.csv"]
    words = {
        role: "\n".join(
            part
            for m in messages
            if m["author"]["role"] == role
            for part in m["content"].get("parts", [])
            if isinstance(part, str)
        )
        for role in ("user", "assistant")
    }
    for role in words:
        assert "```python" in words[role], role
    assert "|---|" in words["assistant"]
    assert "> Subject: Offer of employment" in words["user"]
    assert "ignore all previous instructions" in words["user"]
    assert "EXAMPLE-NOT-A-KEY" in words["user"]


def test_the_side_files_have_the_service_s_shapes(conversations: list[Json]) -> None:
    user = json.loads((SAMPLE / "user.json").read_text(encoding="utf-8"))
    assert user["id"].startswith("user-")
    assert user["email"].endswith("@example.org")
    assert json.loads((SAMPLE / "message_feedback.json").read_text(encoding="utf-8")) == []
    shared = json.loads((SAMPLE / "shared_conversations.json").read_text(encoding="utf-8"))
    assert {entry["conversation_id"] for entry in shared} <= {chat["id"] for chat in conversations}
    assert set(shared[0]) == {"id", "conversation_id", "title", "is_anonymous"}


def test_the_readme_names_every_source_it_speaks_of() -> None:
    slugs = {path.stem[11:] for path in (SAMPLE / "source").glob("*.txt")}
    readme = (SAMPLE / "README.md").read_text(encoding="utf-8")
    table = [line.split("|")[2] for line in readme.splitlines() if line.startswith("| ")][1:]
    named = {word.strip(",;()") for cell in table for word in cell.split() if "-" in word}
    unknown = {word for word in named if word.isascii() and word.islower()} - slugs
    assert not unknown
    assert len(named & slugs) > 20
