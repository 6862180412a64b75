"""What the search leaves for polishing, and what polishing may use."""

import numpy as np
import pytest

import swarmkit
from swarmkit import Budget
from swarmkit.running.polishing import polishing_budget, search_budget
from swarmkit.running.specification import make_spec


def spec(polish, **limits):
    problem = swarmkit.make_problem("synthetic", n=5)
    return make_spec(problem, swarmkit.make_solver("icm"), 1, Budget(**limits), polish=polish)


def test_without_polishing_the_search_has_the_whole_budget():
    limits = {"looks": 1000, "seconds": 3.0, "iterations": 7}
    assert search_budget(spec("none", **limits)) == Budget(**limits)


def test_a_tenth_of_looks_evaluations_and_seconds_is_kept_and_other_limits_stay():
    found = search_budget(spec("icm", looks=1001, evaluations=99, seconds=2.0, iterations=7, patience=5, target=3.0))
    assert (found.looks, found.evaluations) == (900, 89)
    assert found.seconds == pytest.approx(1.8)
    assert (found.iterations, found.patience, found.target) == (7, 5, 3.0)
    assert search_budget(spec("icm", looks=1)).looks == 1


def test_polishing_ends_with_the_limits_that_have_a_reserve_and_no_others():
    limits = polishing_budget(spec("icm", looks=1000, seconds=2.0, iterations=7, patience=5, target=3.0))
    assert limits == Budget(looks=1000, seconds=2.0)


class Costs(swarmkit.Problem):
    """The number of stages that are not 0, of which only the score is known."""

    sizes, direction = (2,) * 40, "minimise"

    def score(self, X):
        return X.sum(axis=1) * 1.0


def test_polishing_a_black_box_spends_the_reserve_on_rows_and_extends_the_trace():
    result = swarmkit.solve(Costs(), "random", evaluations=500, polish="icm")
    assert result.search_evaluations == 450
    assert 450 < result.evaluations <= 500
    assert result.polish_looks == result.looks - result.search_looks == 40 * (result.evaluations - 450)
    rough = swarmkit.solve(Costs(), "random", evaluations=450)
    assert result.score > rough.score
    assert result.trace.score[: len(rough.trace.score)] == rough.trace.score
    assert result.trace.score[-1] == result.score
    assert result.trace.looks[-1] == result.looks


def test_fixed_stages_stay_what_they_are_in_polishing():
    result = swarmkit.solve(Costs(), "random", evaluations=2000, polish="icm", fixed={3: 1, 7: 1})
    assert result.cost == 2.0
    assert np.flatnonzero(result.solution).tolist() == [3, 7]
