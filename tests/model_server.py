"""A local server that speaks Messages and Message Batches, Ollama's chat and chat completions.

It is scripted by the test: real HTTP, no patching.

What it does is told by a script: a function from a request's body to what happens to it. Faults that are to
hit whatever comes next go into `faults`. What it was sent is in `received`.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Body = dict[str, Any]

ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}


@dataclass(frozen=True)
class Scripted:
    """What happens to one request."""

    text: str = ""
    """The text of the answer."""
    stop_reason: str = "end_turn"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    """How long the answer takes."""
    raw: bytes | None = None
    """The whole response, in place of a message."""
    expired: bool = False
    """In a batch: the request was not processed in time."""
    hang_up: bool = False
    """The work is done, and the connection closed without an answer."""
    half: bool = False
    """The connection breaks in the middle of the answer."""
    trickle: float = 0.0
    """Seconds between two bytes of the answer."""
    prompt_tokens: int | None = None
    """What the server says it read of the prompt, where that is not what was sent."""
    said: str = "scripted"
    """What is wrong, in the server's words."""


Script = Callable[[Body], Scripted | Mapping[str, object] | str]


MESSAGES, OLLAMA, COMPLETIONS = "/v1/messages", "/api/chat", "/v1/chat/completions"
ASKED = (MESSAGES, OLLAMA, COMPLETIONS)


def user_text(body: Body) -> str:
    """The text that a request is about."""
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else "".join(block["text"] for block in content)


_PART = re.compile(r"^=== (?P<mark>[a-z]{8})\n(?P<text>.*?)\n=== end of (?P=mark)$", re.DOTALL | re.MULTILINE)


def parts_of(body: Body) -> list[tuple[str, Body]]:
    """The questions of a request with several, each with its mark; none where it is one question."""
    *before, last = body["messages"]
    return [
        (part["mark"], {**body, "messages": [*before, {**last, "content": part["text"]}]})
        for part in _PART.finditer(user_text(body))
    ]


class ModelServer:
    """Use it as a context manager; `url` is what a client gets for its base URL."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.together: Callable[[list[Body]], list[Body] | Scripted] = lambda answers: answers
        """What becomes of the answers, each with its mark, to a request with several questions."""
        self.faults: deque[Scripted] = deque()
        self.received: list[Body] = []
        self.headers: list[Mapping[str, str]] = []
        self.paths: list[str] = []
        self.polls_until_end = 1
        """How often a batch is looked at before it has ended."""
        self.held: set[str] = set()
        """Ids of batches that do not end."""
        self.batches: dict[str, Body] = {}
        self.results: dict[str, list[Body]] = {}
        self.most_at_once = 0
        self._at_once = 0
        self._cached: set[str] = set()
        self._lock = threading.Lock()
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        server.daemon_threads = True
        self._server = server
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        self._thread = threading.Thread(
            target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def messages_sent(self) -> int:
        """Requests to a model, failed ones included."""
        return sum(path in ASKED for path in self.paths)

    @property
    def batches_made(self) -> int:
        """Batches that were submitted, whether or not the answer came through."""
        return len(self.batches)

    def add_foreign_batch(self, size: int) -> str:
        """A batch that somebody else submitted with the same key."""
        return str(self._make_batch([{"custom_id": f"other-{n}", "params": None} for n in range(size)])["id"])

    # what the handler calls

    def take(self, path: str, body: Body | None, headers: Mapping[str, str]) -> None:
        with self._lock:
            self.paths.append(path)
            self.headers.append(headers)
            if body is not None and path in ASKED:
                self.received.append(body)

    def begin(self) -> None:
        with self._lock:
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)

    def end(self) -> None:
        with self._lock:
            self._at_once -= 1

    def fault(self) -> Scripted | None:
        with self._lock:
            return self.faults.popleft() if self.faults else None

    @property
    def asked(self) -> list[Body]:
        """What was asked, one by one, also where several questions came in one request."""
        return [one for body in self.received for _, one in parts_of(body) or [("", body)]]

    def scripted(self, body: Body) -> Scripted:
        """What the script makes of a request; of one with several questions, of each by itself."""
        parts = [(mark, self._one(part)) for mark, part in parts_of(body)]
        if not parts:
            return self._one(body)
        odd = [done for _, done in parts if replace(done, text="") != Scripted()]
        if odd:
            return odd[0]
        try:
            answers = [{"part": mark, **json.loads(done.text)} for mark, done in parts]
        except (TypeError, ValueError):
            return parts[0][1]
        made = self.together(answers)
        return made if isinstance(made, Scripted) else Scripted(json.dumps({"answers": made}))

    def _one(self, body: Body) -> Scripted:
        made = self.script(body)
        if isinstance(made, Scripted):
            return made
        return Scripted(made if isinstance(made, str) else json.dumps(made))

    def message(self, body: Body, done: Scripted) -> Body:
        system = "".join(block["text"] for block in body.get("system", []))
        marked = any("cache_control" in block for block in body.get("system", []))
        with self._lock:
            known = system in self._cached
            if marked:
                self._cached.add(system)
        prompt = len(system) // 3
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": [{"type": "text", "text": done.text}] if done.text else [],
            "stop_reason": done.stop_reason,
            "stop_sequence": None,
            "usage": {
                "input_tokens": len(user_text(body)) // 3 + (0 if marked else prompt),
                "output_tokens": len(done.text) // 3,
                "cache_creation_input_tokens": prompt if marked and not known else 0,
                "cache_read_input_tokens": prompt if marked and known else 0,
            },
        }

    def chat(self, path: str, body: Body, done: Scripted) -> Body:
        """A response of Ollama, or of chat completions."""
        read = sum(len(one["content"]) for one in body["messages"]) // 4
        read = read if done.prompt_tokens is None else done.prompt_tokens
        wrote = len(done.text) // 3
        message = {"role": "assistant", "content": done.text}
        reason = {"end_turn": "stop", "max_tokens": "length", "refusal": "content_filter"}.get(
            done.stop_reason, done.stop_reason
        )
        if path == OLLAMA:
            reason = "stop" if reason == "content_filter" else reason
            return {
                "model": body["model"], "message": message, "done": reason != "", "done_reason": reason,
                "prompt_eval_count": read, "eval_count": wrote,
                "prompt_eval_duration": read * 2_000_000, "eval_duration": wrote * 20_000_000,
            }  # fmt: skip
        return {
            "id": "chatcmpl-1", "object": "chat.completion", "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": reason or None}],
            "usage": {"prompt_tokens": read, "completion_tokens": wrote, "total_tokens": read + wrote},
        }  # fmt: skip

    def create_batch(self, body: Body) -> Body:
        with self._lock:
            self.received.extend(one["params"] for one in body["requests"])
        return self._make_batch(body["requests"])

    def _make_batch(self, requests: list[Body]) -> Body:
        now = datetime.now(UTC)
        with self._lock:
            batch_id = f"msgbatch_{len(self.batches) + 1}"
            self.batches[batch_id] = {
                "id": batch_id,
                "type": "message_batch",
                "processing_status": "in_progress",
                "request_counts": {
                    "processing": len(requests), "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0
                },
                "created_at": now.isoformat(),
                "expires_at": (now + timedelta(days=1)).isoformat(),
                "ended_at": None,
                "results_url": None,
                "polls": 0,
            }  # fmt: skip
        self.results[batch_id] = [
            {"custom_id": one["custom_id"], "result": self._result(one["params"])} for one in requests
        ]
        return self.shown(batch_id)

    def _result(self, params: Body | None) -> Body:
        if params is None:
            return {"type": "canceled"}
        done = self.scripted(params)
        if done.expired:
            return {"type": "expired"}
        if done.status != 200:
            error = {"type": ERROR_TYPES.get(done.status, "api_error"), "message": "scripted"}
            return {"type": "errored", "error": {"type": "error", "error": error, "request_id": None}}
        return {"type": "succeeded", "message": self.message(params, done)}

    def look(self, batch_id: str) -> Body:
        batch = self.batches[batch_id]
        batch["polls"] += 1
        due = batch["polls"] >= self.polls_until_end and batch_id not in self.held
        if due and batch["results_url"] is None:
            results = self.results[batch_id]
            kinds = [one["result"]["type"] for one in results]
            batch["processing_status"] = "ended"
            batch["ended_at"] = datetime.now(UTC).isoformat()
            batch["results_url"] = f"{self.url}/v1/messages/batches/{batch_id}/results"
            batch["request_counts"] = {
                "processing": 0,
                **{kind: kinds.count(kind) for kind in ("succeeded", "errored", "canceled", "expired")},
            }
        return self.shown(batch_id)

    def shown(self, batch_id: str) -> Body:
        return {name: value for name, value in self.batches[batch_id].items() if name != "polls"}

    def listed(self) -> Body:
        shown = [self.shown(batch_id) for batch_id in reversed(self.batches)]
        return {"data": shown, "has_more": False, "first_id": None, "last_id": None}


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            path = self.path.split("?")[0]
            server.take(path, body, dict(self.headers))
            server.begin()
            try:
                self._post(path, body)
            finally:
                server.end()

        def _post(self, path: str, body: Body) -> None:
            fault = server.fault()
            if path == "/v1/messages/batches":
                made = server.create_batch(body) if fault is None or fault.hang_up else {}
                self._send(fault or Scripted(), made)
            else:
                done = fault or server.scripted(body)
                made = server.message(body, done) if path == MESSAGES else server.chat(path, body, done)
                self._send(done, made, path)

        def do_GET(self) -> None:
            path = self.path.split("?")[0]
            server.take(path, None, dict(self.headers))
            fault = server.fault()
            parts = path.removeprefix("/v1/messages/batches").strip("/").split("/")
            if fault is not None:
                self._send(fault, {})
            elif parts == [""]:
                self._send(Scripted(), server.listed())
            elif parts[0] not in server.batches:
                self._send(Scripted(status=404), {})
            elif len(parts) == 1:
                self._send(Scripted(), server.look(parts[0]))
            else:
                lines = "".join(json.dumps(one) + "\n" for one in server.results[parts[0]])
                self._send(Scripted(raw=lines.encode()), {})

        def _begin(self, done: Scripted, length: int) -> None:
            self.send_response(done.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(length))
            for name, value in done.headers.items():
                self.send_header(name, value)
            self.end_headers()

        def _send(self, done: Scripted, payload: Body, path: str = MESSAGES) -> None:
            time.sleep(done.seconds)
            if done.hang_up:
                self.close_connection = True
                return
            if done.status != 200:
                kind = ERROR_TYPES.get(done.status, "api_error")
                error = {"type": kind, "message": done.said}
                payload = {"error": done.said} if path == OLLAMA else {"type": "error", "error": error}
            content = json.dumps(payload).encode() if done.raw is None else done.raw
            self._begin(done, len(content))
            try:
                if done.half:
                    self.wfile.write(content[: len(content) // 2])
                    self.close_connection = True
                    return
                if done.trickle:
                    for byte in content:
                        self.wfile.write(bytes([byte]))
                        self.wfile.flush()
                        time.sleep(done.trickle)
                    return
                self.wfile.write(content)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

    return Handler
