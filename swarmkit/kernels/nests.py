"""A cycle of ACA's world (Schwab et al. 2012): ants are born in nests, move along the graph's edges, and die.

Nodes are numbered text, groups, stages, nests; nests begin at `first`. Every node but the text has one edge, up to its
parent, and pheromone lies where the edge begins; children stand in a row. A nest's bridges to other nests stand in a
row of fixed length, free places marked -1. An ant is its home, where it is, its age, and whether it returns.

`rules` are: energy taken, most energy carried, evaporation, life, share of odour left, pheromone left.
"""

from __future__ import annotations

from math import atan, pi
from typing import Any

import numpy as np
from numba import njit, types
from numpy.typing import NDArray

from swarmkit.kernels import Index
from swarmkit.kernels.chance import Words, below, uniform
from swarmkit.kernels.compiling import (
    FLOAT,
    FLOATS,
    GIVEN_FLOAT_ROWS,
    GIVEN_FLOATS,
    GIVEN_INT_ROWS,
    GIVEN_INTS,
    INT,
    INT_ROWS,
    INTS,
    WORDS,
)
from swarmkit.pairwise import Floats, Ints

Odours = NDArray[np.int32]

ODOURS = types.int32[:, ::1]
KIN = (INTS, GIVEN_INTS, GIVEN_INTS, GIVEN_INT_ROWS, GIVEN_FLOATS, GIVEN_FLOAT_ROWS)
"""What `similarity` reads: each slot's stage, the stages' offsets and sizes, where tables stand, and the tables."""

GONE = 1e-3
"""A bridge with less pheromone collapses."""


@njit("float64(float64)", cache=True)
def birth(energy: float) -> float:
    """Give the chance that a nest makes an ant."""
    return atan(energy) / pi + 0.5


@njit(FLOAT(INT, INT, *KIN), cache=True)
def similarity(
    a: Index, b: Index, stage_of: Ints, offsets: Ints, sizes: Ints, table_of: Ints, flat: Floats, dense: Floats
) -> Any:
    """Give the similarity of two slots: from the matrix of all if there is one, else from the table of their stages.

    Without either, all slots are alike; slots of unlinked stages have nothing in common.
    """
    if len(dense):
        return dense[a, b]
    if len(table_of) == 0:
        return 1.0
    i, j = stage_of[a], stage_of[b]
    if table_of[i, j] >= 0:
        return flat[table_of[i, j] + (a - offsets[i]) * sizes[j] + b - offsets[j]]
    if table_of[j, i] >= 0:
        return flat[table_of[j, i] + (b - offsets[j]) * sizes[i] + a - offsets[i]]
    return 0.0


@njit("int64(float64[::1], int64, int64[:, ::1], float64[::1], int64, uint64[::1])", cache=True)
def bear(energy: Floats, first: Index, ants: Ints, carried: Floats, living: Index, words: Words) -> Any:
    """Let nests make ants, each of one unit of energy; give how many ants live now."""
    for nest in range(len(energy) - first):
        if energy[first + nest] >= 1.0 and uniform(words) < birth(energy[first + nest]):
            energy[first + nest] -= 1.0
            ants[living, 0], ants[living, 1], ants[living, 2], ants[living, 3] = nest, first + nest, 0, 0
            carried[living] = 1.0
            living += 1
    return living


@njit(
    "int64(int64, int64, int64[::1], int64[::1], int64[::1], int64, int64[::1], int64[:, ::1], float64[:, ::1], "
    "float64[::1], int64[::1], float64[::1])",
    cache=True,
)
def look_round(
    home: Index,
    here: Index,
    parent: Ints,
    child_ptr: Ints,
    child: Ints,
    first: Index,
    stage_of: Ints,
    bridges: Ints,
    crossed: Floats,
    pheromone: Floats,
    ways: Ints,
    strength: Floats,
) -> Any:
    """List the ways on, and their pheromone: up, down (but not into a rival), from home over bridges; count them."""
    count = 0
    if here > 0:
        ways[0], strength[0] = parent[here], pheromone[here]
        count = 1
    if here >= first:
        for place in range(bridges.shape[1]):
            if bridges[home, place] >= 0:
                ways[count], strength[count] = first + bridges[home, place], crossed[home, place]
                count += 1
        return count
    for c in child[child_ptr[here] : child_ptr[here + 1]]:
        if c < first or c == first + home or stage_of[c - first] != stage_of[home]:
            ways[count], strength[count] = c, pheromone[c]
            count += 1
    return count


@njit(FLOAT(INT, INT, INT, ODOURS, *KIN), cache=True)
def scent(
    home: Index,
    to: Index,
    first: Index,
    odour: Odours,
    stage_of: Ints,
    offsets: Ints,
    sizes: Ints,
    table_of: Ints,
    flat: Floats,
    dense: Floats,
) -> float:
    """Give how much a node smells of home; a nest's odour is the nest itself."""
    if to >= first:
        return similarity(home, to - first, stage_of, offsets, sizes, table_of, flat, dense)
    alike, last, value = 0.0, np.int64(-1), 0.0
    for left in odour[to]:
        if left != last:  # what one ant left stands in a row
            last = np.int64(left)
            value = similarity(home, last, stage_of, offsets, sizes, table_of, flat, dense) if left >= 0 else 0.0
        alike += value
    return alike / odour.shape[1]


@njit("int64(float64[::1], int64, uint64[::1])", cache=True)
def choose(shares: Floats, count: Index, words: Words) -> Any:
    """Choose one of the first `count` in proportion to their shares; any, if none has one."""
    total = shares[:count].sum()
    if total <= 0.0:
        return below(words, count)
    aim, chosen = uniform(words) * total, -1
    while aim >= 0.0 and chosen + 1 < count:
        chosen += 1
        aim -= shares[chosen]
    return chosen


@njit("void(int64[:, ::1], float64[:, ::1], int64, int64, float64)", cache=True)
def strengthen(bridges: Ints, crossed: Floats, a: Index, b: Index, amount: float) -> None:
    """Leave pheromone on a nest's bridge to another; it is built if need be, in the place of the weakest."""
    weakest = 0
    for place in range(bridges.shape[1]):
        if bridges[a, place] == b:
            crossed[a, place] += amount
            return
        if crossed[a, place] < crossed[a, weakest]:
            weakest = place
    bridges[a, weakest], crossed[a, weakest] = b, amount


@njit("void(int32[:, ::1], int64, int64, float64, uint64[::1])", cache=True)
def leave_odour(odour: Odours, node: Index, home: Index, share: float, words: Words) -> None:
    """Leave a share of the nest's odour on a plain node, from a random place on."""
    length = odour.shape[1]
    at: Index = below(words, length)
    for _ in range(int(share * length + 0.5)):
        odour[node, at] = home
        at = at + 1 if at + 1 < length else 0


@njit(
    "int64(int64, int64, int64, int64, int64, float64[::1], float64[::1], int32[:, ::1], int64[:, ::1], "
    "float64[:, ::1], float64[::1], float64[::1], uint64[::1])",
    cache=True,
)
def arrive(
    ant: Index,
    home: Index,
    here: Index,
    to: Index,
    first: Index,
    energy: Floats,
    pheromone: Floats,
    odour: Odours,
    bridges: Ints,
    crossed: Floats,
    carried: Floats,
    rules: Floats,
    words: Words,
) -> Any:
    """Cross an edge, take or leave energy where it leads, and give the node where the ant is then."""
    nest = first + home
    if here < first or to < first:
        pheromone[max(here, to)] += rules[5]  # the lower end has the higher number, and the edge is its edge up
    if to != nest:
        taken = min(rules[0], energy[to], rules[1] - carried[ant])
        energy[to] -= taken
        carried[ant] += taken
    if to < first:
        leave_odour(odour, to, home, rules[4], words)
        return to
    if to != nest:  # a friend's nest: home over a bridge
        strengthen(bridges, crossed, home, to - first, rules[5])
        strengthen(bridges, crossed, to - first, home, rules[5])
    energy[nest] += carried[ant]
    carried[ant] = 0.0
    return nest


@njit("void(float64[::1], int64[:, ::1], float64[:, ::1], float64)", cache=True)
def evaporate(pheromone: Floats, bridges: Ints, crossed: Floats, share: float) -> None:
    """Let pheromone evaporate, and bridges without any collapse."""
    pheromone *= 1.0 - share
    crossed *= 1.0 - share
    for nest in range(len(bridges)):
        for place in range(bridges.shape[1]):
            if crossed[nest, place] < GONE:
                bridges[nest, place], crossed[nest, place] = -1, 0.0


@njit("int64(float64[::1], int64[:, ::1], float64[::1], int64, float64)", cache=True)
def bury(energy: Floats, ants: Ints, carried: Floats, living: Index, life: float) -> Any:
    """Let old ants die, leaving what they carry where they are; give how many live on."""
    alive = 0
    for ant in range(living):
        if ants[ant, 2] < life:
            ants[alive, :], carried[alive] = ants[ant, :], carried[ant]
            alive += 1
        else:
            energy[ants[ant, 1]] += carried[ant]
    return alive


@njit(
    INT(
        *(INTS, INTS, INTS, INT, FLOATS, FLOATS, ODOURS, INT_ROWS, FLOAT[:, ::1], INT_ROWS, FLOATS, INT, FLOATS, WORDS),
        *(*KIN, INTS),
    ),
    cache=True,
)
def cycle(
    parent: Ints,
    child_ptr: Ints,
    child: Ints,
    first: Index,
    energy: Floats,
    pheromone: Floats,
    odour: Odours,
    bridges: Ints,
    crossed: Floats,
    ants: Ints,
    carried: Floats,
    living: Index,
    rules: Floats,
    words: Words,
    stage_of: Ints,
    offsets: Ints,
    sizes: Ints,
    table_of: Ints,
    flat: Floats,
    dense: Floats,
    looks: Ints,
) -> Any:
    """Live through one cycle; give how many ants are alive."""
    living = bear(energy, first, ants, carried, living, words)
    ways = np.empty(len(energy) + bridges.shape[1], np.int64)
    shares = np.empty(len(ways))
    for ant in range(living):
        home, here = ants[ant, 0], ants[ant, 1]
        if ants[ant, 3] == 0 and uniform(words) * rules[1] < carried[ant]:
            ants[ant, 3] = 1
        count = look_round(
            home, here, parent, child_ptr, child, first, stage_of, bridges, crossed, pheromone, ways, shares
        )
        looks[0] += count
        around = 0.0
        for way in range(count):
            around += energy[ways[way]]
        for way in range(count):
            if ants[ant, 3] == 1:
                shares[way] += scent(home, ways[way], first, odour, stage_of, offsets, sizes, table_of, flat, dense)
            else:
                shares[way] = max(0.0, 1.0 - shares[way]) + (energy[ways[way]] / around if around > 0.0 else 0.0)
        to = ways[choose(shares, count, words)]
        ants[ant, 1] = arrive(
            ant, home, here, to, first, energy, pheromone, odour, bridges, crossed, carried, rules, words
        )
        ants[ant, 2] += 1
        if ants[ant, 1] == first + home:
            ants[ant, 3] = 0
    evaporate(pheromone, bridges, crossed, rules[2])
    return bury(energy, ants, carried, living, rules[3])
