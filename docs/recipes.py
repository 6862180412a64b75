"""The recipes of the cookbook: the blocks of `cookbook.md` that make a model, by the title of their section."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

import swarmkit

PAGE = Path(__file__).parent / "cookbook.md"


BLOCK = re.compile(r"<!-- recipe -->\n```python\n(.*?)```", re.DOTALL)


def recipes() -> dict[str, str]:
    """Return the source of each recipe by its title."""
    sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    blocks = {section.partition("\n")[0]: BLOCK.search(section) for section in sections}
    return {title: block[1] for title, block in blocks.items() if block}


def names_of(source: str) -> dict[str, Any]:
    """Return what a recipe defines, by name."""
    names: dict[str, Any] = {"np": np, "swarmkit": swarmkit}
    exec(compile(source, str(PAGE), "exec"), names)  # noqa: S102  (our own documentation)
    return names


def model_of(source: str) -> Any:
    """Return the model that a recipe makes."""
    return names_of(source)["model"]
