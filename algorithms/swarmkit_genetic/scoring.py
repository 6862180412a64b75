"""Scores of the children under way, in portions: as much as a step may make before it pauses."""

from __future__ import annotations

from numpy.random import Generator

from swarmkit import Problem
from swarmkit.search import Climb, StepBudget
from swarmkit_genetic.child_scores import child_scores
from swarmkit_genetic.population import Brood, Population
from swarmkit_genetic.selection import Parents


def score_brood(problem: Problem, state: Population, brood: Brood, rng: Generator, budget: StepBudget) -> None:
    """Score children, or go on improving them, until all are done or the step pauses; at least one unit.

    Args:
        problem: the problem.
        state: the population, whose fittest chromosome is kept up to date.
        brood: the children under way.
        rng: the run's generator, for local search.
        budget: where the step pauses; looks and evaluations are added.
    """
    if brood.climb is not None:
        _improve(problem, state, brood, brood.climb, rng, budget)
        return
    n, evaluated = brood.children.shape[1], problem.structure.black_box
    rows = slice(brood.done, min(len(brood.children), brood.done + budget.rows(n, evaluated)))
    children = brood.children[rows]
    brood.scores[rows] = child_scores(problem, Parents(state.X, state.scores, brood.pairs[rows]), children)
    state.record_best(children, brood.scores[rows])
    budget.spend(children.size, len(children) if evaluated else 0)  # a whole score each, however it is computed
    brood.done = rows.stop


def _improve(
    problem: Problem, state: Population, brood: Brood, climb: Climb, rng: Generator, budget: StepBudget
) -> None:
    before = problem.evaluations
    looks = climb.go_on(problem, rng, budget.left)
    budget.spend(looks, problem.evaluations - before)
    found = climb.found(problem)
    if found is not None:
        state.record(*found)
    if climb.finished:
        brood.children, brood.scores, brood.done, brood.climb = climb.X, climb.scores, len(climb.X), None
