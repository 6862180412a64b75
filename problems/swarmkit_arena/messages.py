"""Messages between the referee and the process of a solver: JSON and arrays on a pipe, never pickled."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import numpy as np

LENGTH = struct.Struct(">I")
"""The number of bytes of a message's JSON, in four bytes."""

LONGEST = 1 << 28
"""The most bytes of a message."""


class Message(NamedTuple):
    """A message: JSON values, and arrays by name."""

    body: dict[str, Any]
    arrays: Mapping[str, Any] = {}


def encode(message: Message) -> bytes:
    """Return a message as bytes: the length of its JSON, the JSON with a list of the arrays, the arrays."""
    arrays = {name: np.ascontiguousarray(array) for name, array in message.arrays.items()}
    # The shape of the original: a contiguous copy of an array without dimensions has one.
    shapes = [[name, array.dtype.str, list(np.shape(message.arrays[name]))] for name, array in arrays.items()]
    head = json.dumps([message.body, shapes], separators=(",", ":")).encode()
    return b"".join([LENGTH.pack(len(head)), head, *(array.tobytes() for array in arrays.values())])


def decode(data: bytes) -> Message:
    """Return the message of some bytes, which may come from a process that is not trusted.

    Raises:
        ValueError: they are none.
    """
    if len(data) < LENGTH.size:
        raise ValueError("it is too short")
    at = LENGTH.size + LENGTH.unpack_from(data)[0]
    try:
        body, shapes = json.loads(data[LENGTH.size : at])
        arrays = {}
        for name, kind, shape in shapes:
            dtype = np.dtype(kind)
            if dtype.hasobject:  # bytes would become pointers
                raise ValueError("an array of Python objects")
            size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
            arrays[str(name)] = np.frombuffer(data[at : at + size], dtype).reshape(shape).copy()
            at += size
    except (TypeError, KeyError, RecursionError, OverflowError) as error:
        raise ValueError(f"{type(error).__name__}: {error}") from None
    if not isinstance(body, dict) or at != len(data):
        raise ValueError("its parts do not fit each other")
    return Message(body, arrays)


def send(connection: Connection, body: dict[str, Any], arrays: Mapping[str, Any] | None = None) -> None:
    """Send a message to the other process."""
    connection.send_bytes(encode(Message(body, arrays or {})))


def receive(connection: Connection) -> Message:
    """Return the next message of the other process.

    Raises:
        EOFError: the other end was closed.
        ValueError: what came is no message.
    """
    return decode(connection.recv_bytes(LONGEST))
