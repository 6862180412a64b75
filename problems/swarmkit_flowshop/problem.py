"""The permutation flow shop: the order in which jobs go through all machines that minimises the makespan."""

from __future__ import annotations

from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, field_validator, model_validator

from swarmkit import FileName, Floats, Problem, Settings, UsageError, View, check_alternatives
from swarmkit_flowshop.taillard import BEST_KNOWN, LARGEST, MODULUS, SEEDS, SIZES, Shop, generate, read_shops

LARGEST_SCENE = 10_000
"""Operations of the largest flow shop that is shown as a moving picture."""


class FlowShopOptions(Settings):
    """One of Taillard's instances, another one of his generator, or a file; the default is ta001."""

    instance: str | None = None
    """One of Taillard's instances, ta001 to ta120."""
    jobs: Annotated[int, Field(ge=1, le=LARGEST)] = SIZES[0][0]
    """Number of jobs to generate."""
    machines: Annotated[int, Field(ge=1, le=LARGEST)] = SIZES[0][1]
    """Number of machines."""
    seed: Annotated[int, Field(ge=1, lt=MODULUS)] = SEEDS[0]
    """The seed of Taillard's generator."""
    file: FileName | None = None
    """A file in Taillard's format."""
    number: Annotated[int, Field(ge=1)] = 1
    """The number of the instance in a file that has several."""
    best: Annotated[float | None, Field(gt=0)] = None
    """The shortest makespan known; by default the published one of Taillard's instance, or the one in the file."""

    @field_validator("instance")
    @classmethod
    def _exists(cls, name: str | None) -> str | None:
        if name is not None and name not in {f"ta{at:03}" for at in range(1, len(SEEDS) + 1)}:
            raise ValueError("expected one of ta001 to ta120")
        return name

    @model_validator(mode="after")
    def _consistent(self) -> FlowShopOptions:
        sources = (["instance"], ["file"], ["jobs", "machines", "seed"])
        check_alternatives(self, *sources, expected="an instance, a file or a seed")
        if self.number != 1 and self.file is None:
            raise ValueError("'number' goes with 'file'")
        return self


class FlowShop(Problem):
    """Order jobs: stages are places in the order, candidates jobs; the score is minus the makespan."""

    Options = FlowShopOptions
    reference = "E. Taillard (1993). Benchmarks for basic scheduling problems. European J. of Operational Research 64."
    cost_name = "makespan"
    distinct = True

    def __init__(self, times: Floats, best: float | None = None) -> None:
        self.times, self.best = np.asarray(times, np.float64), best
        self.sizes = np.full(self.times.shape[1], self.times.shape[1])
        self._of_job = np.ascontiguousarray(self.times.T)

    @classmethod
    def build(cls, options: Any) -> Self:
        """Generate or read the times."""
        shop = _shop(options)
        return cls(shop.times, shop.best if options.best is None else options.best)

    def score(self, X: NDArray[Any]) -> Floats:
        """Return minus the makespan of each row."""
        from swarmkit_flowshop.kernel import makespans  # numba takes long to import

        lengths = np.empty(len(X))
        makespans(self._of_job, np.ascontiguousarray(X, np.int64), np.empty(len(self.times)), lengths)
        return -lengths

    def done(self, x: NDArray[Any]) -> Floats:
        """Return when each job of an order (rows) is done on each machine (columns); the plain twin of the kernel.

        A job is done on machine i at max over h <= i of (when h is free) + (its times on h to i): with running sums,
        one running maximum over the machines.
        """
        through = np.cumsum(self._of_job, axis=1)
        before = through - self._of_job
        done = np.zeros((len(x), len(self.times)))
        for place, job in enumerate(x):
            free = done[place - 1] if place else 0.0
            done[place] = np.maximum.accumulate(free - before[job]) + through[job]
        return done

    def describe(self, x: NDArray[Any]) -> list[dict[str, Any]]:
        """Return the jobs in order, numbered from 1, with the start on the first machine and the end on the last."""
        done = self.done(x)
        return [
            {"job": int(job) + 1, "begins": float(row[0] - self.times[0, job]), "done": float(row[-1])}
            for job, row in zip(x, done, strict=True)
        ]

    def view(self) -> View:
        """Return the drawing of a schedule and the scene of moving pictures."""
        return View(draw=self._draw, scene=self._scene)

    def _draw(self, x: NDArray[Any], axes: Any) -> None:
        """Draw a Gantt chart: a row for each machine, a colour for each job."""
        done, colours = self.done(x), [f"C{job % 10}" for job in x]
        for machine, times in enumerate(self.times):
            bars = list(zip(done[:, machine] - times[x], times[x], strict=True))
            axes.broken_barh(bars, (machine + 0.6, 0.8), facecolors=colours, edgecolor="white", linewidth=0.3)
        axes.invert_yaxis()
        axes.set(xlabel="time", ylabel="machine", title=f"makespan {done[-1, -1]:,.10g}")

    def _scene(self) -> dict[str, Any]:
        """Return the times, of which a Gantt chart can be drawn."""
        return {"kind": "flowshop", "times": self.times} if self.times.size <= LARGEST_SCENE else {}

    def metrics(self, x: NDArray[Any]) -> dict[str, float]:
        """Return the makespan, and its gap to the best known one."""
        makespan = float(self.done(x)[-1, -1])
        if self.best is None:
            return {"makespan": makespan}
        return {"makespan": makespan, "best known": self.best, "gap": makespan / self.best - 1.0}


def _shop(options: FlowShopOptions) -> Shop:
    """Return the instance that the options describe, with the shortest makespan known."""
    if options.file is not None:
        shops = read_shops(options.file)
        if options.number > len(shops):
            raise UsageError(f"{options.file} has {len(shops)} instances; number={options.number} is not one of them.")
        return shops[options.number - 1]
    size, seed = (options.jobs, options.machines), options.seed
    if options.instance is not None:
        at = int(options.instance[2:]) - 1
        size, seed = SIZES[at // 10], SEEDS[at]
    return generate(*size, seed)._replace(best=BEST_KNOWN.get((*size, seed)))
