"""An answer that is no better than random sampling says so; one that is better does not."""

import json

import numpy as np
import pytest

import swarmkit
from swarmkit import Problem
from swarmkit.running.gap import expected_best

COSTS = np.random.default_rng(0).integers(1, 100, (300, 8)).astype(float)


class Orders(Problem):
    """Orders on machines, of which only the cost is known."""

    sizes = [8] * 300
    direction = "minimise"

    def score(self, X):
        return COSTS[np.arange(300), X].sum(axis=1)


class Lazy(swarmkit.Solver):
    """Always the same solution."""

    def start(self, problem, rng) -> dict:
        return {}

    def step(self, problem, state, rng) -> swarmkit.StepResult:
        X = np.zeros((50, len(problem.sizes)), np.int64)
        scores = swarmkit.evaluate(problem, X)
        return swarmkit.StepResult(X[0], float(scores[0]), X.size)


class Fixed(Lazy):
    """The best of two thousand random solutions, whatever the budget: worse than random sampling would be."""

    def step(self, problem, state, rng) -> swarmkit.StepResult:
        X = swarmkit.random_solutions(problem, 2000, np.random.default_rng(3))
        scores = swarmkit.evaluate(problem, X)
        i = int(scores.argmax())
        return swarmkit.StepResult(X[i], float(scores[i]), X.size)


def test_an_answer_worse_than_a_few_random_ones_is_noticed():
    found = swarmkit.solve(Orders(), Lazy(), evaluations=1000).against_random
    assert not found.better
    assert "no better than random sampling: the best of 100 random solutions has cost" in found.words


def test_an_answer_below_what_as_many_draws_would_give_is_noticed():
    result = swarmkit.solve(Orders(), Fixed(), evaluations=300_000)
    assert not result.against_random.better
    assert result.against_random.best < result.score < result.against_random.expected
    assert "with as many evaluations (estimated from 200)" in result.against_random.words


@pytest.mark.parametrize("solver", ["ga", "random"])
def test_a_search_that_works_and_random_sampling_itself_are_not_blamed(solver):
    result = swarmkit.solve(Orders(), solver, evaluations=3000)
    assert result.against_random.better
    assert result.against_random.words == ""


def test_the_sample_is_not_counted():
    problem = Orders()
    result = swarmkit.solve(problem, "ga", evaluations=1000)
    assert result.evaluations == 1000
    assert problem.evaluations == result.evaluations + result.setup_evaluations


def test_small_problems_tables_and_short_runs_are_not_asked():
    class Small(Problem):
        sizes = [2] * 4

        def score(self, X):
            return -X.sum(axis=1).astype(float)

    assert swarmkit.solve(Small(), "random", evaluations=500).against_random.better
    assert swarmkit.solve("synthetic", "random", looks=1000).against_random is None
    assert swarmkit.solve(Orders(), "random", evaluations=10).against_random is None


def test_fixed_stages_are_those_of_the_sample_too():
    result = swarmkit.solve(Orders(), "ga", evaluations=2000, fixed=dict.fromkeys(range(290), 0))
    rest = COSTS[:290, 0].sum()
    assert result.against_random.best <= -rest


def test_it_is_in_the_terminal_and_in_json(cli, tmp_path):
    (tmp_path / "own.py").write_text(
        "import numpy as np\nimport swarmkit\n"
        "class Sum(swarmkit.Problem):\n    sizes = [9] * 60\n    def score(self, X):\n        return X.sum(axis=1)\n"
        "class Zero(swarmkit.Solver):\n"
        "    def start(self, problem, rng) -> dict:\n        return {}\n"
        "    def step(self, problem, state, rng):\n"
        "        X = np.zeros((50, 60), int)\n"
        "        return swarmkit.StepResult(X[0], float(swarmkit.evaluate(problem, X)[0]), X.size)\n"
        "@swarmkit.hookimpl\ndef swarmkit_problems():\n    return {'sum': Sum}\n"
        "@swarmkit.hookimpl\ndef swarmkit_solvers():\n    return {'zero': Zero}\n"
    )
    plugin = ("--plugin", str(tmp_path / "own.py"))
    command = (*plugin, "solve", "-p", "sum", "-a", "zero", "--evaluations", "500")
    assert "no better than random sampling" in cli(*command).out
    assert json.loads(cli(*command, "--json").out)["against_random"]["better"] is False


def test_the_best_of_many_draws_is_extrapolated_from_few_if_they_look_normal():
    rng = np.random.default_rng(1)
    assert expected_best(rng.normal(10, 2, 200), 10_000) == pytest.approx(10 + 2 * 3.85, abs=1.0)
    assert expected_best(rng.exponential(size=200), 10_000) is None
    assert expected_best(np.ones(200), 10_000) is None


class Bits(Problem):
    """Nine bits, of which only the score is known."""

    sizes = (2,) * 9

    def score(self, X):
        return X.sum(axis=1).astype(float)


def test_a_proved_answer_is_compared_with_nothing_and_another_one_is():
    assert swarmkit.solve(Bits(), "exhaustive").against_random is None
    assert swarmkit.solve(Bits(), "ga", evaluations=400).against_random.better


def test_nothing_is_said_of_runs_too_short_to_say_it():
    assert swarmkit.solve(Bits(), "ga", evaluations=290).against_random is None
    assert swarmkit.solve(Bits(), "ga", evaluations=300).against_random.sampled == 30


def test_a_resumed_run_is_compared_with_random_sampling_as_a_straight_one(tmp_path):
    straight = swarmkit.solve(Bits(), "ga", evaluations=900)
    swarmkit.solve(Bits(), "ga", evaluations=400, checkpoint=tmp_path / "run.ckpt")
    resumed = swarmkit.resume(tmp_path / "run.ckpt", Bits(), evaluations=900)
    assert resumed.against_random == straight.against_random
    assert resumed.against_random.sampled == 90
