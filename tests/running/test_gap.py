"""What is known of the best, and how far a result is from it; and the polish at the end."""

import json

import numpy as np
import pytest

import swarmkit
import swarmkit.running.gap
from swarmkit import known_bound, make_problem, measure_gap, replay, solve, solve_many
from swarmkit.contract.errors import UsageError
from swarmkit.running.gap import Bound
from swarmkit.testing.families import FAMILIES, BlackBox, Shape, random_form


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
        problem = family.make(Shape(4, 4, 2, "floats", 5))
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


@pytest.mark.parametrize(("bound", "rounding"), [(0.0, 1e-9), (0.5, 9e-10), (1000.0, 9e-7), (-1000.0, 9e-7)])
def test_what_is_the_bound_but_for_rounding_is_the_optimum(bound, rounding):
    known = Bound(bound, True, "the problem", {})
    result = solve(make_problem("synthetic", n=5), "first")

    def gap(away):
        return measure_gap(result.model_copy(update={"score": bound - away, "bound": None}), known)

    for away in (0.0, rounding, -rounding):
        assert (gap(away).absolute, gap(away).words) == (0.0, "this is the optimum, as the problem knows")
    assert gap(4 * rounding).absolute == pytest.approx(4 * rounding, rel=0.1)
    assert "below the optimum" in gap(4 * rounding).words
    assert gap(-4 * rounding).absolute is None
    assert "score exceeds the optimum" in gap(-4 * rounding).words


def test_a_gap_is_relative_to_the_size_of_the_bound():
    result = solve(make_problem("synthetic", n=5), "first")
    for bound in (50.0, -50.0):
        gap = measure_gap(result.model_copy(update={"score": bound - 5.0}), Bound(bound, True, "viterbi", {}))
        assert (gap.absolute, gap.relative) == (5.0, 0.1)
        assert "5 (10.0000%) below the optimum" in gap.words
    gap = measure_gap(result.model_copy(update={"score": -5.0}), Bound(0.0, False, "viterbi", {}))
    assert (gap.absolute, gap.relative, gap.words) == (5.0, None, "5 below the bound 0 (viterbi)")


def test_the_bound_of_a_run_counts_where_it_is_the_lower_one():
    result = solve(make_problem("synthetic", n=5), "exhaustive")
    for bound, by in ((result.score + 1, "exhaustive"), (None, "exhaustive"), (result.score - 1, "viterbi")):
        assert measure_gap(result, Bound(bound, False, "viterbi", {})).by == by


def test_where_nothing_is_known_it_is_said_in_words():
    black_box = FAMILIES[2].make(Shape(40, 4, 2, "floats", 2))
    gap = measure_gap(solve(black_box, "first"), known_bound(black_box))
    assert (gap.bound, gap.absolute, gap.relative) == (None, None, None)
    assert "no optimum or bound is known (viterbi: it has no pairwise form" in gap.words


@pytest.mark.parametrize(
    ("problem", "option"), [("tsp", "n=200"), ("qap", "n=200"), ("flowshop", "jobs=200"), ("synthetic", "n=2000")]
)
def test_a_large_problem_has_too_many_solutions_for_a_float_and_the_answer_is_shown(cli, monkeypatch, problem, option):
    monkeypatch.setattr(swarmkit.running.gap, "SECONDS", 1.0)
    monkeypatch.setattr(swarmkit.running.gap.known_bound, "__defaults__", (1.0,))
    said = cli("solve", "-p", problem, "-P", option, "-a", "ils", "--looks", "1e5", "--gap")
    assert said.code == 0, said.err
    objective = {"tsp": "length", "qap": "cost", "flowshop": "makespan", "synthetic": "score"}[problem]
    assert f"{problem} by ils: {objective} " in said.out
    known = "below the bound" in said.out  # toulbar2 may be quick enough
    assert known or "solutions, more than limit=1000000" in said.out
    assert not known or problem == "synthetic"


def test_a_prover_that_fails_is_a_reason_and_not_the_end(monkeypatch):
    def fail(self, problem):
        raise OverflowError("too large")

    monkeypatch.setattr(type(swarmkit.make_solver("viterbi")), "refuses", fail)
    known = known_bound(make_problem("synthetic", n=5))
    assert "OverflowError: too large" in known.reasons["viterbi"]
    assert known.optimum


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


def test_a_tenth_of_every_limit_is_kept_for_polishing_which_ends_with_the_limit():
    tour = make_problem("tsp", n=100, seed=1)
    run = solve(tour, "random", seed=1, looks=20_000, polish="local")
    assert 16_000 < run.search_looks <= 18_000
    assert 19_000 < run.search_looks + run.polish_looks == run.looks <= 20_000
    assert run.score > solve(tour, "random", seed=1, looks=20_000).score
    scored = BlackBox(random_form(Shape(200, 6, 2, "floats", 1)))
    run = solve(scored, "random", seed=1, evaluations=1_000, polish="icm")
    assert (run.stopped, run.evaluations) == ("evaluations", 1_000)
    timed = solve(scored, "random", seed=1, seconds=0.5, polish="icm")
    assert timed.seconds < 1.0  # 0.6 s is promised; the machine may be busy
    assert timed.polish_looks > 0


def test_polishing_that_the_clock_has_ended_is_replayed_as_it_was(tmp_path):
    problem = BlackBox(random_form(Shape(200, 6, 2, "floats", 1)))
    run = solve(problem, "random", seed=1, seconds=0.3, polish="icm")
    (tmp_path / "run.json").write_text(run.model_dump_json())
    assert not replay(tmp_path / "run.json", problem)[0].differences


def test_an_unknown_way_to_polish_is_refused(cli):
    with pytest.raises(UsageError, match=r"no way to polish named 'icn'\. Did you mean 'icm'"):
        solve("synthetic", "first", polish="icn")
    assert cli("solve", "-p", "synthetic", "-a", "first", "--polish", "icn").code == 2
