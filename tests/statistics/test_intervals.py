"""Bootstrap intervals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from swarmkit.statistics import interval


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def test_a_bootstrap_interval_is_near_scipys(rng):
    x = np.random.default_rng(0).exponential(size=40)
    ours = interval(x, "mean", rng, resamples=20_000)
    theirs = stats.bootstrap([x], np.mean, method="percentile", rng=np.random.default_rng(1)).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.02)


def test_the_same_generator_gives_the_same_interval():
    made = [interval([1, 2, 3, 4, 9], "median", np.random.default_rng(3)) for _ in range(2)]
    assert made[0] == made[1]


@given(st.lists(st.integers(-9, 9).map(float), min_size=5, max_size=20), st.sampled_from(["mean", "median"]))
def test_an_interval_lies_within_the_runs(values, centre):
    found = interval(values, centre, np.random.default_rng(0), resamples=200)
    assert min(values) <= found.low <= found.high <= max(values)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([], "no runs"),
        ([1.0], "mean 1 (1 run)"),
        ([1.0, 2.0], "mean 1.5 of 2 runs; an interval needs 5"),
        ([1.0, -np.inf], "some runs found no feasible solution: no interval"),
    ],
)
def test_a_sample_too_small_for_an_interval_is_explained(values, words, rng):
    found = interval(values, "mean", rng)
    assert (found.words, found.low, found.high) == (words, None, None)
