"""Eq. (1) of Abualhaija & Zimmermann 2014, read as a method of its own: `max-relatedness`."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from swarmkit import Bools, Floats, Pairwise, Problem, Solutions, Solver, StepResult, construct, pick_best
from swarmkit_baselines.simple import best_found


class MaxRelatedness(Solver[None]):
    """At each stage take the candidate with the largest sum of best relations to the other stages; ties at random.

    The formula sums over all words; a word is not related to itself, and tables exist for linked stages only, so the
    sum is over the stages that the score links. Each of them contributes its candidate of highest relatedness.
    """

    reference = "Abualhaija & Zimmermann 2014, Eq. (1)"

    def refuses(self, problem: Problem) -> str | None:
        """Refuse a problem without tables."""
        if problem.structure.black_box:
            return "it has no pairwise form, so nothing is known of how its candidates are related"
        return None

    def start(self, problem: Problem, rng: Generator) -> None:
        """Keep no state: there is one step."""

    def step(self, problem: Problem, state: None, rng: Generator) -> StepResult:
        """Build the solution, within the constraints."""
        form = problem.pairwise()
        assert form is not None  # noqa: S101  (refused otherwise)
        values, offsets = best_relations(form), form.offsets

        def choose(_: Solutions, stage: int, allowed: Bools) -> NDArray[np.int64]:
            own = values[offsets[stage] : offsets[stage + 1]]
            return pick_best(np.broadcast_to(own, allowed.shape), allowed, rng)

        i, j = form.edges.T
        looks = int(form.offsets[-1] + 2 * (form.sizes[i] * form.sizes[j]).sum())
        return best_found(problem, construct(problem, 1, choose), looks, done=True)


def best_relations(form: Pairwise) -> Floats:
    """Return, for each slot, its own value plus the sum of its best relations to each linked stage. Eq. (1).

    >>> best_relations(Pairwise.of([2, 2], [(0, 1, [[1, 5], [2, 3]])]))
    array([5., 3., 2., 5.])
    """
    total = form.unary.copy()
    kept: dict[tuple[int, int, int, bool], tuple[Floats, Floats]] = {}  # a table that edges share is read once
    for (i, j), start, weight in zip(form.edges.tolist(), form.starts.tolist(), form.weights, strict=True):
        shape = (int(form.sizes[i]), int(form.sizes[j]))
        key = (start, *shape, bool(weight > 0))
        if key not in kept:
            table = form.flat[start : start + shape[0] * shape[1]].reshape(shape)
            best = table.max if weight > 0 else table.min
            kept[key] = (best(axis=1), best(axis=0))
        for stage, values in zip((i, j), kept[key], strict=True):
            total[form.offsets[stage] : form.offsets[stage + 1]] += weight * values
    return total
