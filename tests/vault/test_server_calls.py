"""What the server engine sends over TLS, to a small server of our own: this is not a Qdrant server."""

from __future__ import annotations

import json
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest
from qdrant_client import QdrantClient

from schemas.errors import ServiceRefused
from vault.server import ServerIndex, ServerOptions

KEY = "a-key-of-mine"
ANSWERS = {"exists": {"exists": True}, "count": {"count": 3}}


class Answering(BaseHTTPRequestHandler):
    """Answers two calls, and those with the right key alone; remembers them all."""

    received: ClassVar[list[tuple[str, str | None, dict[str, object]]]] = []

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        key = self.headers.get("api-key")
        self.received.append((self.path, key, json.loads(body or b"{}")))
        result = ANSWERS.get(self.path.split("?")[0].rsplit("/", 1)[-1])
        said = json.dumps({"result": result, "status": "ok", "time": 0.0}).encode()
        self.send_response(200 if key == KEY else 401)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    do_GET = do_POST = _answer  # noqa: N815  # the names are the library's

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[tuple[str, ssl.SSLContext]]:
    """A server's address, and what makes a client trust it."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a certificate with")
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
    ]
    command += ["-keyout", str(key), "-out", str(certificate), "-days", "2", "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(command, check=True, capture_output=True)
    server = ThreadingHTTPServer(("localhost", 0), Answering)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"https://localhost:{server.server_port}", ssl.create_default_context(cafile=str(certificate))
    server.shutdown()
    server.server_close()


def opened(address: tuple[str, ssl.SSLContext], key: str) -> ServerIndex:
    url, trusted = address
    client = QdrantClient(url=url, api_key=key, check_compatibility=False, verify=trusted)
    return ServerIndex.create(client, ServerOptions(collection="mine"), 7, 8)


def test_calls_go_over_tls_with_the_key_and_ask_for_the_generation(
    address: tuple[str, ssl.SSLContext],
) -> None:
    Answering.received.clear()
    index = opened(address, KEY)
    assert index.count() == 3
    index.close()
    (asked, counted) = Answering.received
    assert asked[:2] == ("/collections/mine/exists", KEY)
    assert counted[:2] == ("/collections/mine/points/count", KEY)
    bounds = {one["key"]: one["range"] for one in counted[2]["filter"]["must"]}  # type: ignore[index]
    assert (bounds["appears"]["lte"], bounds["leaves"]["gt"]) == (7, 7)


def test_a_wrong_key_is_refused_with_a_remedy(address: tuple[str, ssl.SSLContext]) -> None:
    with pytest.raises(ServiceRefused, match="QDRANT_API_KEY"):
        opened(address, "another")
