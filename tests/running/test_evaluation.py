"""Scores evaluated by several processes: the same results, errors with their words, and no process left over."""

import json
import os
import time

import numpy as np
import pytest

import swarmkit
from swarmkit import Problem, SwarmkitError, UsageError

COSTS = np.random.default_rng(0).random((12, 5))


class Slow(Problem):
    sizes = [5] * 12

    def score(self, X):
        time.sleep(0.0005 * len(X))
        return COSTS[np.arange(12), X].sum(axis=1)


class Where(Slow):
    """The score is the number of the process: what evaluates is visible."""

    def score(self, X):
        return np.full(len(X), float(os.getpid()))


def test_results_do_not_depend_on_the_number_of_processes():
    one, two, three = (swarmkit.solve(Slow(), "ga", evaluations=300, eval_jobs=jobs) for jobs in (1, 2, 3))
    assert not one.differences(two)
    assert not one.differences(three)
    assert two.evaluations == one.evaluations == 300


def test_other_processes_evaluate_batches():
    assert swarmkit.solve(Where(), "random", evaluations=100).score == os.getpid()
    assert swarmkit.solve(Where(), "random", evaluations=100, eval_jobs=2).score != os.getpid()


def test_a_problem_with_tables_is_refused_with_the_reason():
    with pytest.raises(UsageError, match="this one has tables"):
        swarmkit.solve("synthetic", "sa", looks=1000, eval_jobs=2)


def test_a_problem_that_cannot_travel_is_refused():
    problem = Slow()
    problem.lock = __import__("threading").Lock()
    with pytest.raises(UsageError, match="cannot be sent to other processes"):
        swarmkit.solve(problem, "random", evaluations=10, eval_jobs=2)


def test_errors_of_the_score_arrive_and_the_processes_end():
    class Failing(Slow):
        def score(self, X):
            if len(X) > 2 or (X[:, 0] == 4).any():
                raise ZeroDivisionError("no machine is free")
            return super().score(X)

    problem = Failing()
    problem.__dict__["fingerprint"] = "0"
    with pytest.raises(ZeroDivisionError, match="no machine is free"):
        swarmkit.solve(problem, "random", evaluations=300, eval_jobs=2)
    assert problem.meter.evaluator is None


def test_a_process_that_dies_is_said_in_words():
    parent = os.getpid()

    class Deadly(Slow):
        def score(self, X):
            if os.getpid() != parent:
                os._exit(1)
            return super().score(X)

    with pytest.raises(SwarmkitError, match="a process that evaluates the score died"):
        swarmkit.solve(Deadly(), "random", evaluations=300, eval_jobs=2)


def test_a_run_may_be_resumed_with_another_number_of_processes(tmp_path):
    whole = swarmkit.solve(Slow(), "ga", evaluations=300)
    swarmkit.solve(Slow(), "ga", evaluations=120, eval_jobs=2, checkpoint=tmp_path / "c")
    limits = swarmkit.Budget(evaluations=300)
    assert not whole.differences(swarmkit.resume(tmp_path / "c", Slow(), limits=limits))


def test_on_the_command_line(cli):
    command = ("solve", "-p", "flowshop", "-a", "ga", "--evaluations", "200", "--json")
    one, two = (json.loads(cli(*command, "--eval-jobs", jobs).out) for jobs in ("1", "2"))
    assert (one["solution"], one["score"], one["evaluations"]) == (two["solution"], two["score"], two["evaluations"])
    assert "goes with a single run" in cli(*command, "--eval-jobs", "2", "--runs", "2").err
    assert cli(*command, "--eval-jobs", "0").code == 2
