"""A page over HTTP: every hop checked, every bound kept, every ending named.

1. the address: http or https, its own port, no credentials, no excluded site
2. robots.txt of its site
3. a connection to the public address that was checked (`web.fetch.addresses`)
4. status and kind: a redirect goes through all of this again, at most so many times
5. the body, up to so many bytes
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from urllib.parse import urljoin

import httpx

from web.fetch.addresses import Deadline, Resolver, system_resolver
from web.fetch.charsets import page_charset
from web.fetch.outcome import BOUNDS, Bounds, Fetched, FetchRefusal, PageOutcome
from web.fetch.robots import MOST_BYTES, RobotsRules
from web.fetch.transport import HEADERS, PublicTransport, body_of, outcomes_of_errors
from web.standing.domains import ascii_host, within

REDIRECTING = frozenset({301, 302, 303, 307, 308})
ABSENT = frozenset({404, 410})
ASKING = frozenset({401, 402, 403, 407, 451})
"""Statuses with which a site asks for an account, a payment, or a person."""
READABLE = frozenset({"text/html", "application/xhtml+xml", "text/plain", "text/markdown"})


class Fetcher:
    """Fetches pages, one at a time. Safe to use again; it remembers robots.txt of the sites it saw.

    `local_hosts` and `resolve` are for code that serves pages itself, such as tests: hosts named there may
    have a private address and any port. No setting reaches them.
    """

    def __init__(
        self,
        bounds: Bounds = BOUNDS,
        excluded: Collection[str] = (),
        *,
        resolve: Resolver = system_resolver,
        local_hosts: Collection[str] = (),
    ) -> None:
        self.bounds = bounds
        self._excluded = frozenset(excluded)
        self._resolve, self._local = resolve, frozenset(local_hosts)
        self._robots = RobotsRules()

    def fetch(self, url: str) -> Fetched:
        """What came of the address; never an error."""
        deadline = Deadline(self.bounds.seconds)
        try:
            with outcomes_of_errors(), self._client(deadline) as client:
                return self._followed(client, url, READABLE, self.bounds.bytes, robots=True)
        except FetchRefusal as refusal:
            return Fetched(url, refusal.outcome, refusal.reason)

    def load(self, url: str, seconds: float, most: int) -> tuple[int, str, bytes]:
        """Status, content type and body of what a page loads, under the same checks; robots.txt is not asked
        for each script of a page that it let us have. Raises Refusal."""
        with outcomes_of_errors(), self._client(Deadline(seconds)) as client:
            status, headers, body, _ = self._exchanged(client, url, None, most)
            return status, headers.get("content-type", ""), body

    def checked(self, url: str) -> httpx.URL:
        """The address, if it is one that may be fetched. Raises Refusal."""
        try:
            parsed = httpx.URL(url)
        except (httpx.InvalidURL, ValueError, UnicodeError) as error:
            raise FetchRefusal(PageOutcome.FAILED, "it is no address") from error
        host = ascii_host(parsed.host)
        if parsed.scheme not in {"http", "https"} or not host:
            raise FetchRefusal(PageOutcome.FAILED, f"{parsed.scheme or 'nothing'} is no scheme of a page")
        if parsed.userinfo:
            raise FetchRefusal(PageOutcome.FAILED, "it has credentials in it")
        if parsed.port is not None and host not in self._local:
            raise FetchRefusal(PageOutcome.FAILED, f"port {parsed.port} is not where pages are served")
        if any(within(host, site) for site in self._excluded):
            raise FetchRefusal(PageOutcome.EXCLUDED, f"{host} is on the list of excluded sites")
        return parsed

    def _client(self, deadline: Deadline) -> httpx.Client:
        transport = PublicTransport(deadline, self._resolve, self._local)
        return httpx.Client(
            transport=transport, headers=HEADERS, timeout=None, follow_redirects=False, trust_env=False
        )

    def _followed(
        self, client: httpx.Client, url: str, kinds: Collection[str] | None, most: int, *, robots: bool
    ) -> Fetched:
        seen = set[str]()
        for _ in range(self.bounds.redirects + 1):
            parsed = self.checked(url)
            url = str(parsed)
            if url in seen:
                raise FetchRefusal(PageOutcome.REDIRECTS, f"it leads back to {url[:200]}")
            seen.add(url)
            if robots:
                self._robots.check(_origin(parsed), url, lambda one: self._read(client, one))
            status, headers, body, goal = self._exchanged(client, url, kinds, most)
            if goal is None:
                return _ended(url, status, headers, body)
            url = goal
        raise FetchRefusal(PageOutcome.REDIRECTS, f"more than {self.bounds.redirects}")

    def _read(self, client: httpx.Client, address: str) -> tuple[int, bytes]:
        """Status and body of a robots.txt, redirects followed."""
        for _ in range(self.bounds.redirects + 1):
            self.checked(address)
            status, _, body, goal = self._exchanged(client, address, None, MOST_BYTES)
            if goal is None:
                return status, body
            address = goal
        return 404, b""

    def _exchanged(
        self, client: httpx.Client, url: str, kinds: Collection[str] | None, most: int
    ) -> tuple[int, httpx.Headers, bytes, str | None]:
        """Status, headers, body and where it leads to, of one exchange. Another kind is not read."""
        self.checked(url)
        with client.stream("GET", url) as response:
            headers, goal = response.headers, None
            if response.status_code in REDIRECTING and "location" in headers:
                goal = urljoin(url, headers["location"])
                return response.status_code, headers, b"", goal
            if kinds is not None and response.status_code == 200 and _kind(headers) not in kinds:
                raise FetchRefusal(
                    PageOutcome.NOT_TEXT, f"it is {_kind(headers)[:80] or 'of no stated kind'}"
                )
            return response.status_code, headers, body_of(response, most), goal


def _ended(url: str, status: int, headers: httpx.Headers, body: bytes) -> Fetched:
    ended = Fetched(url, PageOutcome.KEPT, charset=_charset(headers), markup="html" in _kind(headers))
    if status in ABSENT:
        return replace(ended, outcome=PageOutcome.NOT_FOUND, reason=f"status {status}")
    if status in ASKING:
        return replace(ended, outcome=PageOutcome.BEHIND_INTERACTION, reason=f"status {status}")
    if status != 200:
        return replace(ended, outcome=PageOutcome.FAILED, reason=f"status {status}")
    return replace(ended, body=body)


def _origin(url: httpx.URL) -> str:
    return f"{url.scheme}://{url.netloc.decode('ascii')}"


def _kind(headers: httpx.Headers) -> str:
    return str(headers.get("content-type", "")).partition(";")[0].strip().lower()


def _charset(headers: httpx.Headers) -> str | None:
    """The charset of the header, if it is one that pages are written in."""
    said = httpx.Response(200, headers={"content-type": headers.get("content-type", "")}).charset_encoding
    return page_charset(said)
