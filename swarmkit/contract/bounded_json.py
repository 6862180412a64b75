"""Files and JSON from elsewhere, within bounds.

A device or a pipe without an end does not fill the memory; no file nests, counts or spells its way past a reader's
checks.
"""

from __future__ import annotations

import errno
import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from swarmkit.contract.errors import SwarmkitError, UsageError

MEGABYTES = 256
"""The size of the largest text that is read: more than any corpus or instance that fits into memory as a problem."""

DEPTH = 100
"""The deepest nesting of lists and objects: far more than any file of ours has, far less than Python's own limit."""

DIGITS = 300
"""The digits of the largest integer: it still fits into a float, and seeds may have more than 64 bits."""

LARGEST = 10**DIGITS


@contextmanager
def reading(path: Path, expected: str) -> Iterator[None]:
    """Say in a sentence what is wrong with a file that is read inside.

    Args:
        path: the file.
        expected: what it should be.

    Raises:
        UsageError: whatever else was raised.
    """
    try:
        yield
    except SwarmkitError:
        raise
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror or error})") from None
    except Exception as error:  # zipfile and numpy raise many kinds for files that are not theirs
        reason = str(error).partition("\n")[0][:200] if isinstance(error, ValueError) else ""
        raise UsageError(f"{path}: not {expected}, or damaged ({reason or type(error).__name__})") from None


def read_bytes(path: Path, megabytes: int = MEGABYTES) -> bytes:
    """Return the content of a file.

    Args:
        path: the file.
        megabytes: the largest size.

    Raises:
        OSError: the file cannot be read, or is larger.
    """
    with path.open("rb") as file:
        # One byte more than allowed tells a larger file apart, and a device without an end does no harm.
        data = file.read((megabytes << 20) + 1)
    if len(data) > megabytes << 20:
        raise OSError(errno.EFBIG, f"larger than {megabytes} MB", str(path))
    return data


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
        # Decoded here: json.loads takes bytes for UTF-16 or UTF-32 if they look like it.
        value = json.loads(text if isinstance(text, str) else text.decode("utf-8-sig"))
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
    # Level by level: a recursive walk would need a frame for each nesting, which a file can choose.
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
