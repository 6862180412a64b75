"""Solutions built stage by stage, each candidate in proportion to τ^alpha·η^beta."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.random import Generator

from swarmkit import Bools, Floats, Ints, Pairwise, Problem, RngState, Solutions, construct, evaluate
from swarmkit.search import roulette_wheel

if TYPE_CHECKING:
    from swarmkit_ants.kernels.stage_construction import Tables

FAINTEST = 0.05
"""The least η as a share of the best candidate's: what is never chosen could never be reinforced."""


class BuiltSolutions(NamedTuple):
    """Solutions, their scores, and the looks."""

    solutions: Solutions
    scores: Floats
    looks: int


def build_solutions(
    problem: Problem, k: int, strength: Floats, beta: float, rng_state: RngState, rng: Generator
) -> BuiltSolutions:
    """Build up to k solutions, from a random stage round to it.

    Args:
        problem: any problem.
        k: how many solutions; fewer are returned where feasible ones are hard to find.
        strength: τ^alpha of every slot.
        beta: the exponent of η, the candidate's appeal beside what is chosen.
        rng_state: the state of the kernel's generator, used on problems that are nothing but tables.
        rng: the run's generator, used on all others.
    """
    form = problem.structure.tables
    if form is None or problem.structure.own_appeal:
        return built_by_asking(problem, k, strength, beta, rng)
    from swarmkit_ants.kernels import stage_construction as kernel

    X, scores, largest = np.empty((k, len(form.sizes)), np.int64), np.empty(k), int(form.sizes.max())
    taken = np.zeros((k, largest if form.distinct else 0), np.bool_)
    built = kernel.Built(X, scores, taken, np.empty(largest), np.empty(largest))
    looks = kernel.build_solutions(tables_of(form), kernel.ChoiceRule(strength, beta, FAINTEST), rng_state, built)
    return BuiltSolutions(X, scores, int(looks))


def built_by_asking(problem: Problem, k: int, strength: Floats, beta: float, rng: Generator) -> BuiltSolutions:
    """Build solutions by the problem's own `appeal` and `allowed`, all of them at once."""
    sizes = np.asarray(problem.sizes, np.int64)
    first_slot = np.cumsum(sizes) - sizes
    begin = int(rng.integers(len(sizes)))
    looks = 0
    to_eta = proportional if problem.structure.own_appeal else visibility

    def choose(X: Solutions, stage: int, allowed: Bools) -> Ints:
        nonlocal looks
        looks += allowed.size
        eta = to_eta(np.asarray(problem.appeal(X, stage, stage - 1 if stage else len(sizes) - 1), np.float64))
        slots = slice(first_slot[stage], first_slot[stage] + sizes[stage])
        return roulette_wheel(strength[slots] * eta**beta * allowed, rng.random(len(X)))

    X = construct(problem, k, choose, np.roll(np.arange(len(sizes)), -begin))
    return BuiltSolutions(X, evaluate(problem, X), max(looks + X.size, 1))


def visibility(appeal: Floats) -> Floats:
    """Return η of marginal scores, which have no natural zero: from `FAINTEST` for the row's least to 1 for its most.

    >>> visibility(np.array([[4.0, 6.0, 8.0], [0.0, 0.0, 0.0]])).tolist()
    [[0.05, 0.5, 1.0], [1.0, 1.0, 1.0]]
    """
    least = appeal.min(axis=1, keepdims=True, initial=np.inf)
    extent = appeal.max(axis=1, keepdims=True, initial=-np.inf) - least
    return np.where(extent > 0, np.maximum((appeal - least) / np.where(extent > 0, extent, 1.0), FAINTEST), 1.0)


def proportional(appeal: Floats) -> Floats:
    """Return η where the problem defines how appealing candidates are: in proportion, at least `FAINTEST`.

    >>> proportional(np.array([[4.0, 6.0, 8.0], [0.0, 0.0, 0.0]])).tolist()
    [[0.5, 0.75, 1.0], [1.0, 1.0, 1.0]]
    """
    most = appeal.max(axis=1, keepdims=True, initial=0.0)
    return np.where(most > 0, np.maximum(appeal / np.where(most > 0, most, 1.0), FAINTEST), 1.0)


def tables_of(form: Pairwise) -> Tables:
    """Return a form's tables for the kernel: contiguous rows, weights included, where the form has them."""
    from swarmkit.kernels.compiling import read_only
    from swarmkit_ants.kernels.stage_construction import Tables

    half, flat, rows = form.half_edges, form.flat, form.rows
    if rows is not None:
        ones = np.ones(len(half.start), np.int64)
        sizes = np.repeat(form.sizes, np.diff(half.indptr))
        half = half._replace(start=rows.start, own=ones, other=sizes, weight=ones.astype(np.float64))
        flat = rows.data
    return read_only(Tables(form.offsets, form.unary, read_only(half), flat, form.distinct))
