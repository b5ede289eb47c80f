"""One GET that answers with JSON, within bounds, and the errors of the providers that need it."""

from __future__ import annotations

import json
from collections.abc import Mapping

import httpx

from schemas.errors import ServiceRefused, ServiceUnavailable
from web.fetch.addresses import Deadline, system_resolver
from web.fetch.outcome import FetchRefusal
from web.fetch.transport import PublicTransport, body_of, outcomes_of_errors
from web.standing.domains import ascii_host

SECONDS = 10.0
"""For one answer with everything that leads to it."""
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
    try:
        host = ascii_host(httpx.URL(url).raw_host.decode("ascii"))
    except (httpx.InvalidURL, ValueError) as error:
        raise ServiceRefused(f"the address of {provider} is none", remedy=remedy) from error
    where = f"{provider} at {host}"
    asked = {**headers, "Accept-Encoding": "gzip"}
    # whoever set the address may mean this machine or one beside it
    transport = PublicTransport(Deadline(SECONDS), system_resolver, [host])
    try:
        with (
            outcomes_of_errors(),
            httpx.Client(
                transport=transport, timeout=None, follow_redirects=False, trust_env=False
            ) as client,
            client.stream("GET", url, params=dict(parameters), headers=asked) as response,
        ):
            if response.status_code != 200:
                refused = response.status_code in REFUSING
                kind = ServiceRefused if refused else ServiceUnavailable
                raise kind(
                    f"the search failed with status {response.status_code}", where=where, remedy=remedy
                )
            body = body_of(response, MOST_BYTES)
    except FetchRefusal as refusal:
        why = refusal.reason
        raise ServiceUnavailable("the search failed", where=where, why=why, remedy=remedy) from refusal
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ServiceUnavailable("the answer is no JSON", where=where, remedy=remedy) from error
