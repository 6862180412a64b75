"""Compiled kernels on the pairwise form, each with a plain numpy twin that tests hold it to.

Import a module of this package inside a function, never at the top of a solver: it brings numba (0.3 s) and compiles
what is not cached yet. Kernels are compiled once for fixed signatures and cached on disk. Arrays they take are
C-contiguous; random numbers come from `swarmkit.kernels.chance`, whose four words are part of a solver's State.
"""

from typing import Any

Index = Any
"""An integer of any width: what is one in Python and what is one in numpy are the same in a kernel."""
