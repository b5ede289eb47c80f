from __future__ import annotations

import sqlite3
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from schemas.errors import IntegrityError, UsageError
from vault.layout import VaultLayout
from vault.points import PointKind
from vault.sessions import LASTS, GivenNote, SessionCall, Sessions, drop_sessions

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def call(number: int, *refs: str, tokens: int = 100) -> SessionCall:
    given = tuple(GivenNote(kind=PointKind.UNIT, ref=ref) for ref in refs)
    return SessionCall(number=number, need="the paint", at=NOON, tokens=tokens, confidence=0.5, given=given)


def sessions(folder: Path, at: datetime = NOON) -> Sessions:
    return Sessions(VaultLayout(folder), clock=lambda: at)


def test_a_session_is_read_back_as_it_was_recorded(tmp_path: Path) -> None:
    began = sessions(tmp_path).begun("mara", "chat-42", 1000, 3)
    assert sessions(tmp_path).record(began, call(1, "a", "b"))
    found = sessions(tmp_path).named("mara", "chat-42")
    assert found is not None
    assert (found.tokens_left, found.calls_left, [one.ref for one in found.given]) == (900, 2, ["a", "b"])
    assert sessions(tmp_path).begun("mara", "chat-42", 5, 1) == found  # its own bounds stay
    assert sessions(tmp_path).named("otto", "chat-42") is None


def test_a_call_beside_another_is_not_recorded(tmp_path: Path) -> None:
    began = sessions(tmp_path).begun("mara", "chat-42", 1000, 3)
    assert sessions(tmp_path).record(began, call(1, "a"))
    assert not sessions(tmp_path).record(began, call(1, "a"))
    found = sessions(tmp_path).named("mara", "chat-42")
    assert found is not None
    assert len(found.calls) == 1


def test_a_call_of_an_ended_session_is_not_recorded(tmp_path: Path) -> None:
    began = sessions(tmp_path).begun("mara", "chat-42", 1000, 3)
    assert sessions(tmp_path).end("mara", "chat-42")
    assert not sessions(tmp_path).end("mara", "chat-42")
    assert not sessions(tmp_path).record(began, call(1, "a"))


def test_a_session_expires_after_its_last_call(tmp_path: Path) -> None:
    began = sessions(tmp_path).begun("mara", "chat-42", 1000, 3)
    sessions(tmp_path).record(began, call(1, "a"))
    late = sessions(tmp_path, NOON + LASTS + timedelta(seconds=1))
    assert sessions(tmp_path, NOON + LASTS).named("mara", "chat-42") is not None
    assert late.named("mara", "chat-42") is None
    assert late.begun("mara", "chat-42", 500, 2).given == ()
    with sqlite3.connect(tmp_path / "sessions.sqlite") as connection:
        assert connection.execute("SELECT count(*) FROM given").fetchone() == (0,)


def test_what_was_recorded_outlives_a_killed_process(tmp_path: Path) -> None:
    program = f"""
import os, signal
from pathlib import Path
from tests.vault.test_sessions import call, sessions
held = sessions(Path({str(tmp_path)!r}))
began = held.begun("mara", "chat-42", 1000, 3)
held.record(began, call(1, "a"))
with held._writing() as connection:
    connection.execute("DELETE FROM calls")
    os.kill(os.getpid(), signal.SIGKILL)
"""
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", program], cwd=root, check=False)
    assert done.returncode == -9
    found = sessions(tmp_path).named("mara", "chat-42")
    assert found is not None
    assert [one.ref for one in found.given] == ["a"]


def test_no_byte_of_a_dropped_session_stays(tmp_path: Path) -> None:
    began = sessions(tmp_path).begun("mara", "chat-42", 1000, 3)
    sessions(tmp_path).record(began, call(1, "a"))
    drop_sessions(VaultLayout(tmp_path))
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"the paint" not in left
    assert sessions(tmp_path).of("mara") == []


def test_a_damaged_file_says_what_is_lost(tmp_path: Path) -> None:
    (tmp_path / "sessions.sqlite").write_bytes(b"the paint" * 1000)
    with pytest.raises(IntegrityError, match="nothing else is lost"):
        sessions(tmp_path).begun("mara", "chat-42", 1000, 3)
    drop_sessions(VaultLayout(tmp_path))
    assert not (tmp_path / "sessions.sqlite").exists()


@pytest.mark.parametrize("name", ["", "  ", "x" * 101, "two\nlines"])
def test_a_name_that_is_none_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="no name for a session"):
        sessions(tmp_path).begun("mara", name, 1000, 3)
