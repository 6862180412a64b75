"""The parameter-less population pyramid: entropies, clusters, mixing, climbing, and what it solves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit.search import rng_state
from swarmkit_genetic.kernels.linkage import differing_donor
from swarmkit_genetic.p3 import CLIMBING, LinkageTree, climb, clusters, entropies, mix, stage_distances


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


class Listed(swarmkit.Problem):
    """A score for each pair of candidates, and a list of the solutions that were scored."""

    table = np.array([[0.0, 1.0, 2.0], [5.0, 4.0, 6.0]])

    def __init__(self) -> None:
        self.sizes, self.asked = [2, 3], []

    def score(self, X):
        self.asked += X.tolist()
        return self.table[X[:, 0], X[:, 1]]


@given(st.integers(0, 2**32 - 1))
def test_a_climb_tries_every_change_since_the_last_improvement_but_the_way_back(seed):
    problem, rng = Listed(), np.random.default_rng(seed)
    state = swarmkit.make_solver("p3").start(problem, rng)
    looks, passes = 0, 0
    while state.level == CLIMBING:
        looks += climb(problem, state, rng)
        passes += 1
    assert looks == 2 * len(problem.asked)
    assert passes <= 4
    held, since = problem.asked[0], set()  # the plain climb, over the solutions that were scored in their order
    for y in problem.asked[1:]:
        assert sum(a != b for a, b in zip(held, y, strict=True)) == 1
        assert tuple(y) not in since
        since.add(tuple(y))
        if problem.table[*y] > problem.table[*held]:
            held, since = y, {tuple(held)}
    assert state.x.tolist() == held == [1, 2]
    assert len(since) == 3
    assert state.levels[0].population.tolist() == [held]


def test_a_mixture_that_is_better_is_added_to_the_next_level():
    problem, rng = Traps(3), np.random.default_rng(2)
    state = swarmkit.make_solver("p3").start(problem, rng)
    for block in problem.order.reshape(3, 4):  # three local optima, each with one of the blocks solved
        x = np.zeros(12, np.int64)
        x[block] = 1
        state.begin(x)
        state.level = 0
        state.add(problem, rng)
    state.begin(np.zeros(12, np.int64))
    state.accept(state.x, 9.0)
    state.level = 0
    assert mix(problem, state, rng) >= 3 * 12
    assert state.level == 1
    assert state.score == state.best_score == 12
    assert state.levels[1].population.tolist() == [[1] * 12]


def test_traps_are_solved_where_a_genetic_algorithm_is_deceived():
    assert swarmkit.solve(Traps(10), "p3", evaluations=10_000).score == 40
    assert swarmkit.solve(Traps(10), "ga", evaluations=10_000).score < 40


def test_any_number_of_candidates_is_mixed():
    assert swarmkit.solve(Equal(), "p3", evaluations=8_000).score == pytest.approx(4 * 3.3)


def test_infeasible_solutions_are_neither_scored_nor_kept():
    problem = Narrow(4)
    solver, rng = swarmkit.make_solver("p3"), np.random.default_rng(1)
    state = solver.start(problem, rng)
    for _ in range(40):
        assert solver.step(problem, state, rng).looks > 0
    assert state.levels
    assert all(problem.feasible(level.population).all() for level in state.levels)


def test_no_solution_is_twice_in_the_pyramid():
    problem, solver, rng = Traps(5), swarmkit.make_solver("p3"), np.random.default_rng(1)
    state = solver.start(problem, rng)
    for _ in range(200):
        solver.step(problem, state, rng)
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
