"""Hill climbing with restarts: one random move after another, taken if it is no loss.

Where a problem is tables without constraints, a compiled kernel makes the moves (`kernel.py`); `plain_climb` is its
plain twin.
"""

from dataclasses import dataclass

import numpy as np
from pydantic import Field

from swarmkit import Settings, Solver, StepResult, evaluate, move, move_gains, random_solutions
from swarmkit.search import GainTable, links_of, warm_up


@dataclass
class Climb:
    """Where the climber is: plain data, so that runs can be stopped and resumed."""

    x: np.ndarray | None
    table: GainTable | None
    idle: int


class HillClimbing(Solver):
    """Change a random stage if that is no loss; start again after too many moves without a gain."""

    reference = "Russell & Norvig 2021, Artificial Intelligence, section 4.1"

    class Params(Settings):
        """How it climbs."""

        moves: int = Field(default=200, ge=1)
        """Moves tried per iteration."""
        patience: int = Field(default=1000, ge=1)
        """Moves without a gain before a new start."""

    def prepare(self, problem):
        """Compile the kernel before the clock runs."""
        if problem.structure.tables is not None:
            from swarmkit_knapsack import kernel

            warm_up(problem, kernel)

    def start(self, problem, rng) -> Climb:
        """Return a state without a solution: the first step draws one."""
        return Climb(x=None, table=None, idle=0)

    def step(self, problem, state: Climb, rng) -> StepResult:
        """Try some moves from the current solution; a look is one candidate's value read."""
        if state.x is None or state.idle >= self.params.patience:
            drawn = random_solutions(problem, 1, rng)
            if len(drawn) == 0:
                return StepResult(None, None, looks=len(problem.sizes))
            form = problem.structure.tables
            state.x, state.idle = drawn[0], 0
            state.table = GainTable.at(form, state.x, rng) if form is not None else None
        return self._compiled(problem, state) if state.table is not None else self._plain(problem, state, rng)

    def _compiled(self, problem, state: Climb) -> StepResult:
        from swarmkit_knapsack.kernel import climb

        table, moves = state.table, self.params.moves
        free = np.flatnonzero(np.asarray(problem.sizes) > 1)
        links = links_of(problem.structure.tables)
        idle = climb(links, table.current, table.best, table.scores, free, moves, table.rng_state)
        state.idle = idle + (state.idle if idle == moves else 0)
        return StepResult(table.best, float(table.scores[1]), looks=moves)

    def _plain(self, problem, state: Climb, rng) -> StepResult:
        for stage in rng.integers(len(state.x), size=self.params.moves):
            gains = move_gains(problem, state.x[None], stage)[0]
            candidate = int(rng.integers(len(gains)))
            if gains[candidate] >= 0:
                move(problem, state.x, stage, candidate)
            state.idle = 0 if gains[candidate] > 0 else state.idle + 1
        return StepResult(state.x, float(evaluate(problem, state.x[None])[0]), looks=self.params.moves)


def plain_climb(problem, x, moves, draw):
    """Make the moves of the kernel by whole scores: its plain twin, told the same random numbers by `draw(bound)`."""
    free = np.flatnonzero(np.asarray(problem.sizes) > 1)
    score = evaluate(problem, x[None])[0]
    for _ in range(moves):
        stage = free[draw(len(free))]
        candidate = draw(int(problem.sizes[stage]) - 1)
        candidate += candidate >= x[stage]
        other = x.copy()
        move(problem, other, stage, candidate)
        if evaluate(problem, other[None])[0] >= score:
            x, score = other, evaluate(problem, other[None])[0]
    return x, float(score)
