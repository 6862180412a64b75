"""Steps of the genetic algorithms: several at once are the same as one by one, and each is bounded."""

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit import PairwiseProblem
from swarmkit.testing.families import BlackBox, Bounded, Judged, Shape, random_form, random_tour
from swarmkit_genetic.ga import Ga
from swarmkit_genetic.p3 import P3
from swarmkit_genetic.tour_ga import TourGa

FORM = random_form(Shape(11, 5, 3, "ties", 3))
PROBLEMS = {
    "tables": PairwiseProblem(random_form(Shape(23, 6, 3, "floats", 2))),
    "black box": BlackBox(FORM),
    "bounded": Bounded(FORM),
    "judged": Judged(FORM),
    "permutation": PairwiseProblem(random_form(Shape(8, 11, 3, "ties", 5), distinct=True)),
    "black box permutation": BlackBox(random_form(Shape(7, 7, 3, "ties", 5), distinct=True)),
    "tour": PairwiseProblem(random_tour(Shape(12, 12, 1, "ties", 6))),
}
FREE = ["tables", "black box", "bounded", "judged"]
SOLVERS = [
    Ga(population=9),
    Ga(population=5, elite=0, selection="roulette", crossover="uniform"),
    Ga(population=4, elite=1, local_search="icm"),
    Ga(population=90, local_search="icm"),
]
TOUR_SOLVERS = [
    TourGa(population=7, initial="nearest", local_search="none"),
    TourGa(population=6, initial="random", local_search="none", crossover_rate=1),
    TourGa(population=5),
    TourGa(population=5, initial="nearest"),
]
CASES = [
    *((solver, kind) for solver in SOLVERS for kind in PROBLEMS),
    *((solver, "tour") for solver in TOUR_SOLVERS),
    *((P3(), kind) for kind in FREE),
]


def begun(solver, kind):
    rng = np.random.default_rng(4)
    return PROBLEMS[kind], solver.start(PROBLEMS[kind], rng), rng


def plain(state):
    """What a state is, as nested lists: all that a run depends on."""
    if isinstance(state, np.ndarray):
        return state.tolist()
    if isinstance(state, list):
        return [plain(value) for value in state]
    return {name: plain(value) for name, value in vars(state).items()} if hasattr(state, "__dict__") else state


def steps_one_by_one(solver, problem, state, rng, count):
    made = [solver.step(problem, state, rng) for _ in range(count)]
    return made[-1]._replace(looks=sum(step.looks for step in made), iterations=sum(step.iterations for step in made))


def told(progress):
    return progress.solution.tolist(), progress.score, progress.looks, progress.iterations


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from([case for case in CASES if not isinstance(case[0], P3)]), st.lists(st.integers(1, 40), max_size=4)
)
def test_steps_are_the_same_however_they_are_divided(case, counts):
    problem, state, rng = begun(*case)
    _, again, same = begun(*case)
    for count in [1, *counts]:
        together = case[0].steps(problem, state, rng, count)
        assert told(together) == told(steps_one_by_one(case[0], problem, again, same, count))
        assert plain(state.X) == plain(again.X)
    a, b = (steps_one_by_one(case[0], problem, *pair, 40) for pair in ((state, rng), (again, same)))  # no scratch
    assert told(a) == told(b)
    assert plain(state.X) == plain(again.X)
    assert rng.random() == same.random()


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(CASES), st.integers(1, 30), st.integers(1, 30))
def test_a_run_goes_on_from_a_copy_as_from_the_original(case, first, more):
    problem, state, rng = begun(*case)
    steps_one_by_one(case[0], problem, state, rng, first)
    again, same = copy.deepcopy((state, rng))
    a, b = (steps_one_by_one(case[0], problem, *pair, more) for pair in ((state, rng), (again, same)))
    assert told(a) == told(b)
    assert plain(state) == plain(again)


@pytest.mark.parametrize(("solver", "kind"), CASES, ids=lambda value: value if isinstance(value, str) else repr(value))
def test_every_step_has_looks_and_is_an_iteration_or_a_piece_of_one(solver, kind):
    problem, state, rng = begun(solver, kind)
    best, iterations = -np.inf, 0
    while iterations < 3:
        step = solver.step(problem, state, rng)
        assert step.looks > 0
        assert step.iterations in (0, 1)
        assert step.score >= best
        assert step.score == pytest.approx(problem.score(step.solution[None])[0])
        best, iterations = step.score, iterations + step.iterations


class Calls(BlackBox):
    """A black box that notes how many solutions it is asked for at once."""

    def __init__(self, form):
        super().__init__(form)
        self.batches = []

    def score(self, X):
        self.batches.append(len(X))
        return super().score(X)


def test_a_generation_is_one_batch():
    problem, rng, solver = Calls(FORM), np.random.default_rng(2), Ga(population=100)
    state = solver.start(problem, rng)
    for _ in range(3):
        solver.step(problem, state, rng)
    assert problem.batches == [100, 98, 98]


@pytest.mark.parametrize(("solver", "most"), [(Ga(population=20, local_search="icm"), 20 * 5), (P3(), 56)])
def test_a_step_scores_no_more_than_a_stage_of_all_children_or_a_pass_over_all_changes(solver, most):
    problem, rng = Calls(FORM), np.random.default_rng(2)
    state = solver.start(problem, rng)
    for _ in range(200):
        problem.batches.clear()
        solver.step(problem, state, rng)
        assert sum(problem.batches) <= most


class Rare(BlackBox):
    """A black box of which hardly any solution is feasible, and in no pattern."""

    def feasible(self, X):
        return (X + 1) @ 7 ** np.arange(X.shape[1]) % 30011 == 17


@pytest.mark.parametrize("solver", [Ga(population=4), P3()], ids=repr)
def test_solutions_are_drawn_until_one_is_feasible(solver):
    problem, rng = Rare(random_form(Shape(16, 6, 3, "ties", 3))), np.random.default_rng(3)
    state = solver.start(problem, rng)
    tries = 0
    while (step := solver.step(problem, state, rng)).score is None:
        tries += 1
        assert (step.looks, step.iterations) == (16, 0)
    assert tries > 0
    assert problem.feasible(step.solution[None]).all()


def test_limits_of_iterations_are_exact():
    for solver, kind in ((Ga(), "black box"), (Ga(local_search="icm", population=8), "tables"), (TourGa(), "tour")):
        assert swarmkit.solve(PROBLEMS[kind], solver, iterations=3).iterations == 3
