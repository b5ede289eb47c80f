"""Where unreadable records and archives go: a file for each reason, with how often and a few samples."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from archives import RejectedRecord
from schemas.base import sha256_text
from schemas.errors import MnemicError
from schemas.report import ImportNote, ImportReport, NoteKind
from vault.files import fitting_name, write_bytes_durably, write_text_durably
from vault.layout import VaultLayout

SAMPLE_BYTES = 1 << 26
"""Bytes of samples that are kept of one archive. A sample takes at most half of the room that is left, so
that something is kept of every reason."""


class Quarantine:
    """The quarantine folder of one archive; created only when something has to go there, and then it holds
    what this reading found, and nothing of an earlier one.

    `reason-N.txt` has a reason in its first line, how often it held in its second, and then samples, each
    below a line that says where it stood and how many bytes of it follow. What stands in them are the
    archive's bytes as they were: to forget looks for words in them.
    """

    def __init__(self, layout: VaultLayout, archive: Path) -> None:
        self._folder = (
            layout.quarantine / f"{fitting_name(archive.name)}-{sha256_text(str(archive.resolve()))[:8]}"
        )
        self._archive = archive
        self._samples: dict[str, list[bytes]] = {}
        self._room = SAMPLE_BYTES

    def record(self, rejected: RejectedRecord) -> None:
        """Take a sample of what was refused for a reason; `archive` or `account` writes it."""
        kept = rejected.raw[: self._room // 2]
        self._room -= len(kept)
        whole = "" if len(kept) == len(rejected.raw) else f" of {len(rejected.raw):,}"
        head = f"\n{' '.join(rejected.where.split())}: {len(kept):,} bytes{whole}\n"
        self._samples.setdefault(rejected.reason, []).append(head.encode(errors="replace") + kept + b"\n")

    def archive(self, error: MnemicError) -> None:
        """Say why the whole archive could not be read. The owner's file stays where it is."""
        self._open()
        self._write_samples({})
        self._write("archive.json", {"archive": str(self._archive), "reason": str(error)})

    def account(self, report: ImportReport) -> None:
        """Say what of the archive was not read: refused members and missing parts have no bytes to keep."""
        lost = _lost(report)
        missed = not report.complete and bool(lost)
        if not (missed or self._samples):
            return
        self._open()
        self._write_samples({note.reason: note.count for note in lost})
        if missed:
            self._write_not_read(lost)

    def conversations(self, report: ImportReport, failed: Mapping[str, str]) -> None:
        """Say on which conversations of the archive the work failed, and why, beside what its reading left.

        Their words stay in the archive. `report` is the reading's, with a note on them.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        self._write_not_read(_lost(report))
        self._write("not-extracted.json", {"archive": str(self._archive), "not_extracted": dict(failed)})

    def _open(self) -> None:
        if self._folder.is_dir():
            shutil.rmtree(self._folder)
        self._folder.mkdir(parents=True)

    def _write_samples(self, counts: dict[str, int]) -> None:
        for number, (reason, samples) in enumerate(self._samples.items(), 1):
            # a note on a file that breaks off goes on with what was kept
            told = (one for one in counts if one == reason or one.startswith(f"{reason}; kept: "))
            count = max(sum(counts[one] for one in told), len(samples))
            head = f"{' '.join(reason.split())}\n{count:,} in all; {len(samples)} of them below\n"
            content = head.encode(errors="replace") + b"".join(samples)
            write_bytes_durably(self._folder / f"reason-{number}.txt", content)

    def _write_not_read(self, lost: Sequence[ImportNote]) -> None:
        told = [note.model_dump(mode="json", include={"reason", "where", "count", "remedy"}) for note in lost]
        self._write("not-read.json", {"archive": str(self._archive), "not_read": told})

    def _write(self, name: str, content: dict[str, object]) -> None:
        text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
        write_text_durably(self._folder / name, text)


def _lost(report: ImportReport) -> list[ImportNote]:
    return [note for note in report.notes if note.kind in (NoteKind.REJECTED, NoteKind.HOLE)]
