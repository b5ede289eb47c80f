"""Settings: flags before the environment, the environment before the file, the file before what is built in.

Names in the file are those of the environment in small letters, such as `mnemic_vault = "/data/memory"`. What
the file says is put where the environment says nothing, so that every part of mnemic, and every process that
it starts, sees one set of settings.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from platformdirs import user_config_path

from schemas.deferred import deferred
from schemas.errors import UsageError

if TYPE_CHECKING:
    import pydantic

    from interfaces.settings import defaults, known_settings
else:
    pydantic = deferred("pydantic")
    known_settings = deferred("interfaces.settings.known_settings")
    defaults = deferred("interfaces.settings.defaults")


CONFIG = "MNEMIC_CONFIG"
HIDDEN = "(set, not shown)"


@dataclass(frozen=True, slots=True)
class Shown:
    """A setting as it is shown: a secret never is."""

    name: str
    value: str | None
    origin: str
    """`environment`, `file` or `default`; a flag of a command goes before all of them."""


def config_file() -> Path:
    """`MNEMIC_CONFIG`, else `config.toml` in this platform's place for settings."""
    named = os.environ.get(CONFIG)
    return Path(named).expanduser() if named else user_config_path("mnemic") / "config.toml"


def apply_file() -> frozenset[str]:
    """Put what the file says where the environment says nothing; returns the names that came from the file.

    Raises UsageError where the file cannot be read as settings.
    """
    path = config_file()
    if not path.is_file():
        return frozenset()
    said = read_file(path)
    taken = frozenset(name for name in said.model_fields_set if name.upper() not in os.environ)
    for name in taken:
        os.environ[name.upper()] = said.plain(name) or ""
    return taken


def read_file(path: Path) -> known_settings.FiledSettings:
    """The settings of a file. Raises UsageError for unknown names and values of the wrong kind."""
    try:
        return known_settings.FiledSettings.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _unreadable(path, str(error)) from error
    except pydantic.ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        raise _unreadable(path, wrong) from error


def _unreadable(path: Path, why: str) -> UsageError:
    return UsageError(
        "the file of settings cannot be read",
        where=str(path),
        why=why,
        remedy="`mnemic config show` lists the names, once the file is mended or moved",
    )


def shown_settings(from_file: frozenset[str]) -> list[Shown]:
    """Every setting and where it comes from. No secret is shown, nor what stands before @ in an address."""
    settings = known_settings.KnownSettings()
    shown = []
    for name in known_settings.KnownSettings.model_fields:
        value = settings.plain(name)
        origin = "file" if name in from_file else "environment"
        if value is None:
            value, origin = defaults.DEFAULTS.get(name), "default"
        else:
            value = HIDDEN if name in known_settings.SECRETS else _without_credentials(value)
        shown.append(Shown(name, value, origin))
    return shown


def _without_credentials(value: str) -> str:
    if "://" not in value:
        return value
    parts = urlsplit(value)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
