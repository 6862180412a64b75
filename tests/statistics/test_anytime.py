"""Anytime performance: expected running times, run-time distributions, bands of the best score so far."""

from itertools import pairwise

import numpy as np
import pytest

from swarmkit.statistics import (
    best_so_far,
    expected_running_time,
    known_best,
    running_times,
    runtime_distribution,
    work_grid,
)
from swarmkit.statistics.anytime import score_range, target_scores, trajectory
from tests.comparing import compared, scored, two_runs


@pytest.fixture
def two():
    return two_runs()


def test_expected_running_time_counts_failed_runs(two):
    known = known_best(two, two[0].instance)
    times = {time.target: time for time in running_times(two, known, "looks")}
    assert times["the best known"].expected == 40 + 100
    assert (times["the best known"].successes, times["the best known"].runs) == (1, 2)
    assert expected_running_time([np.inf], [5.0]) is None


def test_the_distribution_counts_targets_by_hand(two):
    known = known_best(two, two[0].instance)
    assert score_range(two, known) == (0.0, 10.0)
    missed = (target_scores(0, 10) > 6).mean()
    found = runtime_distribution(two, [known], "icm", "looks", [5, 10, 20, 40, 100])
    one = 1 / target_scores(0, 10).size  # after 10 looks the first run has the lowest target, and no other
    assert found.share == pytest.approx([0, one / 2, (one + 1 - missed) / 2, 1 - missed / 2, 1 - missed / 2])
    assert runtime_distribution(two, [known], "icm", "seconds", [4.0]).share == pytest.approx([1 - missed / 2])


def test_instances_on_which_a_method_has_no_runs_are_left_out_and_counted(two):
    def on(instance, method):
        return [scored(run, run.result.score, instance=instance, method=method) for run in two]

    records = [*on("a", "icm"), *on("b", "other"), *on("c", "icm")]
    known = [known_best(records, instance) for instance in "abc"]
    whole = runtime_distribution(on("a", "icm"), known[:1], "icm", "looks", [40, 100])
    found = runtime_distribution(records, known, "icm", "looks", [40, 100])
    assert found.share == pytest.approx(whole.share)
    assert "of the 2 instances (of 3) on which it has runs" in found.words
    assert "on which it has runs" not in whole.words


def test_bands_are_quartiles_of_what_was_reached(two):
    found = best_so_far(two, "looks", [5, 10, 20, 40])
    assert found.median == [None, None, 3.0, 8.0]
    assert found.low == [None, None, 1.5, 7.0]
    assert found.high == [None, None, 4.5, 9.0]


@pytest.mark.parametrize("unit", ["looks", "seconds"])
def test_what_was_reached_is_never_lost_again(unit):
    records = compared()
    known = [known_best(records, instance) for instance in dict.fromkeys(r.instance for r in records)]
    grid = work_grid(records, unit)
    for method in ("icm", "viterbi"):
        share = runtime_distribution(records, known, method, unit, grid).share
        assert all(0 <= a <= b <= 1 for a, b in pairwise(share))
    assert share[-1] == 1  # viterbi's is the optimum


def test_what_polishing_added_counts_as_reached_at_the_end(two):
    polished = scored(two[1], 7.0)
    assert trajectory(polished.result, "looks").score.tolist() == [6.0, 7.0]
    assert trajectory(polished.result, "looks").when.tolist() == [20.0, 100.0]


def test_targets_end_at_the_known_optimum_and_not_at_a_bound(two):
    known = known_best(two, two[0].instance)
    optimum, bound = (known.model_copy(update={"bound": 25.0, "optimum": kind}) for kind in (True, False))
    assert score_range(two, optimum) == (0.0, 25.0)
    assert score_range(two, bound) == (0.0, 10.0)
    assert score_range(two, optimum.model_copy(update={"bound": 9.0})) == (0.0, 10.0)  # a run found more
