"""Messages between the server and the process that makes the runs: JSON with its length before it, on pipes."""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO

LENGTH = struct.Struct(">I")
"""The number of bytes of a message, in four bytes."""


def packed(message: Any) -> bytes:
    r"""Return a message as bytes.

    >>> packed({"a": 1})
    b'\x00\x00\x00\x07{"a":1}'
    """
    body = json.dumps(message, separators=(",", ":"), allow_nan=False).encode()
    return LENGTH.pack(len(body)) + body


def read_message(pipe: BinaryIO) -> Any:
    """Return the next message of a pipe; None if the other end was closed."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    [length] = LENGTH.unpack(head)
    body = pipe.read(length)
    return json.loads(body) if len(body) == length else None
