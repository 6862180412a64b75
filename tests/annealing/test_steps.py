"""Steps of annealing: however many are made at once a run is the same, copies go on alike, and each is bounded."""

import copy
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit import PairwiseProblem
from swarmkit.testing.families import BlackBox, Bounded, Judged, Shape, random_form, random_tour
from swarmkit_annealing.annealing import Annealing
from swarmkit_annealing.sa import Sa
from swarmkit_annealing.search_state import MOVES, PROPOSALS

# Whole numbers: rows and batches have exactly the same scores, and equal scores are frequent.
FORM = random_form(Shape(11, 5, 3, "ties", 3))


class OwnGains(BlackBox):
    """A black box that computes gains itself."""

    def gains(self, x, stage):
        return self._form.gains(x[None], stage)[0]


class BoundedTables(Bounded):
    """Tables with a constraint."""

    def pairwise(self):
        return self._form


PROBLEMS = {
    "tables": PairwiseProblem(random_form(Shape(23, 6, 3, "floats", 2))),
    "ties": PairwiseProblem(FORM),
    "permutation": PairwiseProblem(random_form(Shape(8, 11, 3, "ties", 5), distinct=True)),
    "tour": PairwiseProblem(random_tour(Shape(12, 12, 1, "ties", 6))),
    "black box": BlackBox(FORM),
    "black box permutation": BlackBox(random_form(Shape(7, 7, 3, "ties", 5), distinct=True)),
    "own gains": OwnGains(FORM),
    "bounded": Bounded(FORM),
    "bounded tables": BoundedTables(FORM),
    "judged": Judged(FORM),
}
SOLVERS = [
    Sa(chains=6),
    Sa(chains=3, cooling=0.5, proposals=7),
    Annealing(chains=6, shortest=2),
    Annealing(chains=5, shortest=4, block=2),
]
STEPS = 300


def plain(state):
    """A state as nested lists."""
    if isinstance(state, np.ndarray):
        return state.tolist()
    return {name: plain(value) for name, value in vars(state).items()} if hasattr(state, "__dict__") else state


def history(problem, solver, counts, copied=False):
    """Return what a run has found and spent after some steps, as many at once as `counts` say, and its state."""
    rng, rows = np.random.default_rng(4), problem.evaluations
    state, looks, iterations = solver.start(problem, rng), 0, 0
    for count in counts:
        if copied:
            state, rng = copy.deepcopy((state, rng))
        found = solver.steps(problem, state, rng, count)
        looks, iterations = looks + found.looks, iterations + found.iterations
        if found.done:
            break
    best = found.score, found.solution.tolist()
    return best, looks, iterations, found.done, problem.evaluations - rows, rng.random(), plain(state)


def split(total, counts):
    """Repeat counts until they add up to a total."""
    made = 0
    while made < total:
        for count in counts:
            yield min(count, total - made)
            made += min(count, total - made)
            if made == total:
                return


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from(sorted(PROBLEMS)),
    st.sampled_from(SOLVERS),
    st.lists(st.integers(1, 90), min_size=1, max_size=4),
    st.booleans(),
)
def test_steps_at_once_are_the_steps_one_by_one_and_copies_go_on_alike(kind, solver, counts, copied):
    assert history(PROBLEMS[kind], solver, split(STEPS, counts), copied) == one_by_one(kind, solver)


@cache
def one_by_one(kind, solver):
    """The history of steps made one by one, which does not depend on the example."""
    return history(PROBLEMS[kind], solver, split(STEPS, [1]))


@pytest.mark.parametrize("kind", sorted(PROBLEMS))
@pytest.mark.parametrize("solver", SOLVERS, ids=repr)
def test_every_step_is_a_sweep_or_a_bounded_piece(kind, solver):
    problem, rng = PROBLEMS[kind], np.random.default_rng(2)
    state, slots = solver.start(problem, rng), int(np.sum(problem.sizes))
    most = 5_000  # looks of a crossover of components of up to 12 open stages
    for _ in range(STEPS):
        before = problem.evaluations
        found = solver.step(problem, state, rng)
        assert found.looks > 0
        assert found.iterations in (0, 1)
        assert problem.evaluations - before <= max(PROPOSALS, MOVES + 1) * solver.params.chains + 1
        if problem.structure.tables is not None:
            assert found.looks <= max(most, 20 * slots)
        if found.done:
            break


@pytest.mark.parametrize("solver", [Sa(), Annealing()], ids=repr)
def test_the_first_step_of_chains_scores_the_start_and_measures_the_temperature(solver):
    problem, rng = BlackBox(FORM), np.random.default_rng(2)
    state = solver.start(problem, rng)
    assert problem.evaluations == 0
    found = solver.step(problem, state, rng)
    chains = solver.params.chains
    first = 1 if isinstance(solver, Sa) else 0  # the first candidates, once for all chains
    assert problem.evaluations == first + chains + MOVES * chains
    assert (found.looks, found.iterations) == (problem.evaluations * len(problem.sizes), 0)
    assert state.hot > state.cold > 0


@pytest.mark.parametrize("solver", [Sa(chains=4), Annealing(chains=4)], ids=repr)
def test_given_solutions_are_the_only_ones_that_are_scored_at_the_start(solver):
    problem, rng = BlackBox(FORM), np.random.default_rng(2)
    state = solver.start(problem, rng)
    X = swarmkit.random_solutions(problem, 2, rng)
    solver.inject(problem, state, X, problem.score(X), rng)
    before = problem.evaluations
    solver.step(problem, state, rng)
    assert problem.evaluations - before == 2 + MOVES * 2
    assert state.annealer.X.tolist() == np.repeat(X, 2, axis=0).tolist()


@pytest.mark.parametrize("solver", ["sa", "annealing"])
@pytest.mark.parametrize("kind", ["black box", "bounded", "judged", "black box permutation"])
def test_evaluations_are_exact_at_every_limit(solver, kind):
    for limit in (1, 2, 9, 170, 171, 400, 1_201):
        result = swarmkit.solve(PROBLEMS[kind], solver, evaluations=limit)
        assert result.evaluations == limit or result.stopped == "done"


@pytest.mark.parametrize("solver", ["sa", "annealing"])
@pytest.mark.parametrize("kind", sorted(PROBLEMS))
def test_iterations_are_exact(solver, kind):
    for limit in (1, 3, 40):
        assert swarmkit.solve(PROBLEMS[kind], solver, iterations=limit).iterations <= limit


def test_tables_need_no_evaluations():
    for kind in ("tables", "permutation", "tour"):
        result = swarmkit.solve(PROBLEMS[kind], "sa", looks=20_000)
        assert result.evaluations < 200  # improvements that the run scores again, the measurement not


def test_a_longer_budget_gives_the_same_run_only_longer():
    problem = PROBLEMS["black box"]
    short, long = (swarmkit.solve(problem, "annealing", seed=3, looks=looks).trace for looks in (5_000, 50_000))
    assert [s for s, looks in zip(long.score, long.looks, strict=True) if looks <= 4_000] == [
        s for s, looks in zip(short.score, short.looks, strict=True) if looks <= 4_000
    ]
