"""Intervals of means and medians."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from swarmkit.statistics import interval


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def test_the_interval_of_a_median_is_near_scipys_bootstrap(rng):
    x = np.random.default_rng(0).exponential(size=40)
    ours = interval(x, "median", rng, resamples=20_000)
    theirs = stats.bootstrap([x], np.median, method="percentile", rng=np.random.default_rng(1)).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.02)


def test_the_interval_of_the_mean_of_a_symmetric_sample_is_students(rng):
    x = np.array([-4.0, -1.0, 0.0, 1.0, 4.0]) + 7
    theirs = stats.ttest_1samp(x, 0.0).confidence_interval()
    ours = interval(x, "mean", rng)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))


def test_the_interval_of_a_mean_is_extended_by_johnsons_on_the_side_of_the_long_tail(rng):
    x = np.array([1.0, 1.0, 2.0, 3.0, 13.0])
    t, error = stats.t.ppf(0.975, 4), stats.sem(x)
    shift = 3 * stats.skew(x, bias=False) / (6 * np.sqrt(5)) * (1 + 2 * t**2)
    assert shift > 1
    for values, limits in ((x, (-t, t + shift)), (-x, (-t - shift, t))):
        ours = interval(values, "mean", rng)
        assert [(limit - values.mean()) / error for limit in (ours.low, ours.high)] == pytest.approx(list(limits))


SAMPLES = {
    "normal": (lambda rng, n: rng.normal(size=n), 0.0),
    "exponential": (lambda rng, n: rng.exponential(size=n), 1.0),
    "a long tail below": (lambda rng, n: -rng.chisquare(3, size=n), -3.0),
    "lognormal": (lambda rng, n: rng.lognormal(0, 0.5, size=n), np.exp(0.125)),
}


@pytest.mark.parametrize("n", [5, 16])
@pytest.mark.parametrize("name", SAMPLES)
def test_intervals_of_means_cover_the_mean_as_often_as_they_say(name, n, rng):
    draw, mean = SAMPLES[name]
    intervals = [interval(draw(rng, n), "mean", rng) for _ in range(3000)]
    assert np.mean([one.low <= mean <= one.high for one in intervals]) >= 0.93


def test_the_same_generator_gives_the_same_interval():
    made = [interval([1, 2, 3, 4, 9], "median", np.random.default_rng(3)) for _ in range(2)]
    assert made[0] == made[1]


@given(st.lists(st.integers(-9, 9).map(float), min_size=5, max_size=20))
def test_the_interval_of_a_median_lies_within_the_runs_and_that_of_a_mean_around_it(values):
    median, mean = (interval(values, centre, np.random.default_rng(0), resamples=200) for centre in ("median", "mean"))
    assert min(values) <= median.low <= median.high <= max(values)
    assert mean.low <= mean.value <= mean.high


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([], "no runs"),
        ([1.0], "mean 1 (1 run)"),
        ([1.0, 2.0], "mean 1.5 of 2 runs; an interval needs 5"),
        ([1.0, -np.inf], "some runs found no feasible solution: no interval"),
        ([-np.inf] * 6, "some runs found no feasible solution: no interval"),
    ],
)
def test_a_sample_too_small_for_an_interval_is_explained(values, words, rng):
    found = interval(values, "mean", rng)
    assert (found.words, found.low, found.high) == (words, None, None)


def test_a_median_counts_runs_without_a_solution_as_worst_and_has_no_interval(rng):
    found = interval([5.0, 4.0, -np.inf, 3.0, 6.0], "median", rng)
    assert (found.value, found.low, found.high) == (4.0, None, None)
    assert found.words == "median 4; some runs found no feasible solution: no interval"
    assert interval([5.0, -np.inf, -np.inf], "median", rng).value is None
