"""What tests of ants on tours share: a random pheromone table, a whole iteration, and the draw of the next city."""

import numpy as np

from swarmkit.kernels import rng
from swarmkit_ants.kernels.tour_walk import PheromoneTable
from swarmkit_ants.tours import heuristic_values


def random_table(tour, k, seed, alpha=1.0):
    """A table of k nearest neighbours with random pheromone."""
    near = tour.nearest(k)
    pheromone = np.random.default_rng(seed).random(near.shape)
    heuristic = heuristic_values(np.take_along_axis(tour.cost, near.astype(np.int64), axis=1), 2.0)
    return PheromoneTable(near, pheromone, heuristic, (pheromone**alpha * heuristic).astype(np.float32))


def build_all(construction, table, source, state):
    """The tours of one iteration, their lengths, and its looks."""
    tours, scores = np.zeros((construction.rows, len(table.near)), np.int64), np.zeros(construction.rows)
    looks = construction.build(table, source, tours, scores, state)
    return tours, -scores, looks


def plain_draw(table, city, visited, rng_state):
    """The twin of `draw_neighbour`: a neighbour that is not visited, by a roulette wheel of weights; None for none."""
    near, free = table.near[city], ~np.isin(table.near[city], list(visited))
    weights = table.weights[city] * free.astype(np.float32)
    total = weights[::2].cumsum(dtype=np.float32)[-1] + np.append(weights[1::2], np.float32(0)).cumsum()[-1]
    aim = np.float32(rng.uniform(rng_state)) * total
    left = np.subtract.accumulate(np.concatenate([[aim], weights]), dtype=np.float32)[1:]
    if (left < 0).any():
        return int(near[np.argmax(left < 0)])
    return int(near[weights.argmax()]) if free.any() else None
