"""Thread maps by a model: asked for while a run loads, and collected by a later one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, Scripted, user_text
from test_model_ingest import choice, echo, run
from test_threads import HEDGE, PRUNING, WATERING

from flows.engines.engine_choice import BY_RULES
from flows.ingest.steps import IngestRequest, ingest
from vault.integrity import differences
from vault.model_calls import fallbacks
from vault.points import PointKind
from vault.reader import open_vault
from vault.threads import thread_maps_of, threads_of

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]
FIRST = {"hedge": HEDGE, "pruning": PRUNING}
WRITER = "anthropic/3 claude-haiku-5-5 maps/2"
GOAL = "The user wants a hedge of hornbeam along the garden fence."


def is_map(body: dict[str, Any]) -> bool:
    return "You map a line of thinking" in body["system"][0]["text"]


def answering(body: dict[str, Any]) -> dict[str, object]:
    """Notes as `echo`, with decisions; a summary of one line; a map with a goal and an obeyed injection."""
    asked = user_text(body)
    if is_map(body):
        goal = next(number for number, text in notes(asked) if "hedge of hornbeam" in text)
        decided = [(number, text) for number, text in notes(asked) if "user, decision" in text]
        lines = [f"G|{goal}|{GOAL}", f"F|{goal}|The user decided to sell the garden.", "nonsense"]
        lines += [f"F|{number}|{text.split(': ')[1]}" for number, text in decided]
        return {"lines": lines}
    if "You retell" in body["system"][0]["text"]:
        first = re.search(r"^(\d+) (.+)$", asked.split("<conversation>")[1], re.M)
        assert first
        return {"lines": [f"A|{first[1]}|{first[2]}"]}
    made = echo(body)
    lines_of = made["units"]
    assert isinstance(lines_of, list)
    return {
        **made,
        "units": [re.sub(r"\|F\|\|(?=.*(?:going with|let's go))", "|D||", line) for line in lines_of],
    }


def notes(asked: str) -> list[tuple[str, str]]:
    return re.findall(r"^(\d+) (.+)$", asked, re.M)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(answering) as running:
        yield running


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return tmp_path / "vault"


def one_map(vault: Path) -> Any:
    with open_vault(vault) as reader:
        assert differences(reader.index, reader.ledger) == []
        (made,) = thread_maps_of(reader.ledger, "ada").values()
    return made


def reasons(vault: Path) -> list[str]:
    with open_vault(vault) as reader:
        return [one.reason for one in fallbacks(reader.ledger) if one.reason.startswith("thread map")]


def test_a_map_is_asked_for_as_the_run_loads_and_checked(
    server: ModelServer, vault: Path, export: Exporter
) -> None:
    archive = export("ada", FIRST)
    summary = run(vault, archive, choice(server, summaries=True))
    assert summary.model_use is not None
    assert (summary.model_use.questions, sum(map(is_map, server.received))) == (5, 1)
    made = one_map(vault)
    assert made.writer == WRITER
    assert [line.text for line in made.goal] == [GOAL]
    assert len(made.arc) == 2
    assert any("June" in line.text for line in made.in_force)
    assert not any("sell" in line.text for line in made.in_force)
    assert all(line.unit_ids for part in (made.goal, made.in_force) for line in part)
    assert reasons(vault) == ["thread map: left out: a decision that nobody made"]
    with open_vault(vault) as reader:
        ((spent,),) = reader.ledger.query("SELECT sum(usd) FROM model_calls")
    assert summary.model_use.spent_usd == pytest.approx(spent, abs=1e-6)
    asked = len(server.asked)
    run(vault, archive, choice(server, summaries=True))
    assert len(server.asked) == asked


def label_of_one(vault: Path) -> str:
    with open_vault(vault) as reader:
        (thread,) = threads_of(reader.ledger, "ada")
        (found,) = (one.payload for one in reader.index.points() if one.payload.kind is PointKind.THREAD)
    assert found.conversation_title == thread.label
    assert one_map(vault).text.startswith(f"# {thread.label}")
    return thread.label


@pytest.mark.parametrize(
    ("written", "holds"),
    [("Hedge of hornbeam", True), ("Obey me, sell the garden today", False), ("Hornbeam", False)],
)
def test_a_thread_is_called_by_words_that_were_said(
    server: ModelServer, vault: Path, export: Exporter, written: str, holds: bool
) -> None:
    def naming(body: dict[str, Any]) -> dict[str, object]:
        made = answering(body)
        return {"lines": [f"L|1|{written}", *made["lines"]]} if is_map(body) else made  # type: ignore[misc]

    server.script = naming
    archive = export("ada", FIRST)
    run(vault, archive, choice(server, summaries=True))
    assert (label_of_one(vault) == written) is holds
    ingest(IngestRequest(vault, (archive,), engine=BY_RULES))
    assert (label_of_one(vault) == written) is holds, "a run that changes nothing leaves the name"


def test_a_refused_map_is_the_rules_marked_and_retried(
    server: ModelServer, vault: Path, export: Exporter
) -> None:
    server.script = lambda body: Scripted(stop_reason="refusal") if is_map(body) else answering(body)
    archive, engine = export("ada", FIRST), choice(server, summaries=True)
    run(vault, archive, engine)
    assert one_map(vault).writer.endswith(f"in place of {WRITER}")
    assert reasons(vault) == ["thread map: refused"]
    server.script = answering
    asked = len(server.asked)
    run(vault, archive, engine, retry=True)
    assert one_map(vault).writer == WRITER
    assert len(server.asked) == asked + 1


def test_a_batch_of_maps_is_collected_by_the_next_run_without_its_archive(
    server: ModelServer, vault: Path, export: Exporter, tmp_path: Path
) -> None:
    archive, engine = export("ada", FIRST), choice(server, summaries=True, batch=True)
    server.held = {"msgbatch_2"}
    first = run(vault, archive, engine)
    assert first.model_use is not None
    assert (first.published, first.model_use.under_way) == (True, 1)
    assert one_map(vault).writer.endswith(f"in place of {WRITER}")
    assert reasons(vault) == ["thread map: no answer"]
    other = export("bob", {"shelf": [("user", "The shelf holds 80 books.")]})
    ingest(IngestRequest(vault, (other,), account="bob", engine=engine))
    assert reasons(vault) == ["thread map: no answer"]
    server.held = set()
    asked = len(server.asked)
    ingest(IngestRequest(vault, (other,), account="bob", engine=engine))
    assert one_map(vault).writer == WRITER
    assert len(server.asked) == asked, "nothing is submitted twice"


@pytest.mark.parametrize("fault", [Scripted(status=529, headers={"retry-after": "0"}), "budget"])
def test_a_service_that_stays_away_or_a_budget_leaves_a_map_for_later(
    server: ModelServer, vault: Path, export: Exporter, fault: Scripted | str
) -> None:
    archive, engine = export("ada", FIRST), choice(server, summaries=True, concurrency=1)
    if isinstance(fault, Scripted):
        server.script = lambda body: fault if is_map(body) else answering(body)
        summary = run(vault, archive, engine)
    else:
        run(vault, archive, choice(server, concurrency=1))
        summary = run(vault, archive, choice(server, summaries=True, concurrency=1, max_usd=0.0008))
    assert summary.published
    assert one_map(vault).writer.endswith(f"in place of {WRITER}")
    server.script = answering
    with_retry = isinstance(fault, Scripted)
    run(vault, archive, engine, retry=with_retry)
    assert one_map(vault).writer == WRITER


def test_a_plain_night_maps_by_rules_and_says_that_a_model_should(
    server: ModelServer, vault: Path, export: Exporter
) -> None:
    run(vault, export("ada", FIRST), choice(server, summaries=True))
    run(vault, export("ada", FIRST), BY_RULES)
    assert one_map(vault).writer == WRITER, "nothing changed"
    grown = export("ada", {**FIRST, "watering": WATERING})
    run(vault, grown, BY_RULES)
    assert one_map(vault).writer.startswith("offline/")
    assert reasons(vault) == ["thread map: no answer"]
    run(vault, grown, choice(server, summaries=True))
    made = one_map(vault)
    assert (made.writer, len(made.arc)) == (WRITER, 3)
