"""Where plugins print: to stderr, so that what a command writes to stdout (a JSON document) stays readable."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from swarmkit.plugins.held_interrupt import HeldInterrupt

_lock = threading.Lock()
_diverting = False
_depth = 0


@contextmanager
def plugin_output_diverted() -> Iterator[None]:
    """Let `plugin_output` divert inside: the command line asks for it, a Python program prints where it likes."""
    global _diverting
    before, _diverting = _diverting, True
    try:
        yield
    finally:
        _diverting = before


@contextmanager
def plugin_output() -> Iterator[None]:
    """Send what is printed inside to stderr, from C as well, if the command line asked for it.

    Ctrl-C may come at any moment, and a stdout that stays diverted after it would lose the answer that is printed then.
    """
    if not _diverting:
        yield
        return
    entered = False
    try:
        with HeldInterrupt():
            _enter()
            entered = True
        yield
    finally:
        try:
            with HeldInterrupt():
                if entered:
                    entered = False
                    _leave()
        finally:  # interrupted on the way into the block above
            if entered:
                _leave()


def _enter() -> None:
    global _depth
    with _lock:  # runs may be made in several threads, which share one stdout
        _depth += 1
        if _depth == 1:
            _outermost.enter()


def _leave() -> None:
    global _depth
    with _lock:
        _depth -= 1
        if _depth == 0:
            _outermost.leave()


def divert_for_good() -> None:
    """Send everything that this process prints to stderr: a worker's output is no part of its parent's."""
    _outermost.enter()


class _Diversion:
    """Python's stdout and the file descriptor 1, replaced by those of stderr."""

    def enter(self) -> None:
        self._stdout, self._copy = sys.stdout, None
        with suppress(OSError, ValueError, AttributeError):  # a stdout that is closed, or none
            self._stdout.flush()
            self._copy = os.dup(1)
            os.dup2(2, 1)
        sys.stdout = sys.stderr

    def leave(self) -> None:
        sys.stdout = self._stdout
        if self._copy is not None:
            _flush_c()
            os.dup2(self._copy, 1)
            os.close(self._copy)

    _copy: int | None = None


_outermost = _Diversion()


def _flush_c() -> None:
    """Write out what C functions have printed and libc still holds."""
    import ctypes

    with suppress(OSError, AttributeError, TypeError):  # TypeError: Windows, where there is no such library
        ctypes.CDLL(None).fflush(None)
