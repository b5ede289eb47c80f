"""The gate's settings: which criteria are asked, and where their thresholds lie."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, ValidationError

from schemas.base import Noun, sha256_text
from schemas.errors import UsageError
from schemas.unit import MAX_WORDS


class GateSettings(Noun):
    """What the owner may change, in `gate.json` of the vault; every field has a default."""

    off: frozenset[str] = frozenset()
    """Criteria that are not asked, by name."""
    only_review: frozenset[str] = frozenset()
    """Criteria that hold a note for review where they would reject it."""
    max_words: int = Field(default=MAX_WORDS, ge=1)
    support: float = Field(default=0.3, ge=0, le=1)
    """Share of a note's content words that must have been said: in its quote, its message, or before.
    Below this it is rejected. Calibrated in `docs/gate.md`."""
    own_support: float = Field(default=0.4, ge=0, le=1)
    """Share of them that the quote itself must hold; below this the note is held for review."""

    passing: float = Field(default=0.8, ge=0, le=1)
    """The chance that a careful reader would keep a note, from which on it passes; `docs/gate.md` has what
    lies above it, read by people."""
    rejecting: float = Field(default=0.02, ge=0, le=1)
    """Below this chance it is rejected; between the two it is held for review. One in a hundred
    of the good ones lies below (`docs/reading.md`)."""
    own: float = Field(default=0.5, ge=0, le=1)
    """The chance that words are the speaker's own, below which the note is rejected."""

    @property
    def digest(self) -> str:
        """Tells settings apart: work done under others is done again. Empty for the defaults."""
        plain = {name: sorted(value) if isinstance(value, frozenset) else value for name, value in self}
        return "" if self == DEFAULT_SETTINGS else sha256_text(repr(plain))[:12]


DEFAULT_SETTINGS = GateSettings()


def read_settings(path: Path) -> GateSettings:
    """The settings in a file, the defaults where there is none.

    Raises UsageError where the file is not what settings look like.
    """
    try:
        return GateSettings.model_validate_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return DEFAULT_SETTINGS
    except (ValidationError, UnicodeDecodeError) as error:
        why = str(error).splitlines()[0]
        raise UsageError(
            "the gate's settings cannot be read", where=str(path), why=why, remedy="See docs/gate.md"
        ) from error
