"""Scores of one solution that are compiled: a function of a solution and plain data, called from compiled loops.

What numba cannot compile runs as it is, in Python, with a warning that names the line.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from swarmkit.contract.arrays import Floats, Solutions
from swarmkit.contract.errors import ProblemError


class CompiledScore(NamedTuple):
    """A function of a solution and the problem's data, and the loop over rows; both are compiled, or neither."""

    one: Callable[..., Any]
    """`score_one(x, data)`."""
    rows: Callable[..., Any] | None
    """A loop that writes the scores of rows of X to an array; None where the function could not be compiled."""


_SCORES: WeakKeyDictionary[Callable[..., Any], CompiledScore] = WeakKeyDictionary()
"""By the function as it was written: it is compiled once in a process."""

_DELTAS: WeakKeyDictionary[Callable[..., Any], Callable[..., Any] | None] = WeakKeyDictionary()
"""The same of the functions that return differences of scores."""


def plain_function(member: Any) -> Callable[..., Any]:
    """Return the function of a class's member: of a static method, or of a function that numba has compiled."""
    function = member.__func__ if isinstance(member, staticmethod) else member
    plain: Callable[..., Any] = getattr(function, "py_func", function)
    return plain


Sample = Callable[[], Solutions]
"""Returns some solutions to compile a function for; it is called once."""


def compiled_score(kind: Any, sample: Sample, data: Any) -> CompiledScore:
    """Return a problem's function of one solution, compiled if numba can.

    Args:
        kind: the class of the problem.
        sample: solutions to compile it for.
        data: its second argument.
    """
    function = kind.compiled_function
    if function not in _SCORES:
        _SCORES[function] = _compile(kind.__name__, function, sample()[0], data)
    return _SCORES[function]


def compiled_delta(kind: Any, sample: Sample, data: Any) -> Callable[..., Any] | None:
    """Return a problem's function of the difference of two scores, compiled; None if it has none, or numba cannot.

    Args:
        kind: the class of the problem.
        sample: solutions whose first and last stage may exchange their candidates: the function is tried on them.
        data: its last argument.

    Raises:
        ProblemError: it does not return the difference.
    """
    function = kind.compiled_delta
    if function is not None and function not in _DELTAS:
        _DELTAS[function] = _compile_delta(kind, function, sample(), data)
    return None if function is None else _DELTAS[function]


def _compile(owner: str, function: Callable[..., Any], x: Solutions, data: Any) -> CompiledScore:
    from numba import njit
    from numba.core.errors import NumbaError

    one = njit(error_model="numpy")(function)

    @njit
    def rows(X: Any, data: Any, scores: Any) -> None:
        for i in range(len(X)):
            scores[i] = one(X[i], data)

    scores = np.empty(1)
    try:
        rows(np.ascontiguousarray(x[None], np.int64), data, scores)
    except NumbaError as error:
        message = f"{owner}.score_one runs as plain Python: {_reason(function, error)}"
        warnings.warn(message, RuntimeWarning, stacklevel=2)
        return CompiledScore(function, None)
    plain = float(function(np.array(x, np.int64), data))
    if not np.isclose(plain, scores[0], rtol=1e-9, atol=1e-12):
        raise ProblemError(
            f"{owner}.score_one returns {plain} in Python and {scores[0]} compiled, for the same solution"
        )
    return CompiledScore(one, rows)


def _compile_delta(kind: Any, function: Callable[..., Any], X: Solutions, data: Any) -> Callable[..., Any] | None:
    from numba import njit
    from numba.core.errors import NumbaError

    owner, score_one = f"{kind.__name__}.delta_one", kind.compiled_function
    delta = njit(error_model="numpy")(function)
    for x in np.ascontiguousarray(X, np.int64):
        y = x.copy()
        y[[0, -1]] = x[[-1, 0]]
        arguments = x, y, np.flatnonzero(x != y), data
        try:
            values = float(function(*arguments)), float(delta(*arguments))
        except NumbaError as error:
            message = f"{owner} is not used: {_reason(function, error)}"
            warnings.warn(message, RuntimeWarning, stacklevel=2)
            return None
        change = float(score_one(y, data)) - float(score_one(x, data))
        if not np.allclose(values, change, rtol=1e-6, atol=1e-6):
            raise ProblemError(
                f"{owner} returns {values[0]} in Python and {values[1]} compiled where score_one changes by {change}"
            )
    return delta


def _reason(function: Callable[..., Any], error: Exception) -> str:
    """Return why a function could not be compiled, with the line."""
    line = getattr(getattr(error, "loc", None), "line", function.__code__.co_firstlineno)
    # The first line of the message says what is wrong; the others are for authors of compilers.
    words = next((text for text in str(error).splitlines() if text.strip() and "pipeline" not in text), "")
    return f"numba cannot compile line {line} of {function.__code__.co_filename} ({words.strip()})"


def score_compiled(problem: Any, X: Solutions) -> Floats:
    """Return the scores of solutions by a compiled `score_one`, by the plain function where it could not be."""
    kind, data = type(problem), problem.data
    X = np.ascontiguousarray(X, np.int64)
    scores = np.empty(len(X))
    if len(X):
        score = compiled_score(kind, lambda: X, data)
        if score.rows is None:
            scores[:] = [score.one(x, data) for x in X]
        else:
            score.rows(X, data, scores)
    return scores
