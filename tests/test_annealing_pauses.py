"""Annealing pauses after any proposal, sweep or row: cut anywhere, a run is the same, and no limit is overstepped."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit import Left, PairwiseProblem
from swarmkit.testing.families import BlackBox, Bounded, Judged, Shape, random_form, random_tour
from swarmkit_annealing.annealing import Annealing
from swarmkit_annealing.neighbourhoods.measurement import MOVES
from swarmkit_annealing.sa import Sa

LOOKS = 15_000

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
    Sa(chains=3, cooling=0.5),
    Annealing(chains=6, shortest=2),
    Annealing(chains=5, shortest=4, block=2),
]


def history(problem, solver, lefts):
    """Return what a run found and spent that pauses where it is told in turn."""
    rng, rows = np.random.default_rng(4), problem.evaluations
    state, best, looks, iterations, done = solver.start(problem, rng), None, 0, 0, False
    while looks < LOOKS and not done:
        left = next(lefts)
        left = left._replace(looks=min(left.looks, LOOKS - looks))
        found = solver.step(problem, state, rng, left)
        assert found.looks > 0
        assert found.iterations <= left.iterations
        looks, iterations, done = looks + found.looks, iterations + found.iterations, found.done
        if found.score is not None and (best is None or found.score > best[0]):
            best = found.score, found.solution.tolist()
    return best, looks, iterations, done, problem.evaluations - rows, rng.random()


limits = st.builds(Left, st.integers(1, 400), st.integers(1, 9), st.integers(1, 3))


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(sorted(PROBLEMS)), st.sampled_from(SOLVERS), st.lists(limits, min_size=1, max_size=5))
def test_a_run_that_is_cut_anywhere_is_the_same(kind, solver, lefts):
    problem = PROBLEMS[kind]
    assert history(problem, solver, itertools.cycle(lefts)) == history(problem, solver, itertools.repeat(Left()))


@pytest.mark.parametrize("kind", sorted(PROBLEMS))
@pytest.mark.parametrize("solver", SOLVERS, ids=repr)
def test_no_step_exceeds_its_looks_by_more_than_a_unit(kind, solver):
    problem, rng = PROBLEMS[kind], np.random.default_rng(2)
    state, n, slots = solver.start(problem, rng), len(problem.sizes), int(np.sum(problem.sizes))
    unit = n if problem.structure.tables is None else 2
    if isinstance(solver, Annealing) and problem.structure.tables is not None:
        # A sweep of the heat bath; a crossover, of components of up to 12 open stages; on tours, the moves of a city.
        unit = max(slots, 5_000) if problem.structure.tour is None else 500
    for most in 25 * (1, 50, 700):
        found = solver.step(problem, state, rng, Left(looks=most))
        assert found.looks < most + unit
        if found.done:
            break


@pytest.mark.parametrize("solver", [Sa(), Annealing()], ids=repr)
@pytest.mark.parametrize("kind", ["black box", "bounded", "judged"])
def test_without_tables_the_start_scores_nothing_and_a_step_no_more_than_it_may(kind, solver):
    problem, rng = PROBLEMS[kind], np.random.default_rng(2)
    before = problem.evaluations
    state = solver.start(problem, rng)
    assert problem.evaluations == before
    for most in (1, 7, 64, 65, 1000):
        before = problem.evaluations
        found = solver.step(problem, state, rng, Left(evaluations=most))
        assert found.score is not None
        assert problem.evaluations - before == most
        assert found.looks == most * len(problem.sizes)


def test_tables_need_no_evaluations():
    for kind in ("tables", "permutation", "tour"):
        result = swarmkit.solve(PROBLEMS[kind], "sa", looks=20_000)
        assert result.evaluations < 200  # improvements that the run scores again, the measurement not


def test_the_first_evaluation_gives_a_solution_and_measuring_takes_the_next():
    problem, rng = BlackBox(FORM), np.random.default_rng(2)
    solver = Sa(chains=4)
    state = solver.start(problem, rng)
    found = solver.step(problem, state, rng, Left(evaluations=1))
    assert not found.solution.any()
    assert problem.evaluations == 1
    while state.measurement is not None:
        solver.step(problem, state, rng, Left(evaluations=1))
    assert problem.evaluations == 1 + 4 + MOVES * 4  # the start once for all chains, the sample, and its moves
    assert state.hot > state.cold > 0


@pytest.mark.parametrize("solver", ["sa", "annealing"])
@pytest.mark.parametrize("kind", ["black box", "tour"])
def test_budgets_are_kept_by_whole_runs(solver, kind):
    problem = PROBLEMS[kind]
    for looks in (100, 1_000, 4_321):
        assert swarmkit.solve(problem, solver, looks=looks).looks < looks + 300
    if kind == "black box":
        for evaluations in (1, 100, 1_000):
            assert swarmkit.solve(problem, solver, evaluations=evaluations).evaluations <= evaluations + 1
    assert swarmkit.solve(problem, solver, iterations=3).iterations == 3


def test_a_longer_budget_gives_the_same_run_only_longer():
    problem = PROBLEMS["black box"]
    short, long = (swarmkit.solve(problem, "annealing", seed=3, looks=looks).trace for looks in (5_000, 50_000))
    assert [s for s, looks in zip(long.score, long.looks, strict=True) if looks <= 4_000] == [
        s for s, looks in zip(short.score, short.looks, strict=True) if looks <= 4_000
    ]
