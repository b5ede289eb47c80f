from __future__ import annotations

from pathlib import Path

import pytest

from curation.filing.taxonomy import read_taxonomy
from schemas.errors import UsageError


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("paths:\n  home: &one {about: a home}\n  work: *one\n", "an alias"),
        ("paths: &all\n  home: {about: a home, below: *all}\n", "an alias"),
        ("paths:\n  home: {about: a home}\n  home: {about: a house}\n", "home stands twice"),
    ],
)
def test_aliases_and_names_that_stand_twice_are_refused(tmp_path: Path, text: str, why: str) -> None:
    own = tmp_path / "taxonomy.yaml"
    own.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=why):
        read_taxonomy(own)


def test_an_edited_taxonomy_is_read_anew(tmp_path: Path) -> None:
    own = tmp_path / "taxonomy.yaml"
    for about in ("a home", "a house"):
        own.write_text(f"paths:\n  home: {{about: {about}}}\n", encoding="utf-8")
        assert read_taxonomy(own).paths["home"].about == about
