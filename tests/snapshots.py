"""What solvers show of their state, on small problems of every family that they do not refuse."""

import numpy as np
import pytest

import swarmkit
from swarmkit.contract.problem_view import problem_view
from swarmkit.contract.solver import moments_of
from swarmkit.testing.families import FAMILIES, Shape

STEPS = 4

families = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)


def check_snapshots(name, family, expected, **params):
    """Make some steps, and hold what is shown after each to the problem: solutions and their scores, a numbers' range.

    Args:
        name: the solver.
        family: the family of the problem.
        expected: what must be shown of tables at some time: `solutions`, `current`, …; nothing else need be.
        params: the solver's parameters.
    """
    problem, solver = family.make(Shape(7, 4, 3, "floats", 3)), swarmkit.make_solver(name, **params)
    if solver.refuses(problem) is not None or problem.parts:
        return
    rng, view, names = np.random.default_rng(2), problem_view(problem), set()
    state = solver.start(view, rng)
    for _ in range(STEPS):
        solver.step(view, state, rng)
        for moment in moments_of(solver.snapshot(state)):
            names |= moment.keys()
            rows = [np.asarray(moment["solutions"])] if "solutions" in moment else []
            rows += [np.asarray(moment["current"])[None]] if "current" in moment else []
            for X in rows:
                assert X.ndim == 2
                assert X.shape[1] == len(problem.sizes)
                assert (X >= -1).all()
                assert (X < np.asarray(problem.sizes)).all()
            if "qualities" in moment and "solutions" in moment:
                assert len(moment["qualities"]) == len(moment["solutions"])
    assert family.name != "pairwise" or names >= set(expected), names
