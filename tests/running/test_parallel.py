"""Tasks on other processes and machines: the same outcomes, whichever workers die."""

import json
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

import swarmkit
from swarmkit.plugins.host import host
from swarmkit.running import cluster as cluster_tasks
from swarmkit.running.parallel import in_order, run_tasks
from tests.conftest import ROOT, wait_for

PLUGIN = """
import os
import signal
from pathlib import Path

import swarmkit


class Deadly(swarmkit.Solver):
    '''Draw solutions; where a file says so, kill the process that does it.'''

    class Params(swarmkit.Settings):
        marker: str = ""
        once: bool = True
        log: str = ""

    def start(self, problem, rng) -> dict:
        if self.params.log:
            Path(self.params.log).write_text(str(os.getpid()))
        marker = Path(self.params.marker)
        if self.params.marker and marker.exists():
            if self.params.once:
                marker.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        return {}

    def step(self, problem, state, rng):
        X = swarmkit.random_solutions(problem, 10, rng)
        scores = swarmkit.evaluate(problem, X)
        return swarmkit.StepResult(X[scores.argmax()], float(scores.max()), looks=X.size)


@swarmkit.hookimpl
def swarmkit_solvers():
    return {"deadly": Deadly}
"""


def experiment(**changed):
    problem = {"name": "synthetic", "options": {"n": 8, "polysemy": 4}}
    given = {"problems": [problem], "solvers": ["icm"], "runs": 2, "budget": {"looks": 2000}}
    return swarmkit.Experiment(**given | changed)


def outcomes(records):
    return [(r.key, r.instance, r.method, r.repetition, r.result.solution, r.result.looks) for r in records]


@pytest.fixture
def marker(own_host, tmp_path):
    """Load the plugin from its file, and return the file that makes it kill."""
    (tmp_path / "deadly_plugin.py").write_text(PLUGIN)
    assert not [plugin.error for plugin in host().load_files([tmp_path / "deadly_plugin.py"]) if plugin.error]
    return tmp_path / "marker"


def deadly(marker, once=True):
    return {"name": "deadly", "params": {"marker": str(marker), "once": once}}


def test_the_runs_of_a_process_that_dies_are_redone(marker):
    made = experiment(solvers=[deadly(marker), "random"], runs=4)
    straight = swarmkit.compare(made)
    marker.touch()
    assert outcomes(swarmkit.compare(made, jobs=2)) == outcomes(straight)
    assert not marker.exists()


def test_a_run_that_always_kills_its_process_is_reported_and_the_others_are_made(marker):
    marker.touch()
    with pytest.raises(swarmkit.FailedRuns, match="its process died, also when it ran alone") as told:
        swarmkit.compare(experiment(solvers=[deadly(marker, once=False), "random"], runs=1), jobs=2)
    assert [f.method for f in told.value.failed] == ["deadly"]
    assert [r.method for r in told.value.records] == ["random"]


def test_the_runs_that_are_left_are_shown_when_one_has_no_process_that_survives_it(cli, own_host, tmp_path):
    # The first random number of seed 3 is below 0.1, those of the other seeds from 0 to 4 are not.
    (tmp_path / "picky_plugin.py").write_text(PLUGIN.replace("self.params.marker and", "rng.random() < 0.1 and"))
    (tmp_path / "marker").touch()
    how = ("-A", "once=no", "-A", f"marker={tmp_path / 'marker'}", "--looks", "100", "--runs", "5", "--jobs", "2")
    said = cli("--plugin", "picky_plugin.py", "solve", "-p", "synthetic", "-a", "deadly", *how, "--json")
    assert said.code == 2
    assert [run["seed"] for run in json.loads(said.out)["runs"]] == [0, 1, 2, 4]
    assert said.err.startswith("swarmkit: the processes of 1 run died, also when they ran alone (out of memory?)")
    assert "--jobs 1" in said.err
    assert len(said.err.splitlines()) == 1


@pytest.fixture
def victim(monkeypatch, tmp_path):
    """Start a comparison on two processes, which can be killed with `benchmarks/victims.py`."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    from victims import Victim

    looks = ("--looks", "1e6", "--runs", "8", "--jobs", "2", "--store", "runs.db")
    return lambda: Victim(["compare", "-p", "synthetic", "-a", "random", *looks], tmp_path)


def _workers(process):
    return [child for child in psutil.Process(process.pid).children() if "LokyProcess" in " ".join(child.cmdline())]


@pytest.mark.parametrize("moment", [0.05, 0.5, "tracker", "first worker", "workers", "run"])
def test_no_process_outlives_a_parent_that_is_killed(victim, moment, tmp_path):
    killed = victim()
    reached = {
        "tracker": lambda: psutil.Process(killed.process.pid).children(),
        "first worker": lambda: _workers(killed.process),
        "workers": lambda: len(_workers(killed.process)) == 2,
        "run": lambda: (tmp_path / "runs.db").exists() and _workers(killed.process),
    }
    if moment in reached:
        wait_for(reached[moment])
    assert killed.kill_after(0 if moment in reached else moment)
    assert killed.close() == []


def test_a_worker_that_is_killed_is_replaced_without_a_word(victim, tmp_path):
    disturbed = victim()
    wait_for(lambda: len(_workers(disturbed.process)) == 2)
    time.sleep(0.5)
    _workers(disturbed.process)[0].kill()
    out, err = disturbed.finish()
    assert (disturbed.process.returncode, err) == (0, "")
    assert "8 runs are in runs.db" in out
    assert disturbed.close() == []


def test_a_worker_whose_parent_is_gone_ends_before_its_first_task():
    code = f"from swarmkit.running.workers import initialise; initialise({os.getpid() + 10**6}, False); print(1)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (1, b"")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux kills the children of a process that ends")
def test_a_worker_in_a_long_c_function_dies_with_its_parent(start_process, tmp_path):
    worker = "import ctypes, os; from swarmkit.running.workers import initialise; "
    worker += (
        "initialise(os.getppid(), True); open('ready', 'w').close(); ctypes.PyDLL(None).sleep(60)"  # without the GIL
    )
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {worker!r}])"
    process = start_process([sys.executable, "-c", parent], cwd=tmp_path)
    wait_for((tmp_path / "ready").exists)
    [child] = psutil.Process(process.pid).children()
    process.kill()
    process.wait()
    wait_for(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE, seconds=5)


def test_a_backend_that_does_not_exist_is_refused_with_what_is_missing():
    with pytest.raises(swarmkit.UsageError, match="no backend named 'quantum'"):
        swarmkit.compare(experiment(), backend="quantum")
    with pytest.raises(swarmkit.UsageError, match="needs the address of a scheduler"):
        swarmkit.compare(experiment(), backend="dask")
    with pytest.raises(swarmkit.UsageError, match="goes with the backend 'dask'"):
        swarmkit.compare(experiment(), jobs=2, scheduler="tcp://127.0.0.1:1")


def test_a_cluster_that_loses_a_worker_gives_the_store_of_a_local_run(cluster, marker, tmp_path):
    address, workers = cluster
    made = experiment(solvers=["random", deadly("")], runs=6, budget={"looks": 100_000})
    swarmkit.compare(made, store=tmp_path / "here.db")
    seen = []

    def ready(record):
        seen.append(record)
        if len(seen) == 3:
            workers[0].kill()

    swarmkit.compare(made, store=tmp_path / "there.db", backend="dask", scheduler=address, ready=ready)
    assert workers[0].wait() == -signal.SIGKILL
    assert workers[1].poll() is None
    with swarmkit.Store(tmp_path / "here.db") as here, swarmkit.Store(tmp_path / "there.db") as there:
        assert outcomes(there.records()) == outcomes(here.records())
        assert len(here.keys()) == 12

    # A cluster of one core is a cluster all the same.
    logging = {"name": "deadly", "params": {"log": str(tmp_path / "log")}}
    swarmkit.compare(experiment(solvers=[logging], runs=2), backend="dask", scheduler=address)
    assert int((tmp_path / "log").read_text()) == workers[1].pid


GIVE_UP_AT_ONCE = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
"""A scheduler gives a task up after the first worker that dies with it, and not after the fourth."""


@pytest.mark.parametrize("scheduler", [GIVE_UP_AT_ONCE], indirect=True, ids=["at once"])
def test_a_task_that_kills_workers_alone_too_is_reported_and_the_others_are_done(
    start_dask, scheduler, marker, tmp_path
):
    address, _ = scheduler
    start_dask(
        "worker", address, "--nworkers", "2", "--nthreads", "1", "--local-directory", str(tmp_path)
    )  # with nannies
    marker.touch()
    made = experiment(solvers=["random", deadly(marker, once=False)], runs=1)
    with pytest.raises(swarmkit.FailedRuns, match="its process died, also when it ran alone") as told:
        swarmkit.compare(made, backend="dask", scheduler=address, jobs=1)
    assert [f.method for f in told.value.failed] == ["deadly"]
    assert outcomes(told.value.records) == outcomes(swarmkit.compare(experiment(solvers=["random"], runs=1)))


def test_a_scheduler_that_does_not_answer_or_has_no_workers_is_a_sentence(scheduler, monkeypatch):
    monkeypatch.setattr(cluster_tasks, "PATIENCE", 1)
    address, process = scheduler
    with pytest.raises(swarmkit.UsageError, match=f"the Dask scheduler at {address} has no workers: start some with"):
        swarmkit.compare(experiment(), backend="dask", scheduler=address)
    process.kill()
    process.wait()
    with pytest.raises(swarmkit.UsageError, match=f"no Dask scheduler answers at {address}"):
        swarmkit.compare(experiment(), backend="dask", scheduler=address)


def test_a_scheduler_that_is_lost_is_a_sentence(cluster, scheduler, capfd):
    address, _ = cluster
    seen = []

    def ready(record):
        seen.append(record)
        scheduler[1].kill()

    made = experiment(solvers=["random"], runs=50, budget={"looks": 5_000_000})
    with pytest.raises(swarmkit.UsageError, match=r"the Dask scheduler was lost .* the same command continues"):
        swarmkit.compare(made, backend="dask", scheduler=address, ready=ready)
    assert seen
    assert capfd.readouterr().err == ""  # no tracebacks of Dask or asyncio


def test_a_cluster_that_has_lost_all_workers_is_a_sentence(cluster, monkeypatch, capfd):
    monkeypatch.setattr(cluster_tasks, "WORKERLESS", 1)
    address, workers = cluster

    def ready(record):
        for worker in workers:
            worker.kill()

    made = experiment(solvers=["random"], runs=50, budget={"looks": 5_000_000})
    with pytest.raises(
        swarmkit.UsageError, match=r"has lost all its workers: start some\. .* the same command continues"
    ):
        swarmkit.compare(made, backend="dask", scheduler=address, ready=ready)
    assert capfd.readouterr().err == ""


def test_results_that_died_with_their_workers_are_not_waited_for_without_end(cluster, monkeypatch):
    monkeypatch.setattr(cluster_tasks, "WORKERLESS", 1)
    address, workers = cluster
    with cluster_tasks.connect(address) as client:
        results = cluster_tasks.run_on_cluster(client, pow, [(2, 3), (3, 2)], -1)
        assert next(results)[1] in (8, 9)
        time.sleep(1)  # the other one is done, too, and held by its worker
        for worker in workers:
            worker.kill()
            worker.wait()
        with pytest.raises(swarmkit.UsageError, match="has lost all its workers"):
            next(results)


def test_tasks_are_called_in_parallel_and_numbered():
    assert list(in_order(run_tasks(pow, [(2, 3), (3, 2), (1, 9)], 2))) == [8, 9, 1]
    assert list(run_tasks(pow, [(2, 3)], 4)) == [(0, 8)]
    assert list(in_order(run_tasks(pow, [(2, 3), (3, 2)], 2, backend="threading"))) == [8, 9]
