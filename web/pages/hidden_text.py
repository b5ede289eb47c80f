"""What no reader of a page sees, by each element's own attributes and style: no part of the page, since it is
where instructions to models are put. A style sheet is not applied.

What hides an element with all that is in it drops it. Size, visibility and colour are inherited, and an
element in it may be seen again: of those the text that stands in no such element goes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from chunking.wordlists import words

if TYPE_CHECKING:
    from lxml.html import HtmlElement

LEAST_OPACITY = 0.05
LEAST_PIXELS = 1.0
"""What is no larger than that is not read."""
_SHORT = 400
"""Characters of a style."""
AWAY = -990.0
"""Pixels by which text is moved out of sight; a page is centred by less."""

_TOKEN = re.compile(
    r"""(?P<text>[^\\/"'u;:()\[\]{}]++)|(?P<end>;)|(?P<colon>:)|(?P<opening>[(\[{])|(?P<closing>[)\]}])"""
    r"""|(?P<quoted>/\*.*?(?:\*/|\Z)|"(?:[^"\\]|\\.)*+(?:"|\Z)|'(?:[^'\\]|\\.)*+(?:'|\Z)"""
    r"""|url\((?!\s*["'])[^)]*+(?:\)|\Z))"""
    r"""|\\(?:(?P<code>[0-9a-f]{1,6})\s?|(?P<escaped>.))|(?P<rest>.)""",
    re.DOTALL,
)
_NUMBERS = re.compile(r"(?<![\w.#])([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z]+|%)?")
_PIXELS = {"px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "": 1.0, "rem": 16.0}
_OF_PARENT = {"em": 16.0, "ex": 8.0, "ch": 8.0, "%": 0.16}
"""Pixels where the parent's size is a usual one."""
_SIZES = re.compile(r"medium|initial|x*-?(?:small|large)$")
_DISPLAYED = re.compile(
    r"block|inline|flow|flex|grid|table|list-item|contents|ruby|inherit|initial|unset|revert"
)
_WORDS = words(
    "none auto normal initial inherit unset visible hidden clip scroll static relative absolute fixed sticky"
)
_COLOURS = re.compile(r"#|rgb|hsl|[a-z]+$")
_PART_SHOWN = ("text-shadow", "background-clip", "-webkit-background-clip", "-webkit-text-fill-color")
"""What makes transparent letters visible: a shadow, or a background in their form."""


Told: TypeAlias = dict[str, tuple[str, ...]]
"""The values of each property that a style names."""


class _Sight(NamedTuple):
    """What an element hands on to those in it."""

    small: bool = False
    invisible: bool = False
    clear: bool = False


def drop_hidden(tree: HtmlElement) -> None:
    """Take what is hidden out of the tree, and styles with it: a parser would judge by them once more."""
    sights: dict[HtmlElement, _Sight] = {}
    hidden = []
    for element in list(tree.iter()):
        parent = element.getparent()
        above = _Sight() if parent is None else sights.get(parent)
        if above is None:
            continue  # it is in one that goes as a whole
        if any(above):
            element.tail = None
        if not isinstance(element.tag, str):
            continue
        told = _told(element.attrib.pop("style", ""))
        if parent is None:
            told = {}  # scripts show a document that begins hidden
        elif _is_hidden(element) or (told and _hides(told)):
            hidden.append(element)
            continue
        sights[element] = _sight(told, above) if told else above
        if any(sights[element]):
            element.text = None
    for element in hidden:
        element.drop_tree()


def _is_hidden(element: HtmlElement) -> bool:
    if element.tag == "template" or (element.tag == "dialog" and "open" not in element.attrib):
        return True
    attributes = element.attrib
    return (
        "hidden" in attributes
        or "popover" in attributes
        or attributes.get("aria-hidden", "").lower() == "true"
    )


def declarations(style: str) -> Told:
    """The values that a style gives each property, in small letters, in the order in which they count."""
    found: dict[str, tuple[list[str], list[str]]] = {}
    for name, value in _declared(style.lower()):
        value, important, _ = value.partition("!")
        found.setdefault(name, ([], []))[bool(important)].append(value.strip())
    return {name: (*usual, *important) for name, (usual, important) in found.items()}


_of_short = lru_cache(maxsize=4096)(declarations)


def _told(style: str) -> Told:
    # a page has few styles, and says each of them often
    return _of_short(style) if len(style) <= _SHORT else declarations(style)


def _declared(style: str) -> Iterator[tuple[str, str]]:
    """Names and values between the semicolons that are in no string and no brackets."""
    name: str | None = None
    said: list[str] = []
    depth = 0
    for token in _TOKEN.finditer(style):
        kind, text = token.lastgroup, token[0]
        if kind == "end" and not depth:
            if name is not None:
                yield name, " ".join("".join(said).split())
            name, said = None, []
        elif kind == "colon" and name is None and not depth:
            name, said = "".join(said).strip(), []
        elif kind == "quoted":
            said.append(" ")
        elif kind == "code":
            said.append(_character(token["code"]))
        elif kind == "escaped":
            said.append(token["escaped"])
        else:
            depth = max(0, depth + (kind == "opening") - (kind == "closing"))
            said.append(text)
    if name is not None:
        yield name, " ".join("".join(said).split())


def _character(code: str) -> str:
    number = int(code, 16)
    return chr(number) if 0 < number < 0xD800 or 0xDFFF < number < 0x110000 else "\ufffd"


def _hides(told: Told) -> bool:
    """Whether the style hides an element with all that is in it."""
    shown = [value for value in told.get("display", ()) if value == "none" or _DISPLAYED.match(value)]
    if shown[-1:] == ["none"]:
        return True
    if any(hides(_last(told, name)) for name, hides in _HIDING.items()):
        return True
    if _last(told, "position") in {"absolute", "fixed", "relative"} and any(
        _is_away(_last(told, side)) for side in ("left", "right", "top", "bottom")
    ):
        return True
    # a width of nothing is how cells and columns are made to share a row
    low = _is_point(_last(told, "height")) or _is_point(_last(told, "max-height"))
    return low and _last(told, "overflow") in {"hidden", "clip"}


def _last(told: Told, name: str) -> str:
    """The value that counts: the last that a browser may understand."""
    known = (value for value in reversed(told.get(name, ())) if value in _WORDS or _NUMBERS.search(value))
    return next(known, "")


def _numbers(value: str) -> list[tuple[float, str]]:
    return [(float(number), unit) for number, unit in _NUMBERS.findall(value)]


def _pixels(number: float, unit: str) -> float:
    return number * (_PIXELS.get(unit) or _OF_PARENT.get(unit) or 10.0)


def _is_faint(value: str) -> bool:
    """Opacity, or a factor of size; the first of several numbers."""
    found = _numbers(value)[:1]
    return any((number / 100 if unit == "%" else number) <= LEAST_OPACITY for number, unit in found)


def _is_point(value: str) -> bool:
    return any(_pixels(*one) <= LEAST_PIXELS for one in _numbers(value)[:1])


def _is_away(value: str) -> bool:
    return any(_pixels(*one) <= AWAY for one in _numbers(value))


def _is_transformed_away(value: str) -> bool:
    moved = value.startswith("translate") and _is_away(value)
    return moved or (value.startswith("scale") and _is_faint(value.partition("(")[2]))


def _is_clipped(value: str) -> bool:
    numbers = _numbers(value)
    if value.startswith("inset("):
        return bool(numbers) and all(unit == "%" and number >= 50 for number, unit in numbers)
    if value.startswith(("rect(", "circle(", "ellipse(")):
        return bool(numbers) and all(_pixels(*one) <= LEAST_PIXELS for one in numbers)
    return False


_HIDING: dict[str, Callable[[str], bool]] = {
    **{"opacity": _is_faint, "zoom": _is_faint, "scale": _is_faint, "clip": _is_clipped},
    **{"clip-path": _is_clipped, "transform": _is_transformed_away, "text-indent": _is_away},
    **{"margin-left": _is_away, "margin-top": _is_away, "translate": _is_away},
    "filter": lambda value: value.startswith("opacity(") and _is_faint(value),
    "content-visibility": lambda value: value == "hidden",
}


def _sight(told: Told, above: _Sight) -> _Sight:
    small, invisible, clear = above
    sizes = told.get("font-size", ()) or [_size_of_font(value) for value in told.get("font", ())]
    for value in sizes:
        known = _numbers(value)
        if known and not (above.small and all(unit in _OF_PARENT for _, unit in known)):
            small = all(_pixels(*one) <= LEAST_PIXELS for one in known)
        elif _SIZES.match(value):
            small = False
    for value in told.get("visibility", ()):
        if value in {"hidden", "collapse", "visible", "initial"}:
            invisible = value in {"hidden", "collapse"}
    for value in told.get("color", ()):
        if _COLOURS.match(value) and value not in {"inherit", "unset", "currentcolor"}:
            clear = _is_clear(value) and not any(name in told for name in _PART_SHOWN)
    return _Sight(small, invisible, clear)


def _size_of_font(value: str) -> str:
    """The size in `font: 400 16px/1.5 serif`: what has a unit, or the 0 that needs none."""
    sizes = (number + unit for number, unit in _NUMBERS.findall(value) if unit or not float(number))
    return next(sizes, "")


def _is_clear(colour: str) -> bool:
    if colour == "transparent":
        return True
    if colour.startswith("#"):
        return len(colour) in {5, 9} and set(colour[-1 if len(colour) == 5 else -2 :]) == {"0"}
    parts = _numbers(colour)
    return len(parts) == 4 and _is_faint("".join(_NUMBERS.findall(colour)[3]))
