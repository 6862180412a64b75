"""Iterated local search: what it promises."""

import copy

import numpy as np
import pytest

import swarmkit
from swarmkit.search import Moves, Neighbourhood
from swarmkit.testing.families import BlackBox, Bounded, Shape, random_form
from swarmkit_local.ils import Optima
from swarmkit_local.rounds import TableRounds, TourRounds


def test_it_finds_a_planted_optimum():
    problem = swarmkit.make_problem("synthetic", n=100, planted=True, seed=2)
    assert swarmkit.solve(problem, "ils", seed=1, looks=2_000_000).metrics["share of optimum"] == 1.0


def test_side_by_side_optima_keep_the_constraints():
    problem = Bounded(random_form(Shape(12, 4, 3, "floats", 5)))
    solver, rng = swarmkit.make_solver("ils", optima=4), np.random.default_rng(1)
    state = solver.start(problem, rng)
    rounds = 0
    while rounds < 3:
        found = solver.step(problem, state, rng)
        rounds += found.iterations
    assert swarmkit.judge(problem, state.X).all()
    assert found.score == state.best_score >= state.scores.max()
    assert problem.score(state.X) == pytest.approx(state.scores)


@pytest.mark.parametrize("solver", ["ils", "icm"])
def test_a_large_black_box_gives_something_at_once_and_ends_in_time(solver):
    problem = BlackBox(random_form(Shape(400, 12, 2, "floats", 1)))
    result = swarmkit.solve(problem, solver, seed=1, evaluations=500)
    assert result.evaluations == 500
    assert result.looks == 400 * result.evaluations
    assert len(result.trace.score) > 10
    timed = swarmkit.solve(problem, solver, seed=1, seconds=0.3)
    assert timed.seconds < 0.3 + 0.5  # 0.1 s is promised; the machine may be busy
    assert timed.score > result.trace.score[0]


@pytest.mark.parametrize("distinct", [False, True])
def test_kicks_without_tables_cost_nothing_and_known_scores_are_not_asked_for_again(distinct):
    problem = BlackBox(random_form(Shape(6, 4, 2, "floats", 3), distinct=distinct))
    rows = []
    problem.score = lambda X, score=problem.score: (rows.append(len(X)), score(X))[1]
    solver, rng = swarmkit.make_solver("ils", optima=1), np.random.default_rng(1)
    state = solver.start(problem, rng)
    looks = sum(solver.step(problem, state, rng).looks for _ in range(40))
    assert looks == 6 * sum(rows)
    assert rows[0] <= max(problem.sizes)
    assert sum(rows[1:10]) < 9 * max(problem.sizes)


@pytest.mark.parametrize(
    ("problem", "options", "where"),
    [
        ("synthetic", {"n": 20}, TableRounds),
        ("tsp", {"n": 8}, TourRounds),
        ("tsp", {"n": 7}, TableRounds),
        ("qap", {"n": 8}, TableRounds),
        ("flowshop", {"jobs": 6, "machines": 3}, Optima),
    ],
)
def test_the_structure_of_the_problem_decides_how_it_is_searched(problem, options, where):
    state = swarmkit.make_solver("ils").start(swarmkit.make_problem(problem, **options), np.random.default_rng(1))
    assert type(state) is where


class Pushes(Neighbourhood):
    """A block of a circle moves on by one: no move of the built-in neighbourhoods."""

    def random_moves(self, X, rng):
        Y = X.copy()
        for y in Y:
            i, j = np.sort(rng.choice(X.shape[1], 2, replace=False))
            y[i : j + 1] = np.roll(y[i : j + 1], 1)
        return Moves(Y, np.full(len(X), X.shape[1]))


def test_a_problem_with_tables_is_searched_by_the_neighbourhood_that_it_brings():
    form = random_form(Shape(8, 8, 3, "floats", 1), distinct=True)
    problem = swarmkit.PairwiseProblem(form)
    problem.neighbourhood = lambda: Pushes(problem)
    solver, rng = swarmkit.make_solver("ils"), np.random.default_rng(1)
    state = solver.start(problem, rng)
    assert type(state) is Optima
    found = solver.steps(problem, state, rng, 300)
    assert found.iterations > 0
    assert swarmkit.judge(problem, state.X).all()
    assert found.score == pytest.approx(form.score(found.solution[None])[0])


def boxes():
    """Problems without tables: one whose stages interact here and there, permutations, constraints."""
    return [
        BlackBox(random_form(Shape(12, 4, 2, "floats", 3))),
        BlackBox(random_form(Shape(7, 7, 3, "floats", 3), distinct=True)),
        Bounded(random_form(Shape(10, 4, 3, "floats", 5))),
    ]


@pytest.mark.parametrize("which", range(3))
def test_steps_without_tables_are_as_many_single_steps_and_go_on_from_a_copy(which):
    problem, solver = boxes()[which], swarmkit.make_solver("ils", optima=4)
    one, other = np.random.default_rng(1), np.random.default_rng(1)
    whole, single = solver.start(problem, one), solver.start(problem, other)
    for count in (1, 7, 30, 100):
        together = solver.steps(problem, whole, one, count)
        parts = [solver.step(problem, single, other) for _ in range(count)]
        assert together.looks == sum(part.looks for part in parts)
        assert together.iterations == sum(part.iterations for part in parts)
        assert min(part.looks for part in parts) > 0
        assert (together.score, together.solution.tolist()) == (parts[-1].score, parts[-1].solution.tolist())
        single, other = copy.deepcopy((single, other))
    assert one.bit_generator.state == other.bit_generator.state


def test_where_no_feasible_solution_is_drawn_the_next_step_draws_again():
    class Rare(swarmkit.Problem):
        sizes = (2,) * 12

        def score(self, X):
            return X.sum(axis=1)

        def feasible(self, X):
            return (X.sum(axis=1) <= 1) & self.lucky

    solver, rng, problem = swarmkit.make_solver("ils", optima=40), np.random.default_rng(3), Rare()
    problem.lucky = False
    state = solver.start(problem, rng)
    assert len(state.X) == 0
    found = solver.step(problem, state, rng)
    assert (found.solution, found.score, found.looks) == (None, None, 40 * 12)
    problem.lucky = True
    while found.solution is None:
        found = solver.step(problem, state, rng)
    assert found.score <= 1
