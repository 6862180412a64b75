import numpy as np
import pytest

import swarmkit
from swarmkit import make_problem, make_solver, solve
from swarmkit.testing import check_solver
from swarmkit.testing.families import FAMILIES, BlackBox, Bounded, Judged, Shape, random_form
from swarmkit_vote.vote import elect


def test_most_votes_win_at_each_stage():
    problem = swarmkit.PairwiseProblem(swarmkit.Pairwise.of([3, 3]))
    assert elect(problem, np.array([[0, 2], [1, 2], [1, 0]]), np.random.default_rng(0)).tolist() == [1, 2]


def test_of_equally_many_votes_no_candidate_is_preferred():
    problem = swarmkit.PairwiseProblem(swarmkit.Pairwise.of([3]))
    answers, rng = np.array([[1], [2]]), np.random.default_rng(0)
    assert {int(elect(problem, answers, rng)[0]) for _ in range(20)} == {1, 2}


def test_a_vote_keeps_constraints():
    problem = Bounded(random_form(Shape(4, 3, 1, "floats", 3)))
    answers = np.minimum(2, np.eye(4, dtype=np.int64) * 0 + np.asarray(problem.sizes) - 1)
    assert swarmkit.judge(problem, elect(problem, answers, np.random.default_rng(0))[None])[0]


def test_where_a_vote_ends_in_a_dead_end_the_most_typical_answer_is_taken():
    class NotElected(BlackBox):
        def feasible(self, X):
            return (X != 0).any(axis=1)

    problem = NotElected(swarmkit.Pairwise.of([2, 2, 1]))
    answers = np.array([[0, 1, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0]])
    answers = np.vstack([answers, [[0, 1, 0]]])
    assert elect(problem, answers, np.random.default_rng(0)).tolist() == [0, 1, 0]


@pytest.mark.parametrize("voter", ["dbees", "icm", "random"])
def test_a_vote_has_an_answer_when_all_have_voted(voter):
    problem = make_problem("synthetic", n=20)
    result = solve(problem, "vote", params={"solver": voter, "runs": 5, "looks": 10_000})
    assert (result.stopped, result.iterations) == ("done", 5)
    assert result.score == pytest.approx(problem.score(np.array([result.solution]))[0])


def test_every_run_votes_for_itself():
    problem = make_problem("synthetic", n=20)
    one = solve(problem, "vote", params={"solver": "dbees", "runs": 1}, seed=5)
    assert one.solution == solve(problem, "dbees", seed=5).solution


@pytest.mark.parametrize("judged", [Judged, Bounded])
def test_constrained_problems_get_feasible_answers(judged):
    problem = judged(random_form(Shape(5, 4, 2, "floats", 3)))
    result = solve(problem, "vote", params={"runs": 7, "solver": "icm", "looks": 1000})
    assert swarmkit.judge(problem, np.array([result.solution]))[0]


def test_a_vote_on_permutations_is_refused_in_words():
    with pytest.raises(swarmkit.Refusal, match="would take some twice"):
        solve(FAMILIES[1].make(Shape(4, 4, 2, "floats", 1)), "vote")


def test_what_the_voters_refuse_is_refused():
    with pytest.raises(swarmkit.Refusal, match="its voter 'viterbi' cannot do it: it is not a chain"):
        solve("synthetic", "vote", params={"solver": "viterbi"})


def test_unknown_voters_and_votes_of_votes_are_refused():
    with pytest.raises(swarmkit.UsageError, match=r"no solver named 'dbee'\. Did you mean 'dbees'"):
        solve("synthetic", "vote", params={"solver": "dbee"})
    with pytest.raises(swarmkit.UsageError, match="a vote of votes"):
        make_solver("vote", solver="vote")


def test_a_vote_of_two_keeps_the_contract():
    check_solver(make_solver("vote", runs=2, looks=100), examples=2)


def test_the_voters_parameters_come_from_the_command_line(cli):
    said = cli("solve", "-p", "synthetic", "-a", "vote", "-A", "runs=2", "-A", 'params={"iterations": 3}')
    assert said.code == 0, said.err
    assert cli("solve", "-p", "synthetic", "-a", "vote", "-A", 'params={"iteration": 3}').code == 2


def test_a_vote_pauses_inside_a_run_and_goes_on_after_a_checkpoint(tmp_path):
    problem = make_problem("synthetic", n=60, seed=1)
    vote = make_solver("vote", solver="icm", runs=3, looks=30_000)
    whole = solve(problem, vote, seed=2)
    assert (whole.iterations, whole.stopped) == (3, "done")
    file = tmp_path / "run.ckpt"
    for looks in (500, 20_000, 70_000):
        begun = solve(problem, vote, seed=2, looks=looks, checkpoint=file)
        assert looks - 400 < begun.looks <= looks  # a sweep takes 360 looks
        assert begun.solution is None
        again = swarmkit.resume(file, problem, limits=swarmkit.Budget(looks=10**9))
        assert not again.differences(whole)
