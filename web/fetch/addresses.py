"""Connections to public addresses alone: the address that was checked is the one that is connected to.

Checking a name and then letting a library resolve it again would leave a gap in which its answer changes
(DNS rebinding). So names are resolved here, every address of the answer is checked, and the socket is opened
to one of those very addresses. Certificates and the Host header stay those of the name.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Collection, Iterable
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, TypeAlias

import httpcore

from web.fetch.outcome import FetchRefusal, PageOutcome
from web.standing.domains import ascii_host

Resolver: TypeAlias = Callable[[str, int], Collection[str]]
"""(host, port) to its addresses. Raises OSError where there is no such host."""


def system_resolver(host: str, port: int) -> list[str]:
    """The addresses that this machine's resolver gives."""
    return [str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def is_public(address: str) -> bool:
    """Whether an address is reachable from anywhere: not private, loopback, link-local, shared, reserved or
    multicast; nor an IPv6 form that carries such an IPv4 address."""
    try:
        plain = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(plain, ipaddress.IPv6Address):
        inner = plain.ipv4_mapped or plain.sixtofour or _nat64(plain) or (plain.teredo and plain.teredo[1])
        if inner:
            return is_public(str(inner))
        if plain.is_site_local:
            return False
    if any(plain in net for net in _NOT_PUBLIC if net.version == plain.version):
        return False
    return plain.is_global and not plain.is_multicast and not plain.is_reserved


_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_NOT_PUBLIC = tuple(
    map(ipaddress.ip_network, ("3fff::/20", "192.88.99.0/24", "192.0.0.0/24", "168.63.129.16/32"))
)
"""For documentation (RFC 9637), relays of 6to4 (RFC 7526), protocols (RFC 6890), and what serves machines of
Azure their settings: the standard library takes them, or some of them, for global."""


def _nat64(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if address in _NAT64 else None


class Deadline:
    """The moment after which nothing is waited for."""

    def __init__(self, seconds: float) -> None:
        self._until = monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds that are left. Raises Refusal where none are."""
        left = self._until - monotonic()
        if left <= 0:
            raise FetchRefusal(PageOutcome.TOO_SLOW, "its time is up")
        return left


class PublicBackend(httpcore.NetworkBackend):
    """Opens connections to public addresses, and lets nothing on them last beyond the deadline.

    `local_hosts`: names that may be private nevertheless, given by code alone: the hosts of tests.
    """

    def __init__(self, deadline: Deadline, resolve: Resolver, local_hosts: Collection[str] = ()) -> None:
        self._deadline, self._resolve, self._local = deadline, resolve, frozenset(local_hosts)
        self._sockets = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Resolve, check every address, connect to one of them. An address that does not answer leaves the
        others their part of the time. Raises Refusal."""
        last: Exception | None = None
        found = self._checked(host, port)
        for place, address in enumerate(found):
            wait = self._deadline.left / (len(found) - place)
            wait = min(wait, timeout or wait)
            try:
                stream = self._sockets.connect_tcp(address, port, wait, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                last = error
                continue
            return BoundedStream(stream, self._deadline)
        raise last or httpcore.ConnectError(f"{host} has no address")

    def _checked(self, host: str, port: int) -> list[str]:
        name = ascii_host(host)
        try:
            found = list(dict.fromkeys(_within(self._deadline, lambda: self._resolve(name, port))))
        except (OSError, UnicodeError) as error:
            raise FetchRefusal(PageOutcome.NOT_FOUND, f"there is no host {name}") from error
        if name not in self._local and not all(map(is_public, found)):
            raise FetchRefusal(PageOutcome.PRIVATE, f"{name} is at {', '.join(found)}")
        return found


def _within(deadline: Deadline, ask: Callable[[], Collection[str]]) -> Collection[str]:
    """What the resolver says, if it says it in time: the system's own waits as long as it likes."""
    answers: SimpleQueue[Collection[str] | OSError | UnicodeError] = SimpleQueue()

    def resolve() -> None:
        try:
            answers.put(ask())
        except (OSError, UnicodeError) as error:  # the second: a label of the name is empty or too long
            answers.put(error)

    Thread(target=resolve, daemon=True).start()
    try:
        answer = answers.get(timeout=deadline.left)
    except Empty as error:
        raise FetchRefusal(PageOutcome.TOO_SLOW, "no answer on where the host is") from error
    if isinstance(answer, OSError | UnicodeError):
        raise answer
    return answer


class BoundedStream(httpcore.NetworkStream):
    """A stream on which no read, write or handshake lasts beyond the deadline, however it trickles."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream, self._deadline = stream, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """See httpcore."""
        return self._stream.read(max_bytes, self._wait(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """See httpcore."""
        self._stream.write(buffer, self._wait(timeout))

    def close(self) -> None:
        """See httpcore."""
        self._stream.close()

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        """See httpcore."""
        safe = self._stream.start_tls(ssl_context, server_hostname, self._wait(timeout))
        return BoundedStream(safe, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        """See httpcore."""
        return self._stream.get_extra_info(info)

    def _wait(self, timeout: float | None) -> float:
        left = self._deadline.left
        return left if timeout is None else min(left, timeout)
