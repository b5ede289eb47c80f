"""What lies beside the conversations of a ChatGPT export: account, manifest, markers, names of files."""

from __future__ import annotations

from pathlib import PurePosixPath

from archives.contract import Part, Reading
from archives.glimpse import Glimpse, Kind
from archives.shapes import identifier, mapping, sequence, string
from archives.wellformed import well_formed


def account(others: tuple[Part, ...]) -> str | None:
    """`user.json` is one object with an id and an e-mail address."""
    for part in others:
        if part.glimpse.kind is Kind.OBJECT:
            user = next(part.glimpse.objects(), {})
            email, native = string(user.get("email")), identifier(user.get("id"))
            if email is not None and native is not None:
                return email.strip().lower()
            if native is not None and native.startswith("user-"):
                return native
    return None


def report_missing_shards(reading: Reading) -> None:
    """The manifest names every file of the export; one that is not there is a hole."""
    present = {part.name for part in (*reading.parts, *reading.others)}
    for part in reading.others:
        manifest = next(part.glimpse.objects(), {})
        logical = mapping(manifest.get("logical_files"))
        if not logical or "export_files" not in manifest:
            continue
        folder = PurePosixPath(part.name).parent
        for name, entry in logical.items():
            for file in sequence(mapping(entry).get("files")):
                if isinstance(file, str) and (folder / file).as_posix() not in present:
                    reading.tally.hole(
                        "a file that the export's manifest names is missing",
                        file,
                        remedy="Download the export again, or add the file",
                        breaks=name == "conversations.json",
                    )


def _is_marker(value: object) -> bool:
    return isinstance(value, dict) and {"id", "conversation_id", "is_anonymous"} <= set(value)


def is_list_of_markers(seen: Glimpse) -> bool:
    """Whether the file marks what was shared."""
    return seen.kind is Kind.LIST and any(map(_is_marker, seen.records))


def report_markers(reading: Reading) -> None:
    """A marker of a shared link holds no words; its conversation stands with the others."""
    for part in reading.others:
        if not is_list_of_markers(part.glimpse):
            continue
        for where, marker in reading.records(part, plausible=_is_marker):
            reading.passes_over(marker)
            reading.tally.records += 1
            reading.tally.skip("a marker of a shared link", where)


def asset_names(reading: Reading) -> dict[str, str]:
    """`{"file-<id>.dat": original name}`, by the id alone."""
    names: dict[str, str] = {}
    for part in reading.others:
        record = next(part.glimpse.objects(), {})
        if part.glimpse.kind is Kind.OBJECT and record and all(isinstance(v, str) for v in record.values()):
            for stored, original in record.items():
                if stored.startswith(("file-", "file_")):
                    names[PurePosixPath(stored).stem] = well_formed(str(original))[0]
    return names
