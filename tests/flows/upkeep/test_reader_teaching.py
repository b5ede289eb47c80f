"""`mnemic train reader`: the vault's own reader, on a vault that a language model read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, user_text

from extract.offline_engine import ENGINE_VERSION
from flows.engines.engine_choice import EngineChoice
from flows.engines.taught_reader import taught_reader
from flows.ingest.steps import IngestRequest, ingest
from flows.upkeep.reader_teaching import LEAST, conversation_lessons, teach_reader, untaught
from schemas.errors import IntegrityError, UsageError
from vault.layout import VaultLayout
from vault.reader import open_vault

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]

THINGS = ("boat", "shed", "kiln", "loom", "press", "barn", "still", "forge", "well", "cart")


def talks(count: int) -> dict[str, Sequence[tuple[str, str]]]:
    """Each with a remark that the shipped reader notes and this vault's model never does."""
    things = [THINGS[place % len(THINGS)] for place in range(count)]
    return {
        f"talk {place}": [
            ("user", f"The {thing} number {place} needs {place + 2} new boards. Its door is green."),
            ("assistant", f"The {thing} has {place + 5} windows. Its roof is red."),
        ]
        for place, thing in enumerate(things)
    }


def sentences_with_numbers(body: dict[str, Any]) -> dict[str, object]:
    """A note of every sentence that has a number, in its own words."""
    inside = user_text(body).split("<conversation>")[1]
    numbered = re.findall(r"^(\d+) (.+)$", inside, re.M)
    told = [(number, said) for number, said in numbered if re.search(r"\d", said)]
    return {
        "units": [f"{number}|F||{said}" for number, said in told],
        "empty": [int(number) for number, said in numbered if (number, said) not in told],
    }


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(sentences_with_numbers) as running:
        yield running


@pytest.fixture
def vault(tmp_path: Path, server: ModelServer, export: Exporter) -> Path:
    folder = tmp_path / "vault"
    choice = EngineChoice(
        name="anthropic", base_url=server.url, summaries=False, pack=False, poll_seconds=0.01
    )
    ingest(IngestRequest(folder, (export("talks.json", talks(LEAST + 4)),), engine=choice))
    return folder


def extractors(vault: Path) -> set[str]:
    with open_vault(vault) as reader:
        return {str(name) for (name,) in reader.ledger.query("SELECT DISTINCT extractor FROM units")}


def test_taught_reader_takes_over_where_agreed(vault: Path, tmp_path: Path, export: Exporter) -> None:
    done = teach_reader(vault, lambda shown: shown.after.score > shown.before.score)
    assert done.taken
    assert done.learned + done.apart == LEAST + 4
    assert done.apart == 3
    assert done.after.precision > done.before.precision
    assert done.after.score > done.before.score

    later: dict[str, Sequence[tuple[str, str]]] = {
        "later": [("user", "The boat number 90 needs 7 new boards. Its door is green.")]
    }
    ingest(IngestRequest(vault, (export("later.json", later),)))
    mark = done.version.partition("+")[2]
    assert f"{ENGINE_VERSION}+{mark}" in extractors(vault)

    assert untaught(vault)
    assert not untaught(vault)
    assert taught_reader(VaultLayout(vault)) is None


@pytest.mark.parametrize("beside", [{"file_by": "model"}, {"proofread": True}])
def test_notes_that_were_filed_or_proofread_teach_too(
    tmp_path: Path, server: ModelServer, export: Exporter, beside: dict[str, Any]
) -> None:
    def script(body: dict[str, Any]) -> dict[str, object]:
        return {"false": []} if "<notes>" in user_text(body) else sentences_with_numbers(body)

    server.script = script
    vault = tmp_path / "vault"
    choice = EngineChoice(name="anthropic", base_url=server.url, summaries=False, pack=False, **beside)
    ingest(IngestRequest(vault, (export("talks.json", talks(1)),), engine=choice))
    ((_, lessons),) = conversation_lessons(VaultLayout(vault))
    assert [len(one.spans) for one in lessons] == [1, 1]


def test_refused_teaching_leaves_no_file(vault: Path) -> None:
    before = sorted(path.name for path in vault.iterdir())
    first, second = (teach_reader(vault, lambda _: False) for _ in range(2))
    assert first == second  # the same vault teaches the same reader
    assert not first.taken
    assert sorted(path.name for path in vault.iterdir()) == before


def test_too_few_conversations_teach_nothing(tmp_path: Path, export: Exporter) -> None:
    folder = tmp_path / "vault"
    ingest(IngestRequest(folder, (export("talks.json", talks(3)),)))
    with pytest.raises(UsageError, match="too little to learn from"):
        teach_reader(folder, lambda _: True)


def test_damaged_taught_reader_is_named(tmp_path: Path) -> None:
    layout = VaultLayout(tmp_path)
    layout.taught_reader.write_bytes(b"not a reader")
    with pytest.raises(IntegrityError, match="cannot be read"):
        taught_reader(layout)
