import tomllib

import pytest

import swarmkit
from swarmkit.comparison.experiment import write_experiment
from swarmkit.comparison.labels import distinct_labels
from swarmkit.comparison.plan import make_plan
from swarmkit.comparison.summary import summarise_methods
from swarmkit.comparison.worker import WorkerError, make_run

SMALL = {"name": "synthetic", "options": {"n": 8}}


def experiment(**changed):
    given = {"problems": [SMALL], "solvers": ["icm", "sa"], "runs": 2, "budget": {"looks": 2000}}
    return swarmkit.Experiment(**given | changed)


def outcomes(records):
    return [(r.key, r.instance, r.method, r.repetition, r.result.solution, r.result.looks) for r in records]


def test_runs_in_threads_of_one_process_count_apart():
    from concurrent.futures import ThreadPoolExecutor

    from swarmkit.running.specification import make_spec

    problem = swarmkit.make_problem("flowshop", jobs=20)
    solver = swarmkit.make_solver("ga")
    spec = make_spec(problem, solver, 1, swarmkit.Budget(evaluations=3000))
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: make_run(type(problem), solver, spec), range(4)))
    alone = make_run(type(problem), solver, spec)
    assert alone.evaluations == 3000
    assert not any(result.differences(alone) for result in results)
    assert {result.setup_evaluations for result in results} == {alone.setup_evaluations}


def test_runs_come_by_instance_method_and_repetition():
    swept = {"name": "synthetic", "sweep": {"n": [8, 6]}}
    records = swarmkit.compare(experiment(problems=[swept]))
    assert [(r.instance, r.method, r.repetition) for r in records] == [
        (instance, method, repetition)
        for instance in ("synthetic n=8", "synthetic n=6")
        for method in ("icm", "sa")
        for repetition in (0, 1)
    ]
    assert len({r.result.seed for r in records}) == len({r.key for r in records}) == 8


def test_a_run_does_not_depend_on_what_else_is_compared():
    alone = swarmkit.compare(experiment(solvers=["sa"], runs=1))
    among = swarmkit.compare(experiment(solvers=["icm", "greedy", "sa"], runs=3))
    assert outcomes(alone)[0] in outcomes(among)


def test_the_same_comparison_on_two_processes_gives_the_same():
    made = experiment(solvers=["random", "greedy"])
    assert outcomes(swarmkit.compare(made, jobs=2)) == outcomes(swarmkit.compare(made))


@pytest.mark.parametrize(
    "changed",
    [
        {"problems": [{"name": "synthetic", "options": {"n": 9}}]},
        {"solvers": [{"name": "ga", "params": {"population": 9}}]},
        {"budget": {"looks": 2001}},
        {"seed": 1},
        {"polish": "icm"},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_different_runs_have_different_keys(changed):
    def keys(made):
        return {run.key for run in make_plan(made).runs}

    base = {"solvers": ["ga"]}
    assert not keys(experiment(**base)) & keys(experiment(**base | changed))


def test_a_key_is_the_same_however_defaults_are_written():
    spelled = {"name": "synthetic", "options": {"seed": 0, "n": "8"}}
    assert make_plan(experiment(problems=[spelled])).runs[0].key == make_plan(experiment()).runs[0].key


def test_a_solver_may_have_a_budget_of_its_own():
    own = {"name": "icm", "budget": {"iterations": 3}}
    records = swarmkit.compare(experiment(solvers=["random", own], runs=1))
    assert [r.result.stopped for r in records] == ["looks", "iterations"]


def test_a_refusal_is_reported_and_the_other_runs_are_made():
    plans = []
    records = swarmkit.compare(
        experiment(problems=[{"name": "synthetic", "options": {"n": 40}}], solvers=["exhaustive", "icm"]),
        planned=lambda plan, stored: plans.append(plan),
    )
    assert {r.method for r in records} == {"icm"}
    (refused,) = plans[0].refused
    assert refused.method == "exhaustive"
    assert "limit" in refused.reason


class Bad(swarmkit.Solver):
    """Fail on some seeds."""

    def start(self, problem, rng) -> dict:
        return {}

    def step(self, problem, state, rng):
        raise ZeroDivisionError("no luck")


def test_a_run_that_raises_is_reported_with_its_key_and_the_other_runs_are_made(own_host):
    class Plugin:
        @swarmkit.hookimpl
        def swarmkit_solvers(self):
            return {"bad": Bad}

    swarmkit.register(Plugin())
    with pytest.raises(
        swarmkit.FailedRuns, match=r"bad on synthetic, run .*ZeroDivisionError: no luck.*; 1 more"
    ) as raised:
        swarmkit.compare(experiment(solvers=["bad", "icm"]))
    assert [f.repetition for f in raised.value.failed] == [0, 1]
    assert {r.method for r in raised.value.records} == {"icm"}


def test_the_gap_is_measured_with_one_bound_for_each_instance():
    records = swarmkit.compare(experiment(gap=True))
    assert {r.result.gap.by for r in records} == {"exhaustive"}
    assert all(r.result.gap.absolute >= 0 for r in records)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("runs = 'many'", r"x\.toml: 'problems' is needed"),
        ("problms = ['synthetic']\nsolvers = ['icm']", "no setting named 'problms'. Did you mean 'problems'?"),
        ("problems = ['sintetic']\nsolvers = ['icm']", r"problems\[1\]: no problem named 'sintetic'. Did you mean"),
        ("problems = ['synthetic']\nsolvers = ['icm', 'sq']", r"solvers\[2\]: no solver named 'sq'"),
        ("solvers = ['icm']\n[[problems]]\nname = 'synthetic'\noptions.windw = 3", "Did you mean 'window'?"),
        (
            "solvers = ['icm']\n[[problems]]\nname = 'synthetic'\noptoins.n = 3",
            r"problems\[1\]: no setting named 'optoins'",
        ),
        ("problems = ['synthetic']\nsolvers = ['icm']\n[budget]\nlook = 3", "budget: no setting named 'look'"),
        ("problems = ['synthetic']\nsolvers = ['icm']\n[budget]\nlooks = -3", "budget.looks: input should be greater"),
        ("problems = ['synthetic']\nsolvers = ['icm']\nruns = 0", "runs: input should be greater"),
        ("problems = ['synthetic']\nsolvers = []", "solvers: list should have at least 1"),
        ("problems = ['synthetic']\nsolvers = ['icm', 'icm']", "'icm' occurs twice"),
        (
            "solvers = ['icm']\n[[problems]]\nname = 'synthetic'\noptions.n = 3\nsweep.n = [3]",
            "'n' has a fixed value and is swept",
        ),
        ("runs = ", "not an experiment in TOML"),
    ],
)
def test_a_wrong_experiment_is_refused_with_the_place_and_the_nearest_name(tmp_path, text, said):
    file = tmp_path / "x.toml"
    file.write_text(text)
    with pytest.raises(swarmkit.UsageError, match=said):
        swarmkit.read_experiment(file)


def test_an_experiment_survives_being_written():
    made = experiment(
        problems=[SMALL, {"name": "synthetic", "label": 'a "b"\n', "sweep": {"n": [1, 2], "planted": [True]}}],
        solvers=["icm", {"name": "sa", "budget": {"iterations": 3}}],
        gap=True,
    )
    assert swarmkit.Experiment.model_validate(tomllib.loads(write_experiment(made))) == made


def test_an_experiment_with_null_cannot_be_written_and_says_so():
    made = experiment(solvers=[{"name": "icm", "params": {"starts": None}}])
    with pytest.raises(swarmkit.UsageError, match="cannot be written as TOML"):
        write_experiment(made)


def test_runs_without_a_feasible_solution_are_kept_and_counted(tmp_path):
    (record,) = swarmkit.compare(experiment(solvers=["random"], runs=1))
    nothing = record.result.model_copy(update={"score": None, "solution": None, "answer": [], "metrics": {}})
    none = swarmkit.Record("none", record.instance, record.method, 1, nothing)
    with swarmkit.Store(tmp_path / "s.db") as store:
        store.add(record)
        store.add(none)
        records = store.records()
    assert records == [record, none]
    (both,) = summarise_methods(records)
    assert (both.runs, both.infeasible, both.best, both.worst) == (2, 1, record.result.score, record.result.score)
    (only,) = summarise_methods([none])
    assert (only.best, only.median) == (None, None)


def test_a_problem_that_differs_on_the_worker_is_not_run():
    run = make_plan(experiment()).runs[0]
    other = run.spec.model_copy(update={"fingerprint": "0" * 64})
    said = make_run(run.kind, run.solver, other)
    assert isinstance(said, WorkerError)
    assert "differs from the one where the comparison was started" in said.error


def test_labels_have_only_the_settings_that_differ():
    made = experiment(
        problems=[SMALL, {"name": "synthetic", "label": "mine", "options": {"n": 9}}],
        solvers=["icm", {"name": "exhaustive", "sweep": {"limit": [10**8, 10**9]}}],
        runs=1,
    )
    labels = {(run.instance, run.method) for run in make_plan(made).runs}
    methods = ("icm", "exhaustive limit=100000000", "exhaustive limit=1000000000")
    assert labels == {(i, m) for i in ("synthetic", "mine") for m in methods}


def test_long_values_are_shortened_and_labels_stay_different():
    texts = [{"text": "a" * 20 + middle + "z" * 20} for middle in ("bcd", "bce")]
    labels = distinct_labels([("wsd", settings) for settings in texts])
    assert len(set(labels)) == 2
    assert max(map(len, labels)) < 50


class Unprovable(swarmkit.Problem):
    """An optimum that cannot be computed; the next problem is sound."""

    sizes = (2, 2)

    @property
    def optimum(self):
        raise ValueError("no optimum")

    def score(self, X):
        return X.sum(axis=1) * 1.0


class Sound(Unprovable):
    optimum = 2.0


class Bounded:
    @swarmkit.hookimpl
    def swarmkit_problems(self):
        return {"unprovable": Unprovable, "sound": Sound}


def test_a_bound_that_cannot_be_found_is_a_warning_and_the_other_bounds_are_found(own_host):
    swarmkit.register(Bounded(), name="bounded")
    made = swarmkit.Experiment(
        problems=["unprovable", "sound"], solvers=["first"], runs=1, budget={"looks": 100}, gap=True
    )
    with pytest.warns(RuntimeWarning, match=r"unprovable: the search for a bound failed \(.*no optimum"):
        records = swarmkit.compare(made)
    assert [(r.instance, r.result.gap and r.result.gap.absolute) for r in records] == [
        ("unprovable", None),
        ("sound", 2.0),
    ]
