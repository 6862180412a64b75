import signal
import threading
import time
from dataclasses import dataclass

import numpy as np
import pytest

import swarmkit
import swarmkit.running.checkpoint
import swarmkit.running.metering
import swarmkit.running.pacing
from swarmkit import Budget, Interrupted, Refusal, Solver, SolverError, StepResult, UsageError, random_solutions
from swarmkit.running.run import Run
from swarmkit.running.specification import make_spec
from swarmkit.testing.families import FAMILIES, Shape


class Scored(swarmkit.Problem):
    """Nothing but a score."""

    sizes = (4,) * 12

    def score(self, X):
        return (X * np.arange(1, 13)).sum(axis=1) % 17 + X.sum(axis=1) / 100


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

    def step(self, problem, state: Count, rng) -> StepResult:
        found = self.found[state.steps % len(self.found)]
        state.steps += 1
        return found(problem) if callable(found) else found


@pytest.fixture
def problem():
    return swarmkit.make_problem("synthetic", n=6, seed=3)


def scored(x, looks=5):
    return lambda problem: StepResult(np.array(x), float(problem.score(np.array([x]))[0]), looks=looks)


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
    solver = Counting(*(scored(x, looks=100) for x in (low, high, low)))
    result = swarmkit.solve(problem, solver, iterations=3)
    assert result.solution == high
    assert result.trace.iterations == [1, 2]
    assert result.looks == 300


def test_the_same_solution_is_not_scored_again_for_claiming_a_little_more(problem, monkeypatch):
    x = np.zeros(6, np.int64)
    score, calls = float(problem.score(x[None])[0]), []
    solver = Counting(*[StepResult(x, score * (1 + k * 1e-12), looks=5) for k in range(8)])
    monkeypatch.setattr(problem, "score", lambda X, of=problem.score: calls.append(len(X)) or of(X))
    result = swarmkit.solve(problem, solver, iterations=8)
    assert result.score == score
    assert calls.count(1) == 1


def test_the_best_is_a_copy_that_the_solver_cannot_change(problem):
    x = np.zeros(6, np.int64)

    def step(problem):
        x[:] = 0
        return StepResult(x, float(problem.score(x[None])[0]), looks=1)

    def spoil(_):
        x[:] = -7
        return StepResult(None, None, looks=1)

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
    # A solver that has met nothing feasible ends with what the harness draws.
    assert swarmkit.solve(Picky(), Counting(scored([1, 1])), iterations=2).score in {0.0, 1.0}
    # So does one that the clock has ended before its first step, and a replay of that run.
    solver = swarmkit.make_solver("random")
    ended = Run(Picky(), solver, make_spec(Picky(), solver, 0, swarmkit.Budget(seconds=1e-9))).run()
    again = Run(Picky(), solver, make_spec(Picky(), solver, 0, swarmkit.Budget())).run(0, evaluations=0)
    assert (ended.search_looks, again.solution, again.score) == (0, ended.solution, ended.score)


def test_a_step_without_looks_is_an_error(problem):
    with pytest.raises(SolverError, match="a step of 0 looks"):
        swarmkit.solve(problem, Counting(StepResult(None, None, looks=0)))


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
    result = swarmkit.solve(problem, Counting(scored([0] * 6, looks=100)), iterations=2, observers=[diary])
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


@pytest.mark.parametrize("make", [Scored, lambda: swarmkit.make_problem("synthetic", n=40)], ids=["score", "tables"])
@pytest.mark.parametrize("solver", ["dbees", "annealing", "ga", "tsp-aco", "ils"])
def test_where_a_run_is_observed_depends_on_its_looks_alone(monkeypatch, solver, make):
    class Watching:
        def __init__(self):
            self.looks = []

        def swarmkit_stepped(self, run):
            self.looks.append(run.progress.looks)

    plain, seen = swarmkit.solve(make(), solver, looks=9_000), []
    for seconds in (10.0, 1e-5):
        monkeypatch.setattr(swarmkit.running.pacing, "STEPS_SECONDS", seconds)
        seen.append(Watching())
        watched = swarmkit.solve(make(), solver, looks=9_000, observers=[seen[-1]])
        assert not plain.differences(watched)
    assert seen[0].looks == seen[1].looks
    assert len(seen[0].looks) > 1


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


def test_ctrl_c_ends_a_step_between_two_evaluations_of_a_black_box(tmp_path):
    class Slow(Scored):
        def score(self, X):
            time.sleep(0.02 * len(X))
            if not pressed and self.meter.session is not None:
                pressed.append(signal.raise_signal(signal.SIGINT))
            return super().score(X)

    pressed: list[None] = []
    with pytest.raises(Interrupted) as caught:
        swarmkit.solve(Slow(), "ga", evaluations=150, checkpoint=tmp_path / "run.ckpt")
    assert caught.value.result.evaluations < 10  # of a first population of 100
    whole = swarmkit.solve(Scored(), "ga", evaluations=150)
    resumed = swarmkit.resume(tmp_path / "run.ckpt", Slow())
    assert (resumed.solution, resumed.evaluations) == (whole.solution, 150)


def test_ctrl_c_in_the_last_step_is_not_lost(problem):
    def last(problem):
        signal.raise_signal(signal.SIGINT)
        return scored([0] * 6)(problem)._replace(done=True)

    with pytest.raises(Interrupted) as caught:
        swarmkit.solve_many(problem, Counting(last), 3)
    assert (caught.value.result.stopped, caught.value.result.solution) == ("done", [0] * 6)


def test_a_second_ctrl_c_does_not_wait_for_the_step_and_keeps_the_best_so_far(capfd):
    problem, best = Scored(), [1] * 12

    def stuck(problem):
        problem.score(np.array([best]))
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("went on")

    with pytest.raises(Interrupted) as caught:
        swarmkit.solve(problem, Counting(stuck))
    result = caught.value.result
    assert (result.stopped, result.steps) == ("interrupted", 0)
    assert result.solution == best  # scored in the step that was cut
    assert "press Ctrl-C again to stop at once" in capfd.readouterr().err
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_ctrl_c_that_a_solver_raises_itself_is_not_taken_for_the_users(problem):
    def raising(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        swarmkit.solve(problem, Counting(raising))
    assert not isinstance(caught.value, Interrupted)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (None, "Counting.step returned None; expected a StepResult"),
        ((None, None, 1), r"Counting.step returned \(None, None, 1\); expected a StepResult"),
        (StepResult(None, None, looks=1.5), "looks=1.5; expected a whole number"),
        (StepResult(None, None, looks=1, iterations="two"), "iterations='two'; expected a whole number"),
        (StepResult(np.zeros(6, int), float("nan"), looks=1), "score=nan; expected a finite number"),
        (StepResult(np.zeros(6, int), "high", looks=1), "score='high'; expected a finite number"),
        (StepResult(np.zeros(6, int), 1.0, looks=1, bound=float("nan")), "bound=nan; expected a finite number"),
        (StepResult(np.zeros(5, int), 1.0, looks=1), r"a solution of shape \(5,\) .*expected 6 integers"),
        (StepResult(np.zeros(6), 1.0, looks=1), "type float64; expected 6 integers"),
    ],
)
def test_a_step_that_returns_nonsense_is_an_error_of_the_solver(problem, found, said):
    with pytest.raises(SolverError, match=said):
        swarmkit.solve(problem, Counting(scored([0] * 6), found), iterations=3)


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
    assert len({run.setup_evaluations for run in one.runs + two.runs}) == 1
    assert one.best.score == max(run.score for run in one.runs)


@pytest.mark.parametrize(("runs", "jobs"), [(0, 1), (-1, 1), (1, 0), (1, -2)])
def test_wrong_numbers_of_runs_and_jobs_are_refused(runs, jobs):
    with pytest.raises(UsageError):
        swarmkit.solve_many("synthetic", "icm", runs, jobs=jobs)


def test_setting_parameters_of_a_solver_object_is_refused(problem):
    with pytest.raises(UsageError, match="has its own already"):
        swarmkit.solve(problem, swarmkit.make_solver("icm"), params={"a": 1})


def test_every_row_from_start_to_end_counts_and_rows_before_are_set_up():
    problem = Scored()
    result = swarmkit.solve(problem, "random", evaluations=50, seed=1)
    assert result.stopped == "evaluations"
    assert (result.evaluations, result.looks) == (50, 50 * 12)
    assert result.evaluations + result.setup_evaluations == problem.evaluations
    again = swarmkit.solve(problem, "random", evaluations=50, seed=1)
    assert again.evaluations == 50
    assert again.setup_evaluations < result.setup_evaluations  # the fingerprint is known by now
    assert not result.differences(again)


def test_a_claim_that_was_just_scored_is_not_scored_again_and_others_are():
    class Claiming(Counting):
        pass

    def scored_first(problem):
        x = np.ones((1, 12), np.int64)
        return StepResult(x[0], float(problem.score(x)[0]), looks=100)

    def only_claimed(problem):
        return StepResult(np.full(12, 3), float((3 * np.arange(1, 13)).sum() % 17 + 0.36), looks=100)

    assert swarmkit.solve(Scored(), Claiming(scored_first), iterations=3).evaluations == 3
    assert swarmkit.solve(Scored(), Claiming(only_claimed), iterations=3).evaluations == 1


@pytest.mark.parametrize("solver", ["sa", "ga", "icm", "ils", "dbees", "random"])
@pytest.mark.parametrize("make", [Scored, lambda: swarmkit.make_problem("synthetic", n=40)], ids=["score", "tables"])
def test_the_clock_cuts_a_run_and_changes_nothing(monkeypatch, solver, make):
    results = []
    for seconds in (10.0, 1e-5):
        monkeypatch.setattr(swarmkit.running.pacing, "STEPS_SECONDS", seconds)
        monkeypatch.setattr(swarmkit.running.metering, "PIECE", seconds)
        results.append(swarmkit.solve(make(), solver, seed=2, looks=9_000))
    assert not results[0].differences(results[1])


class TenRows(Solver):
    """Score ten random rows in a step, beside tables."""

    def start(self, problem, rng) -> Count:
        return Count(0)

    def step(self, problem, state, rng):
        state.steps += 1
        X = random_solutions(problem, 10, rng)
        scores = problem.score(X)
        best = int(scores.argmax())
        return StepResult(X[best], float(scores[best]), looks=X.size)


@pytest.mark.parametrize("limit", [1, 9, 15, 33, 200, 1999])
def test_a_limit_of_evaluations_beside_tables_cuts_the_same_step_whenever_copies_are_made(monkeypatch, limit):
    results = []
    for seconds in (1000.0, 0.0):  # one copy, before the first step; one before every step
        monkeypatch.setattr(swarmkit.running.checkpoint, "COPY_SECONDS", seconds)
        monkeypatch.setattr(swarmkit.running.checkpoint, "COPY_SHARE", seconds)
        results.append(swarmkit.solve("synthetic", TenRows(), seed=2, evaluations=limit))
    assert not results[0].differences(results[1])
    assert limit - 10 < results[0].evaluations <= limit
    assert (results[0].stopped, results[0].solution is None) == ("evaluations", False)


@pytest.mark.parametrize("seconds", [0.05, 1e-5], ids=["time to polish", "no time to polish"])
def test_a_run_by_the_clock_is_replayed(tmp_path, seconds):
    file = tmp_path / "result.json"
    for polish in ("none", "icm"):
        result = swarmkit.solve("synthetic", "sa", seed=2, seconds=seconds, polish=polish)
        file.write_text(result.model_dump_json())
        assert swarmkit.replay(file)[0].differences == []


def test_a_replay_makes_the_steps_that_score_no_row():
    steps = [scored([1] * 12, looks=40), StepResult(None, None, looks=7), StepResult(None, None, looks=7)]
    run = Run(problem := Scored(), solver := Counting(*steps), make_spec(problem, solver, 0, Budget(looks=10**6)))
    run.stop_when([lambda progress: "three steps" if progress.steps == 3 else False])
    result = run.run()
    assert (result.search_looks, result.search_evaluations) == (54, 1)
    again = Run(problem := Scored(), solver, make_spec(problem, solver, 0, Budget(looks=10**6)))
    assert not result.differences(again.run(54, evaluations=1))
    assert again.progress.steps == 3


class Waiting(Solver):
    """Wait for a process that never ends."""

    def start(self, problem, rng) -> Count:
        return Count(0)

    def step(self, problem, state: Count, rng) -> StepResult:
        return StepResult(None, None, looks=0, iterations=0)

    def finish(self, problem, state):
        """Nothing is ever reported."""


def test_a_run_that_waits_in_its_first_part_has_no_step_and_is_replayed():
    family = next(family for family in FAMILIES if family.name == "parts")
    shape, solver = Shape(4, 3, 2, "floats", 1), Waiting()
    runs = [Run(p := family.make(shape), solver, make_spec(p, solver, 3, Budget(seconds=0.02))) for _ in range(2)]
    result = runs[0].run()
    assert (result.search_looks, runs[0].progress.steps) == (0, 0)
    assert result.solution is not None  # that of the start
    assert not result.differences(runs[1].run(0, evaluations=result.search_evaluations))


@pytest.mark.parametrize("solver", ["sa", "annealing", "icm", "ga", "ils"])
@pytest.mark.parametrize("name", ["synthetic", "qap", "tsp"])
def test_the_trace_of_a_small_run_is_a_curve(solver, name):
    trace = swarmkit.solve(swarmkit.make_problem(name, n=30), solver, seed=1, looks=20_000).trace
    assert len(trace.score) >= 3
    assert trace.looks[0] <= 3_000
    assert trace.looks == sorted(trace.looks)
    assert trace.evaluations == sorted(trace.evaluations)


def test_a_result_is_printed_in_three_lines(problem):
    text = str(swarmkit.solve(problem, "exhaustive", seed=3))
    first, second, third = text.splitlines()
    assert first.startswith("synthetic by exhaustive, seed 3: score ")
    assert "evaluations" in second
    assert second.endswith("stopped: done")
    assert third.startswith("solution: [")
    long = str(swarmkit.solve("synthetic", "first")).splitlines()
    assert long[2].endswith(", … (30 stages)]")


class StopsAt:
    """An observer that stops a run at some looks."""

    def __init__(self, looks, why="far enough"):
        self.looks, self.why = looks, why

    def swarmkit_stepped(self, run):
        if run.progress.looks >= self.looks:
            run.stop(self.why)


def test_an_observer_stops_a_run_with_its_reason(tmp_path):
    problem = swarmkit.make_problem("synthetic", n=50)
    result = swarmkit.solve(problem, "annealing", looks=10**7, observers=[StopsAt(20_000)])
    assert result.stopped == "far enough"
    assert 20_000 <= result.looks < 10**6
    (tmp_path / "r.json").write_text(result.model_dump_json())
    assert [again.differences for again in swarmkit.replay(tmp_path / "r.json")] == [[]]
    assert "far enough" in str(result)


def test_a_stopped_run_can_be_resumed(tmp_path):
    problem = swarmkit.make_problem("synthetic", n=50)
    swarmkit.solve(problem, "annealing", looks=50_000, observers=[StopsAt(20_000)], checkpoint=tmp_path / "c")
    resumed = swarmkit.resume(tmp_path / "c")
    assert not resumed.differences(swarmkit.solve(problem, "annealing", looks=50_000))


def test_an_observer_that_stops_without_a_reason_is_left_out():
    with pytest.warns(RuntimeWarning, match="needs the reason in words"):
        assert swarmkit.solve("synthetic", "annealing", looks=5000, observers=[StopsAt(1, "")]).stopped == "looks"


class Swallowing(Solver):
    """Hides whatever goes wrong while it scores, the end of its step included."""

    def start(self, problem, rng) -> None:
        pass

    def step(self, problem, state, rng):
        X = swarmkit.random_solutions(problem, 10, rng)
        try:
            scores = problem.score(X)
        except:  # noqa: E722  (what the test is about)
            scores = np.zeros(10)
        return StepResult(X[0], float(scores[0]), looks=X.size)


def test_a_solver_that_hides_the_end_of_its_step_is_named():
    problem = Scored()
    assert swarmkit.solve(problem, Swallowing(), evaluations=30).evaluations == 30
    with pytest.raises(swarmkit.SolverError, match=r"solver 'Swallowing' catches StepCut.*'except Exception:'"):
        swarmkit.solve(problem, Swallowing(), evaluations=35)


def test_several_runs_are_printed_as_the_best_of_them_and_their_range():
    results = swarmkit.solve_many("synthetic", "icm", 3, looks=2000)
    scores = [run.score for run in results.runs]
    first, *best, last = str(results).splitlines()
    assert first == "3 runs of icm on synthetic; the best of them:"
    assert best == str(results.best).splitlines()
    assert last.startswith(f"score of all runs: mean {np.mean(scores):.10g}, from {min(scores):.10g} to ")


def test_several_runs_have_the_seconds_of_one_each():
    for run in swarmkit.solve_many("synthetic", "icm", 2, seconds=0.05).runs:
        assert run.stopped == "seconds"
        assert run.seconds >= 0.05


def test_a_problem_without_stages_has_the_empty_solution_and_no_solver_is_asked(recwarn):
    class Empty(swarmkit.Problem):
        sizes = ()

        def score(self, X):
            return np.zeros(len(X))

    assert swarmkit.solve(Empty()).solution == []
    assert not recwarn.list
