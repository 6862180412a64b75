"""Right and wrong per item: McNemar, the paired bootstrap, and the accuracies of real runs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from swarmkit import UsageError
from swarmkit.statistics import accuracies, mcnemar, paired_bootstrap
from tests.comparing import compared, scored

bits = st.lists(st.booleans(), min_size=1, max_size=30)


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def test_mcnemar_is_the_exact_binomial_of_what_differs():
    a = np.array([1] * 20 + [0] * 5 + [1] * 50 + [0] * 7)
    b = np.array([0] * 20 + [1] * 5 + [1] * 50 + [0] * 7)
    assert mcnemar(a, b).p == pytest.approx(stats.binomtest(5, 25).pvalue)
    assert "20 items right only by the first, 5 only by the second: a significant difference" in mcnemar(a, b).words
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
    unlike = [answered(r, [True] * (1 + (r.method == "icm"))) for r in records]
    assert accuracies(unlike, rng) == []


def test_an_instance_on_which_a_method_has_no_runs_leaves_nothing_to_compare(rng):
    records = [answered(r, [True, False]) for r in compared(2, 1, ("icm", "random"))]
    assert len(accuracies(records, rng)) == 1
    assert accuracies(records[:-1], rng) == []


def test_mcnemar_compares_the_runs_with_the_median_number_of_right_items(rng):
    right = {"icm": [9, 2, 6, 4], "random": [1, 1, 1, 1]}  # of 9; the lower median of icm is 4
    records = [
        answered(r, [i < right[r.method][r.repetition] for i in range(9)]) for r in compared(1, 4, ("icm", "random"))
    ]
    [found] = accuracies(records, rng)
    assert "3 items right only by the first, 0 only by the second" in found.mcnemar.words
    assert found.first_accuracy == pytest.approx(21 / 36)


def test_the_number_of_pairs_that_holm_corrects_for_is_said(rng):
    records = [answered(r, [r.method == "icm"] * 9) for r in compared(1, 2, ("icm", "random", "greedy"))]
    assert all("after Holm for 3 pairs" in one.words for one in accuracies(records, rng))
