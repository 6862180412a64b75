"""What is known of the best, and how far a result is from it; and the polish at the end."""

import json

import numpy as np
import pytest

import swarmkit
from swarmkit import known_bound, make_problem, measure_gap, solve, solve_many
from swarmkit.contract.errors import UsageError
from swarmkit.testing.families import FAMILIES, Shape


def test_on_a_chain_the_gap_is_to_the_optimum_of_viterbi():
    problem = make_problem("synthetic", n=60, window=1)
    best, found = solve(problem, "viterbi"), solve(problem, "first")
    gap = measure_gap(found, known_bound(problem))
    assert (gap.by, gap.optimum, gap.bound) == ("viterbi", True, best.score)
    assert gap.absolute == pytest.approx(best.score - found.score)
    assert gap.relative == pytest.approx(1 - found.score / best.score)
    assert "below the optimum" in gap.words


def test_small_problems_of_any_kind_have_a_known_optimum():
    for family in FAMILIES:
        problem = family.make(Shape(4, 4, 2, "floats", 2))
        known = known_bound(problem)
        assert known.optimum
        assert known.value == pytest.approx(solve(problem, "exhaustive").score)


def test_what_the_problem_knows_is_believed_until_an_answer_is_better():
    problem = make_problem("synthetic", n=60, planted=True)
    best = problem.score(problem.planted[None])[0]
    known = known_bound(problem)
    assert (known.value, known.optimum, known.by) == (best, True, "the problem")
    assert "below the optimum" in measure_gap(solve(problem, "first"), known).words
    found = solve(problem, "ils", target=best)
    assert measure_gap(found, known).words == "this is the optimum, as the problem knows"
    problem.optimum = 1.0
    gap = measure_gap(found, known_bound(problem))
    assert gap.absolute is None
    assert gap.words == "score exceeds the optimum claimed by the problem (1)"


def test_where_nothing_is_known_it_is_said_in_words():
    black_box = FAMILIES[2].make(Shape(40, 4, 2, "floats", 2))
    gap = measure_gap(solve(black_box, "first"), known_bound(black_box))
    assert (gap.bound, gap.absolute, gap.relative) == (None, None, None)
    assert "no optimum or bound is known (viterbi: it has no pairwise form" in gap.words


def test_exact_solvers_say_what_they_proved():
    result = solve(make_problem("synthetic", n=5), "exhaustive")
    assert result.bound == result.score
    assert solve(make_problem("synthetic", n=5), "first").bound is None


def test_the_command_line_says_the_gap(cli):
    options = ["-p", "synthetic", "-P", "n=30", "-P", "window=1"]
    said = cli("solve", *options, "-a", "first", "--gap")
    assert "below the optimum" in said.out
    said = cli("solve", *options, "-a", "first", "--gap", "--json")
    assert json.loads(said.out)["gap"]["by"] == "viterbi"
    said = cli("solve", *options, "-a", "random", "--runs", "2", "--looks", "1e5", "--gap", "--json")
    assert all(run["gap"]["absolute"] > 0 for run in json.loads(said.out)["runs"])
    assert "this is the optimum" in cli("solve", *options, "-a", "viterbi", "--gap").out
    assert "proved: no solution scores more" in cli("solve", *options, "-a", "viterbi").out


def test_polishing_climbs_once_at_the_end():
    problem = make_problem("synthetic", n=60, seed=2)
    rough, fine = solve(problem, "first"), solve(problem, "first", polish="icm")
    assert fine.score > rough.score
    assert fine.looks > rough.looks
    assert fine.trace.score == [rough.score, fine.score]
    x = np.array(fine.solution)
    assert all(problem.gains(x, stage).max() <= 1e-9 for stage in range(60))


def test_polishing_locally_takes_the_search_that_fits_the_problem():
    tour = make_problem("tsp", n=60, seed=1)
    rough, swapped, rerouted = (solve(tour, "first", polish=polish) for polish in ("none", "icm", "local"))
    assert rerouted.score > swapped.score > rough.score
    problem = make_problem("synthetic", n=60, seed=2)
    assert solve(problem, "first", polish="local").solution == solve(problem, "first", polish="icm").solution
    with pytest.raises(swarmkit.UsageError, match="'2opt' is for symmetric tours"):
        swarmkit.local_search(problem, np.zeros((1, 60), int), "2opt", np.random.default_rng(1))


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_polishing_keeps_answers_feasible(family):
    problem = family.make(Shape(5, 4, 2, "signs", 4))
    rough, fine = (solve(problem, "random", iterations=1, polish=polish) for polish in ("none", "icm"))
    assert fine.score >= rough.score
    assert swarmkit.judge(problem, np.array([fine.solution]))[0]


def test_a_polished_run_is_replayed_and_resumed_as_it_was(tmp_path):
    problem = make_problem("synthetic", n=80)
    straight = solve(problem, "dbees", polish="icm", seed=3, checkpoint=tmp_path / "run.ckpt")
    (tmp_path / "result.json").write_text(straight.model_dump_json())
    assert [again.differences for again in swarmkit.replay(tmp_path / "result.json")] == [[]]
    assert swarmkit.resume(tmp_path / "run.ckpt").differences(straight) == []
    several = solve_many(problem, "dbees", 2, seed=3, polish="icm")
    assert several.runs[0].differences(straight) == []


def test_polishing_does_not_reach_into_a_run_that_goes_on(tmp_path):
    problem = make_problem("synthetic", n=80)
    limits = swarmkit.Budget(looks=400_000)
    long = solve(problem, "random", looks=400_000, polish="icm")
    solve(problem, "random", looks=100_000, polish="icm", checkpoint=tmp_path / "run.ckpt")
    assert swarmkit.resume(tmp_path / "run.ckpt", limits=limits).differences(long) == []


def test_an_unknown_way_to_polish_is_refused(cli):
    with pytest.raises(UsageError, match=r"no way to polish named 'icn'\. Did you mean 'icm'"):
        solve("synthetic", "first", polish="icn")
    assert cli("solve", "-p", "synthetic", "-a", "first", "--polish", "icn").code == 2
