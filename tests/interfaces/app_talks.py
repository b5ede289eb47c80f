"""Two conversations of one owner for the application's tests: hostile in a title, in words and in a name."""

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


def vault_of_talks(folder: Path) -> Path:
    """A vault of both conversations, which are one thread."""
    talks = [
        chatgpt_conversation("hull", HULL, 1_772_000_000.0),
        chatgpt_conversation("paint", PAINT, 1_772_200_000.0),
    ]
    talks[0]["title"] = HOSTILE
    archive = folder / f"{ACCOUNT}.json"
    archive.write_text(json.dumps(talks), encoding="utf-8")
    ingested(IngestRequest(folder / "vault", (archive,)))
    return folder / "vault"
