"""The parameter-less population pyramid: entropies, clusters, mixing, climbing, and what it solves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit.search import rng_state
from swarmkit_genetic.hill_climb import HillClimb
from swarmkit_genetic.kernels.mixing import differing_donor
from swarmkit_genetic.linkage_tree import LinkageTree, clusters, entropies, stage_distances


class Traps(swarmkit.Problem):
    """Blocks of four bits: four ones are worth 4, otherwise each zero is worth 1 of at most 3."""

    def __init__(self, blocks: int) -> None:
        self.sizes = [2] * (4 * blocks)
        self.order = np.random.default_rng(5).permutation(4 * blocks)

    def score(self, X):
        ones = X[:, self.order].reshape(len(X), -1, 4).sum(axis=2)
        return np.where(ones == 4, 4, 3 - ones).sum(axis=1)


class Equal(swarmkit.Problem):
    """Stages with several candidates that must agree in threes; two of three are worse than none."""

    sizes = [4] * 12

    def score(self, X):
        blocks = X.reshape(len(X), -1, 3)
        same = (blocks[:, :, :2] == blocks[:, :, 1:]).sum(axis=2)
        return np.where(same == 2, 3.0 + blocks[:, :, 0] / 10, 1.0 - same).sum(axis=1)


class Narrow(Traps):
    """Traps of which only solutions with few ones are feasible."""

    def feasible(self, X):
        return X.sum(axis=1) <= 6


def plain_entropies(population):
    """The plain twin: entropies of pairs of columns from counts of pairs."""
    n = population.shape[1]
    found = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            _, counts = np.unique(population[:, [i, j]], axis=0, return_counts=True)
            share = counts / counts.sum()
            found[i, j] = -(share * np.log(share)).sum()
    return found


def plain_clusters(distances):
    """The plain twin: join the two clusters with the smallest mean distance until one is left."""
    held = [frozenset([i]) for i in range(len(distances))]
    made = set(held)
    while len(held) > 1:
        pairs = [(a, b) for a in held for b in held if a != b]
        a, b = min(pairs, key=lambda pair: np.mean([distances[i, j] for i in pair[0] for j in pair[1]]))
        held = [one for one in held if one not in (a, b)] + [a | b]
        made.add(a | b)
    return made - {frozenset(range(len(distances)))}


populations = st.integers(0, 2**32 - 1).map(
    lambda seed: np.random.default_rng(seed).integers([2, 3, 2, 5], size=(1 + seed % 20, 4))
)


@given(populations)
def test_entropies_are_those_of_counted_pairs(population):
    assert np.allclose(entropies(population, np.array([2, 3, 2, 5])), plain_entropies(population))


@given(populations)
def test_distances_lie_between_0_and_1(population):
    distances = stage_distances(population, np.array([2, 3, 2, 5]))
    assert (distances > -1e-9).all()
    assert (distances < 1 + 1e-9).all()
    assert np.allclose(np.diagonal(distances), 0)


@settings(max_examples=50)
@given(st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_clusters_are_those_of_joining_the_nearest_two(n, seed):
    upper = np.triu(np.random.default_rng(seed).random((n, n)) + 0.1, 1)
    order, segments = clusters(upper + upper.T)
    assert sorted(order.tolist()) == list(range(n))
    assert {frozenset(order[a:b].tolist()) for a, b in segments} == plain_clusters(upper + upper.T)


def test_stages_that_always_change_together_are_one_cluster():
    population = np.repeat(np.random.default_rng(1).integers(0, 2, (30, 3)), 2, axis=1)
    tree = LinkageTree.of(population, np.full(6, 2), np.random.default_rng(2))
    found = [sorted(tree.stages[a:b].tolist()) for a, b in tree.segments]
    assert sorted(found[:3]) == [[0, 1], [2, 3], [4, 5]]


def test_clusters_come_smallest_first():
    population = np.random.default_rng(1).integers(0, 2, (30, 20))
    tree = LinkageTree.of(population, np.full(20, 2), np.random.default_rng(2))
    lengths = (tree.segments[:, 1] - tree.segments[:, 0]).tolist()
    assert lengths == sorted(lengths)
    assert lengths[-1] < 20


def test_every_solution_that_differs_in_the_cluster_is_as_likely_a_donor():
    population, x = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 0, 0]]), np.zeros(3, np.int64)
    state, cluster = rng_state(np.random.default_rng(3)), np.array([0, 1])
    drawn = [differing_donor(population, x, cluster, state) for _ in range(2000)]
    counts = np.bincount(drawn, minlength=4)
    assert counts[[0, 3]].tolist() == [0, 0]
    assert abs(counts[1] - counts[2]) < 200
    assert differing_donor(population[:1], x, cluster, state) == -1


def test_a_climb_ends_when_every_change_has_been_tried_since_the_last_improvement():
    rng, first, x = np.random.default_rng(4), np.array([0, 2]), np.zeros(2, np.int64)
    climb = HillClimb.of(x, first, 5, rng)
    assert {climb.next_slot(rng), climb.next_slot(rng), climb.next_slot(rng)} == {1, 3, 4}
    x[0] = 1
    climb.record(1, 0, x, first, improved=True)
    for _ in range(2):  # not the way back
        slot = climb.next_slot(rng)
        assert slot in (3, 4)
        climb.record(slot, 2, x, first, improved=False)
    assert climb.next_slot(rng) is None


def test_traps_are_solved_where_a_genetic_algorithm_is_deceived():
    assert swarmkit.solve(Traps(10), "p3", evaluations=10_000).score == 40
    assert swarmkit.solve(Traps(10), "ga", evaluations=10_000).score < 40


def test_any_number_of_candidates_is_mixed():
    assert swarmkit.solve(Equal(), "p3", evaluations=8_000).score == pytest.approx(4 * 3.3)


def test_infeasible_solutions_are_neither_scored_nor_kept():
    problem = Narrow(4)
    state = swarmkit.make_solver("p3").start(problem, np.random.default_rng(1))
    swarmkit.make_solver("p3").advance(problem, state, np.random.default_rng(1), swarmkit.Left(looks=16_000))
    assert state.levels
    assert all(problem.feasible(level.population).all() for level in state.levels)


def test_no_solution_is_twice_in_the_pyramid():
    problem, solver, rng = Traps(5), swarmkit.make_solver("p3"), np.random.default_rng(1)
    state = solver.start(problem, rng)
    solver.advance(problem, state, rng, swarmkit.Left(looks=60_000))
    rows = np.vstack([level.population for level in state.levels])
    assert len(state.levels) > 1
    assert len(np.unique(rows, axis=0)) == len(rows)


def test_a_given_solution_climbs_next_if_it_is_the_best():
    problem, solver, rng = Traps(5), swarmkit.make_solver("p3"), np.random.default_rng(1)
    state, best = solver.start(problem, rng), np.ones((1, 20), np.int64)
    solver.inject(problem, state, best, np.array([20.0]), rng)
    assert state.best_score == 20
    assert (state.x == 1).all()
    solver.inject(problem, state, 0 * best, np.array([15.0]), rng)
    assert (state.x == 1).all()


def test_permutations_are_refused_in_words():
    reason = swarmkit.make_solver("p3").refuses(swarmkit.make_problem("tsp", n=8))
    assert "different candidates" in reason
