"""Plugins of version 0.2 run as they are: what has moved is said by warnings that name the new place."""

import importlib
import sys
import warnings

import numpy as np
import pytest
from matplotlib.figure import Figure

import swarmkit
from swarmkit import (
    Pairwise,
    PairwiseProblem,
    Problem,
    Settings,
    Solver,
    StepResult,
    UsageError,
    evaluate,
    random_solutions,
)
from swarmkit.contract import deprecated
from swarmkit.contract.problem_view import problem_view
from swarmkit.running.specification import make_spec
from swarmkit.testing import check_problem, check_solver
from tests.conftest import ROOT
from tests.pages import script

OLD = ROOT / "tests" / "data" / "plugin-0.2"
"""The example package of version 0.2, unchanged."""


@pytest.fixture
def knapsack(monkeypatch):
    """The modules of the old package, imported from its folder, with warnings of what has a new name."""
    monkeypatch.syspath_prepend(str(OLD))
    names = [name for name in sys.modules if name.partition(".")[0] == "swarmkit_knapsack"]
    for name in names:  # those of the example of today
        monkeypatch.delitem(sys.modules, name)
    package = importlib.import_module("swarmkit_knapsack")
    for name, renamed in {"knapsack": "heuristic_values", "hill_climbing": "StepResult", "kernel": "READONLY"}.items():
        with pytest.warns(DeprecationWarning, match=renamed):  # in `register` they would be a broken plugin here
            importlib.import_module(f"swarmkit_knapsack.{name}")
    yield package
    for name in [name for name in sys.modules if name.partition(".")[0] == "swarmkit_knapsack"]:
        del sys.modules[name]


def test_the_example_package_of_the_version_before_works(knapsack, own_host):
    swarmkit.register(knapsack, name="knapsack")
    assert knapsack.__file__.startswith(str(OLD))
    # By its class: a problem of this name is bundled now.
    kind = sys.modules["swarmkit_knapsack.knapsack"].Knapsack
    black_box = kind.build(kind.Options())
    for problem in (black_box, "synthetic"):  # the other has tables, for its kernel
        result = swarmkit.solve(problem, "hill-climbing", seed=1, looks=100_000)
        assert result.score > swarmkit.solve(problem, "random", seed=1, looks=2_000).score * 0.9
        assert result.looks >= 100_000
    assert swarmkit.solve(black_box, "auto", seed=1, evaluations=300).evaluations == 300


def test_the_problem_of_the_version_before_passes_the_kit(knapsack):
    from swarmkit_knapsack.knapsack import Knapsack

    assert check_problem(Knapsack.build(Knapsack.Options())).of("failed") == []


@pytest.mark.long  # it takes a minute
def test_the_solver_of_the_version_before_passes_the_kit(knapsack):
    from swarmkit_knapsack.hill_climbing import HillClimbing

    assert check_solver(HillClimbing(moves=20, patience=40)).of("failed") == []


class Sampling(Solver):
    """Random search as version 0.2 wrote it: its steps pause where the budget does."""

    unit = "one solution"
    renamed = {"rows": "-A size=N"}  # noqa: RUF012  (as version 0.2 allowed)

    class Params(Settings):
        size: int = 50

    def start(self, problem, rng) -> dict:
        return {"drawn": 0}

    def step(self, problem, state, rng, left=deprecated.WHOLE_STEP) -> StepResult:
        n = len(problem.sizes)
        X = random_solutions(problem, min(self.params.size, left.rows(n)), rng)
        scores = evaluate(problem, X)
        state["drawn"] += len(X)
        best = int(scores.argmax())
        return StepResult(X[best].copy(), float(scores[best]), looks=X.size)


@pytest.fixture
def again():
    """Let every class be warned of once more."""
    deprecated.warn_of_class.cache_clear()


class Plain(Problem):
    def __init__(self, sizes):
        self.sizes = sizes

    def score(self, X):
        return np.asarray(X).sum(axis=1).astype(float)


class Drawn(Plain):
    """A problem that showed itself as version 0.2 did."""

    def __init__(self, sizes):
        super().__init__(sizes)
        self.caption = f"{len(sizes)} numbers"

    def draw(self, x, axes):
        super().draw(x, axes)
        axes.set(title=f"{super().caption}sum {x.sum()}")

    def scene(self):
        return {**super().scene(), "stages": [f"number {stage}" for stage, _ in enumerate(self.sizes)]}


def test_a_step_that_takes_left_gets_one_without_limits_and_a_warning(again):
    with pytest.warns(DeprecationWarning, match=r"Sampling: a step that takes `left` is deprecated.*the harness"):
        result = swarmkit.solve(Plain([3] * 8), Sampling(), seed=1, evaluations=120)
    assert (result.evaluations, result.stopped) == (120, "evaluations")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # once for each class
        longer = swarmkit.solve(Plain([3] * 8), Sampling(), seed=1, evaluations=1_000)
    assert longer.score >= result.score


class Plugin:
    @swarmkit.hookimpl
    def swarmkit_solvers(self):
        return {"sampling": Sampling}


def test_a_solver_with_left_runs_inside_others(own_host):
    swarmkit.register(Plugin(), name="sampling")
    params = {"solver": "sampling", "runs": 3, "looks": 200}
    result = swarmkit.solve(Plain([3] * 8), "vote", seed=1, params=params)
    assert (result.iterations, result.stopped) == (3, "done")


def test_a_solver_is_called_by_its_old_names():
    problem, solver, rng = Plain([3] * 8), Sampling(size=7), np.random.default_rng(1)
    with pytest.warns(DeprecationWarning, match=r"call swarmkit\.take_steps"):
        result = solver.advance(problem, solver.start(problem, rng), rng, deprecated.Left(looks=8))
    assert result.looks == 7 * 8
    assert not solver.waits
    solver.stop()


@pytest.mark.parametrize("name", ["Left", "WHOLE_STEP"])
def test_names_that_steps_were_told_limits_by_are_imported_with_a_warning(name):
    with pytest.warns(DeprecationWarning, match=rf"swarmkit\.{name} is deprecated: .*write step\(self") as caught:
        member = getattr(swarmkit, name)
    assert member is getattr(deprecated, name)
    assert caught[0].filename == __file__
    assert name not in swarmkit.__all__
    assert deprecated.WHOLE_STEP.after(looks=3, evaluations=2, iterations=1).looks == 100_000 - 3


def test_old_spellings_of_parameters_are_read_where_solvers_had_them():
    with pytest.raises(UsageError, match=r"Sampling has no parameter 'rows' any more\. Type: -A size=N"):
        Sampling(rows=3)


def test_a_problem_that_draws_itself_is_served_by_a_view_with_a_warning(again):
    problem = Drawn([3, 2])
    with pytest.warns(DeprecationWarning, match=r"Drawn: `caption` and `draw` and `scene` of a problem.*def view"):
        view = problem.view()
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # once for each class
        assert (view.caption, view.scene) == ("2 numbers", {"stages": ["number 0", "number 1"]})
        axes = Figure().add_subplot()
        swarmkit.draw_solution(problem, np.array([2, 1]), axes)
        assert (axes.get_title(), axes.get_xlabel()) == ("sum 3", "stage")  # its own title over the grid
        assert swarmkit.solve(problem, "random", looks=100).caption == "2 numbers"
        assert (problem.caption, list(problem.scene())) == ("2 numbers", ["stages"])
        assert "2 numbers" in problem._repr_html_()


def test_a_problem_with_a_view_answers_to_the_old_names_with_warnings():
    problem = swarmkit.make_problem("tsp", n=5)
    axes = Figure().add_subplot()
    with pytest.warns(DeprecationWarning, match=r"call swarmkit\.draw_solution"):
        problem.draw(np.arange(5), axes)
    assert axes.has_data()
    with pytest.warns(DeprecationWarning, match=r"ask problem\.view\(\)\.scene"):
        assert problem.scene()["closed"]
    with pytest.warns(DeprecationWarning, match=r"ask problem\.view\(\)\.caption"):
        assert problem.caption == problem.view().caption


def test_names_of_the_version_before_answer_as_they_did():
    problem = PairwiseProblem(Pairwise.of([2, 3], [(0, 1, np.arange(6.0).reshape(2, 3))]))
    assert problem.score_one(np.array([1, 2])) == 5.0
    assert (problem.evaluations, problem.evaluation_looks) == (1, 0)
    assert problem.with_own_meter().evaluations == 0
    assert problem.neighbours(np.array([[0, 0]]), 1).tolist() == [[0, 0], [0, 1], [0, 2]]
    assert (problem.overrides("pairwise"), problem.overrides("score_one"), problem.overrides("draw")) == (1, 0, 0)
    assert (dict(problem.versions), problem.reference, problem.tie_ranks, problem.origin) == ({}, "", None, None)
    assert problem_view(problem, {0: 1}).fingerprint == problem.fingerprint


@pytest.mark.parametrize(("name", "most"), [("Problem", 22), ("Solver", 13)])
def test_the_contract_fits_on_a_page(name, most):
    assert script(ROOT / "benchmarks" / "heart_size.py").members(name) <= most


def test_a_run_is_made_by_its_old_name_with_a_warning():
    problem, solver = swarmkit.make_problem("synthetic", n=5), swarmkit.make_solver("first")
    run = swarmkit.Run(problem, solver, make_spec(problem, solver, 0, swarmkit.Budget(looks=100)))
    with pytest.warns(DeprecationWarning, match=r"it is Run\.run now"):
        assert run.go(5).score is not None
