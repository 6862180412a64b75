"""The genetic algorithm: `ga`.

Zhang, C., Zhou, Y. and Martin, T. 2008. Genetic word sense disambiguation algorithm. IITA 2008.

    draw a population at random, and score it                               `Ga.start`, `Ga.score_first`
    repeat
        select two parents for each child, fitter ones more often           `roulette`, `tournament_winners`
        cross them, and let the child mutate                                `make_children`, `kernels.offspring`
        where local search is asked for, let the children climb             `population.GeneticSolver`
        score the children, and let them replace all but the elite          `child_scores`, `Ga.replace`
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import (
    Floats,
    Ints,
    Problem,
    RngState,
    Settings,
    Solutions,
    StepResult,
    Suitability,
    judge,
    random_solutions,
    repair,
)
from swarmkit.search import (
    Credit,
    ExchangeNeighbourhood,
    LinearNeighbourhood,
    batch_scores,
    links_of,
    neighbourhood_of,
    rng_state,
    roulette_wheel,
    warm_up,
)
from swarmkit_genetic import kernels
from swarmkit_genetic.population import GeneticSolver, Population, mutated_copies

if TYPE_CHECKING:
    from swarmkit_genetic.kernels.offspring import Operators, Parents

NEAR = 8
"""A child is scored by its difference from a parent where they differ in up to n / NEAR stages; beyond, a whole
score is as fast."""

PERMUTATION_MUTATIONS = "swap", "inversion", "insertion"


class Ga(GeneticSolver):
    """Genetic algorithm: fitter solutions become parents more often; children mix two of them and mutate a little."""

    reference = "Zhang, Zhou & Martin 2008, Genetic word sense disambiguation algorithm, IITA"

    class Params(Settings):
        """Operators and rates; the values are ours."""

        renamed: ClassVar[Mapping[str, str]] = {
            "founders": "-a tour-ga -A initial=nearest (or random)",
            "entrants": "-A tournament_size=N",
            "arranging": "-A permutation_crossover=order (or pmx); for 'tour': -a tour-ga",
            "rearranging": "-A permutation_mutation=swap (inversion, insertion, mixed); for 'near': -a tour-ga",
            "replacement": "-a ga for 'generation'; for 'parent', on tours: -a tour-ga",
            "local_search=2opt": "-a tour-ga -A local_search=2opt",
        }

        population: Annotated[int, Field(ge=2, le=1_000_000)] = 100
        """Solutions in a generation."""
        selection: Literal["roulette", "tournament"] = "tournament"
        """How parents are chosen: in proportion to the score above the worst, or as the best of a few."""
        tournament_size: Annotated[int, Field(ge=1, le=1000)] = 3
        """Solutions that compete in a tournament."""
        crossover: Literal["one-point", "uniform"] = "one-point"
        """How two parents are mixed."""
        permutation_crossover: Literal["order", "pmx"] = "order"
        """The same where stages must differ: order crossover, or partially mapped crossover."""
        crossover_rate: Annotated[float, Field(ge=0, le=1)] = 0.9
        """Probability that a child has two parents; otherwise it is a copy of one, mutated."""
        mutation: Annotated[float, Field(ge=0)] = 1.0
        """Expected number of stages of a child that mutate to another candidate."""
        permutation_mutation: Literal["swap", "inversion", "insertion", "mixed"] | None = None
        """What a mutation does where stages must differ: swap two stages, reverse a segment, move a stage elsewhere, or
        one of the three, those more often that have made better children; by default swap with tables, else mixed."""
        elite: Annotated[int, Field(ge=0)] = 2
        """The best solutions that survive unchanged, as many as this."""
        local_search: Literal["none", "icm"] = "none"
        """Improve every child to a local optimum first (a memetic algorithm): icm is iterated conditional modes."""

    params: Params

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit problems of which nothing but the score is known."""
        if problem.structure.pairwise is not None and not problem.structure.opaque:
            return None
        if not problem.distinct and max(problem.sizes) <= 2:
            # The order of the bits may mean nothing, and evaluations may be few.
            params = {"crossover": "uniform", "tournament_size": 6}
            return Suitability(0.64, "nothing but its score is known", nanoseconds=25.0, params=params)
        # Sequences: crossover loses most of what moves of single solutions gain.
        return Suitability(0.1 if problem.distinct else 0.5, "nothing but its score is known", nanoseconds=18.0)

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        from swarmkit.kernels import icm, scoring, swap_gains

        climbs = (icm, swap_gains) if self.params.local_search == "icm" else ()
        warm_up(problem, kernels.offspring, scoring, *climbs)

    def start(self, problem: Problem, rng: Generator) -> Population:
        """Draw the first generation at random."""
        k, state = self.params.population, rng_state(rng)
        X = np.ascontiguousarray(random_solutions(problem, k, rng))  # kernels read it
        if 0 < len(X) < k:  # feasible solutions are hard to find: begin with several copies
            X = X[np.arange(k) % len(X)]
        return Population.of(X, state)

    def generate(self, problem: Problem, state: Population, rng: Generator, count: int) -> StepResult:
        """Make one generation: selection, crossover, mutation, replacement."""
        parents, children = self._offspring(problem, state, rng)
        scores = child_scores(problem, parents, children)
        if state.credit is not None:
            state.credit.book(state.kinds, scores > parents.scores[parents.pairs].mean(axis=1))
        self.replace(state, children, scores)
        return state.result(children.size, iterations=1)  # a whole score each, however it is computed

    def breed(self, problem: Problem, state: Population, rng: Generator) -> Solutions:
        """Return the children of selected parents."""
        return self._offspring(problem, state, rng)[1]

    def _offspring(self, problem: Problem, state: Population, rng: Generator) -> tuple[Parents, Solutions]:
        parents = kernels.offspring.Parents(state.X, state.scores, self._select(state.scores, rng))
        operators = self._operators(problem, state, len(parents.pairs), rng)
        return parents, make_children(problem, parents, operators, state.rng_state, rng)

    def replace(self, state: Population, children: Solutions, scores: Floats) -> None:
        """Let the children replace all but the elite (generational replacement)."""
        state.record(children, scores)
        elite = np.argsort(-state.scores, kind="stable")[: len(state.X) - len(children)]
        state.X = np.vstack([state.X[elite], children])
        state.scores = np.concatenate([state.scores[elite], scores])

    def inject(self, problem: Problem, state: Population, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Let the given solutions, and mutated copies of them, replace the worse half; children that climb are lost."""
        if scores.max() <= state.best_score:
            return 0
        k = self.params.population
        half = k // 2 if len(state.X) else k  # an empty population is replaced whole
        survivors = np.argsort(-state.scores, kind="stable")[: k - half]
        Y = mutated_copies(problem, X[np.argsort(-scores, kind="stable")[:half]], half, rng)
        state.X = np.ascontiguousarray(np.vstack([state.X[survivors], Y]))
        state.scores = np.concatenate([state.scores[survivors], np.full(half, -np.inf)])  # the next step scores them
        state.climb = None
        state.record(X, scores)
        return 0

    def score_first(self, problem: Problem, state: Population, rng: Generator) -> int:
        """Score what is not scored; where no feasible solution has been drawn, draw again. Return the looks."""
        n, rows = len(problem.sizes), state.new_rows
        if len(state.X) == 0:
            generation = self.start(problem, rng)
            state.X, state.scores = generation.X, generation.scores
            return n
        state.scores[rows] = batch_scores(problem, state.X[rows])
        state.record(state.X, state.scores)
        return n * len(rows)

    def _select(self, scores: Floats, rng: Generator) -> Ints:
        """Return the parents of each child, two rows of the population."""
        children = len(scores) - min(self.params.elite, self.params.population - 1)
        draws = rng.random((children, 2))
        if self.params.selection == "roulette":
            return roulette_wheel(roulette(scores), draws)
        return tournament_winners(scores, self.params.tournament_size, draws)

    def _operators(self, problem: Problem, state: Population, children: int, rng: Generator) -> Operators:
        params, codes = self.params, kernels.offspring
        return codes.Operators(
            crossover=codes.CROSSOVERS[params.permutation_crossover if problem.distinct else params.crossover],
            crossover_rate=params.crossover_rate,
            mutations=self._mutations(problem, state, children, rng),
            mutation_rate=min(1.0, params.mutation / len(problem.sizes)),
        )

    def _mutations(self, problem: Problem, state: Population, children: int, rng: Generator) -> Ints:
        """Return the code of each child's mutations."""
        codes = kernels.offspring.MUTATIONS
        name = self.params.permutation_mutation or ("mixed" if problem.structure.black_box else "swap")
        if problem.distinct and name == "mixed":
            state.credit = state.credit or Credit.even(len(PERMUTATION_MUTATIONS))
            state.kinds = state.credit.draw(children, rng)
            return np.array([codes[kind] for kind in PERMUTATION_MUTATIONS])[state.kinds]
        return np.full(children, codes[name if problem.distinct else "change"])


def roulette(scores: Floats) -> Floats:
    """Return probabilities in proportion to the score above the worst; equal ones if all scores are.

    >>> roulette(np.array([1.0, 2.0, 4.0]))
    array([0.  , 0.25, 0.75])
    """
    # Ours: raw scores may be negative, and on long texts hardly differ from each other in proportion.
    above = scores - scores.min()
    total = above.sum()
    return above / total if total > 0 else np.full(len(scores), 1 / len(scores))


def tournament_winners(scores: Floats, size: int, draws: Floats) -> Ints:
    """Return the best of `size` solutions drawn with replacement, for each draw u from [0, 1): rank ⌊k·u^(1/size)⌋.

    That rank of k, counted from the worst, is below r with probability (r/k)^size: all entrants are.

    >>> tournament_winners(np.array([5.0, 1.0, 3.0, 2.0]), 2, np.array([0.05, 0.1, 0.5, 0.99]))
    array([1, 3, 2, 0])
    """
    k = len(scores)
    ranks = (k * draws ** (1.0 / size)).astype(np.int64)
    return np.asarray(np.argsort(scores, kind="stable")[np.minimum(ranks, k - 1)])


def make_children(
    problem: Problem, parents: Parents, operators: Operators, rng_state: RngState, rng: Generator
) -> Solutions:
    """Return one feasible child of each pair of parents, by crossover and mutation.

    A child that violates a constraint is repaired; one that cannot be is a copy of its first parent.

    Args:
        problem: any problem.
        parents: the population and the pairs.
        operators: crossover and mutation that suit the problem (permutation operators where stages must differ).
        rng_state: the kernels' random numbers.
        rng: the run's generator, for repair.
    """
    sizes = np.asarray(problem.sizes, np.int64)
    children = np.empty((len(parents.pairs), len(sizes)), np.int64)
    kernels.offspring.make_children(parents, sizes, operators, np.full(int(sizes.max()), -1), rng_state, children)
    if problem.structure.constrained:
        good = repair(problem, children, rng)  # in place
        children[~good] = parents.X[parents.pairs[~good, 0]]
    near = neighbourhood_of(problem)
    if isinstance(near, LinearNeighbourhood | ExchangeNeighbourhood):
        # Single changes break constraints, and repair undoes them: copies of a parent make a move that keeps them.
        idle = (children[:, None] == parents.X[parents.pairs]).all(axis=2).any(axis=1)
        moves = near.random_moves(children[idle], rng)
        children[idle] = np.where(judge(problem, moves.solutions)[:, None], moves.solutions, children[idle])
    return children


def child_scores(problem: Problem, parents: Parents, children: Solutions) -> Floats:
    """Return the scores of children: by the difference from a parent that is near, whole otherwise.

    Args:
        problem: any problem.
        parents: population, scores, and the pair of each child.
        children: the solutions to score.
    """
    form = problem.structure.pairwise
    if form is None or problem.structure.tour is not None:  # a length is as fast as any difference
        return batch_scores(problem, children)
    n = children.shape[1]  # the work of a difference grows with the stages that differ, that of a score with n
    totals, scratch = np.empty(len(children)), np.empty(n, np.int64)
    kernels.offspring.score_children(links_of(form), form.unary, parents, children, n // NEAR, scratch, totals)
    far = np.isnan(totals)
    totals[far] = batch_scores(problem, children[far])
    return totals
