"""Best known cuts and chromatic numbers of published graphs, by name and size."""

from __future__ import annotations

from swarmkit_graphs.graph import Graph

CUTS = {
    ("G1", 800, 19176): 11624.0,
    ("G11", 800, 1600): 564.0,
    ("G15", 800, 4661): 3050.0,
    ("G43", 1000, 9990): 6660.0,
    ("G51", 1000, 5909): 3848.0,
}
"""The largest cut known of graphs of the Gset (name, nodes, edges)."""

CHROMATIC_NUMBERS = {
    ("DSJC125.1", 125, 736): 5,
    ("queen7_7", 49, 476): 7,
    ("queen11_11", 121, 1980): 11,
    ("le450_5b", 450, 5734): 5,
    ("miles1000", 128, 3216): 42,
}
"""The chromatic numbers of graphs of DIMACS's collection (name, nodes, edges)."""


def known_cut(graph: Graph) -> float | None:
    """Return the largest cut known of a graph of the Gset; None for others."""
    return CUTS.get((graph.name, graph.n, len(graph.edges)))


def chromatic_number(graph: Graph) -> int | None:
    """Return the chromatic number of a graph of DIMACS's collection; None for others."""
    return CHROMATIC_NUMBERS.get((graph.name, graph.n, len(graph.edges)))
