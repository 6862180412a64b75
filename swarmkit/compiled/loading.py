"""Whether a problem can be worked on by kernels, loading these, and the random numbers they draw."""

from __future__ import annotations

from importlib import import_module

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from swarmkit.pairwise import Pairwise
from swarmkit.problem import Problem


def tables(problem: Problem) -> Pairwise | None:
    """Give a problem's tables, or None where there are none or where constraints say more than they do."""
    free = not (problem.overrides("allowed") or problem.overrides("feasible"))
    return problem.pairwise() if free else None


def prepare_kernels(problem: Problem, *names: str) -> None:
    """Load (the first time: compile) modules of `swarmkit.kernels`, and lay the problem's tables out if it has any."""
    for name in names:
        import_module(f"swarmkit.kernels.{name}")
    form = tables(problem)
    if form is not None:
        _ = form.links


def kernel_words(rng: Generator) -> NDArray[np.uint64]:
    """Seed the generator that kernels draw from; its words belong in a solver's State."""
    from swarmkit.kernels.chance import seeded

    return seeded(rng)
