"""The job shop: jobs whose operations have their machines and times, in an order that ends all of them early."""

from __future__ import annotations

from typing import Annotated, Any, Self

import numpy as np
from pydantic import Field, model_validator

from swarmkit import FileName, ListProblem, Lists, Settings, Solutions, check_alternatives
from swarmkit_lists.best_known import MAKESPANS
from swarmkit_lists.jobshop_file import LARGEST, JobShop, draw_shop, read_shop


class JobShopOptions(Settings):
    """A file, or a drawn job shop."""

    file: FileName | None = None
    """A file of the standard format: jobs and machines, then for each job its machines (from 0) and times in turn."""
    jobs: Annotated[int, Field(ge=1, le=LARGEST)] = 10
    """Number of jobs to draw."""
    machines: Annotated[int, Field(ge=1, le=LARGEST)] = 10
    """Number of machines."""
    seed: Annotated[int, Field(ge=0)] = 0
    """The seed of the drawn machines and times."""
    best: Annotated[float | None, Field(gt=0)] = None
    """The shortest makespan known; by default the published one of an instance of this name."""

    @model_validator(mode="after")
    def _consistent(self) -> JobShopOptions:
        check_alternatives(self, ["file"], ["jobs", "machines", "seed"], expected="a file or a job shop to draw")
        return self


class JobShopScheduling(ListProblem):
    """Order the operations on each machine: candidates are operations, and ends of machines' lists.

    Args:
        shop: the jobs.
        best: the shortest makespan known.
    """

    Options = JobShopOptions
    reference = "Fisher & Thompson 1963, Probabilistic learning combinations of local job-shop scheduling rules"

    def __init__(self, shop: JobShop, best: float | None = None) -> None:
        jobs, steps = shop.machines.shape
        operations = np.arange(jobs * steps).reshape(jobs, steps)
        super().__init__(
            Lists(
                count=1 + int(shop.machines.max()),
                names=[f"{job + 1}.{step + 1}" for job in range(jobs) for step in range(steps)],
                home=shop.machines.ravel(),
                duration=shop.times.ravel(),
                after=np.where(np.arange(steps) > 0, operations - 1, -1).ravel(),
            )
        )
        self.name, self.best = shop.name, best

    @classmethod
    def build(cls, options: Any) -> Self:
        """Read the job shop, or draw one."""
        shop = draw_shop(options.jobs, options.machines, options.seed)
        if options.file is not None:
            shop = read_shop(options.file)
        return cls(shop, MAKESPANS.get(shop.name) if options.best is None else options.best)

    def metrics(self, x: Solutions) -> dict[str, float]:
        """Return the makespan, and its gap to the best known one."""
        makespan = float(self.shape.costs(x[None])[0])
        known = {} if self.best is None else {"best known": self.best, "gap": makespan / self.best - 1.0}
        return {"makespan": makespan, **known}
