"""The pages that are made from the code are what the code makes, and name everything that is read."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from benchmarks.bench import BEGINS, ENDS, written
from interfaces.reference import commands_page, settings_page

ROOT = Path(__file__).resolve().parents[2]


def told(page: str) -> list[str]:
    """Every command that a page tells of."""
    return re.findall(r"^#+ mnemic .*$", page, re.MULTILINE)


def test_the_page_tells_of_every_command() -> None:
    written = told((ROOT / "docs" / "commands.md").read_text(encoding="utf-8"))
    assert written == told(commands_page()), "python -m interfaces.reference > docs/commands.md"
    assert len(written) > 40


def test_the_page_of_settings_is_what_the_code_makes() -> None:
    written = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert written == settings_page(), "python -m interfaces.reference settings > docs/settings.md"


def test_every_variable_that_the_code_reads_is_a_setting_on_the_page() -> None:
    page = settings_page()
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]
    folders = packages["build"]["targets"]["wheel"]["packages"]
    texts = [path.read_text(encoding="utf-8") for name in folders for path in (ROOT / name).rglob("*.py")]
    read = {name for text in texts for name in re.findall(r'"((?:MNEMIC|QDRANT|ANTHROPIC)_[A-Z_]+)"', text)}
    assert {"MNEMIC_VAULT", "MNEMIC_NOTIFY", "QDRANT_URL"} <= read
    assert [name for name in sorted(read) if f"`{name}`" not in page] == []


def test_the_page_of_benchmarks_has_the_place_for_their_table() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    made = written(page, "| a | table |")
    assert made.startswith(page.partition(BEGINS)[0])
    assert made.endswith(page.partition(ENDS)[2])
    assert f"{BEGINS}\n\n| a | table |\n\n{ENDS}" in made
    assert written(made, "| a | table |") == made
    with pytest.raises(ValueError, match="the page lacks"):
        written("# A page without the marks", "")
