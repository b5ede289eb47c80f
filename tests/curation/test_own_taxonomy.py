from __future__ import annotations

import time
from pathlib import Path

import pytest
import yaml

from curation.filing.taxonomy import PlainNames, read_taxonomy
from schemas.errors import UsageError


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("paths:\n  home: &one {about: a home}\n  work: *one\n", "an alias"),
        ("paths: &all\n  home: {about: a home, below: *all}\n", "an alias"),
        ("paths:\n  home: {about: a home}\n  home: {about: a house}\n", "home stands twice"),
        ("paths: {undated: {about: notes}}", "a path of the timeline"),
        ("paths: {? [home] : {about: a home}}", "a list or a mapping stands where a name belongs"),
        ("paths: {home: {about: !!set {x}}}", "a valid string"),
        ("paths: {home: {<<: {about: a home}}}", "about Field required"),
        ('paths: {home: {about: "\\UFFFFFFFF"}}', "cannot be read"),
        ('paths: {home: {about: "\\U00110000"}}', "cannot be read"),
        ('paths: {home: {about: "\\ud800"}}', "cannot be read"),
        ("paths: " + "[" * 5_000, "recursion"),
    ],
)
def test_what_no_taxonomy_can_be_is_a_misuse_that_says_why(tmp_path: Path, text: str, why: str) -> None:
    own = tmp_path / "taxonomy.yaml"
    own.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=why):
        read_taxonomy(own)


def test_an_edited_taxonomy_is_read_anew(tmp_path: Path) -> None:
    own = tmp_path / "taxonomy.yaml"
    for about in ("a home", "a house"):
        own.write_text(f"paths:\n  home: {{about: {about}}}\n", encoding="utf-8")
        assert read_taxonomy(own).paths["home"].about == about


@pytest.mark.parametrize("said", ["2026-02-30", "!!int x", "!!float x", "!!timestamp x", "!!bool x", "no"])
def test_what_a_path_is_about_is_text_whatever_its_tag(tmp_path: Path, said: str) -> None:
    own = tmp_path / "taxonomy.yaml"
    own.write_text(f"paths: {{no: {{about: {said}}}}}", encoding="utf-8")
    assert read_taxonomy(own).paths["no"].about == said.rpartition(" ")[2]


def test_the_time_for_names_grows_with_their_number() -> None:
    text = yaml.ScalarNode("tag:yaml.org,2002:str", "x")
    names = [(yaml.ScalarNode(text.tag, f"n{number}"), text) for number in range(50_000)]
    start = time.process_time()
    assert len(PlainNames("").construct_mapping(yaml.MappingNode("tag:yaml.org,2002:map", names))) == 50_000
    assert time.process_time() - start < 5
