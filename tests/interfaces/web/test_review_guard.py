from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from interfaces.web.page_filter import filter_of, query, wanted
from interfaces.web.views.excerpt import pieces
from interfaces.web.views.svg_plots import bars, columns
from tests.interfaces.review_server import Served, served
from vault.journal import Journal
from vault.layout import VaultLayout

RUN = "from interfaces.main import run; run()"
Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]


def ask(
    page: Served, method: str, path: str, fields: dict[str, str] | None = None, **headers: str
) -> tuple[int, str, dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", page.port)
    sent = {"Host": f"127.0.0.1:{page.port}", "Content-Type": "application/x-www-form-urlencoded"}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, urlencode(fields or {}), sent)
    answer = connection.getresponse()
    return answer.status, answer.read().decode(), {name.lower(): value for name, value in answer.getheaders()}


def test_only_the_pages_own_address_host_and_forms_are_answered(tmp_path: Path, export: Exporter) -> None:
    vault = tmp_path / "vault"
    ingested(IngestRequest(vault, (export("ada", {"a": [("user", "The fence is 12 metres long.")]}),)))
    with served(vault, "ada") as page:
        root = f"/{page.keys.address}"
        status, body, headers = ask(page, "GET", f"{root}/review")
        assert status == 200
        assert "The fence is 12 metres long." in body
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"
        assert ask(page, "GET", "/")[0] == 404
        assert ask(page, "GET", f"/{'x' * 32}/")[0] == 404
        assert ask(page, "GET", f"/é{root}/".encode("ascii", "ignore").decode())[0] == 404
        assert ask(page, "GET", f"{root}/", Host="evil.example")[0] == 421
        assert ask(page, "GET", f"{root}/static/../../../../etc/passwd")[0] == 404
        assert ask(page, "GET", f"{root}/conversation/none")[0] == 404
        form = {"kind": "keep", "total": "1", "csrf": page.keys.form}
        assert ask(page, "POST", f"{root}/act-on-all", {**form, "csrf": "guess"})[0] == 403
        assert ask(page, "POST", f"{root}/act", {"kind": "keep"})[0] == 403
        assert ask(page, "POST", f"{root}/undo", {"lot": "x"})[0] == 403
        assert ask(page, "POST", f"{root}/act-on-all", form, Origin="http://evil.example")[0] == 403
        assert ask(page, "POST", f"{root}/act-on-all", form, Sec_Fetch_Site="cross-site")[0] == 403
        assert ask(page, "POST", f"{root}/act-on-all", {**form, "q": "x" * 200_000})[0] == 403
        assert ask(page, "GET", f"{root}/act-on-all")[0] == 405
        layout = VaultLayout(vault)
        with Journal(layout.journal) as journal:
            assert journal.after(0) == []
        assert ask(page, "POST", f"{root}/act-on-all", {**form, "total": "7"})[2]["location"].startswith(
            f"{root}/bulk"
        )
        # Python reads no number of more than 4,300 digits
        far = {**form, "total": "9" * 5_000}
        assert ask(page, "POST", f"{root}/act-on-all", far)[2]["location"].startswith(f"{root}/bulk")
        assert ask(page, "GET", f"{root}/pairs?from={'9' * 5_000}")[0] == 200
        assert ask(page, "POST", f"{root}/act-on-all", form)[0] == 303
        with Journal(layout.journal) as journal:
            assert [act.kind.value for act in journal.after(0)] == ["keep"]


def test_a_browser_gets_the_token_in_a_private_file(tmp_path: Path, export: Exporter) -> None:
    vault = tmp_path / "vault"
    ingested(IngestRequest(vault, (export("ada", {"a": [("user", "The fence is 12 metres long.")]}),)))
    seen, browser = tmp_path / "seen", tmp_path / "browser"
    os.mkfifo(seen)
    browser.write_text(f'#!/bin/sh\n{{ echo "$@"; cat "${{1#file://}}"; }} > {seen}\n', encoding="utf-8")
    browser.chmod(0o700)
    server = subprocess.Popen(
        [sys.executable, "-c", RUN, "review", "--json", "--vault", str(vault)],
        stdout=subprocess.PIPE,
        env={**os.environ, "BROWSER": f"{browser} %s &"},
        cwd=Path(__file__).parents[3],
    )
    try:
        arguments, _, page = seen.read_text(encoding="utf-8").partition("\n")
        file = Path(arguments.removeprefix("file://"))
        assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
        assert server.stdout is not None
        # a program that reads the address gets it while the page is served
        said = b"".join(iter(server.stdout.readline, b"}\n")) + b"}"
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=30)
    address = json.loads(said)["address"]
    token = urlsplit(address).path.strip("/")
    assert token not in arguments
    assert f'url={address}"' in page
    assert not file.exists()


SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60), st.sampled_from(["said", "needed"])))


@given(st.text(max_size=60), SPANS, st.integers(0, 60), st.integers(0, 60))
def test_the_pieces_of_a_message_are_its_text(
    text: str, spans: list[tuple[int, int, str]], first: int, last: int
) -> None:
    last = min(last, len(text))
    assert "".join(piece.text for piece in pieces(text, sorted(spans), first, last)) == text[first:last]


def test_a_span_is_marked_where_it_stands() -> None:
    found = [(piece.text, piece.mark) for piece in pieces("The hull is dry.", [(4, 8, "said")], 0, 16)]
    assert found == [("The ", ""), ("hull", "said"), (" is dry.", "")]


@given(st.dictionaries(st.text(max_size=12), st.text(max_size=30)))
def test_any_filter_makes_sense_or_asks_for_nothing(fields: dict[str, str]) -> None:
    asked = filter_of(fields)
    wanted(asked)
    assert query(asked).isascii()


@pytest.mark.parametrize(
    ("counts", "top"), [([3, 4], "4"), ([9], "12"), ([41], "80"), ([100_000], "120,000")]
)
def test_the_scale_of_columns_holds_the_highest(counts: list[int], top: str) -> None:
    made = columns("t", "d", [f"2026-{place + 1:02}" for place in range(len(counts))], [("fact", counts)])
    assert top in [label.text for label in made.labels]
    assert all(shape.y >= 0 and shape.height >= 0 for shape in made.shapes)
    assert made.table[0] == ("when", "fact", "all")


def test_bars_have_their_counts_beside_them_and_in_a_table() -> None:
    made = bars("t", "d", [("chatgpt", 1200), ("claude", 3)])
    assert "1,200" in [label.text for label in made.labels]
    assert made.table == (("what", "how many"), ("chatgpt", "1,200"), ("claude", "3"))
