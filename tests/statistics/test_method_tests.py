"""Tests of methods: pinned by hand, by scipy and by scikit-posthocs, with properties that hold for all scores."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from swarmkit.statistics import (
    a12,
    cliffs_delta,
    compare_on_instance,
    compare_over_instances,
    critical_difference,
    holm,
    magnitude,
    nemenyi_groups,
    rank_biserial,
)
from swarmkit.statistics.one_instance import compare_on_instances
from swarmkit.statistics.pairwise_tests import exact_signed_ranks, scaled_differences
from swarmkit.statistics.scores import complete_blocks, merge_ties
from swarmkit.statistics.several_instances import nemenyi, rank_table
from tests.comparing import blocks, score_table

scores = st.lists(st.integers(-6, 6).map(float), min_size=1, max_size=9)
tables = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(-5, 5).map(float), min_size=k, max_size=k), min_size=2, max_size=7)
)

# Demšar's table 6: four variants of C4.5 on 14 data sets. Of two rounded .975 he ranks one above the other: .9751.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.0, 1.0, 1.0, 1.0],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)

TIED = np.array(
    [
        [0, 0, 4, 2, 3],
        [3, 4, 0, 2, 0],
        [2, 5, 3, 0, 3],
        [0, 4, 5, 5, 3],
        [5, 2, 0, 3, 2],
        [3, 5, 1, 5, 0],
        [2, 4, 1, 4, 2],
        [3, 5, 4, 5, 3],
        [5, 5, 0, 1, 1],
    ],
    dtype=float,
)


def test_demsars_example_comes_out_as_in_his_paper():
    found = compare_over_instances(blocks(DEMSAR))
    assert found.ranks == pytest.approx({"a": 3.143, "b": 2.0, "c": 2.893, "d": 1.964}, abs=6e-4)
    assert found.critical_difference == pytest.approx(1.25, abs=5e-3)
    assert found.friedman.p < 0.05


def test_friedman_without_ties_is_scipys_and_its_correction_the_formula():
    table = np.array([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3], [1, 2, 3]], dtype=float)
    found = compare_over_instances(blocks(table)).friedman
    chi = stats.friedmanchisquare(*table.T).statistic
    assert found.statistic == pytest.approx(chi) == pytest.approx(6.4)  # by hand: rank sums 6, 10, 14
    by_hand = 4 * 6.4 / (5 * 2 - 6.4)
    assert found.p == pytest.approx(stats.f.sf(by_hand, 2, 8))


def test_instances_that_rank_alike_have_the_exact_chance_of_that():
    assert compare_over_instances(blocks([[1, 2, 3]] * 4)).friedman.p == pytest.approx(1 / 6**3)


def test_nemenyi_is_the_studentized_range_of_mean_ranks():
    found = nemenyi(complete_blocks(blocks(DEMSAR)))
    ranks = rank_table(DEMSAR).mean(axis=0)
    q = abs(ranks[0] - ranks[3]) / np.sqrt(4 * 5 / (6 * 14)) * np.sqrt(2)
    assert found["a"]["d"] == found["d"]["a"] == pytest.approx(stats.studentized_range.sf(q, 4, np.inf), abs=1e-4)


@pytest.mark.parametrize(
    ("table", "upper"),
    [
        (DEMSAR, [0.08867270928888271, 0.9561771752218107, 0.0741847950687442, 0.2592280701547286, 0.999859449385133,
                  0.22669688602641525]),
        (TIED, [0.5685283486003366, 0.9959025382276567, 0.869178762696673, 0.9756847304453526, 0.3372826159467819,
                0.9851948880809495, 0.22560889089697989, 0.6650699904448996, 0.9994466367589038, 0.5198441999408929]),
    ],
    ids=["Demšar", "ties"],
)  # fmt: skip
def test_nemenyi_agrees_with_scikit_posthocs(table, upper):
    """The numbers are those of posthoc_nemenyi_friedman of scikit-posthocs 0.17.1, row by row above the diagonal."""
    found = nemenyi(complete_blocks(blocks(table)))
    assert [found[a][b] for a, b in combinations(found, 2)] == pytest.approx(upper, abs=1e-9)
    assert all(found[a][b] == found[b][a] for a, b in combinations(found, 2))


def test_the_critical_difference_is_where_nemenyi_turns():
    q = critical_difference(5, 30) / np.sqrt(5 * 6 / (6 * 30)) * np.sqrt(2)
    assert stats.studentized_range.sf(q, 5, np.inf) == pytest.approx(0.05, abs=1e-6)


def test_wilcoxon_pairs_are_scipys_on_differences_in_units_of_the_spread():
    rng = np.random.default_rng(1)
    table = rng.normal([0.0, 1.0], size=(12, 2))
    [pair] = compare_over_instances(blocks(table)).pairs
    d = (table[:, 0] - table[:, 1]) / np.ptp(table, axis=1)
    assert set(np.round(d, 9)) == {-1.0, 1.0}  # two methods with one run each span the spread
    assert pair.p == pair.adjusted == pytest.approx(stats.wilcoxon(d).pvalue)
    assert pair.effect == pytest.approx(rank_biserial(d))
    assert pair.better == "b"


def test_mann_whitney_pairs_are_scipys():
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=12), rng.normal(size=15) + 2
    [pair] = compare_on_instance(score_table({"i": {"a": a, "b": b}}), "i").pairs
    assert pair.p == pytest.approx(stats.mannwhitneyu(a, b).pvalue)
    assert (pair.better, pair.effect) == ("b", a12(a, b))


def test_few_runs_with_ties_are_tested_by_all_ways_of_dealing_them():
    [pair] = compare_on_instance(score_table({"i": {"a": [1, 1, 2, 2], "b": [3, 3, 4, 4]}}), "i").pairs
    assert pair.p == pytest.approx(2 / 70)  # of 70 ways, the one seen and its mirror
    a, b = [1, 2, 2, 5, 3], [2, 4, 4, 5, 5, 6]
    [pair] = compare_on_instance(score_table({"i": {"a": a, "b": b}}), "i").pairs
    assert pair.p == pytest.approx(stats.mannwhitneyu(a, b, method=stats.PermutationMethod()).pvalue)


def test_few_instances_with_ties_are_tested_by_all_ways_of_signing_them():
    d = np.array([1.0, 1.0, -1.0, 2.0, 2.0, 3.0, 4.0, -2.0])
    assert exact_signed_ranks(d) == pytest.approx(stats.wilcoxon(d, method=stats.PermutationMethod()).pvalue)


def test_a_sample_too_small_for_the_number_of_pairs_is_reported():
    found = compare_over_instances(blocks([[1, 2, 3, 4]] * 7))
    assert all(
        pair.better is None and "among 6 pairs, fewer than 8 instances cannot show a difference" in pair.words
        for pair in found.pairs
    )
    assert compare_over_instances(blocks([[1, 2, 3, 4]] * 8)).pairs[0].better == "b"
    samples = {m: [10 * n + k for k in range(4)] for n, m in enumerate("abc")}
    found = compare_on_instance(score_table({"i": samples}), "i")
    assert all("fewer than 5 runs of each cannot show" in pair.words for pair in found.pairs)
    assert (
        "No pair differs significantly after Holm for 3 pairs; at least 5 runs of each method are needed to find one."
        in found.words
    )


def test_kruskal_wallis_is_scipys():
    samples = np.random.default_rng(3).normal([[0], [0], [3]], size=(3, 8))
    found = compare_on_instance(score_table({"i": dict(zip("abc", samples, strict=True))}), "i")
    assert found.kruskal.p == pytest.approx(stats.kruskal(*samples).pvalue)
    assert "c is better than a and b" in found.words


def test_holm_counts_what_was_not_tested():
    assert holm([0.01, None, 0.02]) == pytest.approx([0.03, None, 0.04])
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_never_lowers_a_p_value_nor_changes_their_order(ps):
    adjusted = holm(ps)
    assert all(p <= q <= 1 for p, q in zip(ps, adjusted, strict=True))
    assert [ps[i] for i in np.argsort(adjusted, kind="stable")] == sorted(ps) or len(set(adjusted)) < len(ps)


@given(scores, scores)
def test_effects_turn_around_with_the_methods(a, b):
    assert a12(a, b) + a12(b, a) == pytest.approx(1)
    assert cliffs_delta(a, b) == pytest.approx(-cliffs_delta(b, a))
    assert magnitude(a12(a, b)) == magnitude(a12(b, a))
    assert rank_biserial(a) == pytest.approx(-rank_biserial([-x for x in a]))
    assert -1 <= rank_biserial(a) <= 1


def test_effects_are_those_of_the_formulas():
    assert a12([1, 2, 3], [0, 2, 4]) == pytest.approx(4.5 / 9)
    assert cliffs_delta([2, 3], [0, 1]) == 1
    assert rank_biserial([3, -1, -2, 0]) == 0  # ranks 3 against 1 + 2
    assert [magnitude(a) for a in (0.56, 0.64, 0.71, 0.29)] == ["small", "medium", "large", "large"]


@settings(max_examples=20)
@given(scores, scores, st.sampled_from([lambda x: x**3, lambda x: 3 * x + 7, np.exp]))
def test_a_monotone_change_of_scores_changes_nothing_on_one_instance(a, b, change):
    before = compare_on_instance(score_table({"i": {"a": a, "b": b}}), "i").pairs[0]
    after = compare_on_instance(score_table({"i": {"a": change(np.array(a)), "b": change(np.array(b))}}), "i").pairs[0]
    assert (before.p, before.effect, before.better) == (after.p, after.effect, after.better)
    assert before.p is None or 0 <= before.p <= 1


@settings(max_examples=20)
@given(scores, scores)
def test_the_order_of_two_methods_does_not_matter_on_one_instance(a, b):
    one = compare_on_instance(score_table({"i": {"a": a, "b": b}}), "i").pairs[0]
    other = compare_on_instance(score_table({"i": {"b": b, "a": a}}), "i").pairs[0]
    assert one.p == (None if other.p is None else pytest.approx(other.p))
    assert one.effect == pytest.approx(1 - other.effect)


@settings(max_examples=12)
@given(tables)
def test_over_instances_every_table_has_words_and_p_values_between_0_and_1(table):
    found = compare_over_instances(blocks(table))
    ps = [found.friedman.p, *(q for p in found.pairs for q in (p.p, p.adjusted))]
    assert all(p is None or 0 <= p <= 1 for p in ps)
    assert sum(found.ranks.values()) == pytest.approx(len(table[0]) * (len(table[0]) + 1) / 2)
    assert found.words.endswith(".")
    assert "nan" not in found.model_dump_json().lower()
    assert {m for group in found.groups for m in group} in (set(), set(found.methods))


@settings(max_examples=12)
@given(tables, st.integers(1, 5), st.integers(-9, 9))
def test_other_units_on_an_instance_change_nothing_over_instances(table, factor, offset):
    changed = [np.array(table[0]) * factor + offset, *table[1:]]
    before, after = compare_over_instances(blocks(table)), compare_over_instances(blocks(changed))
    assert before == after


def test_groups_are_as_large_as_they_can_be():
    assert nemenyi_groups({"a": 1.0, "b": 1.5, "c": 2.0}, 2.0) == [["a", "b", "c"]]
    assert nemenyi_groups({"a": 1.0, "b": 3.0}, 0.5) == [["a"], ["b"]]


def test_no_feasible_solution_is_worse_than_any_score():
    d = scaled_differences(np.array([-np.inf, -np.inf, 5.0]), np.array([-1e9, -np.inf, 1.0]), np.array([0.0, 0.0, 4.0]))
    assert d.tolist() == [-2.0, 0.0, 1.0]
    found = compare_on_instance(
        score_table({"i": {"a": [-np.inf] * 5, "b": [1, 2, 3, 4, 5], "c": [1, 2, 2, 4, 5]}}), "i"
    )
    assert "b is better than a" in found.words
    assert found.kruskal.p < 0.05


def test_differences_over_instances_that_differ_by_rounding_alone_are_ties():
    a, b = np.array([0.1 + 0.2, 0.3, 7.0]), np.array([0.0, 0.0, 7.0 - 1e-12])
    assert scaled_differences(a, b, np.ones(3)).tolist() == [0.3, 0.3, 0.0]


def test_whole_numbers_that_differ_by_one_are_no_ties_however_large():
    assert merge_ties(np.array([1e9, 1e9 + 1, 1e12])).tolist() == [1e9, 1e9 + 1, 1e12]


def test_a_method_with_runs_on_half_of_the_instances_stays():
    table = {f"i{n}": {"a": [1.0 * n], "b": [2.0]} for n in range(4)}
    del table["i2"]["b"], table["i3"]["b"]
    found = complete_blocks(score_table(table))
    assert (found.methods, found.instances) == (("a", "b"), ("i0", "i1"))
    table["i4"] = {"a": [9.0]}
    assert complete_blocks(score_table(table)).methods == ("a",)  # two of five are less than half


def test_holms_family_is_all_pairs_on_all_instances():
    rng = np.random.default_rng(4)
    table = {f"i{n}": {m: rng.normal(shift, 1, 8) for m, shift in (("a", 0), ("b", 1), ("c", 2))} for n in range(2)}
    scores = score_table(table)
    both = [pair for within in compare_on_instances(scores, scores.instances) for pair in within.pairs]
    assert [pair.adjusted for pair in both] == holm([pair.p for pair in both])
    assert {pair.family for pair in both} == {6}
    assert all("after Holm for 6 pairs" in pair.words for pair in both)
    assert {pair.family for pair in compare_on_instance(scores, "i0").pairs} == {3}
    assert both[0].adjusted >= compare_on_instance(scores, "i0").pairs[0].adjusted


def test_effect_sizes_have_the_number_of_comparisons_and_of_those_that_are_no_ties():
    [pair] = compare_on_instance(score_table({"i": {"a": [1, 2, 3, 4], "b": [4, 5, 6, 6, 7]}}), "i").pairs
    assert (pair.n, pair.untied) == ((4, 5), 19)
    assert "A = 0.97, large, 4 against 5 runs, 19 of 20 comparisons untied" in pair.words
    [pair] = compare_over_instances(blocks([[1, 2]] * 6 + [[3, 3]])).pairs
    assert (pair.n, pair.untied) == ((7, 7), 6)


def constant(table, *methods):
    scores = score_table(table)
    return replace(scores, constant=frozenset((i, m) for i in scores.instances for m in methods))


def test_runs_are_compared_with_the_score_of_a_method_that_draws_nothing_by_the_sign_test():
    table = {"i": {"a": [4.0, 5, 6, 7, 8, 9, 10, 3], "b": [3.0]}}
    [pair] = compare_on_instance(constant(table, "b"), "i").pairs
    assert pair.p == pytest.approx(2 / 2**7)  # seven above it and a tie
    assert (pair.test, pair.better, pair.untied) == ("sign test", "a", 7)
    assert "sign test, p = 0.016" in pair.words
    [pair] = compare_on_instance(score_table(table), "i").pairs  # a single run of a method that draws
    assert pair.p is None
    assert "8 runs against 1 cannot show a difference" in pair.words
    few = compare_on_instance(constant({"i": {"a": [4.0, 5, 6, 7], "b": [3.0]}}, "b"), "i").pairs[0]
    assert "fewer than 6 runs cannot show a difference" in few.words


def test_scores_that_differ_by_rounding_alone_are_ties():
    assert merge_ties(np.array([0.1 + 0.2, 0.3, -np.inf])).tolist() == [0.3, 0.3, -np.inf]
    assert merge_ties(np.array([-np.inf])).tolist() == [-np.inf]
    assert merge_ties(np.array([1e-12, 2e-12])).tolist() == [1e-12, 2e-12]  # small is not alike
    assert merge_ties(np.array([0.0, 0.0])).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ([[1], [2]], "Only one method"),
        ([[1, 2]], "1 instance on which every method has runs"),
        ([[1, 2], [2, 1]], "Two methods: Wilcoxon's test"),
        ([[1, 2, 3], [2, 1, 3]], "Friedman's test needs at least 3"),
        ([[1, 1, 1]] * 8, "there is no difference to test"),
        ([[2, 2]] * 8, "there is no difference to test"),
    ],
)
def test_what_cannot_be_tested_over_instances_is_explained(table, words):
    found = compare_over_instances(blocks(table))
    assert words in found.words
    assert found.friedman.p is None


def test_wilcoxon_says_how_many_instances_it_needs():
    [pair] = compare_over_instances(blocks([[1, 2]] * 5)).pairs
    assert pair.p is None
    assert "the test needs 6" in pair.words
    [pair] = compare_over_instances(blocks([[1, 2]] * 6)).pairs
    assert pair.p == pytest.approx(2 / 64)


@pytest.mark.parametrize(
    ("samples", "words"),
    [
        ({"a": [1, 2, 3]}, "Only one method"),
        ({"a": [1, 1], "b": [1, 1]}, "both have the same score in all runs"),
        ({"a": [1] * 5, "b": [2] * 5}, "each has one score in all runs"),
        ({"a": [1, 2, 3], "b": [4, 5, 6]}, "at least 4 runs of each are needed"),
        ({"a": [1], "b": [2], "c": [3]}, "needs three methods with 5 runs each. No pair of methods can be tested."),
        ({"a": [1] * 5, "b": [2] * 5, "c": [2] * 5}, "nothing varies"),
    ],
)
def test_what_cannot_be_tested_on_one_instance_is_explained(samples, words):
    found = compare_on_instance(score_table({"i": samples}), "i")
    assert words in found.words
    assert all(pair.p is None for pair in found.pairs)


def test_methods_and_instances_with_missing_runs_are_left_out_in_words():
    table = {f"i{n}": {"a": [1.0 * n], "b": [2.0], "rare": [1.0]} for n in range(4)}
    for n in (1, 2, 3):
        del table[f"i{n}"]["rare"]
    del table["i3"]["b"]
    found = compare_over_instances(score_table(table))
    assert found.instances == ["i0", "i1", "i2"]
    assert found.left_out == [
        "rare left out: no runs on more than half of the instances.",
        "i3 left out: not every method has runs there.",
    ]
