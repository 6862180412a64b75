"""Climbs with pauses, on every kind of problem, against climbs without; what they pay for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit import Left, PairwiseProblem, UsageError, local_search, random_solutions
from swarmkit.search import climb_together, start_climb
from swarmkit.search.score_neighbourhood import StageClimb
from swarmkit.search.tour_neighbourhood import TourClimb
from swarmkit.testing.families import FAMILIES, BlackBox, Bounded, Shape, problems, random_form, shapes
from tests.plain_tours import exact_tour

seeds = st.integers(0, 999)


class Gaining(BlackBox):
    """A black box that can say its gains."""

    def gains(self, x, stage):
        return self._form.gains(x[None], stage)[0]


def paused(problem, climb, rng, looks):
    """Climb to the end in small portions; return the looks."""
    spent, best = 0, -np.inf
    while not climb.finished:
        used = climb.go_on(problem, rng, Left(looks))
        assert used > 0
        found = climb.found(problem)
        assert found is None or found[1] >= best
        spent, best = spent + used, found[1] if found else best
    return spent


@given(problems() | st.builds(Gaining, st.builds(random_form, shapes())), seeds, st.integers(1, 60))
def test_a_climb_with_pauses_is_one_without(problem, seed, looks):
    X = random_solutions(problem, 3, np.random.default_rng(seed))
    one, other = np.random.default_rng(seed), np.random.default_rng(seed)
    whole = local_search(problem, X, "icm", one)
    climb = start_climb(problem, X, "icm", other)
    assert isinstance(climb, StageClimb)
    spent = paused(problem, climb, other, looks)
    assert (climb.X.tolist(), climb.scores.tolist(), spent) == (
        whole.solutions.tolist(),
        whole.scores.tolist(),
        whole.looks,
    )
    assert one.random() == other.random()
    assert climb.scores == pytest.approx(np.asarray(problem.score(climb.X)))
    if len(X):
        assert climb.found(problem)[1] == pytest.approx(climb.scores.max())


@pytest.mark.parametrize("seed", range(20))
def test_stages_without_a_choice_are_passed_before_a_pause(seed):
    problem, rng = BlackBox(swarmkit.Pairwise.of([1, 3, 1, 2], unary=np.arange(7.0))), np.random.default_rng(seed)
    climb = start_climb(problem, random_solutions(problem, 1, rng), "icm", rng)
    assert paused(problem, climb, rng, 1) == problem.evaluations * 4


@given(st.integers(5, 12), seeds, st.integers(1, 300))
def test_tours_with_pauses_are_those_without(n, seed, looks):
    tour = exact_tour(n, seed)
    form = swarmkit.Pairwise.of([n] * n, [(i, (i + 1) % n, tour.cost, -1.0) for i in range(n)], distinct=True)
    problem, rng = PairwiseProblem(form), np.random.default_rng(seed)
    X = random_solutions(problem, 3, rng)
    whole = local_search(problem, X, "local", rng)
    climb = start_climb(problem, X, "2opt", rng)
    assert isinstance(climb, TourClimb)
    assert paused(problem, climb, rng, looks) == whole.looks
    assert climb.X.tolist() == whole.solutions.tolist()
    assert climb.scores.tolist() == whole.scores.tolist() == form.score(climb.X).tolist()


@pytest.mark.parametrize("make", [BlackBox, Bounded, lambda form: BlackBox(form)])
def test_without_tables_every_look_is_one_of_a_row_that_was_scored(make):
    problem = make(random_form(Shape(12, 5, 3, "signs", 4)))
    X = random_solutions(problem, 7, np.random.default_rng(1))
    before = problem.evaluations
    looks = local_search(problem, X, "icm", np.random.default_rng(1)).looks
    assert looks == 12 * (problem.evaluations - before)


def test_a_pause_comes_after_one_stage_of_one_solution():
    problem = BlackBox(random_form(Shape(30, 6, 3, "signs", 4)))
    X = random_solutions(problem, 7, np.random.default_rng(1))
    climb, before = start_climb(problem, X, "icm", np.random.default_rng(1)), problem.evaluations
    for limit in (Left(looks=1), Left(evaluations=1), Left(looks=1)):
        climb.go_on(problem, np.random.default_rng(1), limit)
        assert 0 < problem.evaluations - before <= 6
        before = problem.evaluations


def test_rows_are_scored_in_as_large_batches_as_may_be():
    problem, sizes = BlackBox(random_form(Shape(10, 6, 3, "signs", 4))), []
    score = problem.score
    problem.score = lambda X: (sizes.append(len(X)), score(X))[1]
    climb = start_climb(
        problem, random_solutions(problem, 50, np.random.default_rng(1)), "icm", np.random.default_rng(1)
    )
    climb.go_on(problem, np.random.default_rng(1), Left(looks=1000))
    assert max(sizes) >= 90


@given(shapes())
def test_what_is_infeasible_is_not_scored(shape):
    class Strict(Bounded):
        def score(self, X):
            assert self.feasible(X).all()
            return super().score(X)

    problem = Strict(random_form(shape))
    X = random_solutions(problem, 3, np.random.default_rng(1))
    climbed = local_search(problem, X, "icm", np.random.default_rng(1))
    assert problem.feasible(climbed.solutions).all()


def test_a_large_black_box_is_climbed_by_a_few_solutions_in_batches_that_pay():
    small, large = (BlackBox(random_form(Shape(n, 12, 1, "floats", 1))) for n in (5, 400))
    assert climb_together(small) > 20
    assert climb_together(large) == 6
    assert climb_together(PairwiseProblem(random_form(Shape(400, 12, 1, "floats", 1)))) >= 1


def test_local_searches_that_do_not_fit_are_refused_in_words():
    problem = FAMILIES[0].make(Shape(4, 3, 2, "floats", 1))
    X = random_solutions(problem, 1, np.random.default_rng(1))
    with pytest.raises(UsageError, match="'2opt' is for symmetric tours"):
        local_search(problem, X, "2opt", np.random.default_rng(1))
    with pytest.raises(UsageError, match="no local search named 'steep'"):
        local_search(problem, X, "steep", np.random.default_rng(1))
