"""Intervals, items, anytime performance, optima, and the whole analysis of real runs."""

import json
import sys
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from swarmkit.contract.errors import MissingError, UsageError
from swarmkit.contract.progress import Trace
from swarmkit.contract.result import Gap
from swarmkit.statistics import (
    accuracies,
    analyse,
    best_so_far,
    compare_within,
    distribution,
    expected_time,
    interval,
    known_best,
    mcnemar,
    nearness,
    paired_bootstrap,
    running_times,
    work_grid,
)
from swarmkit.statistics.anytime import course, ends_of, targets
from tests.comparing import compared, outcomes, scored

bits = st.lists(st.booleans(), min_size=1, max_size=30)


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
def test_too_little_for_an_interval_is_said(values, words, rng):
    found = interval(values, "mean", rng)
    assert (found.words, found.low, found.high) == (words, None, None)


def test_mcnemar_is_the_exact_binomial_of_what_differs():
    a = np.array([1] * 20 + [0] * 5 + [1] * 50 + [0] * 7)
    b = np.array([0] * 20 + [1] * 5 + [1] * 50 + [0] * 7)
    assert mcnemar(a, b).p == pytest.approx(stats.binomtest(5, 25).pvalue)
    assert "20 items right only by the first, 5 only by the second: a difference" in mcnemar(a, b).words
    assert mcnemar(a, a).p is None
    assert "nothing to test" in mcnemar(a, a).words


@given(bits, st.randoms())
def test_mcnemar_does_not_mind_the_order_of_methods_or_items(a, random):
    b = random.sample(a, len(a))
    order = random.sample(range(len(a)), len(a))
    p = mcnemar(a, b).p
    assert p == mcnemar(b, a).p == mcnemar(np.array(a)[order], np.array(b)[order]).p
    assert p is None or 0 < p <= 1


def test_the_paired_bootstrap_is_that_of_drawing_items(rng):
    a, b = rng.random(200) < 0.8, rng.random(200) < 0.6
    d = a.astype(float) - b
    drawn = d[rng.integers(200, size=(20_000, 200))].mean(axis=1)
    found = paired_bootstrap(a, b, rng, resamples=20_000)
    assert found.difference == pytest.approx(d.mean())
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])), abs=0.011)
    assert found.p < 0.01


@given(bits, st.randoms())
def test_the_paired_bootstrap_turns_around_with_the_methods(a, random):
    b = random.sample(a, len(a))
    one, other = (paired_bootstrap(x, y, np.random.default_rng(0), resamples=99) for x, y in ((a, b), (b, a)))
    assert one.difference == -other.difference == 0 or one.p <= 1


def test_pairs_of_unlike_rows_are_refused(rng):
    with pytest.raises(UsageError, match="equal length"):
        mcnemar([1, 0], [1])
    with pytest.raises(UsageError, match="right or wrong per item"):
        paired_bootstrap([2, 0], [1, 1], rng)
    with pytest.raises(UsageError, match="nothing between"):
        mcnemar([0.5], [1])


def test_without_items_there_is_nothing_to_compare(rng):
    assert paired_bootstrap([], [], rng).words == "no items: nothing to compare"


def traced(record, points, end, **other):
    """Give a record a course of (looks, score) of our choosing."""
    looks, score = zip(*points, strict=True) if points else ((), ())
    trace = Trace(list(looks), [1] * len(looks), [x / 10 for x in looks], list(score))
    return scored(record, score[-1] if score else None, trace=trace, looks=end, seconds=end / 10, bound=None, **other)


@pytest.fixture
def two():
    """Two runs of one method: one gets to 10 after 40 looks, the other stays at 6 for 100."""
    first, second = compared(1, 2, ("icm",))
    return [traced(first, [(10, 0.0), (40, 10.0)], 50), traced(second, [(20, 6.0)], 100)]


def test_expected_running_time_counts_failed_runs(two):
    known = known_best(two, two[0].instance)
    times = {time.target: time for time in running_times(two, known, "looks")}
    assert times["the best known"].expected == 40 + 100
    assert (times["the best known"].successes, times["the best known"].runs) == (1, 2)
    assert expected_time([np.inf], [5.0]) is None


def test_the_distribution_counts_targets_by_hand(two):
    known = known_best(two, two[0].instance)
    assert ends_of(two, known) == (0.0, 10.0)
    missed = (targets(0, 10) > 6).mean()
    found = distribution(two, [known], "icm", "looks", [5, 10, 20, 40, 100])
    one = 1 / targets(0, 10).size  # after 10 looks the first run has the lowest target, and no other
    assert found.share == pytest.approx([0, one / 2, (one + 1 - missed) / 2, 1 - missed / 2, 1 - missed / 2])
    assert distribution(two, [known], "icm", "seconds", [4.0]).share == pytest.approx([1 - missed / 2])


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
        share = distribution(records, known, method, unit, grid).share
        assert all(0 <= a <= b <= 1 for a, b in pairwise(share))
    assert share[-1] == 1  # viterbi's is the optimum


def test_what_polishing_added_counts_as_reached_at_the_end(two):
    polished = scored(two[1], 7.0)
    assert course(polished.result, "looks").score.tolist() == [6.0, 7.0]
    assert course(polished.result, "looks").when.tolist() == [20.0, 100.0]


def test_the_optimum_of_one_run_is_that_of_all():
    records = compared()
    known = known_best(records, records[0].instance)
    best = max(r.result.score for r in records if r.instance == known.instance)
    assert known.optimum
    assert known.bound == pytest.approx(best)
    found = {near.method: near for near in nearness(records, known)}
    assert (found["viterbi"].hits, found["viterbi"].gap) == (6, 0.0)
    assert found["random"].share < found["icm"].share <= 1


def test_a_bound_that_nobody_met_is_no_optimum(two):
    gap = Gap(bound=20.0, optimum=False, by="toulbar2", absolute=10.0, relative=0.5, words="")
    records = [scored(two[0], 10.0, gap=gap), two[1]]
    known = known_best(records, two[0].instance)
    assert (known.bound, known.optimum) == (20.0, False)
    [near] = nearness(records, known)
    assert (near.hits, near.share, near.gap) == (0, 0.4, 0.6)
    assert "reached the bound in 0 of 2 runs; 40.00% of it on average; median gap 60.000%" in near.words


def test_negative_and_zero_bounds_have_no_share(two):
    gap = Gap(bound=0.0, optimum=False, by="viterbi", absolute=None, relative=None, words="")
    records = [scored(two[0], -1.0, gap=gap)]
    [near] = nearness(records, known_best(records, two[0].instance))
    assert (near.share, near.gap) == (None, None)


def answered(record, right):
    return scored(record, record.result.score, answer=[{"word": str(i), "right": x} for i, x in enumerate(right)])


def test_rows_that_say_right_or_wrong_are_compared_as_pairs(rng):
    records = [answered(r, [True] * 12 + [r.method == "icm"] * 9) for r in compared(2, 3, ("icm", "random"))]
    [found] = accuracies(records, rng)
    assert (found.first_accuracy, found.second_accuracy) == pytest.approx((1, 12 / 21))
    assert found.mcnemar.p == found.adjusted == pytest.approx(2 / 2**18)
    assert found.bootstrap.low > 0


def test_rows_that_do_not_all_say_so_are_not_compared(rng):
    records = compared(1, 2, ("icm", "random"))
    assert accuracies(records, rng) == []
    assert accuracies([answered(records[0], [True]), *records[1:]], rng) == []
    unlike = [answered(r, [True] * (n + 1)) for n, r in enumerate(records)]
    assert accuracies(unlike, rng) == []


def test_the_analysis_of_real_runs_is_plain_json_with_words():
    found = analyse(compared())
    document = json.loads(found.model_dump_json())
    assert document["across"]["methods"][0] == "viterbi"
    assert found.words.startswith("96 runs of 4 methods on 4 instances. Over 4 instances the 4 methods differ")
    assert {summary.method for summary in found.summaries} == set(found.methods)
    assert analyse(compared()) == found


@pytest.mark.parametrize(
    "cut",
    [
        lambda r: r[:1],
        lambda r: [x for x in r if x.method == "viterbi"],
        lambda r: [x for x in r if x.repetition == 0],
        lambda r: [scored(x, None, trace=Trace(), bound=None) for x in r],
        lambda r: [scored(x, None, trace=Trace()) if x.repetition % 2 else x for x in r],
        lambda r: [scored(x, 1.0, trace=Trace(), bound=None, looks=0, seconds=0.0) for x in r],
        lambda r: r[:-7],
        lambda r: r[::5],
        lambda r: [scored(x, x.result.score * 1e300) for x in r],
        lambda r: [x for x in r if int(x.instance[-2:]) % 4 == ["icm", "random", "greedy", "viterbi"].index(x.method)],
    ],
    ids=[
        "one run",
        "one method",
        "one repetition",
        "infeasible",
        "half infeasible",
        "ties",
        "unfinished",
        "holes",
        "huge",
        "all apart",
    ],
)
def test_poor_comparisons_have_words_and_no_stack_trace(cut):
    found = analyse(cut(list(compared())))
    text = found.model_dump_json()
    assert "nan" not in text.lower()
    assert "Infinity" not in text
    assert all(one.words for one in (*found.summaries, *found.within, *found.distributions, *found.nearness))


def test_no_runs_at_all_are_refused():
    with pytest.raises(UsageError, match="no runs"):
        analyse([])


def test_without_the_extra_it_is_named(monkeypatch):
    monkeypatch.setattr("swarmkit.statistics.finding.find_spec", lambda name: None)
    with pytest.raises(MissingError, match=r"pip install 'pyswarmkit\[report\]'"):
        compare_within(outcomes({"i": {"a": [1], "b": [2]}}), "i")


def test_the_door_itself_loads_nothing_heavy():
    import subprocess

    code = "import sys, swarmkit.statistics; print({'scipy', 'pandas', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
