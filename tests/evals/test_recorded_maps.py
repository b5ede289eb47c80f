"""A vault whose notes, summaries and thread maps come from recorded answers alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interfaces.main import main
from schemas.fallback import MAP_REASON
from vault.model_calls import fallbacks
from vault.reader import open_vault
from vault.threads import thread_maps_of, threads_of

RECORDED = Path(__file__).parents[2] / "data" / "recorded"


def test_recorded_maps_stand_in_the_ledger_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    vault = tmp_path / "vault"
    archive = RECORDED / "teacher-threads.json"
    asked = ("--engine", "anthropic", "--replay", str(RECORDED), "--account", "teacher", "--json")
    assert main(["ingest", str(archive), "--vault", str(vault), *asked]) == 0
    assert json.loads(capsys.readouterr().out)["model_use"]["unsent"] == 0
    with open_vault(vault) as reader:
        names = {one.id: one.label for one in threads_of(reader.ledger, "teacher")}
        maps = thread_maps_of(reader.ledger, "teacher")
        told = {line.text for one in maps.values() for line in one.arc}
        reasons = [one.reason for one in fallbacks(reader.ledger)]
    known = {"Swimming lessons, pool and river", "Alimony indexation and Christmas split"}
    assert known <= set(names.values())
    assert all("recorded-" in one.writer and "in place of" not in one.writer for one in maps.values())
    assert any(line.startswith("The user swam the whole length twice.") for line in told)
    assert not any(one.startswith(MAP_REASON) and "left out" not in one for one in reasons)
