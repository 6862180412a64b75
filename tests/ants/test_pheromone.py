"""Evaporation, deposit and weights on tours, against numpy on whole arrays."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from swarmkit.contract.structure import Tour
from swarmkit_ants.kernels.tour_walk import change_edges, compute_weights
from swarmkit_ants.tours import TourTrail
from swarmkit_ants.tsp_aco import TspAco
from tests.ants.plain_ants import random_table
from tests.contract.test_tour import salesman

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(5, 30)


def random_tour_and_way(n, seed, symmetric):
    rng = np.random.default_rng(seed)
    tour = salesman(n, seed).structure.tour if symmetric else Tour(np.arange(n), rng.random((n, n)))
    return tour, rng.permutation(n)


@given(sizes, st.integers(1, 8), seeds, st.booleans())
def test_an_update_evaporates_deposits_and_weighs(n, k, seed, symmetric):
    tour, way = random_tour_and_way(n, seed, symmetric)
    trail, ways = TourTrail(tour, TspAco(candidates=k).params), np.array([way, way[::-1]])
    colony = trail.start(np.random.default_rng(seed))
    table = random_table(tour, k, seed)
    colony.pheromone[:] = table.pheromone
    trail.update(colony, ways, np.array([0.2, 0.1]), 0.9)
    table.pheromone[:] *= 0.9
    change_edges(table, ways[0], 1.0, 0.2, symmetric)
    change_edges(table, ways[1], 1.0, 0.1, symmetric)
    compute_weights(table, 1.0, *trail.limits)
    assert (colony.pheromone == table.pheromone).all()
    assert (colony.weights == table.weights).all()


@given(sizes, st.integers(1, 8), seeds, st.booleans())
def test_only_the_edges_of_the_tour_change(n, k, seed, symmetric):
    tour, way = random_tour_and_way(n, seed, symmetric)
    table = random_table(tour, k, seed)
    following = np.empty(n, np.int64)
    following[way] = np.roll(way, -1)
    on = table.near == following[:, None]
    if symmetric:
        preceding = np.empty(n, np.int64)
        preceding[way] = np.roll(way, 1)
        on |= table.near == preceding[:, None]
    expected = np.where(on, 0.5 * table.pheromone + 0.25, table.pheromone)
    change_edges(table, way, 0.5, 0.25, symmetric)
    assert (table.pheromone == expected).all()


@given(st.integers(3, 9), seeds, st.sampled_from([0.5, 1.0, 2.0]))
def test_weights_follow_from_pheromone_within_its_limits(n, seed, alpha):
    table = random_table(salesman(n, seed).structure.tour, 5, seed)
    pheromone = np.clip(table.pheromone, 0.2, 0.7)
    compute_weights(table, alpha, 0.2, 0.7)
    assert (table.pheromone == pheromone).all()
    assert np.allclose(table.weights, pheromone**alpha * table.heuristic)
