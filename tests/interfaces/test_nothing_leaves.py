"""Without an engine elsewhere no command opens a connection, and no library that it uses does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from chatgpt_export import chatgpt_conversation

from flows.upkeep.checkup import USAGE_QUEUE, examine_all
from inference.weights import cache_folder
from schemas.library_settings import REFUSED, settle_libraries

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
COUNTERS = Path("/proc/net/snmp")
TRIED = ("Ip.OutRequests", "Ip.OutNoRoutes", "Tcp.ActiveOpens", "Udp.OutDatagrams")
"""The kernel's counters of one network namespace: what was to go out by IPv4, way or no way."""

ASKING = """
import socket
for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
    try:
        socket.socket(socket.AF_INET, kind).connect(("192.0.2.1", 9))
    except OSError:
        pass
"""
INITIALISE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}
OTHERWISE = ("TRACK", "TELEMETRY", "ANALYTICS", "USAGE", "MNEMIC_", "XDG_")
"""Names with these in them would say something that a user's fresh shell does not."""


def may_have_its_own_network() -> bool:
    """Whether this user may make a network namespace, in which there is no way to anywhere."""
    try:
        done = subprocess.run(["unshare", "-rn", "true"], capture_output=True, check=False)
    except FileNotFoundError:
        return False
    return done.returncode == 0


OWN_NETWORK = may_have_its_own_network()
counted = pytest.mark.skipif(not OWN_NETWORK, reason="no network namespace may be made here (`unshare -rn`)")


def ran(
    command: list[str], counts: Path, env: dict[str, str], said: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run it without a network where that may be; what the kernel counted then lies in `counts`."""
    counting = f'"$@"; code=$?; cat {COUNTERS} > "$COUNTS"; exit $code'
    apart = ["unshare", "-rn", "sh", "-c", counting, "sh"] if OWN_NETWORK else []
    return subprocess.run(
        [*apart, *command],
        env={**env, "COUNTS": str(counts)},
        input=said,
        capture_output=True,
        text=True,
        check=False,
    )


def attempts(counts: Path) -> dict[str, int]:
    """The counters that are not 0, by name."""
    found: dict[str, int] = {}
    lines = [line.split() for line in counts.read_text(encoding="ascii").splitlines()]
    for titles, values in zip(lines[::2], lines[1::2], strict=True):
        layer = titles[0].removesuffix(":")
        found |= {f"{layer}.{title}": int(n) for title, n in zip(titles[1:], values[1:], strict=True)}
    return {name: found[name] for name in TRIED if found[name]}


@dataclass(frozen=True)
class Watched:
    """What one process that ran many commands did outside its vault."""

    said: str
    code: int
    asked: str
    counts: Path
    left: list[str]


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Watched:
    """A user's fresh process, with a home and a folder for temporary files of its own."""
    folder = tmp_path_factory.mktemp("watched")
    home, temporary, vault = folder / "home", folder / "tmp", str(folder / "vault")
    home.mkdir()
    temporary.mkdir()
    export = folder / "mara.json"
    turns = [("user", "I decided to paint the hull of the boat green."), ("assistant", "Green it is.")]
    export.write_text(json.dumps([chatgpt_conversation("hull", turns)]), encoding="utf-8")
    commands = [
        ["inspect", str(export)],
        ["ingest", "--vault", vault, str(export)],
        ["recall", "--vault", vault, "what colour did I paint the hull?"],
        ["list", "--vault", vault],
        ["threads", "--vault", vault],
        ["status", "--vault", vault],
        ["clean", "duplicates", "--vault", vault],
        ["vault", "verify", "--full", "--vault", vault],
        ["reprocess", "--vault", vault],
        ["doctor", "--vault", vault],
        ["mcp", "--vault", vault],
    ]
    env = {name: value for name, value in os.environ.items() if not any(word in name for word in OTHERWISE)}
    env |= {"HOME": str(home), "TMPDIR": str(temporary), "MNEMIC_CACHE": str(cache_folder())}
    env |= {"PYTHONPATH": str(REPOSITORY), "PYTHONDONTWRITEBYTECODE": "1"}
    asked = folder / "asked"
    told = [sys.executable, str(HERE / "watched_commands.py"), str(asked), json.dumps(commands)]
    done = ran(told, folder / "counts", env, json.dumps(INITIALISE) + "\n")
    left = [
        str(one.relative_to(folder))
        for place in (home, temporary)
        for one in place.rglob("*")
        if one.is_file()
    ]
    return Watched(
        done.stdout + done.stderr, done.returncode, asked.read_text(encoding="utf-8"), folder / "counts", left
    )


def test_the_common_commands_need_no_network(watched: Watched) -> None:
    assert watched.code == 0, watched.said
    assert "serverInfo" in watched.said
    assert watched.asked == ""


@counted
def test_no_library_tried_to_reach_anything(watched: Watched) -> None:
    """The kernel counts what was tried below Python too."""
    assert attempts(watched.counts) == {}


def test_no_library_queued_events_or_left_a_mark(watched: Watched) -> None:
    """Usage events are queued at once and sent seconds later, by this process or by the next."""
    assert watched.left == []


@pytest.mark.parametrize("package", ["benchmarks", "flows", "inference", "interfaces", "vault"])
def test_every_way_in_refuses_before_a_library_is_imported(package: str) -> None:
    env = {name: value for name, value in os.environ.items() if name not in REFUSED}
    said = (
        f"import os, sys, {package}; print(os.environ['ORT_DISABLE_TELEMETRY'], 'onnxruntime' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", said], env=env, cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    assert done.stdout == "1 False\n"


def test_the_doctor_names_what_was_queued_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    queue, mark = tmp_path / USAGE_QUEUE, tmp_path / ".ses"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert [one for one in examine_all(tmp_path / "vault") if one.what == "usage events"] == []
    queue.mkdir(parents=True)
    mark.touch()
    (found,) = (one for one in examine_all(tmp_path / "vault") if one.what == "usage events")
    assert found.well
    assert f"rm -r {queue} {mark}" in found.remedy


def test_whoever_says_otherwise_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in REFUSED:
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("ORT_DISABLE_TELEMETRY", "0")
    settle_libraries()
    assert {name: os.environ[name] for name in REFUSED} == {**REFUSED, "ORT_DISABLE_TELEMETRY": "0"}


@counted
def test_what_is_tried_is_counted(tmp_path: Path) -> None:
    done = ran([sys.executable, "-c", ASKING], tmp_path / "counts", dict(os.environ))
    assert done.returncode == 0, done.stderr
    assert attempts(tmp_path / "counts") == {"Ip.OutNoRoutes": 2}
