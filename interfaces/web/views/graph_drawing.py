"""A small graph as circles and lines: like springs, so that what is linked lies together.

The layout is that of Fruchterman and Reingold (1991), begun on a circle in the order of the nodes, so that
the same graph is drawn the same way each time; then labels that would lie on one another are moved apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

WIDTH, HEIGHT = 1000, 760
MARGIN = 60
ROUNDS = 80
APART_ROUNDS = 80
LABEL_HEIGHT = 15
CHARACTER = 6.6
"""Width of a letter of a label, in units of the SVG."""
LONGEST = 26
Points = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A thread or a name; `size` counts its notes, `chosen` says that the graph is around it."""

    kind: str
    key: str
    label: str
    size: int
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class GraphLink:
    """Two nodes by their keys in the drawing, and how many notes link them."""

    one: str
    other: str
    notes: int


@dataclass(frozen=True, slots=True)
class Circle:
    """A node at its place."""

    node: GraphNode
    x: float
    y: float
    radius: float
    text: str


@dataclass(frozen=True, slots=True)
class DrawnLink:
    """A link at its place, its width from 1 to 4."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float


@dataclass(frozen=True, slots=True)
class Drawing:
    """Lines first, circles over them, in units of an SVG of WIDTH and HEIGHT."""

    width: int
    height: int
    lines: tuple[DrawnLink, ...]
    circles: tuple[Circle, ...]


def drawn(nodes: Mapping[str, GraphNode], links: Sequence[GraphLink]) -> Drawing:
    """The graph at its places."""
    keys = list(nodes)
    if not keys:
        return Drawing(WIDTH, HEIGHT, (), ())
    numbers = {key: place for place, key in enumerate(keys)}
    ends = np.array([(numbers[one.one], numbers[one.other]) for one in links], dtype=np.int64).reshape(-1, 2)
    places = _fitted(_springs(len(keys), ends))
    texts = [_short(nodes[key].label) for key in keys]
    radii = [_radius(nodes[key]) for key in keys]
    places = _apart(places, texts, radii)
    most = max((one.notes for one in links), default=1)
    lines = tuple(
        _line(places[start], places[end], round(1 + 3 * sqrt(one.notes / most), 1))
        for one, (start, end) in zip(links, ends, strict=True)
    )
    circles = tuple(
        Circle(nodes[key], _rounded(places[place][0]), _rounded(places[place][1]), radii[place], texts[place])
        for place, key in enumerate(keys)
    )
    return Drawing(WIDTH, HEIGHT, lines, circles)


def _springs(count: int, ends: npt.NDArray[np.int64]) -> Points:
    turn = np.linspace(0, 2 * np.pi, count, endpoint=False)
    # a row of each coordinate, a plane of each for pairs: numpy is quick along the last axis alone
    places: Points = np.stack([np.cos(turn), np.sin(turn)])
    one, other = ends[:, 0], ends[:, 1]
    ideal = sqrt(4 / count)
    for warmth in np.linspace(0.2, 0.005, ROUNDS):
        apart = places[:, None, :] - places[:, :, None]
        distance = np.maximum(np.linalg.norm(apart, axis=0), 0.01)
        pushed = (apart * (ideal**2 / distance**2)).sum(axis=1)
        along = places[:, one] - places[:, other]
        pull = along * (np.linalg.norm(along, axis=0) / ideal)
        for coordinate in (0, 1):
            np.add.at(pushed[coordinate], one, -pull[coordinate])
            np.add.at(pushed[coordinate], other, pull[coordinate])
        pushed -= places * 0.6  # parts that nothing links would drift away
        length = np.maximum(np.linalg.norm(pushed, axis=0), 1e-9)
        places = places + pushed / length * np.minimum(length, warmth)
    return places.T


def _fitted(places: Points) -> Points:
    low, high = places.min(axis=0), places.max(axis=0)
    size = np.maximum(high - low, 1e-9)
    room = np.array([WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN])
    fitted: Points = (places - low) / size * room + MARGIN
    return fitted


def _apart(places: Points, texts: Sequence[str], radii: Sequence[float]) -> Points:
    """Move nodes until no circle with its label lies on another, or for so many rounds: two that overlap are
    pushed along the side on which less of them does."""
    half = np.array(
        [max(len(text) * CHARACTER / 2 + 4, radius) for text, radius in zip(texts, radii, strict=True)]
    )
    tall = np.array([radius + LABEL_HEIGHT / 2 + 2 for radius in radii])
    numbers = np.arange(len(texts))
    order = np.sign(numbers[None, :] - numbers[:, None])
    low = np.stack([np.minimum(half, WIDTH / 2), np.array(radii) + 4])
    high = np.array([[WIDTH], [HEIGHT]]) - np.stack([np.minimum(half, WIDTH / 2), tall * 2 - radii])
    room = np.stack([half[None, :] + half[:, None], tall[None, :] + tall[:, None]])
    room[:, numbers, numbers] = -1.0  # nothing lies on itself
    places = places.T
    for _ in range(APART_ROUNDS):
        # [coordinate, pusher, pushed], as in `_springs`
        between = places[:, None, :] - places[:, :, None]
        overlap = room - np.abs(between)
        overlap *= (overlap > 0).all(axis=0)
        if overlap.max() < 1:
            break
        upright = overlap[1] <= overlap[0]
        overlap[0] *= ~upright
        overlap[1] *= upright
        side = np.where(between == 0, order, np.sign(between))
        places = np.clip(places + (overlap * side).sum(axis=1) * 0.4, low, high)
    return places.T


def _radius(node: GraphNode) -> float:
    return round(min(5 + 1.6 * sqrt(node.size), 22 if node.kind == "thread" else 16), 1)


def _line(start: Points, end: Points, width: float) -> DrawnLink:
    return DrawnLink(_rounded(start[0]), _rounded(start[1]), _rounded(end[0]), _rounded(end[1]), width)


def _rounded(value: float) -> float:
    return round(float(value), 1)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
