"""Hill climbing with restarts: one random move after another, kept if it is no loss."""

from dataclasses import dataclass

import numpy as np
from pydantic import Field

from swarmkit import Found, Settings, Solver, evaluate, move, move_gains, random_solutions


@dataclass
class Climb:
    """Where the climber is: plain data, so that runs can be stopped and resumed."""

    x: np.ndarray | None
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

    def start(self, problem, rng) -> Climb:
        """Begin nowhere: the first step draws a start."""
        return Climb(x=None, idle=0)

    def step(self, problem, state: Climb, rng) -> Found:
        """Try some moves from where we are; a look is one candidate's value read."""
        if state.x is None or state.idle >= self.params.patience:
            drawn = random_solutions(problem, 1, rng)
            if len(drawn) == 0:
                return Found(None, None, looks=len(problem.sizes))
            state.x, state.idle = drawn[0], 0
        looks = 0
        for stage in rng.integers(len(state.x), size=self.params.moves):
            gains = move_gains(problem, state.x[None], stage)[0]
            candidate = int(rng.integers(len(gains)))
            looks += 1
            if gains[candidate] >= 0:
                move(problem, state.x, stage, candidate)
            state.idle = 0 if gains[candidate] > 0 else state.idle + 1
        return Found(state.x, float(evaluate(problem, state.x[None])[0]), looks)
