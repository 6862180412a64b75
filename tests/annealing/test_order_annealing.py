"""Annealing of sequences on tables: paths and directed tours, with picks, against plain code and enumeration."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit import Pairwise, PairwiseProblem
from swarmkit.search import links_of
from swarmkit_annealing import kernels
from swarmkit_annealing.annealers import TableAnnealer
from swarmkit_annealing.order_annealer import OrderAnnealer, order_of
from swarmkit_annealing.schedule import Schedule
from swarmkit_annealing.search_state import annealer_of


def path(n: int, candidates: int, seed: int, closed: bool = False) -> PairwiseProblem:
    """Return stages in a random order along a path, or a directed cycle, with a table of steps and unary values."""
    rng = np.random.default_rng(seed)
    order, steps = rng.permutation(n), rng.integers(0, 50, (candidates, candidates)).astype(float)
    ends = zip(order, np.append(order[1:], order[:1]), strict=True)
    edges = [(int(i), int(j), steps) for i, j in list(ends)[: n if closed else n - 1]]
    unary = None if closed else rng.integers(0, 9, n * candidates)
    return PairwiseProblem(Pairwise.of([candidates] * n, edges, unary, distinct=True).negated)


@settings(max_examples=40, deadline=None)
@given(st.integers(4, 9), st.integers(0, 2), st.booleans(), st.integers(0, 99))
def test_scores_are_kept_and_the_kernel_is_the_plain_one(n: int, more: int, closed: bool, seed: int) -> None:
    problem, rng = path(n, n + more, seed, closed), np.random.default_rng(seed)
    if order_of(problem.structure) is None:  # a cycle that is no tour, or one that is symmetric
        return
    x, states = rng.permutation(n + more)[:n], []
    for anneal in (kernels.order_annealing.anneal, kernels.order_annealing.anneal.py_func):
        annealer = OrderAnnealer.start(problem, x, np.random.default_rng(seed))
        schedule, trace = Schedule(np.array([30.0, 5.0]), 40), np.zeros((2, 2))
        anneal(links_of(problem.form), problem.form.unary, annealer.search, schedule, trace)
        assert annealer.search.scores[0] == pytest.approx(problem.score(annealer.x[None])[0])
        best, score = annealer.incumbent(problem)
        assert annealer.search.scores[1] == pytest.approx(score)
        assert len(set(best.tolist())) == n
        states.append([*(array.tolist() for array in annealer.search), trace.tolist()])
    assert states[0] == states[1]


@pytest.mark.parametrize("solver", ["annealing", "sa"])
@pytest.mark.parametrize("closed", [False, True])
def test_the_shortest_of_all_sequences_is_found(solver: str, closed: bool) -> None:
    problem = path(7, 7, 3, closed)
    best = swarmkit.solve(problem, "exhaustive").score
    assert swarmkit.solve(problem, solver, seed=1, looks=300_000).score == best


def test_a_path_of_sixty_points_is_within_two_percent_of_the_tour_with_a_free_step() -> None:
    points = np.random.default_rng(1).random((60, 2))
    model = swarmkit.Model()
    order = model.sequence(60)
    distance = np.linalg.norm(points[:, None] - points, axis=2)
    model.minimise(order[:-1].lookup(distance, order[1:]).sum())
    result = swarmkit.solve(model.problem(), "annealing", seed=1, looks=20_000_000)
    assert result.cost < 1.02 * 5.642499  # by `auto` on a tour with a city that is near to all


def test_other_tables_are_annealed_by_swaps() -> None:
    flows = np.random.default_rng(1).integers(0, 9, (6, 6)).astype(float)
    dense = [(i, j, flows) for i in range(6) for j in range(i)]
    problem = PairwiseProblem(Pairwise.of([6] * 6, dense, distinct=True))
    assert annealer_of(problem) is TableAnnealer
    assert annealer_of(path(6, 6, 1)) is OrderAnnealer
