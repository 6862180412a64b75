"""Compiled building blocks on the pairwise form, shared by solvers: each has a plain twin that tests hold it to.

Import a module of this package inside a function or in a kernel module of your own, never at the top of a solver: it
brings numba (0.3 s) and compiles what is not cached yet. Kernels are compiled for fixed signatures and cached on disk;
arguments that belong together travel as one named tuple. Arrays are C-contiguous. After editing a kernel that others
import, delete the `__pycache__` folders: numba's cache looks at one file only.
"""
