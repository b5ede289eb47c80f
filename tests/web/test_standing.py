"""Corroboration and exclusion as a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from inference import load_embedder
from inference.embedder import Embedder
from schemas.errors import EmbedderMissing, PathMissing, UsageError
from schemas.provenance import STANDING_WEIGHTS, Standing
from web.search.provider import SearchResult

pytest.importorskip("publicsuffixlist", reason="no mnemic[web]: standings were not judged")
from web.standing.domains import registrable_domain
from web.standing.source_lists import SourceLists, source_lists
from web.standing.source_standing import landed_standing, standings

W, C, S, X = Standing.WHITELISTED, Standing.CORROBORATED, Standing.SINGLE, Standing.EXCLUDED
EPOXY = "West System 105 epoxy cures to a solid state in 10 to 15 hours at room temperature."
AGAIN = "At room temperature the 105 resin of West System is solid after 10 to 15 hours of curing."
LONGER = "At room temperature the 105 resin of West System is solid after 24 to 30 hours of curing."
NEVER = "At room temperature the 105 resin of West System is not solid after 10 to 15 hours of curing."
HARBOUR = "The harbour of Thurso was rebuilt after the storm with a longer breakwater of granite."
BRIDGE = "The old bridge over the river was closed to all traffic on Monday for repairs."
CLOSED = "The old river bridge was closed to all traffic for repairs on Monday."
OPEN = "The old river bridge was not closed to any traffic on Monday."
LISTS = SourceLists(
    {"nist.gov": W, "spam.example": X, "bad.nist.gov": X},
    {"one.com": "Group", "two.com": "Group"},
)

CASES = [
    ("another domain says it", [("a.com", EPOXY), ("b.com", AGAIN)], [C, C]),
    ("a domain's own pages do not", [("a.com", EPOXY), ("www.a.com", AGAIN)], [S, S]),
    ("nor hosts below one .co.uk name", [("x.a.co.uk", EPOXY), ("y.a.co.uk", AGAIN)], [S, S]),
    ("two names below .co.uk are two", [("a.co.uk", EPOXY), ("b.co.uk", AGAIN)], [C, C]),
    ("sites of one owner do not", [("one.com", EPOXY), ("news.two.com", AGAIN)], [S, S]),
    ("tenants of one landlord do not", [("a.github.io", EPOXY), ("b.github.io", AGAIN)], [S, S]),
    ("other numbers contradict", [("a.com", EPOXY), ("b.com", LONGER)], [S, S]),
    ("a negation contradicts", [("a.com", EPOXY), ("b.com", NEVER)], [S, S]),
    ("without numbers too", [("a.com", BRIDGE), ("b.com", CLOSED)], [C, C]),
    ("without numbers a negation counts", [("a.com", BRIDGE), ("b.com", OPEN)], [S, S]),
    ("another subject is no word on it", [("a.com", EPOXY), ("b.com", HARBOUR)], [S, S]),
    ("what is whitelisted confirms others", [("nist.gov", EPOXY), ("b.com", AGAIN)], [W, C]),
    ("and needs nobody", [("csrc.nist.gov", EPOXY)], [W]),
    ("what is excluded confirms nothing", [("spam.example", EPOXY), ("b.com", AGAIN)], [X, S]),
    ("the longer name is right", [("bad.nist.gov", EPOXY)], [X]),
    ("a name that only ends alike is another", [("notnist.gov", EPOXY)], [S]),
    ("two of three agree", [("a.com", EPOXY), ("b.com", AGAIN), ("c.com", LONGER)], [C, C, S]),
    ("an address of numbers is its own", [("192.0.2.1", EPOXY), ("192.0.2.2", AGAIN)], [C, C]),
    ("a title says nothing", [("a.com", "Epoxy curing times"), ("b.com", "Epoxy curing times")], [S, S]),
]


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    try:
        return load_embedder()
    except EmbedderMissing as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize(("name", "said", "expected"), CASES, ids=[one[0] for one in CASES])
def test_standing(
    embedder: Embedder, name: str, said: list[tuple[str, str]], expected: list[Standing]
) -> None:
    results = [SearchResult(url=f"https://{host}/p", title="t", snippet=text) for host, text in said]
    assert standings(results, LISTS, embedder) == expected


def test_the_weights_are_the_designs() -> None:
    assert [STANDING_WEIGHTS[one] for one in (W, C, S, X)] == [0.7, 0.3, 0.15, 0.0]


def test_the_owners_file_is_laid_over_the_shipped(tmp_path: Path) -> None:
    own = tmp_path / "sources.yaml"
    own.write_text("whitelisted: [boats.example]\nexcluded: [python.org]\nowners: {Me: [boats.example]}\n")
    lists = source_lists(own)
    assert [lists.listed(host) for host in ("docs.python.org", "boats.example", "www.nist.gov", "a.com")] == [
        X,
        W,
        W,
        None,
    ]
    assert lists.owner("www.boats.example") == "Me"
    assert lists.owner("m.youtube.com") == lists.owner("google.com") == "Alphabet"


@pytest.mark.parametrize("text", ["[]", "white: []", "excluded: x.com", "excluded: [https://x.com/]", "{"])
def test_a_bad_file_of_sources_is_named(tmp_path: Path, text: str) -> None:
    own = tmp_path / "sources.yaml"
    own.write_text(text)
    with pytest.raises(UsageError, match=r"sources\.yaml"):
        source_lists(own)
    with pytest.raises(PathMissing):
        source_lists(tmp_path / "none.yaml")


def test_registrable_domains_need_no_network() -> None:
    known = {
        "Docs.Example.CO.UK.": "example.co.uk",
        "a.b.github.io": "github.io",
        "[::1]": "::1",
        "münchen.de": "xn--mnchen-3ya.de",
    }
    assert {host: registrable_domain(host) for host in known} == known


@pytest.mark.parametrize(
    ("standing", "found", "read", "expected"),
    [
        (W, "nist.gov", "nist.gov", W),
        (W, "nist.gov", "csrc.nist.gov", W),
        (W, "alice.github.io", "mallory.github.io", S),
        (W, "docs.example.org", "users.example.org", S),
        (C, "boats.example", "www.boats.example", C),
        (C, "boats.example", "shop.boats.example", S),
        (S, "boats.example", "nist.gov", W),
    ],
)
def test_a_redirect_lends_the_other_host_nothing(
    standing: Standing, found: str, read: str, expected: Standing
) -> None:
    lists = SourceLists({"nist.gov": W, "alice.github.io": W, "docs.example.org": W})
    assert landed_standing(standing, f"https://{found}/a", f"https://{read}/b", lists) is expected
