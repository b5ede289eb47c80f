from __future__ import annotations

import re
from pathlib import Path

from interfaces.reference import reference

PAGE = Path(__file__).resolve().parents[2] / "docs" / "commands.md"


def told(page: str) -> list[str]:
    """Every command and every setting that a page tells of."""
    return re.findall(r"^#+ mnemic .*$|^\| `[A-Z_]+` \| `[a-z_]+` \|", page, re.MULTILINE)


def test_the_page_tells_of_every_command_and_setting() -> None:
    written = told(PAGE.read_text(encoding="utf-8"))
    assert written == told(reference()), "python -m interfaces.reference > docs/commands.md"
    assert len(written) > 40
