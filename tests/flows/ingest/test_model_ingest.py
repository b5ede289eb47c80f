from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, Scripted, user_text
from open_gate import let_pass
from prepared_vaults import ingested

from extract.offline_engine import ENGINE_VERSION
from flows.engines.cost_plan import plan_archives
from flows.engines.engine_choice import EngineChoice
from flows.ingest.reprocessing import ReprocessRequest, reprocess
from flows.ingest.steps import IngestRequest, ingest
from flows.intake.inbox import move_out
from flows.reports.run_summary import ArchiveOutcome, RunSummary
from flows.upkeep.index_rebuild import rebuild
from inference.store import Store
from retrieval.question import Mode
from schemas.act import ActKind
from schemas.relation import RelationKind
from tests.asking import recall
from vault.integrity import differences
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.model_calls import fallbacks
from vault.reader import open_vault
from vault.relations import relations_of

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]

TALKS = {
    "garden": [
        ("user", "The garden is 40 square metres. I can only spend 200 euros on it."),
        ("assistant", "A hedge of hornbeam would fit."),
        ("user", "I'm going with the hornbeam hedge."),
    ],
    "bread": [("user", "How long does rye dough rest?"), ("assistant", "Rye dough rests for 12 hours.")],
}


def echo(body: dict[str, Any]) -> dict[str, object]:
    """A note of every sentence, in its own words; a question where it asks."""
    inside = user_text(body).split("<conversation>")[1]
    numbered = re.findall(r"^(\d+) (.+)$", inside, re.M)
    return {
        "units": [f"{number}|{'Q' if said.endswith('?') else 'F'}||{said}" for number, said in numbered],
        "empty": [],
    }


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(echo) as running:
        yield running


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return tmp_path / "vault"


def choice(server: ModelServer, **options: Any) -> EngineChoice:
    """The engine for units alone, asked one by one; what else it writes or does has tests of its own."""
    asked = {"summaries": False, "pack": False, **options}
    return EngineChoice(name="anthropic", base_url=server.url, poll_seconds=0.01, **asked)


def run(vault: Path, archive: Path, engine: EngineChoice, *, retry: bool = False) -> RunSummary:
    return ingested(IngestRequest(vault, (archive,), engine=engine, retry=retry))


def extractors(vault: Path) -> dict[str, int]:
    with open_vault(vault) as reader:
        found = reader.ledger.query(
            """SELECT extractor, count(*) FROM units u JOIN unit_states s ON s.unit_id = u.id
               WHERE s.state <> 'archived' GROUP BY 1"""
        )
    return {str(extractor): int(str(count)) for extractor, count in found}


@pytest.mark.parametrize("batch", [False, True])
def test_a_model_s_notes_are_published_and_a_rerun_costs_nothing(
    server: ModelServer, vault: Path, export: Exporter, batch: bool
) -> None:
    archive = export("ada", TALKS)
    summary = run(vault, archive, choice(server, batch=batch))
    assert summary.model_use is not None
    assert summary.model_use.questions == 2
    assert summary.model_use.spent_usd > 0
    assert extractors(vault) == {"anthropic/3 claude-haiku-5-5 units/4": 6}
    with open_vault(vault) as reader:
        calls = reader.ledger.rows("SELECT * FROM model_calls ORDER BY seq")
        assert fallbacks(reader.ledger) == []
    assert [call["mode"] for call in calls] == ["batch" if batch else "messages"] * 2
    assert sum(float(str(call["usd"])) for call in calls) == pytest.approx(
        summary.model_use.spent_usd, abs=1e-6
    )
    assert server.batches_made == int(batch)
    asked = len(server.asked)
    again = run(vault, archive, choice(server, batch=not batch))
    assert not again.published
    assert len(server.asked) == asked


@pytest.mark.parametrize("batch", [False, True])
def test_short_conversations_are_asked_about_in_one_request(
    server: ModelServer, vault: Path, export: Exporter, batch: bool
) -> None:
    archive, engine = export("ada", TALKS), choice(server, batch=batch, pack=True)
    together, alone = (
        plan_archives([archive], each, vault).total.questions for each in (engine, choice(server))
    )
    assert (together.questions, together.requests, alone.requests) == (2, 1, 2)
    assert together.usd_batch < alone.usd_batch
    summary = run(vault, archive, engine)
    assert summary.model_use is not None
    assert (summary.model_use.questions, len(server.received), len(server.asked)) == (2, 1, 2)
    assert extractors(vault) == {"anthropic/3 claude-haiku-5-5 units/4": 6}
    with open_vault(vault) as reader:
        spent = reader.ledger.query("SELECT count(*), sum(usd) FROM model_calls")
        assert fallbacks(reader.ledger) == []
    assert spent == [(2, pytest.approx(summary.model_use.spent_usd, abs=1e-6))]
    assert not run(vault, archive, choice(server)).published, "it is the same work, however it travelled"
    assert len(server.received) == 1


def test_a_model_that_reads_the_owner_costs_less(server: ModelServer, vault: Path, export: Exporter) -> None:
    def of_the_owner(body: dict[str, Any]) -> dict[str, object]:
        fences = re.findall(r"<conversation>(.*?)</conversation>", user_text(body), re.S)
        numbered = re.findall(r"^(\d+) (.+)$", "\n".join(fences), re.M)
        return {"units": [f"{number}|F||{said}" for number, said in numbered], "empty": []}

    server.script = of_the_owner
    archive = export("a", TALKS)
    everybody, owner = (
        plan_archives([archive], choice(server, model_reads=whose), vault).total.questions.usd_messages
        for whose in ("all", "owner")
    )
    assert 0 < owner < everybody
    run(vault, archive, choice(server, model_reads="owner"))
    with open_vault(vault) as reader:
        said = dict(reader.ledger.query("SELECT text, extractor FROM units"))
        assert fallbacks(reader.ledger) == []
    assert said["The garden is 40 square metres."].startswith("anthropic")
    assert said["A hedge of hornbeam would fit."].startswith(ENGINE_VERSION)


@pytest.mark.parametrize("batch", [False, True])
def test_what_cannot_be_read_is_asked_once_more_within_the_run(
    server: ModelServer, vault: Path, export: Exporter, batch: bool
) -> None:
    def script(body: dict[str, Any]) -> dict[str, object]:
        answer = echo(body)
        units = answer["units"]
        assert isinstance(units, list)
        alone = re.search(r"Sentences (\d+) to \1\.", user_text(body))
        return answer if alone else {"units": [*units[:-1], "as I said before"], "empty": []}

    server.script = script
    summary = run(vault, export("ada", TALKS), choice(server, batch=batch, wait_minutes=1.0))
    assert summary.model_use is not None
    assert (summary.model_use.questions, len(server.asked)) == (4, 4)
    assert extractors(vault) == {"anthropic/3 claude-haiku-5-5 units/4": 6}
    with open_vault(vault) as reader:
        assert fallbacks(reader.ledger) == []


PLACE = "Whether rye dough rests for 12 hours, at its bakery"


def placing(body: dict[str, Any]) -> dict[str, object] | Scripted:
    """As `echo`; passages on dough are placed, questions that place the garden's are refused."""
    asked = user_text(body)
    if "<conversation>" in asked:
        return echo(body)
    if "hornbeam" in asked:
        return Scripted(stop_reason="refusal")
    return {"prefixes": [f"2|{PLACE}"]}


def test_a_contextual_prefix_is_for_search_alone(server: ModelServer, vault: Path, export: Exporter) -> None:
    server.script = placing
    archive = export("ada", TALKS)
    plain, priced = (
        plan_archives([archive], choice(server, contextual_prefix=wanted), vault).total
        for wanted in (False, True)
    )
    assert (plain.questions.questions, priced.questions.questions) == (2, 4)
    assert priced.questions.usd_batch > plain.questions.usd_batch > 0
    run(vault, archive, choice(server))
    assert len(server.asked) == 2, "off unless it is asked for"
    summary = run(vault, archive, choice(server, contextual_prefix=True))
    assert summary.published
    assert len(server.asked) == 4, "the units' questions are not asked again"
    with open_vault(vault) as reader:
        chunks = reader.ledger.rows("SELECT * FROM chunks ORDER BY prefix NULLS LAST")
        (refused,) = fallbacks(reader.ledger)
        package = recall(
            "bakery", index=reader.index, embedder=None, account="ada", mode=Mode.BM25, judged=False
        )
        assert differences(reader.index, reader.ledger) == []
    assert "Rye dough rests for 12 hours." in {hit.text for hit in package.hits}
    assert "bakery" not in package.model_dump_json().replace('"query":"bakery"', "")
    assert [chunk["prefix"] for chunk in chunks] == [PLACE] + [None] * 4
    assert chunks[0]["text"] == "Rye dough rests for 12 hours."
    assert (refused.reason, refused.whole) == ("no contextual prefix: refused", True)
    rebuild(vault)
    with open_vault(vault) as reader:
        assert differences(reader.index, reader.ledger) == []


def test_answers_outlive_the_vault_s_generations(server: ModelServer, vault: Path, export: Exporter) -> None:
    run(vault, export("ada", TALKS), choice(server))
    asked = len(server.asked)
    reprocess(ReprocessRequest(vault))
    assert not any(name.startswith("anthropic") for name in extractors(vault))
    summary = run(vault, export("ada", {**TALKS, "more": TALKS["bread"]}), choice(server))
    assert summary.model_use is not None
    assert summary.model_use.questions == 3
    assert len(server.asked) == asked + 1, "only the conversation with another title is a new question"


def test_a_budget_stops_cleanly_and_a_larger_one_goes_on(
    server: ModelServer, vault: Path, export: Exporter
) -> None:
    talks = {f"bread-{number}": [("user", f"Loaf {number} weighs {number} kg.")] for number in range(20)}
    archive = export("ada", talks)
    stopped = run(vault, archive, choice(server, max_usd=0.0008, concurrency=1))
    assert stopped.model_use is not None
    assert "of 20 questions" in stopped.model_use.stopped
    assert (stopped.exit_code, stopped.archives[0].outcome) == (3, ArchiveOutcome.WAITING)
    asked = len(server.asked)
    assert 0 < asked < 20
    assert stopped.model_use.unsent == 20 - asked
    with Store(VaultLayout(vault).cache) as store:
        spent = sum(call.usd for call in store.calls_after(0))
    assert 0 < spent <= 0.0008
    assert not VaultLayout(vault).current.exists(), "a batch of conversations is loaded when it is answered"
    done = run(vault, archive, choice(server))
    assert (done.exit_code, done.archives[0].outcome) == (0, ArchiveOutcome.IMPORTED)
    assert len(server.asked) == 20
    with open_vault(vault) as reader:
        ((calls,),) = reader.ledger.query("SELECT count(*) FROM model_calls")
    assert calls == 20, "the calls of the run that stopped are on record too"


def test_a_batch_that_has_not_ended_holds_back_only_what_it_holds(
    server: ModelServer, vault: Path, export: Exporter
) -> None:
    garden = export("ada", {"garden": TALKS["garden"]})
    server.polls_until_end = 10**6
    waiting = VaultLayout(vault).inbox / "garden.json"
    waiting.parent.mkdir(parents=True)
    garden = garden.rename(waiting)
    first = run(vault, garden, choice(server, batch=True))
    assert first.model_use is not None
    assert (first.exit_code, first.published, first.model_use.under_way) == (0, False, 1)
    assert [one.outcome for one in first.archives] == [ArchiveOutcome.WAITING]
    move_out(VaultLayout(vault), first.archives)
    assert waiting.exists(), "the nightly run finds it again"
    server.polls_until_end = 1
    server.held = {"msgbatch_2"}
    bread = export("bob", {"bread": TALKS["bread"]})
    request = IngestRequest(vault, (garden, bread), engine=choice(server, batch=True))
    second = ingest(request)
    assert [one.outcome for one in second.archives] == [ArchiveOutcome.IMPORTED, ArchiveOutcome.WAITING]
    assert second.rows["conversations"] == 1
    server.held = set()
    third = ingest(request)
    assert [one.outcome for one in third.archives] == [ArchiveOutcome.UNCHANGED, ArchiveOutcome.IMPORTED]
    assert third.rows["conversations"] == 2
    assert server.batches_made == 2
    assert len(server.asked) == 2, "nothing is submitted twice"


def test_a_refused_window_falls_back_is_listed_and_can_be_retried(
    server: ModelServer, vault: Path, export: Exporter
) -> None:
    archive = export("ada", TALKS)
    server.script = lambda body: Scripted(stop_reason="refusal") if "Rye" in user_text(body) else echo(body)
    run(vault, archive, choice(server))
    with open_vault(vault) as reader:
        (listed,) = fallbacks(reader.ledger)
    assert (listed.reason, listed.whole) == ("refused", True)
    assert any(one.startswith(f"{ENGINE_VERSION} in place of") for one in extractors(vault))
    server.script = echo
    assert not run(vault, archive, choice(server)).published, "nothing is asked again unasked"
    summary = run(vault, archive, choice(server), retry=True)
    assert summary.model_use is not None
    assert summary.model_use.questions - summary.model_use.answered_before == 1
    assert extractors(vault) == {"anthropic/3 claude-haiku-5-5 units/4": 6}
    with open_vault(vault) as reader:
        assert fallbacks(reader.ledger) == []


def test_a_kept_engram_outlives_a_change_of_engine_and_is_not_said_twice(
    server: ModelServer, vault: Path, export: Exporter
) -> None:
    archive = export("ada", TALKS)
    let_pass(vault)
    run(vault, archive, EngineChoice())
    with open_vault(vault) as reader:
        ((kept,),) = reader.ledger.query("SELECT id FROM units WHERE category = 'decision'")
    with Journal(VaultLayout(vault).journal) as journal:
        journal.append(ActKind.KEEP, [str(kept)])

    def reworded(body: dict[str, Any]) -> dict[str, object]:
        """The decision once in other words, and once another claim on the same words."""
        made = echo(body)
        lines = [line for line in _lines(made) if "I'm going with" not in line]
        if len(lines) == len(_lines(made)):
            return made
        number = next(line.split("|")[0] for line in _lines(made) if "I'm going with" in line)
        again = [
            f"{number}|D||The user decided to go with the hornbeam hedge.",
            f"{number}|F||The user has a hornbeam hedge.",
        ]
        return {"units": [*lines, *again], "empty": []}

    server.script = reworded
    for _ in range(2):
        run(vault, archive, choice(server))
    with open_vault(vault) as reader:
        states = {
            str(text): (str(state), str(unit))
            for text, state, unit in reader.ledger.query("SELECT text, state, id FROM units_current")
        }
        found = relations_of(reader.ledger, [str(kept)])
        assert differences(reader.index, reader.ledger) == []
    assert next(state for state, unit in states.values() if unit == kept) == "kept"
    double, beside = (
        states["The user decided to go with the hornbeam hedge."],
        states["The user has a hornbeam hedge."],
    )
    assert (double[0], beside[0]) == ("archived", "passed")
    assert {(one.unit_id, one.kind) for one in found} == {
        (double[1], RelationKind.DUPLICATE_OF),
        (beside[1], RelationKind.OVERLAPS),
    }
    assert len(found) == 2


def _lines(answer: dict[str, object]) -> list[str]:
    lines = answer["units"]
    assert isinstance(lines, list)
    return lines


def test_a_plan_asks_nothing_and_knows_what_is_answered(
    server: ModelServer, vault: Path, export: Exporter
) -> None:
    archive = export("ada", TALKS)
    plan = plan_archives([archive], choice(server), vault)
    assert server.paths == []
    assert not vault.exists()
    assert (plan.total.conversations, plan.total.turn_pairs, plan.total.questions.questions) == (2, 3, 2)
    assert 0 < plan.total.questions.usd_batch < plan.total.questions.usd_messages
    run(vault, archive, choice(server))
    after = plan_archives([archive], choice(server), vault)
    assert (after.total.questions.answered, after.total.questions.usd_messages) == (2, 0.0)
