from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest
from open_gate import let_pass
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from interfaces.main import COMMANDS, cli, main

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]

TURNS = [
    ("user", "The garden is 40 square metres. I can only spend 200 euros on it."),
    ("assistant", "You could plant a hedge of hornbeam. Hornbeam grows 30 cm a year."),
    ("user", "OK let's go with the hornbeam hedge. Which month is best for planting?"),
]


class Terminal:
    """Runs mnemic on one vault and reads what it prints."""

    def __init__(self, vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.vault = vault
        self.capsys = capsys
        self.err = ""

    def run(self, *arguments: object) -> tuple[int, str]:
        code = main([*map(str, arguments), "--vault", str(self.vault)])
        captured = self.capsys.readouterr()
        self.err = captured.err
        return code, captured.out

    def json(self, *arguments: object) -> dict[str, object]:
        code, out = self.run(*arguments, "--json")
        assert code == 0, self.err
        read: dict[str, object] = json.loads(out)
        return read


@pytest.fixture
def terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(tmp_path / "vault", capsys)


@pytest.fixture
def garden(terminal: Terminal, export: Exporter) -> Terminal:
    let_pass(terminal.vault)
    ingested(IngestRequest(terminal.vault, (export("ada", {"garden": TURNS}),)))
    return terminal


def notes(terminal: Terminal, *arguments: object) -> list[dict[str, object]]:
    found = terminal.json("list", *arguments)["notes"]
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_explains_itself_with_examples(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert "Examples:" in out
    assert f"mnemic {name}" in out


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("mnemic 0.")


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in COMMANDS)
    assert cli.name


def test_a_missing_path_is_misuse(terminal: Terminal) -> None:
    code, _ = terminal.run("ingest", "/nowhere/export.zip")
    assert code == 2
    assert terminal.err == "mnemic: /nowhere/export.zip: no such file or folder. Check the path\n"


def test_a_zip_that_is_no_export_fails_in_one_line(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "photos.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("cat.jpg", b"\xff\xd8\xff")
    code, _ = terminal.run("ingest", path)
    assert code == 1
    (line,) = [line for line in terminal.err.splitlines() if line.startswith("mnemic:")]
    assert "photos.zip" in line
    assert not (terminal.vault / "CURRENT").exists()


def test_a_truncated_zip_keeps_the_conversations_before_the_cut(
    terminal: Terminal, export: Exporter, tmp_path: Path
) -> None:
    bodies = {f"chat-{one}": [*TURNS, ("user", f"Bed {one} is {one} m long.")] for one in range(12)}
    whole = tmp_path / "whole.zip"
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(export("ada", bodies), "conversations.json")
    cut = tmp_path / "cut.zip"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size * 2 // 3])
    code, out = terminal.run("ingest", cut, "--json")
    assert code == 3, terminal.err
    assert 0 < json.loads(out)["rows"]["conversations"] < 12


def test_an_empty_vault_says_what_to_do(terminal: Terminal) -> None:
    code, _ = terminal.run("status")
    assert code == 1
    assert "mnemic ingest" in terminal.err


def test_an_unknown_option_is_misuse(terminal: Terminal) -> None:
    assert terminal.run("status", "--colour")[0] == 2


def test_notes_can_be_listed_by_category_and_time(garden: Terminal) -> None:
    everything = notes(garden)
    assert everything
    assert {note["category"] for note in notes(garden, "--category", "open_question")} == {"open_question"}
    assert notes(garden, "--since", "2026-01-02") == []
    assert notes(garden, "--before", "2026-01-02") == everything
    assert len(notes(garden, "--limit", 1)) == 1
    assert notes(garden, "--since", "yesterday") == []
    assert garden.run("list", "--since", "when it rained")[0] == 2
    assert "there are more" in garden.run("list", "--limit", 1)[1]
    assert "there are more" not in garden.run("list", "--limit", len(everything))[1]


def test_a_note_is_found_by_the_start_of_its_id(garden: Terminal) -> None:
    note = notes(garden)[0]
    shown = garden.json("get", str(note["id"])[:10], "00000000-no-such-note")
    first, second = shown["items"]  # type: ignore[misc]
    assert first["found"]
    assert first["record"]["evidence"]
    assert (second["id"], second["found"], second["record"]) == ("00000000-no-such-note", False, None)


def test_a_conversation_is_shown_with_its_notes(garden: Terminal) -> None:
    conversation = str(notes(garden)[0]["conversation_id"])
    shown = garden.json("show", conversation[:10])
    texts = [message["text"] for message in shown["message_list"]]  # type: ignore[attr-defined]
    assert texts == [text for _, text in TURNS]
    code, out = garden.run("show", conversation)
    assert code == 0
    assert "hornbeam" in out


def test_status_accounts_for_what_came_in(garden: Terminal) -> None:
    status = garden.json("status", "--imports")
    (report,) = status["imports"]  # type: ignore[misc]
    assert report["records"] == report["messages"] + report["resources"] + report["records_skipped"]
    assert garden.run("status", "--imports")[0] == 0


def test_keep_and_discard_are_seen_at_once(garden: Terminal) -> None:
    first, second = (str(note["id"]) for note in notes(garden)[:2])
    assert garden.run("keep", first)[0] == 0
    assert garden.run("discard", second[:12], "--reason", "not mine")[0] == 0
    states = {note["id"]: note["state"] for note in notes(garden)}
    assert states[first] == "kept"
    assert garden.json("get", second)["items"][0]["record"]["state"] == "discarded"  # type: ignore[index]
    assert garden.run("keep", "ffffffff-none")[0] == 2


def test_bulk_acts_are_named_shown_first_and_taken_back(garden: Terminal) -> None:
    assert garden.run("keep")[0] == 2
    assert garden.run("keep", "--all-passed", "--query", "hedge")[0] == 2
    wanted = {note["id"] for note in notes(garden, "--state", "passed") if note["category"] == "fact"}
    planned = garden.json("keep", "--all-passed", "--category", "fact", "--dry-run")
    assert set(planned["units"]) == wanted  # type: ignore[call-overload]
    assert set() < wanted < {note["id"] for note in notes(garden, "--state", "passed")}
    assert notes(garden, "--state", "kept") == []
    garden.run("keep", "--all-passed", "--category", "fact")
    assert {note["id"] for note in notes(garden, "--state", "kept")} == wanted
    assert garden.run("undo")[0] == 0
    assert notes(garden, "--state", "kept") == []
    assert garden.run("undo")[0] == 1
    assert garden.run("keep", "--undo", "--all-passed")[0] == 1


def test_an_act_says_the_notes_words(garden: Terminal) -> None:
    note = notes(garden, "--state", "passed")[0]
    named = f"{str(note['id'])[:8]} would be kept: {note['text']}"
    assert named in garden.run("keep", "--all-passed", "--dry-run")[1]
    assert f"{str(note['id'])[:8]} kept: {note['text']}" in garden.run("keep", note["id"])[1]


def test_a_question_that_nobody_answers_forgets_nothing(garden: Terminal) -> None:
    asked = [sys.executable, "-c", "from interfaces.main import run; run()", "forget", "--match", "hedge"]
    done = subprocess.run(
        [*asked, "--vault", str(garden.vault)], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    assert (done.returncode, b"Nothing was forgotten" in done.stdout) == (1, True), done.stderr
    assert notes(garden)


def test_what_came_in_is_told_in_whole_words(terminal: Terminal, export: Exporter) -> None:
    said = terminal.run("ingest", export("ada", {"garden": TURNS}))[1]
    assert "conversations 1, messages" in said
    assert "new 1" in said
    assert "no sweep has said" in terminal.run("clean", "log")[1]


def test_an_undo_names_what_it_took_back(garden: Terminal) -> None:
    note = notes(garden)[0]
    assert garden.run("keep", note["id"])[0] == 0
    assert garden.json("undo", "--dry-run")["undone"][0]["text"] == note["text"]  # type: ignore[index]
    code, said = garden.run("undo")
    assert code == 0
    assert f"keep {str(note['id'])[:8]} {note['text']}" in said
    garden.run("keep", "--all-passed")
    count = len(notes(garden, "--state", "kept"))
    assert f"and {count - 10} more" in garden.run("undo")[1] or count <= 10


def test_what_is_to_be_forgotten_is_shown_where_it_was_found(garden: Terminal) -> None:
    assert garden.run("forget", "--match", "hedg", "--dry-run")[0] == 2
    assert "--inside-words" in garden.err
    conversation = str(notes(garden)[0]["conversation_id"])
    for arguments in (("HEDGE",), ("hedg", "--inside-words")):
        code, said = garden.run("forget", "--match", *arguments, "--dry-run")
        assert code == 0
        assert "Garden, 20" in said
        assert "hedge" in said.split("found", 1)[1]
    planned = garden.json("forget", "--match", "hedge", "--dry-run")["plan"]
    (erased,) = planned["erased"]  # type: ignore[index, call-overload]
    assert erased["owner"] == conversation
    assert all("hedge" in mention["snippet"] for mention in erased["mentions"])
    assert conversation[:8] in garden.run("list")[1]
    assert garden.run("forget", "--conversation", conversation[:8], "--dry-run")[0] == 0


def test_what_a_question_finds_can_be_discarded(garden: Terminal) -> None:
    done = garden.json("discard", "--query", "how much may the garden cost?", "--limit", 1)
    (unit,) = done["units"]  # type: ignore[misc]
    assert "200" in str(garden.json("get", unit)["items"])
    assert [note["id"] for note in notes(garden, "--state", "discarded")] == [unit]
    assert garden.run("discard", "--undo", unit)[0] == 0
    assert notes(garden, "--state", "discarded") == []


def test_a_note_is_corrected_and_the_correction_taken_back(garden: Terminal) -> None:
    note = notes(garden)[0]
    unit = str(note["id"])
    assert garden.json("correct", unit, "The plot is 42 square metres.", "--keep")["text"] == (
        "The plot is 42 square metres."
    )
    (shown,) = (one for one in notes(garden) if one["id"] == unit)
    assert (shown["text"], shown["state"]) == ("The plot is 42 square metres.", "kept")
    assert garden.run("correct", unit, " ".join(["word"] * 16))[0] == 2
    assert garden.run("correct", unit)[0] == 2
    assert garden.run("correct", unit, "--undo")[0] == 0
    assert notes(garden)[0]["text"] == note["text"]
    assert garden.run("correct", unit, "--undo")[0] == 1


def test_a_policy_says_first_how_many_it_would_keep(garden: Terminal) -> None:
    rule = ("--speaker", "owner", "--category", "fact")
    planned = garden.json("policy", "on", "mine", *rule, "--dry-run")
    assert garden.json("policy", "list") == {"policies": []}
    garden.run("policy", "on", "mine", *rule)
    kept = notes(garden, "--state", "kept")
    assert len(kept) == planned["keeps"] > 0  # type: ignore[operator]
    (policy,) = garden.json("policy", "list")["policies"]  # type: ignore[misc]
    assert (policy["policy"], policy["keeps"]) == ("mine", len(kept))
    garden.run("policy", "off", "mine", "--undo")
    assert notes(garden, "--state", "kept") == []
    assert garden.run("policy", "off", "mine")[0] == 2


@pytest.mark.parametrize("what", ["units", "chunks", "conversations"])
@pytest.mark.parametrize("file_format", ["jsonl", "parquet", "csv"])
def test_exports_hold_every_row(garden: Terminal, tmp_path: Path, what: str, file_format: str) -> None:
    target = tmp_path / f"out.{file_format}"
    made = garden.json("export", what, "--format", file_format, "--to", target)
    reader = {"jsonl": "read_json", "parquet": "read_parquet", "csv": "read_csv"}[file_format]
    ((count,),) = duckdb.execute(f"SELECT count(*) FROM {reader}('{target}')").fetchall()
    assert count == made["rows"] > 0  # type: ignore[operator]


def test_an_export_spares_the_vault_and_writes_through_links_and_pipes(
    garden: Terminal, tmp_path: Path
) -> None:
    current = garden.vault / "CURRENT"
    before = current.read_bytes()
    code, _ = garden.run("export", "units", "--to", current)
    assert (code, current.read_bytes()) == (2, before)
    assert "does not go into the vault" in garden.err
    link, named = tmp_path / "link.jsonl", tmp_path / "named.jsonl"
    named.write_text("old")
    link.symlink_to(named)
    rows = garden.json("export", "units", "--to", link)["rows"]
    assert link.is_symlink()
    assert len(named.read_text().splitlines()) == rows
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        read = pool.submit(pipe.read_text)
        assert garden.run("export", "units", "--to", pipe)[0] == 0
        assert len(read.result(timeout=30).splitlines()) == rows
    assert pipe.is_fifo()


def test_an_archive_whose_name_is_not_utf8_is_refused_in_one_line(terminal: Terminal, tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.json")
    Path(path).write_text("[]")
    code, _ = terminal.run("ingest", path)
    assert code == 1
    assert "is not UTF-8" in terminal.err


def test_two_accounts_must_be_told_apart(garden: Terminal, export: Exporter) -> None:
    assert garden.run("ingest", export("bob", {"garden": TURNS}), "--account", "bob")[0] == 0
    code, _ = garden.run("list")
    assert code == 2
    assert "ada, bob" in garden.err
    assert notes(garden, "--account", "bob")
    assert garden.run("list", "--account", "eve")[0] == 2


def test_archive_text_cannot_drive_the_terminal(terminal: Terminal, export: Exporter) -> None:
    hostile = [("user", "The door code is \x1b[2J\x1b]0;owned\x07 green and the [bold]shed[/bold] is red.")]
    terminal.run("ingest", export("ada", {"garden": hostile}))
    for command in (("list",), ("show", str(notes(terminal)[0]["conversation_id"]))):
        code, out = terminal.run(*command)
        assert code == 0
        assert "\x1b" not in out
        assert "\x07" not in out


def test_recall_gives_the_fitting_note_first_with_its_quote(garden: Terminal) -> None:
    package = garden.json("recall", "how much may the garden cost?")
    first = package["hits"][0]  # type: ignore[index]
    assert "200 euros" in first["text"]
    code, out = garden.run("recall", "how much may the garden cost?", "--explain")
    assert code == 0
    assert "200 euros" in out
    assert "Dropped" in out


def test_recall_never_exceeds_its_budget(garden: Terminal) -> None:
    for budget in (1, 30, 100):
        package = garden.json("recall", "hornbeam hedge", "--budget", budget)
        assert package["tokens"] <= budget  # type: ignore[operator]


def test_a_discarded_note_is_not_recalled(garden: Terminal) -> None:
    (budget,) = (str(note["id"]) for note in notes(garden) if "200" in str(note["text"]))
    assert budget in str(garden.json("recall", "how much may the garden cost?")["hits"])
    garden.run("discard", budget)
    assert budget not in str(garden.json("recall", "how much may the garden cost?")["hits"])


def test_inspect_counts_without_importing(terminal: Terminal, export: Exporter) -> None:
    assert main(["inspect", str(export("ada", {"garden": TURNS})), "--json"]) == 0
    found = json.loads(terminal.capsys.readouterr().out)
    assert (found["format"], found["conversations"], found["user_typed"], found["assistant"]) == (
        "chatgpt",
        1,
        2,
        1,
    )
    assert not terminal.vault.exists()


def test_chunk_shows_a_files_tree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "notes.md"
    path.write_text("# Boat\n\nOak.\n\n## Paint\n\nRed.\n", encoding="utf-8")
    assert main(["chunk", str(path)]) == 0
    assert "Paint" in capsys.readouterr().out
    assert main(["chunk", str(path), "--json"]) == 0
    chunks = json.loads(capsys.readouterr().out)["chunks"]
    assert "".join(one["text"] for one in chunks) == path.read_text(encoding="utf-8")
    path.write_bytes(b"\xff\xfe#")
    assert main(["chunk", str(path)]) == 1
    assert "byte 0" in capsys.readouterr().err


def test_exclusions_are_kept_and_taken_back(terminal: Terminal, export: Exporter) -> None:
    assert terminal.json("exclusions", "--add", "conversation:gard*") == {"rules": ["conversation:gard*"]}
    code, out = terminal.run("ingest", export("ada", {"garden": TURNS, "bread": TURNS}))
    assert code == 0
    assert "excluded by the rule conversation:gard*" in " ".join(out.split())
    assert terminal.run("exclusions", "--remove", "provider:x")[0] == 2
    assert terminal.json("exclusions", "--remove", "conversation:gard*") == {"rules": []}
