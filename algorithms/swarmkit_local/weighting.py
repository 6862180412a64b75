"""Local search with weighted constraints, on tables: `weighting`.

Umetani, S. 2017. Exploiting variable associations to configure efficient local search algorithms in large-scale binary
integer programs. European Journal of Operational Research 263(1).

    begin with the best candidate of every stage
    repeat
        while a change of one stage gains (objective and weighted violations): make the best of a sample of them
        if two changes gain together, the second out of a row that the first violates: make them
        else let the violated rows, or if there are none the objective, weigh more, and leave the local optimum
        after a while without a better solution return to the best one, with the first weights

Not in the paper: samples of the improving changes (Luteberget and Sartor 2022), a short tabu tenure, increments that
grow so that old ones are forgotten, and any number of candidates of a stage.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import Floats, Problem, Settings, Solutions, Solver, StepResult, Suitability
from swarmkit.kernels.linear_state import BEST, VIOLATED, Rules, WeightingState
from swarmkit.search import batch_scores, feasible_near, model_of, rng_state, search_at, warm_up

LEAST_PATIENCE = 2000
"""The fewest steps without a better solution after which the search returns to the best."""


class Weighting(Solver[WeightingState]):
    """Local search with weighted constraints: changes and pairs of changes; what stays violated weighs ever more."""

    reference = (
        "Umetani 2017, Exploiting variable associations to configure efficient local search algorithms in large-scale "
        "binary integer programs, European Journal of Operational Research 263(1)"
    )

    class Params(Settings):
        """Tenure, patience and weights; values ours."""

        tenure: Annotated[int, Field(ge=0, le=10**6)] = 3
        """The shortest time, in steps, for which a stage that has changed stays as it is; up to twice as long."""
        patience: Annotated[float, Field(gt=0, le=10**6)] = 20.0
        """The search returns to the best solution after this many steps for each stage, at least 2,000, without a
        better one."""
        forgetting: Annotated[float, Field(gt=0, le=1)] = 0.999
        """At each local optimum what has been added to the weights before counts this much less."""

    params: Params

    def refuses(self, problem: Problem) -> str | None:
        """Refuse what has no linear constraints, no tables, or constraints of which only answers are known."""
        structure = problem.structure
        if structure.linear is None or structure.pairwise is None or structure.opaque:
            return "it is for tables with linear constraints and no others; 'ils' solves any problem"
        return None

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit linear constraints; a look costs what the candidates of its rows cost, which are kept up to date."""
        linear = problem.structure.linear
        longest = 0 if linear is None else int(np.diff(linear.indptr).max(initial=0))
        return Suitability(1.0, "it has linear constraints", nanoseconds=50.0 + longest / 2)

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels and lay out the tables."""
        from swarmkit.kernels import linear, propagation, weighting

        warm_up(problem, linear, propagation, weighting)
        model_of(problem.structure)

    def start(self, problem: Problem, rng: Generator) -> WeightingState:
        """Begin with the best candidate of every stage, ties at random; a feasible one near it is the incumbent."""
        model = model_of(problem.structure)
        first = model.rows.offsets[:-1]
        order = np.lexsort((rng.random(len(model.unary)), -model.unary, model.rows.stage))
        x = order[first] - first
        state = search_at(model, x, rng_state(rng))
        X, good = feasible_near(problem.structure, x[None], state.rng_state)
        if good[0]:
            state.best[:], state.numbers[BEST] = first + X[0], batch_scores(problem, X)[0]
        return state

    def inject(self, problem: Problem, state: WeightingState, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Go on from the best of the given solutions, with the first weights, if it is the best known."""
        from swarmkit.kernels import weighting

        model, best = model_of(problem.structure), int(np.argmax(scores))
        if state.best[0] < 0 or scores[best] > state.numbers[BEST]:
            state.chosen[:] = model.rows.offsets[:-1] + X[best]
            weighting.begin(model, state, 1.0)
        return len(problem.sizes)

    def snapshot(self, state: WeightingState) -> dict[str, Any]:
        """Return the current solution, and the number of constraints that it violates."""
        return {"current": state.chosen - state.first, "violated constraints": int(state.counters[VIOLATED])}

    def steps(self, problem: Problem, state: WeightingState, rng: Generator, count: int) -> StepResult:
        """Make a move, or a pair of moves, in each step."""
        from swarmkit.kernels import weighting

        model = model_of(problem.structure)
        patience = max(LEAST_PATIENCE, int(self.params.patience * len(state.chosen)))
        rules = Rules(self.params.tenure, patience, self.params.forgetting)
        looks = int(weighting.iterate(model, state, rules, count, False))
        if state.best[0] < 0:
            return StepResult(None, None, looks, count)
        best = state.best - model.rows.offsets[:-1]
        # Scored again: the search's own numbers are sums of differences.
        return StepResult(best, float(batch_scores(problem, best[None])[0]), looks, count)
