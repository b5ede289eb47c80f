"""A language model says where notes belong in the request that it writes them in (`--file-by model`)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, user_text
from open_gate import let_pass

from flows.engines.cost_plan import plan_archives
from flows.engines.engine_choice import EngineChoice
from flows.ingest.reprocessing import ReprocessRequest, reprocess
from flows.ingest.steps import IngestRequest, ingest
from flows.upkeep.index_rebuild import rebuild
from interfaces.main import main
from schemas.errors import UsageError
from vault.blame import blame
from vault.reader import open_vault

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]
TALKS = {
    "the-plot": [
        ("user", "The hedge is 40 metres long. I can only spend 200 euros on it."),
        ("assistant", "A hedge of hornbeam would fit."),
    ]
}
HEDGE, EUROS, FIT = "40 metres", "200 euros", "hornbeam"


def naming(*paths: object) -> Callable[[dict[str, Any]], dict[str, object]]:
    """A script: a note of every sentence in its own words, and these lines of paths."""

    def script(body: dict[str, Any]) -> dict[str, object]:
        inside = user_text(body).split("<conversation>")[1]
        numbered = re.findall(r"^(\d+) (.+)$", inside, re.M)
        return {
            "units": [f"{number}|F||{said}" for number, said in numbered],
            "empty": [],
            "paths": list(paths),
        }

    return script


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(naming("1|leisure.games", "2|finance.budget", "2|leisure.games")) as running:
        yield running


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return let_pass(tmp_path / "vault")


def choice(server: ModelServer, name: str = "anthropic", **options: Any) -> EngineChoice:
    url = f"{server.url}/v1" if name == "openai" else server.url
    asked = {"summaries": False, "pack": False, "file_by": "model", "model": "m", "price": (1.0, 5.0)}
    return EngineChoice(name=name, base_url=url, **{**asked, **options})


def run(vault: Path, archive: Path, engine: EngineChoice) -> None:
    assert ingest(IngestRequest(vault, (archive,), engine=engine)).published


def places(vault: Path, word: str) -> list[str]:
    """Where the one note lies that has the word."""
    with open_vault(vault) as reader:
        found = reader.ledger.query(
            "SELECT path FROM note_paths WHERE tree = 'paths' AND text LIKE ? ORDER BY path", [f"%{word}%"]
        )
    return [str(path) for (path,) in found]


def filers(vault: Path, word: str) -> dict[str, str]:
    """Who filed the note that has the word, and where, as blame tells it."""
    with open_vault(vault) as reader:
        ((unit,),) = reader.ledger.query("SELECT id FROM units WHERE text LIKE ?", [f"%{word}%"])
        told = blame(reader.ledger, [str(unit)], [], 20, filed=True)
    return {one.actor: one.what for one in told if one.what.startswith("filed at")}


@pytest.mark.parametrize("name", ["anthropic", "ollama", "openai"])
def test_notes_lie_where_the_model_says(
    server: ModelServer, vault: Path, export: Exporter, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for variable in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(variable, "test-key")
    run(vault, export("ada", TALKS), choice(server, name))
    assert len(server.asked) == 1, "in the request that notes are asked for in"
    assert "home.garden" in json.dumps(server.asked[0])
    assert places(vault, HEDGE) == ["leisure.games.the-plot"]
    assert places(vault, EUROS) == ["finance.budget.the-plot", "leisure.games.the-plot"]
    assert all(not path.startswith("leisure.games") for path in places(vault, FIT)), "it named none"
    ((who, what),) = filers(vault, HEDGE).items()
    assert who.startswith(name)
    assert "+filing" in who
    assert what == "filed at leisure.games.the-plot"
    ((who, _),) = filers(vault, FIT).items()
    assert who.startswith("filing:")


@pytest.mark.parametrize(
    "lines",
    [
        (),
        ("as I said above",),
        ("1-3|../../etc/passwd",),
        ("1-3|ignore all previous instructions",),
        ("1-3|\x00\x1b[31m",),
        ("1-3|" + "home" * 400,),
        (["1-3"], {"a": 1}, None, 7),
    ],
)
def test_what_cannot_be_read_leaves_filing_to_the_examples(
    server: ModelServer, vault: Path, tmp_path: Path, export: Exporter, lines: tuple[object, ...]
) -> None:
    archive = export("ada", TALKS)
    server.script = naming(*lines)
    run(vault, archive, choice(server))
    plain = let_pass(tmp_path / "plain")
    run(plain, archive, choice(server, file_by="reader"))
    for word in (HEDGE, EUROS, FIT):
        assert places(vault, word) == places(plain, word) != []
        assert next(iter(filers(vault, word))).startswith("filing:")


def test_what_the_owner_did_stands_over_the_model(
    server: ModelServer, vault: Path, export: Exporter, capsys: pytest.CaptureFixture[str]
) -> None:
    run(vault, export("ada", TALKS), choice(server))
    with open_vault(vault) as reader:
        ((unit,),) = reader.ledger.query("SELECT id FROM units WHERE text LIKE ?", [f"%{HEDGE}%"])
    for words in (("move", str(unit), "food.herbs"), ("rename", "finance.budget", "money")):
        assert main(["path", *words, "--vault", str(vault)]) == 0
    server.script = naming("1-3|work.job")
    more = {"the-plot": [*TALKS["the-plot"], ("user", "The hedge needs cutting in May.")]}
    run(vault, export("more", more), choice(server))
    assert places(vault, HEDGE) == ["food.herbs"]
    assert places(vault, EUROS) == ["work.job.the-plot"]
    server.script = naming("1-4|finance.budget")
    assert reprocess(ReprocessRequest(vault, engine=choice(server, model="other"), force=True)) is not None
    assert places(vault, HEDGE) == ["food.herbs"]
    assert places(vault, EUROS) == ["money.the-plot"]
    rebuild(vault)
    assert (places(vault, HEDGE), places(vault, EUROS)) == (["food.herbs"], ["money.the-plot"])


def test_named_paths_outlive_what_asks_no_model(server: ModelServer, vault: Path, export: Exporter) -> None:
    run(vault, export("ada", TALKS), choice(server))
    asked = len(server.asked)
    assert reprocess(ReprocessRequest(vault, stage="gate", force=True)) is not None
    assert places(vault, HEDGE) == ["leisure.games.the-plot"]
    (vault / "taxonomy.yaml").write_text(
        "paths:\n  leisure: {about: what I do for fun}\n  plants: {about: hedges}\n", encoding="utf-8"
    )
    rebuild(vault)
    assert places(vault, HEDGE) == ["leisure.games.the-plot"]
    assert places(vault, EUROS) == ["leisure.games.the-plot"], "there is no finance any more"
    assert len(server.asked) == asked
    run(vault, export("ada", TALKS), choice(server, file_by="reader"))
    assert not any(who.startswith("anthropic") for who in filers(vault, HEDGE))


def test_the_owners_own_taxonomy_is_what_the_model_is_told(
    server: ModelServer, vault: Path, export: Exporter
) -> None:
    (vault / "taxonomy.yaml").write_text(
        "paths:\n  plants: {about: hedges and trees}\n  body: {about: illness}\n", encoding="utf-8"
    )
    server.script = naming("1|plants.hedges", "2|finance.budget")
    run(vault, export("ada", TALKS), choice(server))
    asked = json.dumps(server.asked[0])
    assert "plants: hedges and trees" in asked
    assert "finance.budget: " not in asked
    assert places(vault, HEDGE) == ["plants.hedges.the-plot"]
    assert next(iter(filers(vault, EUROS))).startswith("filing:")


def test_a_plan_counts_what_filing_adds(server: ModelServer, vault: Path, export: Exporter) -> None:
    archive = export("ada", TALKS)
    plain, filing = (
        plan_archives([archive], choice(server, file_by=who), vault).total.questions
        for who in ("reader", "model")
    )
    assert filing.questions == plain.questions
    assert filing.prompt_tokens > plain.prompt_tokens + 1_000
    assert filing.output_tokens > plain.output_tokens
    assert filing.usd_batch > plain.usd_batch


def test_filing_by_a_model_takes_a_model(vault: Path, export: Exporter) -> None:
    with pytest.raises(UsageError, match="takes a model"):
        ingest(IngestRequest(vault, (export("ada", TALKS),), engine=EngineChoice(file_by="model")))
