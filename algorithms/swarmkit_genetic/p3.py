"""The parameter-less population pyramid: `p3`.

Goldman, B. W. and Punch, W. F. 2014. Parameter-less population pyramid. GECCO 2014, Figures 2 to 4.
Thierens, D. 2010. The linkage tree genetic algorithm. PPSN XI: the linkage tree of a population has clusters of stages
whose candidates depend on each other. It is made by hierarchical clustering: the two clusters with the smallest mean
distance between their stages are joined (UPGMA), until one is left.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit import (
    Bools,
    Floats,
    Ints,
    Problem,
    RngState,
    Solutions,
    Solver,
    StepResult,
    Suitability,
    judge,
    random_solutions,
)
from swarmkit.search import batch_scores, rng_state, warm_up
from swarmkit_genetic import kernels

MOST_SLOTS = 2_000
"""The most candidates of all stages for which it takes part in `auto`: the linkage tree is made of all pairs."""

FRAME_ROWS = 20
"""Solutions of a level that a recording shows."""

CLIMBING = -1
"""The level of a solution that is not yet a local optimum."""

TOGETHER = 1e-9
"""The distance up to which stages always change together: their own clusters would mix nothing that theirs does not."""


@dataclass
class LinkageTree:
    """Clusters of stages, smallest first; plain data."""

    stages: Ints
    """The stages, in an order in which every cluster is a segment."""
    segments: Ints
    """Where each cluster begins and ends in that order, a row each."""

    @classmethod
    def of(cls, population: Solutions, sizes: Ints, rng: Generator) -> LinkageTree:
        """Return the clusters of a population, without the one of all stages.

        Args:
            population: solutions, one a row.
            sizes: the number of candidates at each stage.
            rng: breaks ties: the order of the stages, and of clusters of equal size.
        """
        random_order = rng.permutation(len(sizes))
        distances = stage_distances(population[:, random_order], sizes[random_order])
        order, segments = clusters(distances)
        segments = segments[rng.permutation(len(segments))]
        lengths = segments[:, 1] - segments[:, 0]
        smallest_first = np.argsort(lengths, kind="stable")
        return cls(random_order[order], np.ascontiguousarray(segments[smallest_first]))


@dataclass
class Level:
    """A population, and the clusters of stages by which solutions are mixed with it."""

    population: Solutions
    tree: LinkageTree


@dataclass
class Pyramid:
    """All levels, the solution under way, and the best one; plain data."""

    x: Solutions
    """The solution under way; empty where no feasible one was drawn."""
    rng_state: RngState
    """The state of the kernels' generator."""
    best: Solutions
    best_score: float = -np.inf
    score: float = -np.inf
    """The score of x; -inf before it is known."""
    trials: Bools = field(default_factory=lambda: np.zeros(0, bool))
    """Whether each change of x, a slot, has had its trial since x was improved; empty before the climb begins."""
    level: int = CLIMBING
    """The level that x is mixed with next."""
    levels: list[Level] = field(default_factory=list)

    def begin(self, x: Solutions) -> None:
        """Let a new solution begin at the bottom."""
        self.x, self.score, self.trials, self.level = x, -np.inf, np.zeros(0, bool), CLIMBING

    def accept(self, y: Solutions, score: float) -> None:
        """Let x become another solution, which is recorded if it is the best."""
        self.x, self.score = y, score
        if score > self.best_score:
            self.best, self.best_score = y.copy(), score

    def add(self, problem: Problem, rng: Generator) -> None:
        """Add x to its level, a new one at the top, and learn the clusters again, unless x is in the pyramid."""
        if any((level.population == self.x).all(axis=1).any() for level in self.levels):
            return
        lower, upper = self.levels[: self.level], self.levels[self.level :]
        population = np.vstack([upper[0].population, self.x]) if upper else self.x[None].copy()
        # The cost of a solution: about n² · (solutions of its level) for the entropies, n² for the clusters.
        tree = LinkageTree.of(population, np.asarray(problem.sizes, np.int64), rng)
        self.levels = [*lower, Level(population, tree), *upper[1:]]


class P3(Solver[Pyramid]):
    """Parameter-less population pyramid: local optima are mixed with levels of better and better solutions."""

    reference = "Goldman & Punch 2014, Parameter-less population pyramid, GECCO"

    def refuses(self, problem: Problem) -> str | None:
        """Refuse permutations: a cluster of stages taken from another solution would repeat candidates."""
        if problem.distinct:
            return "its stages must take different candidates, and mixing stages of two solutions would repeat some"
        return None

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit bits of which nothing but the score is known, and other candidates if they are not too many to pair."""
        if problem.structure.tables is None and problem.structure.linear is None and sum(problem.sizes) <= MOST_SLOTS:
            weight = 0.65 if max(problem.sizes) <= 2 else 0.3
            return Suitability(weight, "nothing but its score is known", nanoseconds=200.0)
        return None

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        from swarmkit.kernels import scoring

        warm_up(problem, scoring, kernels.linkage)

    def start(self, problem: Problem, rng: Generator) -> Pyramid:
        """Draw the first solution."""
        x = np.zeros(len(problem.sizes), np.int64)
        state = Pyramid(x, rng_state(rng), x.copy())
        draw(problem, state, rng)
        return state

    def inject(self, problem: Problem, state: Pyramid, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Let the best of the given solutions climb next, if it is better than any so far."""
        best = int(np.argmax(scores))
        if scores[best] > state.best_score:
            state.begin(np.array(X[best], np.int64))
            state.accept(state.x, float(scores[best]))
        return 0

    def snapshot(self, state: Pyramid) -> dict[str, Any]:
        """Return the solution under way with the last ones of its level, and the numbers of levels and solutions."""
        counts = {"levels": len(state.levels), "held": sum(len(level.population) for level in state.levels)}
        if len(state.x) == 0:
            return counts
        beside = [level.population[-FRAME_ROWS:] for level in state.levels[max(0, state.level) :][:1]]
        return {"solutions": np.vstack([state.x, *beside]), **counts}

    def step(self, problem: Problem, state: Pyramid, rng: Generator) -> StepResult:
        """Try every change of the solution under way once, or mix it with one level. Figure 4.

        A solution that has passed all levels is one iteration, and the next one is drawn.
        """
        looks = iterations = 0
        while looks == 0:  # where nothing that is tried is feasible, nothing is scored
            if len(state.x) == 0:
                looks = len(problem.sizes)
                draw(problem, state, rng)
            elif state.level == CLIMBING:
                looks = climb(problem, state, rng)
            else:
                looks = mix(problem, state, rng)
            if passed(state):
                iterations = 1
                draw(problem, state, rng)
        feasible = state.best_score > -np.inf
        best, score = (state.best, state.best_score) if feasible else (None, None)
        return StepResult(best, score, looks, iterations)


def draw(problem: Problem, state: Pyramid, rng: Generator) -> None:
    """Let a random solution begin; an empty one where no feasible solution was found."""
    X = random_solutions(problem, 1, rng)
    state.begin(X[0] if len(X) else np.empty(0, np.int64))


def climb(problem: Problem, state: Pyramid, rng: Generator) -> int:
    """Try every change of one stage once, in random order, and make those that improve the solution. Figure 2.

    When all have been tried since the last improvement, the solution is a local optimum, and added to the lowest level.

    Returns:
        The looks.
    """
    sizes, looks = np.asarray(problem.sizes, np.int64), 0
    first, stages = np.cumsum(sizes) - sizes, np.repeat(np.arange(len(sizes)), sizes).tolist()
    if state.score == -np.inf:
        state.accept(state.x, score_of(problem, state.x))
        looks += len(sizes)
    if len(state.trials) == 0:
        state.trials = np.isin(np.arange(len(stages)), first + state.x)
    for slot in rng.permutation(len(stages)).tolist():
        if state.trials[slot]:
            continue
        stage, y = stages[slot], state.x.copy()
        y[stage] = slot - first[stage]
        score = score_of(problem, y)
        looks += len(sizes) if score > -np.inf else 0
        state.trials[slot] = True
        if score > state.score:
            # All other changes may improve it now, except the way back.
            state.trials[:] = False
            state.trials[[*(first + y), first[stage] + state.x[stage]]] = True
            state.accept(y, score)
    if state.trials.all():
        state.level = 0
        state.add(problem, rng)
    return looks


def mix(problem: Problem, state: Pyramid, rng: Generator) -> int:
    """Let the solution take clusters of stages from its level, where that is not worse, and rise a level. Figure 3.

    If it has become better, it is added there.

    Returns:
        The looks.
    """
    level, before, looks = state.levels[state.level], state.score, 0
    for begin, end in level.tree.segments.tolist():
        cluster = level.tree.stages[begin:end]
        donor = kernels.linkage.differing_donor(level.population, state.x, cluster, state.rng_state)
        if donor < 0:
            continue
        y = state.x.copy()
        y[cluster] = level.population[donor, cluster]
        score = score_of(problem, y)
        looks += len(y) if score > -np.inf else 0
        if score >= state.score:
            state.accept(y, score)
    state.level += 1
    if state.score > before:
        state.add(problem, rng)
    return looks


def passed(state: Pyramid) -> bool:
    """Return whether the solution has passed all levels; it passes those here that have nothing to mix it with."""
    while 0 <= state.level < len(state.levels):
        level = state.levels[state.level]
        if len(level.tree.segments) and (level.population != state.x).any():
            return False
        state.level += 1
    return state.level == len(state.levels)


def score_of(problem: Problem, y: Solutions) -> float:
    """Return the score of a solution; -inf, without scoring it, where it is infeasible."""
    if problem.structure.constrained and not judge(problem, y[None])[0]:
        return -np.inf
    return float(batch_scores(problem, y[None])[0])


def entropies(population: Solutions, sizes: Ints) -> Floats:
    """Return H(i, j), the entropy (nats) of the candidates of each pair of stages; H(i, i) is that of stage i alone.

    >>> entropies(np.array([[0, 0], [1, 0]]), np.array([2, 2])).round(3)
    array([[0.693, 0.693],
           [0.693, 0.   ]])

    Args:
        population: solutions, one a row.
        sizes: the number of candidates at each stage.
    """
    count, n = population.shape
    share = np.arange(1, count + 1) / count
    terms = np.concatenate([[0.0], -share * np.log(share)])  # by count: no logarithm in the kernel
    joint, counts = np.empty((n, n)), np.zeros(int(sizes.max()) ** 2, np.int64)
    kernels.linkage.joint_entropies(np.ascontiguousarray(population.T), sizes, terms, counts, joint)
    return joint


def stage_distances(population: Solutions, sizes: Ints) -> Floats:
    """Return 1 - I(i, j) / H(i, j) for each pair of stages, with the mutual information I; 0 where both are constant.

    >>> stage_distances(np.array([[0, 0, 0], [1, 1, 0], [0, 0, 1], [1, 1, 1]]), np.array([2, 2, 2])).round(3)
    array([[0., 0., 1.],
           [0., 0., 1.],
           [1., 1., 0.]])
    """
    joint = entropies(population, sizes)
    alone = np.diagonal(joint)
    information = alone[:, None] + alone - joint
    return np.asarray(1.0 - np.divide(information, joint, out=np.ones_like(joint), where=joint > TOGETHER))


def clusters(distances: Floats) -> tuple[Ints, Ints]:
    """Return an order of the stages, and the segments of it that are clusters.

    The cluster of all stages is left out, and so are the parts of a cluster whose stages always change together.

    Args:
        distances: between each pair of stages.
    """
    n = len(distances)
    merges, heights = np.zeros((n - 1, 2), np.int64), np.zeros(n - 1)
    ones, names, chain = np.ones(n, np.int64), np.arange(n), np.zeros(n, np.int64)
    kernels.linkage.upgma(np.array(distances), ones, names, chain, merges, heights)
    order, segments = np.zeros(n, np.int64), np.zeros((2 * n - 1, 2), np.int64)
    segments[:n, 1] = 1
    kernels.linkage.lay_out(merges, order, segments)
    useful = np.ones(2 * n - 1, bool)
    useful[merges[heights <= TOGETHER].ravel()] = False
    useful[-1] = False
    return order, segments[useful]
