"""The optimum or a bound on it, and the gaps of methods."""

import pytest

from swarmkit.contract.result import Gap
from swarmkit.running.gap import Bound, measure_gap
from swarmkit.statistics import known_best, optimum_gaps
from tests.comparing import compared, scored, two_runs


@pytest.fixture
def two():
    return two_runs()


def test_the_optimum_of_one_run_is_that_of_all():
    records = compared()
    known = known_best(records, records[0].instance)
    best = max(r.result.score for r in records if r.instance == known.instance)
    assert known.optimum
    assert known.bound == pytest.approx(best)
    found = {near.method: near for near in optimum_gaps(records, known)}
    assert (found["viterbi"].hits, found["viterbi"].gap) == (6, 0.0)
    assert found["random"].share < found["icm"].share <= 1


def test_a_bound_that_no_run_reached_is_no_optimum(two):
    gap = Gap(bound=20.0, optimum=False, by="toulbar2", absolute=10.0, relative=0.5, words="")
    records = [scored(two[0], 10.0, gap=gap), two[1]]
    known = known_best(records, two[0].instance)
    assert (known.bound, known.optimum) == (20.0, False)
    [near] = optimum_gaps(records, known)
    assert (near.hits, near.share, near.gap) == (0, 0.4, 0.6)
    assert not near.optimum
    assert near.words == "icm: 2 runs; 40.00% of the bound on average; median gap to the bound 60.000%."


def test_negative_and_zero_bounds_have_no_share(two):
    gap = Gap(bound=0.0, optimum=False, by="viterbi", absolute=None, relative=None, words="")
    records = [scored(two[0], -1.0, gap=gap)]
    [near] = optimum_gaps(records, known_best(records, two[0].instance))
    assert (near.share, near.gap) == (None, None)


def test_a_whole_number_next_to_the_optimum_is_no_hit_however_large(two):
    gap = Gap(bound=1e9, optimum=True, by="viterbi", absolute=1.0, relative=1e-9, words="")
    records = [scored(two[0], 1e9 - 1, gap=gap), scored(two[1], 1e9)]
    [near] = optimum_gaps(records, known_best(records, two[0].instance))
    assert (near.hits, near.runs) == (1, 2)
    assert measure_gap(records[0].result, Bound(1e9, True, "viterbi", {})).absolute == 1.0


def test_the_median_gap_counts_runs_without_a_solution_as_worst(two):
    gap = Gap(bound=20.0, optimum=False, by="toulbar2", absolute=10.0, relative=0.5, words="")
    records = [scored(two[0], 10.0, gap=gap), scored(two[1], None), scored(two[1], 15.0)]
    [near] = optimum_gaps(records, known_best(records, two[0].instance))
    assert near.gap == 0.5
    assert optimum_gaps(records[:2], known_best(records, two[0].instance))[0].gap is None
