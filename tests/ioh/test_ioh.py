"""Functions of IOHprofiler as problems, and runs as its logs, read by its own reader."""

import itertools
import json
import pickle
from dataclasses import replace

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


@pytest.mark.parametrize("n", [6, 8, 10])
def test_an_optimum_is_known_only_if_no_solution_is_better(n):
    X = np.array(list(itertools.product((0, 1), repeat=n)))
    for function in set(range(1, 26)) - {20, 21, 23}:  # these need a square
        for instance in (1, 2, 60):
            problem = IohFunction(function=function, n=n, instance=instance)
            assert problem.optimum in (None, problem.score(X).max()), problem.view().caption
    assert (IohFunction(function=24, n=n).optimum is None) == (n != 10)  # traps of 5 bits, and some left over


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"function": 26}, "1 to 25"),
        ({"function": 20, "n": 63}, "49 and 64 are"),
        ({"function": 23, "n": 63}, "23"),
        ({"suite": "graph", "function": 2050}, "2000 to 2004, 2100 to"),
        ({"suite": "graph", "function": 2000, "instance": 2}, "no instance 2"),
    ],
)
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


def test_functions_of_ioh_and_other_instances_have_numbers_of_their_own(records):
    documents = [json.loads(text) for name, text in ioh_logs(records).items() if name.endswith(".json")]
    numbers = {(document["function_id"], document["function_name"]) for document in documents}
    assert numbers == {(1, "OneMax"), (2, "LeadingOnes"), (3, "synthetic"), (4, "tsp")}


def test_methods_whose_names_differ_in_strange_signs_have_folders_of_their_own(records, manager, tmp_path):
    names = ["ga a/b", "ga a:b", "GA a b", "../up", "é" * 300]
    runs = [replace(records[0], method=name) for name in names]
    write_ioh_logs(runs, tmp_path / "logs")
    for folder in (tmp_path / "logs").iterdir():
        manager.add_folder(str(folder))
    assert set(manager.overview["algorithm_name"]) == set(names)


@pytest.mark.parametrize("folder", ["/proc/logs", "file/logs", "x" * 300])
def test_a_folder_that_cannot_be_written_is_refused_in_words(records, tmp_path, folder):
    (tmp_path / "file").touch()
    with pytest.raises(swarmkit.UsageError, match="cannot be written"):
        write_ioh_logs(records, tmp_path / folder)


def test_the_command_exports_a_store(cli, tmp_path):
    assert cli("compare", "-p", "ioh", "-P", "n=16", "--algos", "ga", "--runs", "1", "--store", "runs.db").code == 0
    said = cli("runs", "runs.db", "--export-ioh", "logs")
    assert (said.code, said.out) == (0, "1 runs are in logs\n")
    assert (tmp_path / "logs" / "ga" / "IOHprofiler_f1_OneMax.json").is_file()
    assert cli("runs", "runs.db", "--export-ioh", "logs").code == 2
