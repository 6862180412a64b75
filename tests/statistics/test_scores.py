"""Scores collected from runs: infeasible ones, and methods that draw nothing."""

import numpy as np

from swarmkit.comparison.record import draw_nothing
from swarmkit.statistics import analyse, collect_scores
from tests.comparing import compared, scored


def test_scores_are_those_of_the_runs_in_their_order():
    records = compared(2, 3, ("icm", "random"))
    scores = collect_scores(records)
    assert (scores.instances, scores.methods) == (("synthetic n=20", "synthetic n=21"), ("icm", "random"))
    for instance in scores.instances:
        for method in scores.methods:
            runs = [r.result.score for r in records if (r.instance, r.method) == (instance, method)]
            assert scores.of(instance, method).tolist() == runs
    assert scores.of("synthetic n=20", "greedy").size == 0


def test_a_run_without_a_feasible_solution_is_the_worst():
    first, second, third = compared(1, 3, ("icm",))
    scores = collect_scores([first, scored(second, None), scored(third, -1e300)])
    assert scores.of(first.instance, "icm").tolist() == [first.result.score, -np.inf, -1e300]


def test_the_runs_of_a_method_that_draws_nothing_are_one_run():
    records = compared(1, 6, ("icm", "viterbi"))
    scores = collect_scores(records)
    assert scores.constant == {("synthetic n=20", "viterbi")}
    assert scores.of("synthetic n=20", "viterbi").size == 1
    assert scores.of("synthetic n=20", "icm").size == 6
    by_method = {summary.method: summary for summary in analyse(records).summaries}
    assert by_method["viterbi"].words.endswith("(1 run); it draws nothing, so its 6 runs are one.")
    assert (by_method["viterbi"].constant, by_method["viterbi"].median.low) == (True, None)
    assert not by_method["icm"].constant


def test_one_run_or_runs_without_solutions_say_nothing_of_drawing():
    records = compared(1, 2, ("viterbi",))
    assert draw_nothing(records)
    assert not draw_nothing(records[:1])
    assert not draw_nothing([scored(r, r.result.score, solution=None) for r in records])
    assert not draw_nothing([records[0], scored(records[1], records[1].result.score, looks=7)])
