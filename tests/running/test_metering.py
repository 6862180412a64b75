"""The incumbent: what a claim may be worth, and which of two solutions or bounds stays."""

import numpy as np
import pytest

import swarmkit
from swarmkit import SolverError, StepResult
from swarmkit.contract.progress import Progress
from swarmkit.running.metering import Incumbent


class Constant(swarmkit.Problem):
    """Every solution scores the same."""

    sizes = (3,) * 4

    def score(self, X):
        return np.full(len(X), 1000.0)


@pytest.fixture
def incumbent():
    problem = Constant()
    return Incumbent(problem, problem, "claimer")


def test_a_claim_may_differ_from_the_score_by_rounding_and_no_more(incumbent):
    for claim in (1000.0005, 999.9995):
        incumbent.take(Progress(), np.zeros((1, 4), int), claim)
    for claim in (1000.01, 999.99):
        with pytest.raises(SolverError, match=r"'claimer' claimed a score of .*; the problem says 1000"):
            incumbent.take(Progress(), np.zeros((1, 4), int), claim)


def test_of_equally_good_solutions_the_first_stays_the_incumbent(incumbent):
    progress = Progress()
    for candidate in (1, 2):
        incumbent.claim(progress, np.full(4, candidate), 1000.0 + candidate * 1e-5)
        incumbent.accept(progress)
    assert progress.best.tolist() == [1] * 4
    assert progress.score == 1000.0
    assert incumbent.take(progress, np.zeros((2, 4), int)).tolist() == [1000.0, 1000.0]
    assert progress.best.tolist() == [1] * 4


def test_the_lowest_of_several_bounds_stays(incumbent):
    progress = Progress()
    for bound, tightest in ((1200.0, 1200.0), (1300.0, 1200.0), (1100.0, 1100.0)):
        progress.bound = incumbent.tightest_bound(progress, bound)
        assert progress.bound == tightest


def test_a_bound_that_is_the_score_but_for_rounding_is_the_score_and_one_below_it_is_an_error(incumbent):
    progress = Progress()
    progress.score = 1000.0
    assert [incumbent.tightest_bound(progress, bound) for bound in (1000 - 5e-7, 1000 + 5e-7)] == [1000.0, 1000.0]
    assert incumbent.tightest_bound(progress, 1000 + 1e-5) == 1000 + 1e-5
    with pytest.raises(SolverError, match="there is a score of 1000"):
        incumbent.tightest_bound(progress, 1000 - 1e-5)


@pytest.mark.parametrize("looks", [0, -1])
def test_a_step_has_looks_unless_the_solver_is_done(incumbent, looks):
    solver = swarmkit.make_solver("icm")
    with pytest.raises(SolverError, match="at least 1 is expected"):
        incumbent.record(Progress(), StepResult(None, None, looks), solver)
    with pytest.raises(SolverError):
        incumbent.record(Progress(), StepResult(None, None, 1, iterations=-1), solver)
    progress = Progress()
    incumbent.record(progress, StepResult(None, None, 0, done=True), solver)
    assert (progress.done, progress.looks, progress.iterations) == (True, 0, 1)
