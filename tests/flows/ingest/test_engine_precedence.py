"""What a model was paid for stays when a run that does less meets it again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, user_text
from prepared_vaults import ingested
from test_model_ingest import PLACE, TALKS, choice, echo, extractors, run

from flows.batches.engine_precedence import stands
from flows.engines.engine_choice import BY_RULES
from flows.ingest.reprocessing import ReprocessRequest, reprocess
from flows.ingest.steps import IngestRequest
from interfaces.main import main
from schemas.errors import UsageError
from vault.reader import open_vault

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]
BY_MODEL = {"anthropic/3 claude-haiku-5-5 units/4": 6}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    def script(body: dict[str, Any]) -> dict[str, object]:
        return echo(body) if "<conversation>" in user_text(body) else {"prefixes": [f"2|{PLACE}"]}

    with ModelServer(script) as running:
        yield running


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return tmp_path / "vault"


def prefixes(vault: Path) -> list[str]:
    with open_vault(vault) as reader:
        found = reader.ledger.query("SELECT prefix FROM chunks WHERE prefix IS NOT NULL")
    return [str(prefix) for (prefix,) in found]


def test_a_plain_ingest_leaves_alone_what_a_model_read(
    server: ModelServer, vault: Path, export: Exporter, capsys: pytest.CaptureFixture[str]
) -> None:
    run(vault, export("ada", TALKS), choice(server))
    archive = export("ada", {**TALKS, "shelf": [("user", "The shelf holds 80 books.")]})
    summary = run(vault, archive, BY_RULES)
    (result,) = summary.archives
    assert (result.new, result.updated, result.unchanged) == (1, 0, 2)
    found = extractors(vault)
    assert {name: found[name] for name in BY_MODEL} == BY_MODEL
    assert sum(found.values()) == 7
    assert not run(vault, archive, BY_RULES).published, "nothing to do, and nothing to say"
    assert main(["status", "--vault", str(vault)]) == 0
    told = capsys.readouterr().out
    assert "Read by" in told
    assert "anthropic/3" in told
    assert "offline/" in told


def test_a_changed_conversation_is_read_by_whoever_runs_and_reprocess_reads_all(
    server: ModelServer, vault: Path, export: Exporter
) -> None:
    run(vault, export("ada", TALKS), choice(server))
    grown = {**TALKS, "bread": [*TALKS["bread"], ("user", "My rye dough is 4 hours old.")]}
    (result,) = run(vault, export("ada", grown), BY_RULES).archives
    assert (result.updated, result.unchanged) == (1, 1)
    by_model = sum(count for name, count in extractors(vault).items() if name.startswith("anthropic"))
    assert 0 < by_model < 6
    done = reprocess(ReprocessRequest(vault))
    assert done.plan.due == 1
    assert not any(name.startswith("anthropic") for name in extractors(vault))


def test_prefixes_stay_without_being_asked_for(server: ModelServer, vault: Path, export: Exporter) -> None:
    archive = export("ada", TALKS)
    run(vault, archive, choice(server, contextual_prefix=True))
    assert prefixes(vault) == [PLACE]
    asked = len(server.asked)
    for engine in (choice(server), BY_RULES):
        (result,) = run(vault, archive, engine).archives
        assert result.unchanged == len(TALKS)
        assert prefixes(vault) == [PLACE]
    grown = {**TALKS, "bread": [*TALKS["bread"], ("user", "My rye dough is 4 hours old.")]}
    run(vault, export("ada", grown), BY_RULES)
    assert prefixes(vault) == [PLACE], "the passage is the same, and so is what places it"
    assert len(server.asked) == asked
    reprocess(ReprocessRequest(vault, stage="gate", force=True))
    assert prefixes(vault) == [PLACE]


def test_a_retry_takes_a_model(vault: Path, export: Exporter) -> None:
    with pytest.raises(UsageError, match="takes a model"):
        ingested(IngestRequest(vault, (export("ada", TALKS),), retry=True))


MODEL = {"extract": "anthropic/1 m units/2", "place": "anthropic/1 m prefixes/1", "summarise": "offline/1"}
RULES = {"extract": "offline/5", "place": "", "summarise": "offline/2"}


@pytest.mark.parametrize(
    ("made", "ours", "stays"),
    [
        (MODEL, RULES, True),
        (MODEL, {**MODEL, "place": ""}, True),
        (MODEL, MODEL, False),
        (MODEL, {**MODEL, "extract": "anthropic/1 m units/3", "place": ""}, False),
        (RULES, {**RULES, "extract": "offline/6"}, False),
        (RULES, MODEL, False),
        ({}, RULES, False),
        ({**MODEL, "place": ""}, {**MODEL, "place": "anthropic/1 m prefixes/1"}, False),
    ],
)
def test_only_what_a_model_did_more_of_stays(made: dict[str, str], ours: dict[str, str], stays: bool) -> None:
    assert stands(made, ours) is stays
