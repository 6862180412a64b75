"""Bees pause after any pass: cut anywhere, a run is the same, and no limit is exceeded by more than a unit."""

import copy
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit import Left, PairwiseProblem, Problem
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
    DBees(iterations=6, stretch=4, most_bees=2, reset_passes=False),
    DBees(iterations=6, stretch=3, local_search="none"),
    DBees(iterations=6, stretch=3, local_search="none", literal=True),
    DBees(iterations=40, stretch=None, tolerance=0),
    Bco(iterations=5, bees=4),
]


def history(problem, solver, lefts):
    """Return the best solution, looks, iterations and rows scored of a run that pauses where it is told in turn."""
    rng, rows = np.random.default_rng(4), problem.evaluations
    state, best, looks, iterations, done = solver.start(problem, rng), None, 0, 0, False
    while not done:
        found = solver.step(problem, state, rng, next(lefts))
        assert found.looks > 0
        looks, iterations, done = looks + found.looks, iterations + found.iterations, found.done
        if found.score is not None and (best is None or found.score > best[0]):
            best = found.score, found.solution.tolist()
    return best, looks, iterations, problem.evaluations - rows, rng.random(), state.rng_state.tolist()


def repeated(*lefts):
    while True:
        yield from lefts


limits = st.builds(Left, st.integers(1, 400), st.integers(1, 9), st.integers(1, 3))


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(sorted(PROBLEMS)), st.sampled_from(SOLVERS), st.lists(limits, min_size=1, max_size=5))
def test_a_run_that_is_cut_anywhere_is_the_same(kind, solver, lefts):
    problem = PROBLEMS[kind]
    whole = history(problem, solver, repeated(swarmkit.WHOLE_STEP))
    assert history(problem, solver, repeated(*lefts)) == whole


@pytest.mark.parametrize("kind", sorted(PROBLEMS))
@pytest.mark.parametrize("solver", SOLVERS, ids=repr)
def test_a_step_is_longer_than_asked_by_less_than_a_unit(kind, solver):
    problem, rng = PROBLEMS[kind], np.random.default_rng(1)
    state, n, most = solver.start(problem, rng), len(problem.sizes), int(np.max(problem.sizes))
    rules, bees, done = solver.plan(problem, state.hive).rules, solver.params.bees or most, False
    tried = min(rules.tries + 1, most) if rules.tries else most
    climbed = most * (n if problem.structure.black_box else 2) if state.rounds is not None else 0
    unit = max(n + climbed, bees * (1 + rules.moves * tried))
    while not done:
        asked = int(rng.integers(1, 50))
        found = solver.step(problem, state, rng, Left(asked))
        assert found.looks < asked + unit
        done = found.done


@pytest.mark.parametrize("kind", sorted(PROBLEMS))
def test_one_iteration_is_one_iteration(kind):
    result = swarmkit.solve(PROBLEMS[kind], "dbees", seed=1, iterations=1)
    assert result.iterations == 1
    assert result.score is not None


def test_no_more_rows_are_scored_than_asked():
    problem, solver, rng = PROBLEMS["black box"], Bco(bees=10), np.random.default_rng(1)
    state, most, done = solver.start(problem, rng), 0, False
    while not done:
        before = problem.evaluations
        done = solver.step(problem, state, rng, Left(evaluations=3)).done
        most = max(most, problem.evaluations - before)
    assert most == 3


def test_all_paths_of_an_iteration_are_scored_in_one_call_where_that_is_allowed():
    calls = []

    class Watched(BlackBox):
        def score(self, X):
            calls.append(len(X))
            return super().score(X)

    problem, solver, rng = Watched(FORM), Bco(bees=10, iterations=3), np.random.default_rng(1)
    solver.step(problem, solver.start(problem, rng), rng)
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
    best, looks, iterations, rows, *_ = history(Trap(), solver, repeated(Left(1)))
    assert (best, rows) == (None, 0)
    assert iterations == solver.params.iterations
    assert looks >= iterations


STOPPED = {"paper": DBees(iterations=30, preset="paper"), "rounds": DBees(iterations=30, stretch=5)}


@cache
def uninterrupted(kind, name):
    return swarmkit.solve(PROBLEMS[kind], STOPPED[name], seed=3)


@pytest.mark.parametrize("kind", sorted(PROBLEMS))
@pytest.mark.parametrize("looks", [1, 40, 200, 1000])
@pytest.mark.parametrize("name", STOPPED)
def test_a_checkpoint_inside_an_iteration_is_continued_exactly(kind, looks, name, tmp_path):
    problem, solver, straight = PROBLEMS[kind], STOPPED[name], uninterrupted(kind, name)
    path = tmp_path / "run.ckpt"
    first = Run(problem, solver, make_spec(problem, solver, 3, swarmkit.Budget(looks=looks)), checkpoint=path)
    assert first.go().iterations < 30
    result = Run.restore(path, problem, solver).go(10**9)
    assert (result.solution, result.score, result.looks) == (straight.solution, straight.score, straight.looks)


def test_steps_write_to_the_memory_that_the_state_began_with():
    problem, solver, rng = PROBLEMS["tables"], DBees(preset="paper"), np.random.default_rng(1)
    state = solver.start(problem, rng)
    before = dict(state.workspace)
    while not solver.step(problem, state, rng, Left(10)).done:
        assert all(state.workspace[name] is array for name, array in before.items())


DAMAGE = {
    "position": 10**6,
    "chosen": 99,
    "held": 99,
    "followed": -1,
    "open_steps": 10**9,
    "qualities": np.nan,
}


@pytest.mark.parametrize("preset", ["paper", "best"])
@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_colony_is_refused_before_a_kernel_reads_it(name, preset):
    problem, solver, rng = PROBLEMS["tables"], DBees(preset=preset), np.random.default_rng(1)
    state = solver.start(problem, rng)
    solver.step(problem, state, rng, Left(50))
    assert not solver.step(problem, copy.deepcopy(state), rng, Left(50)).done
    damaged, shorter = copy.deepcopy(state), copy.deepcopy(state)
    damaged.workspace[name].flat[0] = DAMAGE[name]
    shorter.workspace[name] = shorter.workspace[name][:-1].copy()
    for broken in (damaged, shorter):
        with pytest.raises(swarmkit.UsageError, match="Start a new run"):
            solver.step(problem, broken, rng, Left(50))


ROUND_DAMAGE = {
    "order": 10**6,
    "starts": -1,
    "visited": 10**6,
    "offset": -1,
    "found": None,
    "paths": 99,
    "sweep": 10**6,
    "at": 10**6,
    "table.x": -1,
    "table.best": 99,
    "table.values": np.nan,
    "table.scores": np.nan,
}


@pytest.mark.parametrize("name", ROUND_DAMAGE)
def test_damaged_rounds_are_refused_before_a_kernel_reads_them(name):
    problem, solver, rng = PROBLEMS["tables"], DBees(stretch=6), np.random.default_rng(1)
    state = solver.start(problem, rng)
    while state.iterations < 2 or not len(state.rounds.paths):  # until paths climb
        solver.step(problem, state, rng, Left(5))
    assert not solver.step(problem, copy.deepcopy(state), rng, Left(5)).done
    damaged, shorter = copy.deepcopy(state), copy.deepcopy(state)
    for broken, cut in ((damaged, False), (shorter, True)):
        owner = broken.rounds.table if name.startswith("table.") else broken.rounds
        field = name.removeprefix("table.")
        value = getattr(owner, field)
        if isinstance(value, int):
            setattr(owner, field, ROUND_DAMAGE[name])
        elif cut or ROUND_DAMAGE[name] is None:
            setattr(owner, field, value[..., :-1].copy())
        else:
            value.flat[0] = ROUND_DAMAGE[name]
        if name != "starts" or not cut:  # one bee less would be a colony, too
            with pytest.raises(swarmkit.UsageError, match="Start a new run"):
                solver.step(problem, broken, rng, Left(5))
