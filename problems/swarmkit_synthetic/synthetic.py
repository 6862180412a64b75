"""Random pairwise problems with the structure of texts: stages in a row, each related to those within a window."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from swarmkit import Pairwise, PairwiseProblem, Settings


class Synthetic(PairwiseProblem):
    """Stages with random numbers of candidates, random tables within a window; an optimum can be planted."""

    class Options(Settings):
        """The size and structure of the problem."""

        n: Annotated[int, Field(ge=0, le=1_000_000)] = 30
        """Number of stages."""
        polysemy: Annotated[int, Field(ge=1, le=1000)] = 6
        """The most candidates of a stage; each number is drawn from 1 (planted: from 2) to this."""
        window: Annotated[int, Field(ge=1)] = 5
        """The largest distance of related stages; 1 makes a chain."""
        planted: bool = False
        """Whether an optimum is planted: all its table entries are 1, all others less."""
        seed: Annotated[int, Field(ge=0)] = 0
        """The seed of the random problem."""

    def __init__(self, n: int = 30, polysemy: int = 6, window: int = 5, planted: bool = False, seed: int = 0) -> None:
        rng = np.random.Generator(np.random.PCG64(seed))
        sizes = rng.integers(min(2, polysemy) if planted else 1, polysemy, size=n, endpoint=True)
        i, j = _pairs(n, window)
        lengths = sizes[i] * sizes[j]
        starts = np.cumsum(lengths) - lengths
        flat = rng.random(int(lengths.sum()))
        unary = np.zeros(int(sizes.sum()))
        self.planted: NDArray[np.int64] | None = None
        if planted:
            self.planted = rng.integers(sizes)
            flat[starts + self.planted[i] * sizes[j] + self.planted[j]] = 1.0
        # Entries are below 1, so that a solution with all planted ones cannot be surpassed.
        super().__init__(Pairwise(sizes, unary, np.column_stack([i, j]), starts, np.ones(len(i)), flat))
        if self.planted is not None:
            self.optimum = float(self.form.score(self.planted[None])[0])

    def metrics(self, x: NDArray[np.int64]) -> Mapping[str, float]:
        """Return how near the planted optimum a solution is."""
        if self.planted is None or len(x) == 0:
            return {}
        optimum = self.optimum or 0.0
        share = float(self.form.score(x[None])[0]) / optimum if optimum else 1.0
        return {"optimum": optimum, "share of optimum": share, "stages as planted": float((x == self.planted).mean())}


def _pairs(n: int, window: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the pairs (i, j) with i < j <= i + window, as two arrays."""
    i = np.repeat(np.arange(n), np.minimum(window, n - 1 - np.arange(n)).clip(0))
    # The pairs of one i stand together; their places in this run are the distances less 1.
    first = np.searchsorted(i, i)
    return i, i + 1 + np.arange(len(i)) - first
