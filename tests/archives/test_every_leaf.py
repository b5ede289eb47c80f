"""No text of an archive is unread and unnamed: of real ones, and of made-up ones with keys nobody knows."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from archive_databases import cursor_bubbles, cursor_editor, cursor_items, cursor_store, opencode_database
from archive_reading import FIXTURES, read_all
from leaf_walk import OWN_SAMPLE, SAMPLES, paths, walk
from lost_archives import written
from sample_report import FORCED
from test_losses_mended import LOST

from archives.keys import Keys, Use, is_text
from archives.registry import FORMATS

KEYS = {row.id: row.keys for row in FORMATS}
FIXTURE_PATHS = [path for path, _ in paths() if path.is_relative_to(FIXTURES)]
TEXT_FORMATS = {"aider", "copilot", "document", "markdown", "signal", "whatsapp"}
"""Formats whose files have no keys: a line is a part of a message, or it is skipped or rejected."""


@pytest.mark.parametrize("path", FIXTURE_PATHS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_text_of_a_fixture_is_explained(path: Path) -> None:
    walked = walk(path)
    assert walked is not None
    assert walked.unexplained == []


def test_every_text_of_the_sample_is_explained() -> None:
    walked = walk(OWN_SAMPLE)
    assert walked is not None
    assert walked.unexplained == []


def test_every_text_of_the_shared_samples_is_explained() -> None:
    if not SAMPLES.exists():
        pytest.skip(f"no samples: {SAMPLES} is absent")
    read = 0
    for path in sorted(SAMPLES.glob("*/*")):
        forced = path.parent.name if f"{path.parent.name}/{path.name}" in FORCED else None
        walked = walk(path, forced) if path.is_file() else None
        if walked is not None:
            read += 1
            assert walked.unexplained == [], path.name
    assert read > 50


@pytest.mark.parametrize("name", LOST)
def test_every_text_that_was_lost_is_explained(tmp_path: Path, name: str) -> None:
    walked = walk(written(tmp_path, LOST[name]))
    assert walked is not None
    assert walked.unexplained == []


@pytest.mark.parametrize(
    "build", [opencode_database, cursor_editor, cursor_store, cursor_items, cursor_bubbles]
)
def test_every_text_of_a_database_is_explained(tmp_path: Path, build: Any) -> None:
    walked = walk(build(tmp_path / "input.db"))
    assert walked is not None
    assert walked.unexplained == []


@pytest.mark.parametrize(
    "path",
    [path for path in FIXTURE_PATHS if path.parent.name not in TEXT_FORMATS],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_new_words_under_every_key_are_found_or_named(path: Path, tmp_path: Path) -> None:
    """Every text that may be one is replaced by words of its own, every object gets a key nobody knows."""
    keys, words = KEYS[path.parent.name], _words()
    copy = tmp_path / path.name
    (shutil.copytree if path.is_dir() else shutil.copy)(path, copy)  # type: ignore[operator]
    files = [one for one in copy.rglob("*") if one.is_file()] if copy.is_dir() else [copy]
    for file in files:
        _rewrite(file, keys, words)
    walked = walk(copy, path.parent.name)
    assert walked is not None
    assert walked.unexplained == []
    _, _, report, _ = read_all(copy, format_id=path.parent.name)
    told = [note.reason for note in report.notes if note.kind in ("unread", "rejected")]
    assert path.suffix == ".html" or any(
        one.endswith("lately_added") or "no conversation" in one for one in told
    )


def _words() -> Iterator[str]:
    return (f"Quorn{number} vexed glyph{number} jumbo{number} waltz" for number in itertools.count())


def _rewrite(file: Path, keys: Keys, words: Iterator[str]) -> None:
    text = file.read_text(errors="surrogateescape")
    try:
        told = json.dumps(_other_words(json.loads(text), "", keys, words))
    except ValueError:
        lines = []
        for line in text.splitlines():
            try:
                lines.append(json.dumps(_other_words(json.loads(line), "", keys, words)))
            except ValueError:
                lines.append(line)
        told = "\n".join(lines) + "\n"
    file.write_text(told, errors="surrogateescape")


def _other_words(value: Any, path: str, keys: Keys, words: Iterator[str]) -> Any:
    if isinstance(value, list):
        return [_other_words(one, path, keys, words) for one in value]
    if isinstance(value, dict):
        told = {
            key: _other_words(one, f"{path}.{key}".lstrip("."), keys, words) for key, one in value.items()
        }
        return {**told, "lately_added": next(words)} if path.count(".") < 6 else told
    use, _ = keys.use_of(path)
    if use is None:
        use, _ = keys.use_of(path.partition(".")[2])
    key = path.rpartition(".")[2]
    if not isinstance(value, str) or use in (Use.USED, Use.OMITTED) or not is_text(key, value):
        return value
    return value if value.startswith(("{", "<")) else next(words)


def test_a_path_says_what_becomes_of_it() -> None:
    keys = Keys(words="talk", used="talk.state **.mood", omitted={"too large": "talk.picture"})
    assert keys.use_of("talk.words.deep") == (Use.WORDS, "")
    assert keys.use_of("talk.state") == (Use.USED, "")
    assert keys.use_of("talk.words.mood") == (Use.USED, "")
    assert keys.use_of("talk.picture.data") == (Use.OMITTED, "too large")
    assert keys.use_of("other") == (None, "")


@pytest.mark.parametrize("row", FORMATS, ids=lambda row: row.id)
def test_every_reader_declares_its_keys(row: Any) -> None:
    if row.id not in TEXT_FORMATS - {"aider", "copilot", "markdown"}:
        assert row.keys.words, f"{row.id} does not say which keys it reads"
    for path, use, reason in row.keys.paths():
        assert path
        assert bool(reason) == (use is Use.OMITTED), path
