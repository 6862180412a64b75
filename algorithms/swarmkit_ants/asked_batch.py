"""Solutions built by asking the problem, all ants side by side: where it has constraints or an appeal of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swarmkit import Floats, Left, Problem, Solutions, evaluate, judge
from swarmkit.search import roulette_wheel
from swarmkit_ants.stage_task import FAINTEST, Task

ATTEMPTS = 20
"""How often ants that ended in a dead end begin again; a problem that needs more should define `allowed`."""


@dataclass
class AskedBatch:
    """The solutions of an iteration; plain data, part of the colony's state.

    A pause may fall between two stages of the construction, and then between two solutions that are scored.
    """

    ants: int
    X: Solutions
    """The feasible solutions that are built; fewer than ants where these are hard to find."""
    scores: Floats
    unfinished: Solutions
    """The solutions under construction."""
    first: int = -1
    """The stage at which the ants begin; -1 before an iteration."""
    filled: int = 0
    """The stages of the solutions under construction that are filled."""
    attempts: int = 0
    """How often ants have begun."""
    scored: int = 0
    """The solutions that are scored."""
    alone: bool = True
    """Whether one ant goes ahead of the others, as in the first iteration: a short run shall have a solution."""

    @classmethod
    def of(cls, problem: Problem, ants: int) -> AskedBatch:
        """Return a batch before its first iteration."""
        none = np.zeros((0, len(problem.sizes)), np.int64)
        return cls(ants, none, np.zeros(0), none)

    @property
    def built(self) -> bool:
        """Whether the ants are back, or have been given up."""
        return self.filled == 0 and self.attempts > 0 and (len(self.X) == self.ants or self.attempts == ATTEMPTS)

    @property
    def known(self) -> tuple[Solutions, Floats]:
        """The solutions so far whose scores are known, and these."""
        return self.X[: self.scored], self.scores[: self.scored]

    def finished(self, task: Task) -> bool:
        """Whether all solutions of the iteration are built, and scored if the task says so."""
        return self.built and (not task.scoring or self.scored == len(self.X))

    def go_on(self, task: Task, strength: Floats, left: Left) -> int:
        """Build and score solutions until a pause, and return the looks.

        Args:
            task: what the ants work on.
            strength: τ^alpha of every slot.
            left: where to pause.
        """
        looks = 0
        if self.first < 0:
            self.first = int(task.rng.integers(len(task.problem.sizes)))
        while looks < left.looks and not self.finished(task):
            if task.scoring and self.scored < len(self.X):
                return looks + self._score(task.problem, left._replace(looks=left.looks - looks))
            looks += self._fill(task, strength)
        return looks

    def end(self) -> None:
        """End the iteration."""
        self.X, self.scores = self.X[:0], self.scores[:0]
        self.first, self.attempts, self.scored = -1, 0, 0

    def _score(self, problem: Problem, left: Left) -> int:
        """Score solutions, as many as may be, and return the looks."""
        n, begin = len(problem.sizes), self.scored
        self.scored = min(begin + left.rows(n), len(self.X))
        self.scores[begin : self.scored] = evaluate(problem, self.X[begin : self.scored])
        return n * (self.scored - begin)

    def _fill(self, task: Task, strength: Floats) -> int:
        """Fill the next stage of all unfinished solutions, drop those in a dead end, and return the looks."""
        problem, n = task.problem, len(task.problem.sizes)
        if self.filled == 0:
            self.unfinished = np.full((1 if self.alone else self.ants - len(self.X), n), -1, np.int64)
        stage, rows = (self.first + self.filled) % n, len(self.unfinished)
        allowed = np.asarray(problem.allowed(self.unfinished, stage), bool)
        possible = allowed.any(axis=1)
        X, allowed = self.unfinished[possible], allowed[possible]
        weights = task.slots_of(strength, stage) * heuristic(problem, X, stage) ** task.beta * allowed
        X[:, stage] = roulette_wheel(weights, task.rng.random(len(X)))
        self.unfinished, self.filled = X, self.filled + 1
        if self.filled == n:
            self.X = np.vstack([self.X, X[judge(problem, X)]])
            self.scores = np.concatenate([self.scores, np.full(len(self.X) - len(self.scores), -np.inf)])
            self.filled, self.attempts, self.alone = 0, self.attempts + 1, False
        blind = problem.structure.black_box and not problem.structure.own_appeal
        return rows * (1 if blind else allowed.shape[1])


def heuristic(problem: Problem, X: Solutions, stage: int) -> Floats:
    """Return η of the candidates of a stage for each unfinished solution."""
    appeal = np.asarray(problem.appeal(X, stage, stage - 1 if stage else X.shape[1] - 1), np.float64)
    return proportional(appeal) if problem.structure.own_appeal else visibility(appeal)


def visibility(appeal: Floats) -> Floats:
    """Return η of marginal scores, which have no natural zero: from `FAINTEST` for the row's least to 1 for its most.

    >>> visibility(np.array([[4.0, 6.0, 8.0], [0.0, 0.0, 0.0]])).tolist()
    [[0.05, 0.5, 1.0], [1.0, 1.0, 1.0]]
    """
    least = appeal.min(axis=1, keepdims=True, initial=np.inf)
    extent = appeal.max(axis=1, keepdims=True, initial=-np.inf) - least
    return np.where(extent > 0, np.maximum((appeal - least) / np.where(extent > 0, extent, 1.0), FAINTEST), 1.0)


def proportional(appeal: Floats) -> Floats:
    """Return η where the problem defines how appealing candidates are: in proportion, at least `FAINTEST`.

    >>> proportional(np.array([[4.0, 6.0, 8.0], [0.0, 0.0, 0.0]])).tolist()
    [[0.5, 0.75, 1.0], [1.0, 1.0, 1.0]]
    """
    most = appeal.max(axis=1, keepdims=True, initial=0.0)
    return np.where(most > 0, np.maximum(appeal / np.where(most > 0, most, 1.0), FAINTEST), 1.0)
