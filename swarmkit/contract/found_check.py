"""Whether what a step returned is what the contract says, before anything is made of it."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

import numpy as np


def nonsense(found: Any, stages: int) -> str | None:
    """Return what is wrong with the fields of a `Found`, as the end of `step returned…`; None if nothing is.

    Args:
        found: the fields that a step has returned.
        stages: the number of stages of the problem.
    """
    for name in ("looks", "iterations"):
        value = getattr(found, name)
        if type(value) is not int and not isinstance(value, Integral):
            return f"{name}={value!r}; expected a whole number"
    for name in ("score", "bound"):
        value = getattr(found, name)
        if value is not None and not _is_number(value):
            return f"{name}={value!r}; expected a finite number"
    if found.solution is not None:
        x = np.asarray(found.solution)
        if x.shape != (stages,) or x.dtype.kind not in "iub":
            return f"a solution of shape {x.shape} and type {x.dtype}; expected {stages} integers, one per stage"
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, float | Real | np.bool_) and math.isfinite(value)
