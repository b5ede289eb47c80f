"""Whose an archive is, and what acts on accounts come to."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from schemas.act import Act, ActKind
from vault.account_book import AccountBook, is_address
from vault.accounts import names_of

ALICE, BOB = "alice@example.org", "bob@example.org"


def act(seq: int, kind: ActKind, subject: str, detail: str = "") -> Act:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Act(
        seq=seq, id=f"act-{seq}", lot="lot", kind=kind, subject=subject, actor="user", reason="", at=at,
        detail=detail,
    )  # fmt: skip


def test_one_person_s_exports_are_one_account() -> None:
    book = AccountBook()
    exports = [("chatgpt", ALICE, "chatgpt"), ("claude_ai", None, "data-2026"), ("gemini", None, "takeout")]
    placed = [book.place(one, said=None, named=named, by_name=name) for one, named, name in exports]
    assert {one.account for one in placed} == {ALICE}
    assert not any(one.remark for one in placed)


def test_an_address_joins_an_account_that_has_none() -> None:
    book = AccountBook()
    first = book.place("claude_ai", said=None, named=None, by_name="claude")
    second = book.place("chatgpt", said=None, named=ALICE, by_name="gpt")
    assert (first.account, second.account, second.names_owner) == ("claude", "claude", ALICE)


def test_another_person_s_address_is_kept_apart() -> None:
    book = AccountBook()
    book.place("chatgpt", said=None, named=ALICE, by_name="a")
    apart = book.place("chatgpt", said=None, named=BOB, by_name="b")
    assert apart.account == BOB
    assert ALICE in apart.remark
    assert f"account merge {BOB} {ALICE}" in apart.remark


def test_what_the_owner_says_goes_before_everything() -> None:
    book = AccountBook()
    book.place("chatgpt", said=None, named=ALICE, by_name="a")
    assert book.place("chatgpt", said="work", named=BOB, by_name="b").account == "work"


def test_a_newer_export_comes_under_the_same_name() -> None:
    merged = names_of([act(1, ActKind.ACCOUNT_MERGE, "claude-2025", ALICE)])
    book = AccountBook(merged, [("chatgpt", ALICE), ("claude_ai", "claude-2025")], {ALICE})
    placed = book.place("claude_ai", said=None, named=None, by_name="claude-2026")
    assert (placed.came_as, placed.account) == ("claude-2025", ALICE)
    assert book.place("claude_ai", said=ALICE, named=None, by_name="c").came_as == "claude-2025"


def test_a_vault_of_before_takes_a_newer_export_to_its_own() -> None:
    book = AccountBook(imports=[("chatgpt", "gpt"), ("claude_ai", "claude")], accounts={"gpt", "claude"})
    assert book.place("claude_ai", said=None, named=None, by_name="claude-new").account == "claude"
    assert book.place("chatgpt", said=None, named=None, by_name="claude").account == "claude"
    assert book.place("grok", said=None, named=None, by_name="grok").account == "gpt"


def test_the_default_follows_a_rename() -> None:
    names = names_of(
        [act(1, ActKind.ACCOUNT_DEFAULT, "b"), act(2, ActKind.ACCOUNT_RENAME, "b", "me")],
    )
    book = AccountBook(names, [("chatgpt", "a"), ("grok", "b")], {"a", "me"})
    assert book.place("claude_ai", said=None, named=None, by_name="new").account == "me"


def test_acts_are_replayed_in_order_over_the_name() -> None:
    names = names_of(
        [
            act(1, ActKind.ACCOUNT_MERGE, "a", "b"),
            act(2, ActKind.ACCOUNT_RENAME, "b", "c"),
            act(3, ActKind.ACCOUNT_SPLIT, "talk", "work"),
        ]
    )
    assert [names.now(one) for one in "abcd"] == ["c", "c", "c", "d"]
    assert names.now("a", "talk") == "work"
    assert names.now("a", "other") == "c"


def test_an_act_that_is_taken_back_never_was() -> None:
    done = [act(1, ActKind.ACCOUNT_MERGE, "a", "b"), act(2, ActKind.UNDO, "a", "act-1")]
    names = names_of(done)
    assert names.now("a") == "a"
    assert names.ever == {"a", "b"}


@pytest.mark.parametrize(
    ("name", "is_one"), [(ALICE, True), ("user-1", False), ("a b@c", False), ("@x", False)]
)
def test_an_address_is_told_by_its_form(name: str, is_one: bool) -> None:
    assert is_address(name) is is_one
