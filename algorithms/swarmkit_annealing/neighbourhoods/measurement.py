"""The temperature scale of a problem without tables, or with constraints: measured in the first steps, in portions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Problem, Solutions
from swarmkit.search import StepBudget, random_moves
from swarmkit_annealing.neighbourhoods.chains import Chains
from swarmkit_annealing.neighbourhoods.pending import PendingMoves, PendingScores

MOVES = 20
"""Random moves of each solution: enough to estimate a standard deviation to within a few per cent."""


@dataclass
class Measurement:
    """A search that has not begun: first its start is scored, then the gains of random moves tell how hot is hot."""

    start: PendingScores
    """The solutions to start from."""
    copies: int
    """The chains that start from each of them."""
    drawn: PendingScores | None
    """Random solutions to move from; None where `start` is random itself."""
    gains: Floats
    """The gains of their moves so far, a row for each move of all of them."""
    moves: int
    """The number of rows that are complete."""
    proposed: PendingMoves | None = None
    """The moves under way."""

    @classmethod
    def of(cls, X: Solutions, copies: int, drawn: Solutions | None) -> Measurement:
        """Return a measurement that has not begun.

        Args:
            X: the solutions to start from.
            copies: the chains that start from each of them.
            drawn: random solutions to move from; None where X are random themselves.
        """
        count = len(X if drawn is None else drawn)
        pending = None if drawn is None else PendingScores.of(drawn)
        return cls(PendingScores.of(X), copies, pending, np.empty((MOVES, count)), 0 if count else MOVES)

    @property
    def complete(self) -> bool:
        """Whether all is scored."""
        return self.start.complete and self.moves == MOVES

    def go_on(self, problem: Problem, rng: Generator, budget: StepBudget) -> None:
        """Score until all is complete or the step pauses."""
        while budget.open and not self.complete:
            self._score(problem, rng, budget)

    def _score(self, problem: Problem, rng: Generator, budget: StepBudget) -> None:
        """Score a portion of what comes next."""
        sample = self.start if self.drawn is None else self.drawn
        if not self.start.complete:
            self.start.score(problem, budget)
            return
        if self.proposed is None:
            self.proposed = PendingMoves.of(random_moves(problem, sample.solutions, rng))
        if self.proposed.moves.evaluated and not sample.complete:
            sample.score(problem, budget)
            return
        self.proposed.score(problem, sample.solutions, sample.scores, budget)
        if self.proposed.complete:
            self.gains[self.moves], self.proposed = self.proposed.gains, None
            self.moves += 1

    @property
    def deviation(self) -> float:
        """The standard deviation of the gains of feasible moves that change the score; 1 if none does.

        Moves that change nothing say nothing about how hot is hot, and on plateaus they are most of all moves.
        """
        changing = self.gains[np.isfinite(self.gains) & (self.gains != 0)]
        return (float(np.sqrt(np.mean(changing**2))) if len(changing) else 0.0) or 1.0

    def best(self) -> tuple[Solutions, float] | tuple[None, None]:
        """Return the best solution scored of those to start from, and its score."""
        i = int(self.start.scores.argmax())
        return (self.start.solutions[i], float(self.start.scores[i])) if self.start.done else (None, None)

    def chains(self) -> Chains:
        """Return the chains, as they start."""
        return Chains.at(self.start, self.copies)
