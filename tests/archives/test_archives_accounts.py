"""Whose archive is it?"""

from __future__ import annotations

import json

import pytest
from archive_reading import FIXTURES, export_bytes, zipped

from archives import inspect_archive, open_archive
from schemas.errors import UnrecognisedArchive


@pytest.mark.parametrize(
    ("name", "account"),
    [
        ("liam_o_connor.zip", "liam_o_connor"),
        ("aino.transcript.jsonl", "aino"),
        ("someone.json", "someone"),
        ("work/conversations.json", "work"),
        ("work/conversations-003.json", "work"),
        ("My Notes.2026.json", "My Notes.2026"),
    ],
)
def test_the_account_comes_from_the_name(tmp_path, name, account):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    if name.endswith(".zip"):
        zipped(path, {"conversations.json": export_bytes()})
    else:
        path.write_bytes(export_bytes())
    with open_archive(path) as archive:
        assert archive.account == account
    with open_archive(path, account="me") as archive:
        assert archive.account == "me"


def test_the_export_itself_names_the_account():
    with open_archive(FIXTURES / "chatgpt" / "shards") as archive:
        assert archive.account == "aino@example.org"


def test_a_folder_gives_its_name(tmp_path):
    folder = tmp_path / "conversations"
    folder.mkdir()
    (folder / "conversations.json").write_bytes(export_bytes())
    with open_archive(folder) as archive:
        assert archive.account == "conversations"


def test_equal_bytes_have_an_equal_hash_and_others_do_not(tmp_path):
    for name, count in (("a.json", 2), ("b.json", 2), ("c.json", 3)):
        (tmp_path / name).write_bytes(export_bytes(count))
    hashes = []
    for name in ("a.json", "b.json", "c.json"):
        with open_archive(tmp_path / name) as archive:
            hashes.append(archive.archive_hash)
    assert hashes[0] == hashes[1] != hashes[2]


def test_accounts_never_share_ids(tmp_path):
    (tmp_path / "a.json").write_bytes(export_bytes())
    ids = []
    for account in ("one", "two"):
        with open_archive(tmp_path / "a.json", account=account) as archive:
            ids.append({message.id for talk in archive.conversations() for message in talk.messages})
    assert not ids[0] & ids[1]


def test_inspection_counts_without_importing():
    seen = inspect_archive(FIXTURES / "chatgpt" / "content_types.json")
    assert (seen.user_typed, seen.assistant, seen.off_branch, seen.tool_results, seen.reasoning) == (
        2,
        2,
        0,
        6,
        1,
    )
    assert seen.titles == ("Primer for the hull",)
    assert seen.unknown == {"unknown content type holographic_sketch": 1}
    assert json.loads(seen.model_dump_json())["skipped"]


@pytest.mark.parametrize(
    "text",
    [
        "# Manual\n\n## User guide\n\nText.\n\n## Model training\n\nText.\n\n## User rights\n\nText.\n",
        "## User\n\nOnly one speaker.\n\n## User\n\nStill the same.\n",
        "```\n## User\nhi\n## Assistant\nhello\n```\n",
        "A paragraph about **you** and the **assistant**.\n",
    ],
)
def test_other_markdown_is_a_document_and_no_chat(tmp_path, text):
    (tmp_path / "doc.md").write_text(text)
    with open_archive(tmp_path / "doc.md") as archive:
        assert not list(archive.conversations())
        assert [resource.text for resource in archive.resources()] == [text]
    (tmp_path / "doc.log").write_text(text)
    with pytest.raises(UnrecognisedArchive):
        open_archive(tmp_path / "doc.log")


def test_text_that_is_called_json_is_told_so(tmp_path):
    path = tmp_path / "conversations.json"
    path.write_bytes(b"{broken")
    with pytest.raises(UnrecognisedArchive, match="is called JSON, and is none"):
        open_archive(path)
