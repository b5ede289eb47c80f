"""Addresses of conversations at their services."""

from __future__ import annotations

import pytest

from schemas.source_links import source_link

ID = "0a1b2c3d-0000-4000-8000-000000000001"


@pytest.mark.parametrize(
    ("provider", "page"),
    [
        ("chatgpt", "https://chatgpt.com/c/"),
        ("claude_ai", "https://claude.ai/chat/"),
        ("perplexity", "https://www.perplexity.ai/search/"),
    ],
)
def test_a_conversation_has_its_page(provider: str, page: str) -> None:
    assert source_link(provider, ID) == page + ID


@pytest.mark.parametrize(
    "named", ["", None, "../evil", f"{ID}\n", f"{ID}?x=1", f"javascript:{ID}", "3f" * 32]
)
def test_what_is_no_id_of_the_service_makes_no_link(named: str | None) -> None:
    assert source_link("chatgpt", named) is None


def test_a_service_without_pages_has_no_link() -> None:
    assert source_link("claude_code", ID) is None


def test_geminis_conversations_have_pages_and_lone_rows_none() -> None:
    assert (
        source_link("gemini_takeout", "f777ba9fb2de6bbd") == "https://gemini.google.com/app/f777ba9fb2de6bbd"
    )
    for named in (
        "row-" + "3f" * 16,
        "conversation_1774999569",
        "../evil",
        "f777ba9fb2de6bb ",
        "F777BA9FB2DE6BBD?",
    ):
        assert source_link("gemini_takeout", named) is None
