"""How kernels are compiled, the numba types of what they take, and a note on stderr when compiling takes a while."""

from __future__ import annotations

import sys
import threading
import time
from typing import Any, TypeVar

import numpy as np
from numba import njit, types
from numba.core import event
from numpy.typing import NDArray

from swarmkit.contract.arrays import Ints
from swarmkit.contract.deprecated import warn_of_name
from swarmkit.contract.pairwise import HalfEdges, Links

Arrays = TypeVar("Arrays", bound=Any)
"""A named tuple of arrays."""

Index = Any
"""An integer of any width: Python's and numpy's are the same in a kernel."""

BOOL, FLOAT, INT = types.boolean, types.float64, types.int64
FLOATS, INTS, RNG_STATE = FLOAT[::1], INT[::1], types.uint64[::1]
FLOAT_ROWS, INT_ROWS = FLOAT[:, ::1], INT[:, ::1]
# Read-only, because arrays that reach another process as a memory map are; writable ones are accepted too.
READONLY_FLOATS = types.Array(FLOAT, 1, "C", readonly=True)
READONLY_INTS = types.Array(INT, 1, "C", readonly=True)
READONLY_INT_ROWS = types.Array(INT, 2, "C", readonly=True)
READONLY_FLOAT_ROWS = COST = types.Array(FLOAT, 2, "C", readonly=True)
"""COST: the cost of every edge, a row per city."""
NEAR = types.int32[:, ::1]
"""The nearest neighbours of each city."""
LINKS = types.NamedTuple((READONLY_INTS, READONLY_INTS, READONLY_INT_ROWS, READONLY_FLOATS, READONLY_FLOATS), Links)
HALF_EDGES = types.NamedTuple((*(READONLY_INTS,) * 5, READONLY_FLOATS), HalfEdges)

_READONLY = ["FLOATS", "INTS", "INT_ROWS", "FLOAT_ROWS"]


def __getattr__(name: str) -> Any:
    """Return a type by its spelling of version 0.2, with a warning."""
    kind = name.removeprefix("GIVEN_")
    if kind == name or kind not in _READONLY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warn_of_name(name, f"READONLY_{kind}", __name__)
    return globals()[f"READONLY_{kind}"]


PATIENCE = 1.0
"""Seconds of compilation in a process before it says so."""

NOTICE = "swarmkit: compiling kernels; this happens once, the next run loads them from the cache"


class CompileNotice(event.Listener):
    """Print a note once a process has compiled our kernels for longer than PATIENCE; loading cached ones is silent."""

    def __init__(self) -> None:
        self._silent, self._seconds, self._depth, self._start = False, 0.0, 0, 0.0
        self._timer: threading.Timer | None = None

    def on_start(self, event: Any) -> None:
        """Start the clock when a kernel is compiled, which happens only if the cache does not have it."""
        self._depth += 1
        # Kernels compile those that they call: only the outermost counts.
        if self._depth > 1 or self._silent or not _is_swarmkit(event):
            return
        self._start = time.perf_counter()
        # A timer and not a look at the end: the note has to come while somebody waits.
        self._timer = threading.Timer(max(0.0, PATIENCE - self._seconds), self._say)
        self._timer.daemon = True
        self._timer.start()

    def on_end(self, event: Any) -> None:
        """Stop the clock."""
        self._depth -= 1
        if self._depth == 0 and self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._seconds += time.perf_counter() - self._start

    def _say(self) -> None:
        if not self._silent:
            self._silent = True
            print(NOTICE, file=sys.stderr, flush=True)


def _is_swarmkit(event: Any) -> bool:
    """Whether it is about a kernel of swarmkit or of one of its plugins."""
    return str(event.data["dispatcher"].py_func.__module__).startswith("swarmkit")


event.register("numba:compile", CompileNotice())


def kernel(signature: Any, inline: bool = False) -> Any:
    """Return a decorator that compiles a function for one signature, cached on disk; it cannot allocate arrays.

    Without `_nrt=False` numba counts references whenever one kernel hands an array to another: ten times the work of a
    rejected move.

    Args:
        signature: the return type called with the argument types, for instance `FLOAT(LINKS, INTS, INT)`.
        inline: whether LLVM must inline it where it is called.
    """
    # error_model numpy: a division by zero gives inf instead of a check before every division.
    options: dict[str, Any] = {"cache": True, "error_model": "numpy", "forceinline": inline, "_nrt": False}

    def build(function: Any) -> Any:
        try:
            return njit(signature, **options)(function)
        except (ImportError, AttributeError):
            # numba unpickles its index before it compares time stamps: one that another version of this package has
            # written may name a type that has moved since.
            njit(**options)(function)._cache.flush()
            return njit(signature, **options)(function)

    return build


def inlined(function: Any) -> Any:
    """Return a small function that is only ever compiled into kernels, for whatever types they call it with."""
    options: dict[str, Any] = {"cache": True, "inline": "always", "_nrt": False}
    return njit(**options)(function)


def read_only(arrays: Arrays) -> Arrays:
    """Return a named tuple with its arrays as read-only views: how types with READONLY_ arrays in them are declared.

    A writable array converts to a read-only argument, but not inside a tuple.
    """
    return type(arrays)._make(_view(value) if isinstance(value, np.ndarray) else value for value in arrays)


def _view(array: NDArray[Any]) -> NDArray[Any]:
    # A view shares the memory, and the flag is its own.
    view = array.view()
    view.flags.writeable = False
    return view


@kernel(types.void(INTS, INTS))
def copy(source: Ints, target: Ints) -> None:
    """Copy a row; an assignment of slices would make a temporary array."""
    for i in range(len(source)):
        target[i] = source[i]
