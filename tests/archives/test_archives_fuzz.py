"""Whatever the bytes, reading ends in conversations that add up or in one of mnemic's own errors."""

from __future__ import annotations

import json

import pytest
from archive_reading import FIXTURES, export_bytes, survival_of, zipped
from fuzz_archives import fuzz
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from archives.registry import FORMATS

SEEDS = sorted(path for path in FIXTURES.rglob("*") if path.is_file())
JSON_SEEDS = [path for path in SEEDS if path.suffix in (".json", ".jsonl", "")]
RELAXED = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A fixture with bytes changed, taken out, doubled or cut off."""
    data = bytearray(draw(st.sampled_from(SEEDS)).read_bytes())
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        length = draw(st.integers(1, 40))
        match draw(st.sampled_from(("flip", "delete", "double", "cut", "insert", "token"))):
            case "flip":
                data[at : at + 1] = bytes([draw(st.integers(0, 255))])
            case "delete":
                del data[at : at + length]
            case "double":
                data[at:at] = data[at : at + length]
            case "cut":
                del data[at + length :]
            case "insert":
                data[at:at] = draw(st.binary(max_size=20))
            case "token":
                data[at:at] = draw(st.sampled_from(TOKENS))
    return bytes(data)


TOKENS = [
    b"null",
    b"{}",
    b"[]",
    b'"',
    b"},{",
    b"[[[[",
    b"-1e999",
    b"\\ud800",
    b"9" * 5000,
    b"\x00",
    b"true,",
    b":",
]


@RELAXED
@given(data=mutated())
def test_mutated_bytes(tmp_path, data):
    path = tmp_path / "mutated.json"
    path.write_bytes(data)
    assert survival_of(path).wrong == ()


@RELAXED
@given(seed=st.sampled_from(JSON_SEEDS), choices=st.data())
def test_mutated_values(tmp_path, seed, choices):
    """Whole values replaced by values of other types: the JSON stays good and means something else."""
    lines = seed.read_text().splitlines() if seed.suffix == ".jsonl" else [seed.read_text()]
    values = [_loaded(line) for line in lines]
    for _ in range(choices.draw(st.integers(1, 4))):
        _replace(values, choices)
    path = tmp_path / f"mutated{seed.suffix}"
    path.write_text("\n".join(json.dumps(value) for value in values))
    assert survival_of(path).wrong == ()


def _loaded(line: str) -> object:
    try:
        return json.loads(line)
    except ValueError:
        return line


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(max_size=10),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(
        st.sampled_from(["id", "text", "parts", "content_type", "role"]), st.text(max_size=3), max_size=2
    ),
)


def _replace(value: object, choices: st.DataObject) -> None:
    while True:
        if not isinstance(value, dict | list) or not value:
            return
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = choices.draw(st.sampled_from(keys))
        if not isinstance(value[key], dict | list) or choices.draw(st.integers(0, 5)) == 0:
            value[key] = choices.draw(ODD)
            return
        value = value[key]


@RELAXED
@given(at=st.integers(0, 2_000), length=st.integers(0, 60), patch=st.binary(max_size=60))
def test_mutated_zips(tmp_path, at, length, patch):
    path = zipped(
        tmp_path / "a.zip",
        {"conversations.json": export_bytes(), "user.json": b'{"id": "u", "email": "a@b"}'},
    )
    data = bytearray(path.read_bytes())
    data[at : at + length] = patch
    path.write_bytes(data)
    assert survival_of(path).wrong == ()


@pytest.mark.parametrize("seed", SEEDS, ids=lambda path: path.name)
def test_every_cut(tmp_path, seed):
    """A file that breaks off anywhere."""
    data = seed.read_bytes()
    path = tmp_path / seed.name
    for end in range(0, len(data), max(1, len(data) // 60)):
        path.write_bytes(data[:end])
        assert survival_of(path).wrong == ()


def test_the_short_form_of_make_fuzz_reaches_every_reader(tmp_path):
    found = []
    outcome = fuzz(1_500, 7, tmp_path, found.append)
    assert outcome.failures == 0, "\n".join(found)
    assert set(outcome.read_by) >= {row.id for row in FORMATS}
