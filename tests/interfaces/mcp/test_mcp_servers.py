"""The MCP server over stdio and HTTP, each a process of its own."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import anyio
import httpx2
import pytest
from boat_memory import BOAT, boat_vault, many, text_of
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from interfaces.main import main

MNEMIC = [sys.executable, "-c", "from interfaces.main import run; run()"]


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return boat_vault(tmp_path_factory.mktemp("mcp"))


def test_over_stdio(vault: Path, tmp_path: Path) -> None:
    async def talk() -> None:
        started = StdioServerParameters(
            command=MNEMIC[0],
            args=[*MNEMIC[1:], "mcp", "--vault", str(vault), "--account", BOAT],
            cwd=Path(__file__).parents[3],
        )
        async with Client(stdio_client(started, errlog=errors)) as client:
            await many(client, 8)
            text_of(await client.call_tool("get", {"ids": ["00000000"]}))  # opens the ledger

    said = tmp_path / "errors"
    with said.open("w", encoding="utf-8") as errors:
        anyio.run(talk)
    assert "leaked" not in said.read_text(encoding="utf-8")


def test_over_http_with_the_token_and_not_without(vault: Path) -> None:
    # port 0: a port that is looked for here and named there may be another test's by then
    started = [*MNEMIC, "mcp", "--http", "--port", "0", "--token", "open sesame", "--json"]
    server = subprocess.Popen(
        [*started, "--vault", str(vault), "--account", BOAT],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    )

    async def talk(url: str) -> None:
        headers = {"Authorization": "Bearer open sesame"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=30) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            await many(client, 8)

    try:
        # the address is told when the port is held: who connects from then on waits, and is answered
        url = json.loads(announced(server))["url"]
        assert not url.endswith(":0/mcp")
        assert httpx2.post(url, json={}, timeout=60).status_code == 401
        assert httpx2.post(url, json={}, headers={"Authorization": "Bearer sesame"}).status_code == 401
        anyio.run(talk, url)
    finally:
        server.terminate()
        server.communicate(timeout=30)


def test_a_port_that_is_taken_is_told_and_no_token_with_it(
    vault: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        named = ["--port", port, "--token", "open sesame", "--vault", str(vault), "--account", BOAT]
        assert main(["mcp", "--http", *named]) == 1
    said = capfd.readouterr()
    assert f"port {port} cannot be listened on" in said.err
    assert "--port" in said.err
    assert "sesame" not in said.out + said.err


def announced(server: subprocess.Popen[str]) -> str:
    """The JSON object that a server says first, its lines up to the closing brace."""
    assert server.stdout is not None
    lines: list[str] = []
    for line in server.stdout:
        lines.append(line)
        if line == "}\n":
            return "".join(lines)
    pytest.fail(f"the server ended and said {''.join(lines)!r}")


def test_a_memory_is_not_served_to_a_network(vault: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--http", "--host", "0.0.0.0", "--vault", str(vault), "--account", BOAT]) == 2
    assert "this machine alone" in capfd.readouterr().err
