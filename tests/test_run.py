import signal
import threading
from dataclasses import dataclass

import numpy as np
import pytest

import swarmkit
from swarmkit import Found, Interrupted, Refusal, Solver, SolverError, UsageError


@dataclass
class Count:
    steps: int


class Counting(Solver):
    """Walk through given solutions, for tests that need to know what happens when."""

    def __init__(self, *found):
        super().__init__()
        self.found = found

    def start(self, problem, rng) -> Count:
        return Count(0)

    def step(self, problem, state: Count, rng) -> Found:
        found = self.found[state.steps % len(self.found)]
        state.steps += 1
        return found(problem) if callable(found) else found


@pytest.fixture
def problem():
    return swarmkit.make_problem("synthetic", n=6, seed=3)


def scored(x):
    return lambda problem: Found(np.array(x), float(problem.score(np.array([x]))[0]), looks=5)


def test_the_same_seed_gives_the_same_result_and_another_does_not():
    one, same, other = (swarmkit.solve("synthetic", "icm", seed=seed, looks=200_000) for seed in (1, 1, 2))
    assert not one.differences(same)
    assert one.differences(other)


def test_names_and_objects_give_the_same_run(problem):
    by_name = swarmkit.solve(problem, "exhaustive", params={"limit": 10**6})
    by_object = swarmkit.solve(problem, swarmkit.make_solver("exhaustive", limit=10**6))
    assert not by_name.differences(by_object)
    assert by_name.params == by_object.params == {"limit": 10**6}


def test_a_result_says_what_was_run(problem):
    result = swarmkit.solve(problem, "random", seed=4, looks=1000)
    assert (result.problem, result.solver, result.seed) == ("synthetic", "random", 4)
    assert result.options["n"] == 6
    assert {"python", "numpy", "pyswarmkit"} <= set(result.versions)
    assert swarmkit.Result.model_validate_json(result.model_dump_json()) == result


def test_an_improvement_is_recorded_and_a_loss_is_not(problem):
    low, high = sorted([[0] * 6, [0, 0, 0, 0, 0, 1]], key=lambda x: problem.score(np.array([x]))[0])
    result = swarmkit.solve(problem, Counting(scored(low), scored(high), scored(low)), iterations=3)
    assert result.solution == high
    assert result.trace.iterations == [1, 2]
    assert result.looks == 15


def test_the_same_solution_is_not_scored_again_for_claiming_a_little_more(problem, monkeypatch):
    x = np.zeros(6, np.int64)
    score, calls = float(problem.score(x[None])[0]), []
    solver = Counting(*[Found(x, score * (1 + k * 1e-12), looks=5) for k in range(8)])
    monkeypatch.setattr(problem, "score", lambda X, of=problem.score: calls.append(len(X)) or of(X))
    result = swarmkit.solve(problem, solver, iterations=8)
    assert result.score == score
    assert calls.count(1) == 1


def test_the_best_is_a_copy_that_the_solver_cannot_change(problem):
    x = np.zeros(6, np.int64)

    def step(problem):
        x[:] = 0
        return Found(x, float(problem.score(x[None])[0]), looks=1)

    def spoil(_):
        x[:] = -7
        return Found(None, None, looks=1)

    assert swarmkit.solve(problem, Counting(step, spoil), iterations=2).solution == [0] * 6


def test_an_infeasible_solution_is_never_recorded():
    class Picky(swarmkit.Problem):
        sizes = (2, 2)

        def score(self, X):
            return X.sum(axis=1).astype(float)

        def feasible(self, X):
            return X.sum(axis=1) < 2

    result = swarmkit.solve(Picky(), Counting(scored([1, 1]), scored([0, 1])), iterations=2)
    assert (result.solution, result.score) == ([0, 1], 1.0)
    assert swarmkit.solve(Picky(), Counting(scored([1, 1])), iterations=2).solution is None


def test_a_step_without_looks_is_an_error(problem):
    with pytest.raises(SolverError, match="a step of 0 looks"):
        swarmkit.solve(problem, Counting(Found(None, None, looks=0)))


def test_a_refusal_is_said_in_the_solvers_words():
    with pytest.raises(Refusal, match=r"'exhaustive' cannot do problem 'synthetic': it has .* solutions"):
        swarmkit.solve("synthetic", "exhaustive")


@pytest.mark.parametrize("seed", [-1, 1.5, "1", None, True])
def test_seeds_are_whole_numbers_from_zero(seed):
    with pytest.raises(UsageError, match="a seed is a whole number"):
        swarmkit.solve("synthetic", "random", seed=seed)


def test_observers_see_the_life_of_a_run(problem):
    class Diary:
        def __init__(self):
            self.events = []

        def swarmkit_started(self, run):
            self.events.append("started")

        def swarmkit_improved(self, run):
            self.events.append(f"improved {run.progress.score:.3f}")

        def swarmkit_stepped(self, run):
            self.events.append("stepped")

        def swarmkit_finished(self, run, result):
            self.events.append(f"finished {result.score:.3f}")

    diary = Diary()
    result = swarmkit.solve(problem, Counting(scored([0] * 6)), iterations=2, observers=[diary])
    assert diary.events == [
        "started", f"improved {result.score:.3f}", "stepped", "stepped", f"finished {result.score:.3f}"
    ]  # fmt: skip


def test_an_observer_that_fails_is_left_out_and_the_run_goes_on(problem):
    class Broken:
        calls = 0

        def swarmkit_stepped(self, run):
            Broken.calls += 1
            raise ValueError("ouch")

    with pytest.warns(RuntimeWarning, match=r"Broken: swarmkit_stepped failed .* \(ValueError: ouch\)"):
        result = swarmkit.solve(problem, "random", iterations=50_000, observers=[Broken()])
    assert Broken.calls == 1
    assert result.iterations >= 50_000


def test_ctrl_c_ends_a_run_between_two_steps_with_the_best_so_far(problem):
    def interrupting(problem):
        signal.raise_signal(signal.SIGINT)
        return scored([0] * 6)(problem)

    with pytest.raises(Interrupted) as caught:
        swarmkit.solve(problem, Counting(scored([0] * 6), interrupting), iterations=10)
    assert caught.value.result.stopped == "interrupted"
    assert caught.value.result.steps == 2
    assert caught.value.result.solution == [0] * 6
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_in_the_last_step_is_not_lost(problem):
    def last(problem):
        signal.raise_signal(signal.SIGINT)
        return scored([0] * 6)(problem)._replace(done=True)

    with pytest.raises(Interrupted) as caught:
        swarmkit.solve_many(problem, Counting(last), 3)
    assert (caught.value.result.stopped, caught.value.result.solution) == ("done", [0] * 6)


def test_a_second_ctrl_c_does_not_wait_for_the_step(problem):
    def stuck(_):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("went on")

    with pytest.raises(KeyboardInterrupt) as caught:
        swarmkit.solve(problem, Counting(stuck))
    assert not isinstance(caught.value, Interrupted)


def test_runs_work_in_other_threads(problem):
    results = []
    thread = threading.Thread(target=lambda: results.append(swarmkit.solve(problem, "icm", looks=1000)))
    thread.start()
    thread.join()
    assert results[0].score is not None


def test_many_runs_have_seeds_in_a_row_and_jobs_make_no_difference():
    one, two = (
        swarmkit.solve_many("synthetic", "icm", 3, jobs=jobs, seed=5, limits=swarmkit.Budget(looks=100_000))
        for jobs in (1, 2)
    )
    assert [run.seed for run in one.runs] == [5, 6, 7]
    assert not any(a.differences(b) for a, b in zip(one.runs, two.runs, strict=True))
    assert one.best.score == max(run.score for run in one.runs)


@pytest.mark.parametrize(("runs", "jobs"), [(0, 1), (-1, 1), (1, 0), (1, -2)])
def test_wrong_numbers_of_runs_and_jobs_are_refused(runs, jobs):
    with pytest.raises(UsageError):
        swarmkit.solve_many("synthetic", "icm", runs, jobs=jobs)


def test_setting_parameters_of_a_solver_object_is_refused(problem):
    with pytest.raises(UsageError, match="has its own already"):
        swarmkit.solve(problem, swarmkit.make_solver("icm"), params={"a": 1})
