"""The roulette wheel, on arrays and in kernels."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from swarmkit.kernels.roulette import spin
from swarmkit.search import roulette_wheel


@njit("int64(float64[::1], float64)")
def spin_all(weights, chance):
    return spin(weights, len(weights), weights.sum(), chance)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6), st.floats(0, 1, exclude_max=True))
def test_the_wheel_stops_only_at_positive_weights(weights, chance):
    weights = np.array(weights)
    if weights.sum() > 0:
        assert weights[roulette_wheel(weights[None], np.array([chance]))[0]] > 0
        assert weights[spin_all(weights, chance)] > 0


@given(st.lists(st.integers(0, 8), min_size=1, max_size=6), st.integers(0, 63))
def test_both_wheels_stop_at_the_same_place(weights, part):
    weights, chance = np.array(weights, np.float64), part / 64
    if weights.sum() > 0:
        rows = roulette_wheel(weights[None], np.array([chance]))[0]
        assert spin_all(weights, chance) == rows == roulette_wheel(weights, np.array([chance]))[0]
