"""`mnemic ingest --engine anthropic` against a local server that speaks Messages and Message Batches."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, Scripted, user_text
from rich.console import Console

from interfaces.cli.commands.plan import ARCHIVE_COLUMNS
from interfaces.cli.terminal import table
from interfaces.main import main

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]

TALKS = {
    "garden": [("user", "The garden is 40 square metres. I can only spend 200 euros on it.")],
    "bread": [("user", "Rye dough rests for 12 hours.")],
    "shelf": [("user", "The shelf holds 80 books.")],
}
SENTENCES = 4


def echo(body: dict[str, Any]) -> dict[str, object]:
    """A note of every sentence, in its own words."""
    inside = user_text(body).split("<conversation>")[1]
    return {"units": [f"{n}|F||{said}" for n, said in re.findall(r"^(\d+) (.+)$", inside, re.M)], "empty": []}


class Commands:
    """Runs mnemic on one vault with the local server for its service."""

    def __init__(self, server: ModelServer, vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.server, self.vault, self.capsys = server, vault, capsys
        self.err = ""

    def run(self, *arguments: object) -> tuple[int, dict[str, Any]]:
        code = main([*map(str, arguments), "--vault", str(self.vault), "--json"])
        printed = self.capsys.readouterr()
        self.err = printed.err
        return code, json.loads(printed.out) if printed.out else {}

    def ingest(self, archive: Path, *options: object) -> tuple[int, dict[str, Any]]:
        return self.run(
            "ingest",
            archive,
            "--engine",
            "anthropic",
            "--base-url",
            self.server.url,
            "--no-summaries",
            "--no-pack",
            *options,
        )


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(echo) as running:
        yield running


@pytest.fixture
def commands(server: ModelServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Commands:
    return Commands(server, tmp_path / "vault", capsys)


def met_by(answers: dict[str, list[Scripted]]) -> Callable[[dict[str, Any]], object]:
    """A question with one of these words meets its faults one after the other, and then is answered."""

    def script(body: dict[str, Any]) -> object:
        faults = next((left for word, left in answers.items() if word in user_text(body)), [])
        return faults.pop(0) if faults else echo(body)

    return script


def test_what_passes_leaves_no_trace_but_its_tries(
    server: ModelServer, commands: Commands, export: Exporter
) -> None:
    faults = {
        f"Loaf {status} ": [Scripted(status=status, headers={"retry-after": "0"})]
        for status in (429, 500, 529)
    }
    server.script = met_by({**faults, "Loaf 0 ": [Scripted(hang_up=True)]})
    talks = {f"loaf {n}": [("user", f"Loaf {n} weighs {n} grams.")] for n in (0, 429, 500, 529)}
    code, summary = commands.ingest(export("ada", talks))
    assert (code, summary["made"]["fallbacks"], summary["made"]["units"]) == (0, 0, 4)
    assert server.messages_sent == 8
    _, status = commands.run("status")
    (spent,) = status["model"]["spending"]
    assert (spent["calls"], spent["failed"]) == (4, 0)
    assert spent["usd"] > 0
    assert spent["cache_read_tokens"] > 0


BAD: dict[str, tuple[Scripted, str, bool]] = {
    "truncated": (Scripted('{"units": ["1|F||Rye'), "not the form asked for", True),
    "cut": (Scripted("{}", stop_reason="max_tokens"), "cut off", True),
    "refused": (Scripted(stop_reason="refusal"), "refused", True),
    "excused": (Scripted("I'm sorry, I can't help with that."), "not the form asked for", True),
    "denied": (Scripted(status=400), "no answer: status 400", True),
    "misquoted": (
        Scripted('{"units": ["1|F|wheat … days|The bread rests."], "empty": []}'),
        "most of its notes do not hold",
        True,
    ),
    "silent": (Scripted('{"units": [], "empty": []}'), "sentences passed over", False),
    "broken": (Scripted(raw=b'{"type": "message", "content": [{"ty'), "no answer: not a message", True),
}
"""By a word in the conversation: the answer, the reason listed, whether the window falls back whole."""


@pytest.mark.parametrize("mode", [(), ("--batch",)], ids=["messages", "batch"])
def test_what_stays_bad_falls_back_is_listed_and_harms_nothing_else(
    server: ModelServer, commands: Commands, export: Exporter, mode: tuple[str, ...]
) -> None:
    # a batch brings its messages in one body, whose breaking off has a test of its own
    bad = {word: case for word, case in BAD.items() if not (mode and case[0].raw)}
    server.script = met_by({f"are {word} ": [case[0]] for word, case in bad.items()})
    talks = {word: [("user", f"The loaves that are {word} weigh 9 kg.")] for word in [*bad, "fine"]}
    code, summary = commands.ingest(export("ada", talks), *mode)
    assert (code, summary["made"]["fallbacks"]) == (0, len(bad))
    assert summary["made"]["units"] == len(talks), "the offline engine reads what the model did not"
    _, status = commands.run("status", "--retries")
    listed = {one["conversation_id"]: (one["reason"], one["whole"]) for one in status["retries"]}
    denied = "no answer: invalid_request_error" if mode else "no answer: status 400"
    assert sorted(listed.values()) == sorted(
        (denied if word == "denied" else reason, whole) for word, (_, reason, whole) in bad.items()
    )
    failed = sum(reason.startswith("no answer") for _, reason, _ in bad.values())
    assert [spent["failed"] for spent in status["model"]["spending"]] == [failed]


def test_what_fails_in_a_batch_is_submitted_again_alone(
    server: ModelServer, commands: Commands, export: Exporter
) -> None:
    server.script = met_by({"Rye": [Scripted(status=500), Scripted(expired=True)]})
    code, summary = commands.ingest(export("ada", TALKS), "--batch")
    assert (code, summary["made"]["fallbacks"]) == (0, 0)
    assert [len(one) for one in server.results.values()] == [3, 1, 1]


def test_a_service_that_is_away_is_said_and_costs_nothing_twice(
    server: ModelServer, commands: Commands, export: Exporter
) -> None:
    talks = {f"loaf {n}": [("user", f"Loaf {n} weighs {n} kg.")] for n in range(8)}
    away = Scripted(status=529, headers={"retry-after": "0"})
    server.script = lambda body: echo(body) if "Loaf 0 " in user_text(body) else away
    code, _ = commands.ingest(export("ada", talks), "--concurrency", 1)
    assert code == 1
    assert "in a row failed" in commands.err
    assert "kept and not paid again" in commands.err
    server.script = echo
    before = server.messages_sent
    code, summary = commands.ingest(export("ada", talks))
    assert (code, server.messages_sent - before) == (0, 7)
    assert summary["model_use"]["answered_before"] == 1


def test_a_pending_batch_is_said_shown_and_collected(
    server: ModelServer, commands: Commands, export: Exporter
) -> None:
    archive = export("ada", {"shelf": TALKS["shelf"]})
    commands.ingest(archive)
    server.polls_until_end = 10**6
    code, summary = commands.ingest(export("ada", TALKS), "--batch")
    assert (code, summary["published"], summary["model_use"]["under_way"]) == (0, False, 2)
    assert "Run the same command again later" in summary["model_use"]["stopped"]
    _, status = commands.run("status")
    assert [(one["batch_id"], one["questions"]) for one in status["model"]["under_way"]] == [
        ("msgbatch_1", 2)
    ]
    server.polls_until_end = 1
    code, summary = commands.ingest(export("ada", TALKS), "--batch")
    assert (code, summary["published"]) == (0, True)
    assert server.batches_made == 1
    _, status = commands.run("status")
    assert status["model"]["under_way"] == []
    assert {one["mode"]: one["calls"] for one in status["model"]["spending"]} == {"messages": 1, "batch": 2}


def test_a_kill_between_submitting_and_saving_pays_once(
    server: ModelServer, commands: Commands, export: Exporter
) -> None:
    archive = export("ada", TALKS)
    # the service has taken the batch, its answer is on the way, and the process is killed
    server.faults.append(Scripted(hang_up=True, seconds=5.0))
    arguments = ["ingest", archive, "--engine", "anthropic", "--base-url", server.url, "--batch"]
    arguments += ["--no-summaries", "--no-pack"]
    child = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from interfaces.main import run; run()",
            *map(str, arguments),
            "--vault",
            str(commands.vault),
        ],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
    )
    try:
        deadline = time.monotonic() + 120
        while server.batches_made == 0 and child.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
    finally:
        child.kill()
        child.wait()
    assert server.batches_made == 1
    code, summary = commands.ingest(archive, "--batch")
    assert (code, summary["published"], server.batches_made) == (0, True, 1)
    assert len(server.asked) == len(TALKS)
    assert summary["made"]["units"] == SENTENCES


def test_without_a_key_it_says_what_is_missing(tmp_path: Path, export: Exporter) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")}
    arguments = ["ingest", str(export("ada", TALKS)), "--engine", "anthropic", "--vault", str(tmp_path / "v")]
    done = subprocess.run(
        [sys.executable, "-c", "from interfaces.main import run; run()", *arguments],
        env={**kept, "PYTHONPATH": str(Path(__file__).parents[3]), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "no key" in done.stderr
    assert "ANTHROPIC_API_KEY" in done.stderr


def test_plan_says_the_price_and_sends_nothing(
    server: ModelServer, commands: Commands, export: Exporter
) -> None:
    code, plan = commands.run("plan", export("ada", TALKS), "--base-url", server.url, "--no-summaries")
    assert code == 0
    assert (plan["total"]["conversations"], plan["total"]["questions"]["questions"]) == (3, 3)
    assert 0 < plan["total"]["questions"]["usd_batch"] < plan["total"]["questions"]["usd_messages"]
    assert plan["assumptions"]
    assert server.paths == []


def test_the_heads_of_a_plan_are_whole_in_eighty_columns() -> None:
    row = (
        "conversations-2026-11-22-of-an-account-with-a-long-name.zip",
        12_345,
        123_456,
        123_456,
        "1234.5678",
    )
    screen = Console(width=80, file=StringIO())
    screen.print(table("claude-haiku-5-5", ARCHIVE_COLUMNS, [row]))
    head = screen.file.getvalue().splitlines()[2]
    assert all(name in head for name in ARCHIVE_COLUMNS)
