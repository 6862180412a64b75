"""Runs on other processes and machines: the same outcome, whatever dies on the way."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

import swarmkit
from swarmkit.plugins.host import host
from tests.test_comparison import experiment, outcomes

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
        return swarmkit.Found(X[scores.argmax()], float(scores.max()), looks=X.size)


@swarmkit.hookimpl
def swarmkit_solvers():
    return {"deadly": Deadly}
"""


@pytest.fixture
def marker(own_host, tmp_path):
    """Load the plugin from its file, and give the file that makes it kill."""
    (tmp_path / "deadly_plugin.py").write_text(PLUGIN)
    assert host().load_file(tmp_path / "deadly_plugin.py").error is None
    return tmp_path / "marker"


def deadly(marker, once=True):
    return {"name": "deadly", "params": {"marker": str(marker), "once": once}}


def test_the_runs_of_a_process_that_dies_are_redone(marker):
    made = experiment(solvers=[deadly(marker), "random"], runs=4)
    straight = swarmkit.compare(made)
    marker.touch()
    assert outcomes(swarmkit.compare(made, jobs=2)) == outcomes(straight)
    assert not marker.exists()


def test_a_run_that_always_kills_its_process_is_told_and_the_rest_goes_on(marker):
    marker.touch()
    with pytest.raises(swarmkit.FailedRuns, match="its process died, alone too") as told:
        swarmkit.compare(experiment(solvers=[deadly(marker, once=False), "random"], runs=1), jobs=2)
    assert [f.method for f in told.value.failed] == ["deadly"]
    assert [r.method for r in told.value.records] == ["random"]


def test_a_backend_that_is_not_there_is_told_with_what_is_missing():
    with pytest.raises(swarmkit.UsageError, match="no backend named 'quantum'"):
        swarmkit.compare(experiment(), backend="quantum")
    with pytest.raises(swarmkit.UsageError, match="needs the address of a scheduler"):
        swarmkit.compare(experiment(), backend="dask")
    with pytest.raises(swarmkit.UsageError, match="goes with the backend 'dask'"):
        swarmkit.compare(experiment(), jobs=2, scheduler="tcp://127.0.0.1:1")


@pytest.fixture
def cluster(tmp_path):
    """Start a real scheduler and two workers, and give its address and theirs; end what is left of them."""
    started = []

    def start(*arguments):
        log = (tmp_path / f"{len(started)}.log").open("w")
        code = "import sys; from distributed.cli import dask_scheduler, dask_worker; "
        code += f"sys.argv[0] = 'dask'; dask_{arguments[0]}.main()"
        options = {"stdout": log, "stderr": log, "start_new_session": True, "cwd": tmp_path}
        started.append(subprocess.Popen([sys.executable, "-c", code, *arguments[1:]], **options))
        log.close()
        return started[-1]

    file = tmp_path / "scheduler.json"
    start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
    _wait(file.exists)
    address = json.loads(file.read_text())["address"]
    quiet = (
        "--no-dashboard",
        "--no-nanny",
        "--nthreads",
        "1",
        "--host",
        "127.0.0.1",
        "--local-directory",
        str(tmp_path),
    )
    workers = [start("worker", address, *quiet) for _ in range(2)]
    yield address, workers
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _wait(condition):
    patience = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < patience
        time.sleep(0.05)


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
