"""What an entry of a list opens with: its number, letter or bullet."""

from __future__ import annotations

import re

from extract.blocks import Block, Shape

_OPTION = re.compile(r"^[\s*_]*(?:option\s+)?(?P<mark>[A-Ea-e]|\d{1,2})[.):]\s+(?=\S)", re.IGNORECASE)
_ROMAN = re.compile(r"^[\s*_]*(?:X{0,2}(?:IX|IV|V?I{0,3}))(?<=[IVX])\.\s+(?=\S)")
_BULLET = re.compile(r"^\s*[•‣▪●◦–-]\s+(?=\S)")


def marker_of(block: Block) -> tuple[str, int]:
    """(number or letter, characters to skip) of a block that opens with an option's mark or a bullet."""
    found = _OPTION.match(block.flat.text)
    if found is not None and (found["mark"].isdigit() or block.shape is Shape.ITEM or "*" in found.group()):
        return found["mark"].lower(), found.end()
    bullet = _BULLET.match(block.flat.text) or _ROMAN.match(block.flat.text)
    return block.marker, bullet.end() if bullet else 0
