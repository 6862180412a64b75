"""Options that all problems on graphs have: a file, or a graph to draw."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from swarmkit import FileName, Settings
from swarmkit_graphs.graph import Graph
from swarmkit_graphs.random_graphs import MOST_EDGES


class GraphOptions(Settings):
    """A file, or a random graph."""

    file: FileName | None = None
    """A graph in rudy's format (Gset) or in DIMACS's (.col), compressed (.gz, .xz) or not; by default one is drawn."""
    n: Annotated[int, Field(ge=1, le=20_000)] = 100
    """Number of nodes to draw."""
    layout: Literal["uniform", "torus", "geometric"] = "uniform"
    """Any two nodes may be joined; a grid whose borders are joined; or near points of a square are joined."""
    density: Annotated[float, Field(ge=0, le=1)] = 0.1
    """The expected share of all pairs of nodes that are edges; a torus has its own."""
    seed: Annotated[int, Field(ge=0)] = 0
    """The seed of the random graph."""

    @model_validator(mode="after")
    def _consistent(self) -> GraphOptions:
        fields = type(self).model_fields
        given = [name for name in self.drawn_by() if getattr(self, name) != fields[name].default]
        if self.file is not None and given:
            raise ValueError(f"'file' and '{given[0]}' are both given; expected a file or a graph to draw")
        if self.layout == "torus" and "density" in given:
            raise ValueError("'density' does not go with 'layout=torus', where every node has four neighbours")
        if self.density * self.n * (self.n - 1) / 2 > MOST_EDGES:
            raise ValueError(f"'n' and 'density' ask for more than {MOST_EDGES:,} edges; expected fewer")
        return self

    @classmethod
    def drawn_by(cls) -> tuple[str, ...]:
        """Return the options that describe a random graph."""
        return ("n", "layout", "density", "seed")


def graph_of(options: Any) -> Graph:
    """Return the graph that some options describe."""
    if options.file is not None:
        from swarmkit_graphs.files import read_graph

        return read_graph(options.file)
    from swarmkit_graphs.random_graphs import draw

    return draw(options.n, options.layout, options.density, getattr(options, "weights", "one") == "signs", options.seed)
