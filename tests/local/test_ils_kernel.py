"""Kicks and climbs on the gain table against plain ones."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import PairwiseProblem
from swarmkit.kernels import gain_table, rng  # noqa: F401  (compiled before the clock runs)
from swarmkit.search import GainTable
from swarmkit.testing.families import Shape, random_form
from swarmkit_local.kernels import ils  # noqa: F401  (compiled before the tests)
from swarmkit_local.rounds import TableRounds
from tests.plain_climbs import climbed, forms, moved, rounded, solutions
from tests.quadratic import quadratic

seeds = st.integers(0, 999)
assignments = st.builds(quadratic, st.integers(2, 6), seeds, st.booleans(), st.sampled_from([0.2, 1.0]))


def has_choice(form):
    return bool((form.sizes > 1).any())


def started(form, seed, strength):
    generator = np.random.default_rng(seed)
    problem = PairwiseProblem(form)
    return problem, TableRounds.start(problem, solutions(form, 1, generator)[0], strength, generator)


def to_the_end(problem, rounds, strength, count):
    """Make steps until a number of rounds have ended; return the looks."""
    looks = ended = 0
    while ended < count:
        found = rounds.steps(problem, strength, None, 1)
        looks, ended = looks + found.looks, ended + found.iterations
        assert found.looks > 0
        assert found.iterations in (0, 1)
    return looks


def plain_kicks(form, x, rng_state, strength, count):
    """The twin of `iterate`: kick stages near each other, climb from there, keep what is no worse."""
    free, half, looks = np.flatnonzero(form.sizes > 1), form.half_edges, 0
    each = 2 if form.distinct else 1
    best = x
    for _ in range(count):
        y, kicked = x, []
        i = int(free[rng.below(rng_state, len(free))])
        for _ in range(1 + rng.below(rng_state, strength)):
            c = rng.below(rng_state, int(form.sizes[i]) - 1)
            c += c >= y[i]
            kicked += [*(np.flatnonzero(y == c).tolist() if form.distinct else []), i]
            y = moved(form, y, i, c)
            near = half.neighbour[half.indptr[i] : half.indptr[i + 1]]
            i = int(near[rng.below(rng_state, len(near))]) if len(near) else i
            i = i if form.sizes[i] > 1 else int(free[rng.below(rng_state, len(free))])
            looks += each
        y, climbing = climbed(form, y, kicked, rng_state)
        x = y if form.score(y[None])[0] >= form.score(x[None])[0] else x
        best = x if form.score(x[None])[0] > form.score(best[None])[0] else best
        looks += climbing
    return x, best, looks


@given((forms.map(rounded) | assignments).filter(has_choice), seeds, st.integers(1, 4))
def test_kicks_lead_where_plain_ones_lead(form, seed, strength):
    problem, rounds = started(form, seed, strength)
    table = rounds.table
    x, best, looks = plain_kicks(form, table.x.copy(), table.rng_state.copy(), strength, 5)
    assert to_the_end(problem, rounds, strength, 5) == looks
    assert table.x.tolist() == x.tolist()
    assert table.best.tolist() == best.tolist()


@given(forms.filter(has_choice), seeds, st.integers(1, 4))
def test_kicks_never_lose_and_keep_the_gain_table_and_the_score(form, seed, strength):
    problem, rounds = started(form, seed, strength)
    table, before = rounds.table, rounds.table.scores[0]
    rounds.steps(problem, strength, None, 50)
    to_the_end(problem, rounds, strength, 1)
    assert table.scores[1] >= table.scores[0] >= before
    assert form.score(np.array([table.x, table.best])) == pytest.approx(table.scores)
    assert np.allclose(table.values, GainTable.at(form, table.x, np.random.default_rng(1)).values)
    if form.distinct:
        assert len(set(table.x)) == len(table.x)
        assert all(table.holder[c] == i for i, c in enumerate(table.x))


def arrays(rounds):
    return {**vars(rounds.table), **{name: value for name, value in vars(rounds).items() if name != "table"}}


@given(forms.filter(has_choice), seeds, st.lists(st.integers(1, 20), min_size=1, max_size=5))
def test_steps_are_as_many_single_steps_and_go_on_from_a_copy(form, seed, counts):
    problem, whole = started(form, seed, 3)
    _, single = started(form, seed, 3)
    for count in counts:
        together = whole.steps(problem, 3, None, count)
        parts = [single.steps(problem, 3, None, 1) for _ in range(count)]
        assert together.looks == sum(part.looks for part in parts)
        assert together.iterations == sum(part.iterations for part in parts)
        assert together.score == parts[-1].score >= max(part.score for part in parts)
        single = copy.deepcopy(single)
    assert all(np.array_equal(value, arrays(single)[name]) for name, value in arrays(whole).items())


def test_a_step_examines_no_more_stages_than_there_are_and_the_climb_goes_on():
    form = random_form(Shape(300, 4, 3, "floats", 1))
    problem, rounds = started(form, 1, 300)
    first = rounds.steps(problem, 300, None, 1)
    assert first.looks <= 300 + int(form.sizes.sum())
    while first.iterations == 0:
        before, first = first, rounds.steps(problem, 300, None, 1)
        assert first.score >= before.score
    assert rounds.counters[0] == rounds.counters[1]


def test_a_full_log_ends_a_climb_in_the_step_that_fills_it():
    form = random_form(Shape(50, 4, 3, "floats", 1))
    problem, rounds = started(form, 1, 5)
    rounds.inject(problem, np.zeros((1, 50), np.int64), np.array([np.inf]), np.random.default_rng(1))
    rounds.log = rounds.log[:10]
    found = rounds.steps(problem, 5, None, 1)
    assert (found.iterations, rounds.counters[2]) == (1, 10)
    assert form.score(rounds.table.x[None])[0] == pytest.approx(found.score)


def test_a_solution_that_is_injected_climbs_from_all_its_stages_if_it_is_the_best():
    form = random_form(Shape(20, 4, 3, "floats", 1))
    problem, rounds = started(form, 1, 5)
    X = np.zeros((1, 20), np.int64)
    assert rounds.inject(problem, X, np.array([-np.inf]), np.random.default_rng(1)) == 20
    assert rounds.counters[1] == 0
    rounds.table.scores[1] = -np.inf
    rounds.inject(problem, X, form.score(X), np.random.default_rng(1))
    assert rounds.table.x.tolist() == [0] * 20
    assert rounds.counters.tolist() == [0, 20, 0]
    to_the_end(problem, rounds, 5, 1)
    assert rounds.table.scores[1] > form.score(X)[0]


def test_kicks_find_the_optimum_of_a_small_problem():
    form = random_form(Shape(5, 4, 4, "signs", 7))
    X = np.stack(np.meshgrid(*map(np.arange, form.sizes), indexing="ij"), -1).reshape(-1, 5)
    problem = PairwiseProblem(form)
    rounds = TableRounds.start(problem, np.zeros(5, np.int64), 3, np.random.default_rng(1))
    assert rounds.steps(problem, 3, None, 500).score == pytest.approx(form.score(X).max())
