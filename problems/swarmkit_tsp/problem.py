"""The travelling salesman problem: a shortest tour through all cities, closed or open."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from swarmkit import (
    FileName,
    Floats,
    Ints,
    Pairwise,
    PairwiseProblem,
    Settings,
    UsageError,
    View,
    check_alternatives,
    plain_name,
    unknown,
)
from swarmkit_tsp.distances import MEAN_RADIUS
from swarmkit_tsp.instance import LARGEST, Instance, draw
from swarmkit_tsp.open_tours import Ends, open_table, path_of
from swarmkit_tsp.optima import known_optimum

MOST_LABELS = 30
"""Up to this many cities have their names in pictures."""


Layout = Literal["uniform", "clustered", "grid", "circle"]
Metric = Literal["exact", "EUC_2D", "CEIL_2D", "MAN_2D", "MAX_2D", "ATT", "GEO", "sphere"]


class TspOptions(Settings):
    """A file, or random cities."""

    file: FileName | None = None
    """A problem of TSPLIB (.tsp, .atsp), or a .csv of points ('x,y', 'name,x,y', columns 'lat,lon') or with a table of
    distances; by default cities are random."""
    metric: Metric | None = None
    """The distance between points of a CSV file: exact Euclidean (default), metres on a sphere (default for columns
    'lat,lon'), or an EDGE_WEIGHT_TYPE of TSPLIB."""
    closed: bool | None = None
    """Whether the tour returns to its first city; by default yes, unless an end is given."""
    start: str | None = None
    """The city where the tour begins: its name, or its number (from 1) if it has none."""
    end: str | None = None
    """The city where an open tour ends."""
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
        check_alternatives(self, ["file"], ["n", "layout", "seed"], expected="a file or cities to draw")
        check_alternatives(self, ["tour"], ["optimum"], expected="one of them")
        if self.metric is not None and not is_csv(self.file or ""):
            raise ValueError("'metric' goes with a .csv file: files of TSPLIB state their distances")
        if self.closed and self.end not in (None, self.start):
            raise ValueError("'end' goes with an open tour; expected closed=false, or no 'end'")
        if self.open and self.tour is not None:
            raise ValueError("'tour' is a closed tour; expected 'optimum' for an open one")
        return self

    @property
    def open(self) -> bool:
        """Whether the tour does not return to its first city."""
        return self.end not in (None, self.start) if self.closed is None else not self.closed


class TravellingSalesman(PairwiseProblem):
    """Find a shortest tour: stages are positions in the tour, candidates cities; the score is minus the length.

    An open tour is a closed one through a dummy city, the last candidate, which answers and lengths leave out.

    Args:
        instance: the cities.
        optimum: the length of a shortest tour, if it is known.
        ends: the ends of an open tour; None for a closed one.
        first: the city with which a closed tour is listed first.
    """

    Options = TspOptions
    reference = "G. Reinelt (1991). TSPLIB: a traveling salesman problem library. ORSA J. on Computing 3(4), 376-384."
    cost_name = "length"

    def __init__(
        self, instance: Instance, optimum: float | None = None, ends: Ends | None = None, first: int = 0
    ) -> None:
        self.ends, self.first = ends, first
        self.table = np.ascontiguousarray(instance.table, np.float64)
        """The distance from each city to each."""
        table, surplus = (self.table, 0.0) if ends is None else open_table(self.table, ends)
        n = len(table)
        # Position k is joined with k + 1, the last one with the first; all edges share one table.
        edges = np.column_stack([np.arange(n), np.roll(np.arange(n), -1)]) if n > 1 else np.empty((0, 2), np.int64)
        unary = np.zeros((n, n))
        # Every tour has one city in the last position, so that this takes the surplus off each score once.
        unary[:, -1:] = surplus
        starts, weights = np.zeros(len(edges), np.int64), np.full(len(edges), -1.0)
        form = Pairwise(np.full(n, n), unary.ravel(), edges, starts, weights, table.reshape(-1), distinct=True)
        super().__init__(form)
        self.name, self.kind, self.points, self.labels = instance.name, instance.kind, instance.points, instance.labels
        closed_optimum = instance.optimum if ends is None else None
        self.shortest = closed_optimum if optimum is None else optimum
        self.optimum = None if self.shortest is None else -self.shortest

    @classmethod
    def build(cls, options: Any) -> Self:
        """Read the cities, or draw random ones."""
        instance = _instance(options)
        start, end = (_city(instance, name) for name in (options.start, options.end))
        if options.open:
            if start is not None and start == end and len(instance.table) > 1:
                raise UsageError(
                    "problem 'tsp': an open tour cannot end where it starts; leave out closed=false, or 'end'"
                )
            return cls(instance, options.optimum, Ends(start, end))
        optimum = options.optimum
        if options.tour is not None:
            from swarmkit_tsp.tsplib import read_tour

            tour = read_tour(options.tour, len(instance.table))
            optimum = float(instance.table[tour, np.roll(tour, -1)].sum())
        return cls(instance, optimum, None, start or 0)

    def _caption(self) -> str:
        """Return what is not to be seen in the numbers: where distances come from, and the ends of an open tour."""
        facts = []
        if self.kind == "sphere":
            facts.append(f"metres on a sphere (haversine, the earth's mean radius of {MEAN_RADIUS:,.1f} m)")
        if self.ends is not None:
            ends = [
                f"{way} {self.label(city)}"
                for way, city in zip(("from", "to"), self.ends, strict=True)
                if city is not None
            ]
            facts.append(" ".join(["open tour", *ends]))
        return f"{self.name}: {len(self.table):,} cities; {'; '.join(facts)}" if facts else ""

    def label(self, city: int) -> str | int:
        """Return a city's name, or its number, counted from 1 as in the file."""
        return self.labels[city] if self.labels else city + 1

    def walk(self, x: NDArray[Any]) -> Ints:
        """Return the cities in the order in which they are visited."""
        if self.ends is not None:
            return path_of(x, self.ends, directed=not np.array_equal(self.table, self.table.T))
        return np.roll(x, -int(np.flatnonzero(x == self.first)[0]))

    def steps(self, walk: Ints) -> Floats:
        """Return the distance from each city of a walk to the next, back to the first if the tour is closed."""
        following = np.roll(walk, -1)
        lengths = self.table[walk, following]
        return lengths if self.ends is None else lengths[:-1]

    def describe(self, x: NDArray[Any]) -> list[dict[str, Any]]:
        """Return the cities in the order of the tour, each with the distance to the next."""
        walk = self.walk(x)
        steps = [*self.steps(walk).tolist(), 0.0][: len(walk)]
        digits = 0 if self.kind == "sphere" else None  # whole metres
        rows: list[dict[str, Any]] = [
            {"city": self.label(int(city)), "to the next": _plain(step, digits)}
            for city, step in zip(walk, steps, strict=True)
        ]
        if self.points is not None:
            for row, (right, up) in zip(rows, self.points[walk].tolist(), strict=True):
                row |= {"lat": up, "lon": right} if self.kind == "sphere" else {"x": _plain(right), "y": _plain(up)}
        return rows

    def view(self) -> View:
        """Return the caption, the drawing of a tour and the scene of moving pictures."""
        return View(self._caption(), draw=self._draw, scene=self._scene)

    def _draw(self, x: NDArray[Any], axes: Any) -> None:
        """Draw the tour, if the cities have coordinates; the ends of an open one are marked."""
        if self.points is None:
            return
        walk = self.walk(x)
        line = self.points[np.append(walk, walk[0]) if self.ends is None else walk]
        axes.plot(*line.T, linewidth=1, marker="." if len(x) <= 1000 else "", markersize=4)
        if self.ends is not None:
            axes.plot(*line[0], "o", color="C2", label=f"start: {self.label(int(walk[0]))}")
            axes.plot(*line[-1], "s", color="C3", label=f"end: {self.label(int(walk[-1]))}")
            axes.legend(fontsize="small")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda value, _: f"{value:,.10g}")
        if self.labels and len(walk) <= MOST_LABELS:
            for city in walk:
                axes.annotate(
                    self.labels[city], self.points[city], (3, 3), textcoords="offset points", fontsize="x-small"
                )
        length = self.metrics(x)["length"]
        if self.kind != "sphere":
            axes.set(aspect="equal", title=f"{self.name}: length {length:,.10g}")
            return
        # A degree of longitude is shorter than one of latitude by the cosine of the latitude.
        shape = 1.0 / max(0.1, math.cos(math.radians(float(self.points[:, 1].mean()))))
        axes.set(aspect=shape, xlabel="longitude", ylabel="latitude", title=f"{self.name}: length {length:,.0f} m")

    def _scene(self) -> dict[str, Any]:
        """Return the places of the cities, if they have any."""
        if self.points is None:
            return {}
        names = [str(self.label(city)) for city in range(len(self.points))] + ["no city"] * (self.ends is not None)
        points = np.asarray(self.points, np.float64)
        return {"kind": "tour", "points": points, "candidates": names, "closed": self.ends is None}

    def metrics(self, x: NDArray[Any]) -> dict[str, float]:
        """Return the length, its gap to the optimum if that is known, and how many ends are not the given ones."""
        walk = self.walk(x)
        length = float(self.steps(walk).sum())
        metrics = {"length": length}
        if self.ends is not None and self.ends != Ends():
            tour_ends = {self.ends.start: walk[0], self.ends.end: walk[-1]}
            metrics["wrong ends"] = float(sum(city is not None and city != tour_ends[city] for city in self.ends))
        if self.shortest is not None:
            metrics["optimum"] = self.shortest
            if self.shortest > 0:
                metrics["gap"] = length / self.shortest - 1.0
        return metrics


def _plain(value: float, digits: int | None = None) -> float | int:
    """Return an integer for a whole number; others rounded to some digits, if that is asked for."""
    number = float(value) if digits is None else round(float(value), digits)
    return int(number) if number.is_integer() else number


def _city(instance: Instance, name: str | None) -> int | None:
    """Return the number of a city that an option names; None if there is no name."""
    if name is None:
        return None
    names = list(instance.labels) or [str(city + 1) for city in range(len(instance.table))]
    if name not in names:
        raise UsageError(f"problem 'tsp': {unknown('city', name, names)}")
    if names.count(name) > 1:
        raise UsageError(
            f"problem 'tsp': {names.count(name)} cities are called '{name}'; expected a name that only one has"
        )
    return names.index(name)


def is_csv(file: str) -> bool:
    """Return whether a file is a CSV file (or TSV) by its name, compressed or not."""
    return plain_name(file).suffix.lower() in (".csv", ".tsv")


def _instance(options: TspOptions) -> Instance:
    """Return the instance that the options describe, with its optimum if that is known."""
    if options.file is None:
        return draw(options.n, options.layout, options.seed)
    if is_csv(options.file):
        from swarmkit_tsp.csv_file import read_csv

        return read_csv(options.file, options.metric)
    from swarmkit_tsp.tsplib import read_tsplib

    instance = read_tsplib(options.file)
    return instance._replace(optimum=known_optimum(instance.name, instance.kind))
