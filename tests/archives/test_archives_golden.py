"""Every fixture, read and compared with what a person has looked over.

MNEMIC_REGENERATE_GOLDEN=1 writes the golden files anew; look at the diff before committing it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from archive_reading import FIXTURES, GOLDEN, described, read_all

REGENERATE = bool(os.environ.get("MNEMIC_REGENERATE_GOLDEN"))
DATABASES_ALONE = {"imessage", "zed"}
"""Formats that have no text files: `newer_databases.py` builds theirs."""
FIXTURE_PATHS = sorted(path for folder in FIXTURES.iterdir() for path in folder.iterdir())


@pytest.mark.parametrize("fixture", FIXTURE_PATHS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_reading_gives_the_golden_output(fixture: Path) -> None:
    conversations, resources, report, _ = read_all(fixture)
    assert report.format == fixture.parent.name
    found = json.dumps(described(conversations, resources, report), indent=1, ensure_ascii=False) + "\n"
    golden = GOLDEN / f"{fixture.parent.name}__{fixture.name}.json"
    if REGENERATE:
        golden.write_text(found)
    assert golden.read_text() == found


def test_the_regenerate_switch_is_off() -> None:
    assert not REGENERATE, "golden files were regenerated: look at the diff, then run without the switch"


def test_no_golden_file_without_its_fixture() -> None:
    names = {f"{path.parent.name}__{path.name}.json" for path in FIXTURE_PATHS}
    assert {path.name for path in GOLDEN.iterdir()} == names


def test_the_table_of_formats_is_up_to_date() -> None:
    from archives.catalogue import catalogue

    path = Path(__file__).resolve().parents[2] / "docs" / "formats.md"
    assert path.read_text() == catalogue(), "run: python -m archives.catalogue > docs/formats.md"


def test_every_format_has_a_fixture() -> None:
    from archives.registry import FORMATS

    with_fixtures = {path.parent.name for path in FIXTURE_PATHS}
    assert with_fixtures | DATABASES_ALONE == {row.id for row in FORMATS}
    assert len({row.id for row in FORMATS}) == len(FORMATS)
