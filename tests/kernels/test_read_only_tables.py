"""Problems whose tables may only be read, as they are where another process has mapped them into its memory."""

import dataclasses

import numpy as np
import pytest

import swarmkit
from swarmkit import PairwiseProblem
from swarmkit.plugins.host import host
from swarmkit.testing.families import Shape, random_form, random_tour

FORMS = {
    "chain": random_form(Shape(12, 4, 1, "floats", 1)),
    "window": random_form(Shape(12, 4, 3, "floats", 2)),
    "assignment": random_form(Shape(9, 9, 8, "floats", 3), distinct=True, shared=True),
    "tour": random_tour(Shape(12, 4, 1, "floats", 4)),
}
SOLVERS = sorted(offer.name for offer in host().offers("solver"))
OTHERS = [
    ("ga", {"local_search": "icm"}),
    ("tour-ga", {"initial": "nearest", "local_search": "none"}),
    ("tsp-aco", {"local_search": "2opt"}),
    ("tsp-aco", {"local_search": "icm"}),
    ("tsp-aco", {"variant": "acs"}),
    ("tsp-aco", {"construction": "walk"}),
]


def frozen(form):
    """A copy of a form in which nothing can be changed, what it keeps of its half-edges included."""
    copy = dataclasses.replace(form)
    for part in (*vars(copy).values(), *copy.half_edges):
        if isinstance(part, np.ndarray):
            part.flags.writeable = False
    return PairwiseProblem(copy)


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize(("solver", "params"), [(name, {}) for name in SOLVERS] + OTHERS)
def test_every_solver_only_reads_the_tables(solver, params, name):
    problem, made = frozen(FORMS[name]), swarmkit.make_solver(solver, **params)
    if made.refuses(problem):
        return
    result = swarmkit.solve(problem, made, seed=1, iterations=2)
    assert result.steps > 0
    assert result.solution is None or result.score == pytest.approx(problem.score(np.array([result.solution]))[0])
