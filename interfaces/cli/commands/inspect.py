"""`mnemic inspect`."""

from __future__ import annotations

from datetime import tzinfo
from pathlib import Path

import click

from archives import COUNTED, Limits, inspect_archive
from interfaces.cli.limits_options import limits_options
from interfaces.cli.options import ZONE, json_option
from interfaces.cli.terminal import counted, print_json, print_table
from schemas.errors import PathMissing


@click.command("inspect")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--format", "format_id", default=None, help="Force a reader instead of detecting the format.")
@click.option("--owner", default=None, help="Your name in chats between people.")
@click.option("--timezone", "zone", type=ZONE, default=None, help="Zone of times without one. [default: UTC]")
@limits_options
@json_option
def command(
    path: Path, format_id: str | None, owner: str | None, zone: tzinfo | None, limits: Limits, as_json: bool
) -> None:
    """Say what PATH is and what importing it would bring, without importing it.

    \b
    Examples:
      mnemic inspect export.zip
      mnemic inspect chat.txt --owner "Ada" --timezone Europe/Berlin --json
      mnemic inspect logs.zip --max-ratio 900 --max-nesting 2
    """
    if not path.exists():
        raise PathMissing("no such file or folder", where=str(path), remedy="Check the path")
    found = inspect_archive(path, format_id=format_id, owner=owner, zone=zone, limits=limits)
    if as_json:
        told = found.model_dump(mode="json")
        print_json({name: told[name] for name in COUNTED})
        return
    shown = found.model_dump(mode="json", exclude={"titles", "skipped", "unknown", "unread", "errors"})
    shown = {name: shown[name] for name in ("format", "account", "conversations", "messages")} | shown
    shown["skipped"] = counted(found.skipped)
    shown["unknown"] = counted(found.unknown)
    shown["titles"] = "; ".join(found.titles[:5]) + (
        f" and {len(found.titles) - 5} more" if len(found.titles) > 5 else ""
    )
    print_table(str(path), ("", ""), list(shown.items()))
    if found.unread:
        unread = [(one.reason, one.count, one.where, one.sample) for one in found.unread]
        print_table("Text under keys that are not read", ("path", "count", "first", "such as"), unread)
    if found.errors:
        rows = [(one.kind.value, one.reason, one.count, one.where, one.remedy) for one in found.errors]
        print_table("Not readable, or missing", ("kind", "reason", "count", "first", "remedy"), rows)
