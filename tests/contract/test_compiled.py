"""Compiled scores: the same numbers as in Python, exact limits, runs that go on and are repeated, errors."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit.kernels.sequence_walk import Rules, Walker, draw_neighbour, walk
from swarmkit.search.compiled_walk import walk_of
from swarmkit.search.sequence_neighbourhood import SequenceNeighbourhood

TIMES = np.random.default_rng(3).integers(1, 100, (12, 4)).astype(float)


def makespan(x, data):
    end = np.zeros(data.shape[1])
    for job in x:
        end[0] += data[job, 0]
        for m in range(1, len(end)):
            end[m] = max(end[m], end[m - 1]) + data[job, m]
    return end[-1]


class Shop(swarmkit.Problem):
    """A flow shop whose score is compiled."""

    direction, distinct, compiled = "minimise", True, True
    score_one = staticmethod(makespan)

    def __init__(self, times=TIMES):
        self.data, self.sizes = times, [len(times)] * len(times)


SOLVERS = ("sa", "annealing", "ils", "ga", "auto", "dbees")


def test_scores_are_those_of_the_function_in_python():
    X = np.array([np.random.default_rng(seed).permutation(12) for seed in range(9)])
    assert Shop().score(X) == pytest.approx([makespan(x, TIMES) for x in X])
    assert Shop().score_one(X[0]) == makespan(X[0], TIMES)


@pytest.mark.parametrize("solver", SOLVERS)
def test_limits_of_evaluations_are_exact(solver):
    for evaluations in (1, 77, 1500):
        result = swarmkit.solve(Shop(), solver, seed=1, evaluations=evaluations)
        assert (result.evaluations, result.stopped) == (evaluations, "evaluations")
        assert result.looks == 12 * evaluations
        assert result.cost == makespan(np.array(result.solution), TIMES)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_run_that_goes_on_is_the_run_in_one_piece(solver, tmp_path):
    whole = swarmkit.solve(Shop(), solver, seed=2, evaluations=3000)
    swarmkit.solve(Shop(), solver, seed=2, evaluations=1234, checkpoint=tmp_path / "run")
    again = swarmkit.resume(tmp_path / "run", Shop(), swarmkit.make_solver(solver), evaluations=3000)
    assert (again.solution, again.score, again.evaluations) == (whole.solution, whole.score, whole.evaluations)
    assert again.trace.score == whole.trace.score


@pytest.mark.parametrize("solver", ["sa", "ils"])
def test_a_run_is_repeated(solver, tmp_path):
    result = swarmkit.solve(Shop(), solver, seed=2, seconds=0.2)
    (tmp_path / "result.json").write_text(result.model_dump_json())
    (replayed,) = swarmkit.replay(tmp_path / "result.json", Shop(), swarmkit.make_solver(solver))
    assert replayed.differences == []


@pytest.mark.parametrize("solver", ["sa", "ils"])
def test_the_row_that_reaches_a_target_is_the_last(solver):
    whole = swarmkit.solve(Shop(), solver, seed=3, evaluations=3000)
    result = swarmkit.solve(Shop(), solver, seed=3, evaluations=3000, target=whole.cost)
    assert result.stopped == "target"
    assert result.cost == whole.cost
    before = swarmkit.solve(Shop(), solver, seed=3, evaluations=result.evaluations - 1)
    assert before.cost > whole.cost


def test_starts_and_fixed_stages_work_with_compiled_scores():
    start = list(range(12))
    warm = swarmkit.solve(Shop(), "ils", seed=1, start=start, evaluations=500)
    assert warm.cost <= makespan(np.array(start), TIMES)
    fixed = swarmkit.solve(Shop(), "annealing", seed=1, fixed={0: 5, 3: 2}, evaluations=500)
    assert (fixed.solution[0], fixed.solution[3], fixed.evaluations) == (5, 2, 500)


def test_a_function_that_numba_cannot_compile_runs_in_python_and_the_line_is_named():
    class Odd(Shop):
        @staticmethod
        def score_one(x, data):
            return data[x.tolist()[0], 0]  # numba knows no lists of arrays

    with pytest.warns(
        RuntimeWarning, match=r"Odd.score_one runs as plain Python: numba cannot compile line \d+ of .*test_compiled"
    ):
        result = swarmkit.solve(Odd(), "ils", seed=1, evaluations=200)
    assert result.cost == TIMES[:, 0].min()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        swarmkit.solve(Odd(), "ils", seed=1, evaluations=20)  # said once


def test_scores_that_are_not_finite_are_refused():
    class Endless(Shop):
        @staticmethod
        def score_one(x, data):
            return np.inf if x[0] == 0 else data[x[0], 0]

    with pytest.raises(swarmkit.ProblemError, match=r"score_one returned inf: not finite|returned inf for"):
        swarmkit.solve(Endless(), "sa", seed=1, evaluations=2000)


@given(st.integers(2, 7), st.integers(0, 2), st.integers(0, 2), st.integers(0, 99))
def test_moves_of_the_kernel_are_those_of_the_neighbourhood(n, more, kind, seed):
    rng = np.random.default_rng(seed)
    x = rng.permutation(n + more)[:n]
    kind = kind if n > 2 else 0
    problem = type(
        "Row", (swarmkit.Problem,), {"sizes": [n + more] * n, "distinct": True, "score": lambda s, X: X[:, 0]}
    )
    near = SequenceNeighbourhood(problem()).draw(np.tile(x, (4000, 1)), np.full(4000, kind), rng)
    state, Y = rng.integers(0, 2**64, 4, dtype=np.uint64), set()
    walker = Walker(x, x.copy(), x.copy(), x.copy(), np.zeros(3), np.zeros(2, np.int64), *np.ones((3, 3)) / 3, state)
    for _ in range(60):
        draw_neighbour(walker, kind, n + more, 0.4)
        Y.add(tuple(walker.y.tolist()))
    assert Y <= {tuple(y) for y in near.tolist()}


@given(st.integers(0, 99), st.sampled_from([0.0, 20.0]))
def test_the_compiled_walk_is_the_plain_one(seed, temperature):
    def walked(function, score_one):
        rng = np.random.default_rng(seed)
        x, state = rng.permutation(12), rng.integers(0, 2**64, 4, dtype=np.uint64)
        scores = np.array([-makespan(x, TIMES), -np.inf, -np.inf])
        shares = np.full((3, 3), 1 / 3)
        walker = Walker(x, x.copy(), x.copy(), x.copy(), scores, np.zeros(2, np.int64), *shares, state)
        rules, values = Rules(-1.0, 12, temperature, 2**62, 0.0, 1e-9, 0.4, np.inf), np.full(60, np.nan)
        made = function(score_one, None, TIMES, walker, rules, values)
        return made, x.tolist(), scores.tolist(), values.tolist(), walker.counters.tolist(), state.tolist()

    score_one = walk_of(Shop()).score.one
    assert walked(walk, score_one) == walked(walk.py_func, makespan)


@pytest.mark.parametrize(("temperature", "accepted"), [(0.0, False), (1e-9, False), (1e12, True)])
def test_worse_moves_of_a_compiled_walk_are_accepted_by_temperature(temperature, accepted):
    x, state = np.random.default_rng(1).permutation(12), np.arange(1, 5, dtype=np.uint64)
    scores, worse = np.array([-makespan(x, TIMES), -np.inf, -np.inf]), []
    walker = Walker(x, x.copy(), x.copy(), x.copy(), scores, np.zeros(2, np.int64), *np.full((3, 3), 1 / 3), state)
    for _ in range(60):
        before = scores[0]
        values = np.full(1, np.nan)
        walk.py_func(makespan, None, TIMES, walker, Rules(-1.0, 12, temperature, 2**62, 0.0, 1e-9, 0.4, np.inf), values)
        assert scores[0] == -makespan(walker.x, TIMES)
        if -values[0] < before:
            worse.append(scores[0] == -values[0])
    assert len(worse) > 10
    assert set(worse) == {accepted}


def linear_ordering(x, data):
    total = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            total += data[x[i], x[j]]
    return total


class Order(swarmkit.Problem):
    """A linear order, whose score takes a look at all pairs, and a difference at those with a changed place."""

    distinct, compiled = True, True
    score_one = staticmethod(linear_ordering)

    def __init__(self, n=14):
        self.data, self.sizes = np.random.default_rng(5).integers(0, 100, (n, n)).astype(float), [n] * n

    @staticmethod
    def delta_one(x, y, stages, data):
        delta, first, last = 0.0, stages[0], stages[-1]
        for i in range(first, last):
            for j in range(i + 1, last + 1):
                delta += data[y[i], y[j]] - data[x[i], x[j]]
        for i in stages:
            for j in range(len(x)):
                if j < first:
                    delta += data[y[j], y[i]] - data[x[j], x[i]]
                elif j > last:
                    delta += data[y[i], y[j]] - data[x[i], x[j]]
        return delta


@pytest.mark.parametrize("solver", ["sa", "annealing", "ils"])
def test_searches_by_differences_are_recorded_by_scores(solver, tmp_path):
    whole = swarmkit.solve(Order(), solver, seed=2, evaluations=3000)
    assert whole.score == linear_ordering(np.array(whole.solution), Order().data)
    assert whole.evaluations == 3000
    swarmkit.solve(Order(), solver, seed=2, evaluations=1234, checkpoint=tmp_path / "run")
    again = swarmkit.resume(tmp_path / "run", Order(), swarmkit.make_solver(solver), evaluations=3000)
    assert (again.solution, again.score, again.trace.score) == (whole.solution, whole.score, whole.trace.score)


@given(st.integers(0, 99))
def test_a_walk_by_differences_scores_rows_as_one_without(seed):
    problem, rows = Order(), []
    walk_by = walk_of(problem)
    for delta in (walk_by.delta, None):
        x, state = np.random.default_rng(seed).permutation(14), np.arange(4, dtype=np.uint64) + seed
        scores = np.array([linear_ordering(x, problem.data), -np.inf, -np.inf])
        shares = np.full((3, 3), 1 / 3)
        walker = Walker(x, x.copy(), x.copy(), x.copy(), scores, np.zeros(2, np.int64), *shares, state)
        rules, values = Rules(1.0, 14, 0.0, 2**62, 0.0, 1e-9, 0.4, np.inf), np.full(80, np.nan)
        walk(walk_by.score.one, delta, problem.data, walker, rules, values)
        rows.append(values)
    np.testing.assert_allclose(rows[0], rows[1], rtol=1e-12)


def test_a_wrong_difference_is_refused_and_one_that_is_inherited_is_not_used():
    class Wrong(Order):
        score_one = staticmethod(linear_ordering)

        @staticmethod
        def delta_one(x, y, stages, data):
            return 1.0

    with pytest.raises(swarmkit.ProblemError, match=r"Wrong.delta_one returns 1.0 in Python and 1.0 compiled where"):
        swarmkit.solve(Wrong(), "sa", seed=1, evaluations=100)

    class Other(Order):
        @staticmethod
        def score_one(x, data):
            return data[x[0], x[1]]

    assert walk_of(Other()).delta is None


def test_a_difference_that_numba_cannot_compile_is_not_used_and_the_line_is_named():
    class Odd(Order):
        score_one = staticmethod(linear_ordering)

        @staticmethod
        def delta_one(x, y, stages, data):
            return linear_ordering(np.array(y.tolist()), data) - linear_ordering(x, data)

    with pytest.warns(RuntimeWarning, match=r"Odd.delta_one is not used: numba cannot compile line \d+ of .*test_comp"):
        result = swarmkit.solve(Odd(), "ils", seed=1, evaluations=200)
    assert result.evaluations == 200
