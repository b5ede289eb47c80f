"""The site builds without a warning, every link leads somewhere, no page loads anything from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "data").rglob("*.md")])
LOADED = re.compile(
    r"<(?:script|img|iframe|source|link(?=[^>]*stylesheet))[^>]*(?:src|href)=\"?(?:https?:)?//", re.I
)


def test_the_site_builds_strictly_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="the group `docs` of pyproject.toml is not installed")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    pages = {page: page.read_text(encoding="utf-8") for page in tmp_path.rglob("*.html")}
    assert len(pages) > len(list((ROOT / "docs").glob("*.md")))
    assert [page.name for page, text in pages.items() if LOADED.search(text)] == []
    assert LOADED.search('<link rel="stylesheet" href="https://fonts.example.org/css">')


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_and_every_page_that_is_named_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:|mailto:|#)([^)#\s]+)", text)
    named = re.findall(r"`(docs/[a-z0-9/-]+\.md|[a-z]+/[a-z_/]+\.py)`", text)
    missing = [link for link in links if not (page.parent / link).exists()]
    assert missing + [name for name in named if not (ROOT / name).exists()] == []
