"""What of a page is its text: what is hidden goes, what is seen stays, and letters are the right ones."""

from __future__ import annotations

import pytest
from growth import repeated, too_fast

pytest.importorskip("trafilatura", reason="no mnemic[web]: no page was read")
from tests.web.local_web import INJECTION, article
from web.fetch.outcome import Fetched, PageOutcome
from web.pages.extraction import PageText, extracted
from web.pages.hidden_text import declarations


def text_of(page: str | bytes, charset: str | None = None) -> PageText:
    body = page.encode() if isinstance(page, str) else page
    return extracted(Fetched("http://a.test/p", PageOutcome.KEPT, body=body, charset=charset))


@pytest.mark.parametrize(
    "style",
    [
        "color:transparent",
        "color:rgba(0,0,0,0)",
        "color:rgb(0 0 0 / 0%)",
        "color:#0000",
        "opacity:0.001",
        "opacity:+0",
        "opacity:0e0",
        "opacity:-1",
        "opacity:calc(0)",
        "opacity:1%",
        "filter:opacity(0)",
        "font-size:.1px",
        "font-size:0.01em",
        "font:0/0 a",
        "position:absolute;left:-9999px",
        "position:fixed;top:-100em",
        "text-indent:-9999px",
        "transform:translateX(-9999px)",
        "transform:scale(0)",
        "zoom:0.001",
        "clip:rect(0,0,0,0)",
        "clip-path:inset(50%)",
        "height:0;overflow:hidden",
        "d\\69splay:none",
        "display:n\\6f ne",
        "display:none;display:bogus",
        "display:none/* and no more",
        "opacity:0;opacity:bogus",
        "color:red;display:none",
        "display:none!important;display:block",
        "background:url('a;b');display:none",
    ],
)
def test_a_style_that_hides_takes_the_text_out(style: str) -> None:
    told = text_of(article("Noss", "puffin", f'<div style="{style}"><p>{INJECTION}</p></div><p>Seen.</p>'))
    assert "previous instructions" not in told.text
    assert "puffin" in told.text


@pytest.mark.parametrize(
    "wrapped", ["<template>{}</template>", "<div popover>{}</div>", "<div aria-hidden=TRUE>{}</div>"]
)
def test_markup_that_is_not_shown_is_no_text(wrapped: str) -> None:
    told = text_of(article("Noss", "puffin", wrapped.format(f"<p>{INJECTION}</p>")))
    assert "previous instructions" not in told.text


@pytest.mark.parametrize(
    "style",
    [
        "background:url('x;display:none')",
        "background:url(x;display:none)",
        "content:'a;opacity:0'",
        "--display:none",
        "display:none;display:block",
        "opacity:.9; font-size:clamp(1px, 2vw, 20px); zoom:1",
        "left:50%;margin-left:-960px;position:absolute;overflow:hidden;max-width:0",
        "color:transparent;background-clip:text",
        "text-indent:2em;transform:translate(-50%,-50%) rotate(0)",
        "color:rgb(0,0,0);clip:rect(0,900px,900px,0)",
    ],
)
def test_a_style_that_only_looks_so_hides_nothing(style: str) -> None:
    page = article("Noss", "puffin").replace("<article>", f'<article><div style="{style}">')
    assert "harbour master" in text_of(page.replace("</article>", "</div></article>")).text


@pytest.mark.parametrize(
    ("outer", "inner"),
    [
        ("font-size:0", "font-size:16px"),
        ("font-size:0", "font:400 1rem/1.5 serif"),
        ("visibility:hidden", "visibility:visible"),
        ("color:transparent", "color:#333"),
    ],
)
def test_what_is_shown_again_stays_and_the_rest_goes(outer: str, inner: str) -> None:
    page = article("Noss", "puffin").replace(
        "<article>",
        f'<article><div style="{outer}"><p>Planted above.</p><p><b style="font-size:50%">Planted.</b></p>'
        f'<div style="{inner}">',
    )
    told = text_of(page.replace("</article>", "</div> Planted below.</div></article>"))
    assert "harbour master" in told.text
    assert "Planted" not in told.text


def test_reading_a_style_is_linear() -> None:
    units = ["/*", '"', "url(", "\\69", "a:b;", 'a"b" ']
    assert too_fast(declarations, 100_000, {unit: repeated(unit) for unit in units}) == []


@pytest.mark.parametrize("graph", ["1", "true", "3.5", '"abc"', '{"@type": "WebPage"}', "[1]", "null"])
def test_a_strange_graph_costs_no_page(graph: str) -> None:
    head = f'<script type="application/ld+json">[{{"@graph": {graph}}}]</script>'
    assert text_of(article("Noss", "puffin", head=head)).outcome is PageOutcome.KEPT


@pytest.mark.parametrize("written", ["PASSWORD", "password", "PassWord"])
def test_a_password_is_asked_for_in_any_case(written: str) -> None:
    page = f"<html><body><h1>Tides</h1><form><input type={written}></form></body></html>"
    assert text_of(page).outcome is PageOutcome.BEHIND_INTERACTION


@pytest.mark.parametrize(
    "title", ["&lt;canvas&gt;: The Graphics Canvas element", "std::vector&lt;int&gt; in C++"]
)
def test_a_title_is_plain_text_already(title: str) -> None:
    page = article("X", "puffin").replace("<title>X: puffin<", f"<title>{title}<")
    shown = title.replace("&lt;", "<").replace("&gt;", ">")
    assert text_of(page.replace("<h1>X<", f"<h1>{title}<")).title == shown


@pytest.mark.parametrize(
    ("said", "codec", "written"),
    [
        ("iso-8859-1", "cp1252", "Open 9\u201317, costs \u20ac20\u201325, it\u2019s"),
        ("us-ascii", "cp1252", "Open 9\u201317, caf\u00e9"),
        ("iso-8859-9", "cp1254", "A\u00e7\u0131k 9\u201317"),
        ("gb2312", "gb18030", "\u4ef7\u683c\u9555"),
        ("shift_jis", "cp932", "\u65e5\u672c\u2460\u3231"),
        ("x-sjis", "cp932", "\u65e5\u672c\u2460"),
        ("euc-kr", "cp949", "\uac00\uaca9 \ub620\ubc29"),
        ("tis-620", "cp874", "\u0e23\u0e32\u0e04\u0e32 9\u201317"),
        ("utf-16", "utf-8", "9\u201317"),
    ],
)
@pytest.mark.parametrize("by", ["header", "meta"])
def test_a_charset_means_what_browsers_take_it_for(said: str, codec: str, written: str, by: str) -> None:
    head = f"<meta charset={said}>" if by == "meta" else ""
    page = article("Prices", "ticket", f"<p>{written} and more that is kept.</p>", head).encode(codec)
    if codec == "utf-8":
        page, said = page.replace(b"<footer>", b"<footer>\xe9"), "utf-8"
    assert f"{written} and more" in text_of(page, said if by == "header" else None).text


def test_one_bad_byte_does_not_change_the_charset() -> None:
    page = article("Århus", "tide at Brännö", "<p>Priset är 20 € för båten från Öckerö.</p>").encode()
    assert "Priset är 20 € för båten" in text_of(page.replace(b"<footer>", b"<footer>\xe9")).text
    western = article("Århus", "tide", "<p>Öppet 9 till 17 från Öckerö till Björkö.</p>").encode("cp1252")
    assert "\ufffd" not in text_of(western).text


def test_what_a_page_begins_with_names_its_charset() -> None:
    page = article("Århus", "tide").encode("utf-16")
    assert "Århus" in text_of(page, "utf-8").text
