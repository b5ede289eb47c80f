"""`--proofread`: a run has the model read its notes a second time, and pays for each reading once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, Scripted, user_text
from open_gate import let_pass

from flows.engines.cost_plan import plan_archives
from flows.engines.engine_choice import EngineChoice
from flows.ingest.reprocessing import ReprocessRequest, reprocess
from flows.ingest.steps import IngestRequest, ingest
from flows.reports.run_summary import RunSummary
from schemas.errors import UsageError
from vault.model_calls import fallbacks
from vault.reader import open_vault

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]
TALKS = {
    "the-plot": [
        ("user", "The hedge is 40 metres long. I can spend 200 euros on it."),
        ("assistant", "A hedge of hornbeam would fit."),
    ]
}
NOTED = {"hedge": "The hedge is 40 metres long.", "spend": "The user has just 200 euros for it."}


def noting(*false: str) -> Callable[[dict[str, Any]], object]:
    """A script: notes of the owner's sentences in other words, of which a second reading calls some false."""

    def script(body: dict[str, Any]) -> object:
        asked = user_text(body)
        if "<notes>" in asked:
            return {"false": [line for line in false if re.search(rf"^{line.split('|')[0]} \[", asked, re.M)]}
        if "Between" in asked:
            return {"lines": ["T|1,3|A hedge of hornbeam would fit 40 metres."]}
        return {"units": ["1|F||The hedge is 40 metres long.", "2|C||The user has just 200 euros for it."],
                "empty": [3]}  # fmt: skip

    return script


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(noting("2|not just")) as running:
        yield running


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return let_pass(tmp_path / "vault")


def choice(server: ModelServer, name: str = "anthropic", **options: Any) -> EngineChoice:
    url = f"{server.url}/v1" if name == "openai" else server.url
    asked = {"summaries": False, "pack": False, "proofread": True, "model": "m", "price": (1.0, 5.0)}
    return EngineChoice(name=name, base_url=url, poll_seconds=0.01, **{**asked, **options})


def run(vault: Path, archive: Path, engine: EngineChoice) -> RunSummary:
    return ingest(IngestRequest(vault, (archive,), engine=engine))


def by_model(vault: Path) -> dict[str, str]:
    with open_vault(vault) as reader:
        found = reader.ledger.query(
            """SELECT text, extractor FROM units u JOIN unit_states s ON s.unit_id = u.id
               WHERE NOT starts_with(extractor, 'offline') AND s.state <> 'archived'"""
        )
    return {str(text): str(extractor) for text, extractor in found}


def proofs(server: ModelServer) -> int:
    return sum("<notes>" in user_text(body) for body in server.asked)


@pytest.mark.parametrize("name", ["anthropic", "ollama", "openai"])
def test_what_a_second_reading_calls_false_is_not_kept(
    server: ModelServer, vault: Path, export: Exporter, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for variable in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(variable, "test-key")
    summary = run(vault, export("ada", TALKS), choice(server, name))
    assert summary.published
    assert proofs(server) == 1
    ((text, extractor),) = by_model(vault).items()
    assert text == NOTED["hedge"]
    # a small model's reading stops notes, and vouches for none
    assert extractor.endswith(" proofread") is (name == "anthropic")


@pytest.mark.parametrize("batch", [False, True])
def test_a_reading_is_paid_for_once(server: ModelServer, vault: Path, export: Exporter, batch: bool) -> None:
    archive = export("ada", TALKS)
    engine = choice(server, batch=batch, wait_minutes=1.0, summaries=True)
    summary = run(vault, archive, engine)
    assert summary.model_use is not None
    assert (summary.model_use.questions, len(server.asked), proofs(server)) == (4, 4, 2)
    with open_vault(vault) as reader:
        ((calls, spent),) = reader.ledger.query("SELECT count(*), sum(usd) FROM model_calls")
    assert (calls, spent) == (4, pytest.approx(summary.model_use.spent_usd, abs=1e-6))
    assert not run(vault, archive, engine).published
    assert len(server.asked) == 4


def test_turned_on_later_it_asks_for_the_readings_alone(
    server: ModelServer, vault: Path, export: Exporter
) -> None:
    archive = export("ada", TALKS)
    run(vault, archive, choice(server, proofread=False))
    assert set(by_model(vault)) == set(NOTED.values())
    run(vault, archive, choice(server))
    assert (len(server.asked), proofs(server)) == (2, 1)
    assert set(by_model(vault)) == {NOTED["hedge"]}


def test_a_budget_without_room_for_it_leaves_the_talk_for_later(
    server: ModelServer, vault: Path, export: Exporter
) -> None:
    archive = export("ada", TALKS)
    notes = plan_archives([archive], choice(server, proofread=False), vault).total.questions.usd_messages
    stopped = run(vault, archive, choice(server, max_usd=notes * 1.5))
    assert stopped.model_use is not None
    assert stopped.model_use.unsent == 1
    assert not stopped.published
    run(vault, archive, choice(server))
    assert (len(server.asked), proofs(server)) == (2, 1)
    assert set(by_model(vault)) == {NOTED["hedge"]}


def test_a_budget_that_ends_early_publishes_nothing_unread(
    server: ModelServer, vault: Path, export: Exporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flows.intake.staging.BATCH_SIZE", 1)
    archive = export("ada", {f"plot-{number}": TALKS["the-plot"] for number in range(3)})
    notes = plan_archives([archive], choice(server, proofread=False), vault).total.questions.usd_messages
    stopped = run(vault, archive, choice(server, max_usd=notes * 0.9))
    assert stopped.model_use is not None
    assert stopped.model_use.unsent >= 1
    assert not stopped.published
    run(vault, archive, choice(server))
    assert proofs(server) == 3
    assert set(by_model(vault)) == {NOTED["hedge"]}


def test_a_run_without_readings_leaves_what_was_read(
    server: ModelServer, vault: Path, export: Exporter
) -> None:
    archive = export("ada", TALKS)
    run(vault, archive, choice(server))
    run(vault, archive, choice(server, proofread=False))
    assert set(by_model(vault)) == {NOTED["hedge"]}
    assert all(extractor.endswith(" proofread") for extractor in by_model(vault).values())


def test_a_reprocessing_says_what_readings_cost(server: ModelServer, vault: Path, export: Exporter) -> None:
    run(vault, export("ada", TALKS), choice(server, proofread=False))
    ahead = reprocess(ReprocessRequest(vault, engine=choice(server)), dry_run=True).plan
    assert ahead.questions is not None
    assert (ahead.questions.questions, ahead.questions.answered) == (2, 1)
    assert ahead.questions.usd_messages > 0


def test_a_reading_that_fails_is_on_record_and_asked_again(
    server: ModelServer, vault: Path, export: Exporter
) -> None:
    archive = export("ada", TALKS)
    well = noting("2|not just")

    def refusing(body: dict[str, Any]) -> object:
        return Scripted(stop_reason="refusal") if "<notes>" in user_text(body) else well(body)

    server.script = refusing
    run(vault, archive, choice(server))
    with open_vault(vault) as reader:
        assert [one.reason for one in fallbacks(reader.ledger)] == ["not proofread: refused"]
    assert set(by_model(vault)) == set(NOTED.values()), "the guards alone judge"
    server.script = well
    assert ingest(IngestRequest(vault, (archive,), engine=choice(server), retry=True)).published
    assert set(by_model(vault)) == {NOTED["hedge"]}


def test_a_plan_counts_second_readings(server: ModelServer, vault: Path, export: Exporter) -> None:
    archive = export("ada", TALKS)
    plan = plan_archives([archive], choice(server, summaries=True), vault)
    tier = plan.total.tiers["proofs"]
    assert (tier.questions, tier.requests) == (2, 2)
    assert tier.text_tokens > plan.total.tiers["units"].text_tokens
    assert 0 < tier.usd_batch < plan.total.questions.usd_batch
    assert any("second reading" in one for one in plan.assumptions)


def test_a_second_reading_takes_a_model(vault: Path, export: Exporter) -> None:
    with pytest.raises(UsageError, match="takes a model"):
        ingest(IngestRequest(vault, (export("ada", TALKS),), engine=EngineChoice(proofread=True)))
