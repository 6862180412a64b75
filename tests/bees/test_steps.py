"""Steps of bees: made at once or one by one, from the state or a copy of it, they are the same; damage is refused."""

import copy
import itertools
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit import PairwiseProblem, Problem
from swarmkit.running.run import Run
from swarmkit.running.specification import make_spec
from swarmkit.testing.families import BlackBox, Bounded, Judged, Shape, random_form, random_tour
from swarmkit_bees.bco import Bco
from swarmkit_bees.dbees import DBees

# Whole numbers: rows and batches have exactly the same scores.
FORM = random_form(Shape(11, 5, 3, "ties", 3))
PROBLEMS = {
    "tables": PairwiseProblem(random_form(Shape(23, 6, 3, "floats", 2))),
    "whole numbers": PairwiseProblem(FORM),
    "permutation": PairwiseProblem(random_form(Shape(8, 8, 3, "ties", 5), distinct=True)),
    "tour": PairwiseProblem(random_tour(Shape(9, 9, 1, "ties", 4))),
    "black box": BlackBox(FORM),
    "bounded": Bounded(FORM),
    "judged": Judged(FORM),
}
SOLVERS = [
    DBees(preset="paper", iterations=6),
    DBees(preset="paper", iterations=6, literal=True),
    DBees(preset="paper", iterations=6, reset_passes=False, moves=2, ties="first", bees=3),
    DBees(preset="paper", iterations=40, tolerance=0),
    DBees(iterations=6),
    DBees(iterations=6, segment=4, most_bees=2, reset_passes=False),
    DBees(iterations=6, segment=3, local_search="none"),
    DBees(iterations=6, segment=3, local_search="none", literal=True),
    DBees(iterations=40, segment=None, tolerance=0),
    Bco(iterations=5, bees=4),
]


def history(problem, solver, counts, change=lambda state: state):
    """Return the best solution, looks, iterations and rows scored of a run that makes so many steps at once in turn."""
    rng, rows = np.random.default_rng(4), problem.evaluations
    state, total = solver.start(problem, rng), None
    for count in counts:
        found = solver.steps(problem, state, rng, count)
        assert found.looks > 0
        total = found if total is None else total.plus(found)
        if found.done:
            break
        state = change(state)
    best = None if total.solution is None else total.solution.tolist()
    cost = total.looks, total.iterations, problem.evaluations - rows
    return best, total.score, *cost, rng.random(), state.rng_state.tolist()


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from(sorted(PROBLEMS)), st.sampled_from(SOLVERS), st.lists(st.integers(1, 40), min_size=1, max_size=5)
)
def test_steps_made_at_once_are_single_steps(kind, solver, counts):
    assert history(PROBLEMS[kind], solver, itertools.cycle(counts)) == one_by_one(kind, solver)


@cache
def one_by_one(kind, solver):
    """The history of steps made one by one, which does not depend on the example."""
    return history(PROBLEMS[kind], solver, itertools.repeat(1))


@pytest.mark.parametrize("kind", sorted(PROBLEMS))
@pytest.mark.parametrize("solver", SOLVERS, ids=repr)
def test_a_run_goes_on_from_copies_of_its_state(kind, solver):
    straight = history(PROBLEMS[kind], solver, itertools.repeat(3))
    assert history(PROBLEMS[kind], solver, itertools.repeat(3), copy.deepcopy) == straight


@pytest.mark.parametrize("kind", sorted(PROBLEMS))
def test_one_iteration_is_one_iteration(kind):
    result = swarmkit.solve(PROBLEMS[kind], "dbees", seed=1, iterations=1)
    assert result.iterations == 1
    assert result.score is not None


def test_all_paths_of_an_iteration_are_scored_in_one_call():
    calls = []

    class Watched(BlackBox):
        def score(self, X):
            calls.append(len(X))
            return super().score(X)

    problem, solver, rng = Watched(FORM), Bco(bees=10, iterations=3), np.random.default_rng(1)
    assert solver.steps(problem, solver.start(problem, rng), rng, 9).done
    assert calls == [10, 10, 10]


class Trap(Problem):
    """Some way through the stages there is no candidate left: every bee ends there."""

    sizes = np.full(6, 3)

    def score(self, X):
        return np.zeros(len(X))

    def allowed(self, X, stage):
        return np.full((len(X), 3), (X >= 0).sum(axis=1, keepdims=True) != 4)

    def feasible(self, X):
        return np.zeros(len(X), bool)


@pytest.mark.parametrize("solver", [DBees(moves=2), DBees(preset="paper", moves=2), Bco(moves=1)], ids=repr)
def test_bees_that_all_end_in_a_trap_go_on_looking(solver):
    best, _, looks, iterations, rows, *_ = history(Trap(), solver, itertools.repeat(1))
    assert (best, rows) == (None, 0)
    assert iterations == solver.params.iterations
    assert looks >= iterations


STOPPED = {"paper": DBees(iterations=30, preset="paper"), "large neighbourhood": DBees(iterations=30, segment=5)}


@cache
def uninterrupted(kind, name):
    return swarmkit.solve(PROBLEMS[kind], STOPPED[name], seed=3)


@pytest.mark.parametrize("kind", sorted(PROBLEMS))
@pytest.mark.parametrize("looks", [1, 40, 200, 1000])
@pytest.mark.parametrize("name", STOPPED)
def test_a_checkpoint_is_continued_exactly(kind, looks, name, tmp_path):
    problem, solver, straight = PROBLEMS[kind], STOPPED[name], uninterrupted(kind, name)
    path = tmp_path / "run.ckpt"
    first = Run(problem, solver, make_spec(problem, solver, 3, swarmkit.Budget(looks=looks)), checkpoint=path)
    assert first.run().iterations < 30
    result = Run.restore(path, problem, solver).run(10**9)
    assert (result.solution, result.score, result.looks) == (straight.solution, straight.score, straight.looks)


DAMAGE = {"hive": 10**6, "passes": -1, "guide": 99, "rng_state": None}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_colony_is_refused_before_a_kernel_reads_it(name):
    problem, solver, rng = PROBLEMS["tables"], DBees(preset="paper"), np.random.default_rng(1)
    state = solver.start(problem, rng)
    solver.step(problem, state, rng)
    assert not solver.step(problem, copy.deepcopy(state), rng).done
    for cut in (False, True):
        broken = damaged(copy.deepcopy(state), name, DAMAGE[name], cut)
        with pytest.raises(swarmkit.UsageError, match="Start a new run"):
            solver.step(problem, broken, rng)


SEARCH_DAMAGE = {
    "order": 10**6,
    "visited": 10**6,
    "offset": -1,
    "paths": 99,
    "sweep": 10**6,
    "at": 10**6,
    "table.x": -1,
    "table.best": 99,
    "table.values": np.nan,
    "table.scores": np.nan,
}


@pytest.mark.parametrize("name", SEARCH_DAMAGE)
def test_a_damaged_search_is_refused_before_a_kernel_reads_it(name):
    problem, solver, rng = PROBLEMS["tables"], DBees(segment=6), np.random.default_rng(1)
    state = solver.start(problem, rng)
    while state.iterations < 2 or not len(state.search.paths):  # until paths climb
        solver.step(problem, state, rng)
    assert not solver.step(problem, copy.deepcopy(state), rng).done
    for cut in (False, True):
        broken = copy.deepcopy(state)
        owner = broken.search.table if name.startswith("table.") else broken.search
        damaged(owner, name.removeprefix("table."), SEARCH_DAMAGE[name], cut)
        with pytest.raises(swarmkit.UsageError, match="Start a new run"):
            solver.step(problem, broken, rng)


def damaged(owner, name, value, cut):
    """Return an object with a number of one of its fields changed, or an array cut."""
    field = getattr(owner, name)
    if isinstance(field, int):
        setattr(owner, name, value)
    elif cut or value is None:
        setattr(owner, name, field[..., :-1].copy())
    else:
        field.flat[0] = value
    return owner
