"""An httpx transport over connections that are checked, and one exchange on it within bounds."""

from __future__ import annotations

import ssl
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cache

import httpcore
import httpx

from web.fetch.addresses import Deadline, PublicBackend, Resolver
from web.fetch.outcome import FetchRefusal, PageOutcome

AGENT = "mnemic"
"""The name that robots.txt can refuse."""

HEADERS = {
    "User-Agent": f"{AGENT} (a person's own memory; fetches what its owner asks for)",
    "Accept": "text/html,application/xhtml+xml,text/plain;q=0.9,text/markdown;q=0.9",
    "Accept-Encoding": "gzip",
    "Accept-Language": "*",
}


@cache
def _certificates() -> ssl.SSLContext:
    return httpx.create_ssl_context()


class PublicTransport(httpx.BaseTransport):
    """httpx over `PublicBackend`. Nothing is kept alive: a connection is of one name, one page and its time.
    No proxy is asked: it would resolve names by itself."""

    def __init__(self, deadline: Deadline, resolve: Resolver, local_hosts: Collection[str]) -> None:
        self._pool = httpcore.ConnectionPool(
            ssl_context=_certificates(),
            max_keepalive_connections=0,
            network_backend=PublicBackend(deadline, resolve, local_hosts),
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """One exchange. Raises Refusal and httpcore's errors."""
        url = request.url
        response = self._pool.handle_request(
            httpcore.Request(
                method=request.method,
                url=httpcore.URL(
                    scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
                ),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        return httpx.Response(
            response.status, headers=response.headers, stream=_Body(response), extensions=response.extensions
        )

    def close(self) -> None:
        """Close what is open."""
        self._pool.close()


class _Body(httpx.SyncByteStream):
    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        yield from self._response.iter_stream()

    def close(self) -> None:
        self._response.close()


@contextmanager
def outcomes_of_errors() -> Iterator[None]:
    """What goes wrong on the way as a Refusal."""
    try:
        yield
    except (httpcore.TimeoutException, httpx.TimeoutException) as error:
        raise FetchRefusal(PageOutcome.TOO_SLOW, "its time is up") from error
    except (httpcore.LocalProtocolError, httpx.LocalProtocolError, UnicodeError) as error:
        # what could not be sent is not repeated: it may be a key
        raise FetchRefusal(PageOutcome.FAILED, type(error).__name__) from None
    except (
        httpcore.NetworkError,
        httpcore.ProtocolError,
        httpcore.UnsupportedProtocol,
        ssl.SSLError,
    ) as error:
        raise FetchRefusal(PageOutcome.FAILED, f"{type(error).__name__}: {error}"[:200]) from error
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        raise FetchRefusal(PageOutcome.FAILED, f"{type(error).__name__}: {error}"[:200]) from error


def body_of(response: httpx.Response, most: int) -> bytes:
    """The body, unpacked piece by piece. Raises Refusal where it is larger than `most`, or packed otherwise
    than was asked for."""
    packing = response.headers.get("content-encoding", "").strip().lower()
    if packing not in {"", "identity", "gzip", "x-gzip"}:
        raise FetchRefusal(PageOutcome.NOT_TEXT, f"it is packed as {packing[:40]}, which was not asked for")
    said = response.headers.get("content-length", "")
    if said.isascii() and said.isdigit() and int(said) > most:
        raise FetchRefusal(PageOutcome.TOO_LARGE, f"it says that it has {said} bytes, and {most} may be read")
    pieces = response.iter_raw()
    body = bytearray()
    for piece in _unpacked(pieces, most) if "gzip" in packing else pieces:
        body += piece
        if len(body) > most:
            raise FetchRefusal(PageOutcome.TOO_LARGE, f"it has more than {most} bytes")
    return bytes(body)


def _unpacked(pieces: Iterator[bytes], most: int) -> Iterator[bytes]:
    """The members of a gzip stream, one after the other, in pieces of no more than `most` + 1 bytes. Raises
    Refusal where it breaks off, is no gzip, or is longer than `most` even as it is packed."""
    member, begun, taken = zlib.decompressobj(wbits=31), False, 0
    for piece in pieces:
        taken += len(piece)
        if taken > most:
            raise FetchRefusal(PageOutcome.TOO_LARGE, f"it has more than {most} bytes, packed")
        while piece := piece if begun else piece.lstrip(b"\0"):  # zeros may stand after a member
            try:
                yield member.decompress(piece, most + 1)
            except zlib.error as error:
                raise FetchRefusal(PageOutcome.FAILED, f"it is no gzip: {error}") from error
            begun, piece = not member.eof, member.unused_data
            member = zlib.decompressobj(wbits=31) if member.eof else member
    if begun:
        raise FetchRefusal(PageOutcome.FAILED, "its gzip breaks off before its end")
