"""The fingerprint of a problem: a hash of its content, by which a changed input is noticed."""

from __future__ import annotations

import hashlib
import time
from typing import Any

import numpy as np

from swarmkit.contract.arrays import Ints, Solutions

TIMED_TWICE = 1e-3
"""Seconds of an evaluation from which it is timed a second time."""


def fingerprint_of(problem: Any) -> str:
    """Return a hash of a problem's sizes and tables, or without tables of the scores of a few fixed solutions.

    Of a problem without tables, the seconds of an evaluation are measured with it.
    """
    sizes = np.asarray(problem.sizes, np.int64)
    costs = ["minimise"] if problem.direction == "minimise" else []
    digest = hashlib.sha256(repr((type(problem).__qualname__, problem.distinct, *costs)).encode())
    form = problem.pairwise()
    if form is not None:
        parts = [form.unary, form.edges, form.starts, form.weights, form.flat]
    else:
        X = probes(sizes, problem.distinct)
        scores = np.asarray(_timed_scores(problem, X), np.float64)
        parts = [scores, np.asarray(problem.feasible(X), bool)]
    for part in [sizes, *parts]:
        digest.update(np.ascontiguousarray(part).data)  # a buffer, not a copy: tables may take most of the memory
    return digest.hexdigest()


def probes(sizes: Ints, distinct: bool) -> Solutions:
    """Return a few fixed pseudo-random solutions."""
    rng = np.random.Generator(np.random.PCG64(0))
    if distinct and len(sizes):
        return np.array([rng.permutation(sizes[0])[: len(sizes)] for _ in range(16)])
    return rng.integers(sizes, size=(16, len(sizes)))


def _timed_scores(problem: Any, X: Solutions) -> Any:
    """Return the scores of solutions, and set `evaluation_seconds`: what takes long is timed twice (compiling)."""
    begun = time.perf_counter()
    scores = problem.score(X)
    seconds = (time.perf_counter() - begun) / len(X)
    if seconds >= TIMED_TWICE:
        begun = time.perf_counter()
        problem.score(X[:1])
        seconds = min(seconds, time.perf_counter() - begun)
    object.__setattr__(problem, "evaluation_seconds", seconds)  # not an assignment: it may be a frozen dataclass
    return scores
