"""The pages of the local web, by what they do to whoever fetches them."""

from __future__ import annotations

import gzip

from tests.web.local_web import (
    INJECTION,
    MEGABYTE,
    OK,
    Answer,
    LocalWeb,
    WebPage,
    article,
    drip,
    html,
    json_of,
    leading,
    packed,
    shell,
    silent,
    streamed,
)
from web.fetch.outcome import PageOutcome

A, B, C, R = "alpha.test", "beta.test", "gamma.test", "refusing.test"
KEPT, THIN, BEHIND, NOWHERE = (
    PageOutcome.KEPT,
    PageOutcome.THIN,
    PageOutcome.BEHIND_INTERACTION,
    PageOutcome.NOT_FOUND,
)
LONG = " ".join(["The tide table of the northern harbour is printed anew in March."] * 9)
WRITES = f"document.getElementById('app').innerHTML = '<h1>Tides</h1><p>{LONG}</p>'"


def planted(web: LocalWeb) -> list[WebPage]:
    """Plant every page; returns what is to be fetched and the bucket of each."""
    for host in (A, B, C):
        web.answers[f"{host}/robots.txt"] = Answer(
            b"User-agent: *\nDisallow: /private/\nDisallow: /*?print\n"
        )
    web.answers[f"{R}/robots.txt"] = Answer(b"later", 503)
    pages: list[WebPage] = []

    def page(
        name: str,
        answer: Answer | None,
        bucket: PageOutcome,
        rendered: PageOutcome | None = None,
        host: str = A,
    ) -> None:
        path = "/" + name.replace(" ", "-")
        if answer is not None:
            web.answers[f"{host}{path}"] = answer
        pages.append(WebPage(name, web.url(host, path), bucket, rendered))

    _static(web, page)
    _scripted(web, page)
    _barred(page)
    _leading(web, page)
    _heavy(page)
    _hostile(page)
    for name, url, bucket in (
        ("no such host", "http://nowhere.test/", NOWHERE),
        ("another port", "http://inside.test:22/", PageOutcome.FAILED),
        ("credentials", f"http://me:pw@{A}:{web.ports[A]}/plain", PageOutcome.FAILED),
        ("a file", "file:///etc/passwd", PageOutcome.FAILED),
        ("refused by robots", web.url(B, "/private/plain"), PageOutcome.ROBOTS),
        ("refused by a wildcard", web.url(B, "/plain?print=1"), PageOutcome.ROBOTS),
        ("robots cannot be read", web.url(R, "/plain"), PageOutcome.ROBOTS),
        ("an excluded site", "http://www.spam.test/", PageOutcome.EXCLUDED),
    ):
        pages.append(WebPage(name, url, bucket))
    return pages


def _static(web: LocalWeb, page) -> None:  # type: ignore[no-untyped-def]
    page("plain", html(article("Thurso", "water level")), KEPT)
    page("gzip", packed(article("Scrabster", "swell height")), KEPT)
    page(
        "chunked",
        streamed(OK + b"Connection: close\r\n\r\n", article("Wick", "wind speed").encode(), 1),
        KEPT,
    )
    latin = article("Århus", "tide at Brännö").encode("latin-1")
    page("latin by header", Answer(latin, headers={"Content-Type": "text/html; charset=iso-8859-1"}), KEPT)
    meta = article("Ålesund", "depth", head="<meta charset=iso-8859-1>").encode("latin-1")
    page("latin by meta", Answer(meta, headers={"Content-Type": "text/html"}), KEPT)
    page("plain text", Answer(LONG.encode(), headers={"Content-Type": "text/plain"}), KEPT)
    page("markdown", Answer(f"# Tides\n\n{LONG}".encode(), headers={"Content-Type": "text/markdown"}), KEPT)
    rows = "".join(f"<tr><td>{month}</td><td>{month} metres</td></tr>" for month in range(12))
    page("table", html(article("Oban", "tidal range", f"<table>{rows}</table>")), KEPT)
    page("list", html(article("Ullapool", "berth", "<ul><li>one berth</li><li>two berths</li></ul>")), KEPT)
    page(
        "broken markup",
        html(article("Tarbert", "draught").replace("</p>", "").replace("</h2>", "")),
        KEPT,
        host=B,
    )
    page("xhtml", html(article("Barra", "anchor"), Content_Type="application/xhtml+xml"), KEPT, host=B)
    page(
        "cookie banner",
        html(article("Skye", "bridge", "<div class=cookie>We use cookies.</div>")),
        KEPT,
        host=B,
    )
    for charset in ("base64", "idna", "undefined", "no-such"):
        said = html(article("Skye", "ferry"), Content_Type=f"text/html; charset={charset}")
        page(f"charset {charset}", said, KEPT, host=B)
    page("text in a strange charset", html(LONG, Content_Type="text/plain; charset=hex"), KEPT, host=B)
    page("half a megabyte", html(article("Rum", "ferry", f"<p>{LONG * 800}</p>")), KEPT, host=C)
    page("scripts beside text", html(article("Eigg", "pier", "<script>var x = 1</script>")), KEPT, host=C)
    page("paid but shown", html(article("Muck", "mast", head=PAID)), KEPT, host=C)
    page("thin", html("<html><body><h1>Tides</h1><p>Coming soon.</p></body></html>"), THIN)
    page("empty", html(""), THIN)
    page("only links", html("<html><body><a href=/a>a</a> <a href=/b>b</a></body></html>"), THIN, host=B)
    page("one picture", html("<html><body><img src=/map.png alt='a map of the harbour'></body></html>"), THIN)
    page("thin text file", Answer(b"see above", headers={"Content-Type": "text/plain"}), THIN, host=C)
    page("absent", None, NOWHERE)
    page("gone", Answer(b"gone", 410), NOWHERE, host=B)


def _scripted(web: LocalWeb, page) -> None:  # type: ignore[no-untyped-def]
    web.answers[f"{A}/write.js"] = Answer(WRITES.encode(), headers={"Content-Type": "text/javascript"})
    web.answers[f"{A}/tides.json"] = json_of({"told": LONG})
    loading = (
        "fetch('/tides.json').then(r => r.json()).then(d => {app.innerHTML = '<h1>Tides</h1><p>' + d.told})"
    )
    page("script inline", html(shell(f"<script>{WRITES}</script>")), BEHIND, KEPT)
    page("script file", html(shell("<script src=/write.js></script>")), BEHIND, KEPT)
    page("script module", html(shell("<script type=module src=/write.js></script>")), BEHIND, KEPT)
    page("script asking", html(shell(f"<script>{loading}</script>")), BEHIND, KEPT)
    page("script later", html(shell(f"<script>setTimeout(() => {{{WRITES}}}, 80)</script>")), BEHIND, KEPT)
    page(
        "noscript",
        html(shell(f"<noscript>Turn scripts on.</noscript><script>{WRITES}</script>")),
        BEHIND,
        KEPT,
    )
    page("script without text", html(shell("<script>var nothing = 1</script>")), BEHIND, THIN)
    page(
        "script for an insider",
        html(
            shell(
                "<script>fetch('http://inside.test/').then(r => r.text()).then(t => app.append(t))</script>"
            )
        ),
        BEHIND,
        THIN,
    )
    page("script leading away", html(shell("<script>location = 'http://127.0.0.1:1/'</script>")), BEHIND)
    page(
        "script alarming",
        html(shell(f"<script>alert(1); {WRITES}; open('http://inside.test/')</script>")),
        BEHIND,
        KEPT,
    )


PAID = '<script type="application/ld+json">{"@type": "NewsArticle", "isAccessibleForFree": false}</script>'


def _barred(page) -> None:  # type: ignore[no-untyped-def]
    for status in (401, 402, 403, 451):
        page(f"status {status}", Answer(b"no", status), BEHIND, host=B)
    teaser = "<html><head>{}</head><body><h1>Tides</h1><p>The new table is out.</p>{}</body></html>"
    page("paid for", html(teaser.format(PAID, "")), BEHIND, host=B)
    page("password", html(teaser.format("", "<form><input type=PassWord></form>")), BEHIND, host=B)
    page(
        "dialog", html(teaser.format("", "<dialog open>Agree? <button>Yes</button></dialog>")), BEHIND, host=B
    )


def _leading(web: LocalWeb, page) -> None:  # type: ignore[no-untyped-def]
    page("moved", leading("/plain", 301), KEPT)
    page("moved for now", leading("plain", 307), KEPT)
    page("moved elsewhere", leading(web.url(B, "/broken-markup"), 308), KEPT)
    page("moved to itself", leading("/moved-to-itself"), PageOutcome.REDIRECTS)
    web.answers[f"{A}/there"] = leading("/to-and-fro")
    page("to and fro", leading("/there"), PageOutcome.REDIRECTS)
    for step in range(9):
        web.answers[f"{A}/step/{step}"] = leading(f"/step/{step + 1}")
    page("a long way", leading("/step/0"), PageOutcome.REDIRECTS)
    page("moved to a refusal", leading(web.url(B, "/private/plain")), PageOutcome.ROBOTS)
    page("moved to a file", leading("file:///etc/passwd"), PageOutcome.FAILED)
    page("moved to an excluded site", leading("http://spam.test/"), PageOutcome.EXCLUDED)
    for name, goal in (
        ("loopback", "http://127.0.0.1/"),
        ("localhost", "http://localhost/"),
        ("six loopback", "http://[::1]/"),
        ("decimal", "http://2130706433/"),
        ("hexadecimal", "http://0x7f000001/"),
        ("ten", "http://10.0.0.7/"),
        ("metadata", "http://169.254.169.254/latest/meta-data/"),
        ("a private name", "http://inside.test/"),
        ("a link-local name", "http://linklocal.test/"),
        ("a mapped name", "http://mapped.test/"),
        ("one of two private", "http://halfinside.test/"),
        ("a private six", "http://sixinside.test/"),
        ("shared space", "http://carrier.test/"),
        ("a translated name", "http://nat64.test/"),
    ):
        page(f"moved to {name}", leading(goal), PageOutcome.PRIVATE, host=C)


def _heavy(page) -> None:  # type: ignore[no-untyped-def]
    said = OK + b"Content-Length: 100000000\r\n\r\n"
    page("a hundred megabytes said", streamed(said, MEGABYTE, 100), PageOutcome.TOO_LARGE)
    page(
        "a hundred megabytes",
        streamed(OK + b"Connection: close\r\n\r\n", MEGABYTE, 100),
        PageOutcome.TOO_LARGE,
    )
    bomb = gzip.compress(b"\0" * 20_000_000, 1)
    page("a bomb", Answer(bomb, headers={"Content-Encoding": "gzip"}), PageOutcome.TOO_LARGE)
    page("a slow drip", drip(OK + b"\r\n<p>", b"x"), PageOutcome.TOO_SLOW)
    page("headers without end", streamed(OK, b"X-More: " + b"1" * 900 + b"\r\n", 10_000), PageOutcome.FAILED)
    page("slow headers", drip(OK, b"X-Wait: 1\r\n"), PageOutcome.TOO_SLOW)
    page("silence", silent(), PageOutcome.TOO_SLOW)
    for name, kind in (
        ("a pdf", "application/pdf"),
        ("a picture", "image/png"),
        ("a zip", "application/zip"),
    ):
        page(name, html("PK", Content_Type=kind), PageOutcome.NOT_TEXT)
    page("packed otherwise", html("??", Content_Encoding="br"), PageOutcome.NOT_TEXT)
    page("not gzip", html("<p>plain</p>", Content_Encoding="gzip"), PageOutcome.FAILED)
    page("an error", Answer(b"oh", 500), PageOutcome.FAILED, host=B)
    page("later", Answer(b"wait", 429), PageOutcome.FAILED, host=B)
    page("no http", Answer(send=lambda handler: handler.wfile.write(b"hello\r\n\r\n")), PageOutcome.FAILED)


def _hostile(page) -> None:  # type: ignore[no-untyped-def]
    page("injection shown", html(article("Noss", "gannet", f"<p>{INJECTION}</p>")), KEPT, host=C)
    for name, wrapped in (
        ("hidden", "<p hidden>{}</p>"),
        ("displayed not", "<div style='color: red; display : none'>{}</div>"),
        ("not visible", "<p style='VISIBILITY:\tHidden'>{}</p>"),
        ("seen through", "<div style='opacity: 0.0 !important; color: red'>{}</div>"),
        ("very small", "<span style='font-size:0px'>{}</span>"),
        ("under a comment", "<p style='display:/* x */ none'>{}</p>"),
        ("for no reader", "<p aria-hidden=true>{}</p>"),
        ("commented", "<!-- {} -->"),
        ("scripted", "<script>/* {} */</script>"),
    ):
        page(f"injection {name}", html(article("Noss", "puffin", wrapped.format(INJECTION))), KEPT, host=C)
    page("packed otherwise, newer", html("??", Content_Encoding="zstd"), PageOutcome.NOT_TEXT, host=C)
    controls = article("Noss\u202e", "seal\x1b[2J\x07\u200b\u2066", "<p>\U000e0049\U000e0047 as it was</p>")
    page("controls", html(controls), KEPT, host=C)
