"""From a query to the few notes that answer it: `recall` is the only way in."""

from __future__ import annotations

from retrieval.funnel import recall
from retrieval.package import Dropped, Hit, Package, Part

__all__ = ["Dropped", "Hit", "Package", "Part", "recall"]
