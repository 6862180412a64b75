"""Numbers that kernels and plain code share; without numba, which plain code does not load."""

LEAST = 1e-9
"""A gain counts as an improvement from this share of the largest gain around: anything below may be rounding."""

BEGIN = -1
"""Marks a row of a climb that nothing has been done with yet."""
