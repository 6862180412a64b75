"""How kernels are compiled, and the numba types of what they take."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numba import njit, types
from numpy.typing import NDArray

from swarmkit.contract.arrays import Ints
from swarmkit.contract.pairwise import HalfEdges, Links
from swarmkit.kernels.compile_notice import announce_compilation

announce_compilation()

Arrays = TypeVar("Arrays", bound=Any)
"""A named tuple of arrays."""

Index = Any
"""An integer of any width: Python's and numpy's are the same in a kernel."""

BOOL, FLOAT, INT = types.boolean, types.float64, types.int64
FLOATS, INTS, RNG_STATE = FLOAT[::1], INT[::1], types.uint64[::1]
FLOAT_ROWS, INT_ROWS = FLOAT[:, ::1], INT[:, ::1]
# Read-only, because arrays that reach another process as a memory map are; writable ones are accepted too.
GIVEN_FLOATS = types.Array(FLOAT, 1, "C", readonly=True)
GIVEN_INTS = types.Array(INT, 1, "C", readonly=True)
GIVEN_INT_ROWS = types.Array(INT, 2, "C", readonly=True)
GIVEN_FLOAT_ROWS = COST = types.Array(FLOAT, 2, "C", readonly=True)
"""COST: the cost of every edge, a row per city."""
NEAR = types.int32[:, ::1]
"""The nearest neighbours of each city."""
LINKS = types.NamedTuple((GIVEN_INTS, GIVEN_INTS, GIVEN_INT_ROWS, GIVEN_FLOATS, GIVEN_FLOATS), Links)
HALF_EDGES = types.NamedTuple((*(GIVEN_INTS,) * 5, GIVEN_FLOATS), HalfEdges)


def kernel(signature: Any, inline: bool = False) -> Any:
    """Return a decorator that compiles a function for one signature, cached on disk; it cannot allocate arrays.

    Without `_nrt=False` numba counts references whenever one kernel hands an array to another: ten times the work of a
    rejected move.

    Args:
        signature: the return type called with the argument types, for instance `FLOAT(LINKS, INTS, INT)`.
        inline: whether LLVM must inline it where it is called.
    """
    options: dict[str, Any] = {"cache": True, "error_model": "numpy", "forceinline": inline, "_nrt": False}
    return njit(signature, **options)


def inlined(function: Any) -> Any:
    """Return a small function that is only ever compiled into kernels, for whatever types they call it with."""
    options: dict[str, Any] = {"cache": True, "inline": "always", "_nrt": False}
    return njit(**options)(function)


def read_only(given: Arrays) -> Arrays:
    """Return a named tuple with its arrays as read-only views: how types with GIVEN_ arrays in them are declared.

    A writable array converts to a read-only argument, but not inside a tuple.
    """
    return type(given)._make(_view(value) if isinstance(value, np.ndarray) else value for value in given)


def _view(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view


@kernel(types.void(INTS, INTS))
def copy(source: Ints, target: Ints) -> None:
    """Copy a row; an assignment of slices would make a temporary array."""
    for i in range(len(source)):
        target[i] = source[i]
