"""Settings from file, environment and flags, in processes of their own: they are read when one starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from interfaces.settings.known_settings import SECRETS
from interfaces.settings.web_settings import web_settings
from schemas.errors import UsageError

SECRET = "sk-ant-a-secret-of-mine"


def mnemic(arguments: list[str], environment: Mapping[str, str]) -> tuple[int, str, str]:
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "PYTHONPATH", "HOME")}
    done = subprocess.run(
        [sys.executable, "-c", "from interfaces.main import run; run()", *arguments],
        env={**kept, **environment},
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_every_setting_says_where_it_comes_from_and_no_secret_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(
        f'mnemic_vault = "/from/file"\nmnemic_engine = "offline"\nqdrant_api_key = "{SECRET}"\n',
        encoding="utf-8",
    )
    code, out, err = mnemic(
        ["config", "show", "--json"],
        {
            "MNEMIC_CONFIG": str(file),
            "MNEMIC_VAULT": "/from/environment",
            "ANTHROPIC_API_KEY": SECRET,
            "QDRANT_URL": f"https://me:{SECRET}@qdrant.example:6333",
        },
    )
    assert code == 0, err
    assert SECRET not in out + err
    said = {one["name"]: (one["value"], one["origin"]) for one in json.loads(out)["settings"]}
    assert said["mnemic_vault"] == ("/from/environment", "environment")
    assert said["mnemic_engine"] == ("offline", "file")
    assert said["qdrant_url"] == ("https://qdrant.example:6333", "environment")
    assert said["mnemic_kept_generations"] == ("3", "default")
    assert said["qdrant_on_disk"] == ("True", "default")
    assert said["mnemic_mcp_token"] == (None, "default")
    unset = {name for name, (value, _) in said.items() if not value} - set(SECRETS)
    assert unset == {f"mnemic_web_{name}" for name in ("provider", "searxng", "results", "sources")}
    assert {said[name][1] for name in ("anthropic_api_key", "qdrant_api_key")} == {"environment", "file"}


def test_what_the_file_says_holds_for_the_commands_and_a_flag_goes_before_it(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f'mnemic_vault = "{tmp_path / "filed"}"\n', encoding="utf-8")
    _, _, err = mnemic(["status"], {"MNEMIC_CONFIG": str(file)})
    assert str(tmp_path / "filed") in err
    _, _, err = mnemic(["status", "--vault", str(tmp_path / "flagged")], {"MNEMIC_CONFIG": str(file)})
    assert str(tmp_path / "flagged") in err


def test_a_wrong_file_is_a_misuse_that_names_what_is_wrong_and_shows_no_secret(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    for text in (f'mnemic_vualt = "{SECRET}"', "mnemic_model = 7", "not toml", "mnemic_kept_generations = 0"):
        file.write_text(text, encoding="utf-8")
        code, out, err = mnemic(["config", "show"], {"MNEMIC_CONFIG": str(file)})
        assert code == 2
        assert str(file) in err
        assert SECRET not in out + err


def test_a_key_is_taken_without_blanks_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", f" {SECRET}\r\n")
    assert web_settings().brave_key == SECRET
    for said in (f"\u201c{SECRET}\u201d", f"{SECRET}\nmore", f"{SECRET}\x7f"):
        monkeypatch.setenv("BRAVE_API_KEY", said)
        with pytest.raises(UsageError, match="BRAVE_API_KEY is no key") as refused:
            web_settings()
        assert SECRET not in str(refused.value)


@pytest.mark.parametrize(
    "said", ["http://[oops", "http://a..b", "http://host:99999", "http://ho st", "http://", "ftp://a.b"]
)
def test_an_address_that_is_none_is_named(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setenv("MNEMIC_WEB_SEARXNG", "http://[::1]:8888/path")
    assert web_settings().searxng == "http://[::1]:8888/path"
    monkeypatch.setenv("MNEMIC_WEB_SEARXNG", said)
    with pytest.raises(UsageError, match="MNEMIC_WEB_SEARXNG is no address"):
        web_settings()
