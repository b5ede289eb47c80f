"""One GET that answers with JSON, within bounds, and the errors of the providers that need it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from time import monotonic

import httpx

from schemas.errors import ServiceRefused, ServiceUnavailable

SECONDS = 10.0
MOST_BYTES = 4_000_000
"""Of one answer: ten results take some 20 kB."""

REFUSING = frozenset({400, 401, 402, 403, 404, 405, 406, 422})
"""Statuses after which no further request of this kind can succeed."""


def json_of(
    url: str, parameters: Mapping[str, str], headers: Mapping[str, str], provider: str, remedy: str
) -> object:
    """The answer's JSON. No redirect is followed: a key goes to the address that was set, and nowhere else.

    Raises ServiceRefused, ServiceUnavailable.
    """
    where = f"{provider} at {httpx.URL(url).host}"
    try:
        with (
            httpx.Client(timeout=SECONDS, follow_redirects=False, trust_env=False) as client,
            client.stream("GET", url, params=dict(parameters), headers=dict(headers)) as response,
        ):
            if response.status_code != 200:
                refused = response.status_code in REFUSING
                kind = ServiceRefused if refused else ServiceUnavailable
                raise kind(
                    f"the search failed with status {response.status_code}", where=where, remedy=remedy
                )
            body = _bounded(response, where)
    except httpx.HTTPError as error:
        why = f"{type(error).__name__}: {error}"
        raise ServiceUnavailable("the search failed", where=where, why=why, remedy=remedy) from error
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ServiceUnavailable("the answer is no JSON", where=where, remedy=remedy) from error


def _bounded(response: httpx.Response, where: str) -> bytes:
    until, body = monotonic() + SECONDS, bytearray()
    for piece in response.iter_bytes():
        body += piece
        if len(body) > MOST_BYTES:
            raise ServiceUnavailable(f"the answer is longer than {MOST_BYTES} bytes", where=where)
        if monotonic() > until:
            raise ServiceUnavailable(f"the answer takes longer than {SECONDS:.0f} seconds", where=where)
    return bytes(body)
