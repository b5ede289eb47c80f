"""Each stage of a run beside its peer or its limit: what `make bench` measures, one module a stage.

A module has CONTENDERS: a name, and a function that takes a `Setting`, gets ready, and returns the work to
be timed. The work returns what it came to, in figures. `benchmarks.bench` runs each contender in a process of
its own and prints the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

Figures = Mapping[str, float]
"""What the work came to, by name, such as `R@5`."""
Work = Callable[[], Figures | Callable[[], Figures]]
"""What is timed. Figures that take long to count are counted afterwards: then it returns who counts them."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What every contender works on."""

    folder: Path
    """To write into; the contenders of one stage share it, one after the other."""
    archive: Path
    """A person's export; its queries lie beside it (`<name>.queries.jsonl`), where there are any."""
    queries: int
    """At most so many queries are asked."""


Contenders = Mapping[str, Callable[[Setting], Work]]
