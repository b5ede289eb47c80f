"""The reader that a vault taught, where it has one that today's mnemic can use."""

from __future__ import annotations

import logging

from extract.reader.small_reader import SmallReader, load_reader
from inference.finetuned import FineTuned
from schemas.errors import IntegrityError, MachineError
from vault.layout import VaultLayout

log = logging.getLogger(__name__)


def taught_reader(layout: VaultLayout) -> SmallReader | None:
    """The vault's own reader; None where there is none, or where it was made of an older one than is shipped.

    Raises IntegrityError where its file cannot be read.
    """
    path = layout.taught_reader
    if not path.exists():
        return None
    try:
        reader = SmallReader(FineTuned(path))
    except MachineError:
        reader = None
    except Exception as error:  # safetensors has no one class for what is wrong with a file
        raise IntegrityError(
            "the reader that this vault taught cannot be read",
            where=str(path),
            why=str(error),
            remedy="Teach it again with `mnemic train reader`, or `mnemic train reader --back`",
        ) from error
    shipped = load_reader().version
    if reader is None or reader.version.partition("+")[0] != shipped:
        log.warning(
            "the reader in %s was made of another than %s, which reads in its place: "
            "`mnemic train reader` teaches that one",
            path,
            shipped,
        )
        return None
    return reader
