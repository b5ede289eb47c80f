"""One reader a format: bytes in, conversations out, and an account of every record."""

from archives.archive import Archive, open_archive
from archives.counting import Counts
from archives.guarded_stream import Limits
from archives.inspection import COUNTED, Inspection, inspect_archive
from archives.leaving_out import LeftOut
from archives.stated_limits import stated_limits
from archives.tally import RejectedRecord

__all__ = [
    "COUNTED",
    "Archive",
    "Counts",
    "Inspection",
    "LeftOut",
    "Limits",
    "RejectedRecord",
    "inspect_archive",
    "open_archive",
    "stated_limits",
]
