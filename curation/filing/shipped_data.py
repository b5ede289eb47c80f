"""Files of filing that come with mnemic: in `data/` of the repository, in the package once installed."""

from __future__ import annotations

from pathlib import Path

from schemas.errors import DefectError

_FOLDERS = (Path(__file__).parent / "taxonomy_data", Path(__file__).parents[2] / "data")


def shipped_file(name: str) -> Path:
    """Where the file is. Raises DefectError where the installation lacks it."""
    for folder in _FOLDERS:
        if (folder / name).exists():
            return folder / name
    raise DefectError(f"the file {name} is missing", where=str(_FOLDERS[0]), remedy="Install mnemic again")


def shipped_text(name: str) -> str:
    """The file's text. Raises DefectError where the installation lacks it."""
    return shipped_file(name).read_text(encoding="utf-8")
