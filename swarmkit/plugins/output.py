"""Where plugins print: to stderr, so that what a command writes to stdout (a JSON document) stays readable."""

from __future__ import annotations

import ctypes
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO, cast

_running: dict[object, None] = {}
"""The pieces of plugin code that run now, in all threads, which share one stdout."""


@contextmanager
def plugin_output() -> Iterator[None]:
    """Send what is printed inside to stderr, if the command line asked for it.

    Ctrl-C may come after any call, and an entry that stays after it would divert the answer that is printed then:
    entries are added and deleted by statements that call nothing.
    """
    entry = object()
    try:
        _running[entry] = None
        yield
    finally:
        del _running[entry]


@contextmanager
def divert_plugin_output() -> Iterator[None]:
    """Let `plugin_output` divert inside: the command line asks for it, a Python program prints where it likes.

    C functions do not know of Python's stdout: the file descriptor 1, to which they print, is that of stderr meanwhile.
    """
    stdout = sys.stdout
    try:
        copy = os.dup(1)
    except OSError:  # there is no standard output
        yield
        return
    os.dup2(2, 1)
    # Only Python's own stdout is replaced: a test or a notebook that has put something in its place keeps it.
    stream = _stream_on(copy, stdout) if isinstance(stdout, io.TextIOWrapper) and stdout is sys.__stdout__ else stdout
    sys.stdout = cast("TextIO", _Stdout(stream))
    try:
        yield
    finally:
        sys.stdout = stdout
        with suppress(OSError, ValueError):  # a full disk or a closed pipe was reported where it was written to
            stream.flush()
        with suppress(OSError, AttributeError, TypeError):  # TypeError: Windows, where there is no such library
            ctypes.CDLL(None).fflush(None)  # what C functions have printed and libc still holds
        os.dup2(copy, 1)
        os.close(copy)


def divert_for_good() -> None:
    """Send everything that this process prints to stderr: a worker's output is no part of its parent's."""
    with suppress(OSError):
        os.dup2(2, 1)
    sys.stdout = sys.stderr


class _Stdout:
    """The standard output of a command: a stream, or stderr while code of plugins runs."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stderr if _running else self._stream, name)


def _stream_on(descriptor: int, stdout: io.TextIOWrapper) -> TextIO:
    """Return a stream like Python's stdout that writes to another file descriptor."""
    stream = open(descriptor, "w", encoding=stdout.encoding, errors=stdout.errors, closefd=False)  # noqa: SIM115  (open as long as the command)
    stream.reconfigure(line_buffering=stdout.line_buffering or stdout.write_through)
    return stream
