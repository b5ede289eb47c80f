"""Two conversations and a document of one owner for the application's tests: hostile in titles and words."""

from __future__ import annotations

import json
from pathlib import Path

from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from tests.conftest import chatgpt_conversation

ACCOUNT = "ada"
HOSTILE = "\"><script>alert(1)</script><img src=x onerror=alert(2)>'{{ 7 * 7 }}"
NAMED = "Mara O'<b>Brien"
HULL = [
    ("user", "I decided to paint the hull of the boat green. Which primer suits epoxy?"),
    ("assistant", "A two-component epoxy primer suits the hull of Mara Lindqvist's boat."),
    (
        "user",
        f"We met Mara Lindqvist at the yard {HOSTILE}. I need to order sandpaper for Mara Lindqvist.",
    ),
    ("user", f"I spoke to {NAMED} about the mast, and to {NAMED} about the sail of the boat."),
]
PAINT = [
    ("user", "I decided to paint the hull of the boat blue instead of green. Mara Lindqvist agreed with it."),
    ("assistant", "Blue paint on the hull of the boat needs the same epoxy primer."),
]
YARD = f"# The yard {HOSTILE}\n\nThe epoxy primer is kept dry in the shed of the yard, beside the mast.\n"


def vault_of_talks(folder: Path) -> Path:
    """A vault of the conversations, which are one thread, and of the document."""
    talks = [
        chatgpt_conversation("hull", HULL, 1_772_000_000.0),
        chatgpt_conversation("paint", PAINT, 1_772_200_000.0),
    ]
    talks[0]["title"] = HOSTILE
    archive = folder / f"{ACCOUNT}.json"
    archive.write_text(json.dumps(talks), encoding="utf-8")
    document = folder / "yard.md"
    document.write_text(YARD, encoding="utf-8")
    ingested(IngestRequest(folder / "vault", (archive, document), account=ACCOUNT))
    return folder / "vault"
