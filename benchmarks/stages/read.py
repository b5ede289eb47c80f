"""Reading an export: mnemic's reader beside bare ijson, which iterates over the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchmarks.speed.export_reading import bare, generate, reader
from benchmarks.stages import Contenders, Setting, Work

MEGABYTES = 50


def _with(read: Callable[[Path], int]) -> Callable[[Setting], Work]:
    def ready(setting: Setting) -> Work:
        path = setting.folder / "export.zip"
        if not path.exists():
            generate(path, MEGABYTES)
        return lambda: {"conversations": read(path)}

    return ready


CONTENDERS: Contenders = {"mnemic": _with(reader), "ijson, bare": _with(bare)}
