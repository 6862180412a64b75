"""Options of the travelling salesman problem."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from swarmkit import FileName, Settings, plain_name
from swarmkit_tsp.instance import LARGEST

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
        drawn = [name for name in ("n", "layout", "seed") if name in self.model_fields_set]
        # A result has all options, also those that were not given: a value that equals the default is accepted.
        drawn = [name for name in drawn if getattr(self, name) != type(self).model_fields[name].default]
        if self.file is not None and drawn:
            raise ValueError(f"'file' and '{drawn[0]}' are both given; expected a file or cities to draw")
        if self.metric is not None and not is_csv(self.file or ""):
            raise ValueError("'metric' goes with a .csv file: files of TSPLIB state their distances")
        if self.tour is not None and self.optimum is not None:
            raise ValueError("'tour' and 'optimum' are both given; expected one of them")
        if self.closed and self.end not in (None, self.start):
            raise ValueError("'end' goes with an open tour; expected closed=false, or no 'end'")
        if self.open and self.tour is not None:
            raise ValueError("'tour' is a closed tour; expected 'optimum' for an open one")
        return self

    @property
    def open(self) -> bool:
        """Whether the tour does not return to its first city."""
        return self.end not in (None, self.start) if self.closed is None else not self.closed


def is_csv(file: str) -> bool:
    """Return whether a file is a CSV file (or TSV) by its name, compressed or not."""
    return plain_name(file).suffix.lower() in (".csv", ".tsv")
