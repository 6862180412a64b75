"""Solvers and their parameters: old spellings are refused with what to type instead, wherever they come from."""

import json
from typing import ClassVar

import numpy as np
import pytest

import swarmkit
from swarmkit import (
    Settings,
    Solver,
    SolverError,
    StepResult,
    UsageError,
    evaluate,
    hookimpl,
    random_solutions,
    take_steps,
)
from swarmkit.plugins.host import host

NO_PRESET = r"has no parameter 'preset' any more\. Type: -a annealing$"
NO_LOCAL = r"takes no search=local any more\. Type: -a ils$"


class Split(Solver):
    """Draw solutions; in an earlier version it was two methods."""

    class Params(Settings):
        renamed: ClassVar = {
            "preset": "-a annealing",
            "preset=plain": "-a sa",
            "search": "never shown, because it is a parameter",
            "search=local": "-a ils",
        }

        search: str = "none"

    def start(self, problem, rng) -> dict:
        return {}

    def step(self, problem, state, rng):
        X = random_solutions(problem, 1, rng)
        return StepResult(X[0], float(evaluate(problem, X)[0]), looks=X.size)


class Plugin:
    @hookimpl
    def swarmkit_solvers(self):
        return {"split": Split}


@pytest.fixture
def split(own_host):
    swarmkit.register(Plugin(), name="split")


def test_a_solver_of_no_earlier_version_takes_its_parameters():
    assert dict(Settings.renamed) == {}
    assert Split(search="other").params.search == "other"
    with pytest.raises(UsageError, match=r"Split: no setting named 'serch'\. Did you mean 'search'"):
        Split(serch=1)


def test_old_spellings_are_refused_in_python():
    with pytest.raises(UsageError, match=f"Split {NO_PRESET}"):
        Split(preset="auto")
    with pytest.raises(UsageError, match=r"Split has no parameter 'preset' any more\. Type: -a sa$"):
        Split(preset="plain")
    with pytest.raises(UsageError, match=f"Split {NO_LOCAL}"):
        Split(search="local")


def test_old_spellings_are_refused_by_name(split):
    with pytest.raises(UsageError, match=f"solver 'split' {NO_PRESET}"):
        swarmkit.make_solver("split", preset="auto")
    with pytest.raises(UsageError, match=f"solver 'split' {NO_LOCAL}"):
        swarmkit.solve("synthetic", "split", params={"search": "local"})


def test_old_spellings_are_refused_on_the_command_line(cli, split):
    said = cli("solve", "-p", "synthetic", "-a", "split", "-A", "preset=auto")
    assert (said.code, said.err) == (
        2,
        "swarmkit: solver 'split' has no parameter 'preset' any more. Type: -a annealing\n",
    )
    said = cli("compare", "-p", "synthetic", "--algos", "split,icm", "-A", "split.search=local")
    assert said.code == 2
    assert "solver 'split' takes no search=local any more. Type: -a ils" in said.err


def test_old_spellings_are_refused_in_experiment_files(cli, split, tmp_path):
    (tmp_path / "old.toml").write_text(
        '[[problems]]\nname = "synthetic"\n[[solvers]]\nname = "split"\nparams = { preset = "auto" }\n'
    )
    said = cli("compare", "old.toml")
    assert said.code == 2
    assert "old.toml" in said.err
    assert "solver 'split' has no parameter 'preset' any more. Type: -a annealing" in said.err


def test_old_spellings_are_refused_inside_a_vote(cli, split):
    params = json.dumps({"preset": "auto"})
    said = cli("solve", "-p", "synthetic", "-a", "vote", "-A", "solver=split", "-A", f"params={params}")
    assert said.code == 2
    assert "solver 'split' has no parameter 'preset' any more. Type: -a annealing" in said.err


@pytest.mark.parametrize(
    ("solver", "old", "typed"),
    [
        ("sa", "preset=auto", "-a annealing"),
        ("ga", "founders=nearest", "-a tour-ga"),
        ("ga", "local_search=2opt", "-a tour-ga"),
        ("tsp-aco", "part=0", "-A construction=walk"),
    ],
)
def test_the_solvers_that_were_split_say_what_to_type(cli, solver, old, typed):
    said = cli("solve", "-p", "synthetic", "-a", solver, "-A", old)
    assert said.code == 2
    assert f"solver '{solver}' " in said.err
    assert typed in said.err.partition("any more. Type: ")[2]


@pytest.mark.parametrize("solver", [offer.value for offer in host().offers("solver")], ids=lambda kind: kind.__name__)
def test_old_spellings_are_no_parameters_of_today(solver):
    old = solver.renamed | solver.Params.renamed
    assert not {name for name in old if "=" not in name} & set(solver.Params.model_fields)


class Twice(swarmkit.Composite):
    """Run two solvers, one after the other."""

    def __init__(self, *solvers):
        super().__init__()
        self.solvers = solvers

    @property
    def inner(self):
        return self.solvers

    def start(self, problem, rng) -> list:
        return [solver.start(problem, rng) for solver in self.solvers]

    def step(self, problem, state, rng):
        results = [take_steps(solver, problem, own, rng) for solver, own in zip(self.solvers, state, strict=True)]
        return results[0].plus(results[1])


class Waiting(Split):
    """A solver that asks a process outside for its report."""

    running = True

    def finish(self, problem, state):
        pass

    def stop(self):
        self.running = False


def test_a_solver_waits_if_it_has_something_to_finish():
    assert not Split().waits
    assert Waiting().waits
    assert Twice(Split(), Waiting()).waits
    assert not Twice(Split(), Split()).waits
    assert (Split().inner, Split().proof_rank, Split().explain(None, None)) == ((), None, None)


def test_what_solvers_inside_another_have_started_ends_with_the_run():
    waiting = Waiting()
    result = swarmkit.solve("synthetic", Twice(Split(), waiting), seed=1, iterations=6)
    assert not waiting.running
    assert result.iterations == 6


def test_provers_are_those_that_gap_asks():
    from swarmkit.running.gap import provers

    assert [offer.name for offer in provers()] == ["viterbi", "exhaustive", "toulbar2", "highs"]
    assert all(issubclass(offer.value, swarmkit.Prover) for offer in provers())


class Several(Solver):
    """Makes its iterations in `steps` alone."""

    def start(self, problem, rng) -> None:
        pass

    def steps(self, problem, state, rng, count):
        X = random_solutions(problem, count, rng)
        scores = evaluate(problem, X)
        best = int(scores.argmax())
        return StepResult(X[best], float(scores[best]), looks=X.size, iterations=count, steps=count)


def test_a_solver_that_has_steps_needs_no_step():
    problem = swarmkit.make_problem("synthetic", n=6)
    result = swarmkit.solve(problem, Several(), iterations=50)
    assert (result.iterations, result.stopped) == (50, "iterations")
    rng, other = (np.random.default_rng(1) for _ in range(2))
    once, counted = Several().step(problem, None, rng), Several().steps(problem, None, other, 1)
    assert (once.score, once.looks) == (counted.score, counted.looks)


def test_a_solver_with_neither_step_nor_steps_is_refused():
    class Idle(Solver):
        def start(self, problem, rng) -> None:
            pass

    with pytest.raises(SolverError, match="Idle has neither step nor steps"):
        Idle()


class Counted(Solver):
    """Steps that are counted; the last is done, or waits for something outside."""

    waits = True

    def __init__(self, last, looks):
        super().__init__()
        self.last, self.looks = last, looks

    def start(self, problem, rng) -> dict:
        return {"steps": 0}

    def step(self, problem, state, rng):
        state["steps"] += 1
        at_end = state["steps"] == self.last
        return StepResult(None, None, self.looks if at_end else 2, done=at_end and self.looks > 0)


@pytest.mark.parametrize("looks", [5, 0])
def test_several_steps_end_with_the_one_that_is_done_or_waits(looks):
    problem, solver = swarmkit.make_problem("synthetic", n=4), Counted(3, looks)
    state = solver.start(problem, None)
    result = solver.steps(problem, state, np.random.default_rng(0), 10)
    assert state == {"steps": 3}
    assert (result.looks, result.steps, result.done) == (4 + looks, 3, looks > 0)


def test_several_steps_are_summed_and_the_best_solution_is_kept():
    problem, rng = swarmkit.make_problem("synthetic", n=4), np.random.default_rng(0)
    result = Split().steps(problem, {}, rng, 6)
    X = random_solutions(problem, 1, np.random.default_rng(0))
    assert (result.steps, result.looks, result.iterations, result.done) == (6, 24, 6, False)
    assert result.score >= evaluate(problem, X)[0]
    assert result.score == pytest.approx(evaluate(problem, result.solution[None])[0])
