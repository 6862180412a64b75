"""Vehicle routing: cheapest routes from a depot to all stops within capacities, and time windows if there are any."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from swarmkit import FileName, ListProblem, Lists, Settings, Solutions, check_alternatives, plain_name
from swarmkit_lists.best_known import ROUTES
from swarmkit_lists.instance import Instance, draw


class RoutingOptions(Settings):
    """A file, or drawn stops."""

    file: FileName | None = None
    """A problem of VRPLIB (.vrp), or a .csv of stops, the depot first, with columns lat, lon (or x, y), and perhaps
    name, demand, ready, due, service. By default stops are drawn."""
    capacity: Annotated[float | None, Field(gt=0)] = None
    """The capacity of a vehicle; by default that of the file, or without limit."""
    vehicles: Annotated[int | None, Field(ge=1, le=1_000_000)] = None
    """The number of vehicles; by default that of the file, or as many as can be needed."""
    speed: Annotated[float, Field(gt=0)] = 50.0
    """Kilometres an hour, where a .csv file has times."""
    metric: Literal["euclidean", "rounded", "ceiling"] | None = None
    """The distance between points in a plane: exact, rounded to the nearest integer (EUC_2D), or rounded up."""
    n: Annotated[int, Field(ge=1, le=1_000_000)] = 100
    """Number of stops to draw."""
    layout: Literal["uniform", "clustered"] = "uniform"
    """Where drawn stops are."""
    windows: bool = False
    """Whether drawn stops have time windows."""
    seed: Annotated[int, Field(ge=0)] = 0
    """The seed of the drawn stops."""
    best: Annotated[float | None, Field(gt=0)] = None
    """The lowest cost known; by default the published one of an instance of this name."""

    @model_validator(mode="after")
    def _consistent(self) -> RoutingOptions:
        check_alternatives(self, ["file"], ["n", "layout", "windows", "seed"], expected="a file or stops to draw")
        return self


class VehicleRouting(ListProblem):
    """Find the cheapest routes that visit every stop once: candidates are stops, and ends of routes.

    Args:
        instance: the depot and the stops.
        best: the lowest cost known.
    """

    Options = RoutingOptions
    reference = "Uchoa et al. 2017, New benchmark instances for the capacitated vehicle routing problem, EJOR 257(3)"

    def __init__(self, instance: Instance, best: float | None = None) -> None:
        super().__init__(
            Lists(
                count=instance.vehicles,
                names=instance.labels,
                arcs=instance.arcs,
                points=instance.points,
                metric=instance.metric,
                depots=instance.depots,
                amount=instance.amounts,
                capacity=instance.capacity,
                windows=instance.windows,
                service=instance.services,
                pace=instance.pace,
            )
        )
        self.name, self.best = instance.name, best

    @classmethod
    def build(cls, options: Any) -> Self:
        """Read the stops, or draw some."""
        instance = _instance(options)
        changes = {"metric": options.metric, "vehicles": options.vehicles, "capacity": options.capacity}
        instance = instance._replace(**{name: value for name, value in changes.items() if value is not None})
        return cls(instance, ROUTES.get(instance.name) if options.best is None else options.best)

    def metrics(self, x: Solutions) -> dict[str, float]:
        """Return the cost, its gap to the best known one, and the number of routes."""
        cost = float(self.shape.costs(x[None])[0])
        known = {} if self.best is None else {"best known": self.best, "gap": cost / self.best - 1.0}
        return {"cost": cost, **known, "routes": float(sum(map(bool, self.shape.lists(x))))}


def _instance(options: Any) -> Instance:
    """Return the instance that the options describe."""
    if options.file is None:
        return draw(options.n, options.layout, options.windows, options.seed)
    if plain_name(options.file).suffix.lower() in (".csv", ".tsv"):
        from swarmkit_lists.stops_file import read_stops

        return read_stops(options.file, options.capacity or np.inf, options.speed)
    from swarmkit_lists.vrplib import read_vrplib

    return read_vrplib(options.file)
