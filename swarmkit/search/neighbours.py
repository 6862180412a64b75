"""How many nearest neighbours of a city are considered, and why."""

from __future__ import annotations


class Neighbours:
    """Lengths of nearest-neighbour lists, each with its reason."""

    LOCAL_SEARCH = 10
    """2-opt, 3-opt and Or-opt: moves to farther cities almost never improve a Euclidean tour (Bentley 1992)."""
    RANDOM_MOVE = 6
    """Random 2-opt and Or-opt moves: a longer list lowers the share of proposals that are accepted."""
    RECOMBINATION = 5
    """Mutations and first tours of a population: nearly all edges of good tours lead to one of the five nearest."""
    CONSTRUCTION = 50
    """Tours built city by city, when all cities of the shorter list are visited: scanned before all cities are."""
