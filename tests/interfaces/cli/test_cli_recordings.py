"""Answers that are written down as a model gives them, and taken from there again."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest
from model_server import ModelServer
from test_cli_local_models import MODEL, TALKS, Commands, Exporter, commands, server

from inference.recordings import FILE, read_recordings
from interfaces.main import main
from schemas.errors import InputError, PathMissing

__all__ = ["commands", "server"]


@pytest.fixture
def tape(commands: Commands, export: Exporter, tmp_path: Path) -> Path:
    """A folder with the answers of an ingest."""
    folder = tmp_path / "tape"
    assert commands.asking("ollama", "ingest", export("ada", TALKS), "--record", folder)[0] == 0
    return folder


def replayed(vault: Path, archive: Path, tape: Path, capsys: pytest.CaptureFixture[str]) -> Commands:
    """An ingest where nobody can be asked."""
    with ModelServer(lambda _: {}) as silent:
        own = Commands(silent, vault, capsys)
        model = ("--engine", "ollama", "--model", MODEL, "--base-url", "http://127.0.0.1:9")
        assert own.run("ingest", archive, *model, "--replay", tape)[0] == 0
        assert silent.paths == []
    return own


def test_what_was_recorded_makes_the_same_notes(
    commands: Commands, export: Exporter, tape: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = "SELECT text, category FROM units ORDER BY text"
    asked = commands.run("sql", told)[1]
    again = replayed(tmp_path / "other", export("ada", TALKS), tape, capsys)
    assert again.run("sql", told)[1] == asked
    assert again.extractors() == commands.extractors()


def test_a_recording_is_the_owner_s_alone_and_may_be_packed(
    export: Exporter, tape: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (tape / FILE).stat().st_mode & 0o077 == 0
    packed = tmp_path / "packed"
    packed.mkdir()
    (packed / f"{FILE}.xz").write_bytes(lzma.compress((tape / FILE).read_bytes()))
    assert read_recordings(packed) == read_recordings(tape)
    assert replayed(tmp_path / "other", export("ada", TALKS), packed, capsys).extractors()


def test_what_was_not_recorded_is_read_offline(
    tape: Path, export: Exporter, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = {**TALKS, "loft": [("user", "The loft is insulated with 30 cm of hemp.")]}
    own = replayed(tmp_path / "other", export("ada", more), tape, capsys)
    assert {" in place of " in one for one in own.extractors()} == {True, False}


def test_a_line_that_a_crash_cut_off_loses_only_itself(tape: Path) -> None:
    whole = read_recordings(tape)
    with (tape / FILE).open("ab") as file:
        file.write(b'{"asked": "half')
    assert read_recordings(tape) == whole
    with (tape / FILE).open("ab") as file:
        file.write(b"\n")
    with pytest.raises(InputError, match=rf"{FILE}:{len(whole) + 1}"):
        read_recordings(tape)


def test_options_that_make_no_sense_say_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(PathMissing):
        read_recordings(tmp_path)
    both = ("--record", str(tmp_path / "a"), "--replay", str(tmp_path / "b"))
    model = ("--engine", "ollama", "--model", MODEL)
    assert main(["ingest", str(tmp_path), "--vault", str(tmp_path / "vault"), *model, *both]) == 2
    assert "recorded or replayed" in capsys.readouterr().err
