"""Ants that build solutions stage by stage, against the marginal scores of the tables; and by asking the problem."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit import Problem
from swarmkit.kernels import rng
from swarmkit.search import rng_state, roulette_wheel
from swarmkit.testing.families import BlackBox, Bounded, Shape, random_form, shapes
from swarmkit_ants.stages import AskingTrail, TableTrail, visibility
from swarmkit_ants.tsp_aco import TspAco

seeds = st.integers(0, 2**32 - 1)


def build_all(trail, problem, seed=1, params=None):
    """A colony with random pheromone whose ants have built the solutions of an iteration, the looks, and the steps."""
    trail, generator = trail(problem, TspAco(**params or {}).params), np.random.default_rng(seed)
    colony = trail.start(generator)
    colony.rng_state = rng_state(np.random.default_rng(seed))
    colony.pheromone = random_pheromone(problem, seed)
    looks, steps = trail.construct(problem, colony, generator), 1
    while colony.attempts:
        looks, steps = looks + trail.construct(problem, colony, generator), steps + 1
    return colony, looks, steps


def random_pheromone(problem, seed):
    return np.random.default_rng(seed).random(int(np.sum(problem.sizes))) + 0.1


@given(shapes(), st.booleans(), seeds, st.sampled_from([0.5, 1.0, 2.0]))
def test_solutions_are_built_as_plainly_told(shape, distinct, seed, beta):
    problem = swarmkit.PairwiseProblem(random_form(shape, distinct=distinct, shared=distinct))
    form, n = problem.form, shape.n
    colony, looks, _ = build_all(TableTrail, problem, seed, {"ants": 2, "beta": beta})
    plain = rng_state(np.random.default_rng(seed))
    built, first = np.full((2, n), -1), int(rng.below(plain, n))
    for stage in np.roll(np.arange(n), -first):
        values = form.marginals(built, int(stage))
        eta = visibility(values, values.min(axis=1, keepdims=True))
        slots = slice(form.offsets[stage], form.offsets[stage + 1])
        weights = colony.pheromone[slots] * eta**beta * problem.allowed(built, stage)
        built[:, stage] = roulette_wheel(weights, np.array([rng.uniform(plain), rng.uniform(plain)]))
    assert built.tolist() == colony.routes.tolist()
    assert np.allclose(colony.scores, form.score(built))
    assert looks == 2 * form.sizes.sum()
    assert (plain == colony.rng_state).all()


@given(shapes(), st.booleans(), seeds)
def test_where_nothing_but_the_score_is_known_ants_follow_the_pheromone_alone(shape, distinct, seed):
    form = random_form(shape, distinct=distinct)
    colony, looks, _ = build_all(TableTrail, BlackBox(form), seed, {"ants": 3})
    without = swarmkit.PairwiseProblem(swarmkit.Pairwise.of(form.sizes, distinct=distinct))
    assert (build_all(TableTrail, without, seed, {"ants": 3})[0].routes == colony.routes).all()
    assert np.allclose(colony.scores, form.score(colony.routes))
    assert looks == colony.routes.size


@pytest.mark.parametrize("trail", [TableTrail, AskingTrail])
def test_solutions_that_are_to_climb_are_not_scored_before(trail):
    problem = BlackBox(random_form(Shape(9, 4, 2, "floats", 1)))
    colony, _, _ = build_all(trail, problem, params={"ants": 5, "local_search": "icm"})
    assert (colony.routes >= 0).all()
    assert (colony.scores == -np.inf).all()
    assert problem.evaluations == 0


@given(shapes(), seeds)
def test_ants_that_ask_build_feasible_solutions(shape, seed):
    problem = Bounded(random_form(shape))
    colony, _, _ = build_all(AskingTrail, problem, seed, {"ants": 4})
    assert swarmkit.judge(problem, colony.routes).all()
    assert np.allclose(colony.scores, problem.score(colony.routes))


class Fair(Problem):
    """Coins of which exactly half show heads: most ants end in a dead end, because `allowed` does not say so before."""

    sizes = (2,) * 6

    def score(self, X):
        return X[:, 0].astype(float)

    def feasible(self, X):
        return X.sum(axis=1) == 3


class Impossible(Fair):
    """Coins that may never lie as they lie."""

    def feasible(self, X):
        return np.zeros(len(X), bool)


def test_a_problem_without_solutions_costs_looks_and_is_given_up():
    problem, generator = Impossible(), np.random.default_rng(1)
    solver = swarmkit.make_solver("tsp-aco")
    state = solver.start(problem, generator)
    made = [solver.step(problem, state, generator) for _ in range(40)]
    assert [step.solution for step in made] == [None] * 40
    assert all(step.looks > 0 for step in made)
    assert [step.iterations for step in made] == ([0] * 19 + [1]) * 2


def test_a_first_ant_goes_ahead_of_the_others():
    problem = Bounded(random_form(Shape(9, 4, 2, "floats", 1)))
    solver, generator = swarmkit.make_solver("tsp-aco"), np.random.default_rng(1)
    state = solver.start(problem, generator)
    assert solver.step(problem, state, generator).iterations == 0
    assert len(state.routes) == 1
    assert solver.step(problem, state, generator).iterations == 1
    assert len(state.routes) == 25


def test_ants_that_end_in_a_dead_end_begin_again():
    colony, _, steps = build_all(AskingTrail, Fair())
    assert (colony.routes.sum(axis=1) == 3).all()
    assert len(colony.routes) == 25
    assert steps > 2
    assert (colony.scores == colony.routes[:, 0]).all()
