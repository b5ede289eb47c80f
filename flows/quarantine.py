"""Where unreadable records and archives go, each with its reason."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from archives import RejectedRecord
from schemas.base import sha256_text
from schemas.errors import MnemicError
from schemas.report import ImportReport, NoteKind
from vault.files import fitting_name, write_text_durably
from vault.layout import VaultLayout


class Quarantine:
    """The quarantine folder of one archive; created only when something has to go there."""

    def __init__(self, layout: VaultLayout, archive: Path) -> None:
        self._folder = (
            layout.quarantine / f"{fitting_name(archive.name)}-{sha256_text(str(archive.resolve()))[:8]}"
        )
        self._archive = archive
        self.records = 0

    def record(self, rejected: RejectedRecord) -> None:
        """Keep a record's bytes and why it was refused."""
        self.records += 1
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / f"record-{self.records}.bin").write_bytes(rejected.raw)
        self._write(f"record-{self.records}.json", {"where": rejected.where, "reason": rejected.reason})

    def archive(self, error: MnemicError) -> None:
        """Say why the whole archive could not be read. The owner's file stays where it is."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._write("archive.json", {"archive": str(self._archive), "reason": str(error)})

    def account(self, report: ImportReport) -> None:
        """Say what of the archive was not read: refused members and missing parts have no bytes to keep."""
        lost = [note for note in report.notes if note.kind in (NoteKind.REJECTED, NoteKind.HOLE)]
        if report.complete or not lost:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        told = [note.model_dump(mode="json", include={"reason", "where", "count", "remedy"}) for note in lost]
        self._write("not-read.json", {"archive": str(self._archive), "not_read": told})

    def conversations(self, failed: Mapping[str, str]) -> None:
        """Say on which conversations of the archive the work failed, and why. Their words stay in it."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._write("not-extracted.json", {"archive": str(self._archive), "not_extracted": dict(failed)})

    def _write(self, name: str, content: dict[str, object]) -> None:
        text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
        write_text_durably(self._folder / name, text)
