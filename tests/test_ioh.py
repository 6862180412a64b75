"""Functions of IOHprofiler as problems, and runs as its logs, read by its own reader."""

import pickle

import ioh
import numpy as np
import pytest

import swarmkit
from swarmkit.comparison.ioh_logs import ioh_logs, write_ioh_logs
from swarmkit.testing import check_problem
from swarmkit_ioh.problem import IohFunction


@pytest.mark.parametrize("function", range(1, 26))
def test_scores_are_those_of_the_package(function):
    problem = IohFunction(function=function, n=64, instance=2)
    X = np.random.default_rng(function).integers(0, 2, (20, 64))
    own = ioh.get_problem(function, 2, 64, ioh.ProblemClass.PBO)
    assert problem.score(X).tolist() == [own(x.tolist()) for x in X]
    assert problem.optimum is None or problem.optimum >= problem.score(X).max()


def test_the_problem_keeps_its_contract():
    check_problem(IohFunction(function=24, n=20))


def test_a_graph_problem_has_the_size_of_its_graph():
    problem = swarmkit.make_problem("ioh", suite="graph", function=2000)
    assert len(problem.sizes) == 800
    assert problem.score(np.zeros((1, 800), int)).tolist() == [0.0]


def test_a_copy_in_another_process_is_the_same_problem():
    problem = IohFunction(function=18, n=32)
    X = np.random.default_rng(0).integers(0, 2, (5, 32))
    assert pickle.loads(pickle.dumps(problem)).score(X).tolist() == problem.score(X).tolist()  # noqa: S301  (of our own)


@pytest.mark.parametrize(("options", "said"), [({"function": 26}, "1 to 25"), ({"function": 23, "n": 63}, "23")])
def test_what_the_suite_has_not_is_refused(options, said):
    with pytest.raises(swarmkit.UsageError, match=said):
        swarmkit.make_problem("ioh", **options)


@pytest.fixture(scope="module")
def records():
    problems = [{"name": "ioh", "options": {"n": 32, "function": f}} for f in (1, 2)] + ["synthetic", "tsp"]
    experiment = swarmkit.Experiment(
        problems=problems, solvers=["ga", "random"], runs=2, budget={"looks": 40_000, "evaluations": 900}
    )
    return list(swarmkit.compare(experiment))


@pytest.fixture
def manager():
    from iohinspector import DataManager  # here, because it takes 1.7 seconds

    return DataManager()


def test_iohinspector_reads_the_logs(records, manager, tmp_path):
    write_ioh_logs(records, tmp_path / "logs")
    for folder in sorted((tmp_path / "logs").iterdir()):
        manager.add_folder(str(folder))
    runs = manager.overview
    assert len(runs) == len(records) == 16
    assert set(runs["algorithm_name"]) == {"ga", "random"}
    assert {"OneMax", "LeadingOnes"} < set(runs["function_name"])
    best = sorted(runs["best_y"].to_list())
    assert best == pytest.approx(sorted(record.result.shown(record.result.score) for record in records))


def test_the_loaded_curves_are_the_traces(records, manager, tmp_path):
    chosen = [record for record in records if record.method == "ga" and record.result.problem == "ioh"]
    write_ioh_logs(chosen, tmp_path / "logs")
    manager.add_folder(str(tmp_path / "logs" / "ga"))
    loaded = manager.load(monotonic=True, include_meta_data=True)
    for number, record in enumerate(chosen):
        rows = loaded.filter(loaded["data_id"] == sorted(set(loaded["data_id"]))[number])
        assert set(rows["function_name"]) == {record.result.caption.partition(",")[0]}
        trace = record.result.trace
        expected = {1: trace.score[0]} | dict(zip(trace.evaluations[1:], trace.score[1:], strict=True))
        read = dict(zip(rows["evaluations"].to_list(), rows["raw_y"].to_list(), strict=True))
        assert read == pytest.approx(expected)


def test_costs_are_minimised_in_the_logs(records):
    files = ioh_logs([record for record in records if record.result.problem == "tsp"])
    assert all('"maximization": false' in text for name, text in files.items() if name.endswith(".json"))


def test_a_folder_with_files_is_not_overwritten(records, tmp_path):
    (tmp_path / "kept.txt").write_text("mine")
    with pytest.raises(swarmkit.UsageError, match="empty"):
        write_ioh_logs(records, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]


def test_the_command_exports_a_store(cli, tmp_path):
    assert cli("compare", "-p", "ioh", "-P", "n=16", "--algos", "ga", "--runs", "1", "--store", "runs.db").code == 0
    said = cli("runs", "runs.db", "--export-ioh", "logs")
    assert (said.code, said.out) == (0, "1 runs are in logs\n")
    assert (tmp_path / "logs" / "ga" / "IOHprofiler_f1_OneMax.json").is_file()
    assert cli("runs", "runs.db", "--export-ioh", "logs").code == 2
