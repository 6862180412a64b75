"""What may be rounding; without numba, so that plain code reads it too."""

LEAST = 1e-9
"""A gain counts as an improvement from this share of the largest gain around: anything below may be rounding."""
