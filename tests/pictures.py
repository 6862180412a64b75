"""Pictures that the blocks of a page write, and how much they look like those that the page shows."""

import re
from pathlib import Path

import numpy as np
from PIL import Image

SHOWN = re.compile(r"!\[[^\]]+\]\((?P<path>[^)]*pictures/tutorials/(?P<name>[\w-]+\.png))\)")
"""A picture that a block of the page writes: to a file of this name."""

ALIKE = 0.4
"""The largest difference of two pictures of the same thing. All moved by three pixels makes 0.3, other data 0.6."""

CELL = 24
"""Pixels are averaged over squares of this side, so that a line that is moved by a pixel makes little difference."""


def written_pictures(page: Path) -> list[str]:
    """Return the names of the pictures that the blocks of a page write; an index shows those of other pages."""
    if page.stem in ("index", "README"):
        return []
    return [found["name"] for found in SHOWN.finditer(page.read_text(encoding="utf-8"))]


def difference(one: Path, other: Path) -> float:
    """Return how much two pictures differ, as a share of what is drawn on white; infinite if their sizes differ."""
    with Image.open(one) as a, Image.open(other) as b:
        if a.size != b.size:
            return float("inf")
        first, second = _ink(a), _ink(b)
    return float(np.abs(first - second).sum() / max(1.0, first.sum(), second.sum()))


def _ink(picture: Image.Image) -> np.ndarray:
    """Return the darkness of the three colours, averaged over small squares."""
    small = picture.convert("RGB").resize((picture.width // CELL, picture.height // CELL), Image.Resampling.BOX)
    return 255.0 - np.asarray(small, float)
