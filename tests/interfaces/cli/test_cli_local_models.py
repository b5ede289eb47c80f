"""Commands that ask a model of one's own: Ollama, and chat completions, against a local server."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, Scripted, user_text
from open_gate import let_pass

from extract.model.conversation_questions import questions_of
from inference.chat import LOCAL_CONTEXT, local_reach
from inference.provider_choice import Asked, provider_of
from interfaces.main import main
from schemas.conversation import Conversation

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]

TALKS = {
    "garden": [("user", "The garden is 40 square metres. I can only spend 200 euros on it.")],
    "bread": [("user", "Rye dough rests for 12 hours.")],
    "shelf": [("user", "The shelf holds 80 books.")],
}
MODEL = "qwen3:4b-instruct-2507"
SAMPLE = Path(__file__).parents[3] / "data" / "sample" / "conversations.json"


def echo(body: dict[str, Any]) -> dict[str, object]:
    """A note of every sentence, in its own words; no line of anything else."""
    asked = user_text(body)
    if "<conversation>" not in asked or asked.endswith("words."):
        return {"lines": []}
    inside = asked.split("<conversation>")[1]
    return {"units": [f"{n}|F||{said}" for n, said in re.findall(r"^(\d+) (.+)$", inside, re.M)], "empty": []}


class Commands:
    """Runs mnemic on one vault, with a provider at the local server."""

    def __init__(self, server: ModelServer, vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.server, self.vault, self.capsys = server, vault, capsys
        self.err = ""

    def run(self, *arguments: object, as_json: bool = True) -> tuple[int, Any]:
        code = main([*map(str, arguments), "--vault", str(self.vault), *(["--json"] if as_json else [])])
        printed = self.capsys.readouterr()
        self.err = printed.err
        return code, json.loads(printed.out) if as_json and printed.out else printed.out

    def asking(self, engine: str, *arguments: object, as_json: bool = True) -> tuple[int, Any]:
        model = ("--engine", engine, "--model", MODEL, "--base-url", self.server.url)
        return self.run(*arguments, *model, as_json=as_json)

    def extractors(self) -> set[str]:
        _, rows = self.run("sql", "SELECT DISTINCT extractor FROM units")
        return {str(row["extractor"]) for row in rows}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(echo) as running:
        yield running


@pytest.fixture
def commands(server: ModelServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Commands:
    return Commands(server, let_pass(tmp_path / "vault"), capsys)


@pytest.mark.parametrize(("engine", "path"), [("ollama", "/api/chat"), ("openai", "/v1/chat/completions")])
def test_a_model_of_one_s_own_makes_notes_names_itself_and_costs_nothing(
    server: ModelServer, commands: Commands, export: Exporter, engine: str, path: str
) -> None:
    archive = export("ada", TALKS)
    code, summary = commands.asking(engine, "ingest", archive)
    assert (code, summary["made"]["units"]) == (0, 4)
    assert set(server.paths) == {path}
    assert server.most_at_once == 1
    assert summary["model_use"]["model"] == f"{engine} {MODEL}"
    assert summary["model_use"]["spent_usd"] == 0
    assert commands.extractors() == {f"{engine}/3 {MODEL} units-small/2"}
    _, status = commands.run("status")
    (spent,) = status["model"]["spending"]
    assert (spent["model"], spent["mode"], spent["usd"]) == (MODEL, f"{engine} chat", 0)
    asked = len(server.received)
    code, again = commands.asking(engine, "ingest", archive)
    assert (code, again["published"], len(server.received)) == (0, False, asked)


def test_settings_say_once_for_all_which_model_is_asked(
    server: ModelServer, commands: Commands, export: Exporter, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(
        f'mnemic_engine = "ollama"\nmnemic_model = "{MODEL}"\nollama_host = "{server.url}"\n'
        "mnemic_context = 16384\nmnemic_timeout = 30.0\n",
        encoding="utf-8",
    )
    for name in ("OLLAMA_HOST", "MNEMIC_ENGINE", "MNEMIC_MODEL", "MNEMIC_CONTEXT", "MNEMIC_TIMEOUT"):
        monkeypatch.setenv(name, "")  # so that what the file sets is taken back afterwards
        monkeypatch.delenv(name)
    monkeypatch.setenv("MNEMIC_CONFIG", str(file))
    code, summary = commands.run("ingest", export("ada", TALKS), "--no-summaries")
    assert (code, summary["model_use"]["model"]) == (0, f"ollama {MODEL}")
    assert {body["options"]["num_ctx"] for body in server.received} == {16_384}


def test_faults_of_windows_are_listed_and_a_retry_asks_for_those_alone(
    server: ModelServer, commands: Commands, export: Exporter
) -> None:
    def script(body: dict[str, Any]) -> object:
        if "dough" in user_text(body):
            return Scripted(json.dumps(echo(body)), prompt_tokens=20)
        return (
            Scripted('{"units": ["1|F||The sh', stop_reason="max_tokens")
            if "shelf" in user_text(body)
            else echo(body)
        )

    server.script = script  # type: ignore[assignment]
    archive = export("ada", TALKS)
    code, summary = commands.asking("ollama", "ingest", archive, "--no-summaries")
    assert (code, summary["made"]["fallbacks"], summary["made"]["units"]) == (0, 2, 4)
    _, status = commands.run("status", "--retries")
    assert {one["reason"] for one in status["retries"]} == {"the prompt was cut short", "cut off"}
    server.script = echo
    asked = len(server.received)
    code, summary = commands.asking("ollama", "ingest", archive, "--no-summaries", "--retry")
    assert (code, len(server.received) - asked) == (0, 1)  # both windows travel in one request
    _, status = commands.run("status", "--retries")
    assert status["retries"] == []


def test_what_is_wrong_with_the_model_is_said_in_one_line(
    server: ModelServer, commands: Commands, export: Exporter
) -> None:
    archive = export("ada", TALKS)
    server.script = lambda _: Scripted(status=404, said=f"model '{MODEL}' not found")
    assert commands.asking("ollama", "ingest", archive)[0] == 1
    assert f"`ollama pull {MODEL}`" in commands.err
    assert commands.run("ingest", archive, "--engine", "ollama")[0] == 2
    assert "--model" in commands.err
    assert commands.asking("ollama", "ingest", archive, "--batch")[0] == 2
    assert "no batches" in commands.err
    code, _ = commands.run(
        "ingest", archive, "--engine", "openai", "--model", "m", "--base-url", "https://x.example"
    )
    assert code == 2
    assert "--price" in commands.err
    assert commands.run("ingest", archive, "--engine", "ollama", "--model", MODEL)[0] == 1
    assert "ollama serve" in commands.err


def test_a_plan_tells_money_and_time(server: ModelServer, commands: Commands, export: Exporter) -> None:
    archive = export("ada", TALKS)
    code, said = commands.asking("ollama", "plan", archive, as_json=False)
    assert (code, server.paths) == (0, [])
    assert "Time: not known" in said
    assert "--probe" in said
    code, plan = commands.asking("ollama", "plan", archive, "--probe")
    assert (code, len(server.paths)) == (0, 1)
    asked = plan["total"]["questions"]
    assert (asked["usd_messages"], plan["usd_batch_per_1000_pairs"]) == (0, None)
    # the server reads 500 tokens a second and writes 50
    seconds = (asked["text_tokens"] + asked["prompt_tokens"]) / 500 + asked["output_tokens"] / 50
    assert plan["seconds"] == pytest.approx(seconds, rel=0.01)
    assert not any("garden" in json.dumps(body) for body in server.received)
    commands.asking("ollama", "ingest", archive)
    code, said = commands.asking("ollama", "plan", archive, as_json=False)
    assert re.search(r"Time: about \d+ s, 1 call at once, at .* \(by \d+ calls on record\)", said)
    assert commands.run("plan", archive, "--probe")[0] == 2
    assert "would cost money" in commands.err


def test_another_provider_s_work_is_planned_and_done_again(
    server: ModelServer, commands: Commands, export: Exporter
) -> None:
    commands.asking("ollama", "ingest", export("ada", TALKS), "--no-summaries")
    code, done = commands.asking("openai", "reprocess", "--no-summaries", "--dry-run")
    assert (code, done["plan"]["due"], done["plan"]["questions"]["questions"]) == (0, 3, 3)
    assert commands.asking("openai", "reprocess", "--no-summaries")[0] == 0
    assert commands.extractors() == {f"openai/3 {MODEL} units-small/2"}


def test_sweeps_and_recall_ask_it_too(server: ModelServer, commands: Commands, export: Exporter) -> None:
    talks = {
        "old": [("user", "The rent of the flat in Kiel is 800 euros a month.")],
        "new": [("user", "The rent of the flat in Kiel is 870 euros a month.")],
    }
    commands.run("ingest", export("ada", talks))
    server.script = lambda _: {"verdict": "keep_both", "reason": "It says so.", "lines": ["1: KEEP - rent"]}
    code, swept = commands.asking("openai", "clean", "superseded")
    assert code == 0
    assert swept["unanswered"] == 0
    judged = len(server.received)
    assert judged == swept["judged"]
    code, _ = commands.asking("ollama", "recall", "the rent of the flat in Kiel", "--gate", "model")
    assert code == 0
    assert server.paths[judged:] == ["/api/chat"]


def test_a_model_is_asked_about_duplicates_in_doubt(
    server: ModelServer, commands: Commands, export: Exporter
) -> None:
    talks = {
        "old": [
            ("user", "The violin was repaired by a luthier in Graz. The shed roof leaks above the workbench.")
        ],
        "new": [("user", "A luthier in Graz mended and repaired the violin. The hull is 7 metres long.")],
    }
    commands.run("ingest", export("ada", talks))
    assert commands.run("clean", "duplicates", "--dry-run")[1]["effects"] == {}
    server.script = lambda _: {"nothing": "that was asked for"}
    code, swept = commands.asking("ollama", "clean", "duplicates")
    assert (code, swept["unanswered"], swept["effects"]) == (3, 1, {})
    server.script = lambda _: {"same": True, "reason": "Both tell of one repair in Graz."}
    code, swept = commands.asking("openai", "clean", "duplicates")
    assert (code, swept["unanswered"], swept["effects"]) == (0, 0, {"applied": 1})
    assert ["violin" in json.dumps(body) for body in server.received] == [True, True], "no other pair"
    (said,) = commands.run("clean", "log")[1]["judgements"]
    assert said["judge"].endswith("sameness/1")


def test_every_question_about_the_sample_fits_the_context_of_a_small_model() -> None:
    from archives import open_archive

    provider = provider_of(Asked("ollama", MODEL))
    reach = local_reach(LOCAL_CONTEXT)
    with open_archive(SAMPLE) as archive:
        talks: list[Conversation] = list(archive.conversations())
    asked = [
        one
        for talk in talks
        for tier in questions_of(talk, summary=True, reach=reach).values()
        for one in tier
    ]
    assert len(asked) > len(talks)
    assert [provider.call(one).unfit for one in asked] == [""] * len(asked)
