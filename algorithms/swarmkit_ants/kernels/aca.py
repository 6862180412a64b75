"""The ants of ACA (Schwab et al. 2012): they are born in nests, and move along the edges of a graph."""

from __future__ import annotations

from math import atan, pi
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from swarmkit import Floats, Ints, RngState
from swarmkit.kernels.compiling import (
    FLOAT,
    FLOAT_ROWS,
    FLOATS,
    INT,
    INT_ROWS,
    INTS,
    READONLY_FLOAT_ROWS,
    READONLY_FLOATS,
    READONLY_INT_ROWS,
    READONLY_INTS,
    RNG_STATE,
    Index,
    kernel,
)
from swarmkit.kernels.rng import below, uniform
from swarmkit.kernels.roulette import draw
from swarmkit_ants.world import Behaviour, Terrain, World

BEHAVIOUR = types.NamedTuple((FLOAT, FLOAT, FLOAT, INT, FLOAT, FLOAT), Behaviour)
HAS_WORDS = types.Array(types.boolean, 2, "C", readonly=True)
GRAPH = *(READONLY_INTS,) * 3, INT, READONLY_INTS
TABLES = READONLY_INTS, READONLY_INTS, READONLY_INT_ROWS, READONLY_FLOATS, READONLY_FLOAT_ROWS
TERRAIN = types.NamedTuple((*GRAPH, *TABLES, HAS_WORDS, READONLY_INTS, READONLY_INTS), Terrain)
ODOURS = types.int32[:, ::1]
WORLD = types.NamedTuple((INTS, FLOATS, FLOATS, ODOURS, INT_ROWS, FLOAT_ROWS, INT_ROWS, FLOATS, INTS), World)


@kernel(FLOAT(FLOAT))
def birth(energy: float) -> float:
    """Return the probability that a nest makes an ant, arctan(energy) / π + 1/2."""
    return atan(energy) / pi + 0.5


@kernel(FLOAT(TERRAIN, INT, INT))
def similarity(terrain: Any, a: Index, b: Index) -> Any:
    """Return the similarity of two slots: 1 where nothing is known about any, 0 for slots of unlinked stages."""
    if len(terrain.dense):
        return terrain.dense[a, b]
    table_of, offsets, sizes = terrain.table_of, terrain.offsets, terrain.sizes
    if len(table_of) == 0:  # nothing is known: all nests smell alike
        return 1.0
    i, j = terrain.stage_of[a], terrain.stage_of[b]
    if table_of[i, j] >= 0:
        return terrain.flat[table_of[i, j] + (a - offsets[i]) * sizes[j] + b - offsets[j]]
    if table_of[j, i] >= 0:
        return terrain.flat[table_of[j, i] + (b - offsets[j]) * sizes[i] + a - offsets[i]]
    return 0.0


@kernel(INT(WORLD, INT, INT, RNG_STATE))
def bear(world: Any, first_nest: Index, living: Index, rng_state: RngState) -> Any:
    """Let nests make ants of one unit of energy each; return the number of living ants."""
    energy = world.energy
    for nest in range(len(energy) - first_nest):
        node = first_nest + nest
        if energy[node] >= 1.0 and uniform(rng_state) < birth(energy[node]):
            energy[node] -= 1.0
            world.traits[living] = (nest, node, 0, 0)
            world.load[living] = 1.0
            living += 1
    return living


@kernel(types.void(WORLD, INT, RNG_STATE))
def shuffle(world: Any, living: Index, rng_state: RngState) -> None:
    """Put the living ants in random order, in which they act: who comes first finds more energy.

    In the order of their nests the ants of a stage's first candidate would come before those of its others.
    """
    traits, load = world.traits, world.load
    for ant in range(living - 1, 0, -1):
        target = below(rng_state, ant + 1)
        load[ant], load[target] = load[target], load[ant]
        for trait in range(4):
            traits[ant, trait], traits[target, trait] = traits[target, trait], traits[ant, trait]


@kernel(INT(TERRAIN, WORLD, INT, INT, INTS, FLOATS), inline=True)
def list_options(terrain: Any, world: Any, home: Index, here: Index, nodes: Ints, weights: Floats) -> Any:
    """List the nodes that an ant can go to, with the pheromone of the edges to them; return their number.

    Up to the parent; from home over bridges; elsewhere down to any child but a rival (another nest of home's stage).
    """
    first, count = terrain.first_nest, 0
    if here > 0:
        nodes[0], weights[0] = terrain.parent[here], world.pheromone[here]
        count = 1
    if here >= first:
        for place in range(world.bridges.shape[1]):
            if world.bridges[home, place] >= 0:
                nodes[count], weights[count] = first + world.bridges[home, place], world.bridge_pheromone[home, place]
                count += 1
        return count
    for at in range(terrain.child_ptr[here], terrain.child_ptr[here + 1]):
        c = terrain.child[at]
        if c < first or c == first + home or terrain.stage_of[c - first] != terrain.stage_of[home]:
            nodes[count], weights[count] = c, world.pheromone[c]
            count += 1
    return count


@kernel(FLOAT(TERRAIN, ODOURS, INT, INT))
def odour_similarity(terrain: Any, odour: NDArray[np.int32], home: Index, to: Index) -> float:
    """Return the similarity of a node's odour to the nest `home`, the mean over its vector; a nest smells of itself."""
    if to >= terrain.first_nest:
        return similarity(terrain, home, to - terrain.first_nest)
    total, last, value = 0.0, np.int64(-1), 0.0
    for at in range(odour.shape[1]):
        left = np.int64(odour[to, at])
        if left != last:  # what one ant left is a run of equal entries
            last, value = left, 0.0
            if left >= 0:
                value = 1.0 * terrain.has[home, left] if len(terrain.has) else similarity(terrain, home, left)
        total += value
    return total / odour.shape[1]


@kernel(types.void(WORLD, INT, INT, FLOAT), inline=True)
def strengthen(world: Any, a: Index, b: Index, amount: float) -> None:
    """Leave pheromone on nest a's bridge to nest b; where there is none, it takes the place of the weakest."""
    bridges, pheromone, weakest = world.bridges, world.bridge_pheromone, 0
    for place in range(bridges.shape[1]):
        if bridges[a, place] == b:
            pheromone[a, place] += amount
            return
        if pheromone[a, place] < pheromone[a, weakest]:
            weakest = place
    bridges[a, weakest], pheromone[a, weakest] = b, amount


@kernel(types.void(TERRAIN, ODOURS, INT, INT, FLOAT, RNG_STATE))
def leave_odour(
    terrain: Any, odour: NDArray[np.int32], node: Index, home: Index, share: float, rng_state: RngState
) -> None:
    """Overwrite a share of a node's odour from a random place on, with the nest `home` or with its words in turn."""
    length = odour.shape[1]
    at: Index = below(rng_state, length)
    begin, end = (terrain.word_ptr[home], terrain.word_ptr[home + 1]) if len(terrain.has) else (0, 0)
    for k in range(int(share * length + 0.5)):
        if len(terrain.has):
            odour[node, at] = terrain.word[begin + k % (end - begin)] if end > begin else -1
        else:
            odour[node, at] = home
        at = at + 1 if at + 1 < length else 0  # the vector is a ring


@kernel(types.void(TERRAIN, WORLD, INT, INT, BEHAVIOUR, RNG_STATE), inline=True)
def cross_edge(terrain: Any, world: Any, ant: Index, to: Index, behaviour: Any, rng_state: RngState) -> None:
    """Let an ant cross the edge to a node, take energy there, and leave it if that leads home."""
    traits, load, energy = world.traits[ant], world.load, world.energy
    home, here, first_nest = traits[0], traits[1], terrain.first_nest
    nest = first_nest + home
    if here < first_nest or to < first_nest:
        world.pheromone[max(here, to)] += behaviour.pheromone  # the lower node has the higher number
    if to != nest:
        amount = min(behaviour.energy_taken, energy[to], behaviour.energy_carried - load[ant])
        energy[to] -= amount
        load[ant] += amount
    if to < first_nest:
        leave_odour(terrain, world.odour, to, home, behaviour.odour_left, rng_state)
        traits[1] = to
        return
    if to != nest:  # a friend's nest: home over a bridge
        strengthen(world, home, to - first_nest, behaviour.pheromone)
        strengthen(world, to - first_nest, home, behaviour.pheromone)
    energy[nest] += load[ant]
    load[ant] = 0.0
    traits[1] = nest


@kernel(types.void(TERRAIN, WORLD, INTS, INTS, FLOATS), inline=True)
def weigh_options(terrain: Any, world: Any, ant: Ints, nodes: Ints, weights: Floats) -> None:
    """Turn the pheromone of an ant's options into their weights, node score + edge score.

    A returning ant follows odour and pheromone; an exploring one goes where energy is and pheromone is not.
    """
    energy, around = world.energy, 0.0
    for node in nodes:
        around += energy[node]
    for at in range(len(nodes)):
        if ant[3] == 1:
            weights[at] += odour_similarity(terrain, world.odour, ant[0], nodes[at])
        else:
            # Pheromone of an edge may exceed 1: then it repels as much as it can.
            weights[at] = max(0.0, 1.0 - weights[at]) + (energy[nodes[at]] / around if around > 0.0 else 0.0)


@kernel(INT(TERRAIN, BEHAVIOUR, WORLD, INTS, FLOATS, RNG_STATE))
def move_ants(terrain: Any, behaviour: Any, world: Any, nodes: Ints, weights: Floats, rng_state: RngState) -> Any:
    """Let ants be born, and every ant cross an edge; return the looks.

    `nodes` and `weights` are memory for the nodes that an ant can go to and the weight of each.
    """
    first, looks = terrain.first_nest, 0
    world.living[0] = living = bear(world, first, world.living[0], rng_state)
    shuffle(world, living, rng_state)
    for ant in range(living):
        traits = world.traits[ant]
        if traits[3] == 0 and uniform(rng_state) * behaviour.energy_carried < world.load[ant]:
            traits[3] = 1
        count = list_options(terrain, world, traits[0], traits[1], nodes, weights)
        looks += count
        weigh_options(terrain, world, traits, nodes[:count], weights[:count])
        to = nodes[draw(weights, count, weights[:count].sum(), rng_state)]
        cross_edge(terrain, world, ant, to, behaviour, rng_state)
        traits[2] += 1
        if traits[1] == first + traits[0]:
            traits[3] = 0
    return looks
