"""Restored content is checked before it is used: a checkpoint may come from elsewhere."""

from __future__ import annotations

import math
import types
from typing import Any, Union, get_args, get_origin

import numpy as np

from swarmkit.contract.problem import Problem
from swarmkit.contract.progress import Progress
from swarmkit.contract.validation import evaluate, judge
from swarmkit.running.codec import hints_of, is_record

NUMBERS: dict[Any, Any] = {
    bool: (bool, np.bool_),
    int: (int, np.integer),
    float: (int, float, np.integer, np.floating),
    str: (str,),
}
"""What a field with one of these hints may hold: numpy's scalars count as Python's."""

TOLERANCE = 1e-6
"""How far the score of a restored solution may be from the problem's, relative to its size."""


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is what a type hint announces; hints that say nothing about plain data are not checked.

    >>> fits([1, 2], list[int]), fits("a", int | None)
    (True, False)
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if hint is None or hint is type(None):
        return value is None
    if origin in (Union, types.UnionType):
        return any(fits(value, one) for one in arguments)
    if hint in NUMBERS:
        return isinstance(value, NUMBERS[hint])
    if hint is np.ndarray or origin is np.ndarray:
        return isinstance(value, np.ndarray) and _has_kind(value, arguments)
    if origin is list:
        return isinstance(value, list) and all(fits(item, arguments[0]) for item in value)
    if origin is dict:
        return isinstance(value, dict) and all(fits(item, arguments[1]) for item in value.values())
    if is_record(hint):
        return isinstance(value, hint) and _fields_fit(value)
    return True


def _fields_fit(value: Any) -> bool:
    """Whether every field of a dataclass is what its hint announces."""
    known: Any = type(value)
    return all(fits(getattr(value, name), hint) for name, hint in hints_of(known).items())


def progress_error(progress: Any, problem: Problem) -> str | None:
    """Return what is wrong with the progress of a run on a problem, as a clause, or None."""
    if not fits(progress, Progress):
        return "its progress is not plain numbers"
    trace = vars(progress.trace)
    if len({len(column) for column in trace.values()}) > 1:
        return "the columns of its trace differ in length"
    points = [(column, item) for column, items in trace.items() for item in items]
    for name, value in [*vars(progress).items(), *points]:
        if not _is_sound(name, value):
            return f"its {name} is {value}"
    return _incumbent_error(progress, problem)


def state_error(state: Any, hint: Any) -> str | None:
    """Return what is wrong with a solver's state, as a clause, or None.

    Args:
        state: the restored state; None before the start.
        hint: the type that the solver's `start` announces; None if it announces none.
    """
    if state is None or hint is None or fits(state, hint):
        return None
    return f"its state is not the {getattr(hint, '__name__', hint)} of this solver"


def generator_error(state: Any) -> str | None:
    """Return what is wrong with the state of a run's generator, as a clause, or None."""
    try:
        np.random.PCG64(0).state = state
    except (ValueError, TypeError, KeyError, OverflowError, AttributeError):
        return "the state of its generator is none"
    return None


def _incumbent_error(progress: Progress, problem: Problem) -> str | None:
    """Check the solutions of a progress: the incumbent, and the one claimed since the last mark."""
    for x, score in ((progress.best, progress.score), (progress.claim, progress.claimed)):
        if (x is None) != (score is None):
            return "it has a solution without a score, or a score without one"
        if x is not None and (x.shape != (len(problem.sizes),) or not judge(problem, x[None])[0]):
            return "its best solution is none of this problem"
    return _score_error(progress.best, progress.score, problem)


def _score_error(x: Any, score: float | None, problem: Problem) -> str | None:
    """Compare a stored score with the problem's: what is stored is reported without being scored again."""
    if x is None:
        return None
    right = float(evaluate(problem, x[None])[0])
    if score is None or not abs(score - right) <= TOLERANCE * max(1.0, abs(right)):
        return f"its best solution scores {right}, not {score}"
    return None


def _is_sound(name: str, value: Any) -> bool:
    """Whether a number can be a count, a time or a score: counts fit into 64 bits, nothing but a bound is infinite."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return True
    if isinstance(value, int) or name in ("seconds", "cpu_seconds"):
        return 0 <= value < 2**63
    return math.isfinite(value) or (name == "bound" and not math.isnan(value))


def _has_kind(value: Any, arguments: tuple[Any, ...]) -> bool:
    """Whether an array has numbers of the kind (integers, floats, ...) that `NDArray[...]` names."""
    kinds = get_args(arguments[1]) if len(arguments) == 2 else ()
    if len(kinds) != 1 or not (isinstance(kinds[0], type) and issubclass(kinds[0], np.generic)):
        return True
    return bool(np.issubdtype(value.dtype, kinds[0]) or np.dtype(kinds[0]).kind == value.dtype.kind)
