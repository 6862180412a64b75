"""Swaps on quadratic assignments against differences of whole scores, and a plain robust tabu search."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarmkit import Pairwise, PairwiseProblem, make_solver, solve
from swarmkit.compiled import search_swaps, start_swaps, swappable
from swarmkit.kernels import chance, swaps

seeds = st.integers(0, 2**32 - 1)


def quadratic(n, seed, symmetric=True, density=1.0):
    """Whole numbers, so that what is kept up to date and what is computed agree to the last digit."""
    rng = np.random.default_rng(seed)
    table, flow = (
        rng.integers(0, 10, (n, n)).astype(float),
        rng.integers(1, 10, (n, n)) * (rng.random((n, n)) < density),
    )
    flow[0, 1] = 1
    table = table + table.T if symmetric else table
    edges = [(i, j, table, -float(flow[i, j])) for i in range(n) for j in range(n) if i != j and flow[i, j]]
    return Pairwise.of([n] * n, edges, rng.integers(0, 9, n * n), distinct=True)


forms = st.builds(quadratic, st.integers(2, 8), seeds, st.booleans(), st.sampled_from([0.2, 1.0]))


def plain_gain(form, x, i, j):
    y = x.copy()
    y[i], y[j] = x[j], x[i]
    return float(form.score(np.array([y]))[0] - form.score(np.array([x]))[0])


def begun(form, seed):
    rng = np.random.default_rng(seed)
    return start_swaps(form, form.assignment, rng.permutation(len(form.sizes)), rng)


@given(forms, seeds)
def test_every_swaps_difference_is_that_of_the_scores(form, seed):
    state, plan, n = begun(form, seed), swaps.plan_of(form.assignment), len(form.sizes)
    for _ in range(3):
        for i in range(n):
            for j in set(range(n)) - {i}:
                assert swaps.swap_gain(plan, state.values, state.x, i, j) == plain_gain(form, state.x, i, j)
        i, j = np.random.default_rng(seed).choice(n, 2, replace=False)
        swaps.swap(plan, state.values, state.x, i, j)


def plain_search(form, state, patience, strength, count):
    """Taillard's search by the book, from whole scores; the kernel's random numbers."""
    n, x, words = len(form.sizes), state.x.copy(), state.words.copy()
    until, score = np.zeros((n, n), np.int64), float(state.scores[0])
    peak = home = best = (score, x.tolist())
    at = 0
    for now in range(1, count + 1):
        moves = [(i, j, plain_gain(form, x, i, j)) for i in range(n) for j in range(i + 1, n)]
        waits = {(i, j): (until[i, x[j]], until[j, x[i]]) for i, j, _ in moves}
        overdue = [move for move in moves if max(waits[move[:2]]) < now - swaps.LATEST * n * n]
        free = [m for m in moves if min(waits[m[:2]]) < now or m[2] > peak[0] - score] or [(0, 1, moves[0][2])]
        i, j, gain = max(overdue or free, key=lambda move: move[2])
        for stage in (i, j):
            until[stage, x[stage]] = now + 2 + int(swaps.LONGEST * n * chance.uniform(words) ** 3)
        x[[i, j]] = x[[j, i]]
        score += gain
        if score > peak[0]:
            peak, at = (score, x.tolist()), now
        best = max(best, peak, key=lambda found: found[0])
        if now - at >= patience:
            home = peak if peak[0] >= home[0] else home
            score, x = home[0], np.array(home[1])
            for _ in range(2 + chance.below(words, strength)):
                i, j = chance.below(words, n), chance.below(words, n - 1)
                j += j >= i
                score += plain_gain(form, x, i, j)
                x[[i, j]] = x[[j, i]]
            peak, at = (score, x.tolist()), now
    return x.tolist(), best


@settings(max_examples=30)
@given(st.builds(quadratic, st.integers(3, 5), seeds, st.booleans()), seeds)
def test_the_search_goes_where_the_plain_one_goes(form, seed):
    state = begun(form, seed)
    n = len(form.sizes)
    x, (score, best) = plain_search(form, state, 15, 2, 60)
    looks, made = search_swaps(form, form.assignment, state, 15, 2, 60 * n * (n - 1))
    assert made == 60
    assert looks >= 60 * n * (n - 1)
    assert state.x.tolist() == x
    assert state.best.tolist() == best
    assert state.scores[3] == score == form.score(state.best[None])[0]


def test_a_swap_that_was_never_the_best_is_made_when_it_is_overdue():
    form = quadratic(3, 1)
    state, plan = begun(form, 1), swaps.plan_of(form.assignment)
    state.until[:] = 1000
    state.until[1, state.x[2]] = state.until[2, state.x[1]] = 10
    assert swaps.best_swap(plan, state.values, state.x, state.until, 900, np.inf)[:2] == (1, 2)
    gains = {(i, j): plain_gain(form, state.x, i, j) for i, j in [(0, 1), (0, 2), (1, 2)]}
    assert swaps.best_swap(plan, state.values, state.x, state.until, 900, -np.inf)[:2] == (1, 2)
    state.until[:] = 890
    assert swaps.best_swap(plan, state.values, state.x, state.until, 900, np.inf)[:2] == max(gains, key=gains.get)


def test_other_forms_are_no_assignments():
    table = np.arange(9.0).reshape(3, 3)
    assert Pairwise.of([3] * 3, [(0, 1, table), (1, 2, table.copy())], distinct=True).assignment is None
    assert Pairwise.of([3] * 2, [(0, 1, table)], distinct=True).assignment is None
    assert Pairwise.of([3] * 3, [(0, 1, table)]).assignment is None
    assert Pairwise.of([3] * 3, distinct=True).assignment is None


def test_tours_and_sparse_problems_are_not_searched_by_all_swaps():
    table = np.ones((4, 4))
    assert swappable(Pairwise.of([4] * 4, [(i, (i + 1) % 4, table) for i in range(4)], distinct=True)) is None
    table = np.ones((300, 300))
    assert swappable(Pairwise.of([300] * 300, [(i, i + 1, table) for i in range(299)], distinct=True)) is None
    assert swappable(quadratic(8, 1)) is not None


@pytest.mark.parametrize("symmetric", [True, False])
def test_ils_finds_the_best_assignment(symmetric):
    problem = PairwiseProblem(quadratic(7, 3, symmetric))
    best = solve(problem, "exhaustive").score
    assert solve(problem, make_solver("ils", patience=1), seed=1, looks=200_000).score == best
