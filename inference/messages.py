"""The service's Messages, one request a question, several at once: for ad-hoc work."""

from __future__ import annotations

from dataclasses import replace

import anthropic

from inference.budget import Budget
from inference.calls import NOT_ACCEPTED, Call
from inference.headers import retry_after
from inference.pacing import Pace, PacedSender, Tried
from inference.service import RETRIED, extras, is_fatal, read_answer, refused, wire


def messages_sender(client: anthropic.Anthropic, budget: Budget, pace: Pace) -> PacedSender:
    """A sender of calls as Messages."""

    def try_once(call: Call) -> Tried:
        return replace(tried(call), temperature="0" if call.extra_body else NOT_ACCEPTED)

    def tried(call: Call) -> Tried:
        try:
            response = client.messages.with_raw_response.create(
                **wire(call, hour_cache=PacedSender.hour_cache), **extras(call)
            )
        except anthropic.APIStatusError as error:
            if is_fatal(error):
                raise refused(error) from error
            problem = f"no answer: status {error.status_code}"
            again = error.status_code >= 500 or error.status_code in RETRIED
            return Tried(None, problem, again, wait=retry_after(error.response.headers))
        except anthropic.APITimeoutError:
            return Tried(None, "no answer: timed out", again=True)
        except anthropic.APIConnectionError:
            return Tried(None, "no answer: not reached", again=True)
        answer = read_answer(response.http_response.text)
        return Tried(
            answer,
            "" if answer else "no answer: not a message",
            # an answer may say that the allowance is used up: then hold back until it is renewed
            crowded=response.headers.get("anthropic-ratelimit-requests-remaining") == "0",
            wait=retry_after(response.headers),
        )

    return PacedSender("messages", try_once, budget, pace, client.close)
