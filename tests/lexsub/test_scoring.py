"""The measures of lexical substitution, by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit_lexsub.scoring import (
    best_credit,
    gap,
    mode,
    oot_credit,
    pooled_candidates,
    score_answers,
    score_ranking,
)
from swarmkit_lexsub.task_files import Answer, Gold

GOLD = {
    "1": Gold("bright.a", "1", {"intelligent": 3, "clever": 3, "smart": 1}),
    "2": Gold("bright.a", "2", {"luminous": 2, "well-lit": 1, "clear": 1}),
    "3": Gold("bar.n", "3", {"handlebar": 1}),
    "4": Gold("bar.n.v", "4", {"prevent": 3, "block": 1}),
}


def answers(**given):
    return {name[1:]: Answer("x.n", name[1:], tuple(substitutes.split(";"))) for name, substitutes in given.items()}


def test_best_divides_by_the_number_of_answers_and_of_responses():
    assert best_credit(GOLD["1"].counts, ["intelligent"]) == 3 / 7
    assert best_credit(GOLD["1"].counts, ["intelligent", "smart"]) == pytest.approx((3 + 1) / 2 / 7)
    assert best_credit(GOLD["1"].counts, []) == 0


def test_oot_takes_ten_answers_and_does_not_divide_by_their_number():
    assert oot_credit(GOLD["1"].counts, ["no", "smart", "clever"]) == pytest.approx(4 / 7)
    assert oot_credit(GOLD["1"].counts, [*"abcdefghij", "clever"]) == 0
    assert oot_credit(GOLD["1"].counts, ["clever"] * 10) == pytest.approx(30 / 7), "duplicates count, as in the task"


def test_a_hyphen_of_the_gold_may_be_a_space_but_not_the_other_way_round():
    assert oot_credit({"well-lit": 1, "clear": 1}, ["well lit"]) == 0.5
    assert oot_credit({"well lit": 1, "clear": 1}, ["well-lit"]) == 0


def test_a_mode_is_unique():
    assert mode(GOLD["2"].counts) == "luminous"
    assert mode(GOLD["1"].counts) is None
    assert mode({}) is None


def test_precision_is_over_attempted_items_and_recall_over_all_with_two_responses():
    report = score_answers(GOLD, answers(_1="intelligent", _4="block;prevent"), "best")
    assert (report.score.items, report.score.attempted) == (3, 2), "item 3 has a single response"
    total = 100 * (3 / 7 + (1 + 3) / 2 / 4)
    assert report.score.precision == pytest.approx(total / 2)
    assert report.score.recall == pytest.approx(total / 3)
    assert (report.mode.items, report.mode.attempted, report.mode.precision) == (2, 1, 0), "the first answer is block"


def test_the_mode_of_oot_is_anywhere_among_the_answers():
    report = score_answers(GOLD, answers(_2="bright;luminous", _4="block;prevent;prevent"), "oot")
    assert (report.mode.precision, report.mode.recall) == (100, 100)
    assert report.score.recall == pytest.approx(100 * (2 / 4 + 7 / 4) / 3)
    assert report.repeated == 1


def test_gap_of_a_small_ranking():
    # x = 2, 0, 1: 2/1 + 3/3 = 3; the best order 2, 1: 2/1 + 3/2 = 3.5
    assert gap([2, 0, 1]) == pytest.approx(3 / 3.5)


@given(st.lists(st.integers(0, 5), max_size=8))
def test_gap_is_at_most_one_and_one_for_the_best_order(weights):
    assert 0 <= gap(weights) <= 1 + 1e-12
    assert gap(sorted(weights, reverse=True)) == (1 if any(weights) else 0)


def test_rankings_are_scored_on_all_gold_substitutes_of_the_target_word():
    assert pooled_candidates(GOLD)["4"] == ["block", "handlebar", "prevent"]
    ranked = answers(_1="clever;intelligent;smart", _2="luminous", _3="block;handlebar", _4="prevent;block;unknown")
    # item 2: the candidates that were left out come last, those of the gold after the others
    assert score_ranking(GOLD, ranked) == pytest.approx(
        100 * (1 + (2 + 3 / 5 + 4 / 6) / (2 + 3 / 2 + 4 / 3) + 0.5 + 1) / 4
    )


def test_an_item_without_a_ranking_counts_nothing():
    assert score_ranking({"4": GOLD["4"]}, {}) == 0
