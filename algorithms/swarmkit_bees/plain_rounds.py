"""Rounds on problems that are not tables or have constraints: passes in numpy, climbs of whole solutions."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from swarmkit import Left, Solutions
from swarmkit.search import start_climb
from swarmkit_bees.iteration import make_passes, score_paths
from swarmkit_bees.rounds import Engine
from swarmkit_bees.rules import Outcome


class PlainEngine(Engine):
    """Passes by `iteration.make_passes`, climbs by `swarmkit.search.start_climb`."""

    @property
    def best(self) -> Solutions | None:
        """The last of the best solutions; None before the first."""
        return self.rounds.best if np.isfinite(self.colony.best) else None

    @property
    def quality(self) -> float:
        """The best quality of a bee; infinite where all met dead ends."""
        qualities = self.colony.bees.qualities
        return float(qualities.max()) if len(qualities) else np.inf

    @property
    def finished(self) -> bool:
        """Whether all paths are scored, and those of the recruiters have climbed."""
        if self.rounds.climb is not None:
            return self.rounds.climb.finished
        return self._scored and not (self.improve and len(self.colony.bees.paths))

    @property
    def _scored(self) -> bool:
        bees = self.colony.bees
        return bees.step == len(self.rounds.order) and len(bees.scores) == len(bees.paths)

    def begin(self) -> None:
        """Begin the round that was drawn: the bees are at its hive."""
        self.colony.bees.step = 0

    def go_on(self, left: Left, rng: Generator) -> int:
        """Make a forward and a backward pass, score paths, or climb; return the looks."""
        problem, bees, rounds = self.problem, self.colony.bees, self.rounds
        if rounds.climb is not None:
            looks = rounds.climb.go_on(problem, rng, left)
            if rounds.climb.finished:
                self._keep(rounds.climb.found(problem))
            return looks
        if bees.step < len(rounds.order):
            looks = make_passes(problem, self.plan, bees, rng, self._kept())
        else:
            looks = score_paths(problem, bees, left.rows(len(problem.sizes)), Outcome.none())[0].looks
            if self._scored:  # not path by path: which of equal ones is kept would depend on the pauses
                self._keep(self._best_path())
        if self._scored and self.improve and len(bees.paths):
            leaders = np.argsort(-bees.scores, kind="stable")[: self.rules.recruiters]
            rounds.climb = start_climb(problem, np.unique(bees.paths[leaders], axis=0), "local", rng)
        return looks

    def end(self) -> None:
        """Forget the climb."""
        self.rounds.climb = None

    def found(self) -> tuple[Solutions, float] | None:
        """Return the first of the best solutions, those of paths and climbs in progress included, and its score."""
        climb = self.rounds.climb
        under_way = self._best_path() if climb is None else climb.found(self.problem)
        return under_way if under_way is not None and under_way[1] > self.colony.best else super().found()

    def _best_path(self) -> tuple[Solutions, float] | None:
        """Return the first of the best paths that are scored, and its score; None if there is none."""
        bees = self.colony.bees
        if not len(bees.scores) or not np.isfinite(bees.scores.max()):
            return None
        best = int(bees.scores.argmax())
        return bees.paths[best], float(bees.scores[best])

    def _kept(self) -> Solutions:
        """Return what is kept of the best solution: -1 at the stages of this round."""
        kept = np.full(len(self.problem.sizes), -1) if self.best is None else self.best.copy()
        kept[self.rounds.order] = -1
        return kept

    def _keep(self, found: tuple[Solutions, float] | None) -> None:
        """Make a solution the best if it is no worse."""
        if found is not None and found[1] >= self.colony.best:
            self.rounds.best = np.array(found[0], np.int64)
            if found[1] > self.colony.best:
                self.rounds.found, self.colony.best = self.rounds.best.copy(), found[1]
