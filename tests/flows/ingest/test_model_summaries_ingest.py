"""Summaries by a model from an ingest to the vault, by Messages and by Batches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, Scripted, user_text
from test_model_ingest import TALKS, choice, echo, run

from flows.engines.cost_plan import plan_archives
from flows.engines.engine_choice import BY_RULES
from flows.ingest.reprocessing import ReprocessRequest, reprocess
from interfaces.main import main
from vault.integrity import differences
from vault.model_calls import fallbacks
from vault.reader import open_vault

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]


def telling(body: dict[str, Any]) -> dict[str, object]:
    """Notes as `echo`; a summary that repeats the first sentence of each question."""
    if "You retell" not in body["system"][0]["text"]:
        return echo(body)
    first = re.search(r"^(\d+) (.+)$", user_text(body).split("<conversation>")[1], re.M)
    assert first
    return {"lines": [f"A|{first[1]}|{first[2]}"]}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(telling) as running:
        yield running


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return tmp_path / "vault"


def writers(vault: Path) -> list[str]:
    with open_vault(vault) as reader:
        assert differences(reader.index, reader.ledger) == []
        found = reader.ledger.query("SELECT DISTINCT writer FROM session_summaries ORDER BY 1")
    return [str(writer) for (writer,) in found]


WRITER = "anthropic/3 claude-haiku-5-5 summaries/2"


@pytest.mark.parametrize("batch", [False, True])
def test_summaries_are_written_once_counted_in_the_plan_and_stay(
    server: ModelServer, vault: Path, export: Exporter, batch: bool
) -> None:
    archive = export("ada", TALKS)
    engine = choice(server, summaries=True, batch=batch)
    planned = plan_archives([archive], engine, vault).total
    assert (planned.questions.questions, planned.tiers["summaries"].questions) == (4, 2)
    assert "maps" not in planned.tiers, "two conversations are too few to count on a thread"
    assert planned.questions.usd_batch == pytest.approx(sum(one.usd_batch for one in planned.tiers.values()))
    summary = run(vault, archive, engine)
    assert summary.model_use is not None
    assert (summary.model_use.questions, len(server.asked)) == (4, 4)
    assert writers(vault) == [WRITER]
    for lesser in (choice(server), BY_RULES):
        run(vault, archive, lesser)
        assert writers(vault) == [WRITER]
    assert len(server.asked) == 4
    reprocess(ReprocessRequest(vault, stage="gate", force=True))
    assert writers(vault) == [WRITER]


def test_a_refused_summary_is_listed_and_retried_alone(
    server: ModelServer, vault: Path, export: Exporter, capsys: pytest.CaptureFixture[str]
) -> None:
    def refusing(body: dict[str, Any]) -> object:
        made = telling(body)
        return Scripted(stop_reason="refusal") if "lines" in made and "Rye" in user_text(body) else made

    server.script = refusing
    archive, engine = export("ada", TALKS), choice(server, summaries=True)
    run(vault, archive, engine)
    with open_vault(vault) as reader:
        (listed,) = fallbacks(reader.ledger)
    assert (listed.reason, listed.whole, listed.engine) == ("summary: refused", True, WRITER)
    capsys.readouterr()
    assert main(["status", "--vault", str(vault), "--retries"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "in the model's place: session summary 1." in told
    assert "whole window" not in told.replace("for whole windows", "")
    assert len(writers(vault)) == 2
    server.script = telling
    asked = len(server.asked)
    run(vault, archive, engine, retry=True)
    assert len(server.asked) == asked + 1
    assert writers(vault) == [WRITER]
    with open_vault(vault) as reader:
        assert fallbacks(reader.ledger) == []
