"""JSON from elsewhere: parsed within bounds, so that no file nests, counts or spells its way past a reader's checks."""

from __future__ import annotations

import json
import math
from typing import Any

DEPTH = 100
"""The deepest nesting of lists and objects: far more than any file of ours has, far less than Python's own limit."""

DIGITS = 300
"""The digits of the largest integer: it still fits into a float, and seeds may have more than 64 bits."""

LARGEST = 10**DIGITS


def parse_json(text: str | bytes, *, finite: bool = True) -> Any:
    """Return the value of a JSON text.

    Args:
        text: the text; bytes are UTF-8.
        finite: whether NaN and infinite numbers are refused, which JSON does not have and Python accepts.

    Raises:
        ValueError: the text is not JSON, or exceeds a bound.

    >>> parse_json('{"n": [1, 2]}')
    {'n': [1, 2]}
    >>> parse_json("[" * 500 + "]" * 500)
    Traceback (most recent call last):
    ValueError: nested more than 100 deep
    """
    try:
        value = json.loads(text)
    except RecursionError:
        raise ValueError(f"nested more than {DEPTH} deep") from None
    check_plain(value, finite=finite)
    return value


def check_plain(value: Any, *, finite: bool = True) -> None:
    """Raise ValueError if a value is not plain data within the bounds: level by level, without recursion.

    Args:
        value: lists, dictionaries with names as keys, and scalars.
        finite: whether NaN and infinite numbers are refused.
    """
    level = [value]
    for _ in range(DEPTH + 1):
        below: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                below.extend(item)
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
            else:
                _check_scalar(item, finite)
        if not below:
            return
        level = below
    raise ValueError(f"nested more than {DEPTH} deep")


def _check_scalar(item: Any, finite: bool) -> None:
    if isinstance(item, str):
        if not item.isascii():
            item.encode()  # half of a surrogate pair is no text: it could not be printed
    elif isinstance(item, float):
        if finite and not math.isfinite(item):
            raise ValueError(f"the number {item}; a finite one is expected")
    elif isinstance(item, int):
        if not -LARGEST < item < LARGEST:
            raise ValueError(f"a whole number of more than {DIGITS} digits")
    elif item is not None:
        raise ValueError(f"a {type(item).__name__}, which is not plain data")
