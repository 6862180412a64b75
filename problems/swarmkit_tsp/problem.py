"""The travelling salesman problem: a shortest tour through all cities."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from swarmkit import FileName, Pairwise, PairwiseProblem, Settings, plain_name
from swarmkit_tsp.instance import LARGEST, Instance
from swarmkit_tsp.optima import known_optimum

Layout = Literal["uniform", "clustered", "grid", "circle"]
Metric = Literal["exact", "EUC_2D", "CEIL_2D", "MAN_2D", "MAX_2D", "ATT", "GEO"]


class TspOptions(Settings):
    """A file, or random cities."""

    file: FileName | None = None
    """A problem of TSPLIB (.tsp, .atsp), or a .csv with lines 'x,y' or 'name,x,y'; by default cities are random."""
    metric: Metric | None = None
    """The distance between points of a CSV file: exact Euclidean (default), or an EDGE_WEIGHT_TYPE of TSPLIB."""
    n: Annotated[int, Field(ge=1, le=LARGEST)] = 50
    """Number of cities to draw."""
    layout: Layout = "uniform"
    """Uniform in a square, in clusters, on a grid or on a circle; grid and circle have known optima."""
    seed: Annotated[int, Field(ge=0)] = 0
    """The seed of the random cities."""
    tour: FileName | None = None
    """A tour of TSPLIB (.opt.tour) that is known to be optimal: its length is the optimum."""
    optimum: Annotated[float | None, Field(gt=0)] = None
    """The length of the optimal tour; by default the published one of TSPLIB's problem of this name."""

    @model_validator(mode="after")
    def _consistent(self) -> TspOptions:
        drawn = [name for name in ("n", "layout", "seed") if name in self.model_fields_set]
        # A result has all options, also those that were not given: a value that equals the default is accepted.
        drawn = [name for name in drawn if getattr(self, name) != type(self).model_fields[name].default]
        if self.file is not None and drawn:
            raise ValueError(f"'file' and '{drawn[0]}' are both given; expected a file or cities to draw")
        if self.metric is not None and not _is_csv(self.file or ""):
            raise ValueError("'metric' goes with a .csv file: files of TSPLIB state their distances")
        if self.tour is not None and self.optimum is not None:
            raise ValueError("'tour' and 'optimum' are both given; expected one of them")
        return self


class TravellingSalesman(PairwiseProblem):
    """Find a shortest tour: stages are positions in the tour, candidates cities; the score is minus the length."""

    Options = TspOptions
    reference = "G. Reinelt (1991). TSPLIB: a traveling salesman problem library. ORSA J. on Computing 3(4), 376-384."
    cost_name = "length"

    def __init__(self, instance: Instance, optimum: float | None = None) -> None:
        n = len(instance.table)
        edges = np.column_stack([np.arange(n), np.roll(np.arange(n), -1)]) if n > 1 else np.empty((0, 2), np.int64)
        flat = np.ascontiguousarray(instance.table, np.float64).reshape(-1)
        starts, weights = np.zeros(len(edges), np.int64), np.full(len(edges), -1.0)
        super().__init__(Pairwise(np.full(n, n), np.zeros(n * n), edges, starts, weights, flat, distinct=True))
        self.name, self.kind, self.points, self.labels = instance.name, instance.kind, instance.points, instance.labels
        self.shortest = instance.optimum if optimum is None else optimum
        self.optimum = None if self.shortest is None else -self.shortest

    @classmethod
    def build(cls, options: Any) -> Self:
        """Read the cities, or draw random ones."""
        instance = _made(options)
        if options.tour is not None:
            from swarmkit_tsp.tsplib import read_tour

            tour = read_tour(options.tour, len(instance.table))
            return cls(instance, float(instance.table[tour, np.roll(tour, -1)].sum()))
        return cls(instance, options.optimum)

    @property
    def table(self) -> NDArray[np.float64]:
        """The distance from each city to each."""
        n = len(self.sizes)
        return self.form.flat.reshape(n, n)

    def label(self, city: int) -> str | int:
        """Return a city's name, or its number, counted from 1 as in the file."""
        return self.labels[city] if self.labels else city + 1

    def describe(self, x: NDArray[Any]) -> list[dict[str, Any]]:
        """Return the cities of the tour from the first city on, each with the distance to the next."""
        tour = np.roll(x, -int(np.flatnonzero(x == 0)[0]))
        steps = self.table[tour, np.roll(tour, -1)]
        rows: list[dict[str, Any]] = [
            {"city": self.label(int(city)), "to the next": _plain(step)} for city, step in zip(tour, steps, strict=True)
        ]
        if self.points is not None:
            for row, (right, up) in zip(rows, self.points[tour].tolist(), strict=True):
                row |= {"x": _plain(right), "y": _plain(up)}
        return rows

    def draw(self, x: NDArray[Any], axes: Any) -> None:
        """Draw the tour, if the cities have coordinates."""
        if self.points is None:
            return
        tour = self.points[np.append(x, x[0])]
        axes.plot(*tour.T, linewidth=1, marker="." if len(x) <= 1000 else "", markersize=4)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda value, _: f"{value:,.10g}")
        axes.set(aspect="equal", title=f"{self.name}: length {self.metrics(x)['length']:,.10g}")

    def scene(self) -> dict[str, Any]:
        """Return the places of the cities, if they have any."""
        if self.points is None:
            return {}
        names = [str(self.label(city)) for city in range(len(self.sizes))]
        return {"kind": "tour", "points": np.asarray(self.points, np.float64), "candidates": names, "closed": True}

    def metrics(self, x: NDArray[Any]) -> dict[str, float]:
        """Return the length, and its gap to the optimum if that is known."""
        length = float(self.table[x, np.roll(x, -1)].sum())
        if self.shortest is None:
            return {"length": length}
        gap = {"gap": length / self.shortest - 1.0} if self.shortest > 0 else {}
        return {"length": length, "optimum": self.shortest, **gap}


def _plain(value: float) -> float | int:
    """Return an integer for a whole number."""
    return int(value) if float(value).is_integer() else float(value)


def _is_csv(file: str) -> bool:
    return plain_name(file).suffix.lower() == ".csv"


def _made(options: TspOptions) -> Instance:
    """Return the instance that the options describe, with its optimum if that is known."""
    if options.file is None:
        from swarmkit_tsp.points import draw

        return draw(options.n, options.layout, options.seed)
    if _is_csv(options.file):
        from swarmkit_tsp.points import read_points

        return read_points(options.file, options.metric or "exact")
    from swarmkit_tsp.tsplib import read_tsplib

    instance = read_tsplib(options.file)
    return instance._replace(optimum=known_optimum(instance.name, instance.kind))
