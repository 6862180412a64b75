"""A cycle of ACA's world (Schwab et al. 2012): ants are born in nests, move along the edges of a graph, and die."""

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
    GIVEN_FLOAT_ROWS,
    GIVEN_FLOATS,
    GIVEN_INT_ROWS,
    GIVEN_INTS,
    INT,
    INT_ROWS,
    INTS,
    RNG_STATE,
    Index,
    kernel,
)
from swarmkit.kernels.rng import below, uniform
from swarmkit.kernels.roulette import spin
from swarmkit_ants.surroundings import Graph, Similarities
from swarmkit_ants.world import Behaviour, World

COLLAPSE = 1e-3
"""A bridge with less pheromone collapses: evaporation alone never takes it to 0."""

BEHAVIOUR = types.NamedTuple((FLOAT, FLOAT, FLOAT, INT, FLOAT, FLOAT), Behaviour)
GRAPH = types.NamedTuple((GIVEN_INTS, GIVEN_INTS, GIVEN_INTS, INT, GIVEN_INTS), Graph)
HAS_WORDS = types.Array(types.boolean, 2, "C", readonly=True)
TABLES = GIVEN_INT_ROWS, GIVEN_FLOATS, GIVEN_FLOAT_ROWS
SIMILARITIES = types.NamedTuple((*(GIVEN_INTS,) * 3, *TABLES, HAS_WORDS, GIVEN_INTS, GIVEN_INTS), Similarities)
ODOURS = types.int32[:, ::1]
WORLD = types.NamedTuple((INTS, FLOATS, FLOATS, ODOURS, INT_ROWS, FLOAT_ROWS, INT_ROWS, FLOATS, INTS), World)


@kernel(FLOAT(FLOAT))
def birth(energy: float) -> float:
    """Return the probability that a nest makes an ant, arctan(energy) / π + 1/2."""
    return atan(energy) / pi + 0.5


@kernel(FLOAT(SIMILARITIES, INT, INT))
def similarity(alike: Any, a: Index, b: Index) -> Any:
    """Return the similarity of two slots: 1 where nothing is known about any, 0 for slots of unlinked stages."""
    if len(alike.dense):
        return alike.dense[a, b]
    table_of, offsets = alike.table_of, alike.offsets
    if len(table_of) == 0:
        return 1.0
    i, j = alike.stage_of[a], alike.stage_of[b]
    if table_of[i, j] >= 0:
        return alike.flat[table_of[i, j] + (a - offsets[i]) * alike.sizes[j] + b - offsets[j]]
    if table_of[j, i] >= 0:
        return alike.flat[table_of[j, i] + (b - offsets[j]) * alike.sizes[i] + a - offsets[i]]
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
            world.carried[living] = 1.0
            living += 1
    return living


@kernel(types.void(WORLD, INT, RNG_STATE))
def shuffle(world: Any, living: Index, rng_state: RngState) -> None:
    """Put the living ants in random order, in which they act: who comes first finds more energy.

    In the order of their nests the ants of a stage's first candidate would come before those of its others.
    """
    traits, carried = world.traits, world.carried
    for ant in range(living - 1, 0, -1):
        other = below(rng_state, ant + 1)
        carried[ant], carried[other] = carried[other], carried[ant]
        for trait in range(4):
            traits[ant, trait], traits[other, trait] = traits[other, trait], traits[ant, trait]


@kernel(INT(GRAPH, WORLD, INT, INT, INTS, FLOATS), inline=True)
def list_options(graph: Any, world: Any, home: Index, here: Index, nodes: Ints, weights: Floats) -> Any:
    """List the nodes that an ant can go to, with the pheromone of the edges to them; return their number.

    Up to the parent; from home over bridges; elsewhere down to any child but a rival (another nest of home's stage).
    """
    first, count = graph.first_nest, 0
    if here > 0:
        nodes[0], weights[0] = graph.parent[here], world.pheromone[here]
        count = 1
    if here >= first:
        for place in range(world.bridges.shape[1]):
            if world.bridges[home, place] >= 0:
                nodes[count], weights[count] = first + world.bridges[home, place], world.bridge_pheromone[home, place]
                count += 1
        return count
    for at in range(graph.child_ptr[here], graph.child_ptr[here + 1]):
        c = graph.child[at]
        if c < first or c == first + home or graph.stage_of[c - first] != graph.stage_of[home]:
            nodes[count], weights[count] = c, world.pheromone[c]
            count += 1
    return count


@kernel(FLOAT(SIMILARITIES, ODOURS, INT, INT, INT))
def odour_similarity(alike: Any, odour: NDArray[np.int32], first_nest: Index, home: Index, to: Index) -> float:
    """Return the similarity of a node's odour to the nest `home`, the mean over its vector; a nest smells of itself."""
    if to >= first_nest:
        return similarity(alike, home, to - first_nest)
    total, last, value = 0.0, np.int64(-1), 0.0
    for at in range(odour.shape[1]):
        left = np.int64(odour[to, at])
        if left != last:  # what one ant left is a run of equal entries
            last, value = left, 0.0
            if left >= 0:
                value = 1.0 * alike.has[home, left] if len(alike.has) else similarity(alike, home, left)
        total += value
    return total / odour.shape[1]


@kernel(INT(FLOATS, RNG_STATE))
def choose(weights: Floats, rng_state: RngState) -> Any:
    """Draw an index in proportion to its weight; any of them if all weights are 0."""
    total = weights.sum()
    if total <= 0.0:
        return below(rng_state, len(weights))
    return spin(weights, len(weights), total, uniform(rng_state))


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


@kernel(types.void(SIMILARITIES, ODOURS, INT, INT, FLOAT, RNG_STATE))
def leave_odour(
    alike: Any, odour: NDArray[np.int32], node: Index, home: Index, share: float, rng_state: RngState
) -> None:
    """Overwrite a share of a node's odour from a random place on, with the nest `home` or with its words in turn."""
    length = odour.shape[1]
    at: Index = below(rng_state, length)
    begin, end = (alike.word_ptr[home], alike.word_ptr[home + 1]) if len(alike.has) else (0, 0)
    for k in range(int(share * length + 0.5)):
        if len(alike.has):
            odour[node, at] = alike.word[begin + k % (end - begin)] if end > begin else -1
        else:
            odour[node, at] = home
        at = at + 1 if at + 1 < length else 0


@kernel(types.void(SIMILARITIES, INT, WORLD, INT, INT, BEHAVIOUR, RNG_STATE), inline=True)
def cross_edge(
    alike: Any, first_nest: Index, world: Any, ant: Index, to: Index, behaviour: Any, rng_state: RngState
) -> None:
    """Let an ant cross the edge to a node, take energy there, and leave it if that leads home."""
    traits, carried, energy = world.traits[ant], world.carried, world.energy
    home, here = traits[0], traits[1]
    nest = first_nest + home
    if here < first_nest or to < first_nest:
        world.pheromone[max(here, to)] += behaviour.pheromone  # the lower node has the higher number
    if to != nest:
        taken = min(behaviour.energy_taken, energy[to], behaviour.energy_carried - carried[ant])
        energy[to] -= taken
        carried[ant] += taken
    if to < first_nest:
        leave_odour(alike, world.odour, to, home, behaviour.odour_left, rng_state)
        traits[1] = to
        return
    if to != nest:  # a friend's nest: home over a bridge
        strengthen(world, home, to - first_nest, behaviour.pheromone)
        strengthen(world, to - first_nest, home, behaviour.pheromone)
    energy[nest] += carried[ant]
    carried[ant] = 0.0
    traits[1] = nest


@kernel(types.void(WORLD, FLOAT))
def evaporate(world: Any, share: float) -> None:
    """Let a share of all pheromone evaporate, and bridges with hardly any collapse."""
    edges, bridges, pheromone = world.pheromone, world.bridges, world.bridge_pheromone
    edges *= 1.0 - share
    pheromone *= 1.0 - share
    for nest in range(bridges.shape[0]):
        for place in range(bridges.shape[1]):
            if pheromone[nest, place] < COLLAPSE:
                bridges[nest, place], pheromone[nest, place] = -1, 0.0


@kernel(INT(WORLD, INT, INT))
def bury(world: Any, living: Index, life: Index) -> Any:
    """Let old ants die, leaving what they carry where they are; return the number of ants that live on."""
    traits, carried, alive = world.traits, world.carried, 0
    for ant in range(living):
        if traits[ant, 2] < life:
            for trait in range(4):
                traits[alive, trait] = traits[ant, trait]
            carried[alive] = carried[ant]
            alive += 1
        else:
            world.energy[traits[ant, 1]] += carried[ant]
    return alive


@kernel(types.void(SIMILARITIES, INT, WORLD, INTS, INTS, FLOATS), inline=True)
def weigh_options(alike: Any, first_nest: Index, world: Any, ant: Ints, nodes: Ints, weights: Floats) -> None:
    """Turn the pheromone of an ant's options into their weights, node score + edge score.

    A returning ant follows odour and pheromone; an exploring one goes where energy is and pheromone is not.
    """
    energy, around = world.energy, 0.0
    for node in nodes:
        around += energy[node]
    for at in range(len(nodes)):
        if ant[3] == 1:
            weights[at] += odour_similarity(alike, world.odour, first_nest, ant[0], nodes[at])
        else:
            weights[at] = max(0.0, 1.0 - weights[at]) + (energy[nodes[at]] / around if around > 0.0 else 0.0)


@kernel(INT(GRAPH, SIMILARITIES, BEHAVIOUR, WORLD, INTS, FLOATS, RNG_STATE))
def cycle(graph: Any, alike: Any, behaviour: Any, world: Any, nodes: Ints, weights: Floats, rng_state: RngState) -> Any:
    """Run one cycle, with room for the nodes that an ant can go to and the weight of each, and return the looks."""
    first, looks = graph.first_nest, 0
    living = bear(world, first, world.living[0], rng_state)
    shuffle(world, living, rng_state)
    for ant in range(living):
        traits = world.traits[ant]
        if traits[3] == 0 and uniform(rng_state) * behaviour.energy_carried < world.carried[ant]:
            traits[3] = 1
        count = list_options(graph, world, traits[0], traits[1], nodes, weights)
        looks += count
        weigh_options(alike, first, world, traits, nodes[:count], weights[:count])
        to = nodes[choose(weights[:count], rng_state)]
        cross_edge(alike, first, world, ant, to, behaviour, rng_state)
        traits[2] += 1
        if traits[1] == first + traits[0]:
            traits[3] = 0
    evaporate(world, behaviour.evaporation)
    world.living[0] = bury(world, living, behaviour.life)
    return looks
