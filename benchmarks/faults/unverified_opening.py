"""A vault opened without a look at it first, in a process that may loop, crash or fill its memory."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterator
from hashlib import sha256
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from pathlib import Path

from inference import load_embedder
from schemas.errors import MnemicError
from schemas.generation import EmbedderBinding
from vault.generations import building
from vault.index import Vector, Where
from vault.layout import VaultLayout
from vault.lock import writer_lock
from vault.reader import open_vault

PATIENCE = 60.0
"""Seconds. A sound vault of the drills answers in a fraction of one."""
MEMORY = 3 * 2**30
"""Bytes; it takes a tenth of that."""
REFUSED = "refused: "
WRITER_READY = "the next generation can be built"


def opened_unseen(vault: Path) -> tuple[str, str]:
    """What (a reader, a writer) came to: a digest of all that the vault answers, `WRITER_READY`, or a refusal
    with its words; otherwise what went wrong."""
    context = get_context("forkserver")
    context.set_forkserver_preload([__name__])
    here, there = Pipe(duplex=False)
    process = context.Process(target=_open, args=(str(vault), load_embedder().binding, there))
    process.start()
    there.close()
    try:
        said: tuple[str, str] = here.recv() if here.poll(PATIENCE) else ("it did not end", "")
    except EOFError:
        process.join()
        said = (f"the process died with {process.exitcode}", "")
    finally:
        here.close()
        process.kill()
        process.join()
    return said


def _open(vault: str, binding: EmbedderBinding, answer: Connection) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())  # a panic says a lot
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    answer.send((_read(Path(vault)), _begin_to_write(VaultLayout(Path(vault)), binding)))


def _read(vault: Path) -> str:
    try:
        digest = sha256()
        for said in _answers(vault):
            digest.update(repr(said).encode())
    except MnemicError as error:
        return f"{REFUSED}{error}"
    return digest.hexdigest()


def _answers(vault: Path) -> Iterator[object]:
    """All that a reader can be told: rows, points with vectors, searches by meaning and by words."""
    with open_vault(vault) as reader:
        yield reader.ledger.query("SELECT * FROM units_current ORDER BY ALL")
        points = sorted(reader.index.points(), key=lambda point: point.id)
        yield [(one.id, one.payload.stored, _bytes_of(one.vector), one.sparse) for one in points]
        where = Where(reader.generation.accounts[0])
        yield [
            [(hit.id, round(hit.score, 4)) for hit in hits]
            for one in points
            for hits in (
                reader.index.search_dense(one.vector, where, 5) if one.vector is not None else [],
                reader.index.search_sparse(one.sparse, where, 5),
            )
        ]


def _bytes_of(vector: Vector | None) -> bytes:
    return b"" if vector is None else vector.tobytes()


def _begin_to_write(layout: VaultLayout, binding: EmbedderBinding) -> str:
    try:
        with writer_lock(layout), building(layout, binding):
            return WRITER_READY
    except MnemicError as error:
        return f"{REFUSED}{error}"
