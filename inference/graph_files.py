"""The encoder's graphs as files in the cache folder."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from safetensors.numpy import load_file

from inference.minilm_graph import WORDS, build_graph, build_hidden_graph
from inference.minilm_query_graph import build_query_graph
from inference.weights import GRAPH_FILE, QUERY_FILE, WEIGHTS_FILE
from schemas.errors import MachineError

_LEAST_OUTSIDE = 1024
"""Bytes of a constant from which on it lies in WEIGHTS_FILE."""


def write_graphs(weights_file: Path, folder: Path) -> None:
    """Build the graph and the one for questions, and save them as `folder`, whole or not at all: temporary
    name, fsync, rename.

    The constants lie in a file of their own beside the nodes: onnxruntime maps it into memory instead of
    parsing 90 MB, which makes the first answer of a process a tenth of a second faster. The graph for
    questions takes the table of words from the same file.
    """
    weights = load_file(str(weights_file))
    model = build_graph(weights)
    with _kept_at(folder.parent):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".minilm-") as scratch:
            made = Path(scratch) / folder.name
            made.mkdir()
            onnx.save_model(
                model,
                str(made / GRAPH_FILE),
                save_as_external_data=True,
                location=WEIGHTS_FILE,
                size_threshold=_LEAST_OUTSIDE,
            )
            (words,) = (one for one in model.graph.initializer if tuple(one.dims) == weights[WORDS].shape)
            onnx.save_model(build_query_graph(weights, words), str(made / QUERY_FILE))
            # onnx gives it to its owner alone
            shutil.copymode(made / GRAPH_FILE, made / WEIGHTS_FILE)
            for name in (GRAPH_FILE, WEIGHTS_FILE, QUERY_FILE):
                with (made / name).open("rb") as stream:
                    os.fsync(stream.fileno())
            put_in_place(made, folder)
    # the same graph as versions before this one kept it: 90 MB
    folder.with_name(f"{folder.name}.onnx").unlink(missing_ok=True)


def write_hidden_graph(
    weights_file: Path, changed: Mapping[str, NDArray[np.float32]], layers: int, graph: Path
) -> None:
    """Build the graph of an encoder some of whose layers were `changed`, and save it, whole or not at all.

    It takes the table of words from the embedder's file, which lies in the same folder.
    """
    weights = load_file(str(weights_file))
    stored = onnx.load(str(graph.parent / GRAPH_FILE), load_external_data=False)
    (words,) = (one for one in stored.graph.initializer if tuple(one.dims) == weights[WORDS].shape)
    model = build_hidden_graph({**weights, **changed}, words, layers)
    temporary = graph.with_name(f".{graph.name}.{os.getpid()}")
    try:
        with _kept_at(graph.parent), temporary.open("wb") as file:
            file.write(model.SerializeToString())
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(graph)
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def _kept_at(folder: Path) -> Iterator[None]:
    """Raises MachineError with its remedy where nothing can be kept there. That a disk is full stays an
    OSError: whoever asked for the graph says what was lost."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise MachineError(
            "what is derived from the weights cannot be kept",
            where=str(folder),
            why=error.strerror or type(error).__name__,
            remedy="Name a folder that may be written in MNEMIC_CACHE",
        ) from error


def put_in_place(made: Path, folder: Path) -> None:
    """Rename `made` to `folder`; what stands there is moved beside `made`.

    Several processes may do so at once with folders that hold the same: whoever comes last gives way.
    Raises OSError for anything else that forbids the renaming.
    """
    with contextlib.suppress(FileNotFoundError):  # nothing stood there, or another process moved it just now
        folder.rename(made.with_name("replaced"))
    try:
        made.rename(folder)
    except OSError as error:
        if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
            raise
