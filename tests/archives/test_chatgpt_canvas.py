"""Patches of a canvas are played back without running a pattern from the archive."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archives.formats.chatgpt_canvas import canvases


def message(recipient: str, call: object) -> dict[str, object]:
    return {"recipient": recipient, "content": {"content_type": "code", "text": json.dumps(call)}}


def played(text: str, *updates: dict[str, object]) -> tuple[str, int]:
    made = message("canmore.create_textdoc", {"name": "n", "type": "document", "content": text})
    (canvas,) = canvases([made, message("canmore.update_textdoc", {"updates": list(updates)})])
    return canvas.text, canvas.not_replayed


@pytest.mark.parametrize(
    ("pattern", "replacement", "many", "after"),
    [
        (".*", "new", False, "new"),
        ("(?s).*", "new", False, "new"),
        ("^.*$", "new", False, "new"),
        ("[\\s\\S]*", "new", True, "new"),
        ("a", "x", False, "xb a.b a"),
        ("a", "x", True, "xb x.b x"),
        ("a\\.b", "dot", False, "ab dot a"),
        ("b a.*?b", "y", False, "ay a"),
        ("a.*", "z", False, "z"),
        (".*a\\.", "z", False, "zb a"),
        ("\\n", "x", False, None),
        ("(a)", "x", False, None),
        ("a+", "x", False, None),
        ("a.b", "x", False, None),
        ("\\d", "x", False, None),
        ("absent", "x", False, None),
        ("a", "back\\\\slash\\n", False, "back\\slash\nb a.b a"),
        ("", "x", False, None),
    ],
)
def test_a_patch(pattern: str, replacement: str, many: bool, after: str | None) -> None:
    text, missed = played("ab a.b a", {"pattern": pattern, "multiple": many, "replacement": replacement})
    assert (text, missed) == (("ab a.b a", 1) if after is None else (after, 0))


def test_a_pattern_that_would_never_end_is_not_run() -> None:
    assert played("a" * 50_000, {"pattern": "(a+)+$b", "replacement": "x"})[1] == 1
    assert played("a" * 50_000, {"pattern": "a.*" * 5_000, "replacement": "x"}) == ("x", 0)


@given(st.text(max_size=40), st.text(max_size=20), st.text(max_size=20), st.booleans())
def test_any_patch_ends(text: str, pattern: str, replacement: str, many: bool) -> None:
    after, missed = played(text, {"pattern": pattern, "multiple": many, "replacement": replacement})
    assert missed == 0 or after == text


def test_two_canvases_are_told_apart_by_their_ids() -> None:
    def reply(native: str) -> dict[str, object]:
        return {"recipient": "all", "metadata": {"canvas": {"textdoc_id": native}}}

    def create(name: str) -> dict[str, object]:
        return message("canmore.create_textdoc", {"name": name, "content": name})

    update = message(
        "canmore.update_textdoc", {"updates": [{"pattern": ".*", "replacement": "first, later"}]}
    )
    update["metadata"] = {"canvas": {"textdoc_id": "t1"}}
    found = canvases([create("one"), reply("t1"), create("two"), reply("t2"), update, reply("t1")])
    assert [(one.native_id, one.text) for one in found] == [("t1", "first, later"), ("t2", "two")]
