"""From a query to the few notes that answer it: `recall` is the only way in."""

from __future__ import annotations

from retrieval.funnel import recall
from retrieval.package import Dropped, Hit, Package, Part
from retrieval.question import Fusion, Mode
from retrieval.rendering import QUOTED, Format

__all__ = ["QUOTED", "Dropped", "Format", "Fusion", "Hit", "Mode", "Package", "Part", "recall"]
