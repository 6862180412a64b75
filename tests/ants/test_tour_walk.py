"""Ants that build whole tours, against plain ones that draw the same random numbers."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit.contract.structure import Tour
from swarmkit.kernels import rng
from swarmkit.search import rng_state
from swarmkit_ants.kernels.tour_walk import TransitionRule, Walk
from tests.ants.plain_ants import build_all, plain_draw, random_table
from tests.contract.test_tour import salesman

seeds = st.integers(0, 2**32 - 1)
NO_SOURCE = np.empty(0, np.int64)


class Rule(NamedTuple):
    alpha: float = 1.0
    greed: float = 0.0
    local_evaporation: float = 0.0


def plain_walk(tour, table, rule, state):
    """One ant's tour, by the book: the best unvisited neighbour or a roulette wheel of them, else the nearest city."""
    n = len(tour.cost)
    way = [int(rng.below(state, n))]
    while len(way) < n:
        here = way[-1]
        if rule.greed > 0 and rng.uniform(state) < rule.greed:
            city = best_unvisited(table, here, way)
        else:
            city = plain_draw(table, here, way, state)
        if city is None:
            city = min(set(range(n)) - set(way), key=lambda other: tour.cost[here, other])
        local_update(table, rule, here, city)
        if tour.symmetric:
            local_update(table, rule, city, here)
        way.append(city)
    return way


def best_unvisited(table, city, visited):
    """The twin of `best_neighbour`."""
    weights = np.where(np.isin(table.near[city], visited), 0, table.weights[city])
    return int(table.near[city, weights.argmax()]) if weights.any() else None


def local_update(table, rule, a, b):
    """The twin of `local_update`: pheromone from a to b, if the edge has any, nearer to its initial value, 1 / n."""
    on = table.near[a] == b
    table.pheromone[a, on] += rule.local_evaporation * (1.0 / len(table.near) - table.pheromone[a, on])
    table.weights[a, on] = table.pheromone[a, on] ** rule.alpha * table.heuristic[a, on]


RULES = [Rule(), Rule(greed=0.5), Rule(greed=0.9, local_evaporation=0.1), Rule(alpha=2.0, local_evaporation=0.5)]


def walks_as_plainly_told(tour, k, seed, rule):
    table, plain = (random_table(tour, k, seed, rule.alpha) for _ in range(2))
    state = rng_state(np.random.default_rng(seed))
    again = state.copy()
    walk = Walk(tour, 3, TransitionRule(**rule._asdict(), initial=1.0 / len(tour.cost)))
    tours, lengths, looks = build_all(walk, table, NO_SOURCE, state)
    assert tours.tolist() == [plain_walk(tour, plain, rule, again) for _ in range(3)]
    assert np.allclose(lengths, tour.lengths(tours))
    assert np.allclose(table.pheromone, plain.pheromone)
    assert np.allclose(table.weights, plain.weights)
    assert looks >= 3 * (len(tour.cost) - 1) * table.near.shape[1]
    assert (state == again).all()


@given(st.integers(5, 30), st.integers(1, 12), seeds, st.sampled_from(RULES))
def test_ants_walk_as_the_plain_ant_does(n, k, seed, rule):
    walks_as_plainly_told(salesman(n, seed).structure.tour, k, seed, rule)


@given(st.integers(5, 30), st.integers(1, 12), seeds, st.sampled_from(RULES))
def test_ants_walk_asymmetric_tours_as_the_plain_ant_does(n, k, seed, rule):
    walks_as_plainly_told(Tour(np.arange(n), np.random.default_rng(seed).random((n, n))), k, seed, rule)


def test_ants_that_run_out_of_near_cities_take_the_nearest_of_all():
    walks_as_plainly_told(salesman(80).structure.tour, 1, 1, Rule())


def test_greedy_ants_take_the_edge_of_greatest_weight():
    tour = salesman(30).structure.tour
    table = random_table(tour, 29, 1)
    walk = Walk(tour, 1, TransitionRule(greed=1.0))
    way = build_all(walk, table, NO_SOURCE, rng_state(np.random.default_rng(1)))[0][0]
    for at in range(29):
        free = ~np.isin(table.near[way[at]], way[: at + 1])
        assert way[at + 1] == table.near[way[at]][np.argmax(table.weights[way[at]] * free)]


def test_the_local_update_changes_the_edges_crossed_and_no_others():
    tour = salesman(12).structure.tour
    table = random_table(tour, 11, 1)
    before = table.pheromone.copy()
    walk = Walk(tour, 1, TransitionRule(local_evaporation=0.5, initial=1 / 12))
    way = build_all(walk, table, NO_SOURCE, rng_state(np.random.default_rng(1)))[0][0]
    crossed = {frozenset(pair) for pair in zip(way[:-1].tolist(), way[1:].tolist(), strict=True)}
    for a in range(12):
        for j, b in enumerate(table.near[a].tolist()):
            half_way = 0.5 * (before[a, j] + 1 / 12)
            assert table.pheromone[a, j] == pytest.approx(half_way if frozenset((a, b)) in crossed else before[a, j])
