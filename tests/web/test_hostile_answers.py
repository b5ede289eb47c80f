"""What a server sends to keep whoever reads it busy, or to have a part taken for the whole."""

from __future__ import annotations

import gzip
from collections.abc import Sequence

import httpcore
import httpx
import pytest

pytest.importorskip("protego", reason="no mnemic[web]: no rules were read")
from web.fetch.addresses import Deadline, PublicBackend
from web.fetch.outcome import FetchRefusal, PageOutcome
from web.fetch.robots import RobotsRules
from web.fetch.transport import body_of

SITE = "http://a.test"
RULES = "allow:/\n" * 3000


def agents(many: int) -> list[str]:
    return [f"user-agent:{one:04x}\n" for one in range(many)]


def checked(rules: str, path: str = "/") -> None:
    RobotsRules().check(SITE, SITE + path, lambda _: (200, rules.encode()))


@pytest.mark.parametrize(
    "rules",
    [
        "".join(agents(1500)) + RULES,
        "sitemap:x\n".join(agents(1500)) + RULES,
        "".join(agents(1500)) + "allow:/\nuser-agents:x\n" + RULES,
        "".join(agents(15_000)) * 2,
    ],
    ids=["one group", "sitemaps between", "no agent between", "agents named twice"],
)
def test_rules_that_multiply_are_not_read(rules: str) -> None:
    assert len(rules) < 512 * 1024
    with pytest.raises(FetchRefusal, match="too many rules") as refused:
        checked(rules)
    assert refused.value.outcome is PageOutcome.ROBOTS


def test_long_rules_of_a_site_are_read() -> None:
    rules = "".join(agents(300)) + "disallow: /a\n" * 200
    rules += "".join(f"{one}disallow: /\n" for one in agents(3000)) + "user-agent: *\ndisallow: /private\n"
    checked(rules, "/open")
    with pytest.raises(FetchRefusal, match=r"by http://a\.test/robots\.txt"):
        checked(rules, "/private/a")


TEXT = b"<p>The harbour of Thurso was rebuilt.</p>" * 40


def packed(sent: bytes, size: int = 7) -> httpx.Response:
    pieces = (sent[place : place + size] for place in range(0, len(sent), size))
    return httpx.Response(200, headers={"content-encoding": "gzip"}, content=pieces)


def members(*texts: bytes) -> bytes:
    return b"".join(map(gzip.compress, texts))


@pytest.mark.parametrize("after", [b"", b"\0" * 20])
def test_gzip_of_several_members_is_read_whole(after: bytes) -> None:
    assert body_of(packed(members(TEXT, b"", TEXT) + after), 10_000) == TEXT + TEXT
    assert body_of(packed(b""), 10_000) == b""


@pytest.mark.parametrize(
    ("sent", "outcome"),
    [
        (members(TEXT)[:40], PageOutcome.FAILED),
        (members(TEXT, TEXT)[:-4], PageOutcome.FAILED),
        (members(TEXT) + b"and more", PageOutcome.FAILED),
        (members(TEXT, TEXT * 6), PageOutcome.TOO_LARGE),
        (members(b"") * 600, PageOutcome.TOO_LARGE),
    ],
    ids=["cut", "second cut", "no gzip after", "second large", "nothing, often"],
)
def test_gzip_that_is_cut_or_without_end_is_no_page(sent: bytes, outcome: PageOutcome) -> None:
    with pytest.raises(FetchRefusal) as refused:
        body_of(packed(sent), 10_000)
    assert refused.value.outcome is outcome


def test_a_silent_address_leaves_time_for_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    def connect(self: object, host: str, port: int, timeout: float, *_: Sequence[object]) -> None:
        waits.append(timeout)  # stands in for the socket: no test may reach a public address
        raise httpcore.ConnectTimeout

    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", connect)
    found = ["93.184.215.14", "93.184.215.15", "93.184.215.16"]
    with pytest.raises(httpcore.ConnectTimeout):
        PublicBackend(Deadline(60.0), lambda host, port: found).connect_tcp("three.test", 80)
    assert waits == [pytest.approx(60 / many, rel=0.1) for many in (3, 2, 1)]
