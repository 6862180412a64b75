"""A solver in another process runs as it does in this one: limits, cuts, State that is taken back; old signatures."""

from copy import deepcopy

import numpy as np
import pytest
from numpy.random import default_rng

from swarmkit import Budget
from swarmkit.contract.meter import StepCut
from swarmkit.plugins.factory import make_solver
from swarmkit_arena.audits import Audits
from swarmkit_arena.families import Knapsacks, Landscape, categories
from swarmkit_arena.process import ContestantProcess
from swarmkit_arena.remote import Conditions, RemoteSolver, RemoteState
from swarmkit_arena.submission import Submission
from swarmkit_arena.trials import new_run, run_by_count
from tests.arena.entries import NONE, source


@pytest.fixture(scope="module")
def ga():
    with ContestantProcess(Submission(solver="ga")) as process:
        yield process


@pytest.mark.parametrize(
    ("draw", "limits"),
    [
        pytest.param(categories, Budget(looks=50_000), id="looks on tables"),
        pytest.param(Landscape, Budget(evaluations=333), id="evaluations of a black box"),
        pytest.param(Knapsacks, Budget(evaluations=333), id="evaluations with constraints"),
    ],
)
def test_a_run_in_another_process_is_the_run_in_this_one(ga, draw, limits):
    problem = draw(default_rng(1))
    here = new_run(make_solver("ga"), problem, 5, limits).run()
    there = new_run(RemoteSolver(ga), problem, 5, limits).run()
    assert here.differences(there) == []
    assert there.evaluations == 333 or limits.evaluations is None
    divided = run_by_count(ga, problem, 5, limits, Conditions(pieces=7))
    assert here.differences(divided) == []


def test_a_step_that_is_cut_is_made_again_and_scores_nothing_twice(ga):
    problem, scored = Landscape(default_rng(1)), []
    run = new_run(RemoteSolver(ga), problem, 5, Budget(evaluations=400))
    score = type(problem).score.__wrapped__
    run.problem.meter.evaluator = lambda _, problem, X: scored.append(len(X)) or score(problem, X)
    n = len(problem.sizes)
    assert [run.run(looks=rows * n).evaluations for rows in (1, 77, 78, 301)] == [1, 77, 78, 301]
    assert run.run().evaluations == sum(scored) == 400


def test_after_a_cut_the_process_does_what_it_is_asked(ga):
    problem = Landscape(default_rng(1))

    def serve(what, X, stage):
        raise StepCut("evaluations")

    solver = RemoteSolver(ga)
    assert solver.refuses(problem) is None
    solver.prepare(problem)
    rng = default_rng(1)
    state = solver.start(problem, rng)
    with pytest.raises(StepCut, match="evaluations"):
        ga.ask("steps", {"rng": rng.bit_generator.state, "count": 1}, serve=serve)
    assert ga.ask("save").body["state"]
    assert isinstance(state, RemoteState)


def test_a_copy_of_a_state_is_what_it_was_when_it_was_copied(ga):
    problem, rng = categories(default_rng(1)), default_rng(2)
    solver = RemoteSolver(ga)
    solver.refuses(problem)
    solver.prepare(problem)
    state = solver.start(problem, rng)
    solver.step(problem, state, rng)
    copy, generator = deepcopy(state), deepcopy(rng.bit_generator.state)
    first = [solver.step(problem, state, rng) for _ in range(3)]
    rng.bit_generator.state = generator
    again = [solver.step(problem, copy, rng) for _ in range(3)]
    for one, two in zip(first, again, strict=True):
        assert one[1:] == two[1:]
        assert np.array_equal(one.solution, two.solution)


OLD = """
        looks, rows, units = 0, 0, 0
        while units == 0 or (looks < left.looks and rows < left.evaluations and units < left.iterations):
            found = self.one(problem, state, rng)
            looks, rows, units = looks + found.looks, rows + len(state.X), units + 1
        return found._replace(looks=looks, iterations=units)
"""
"""The steps of 0.2: units of work up to what is left."""


def old_entry():
    """Return the honest solver as one of 0.2, whose step takes `left`."""
    new = source(NONE).replace("def step(self,", "def one(self,")
    signature = "\n    def step(self, problem, state: Climbs, rng, left: Left = WHOLE_STEP) -> StepResult:\n"
    return new.replace("import StepResult, ", "import WHOLE_STEP, StepResult, Left, ") + signature + OLD.lstrip("\n")


@pytest.mark.long
def test_a_submission_of_0_2_whose_step_takes_left_passes_all_audits(tmp_path):
    file = tmp_path / "entry.py"
    file.write_text(old_entry())
    audits = Audits(Submission(file=str(file)), default_rng(2))
    assert audits.run() == []


def test_a_submission_of_0_2_makes_the_same_run_by_evaluations(tmp_path):
    results = []
    for number, text in enumerate((source(NONE), old_entry())):
        file = tmp_path / f"entry_{number}.py"
        file.write_text(text)
        with ContestantProcess(Submission(file=str(file))) as process:
            results.append(new_run(RemoteSolver(process), Landscape(default_rng(1)), 3, Budget(evaluations=123)).run())
    assert results[0].evaluations == results[1].evaluations == 123
    assert results[0].score == results[1].score
    assert results[0].solution == results[1].solution
