"""The parameter-less population pyramid: `p3`.

Goldman, B. W. and Punch, W. F. 2014. Parameter-less population pyramid. GECCO 2014, Figures 2 to 4.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit import (
    WHOLE_STEP,
    Floats,
    Found,
    Ints,
    Left,
    Problem,
    Solutions,
    Solver,
    Suitability,
    judge,
    random_solutions,
)
from swarmkit.search import StepBudget, batch_scores, rng_state, warm_up
from swarmkit_genetic.hill_climb import HillClimb
from swarmkit_genetic.pyramid import Pyramid

MOST_SLOTS = 2_000
"""The most candidates of all stages for which it takes part in `auto`: the linkage tree is made of all pairs."""

SHOWN = 20
"""Solutions of a level that a recording shows."""


class P3(Solver[Pyramid]):
    """Parameter-less population pyramid: local optima are mixed with levels of better and better solutions."""

    reference = "Goldman & Punch 2014, Parameter-less population pyramid, GECCO"
    unit = "one evaluation (on tables: one whole score)"

    def refuses(self, problem: Problem) -> str | None:
        """Refuse permutations: a cluster of stages taken from another solution would repeat candidates."""
        if problem.distinct:
            return "its stages must take different candidates, and mixing stages of two solutions would repeat some"
        return None

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit bits of which nothing but the score is known, and other candidates if they are not too many to pair."""
        if problem.structure.tables is None and sum(problem.sizes) <= MOST_SLOTS:
            weight = 0.65 if max(problem.sizes) <= 2 else 0.3
            return Suitability(weight, "nothing but its score is known", nanoseconds=200.0)
        return None

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        from swarmkit.kernels import scoring
        from swarmkit_genetic.kernels import clustering, entropy, mixing

        warm_up(problem, scoring, clustering, entropy, mixing)

    def start(self, problem: Problem, rng: Generator) -> Pyramid:
        """Draw the first solution."""
        x = np.zeros(len(problem.sizes), np.int64)
        state = Pyramid(x=x, rng_state=rng_state(rng), best=x.copy())
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
        held = sum(len(own.population) for own in state.levels)
        if len(state.x) == 0:
            return {"levels": len(state.levels), "held": held}
        own = [state.levels[min(state.level, len(state.levels) - 1)].population[-SHOWN:]] if state.levels else []
        return {"solutions": np.vstack([state.x, *own]), "levels": len(state.levels), "held": held}

    def step(self, problem: Problem, state: Pyramid, rng: Generator, left: Left = WHOLE_STEP) -> Found:
        """Let one solution after the other climb and be mixed with every level; each is one iteration. Figure 4.

        A step pauses before an evaluation and nowhere else: what costs nothing belongs to the evaluation before it.
        """
        budget, iterations = StepBudget(left), 0
        sizes = np.asarray(problem.sizes, np.int64)
        paused = False
        while not paused and iterations < left.iterations:
            if len(state.x) == 0:  # no feasible solution has been found
                paused = not draw_again(problem, state, rng, budget)
            elif not state.climbed:
                paused = not climb(problem, state, sizes, rng, budget)
            elif state.level < len(state.levels):
                paused = not mix(problem, state, sizes, rng, budget)
            else:
                iterations += 1
                draw(problem, state, rng)
        return state.found(budget.looks, iterations)


def draw(problem: Problem, state: Pyramid, rng: Generator) -> None:
    """Let a random solution begin; an empty one where no feasible solution was found."""
    X = random_solutions(problem, 1, rng)
    X = X[judge(problem, X)] if problem.structure.constrained else X
    state.begin(X[0] if len(X) else np.empty(0, np.int64))


def draw_again(problem: Problem, state: Pyramid, rng: Generator, budget: StepBudget) -> bool:
    """Draw where no feasible solution was found, for n looks; return whether the step goes on."""
    if budget.open:
        budget.spend(len(problem.sizes))
        draw(problem, state, rng)
    return budget.open


def climb(problem: Problem, state: Pyramid, sizes: Ints, rng: Generator, budget: StepBudget) -> bool:
    """Improve the solution under way by changes of one stage, until none improves it, and add it. Figure 2.

    Returns:
        Whether it is a local optimum; otherwise the step pauses.
    """
    first = np.cumsum(sizes) - sizes
    if state.score == -np.inf:
        score = score_of(problem, state.x, budget)
        if score is None:
            return False
        state.accept(state.x, score)
    if state.climb is None:
        state.climb = HillClimb.of(state.x, first, int(sizes.sum()), rng)
    while (slot := state.climb.next_slot(rng)) is not None:
        stage = int(np.searchsorted(first, slot, side="right")) - 1
        held, y = int(first[stage] + state.x[stage]), state.x.copy()
        y[stage] = slot - first[stage]
        score = score_of(problem, y, budget)
        if score is None:
            state.climb.put_back()
            return False
        improved = score > state.score
        if improved:
            state.accept(y, score)
        state.climb.record(slot, held, state.x, first, improved)
    state.climb, state.climbed, state.before = None, True, state.score
    state.add(0, sizes, rng)
    return True


def mix(problem: Problem, state: Pyramid, sizes: Ints, rng: Generator, budget: StepBudget) -> bool:
    """Let the solution under way take clusters of stages from a level, where that is not worse. Figure 3.

    If it is better than before in the end, it is added to the next level.

    Returns:
        Whether all clusters were tried; otherwise the step pauses.
    """
    from swarmkit_genetic.kernels.mixing import differing_donor

    own = state.levels[state.level]
    segments, stages = own.tree.segments.tolist(), own.tree.stages
    while state.cluster < len(segments):
        begin, end = segments[state.cluster]
        cluster, drawn = stages[begin:end], state.rng_state.copy()
        donor = differing_donor(own.population, state.x, cluster, state.rng_state)
        if donor >= 0:
            y = state.x.copy()
            y[cluster] = own.population[donor, cluster]
            score = score_of(problem, y, budget)
            if score is None:
                state.rng_state = drawn
                return False
            if score >= state.score:
                state.accept(y, score)
        state.cluster += 1
    if state.score > state.before:
        state.add(state.level + 1, sizes, rng)
    state.level, state.cluster, state.before = state.level + 1, 0, state.score
    return True


def score_of(problem: Problem, y: Solutions, budget: StepBudget) -> float | None:
    """Return the score of a solution, -inf without scoring it where it is infeasible; None if nothing is left."""
    if problem.structure.constrained and not judge(problem, y[None])[0]:
        return -np.inf
    if not budget.open:
        return None
    budget.spend(len(y), 1 if problem.structure.black_box else 0)
    return float(batch_scores(problem, y[None])[0])
