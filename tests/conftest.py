import importlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings

from swarmkit.cli import main
from swarmkit.plugins import host as plugins
from swarmkit.running import cluster as cluster_tasks

ROOT = Path(__file__).parent.parent

# Modules are compiled once, as they are for everybody, and not again in every process that the tests start.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A noisy machine, or a kernel that is compiled on its first call, is no failure.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


LONG = "SWARMKIT_LONG_TESTS"
"""Set where `--long` was given: fuzz tests, which are decorated before a test could ask, take more examples."""


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="run tests marked long, and 20 times the examples of fuzzing")


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes minutes; runs with --long")
    if config.getoption("--long"):
        os.environ[LONG] = "1"


def kernel_modules():
    """The names of the modules that hold kernels, in alphabetical order."""
    roots = (ROOT, ROOT / "algorithms", ROOT / "problems")
    files = [path.relative_to(root) for root in roots for path in root.glob("swarmkit*/**/*.py")]
    kernels = [file for file in files if "kernel" in f"{file.parent.name} {file.stem}" and file.stem != "__init__"]
    return sorted(".".join(file.with_suffix("").parts) for file in kernels)


def pytest_sessionstart(session):
    """Compile the kernels, every second worker in reverse order: what one has compiled, the others read from disk."""
    worker = getattr(session.config, "workerinput", {}).get("workerid")
    if worker is not None:
        for name in kernel_modules()[:: -1 if int(worker.removeprefix("gw")) % 2 else 1]:
            importlib.import_module(name)


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--long"):
        for item in items:
            if item.get_closest_marker("long"):
                item.add_marker(pytest.mark.skip(reason="needs --long"))


class Said(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def cli(monkeypatch, capfd, tmp_path):
    """Run the command line in this process, in an empty directory, and give what it said."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Said:
        monkeypatch.setattr(sys, "argv", ["swarmkit", *arguments])
        capfd.readouterr()
        with pytest.raises(SystemExit) as exit_:
            main()
        said = capfd.readouterr()
        code = exit_.value.code
        return Said(0 if code is None else int(code), said.out, said.err)

    return call


@pytest.fixture
def own_host(monkeypatch, tmp_path):
    """Let a test change what is registered without anybody else noticing."""
    plugins._host.cache_clear()
    monkeypatch.delenv(plugins.ENVIRONMENT, raising=False)
    path = list(sys.path)
    yield plugins.host
    plugins._host.cache_clear()
    sys.path[:] = path
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def command():
    """Start the real command in a process of its own."""

    def start(*arguments: str, **options) -> subprocess.Popen:
        code = "import sys; from swarmkit.cli import main; main()"
        return subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,
        )

    return start


def wait_for(condition, seconds=60):
    patience = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < patience
        time.sleep(0.05)


@pytest.fixture
def start_dask(tmp_path, monkeypatch):
    """Start a real Dask scheduler or worker, however long that takes; kill those that are left at the end."""
    monkeypatch.setattr(cluster_tasks, "PATIENCE", 60)
    started = []

    def begin(role, *arguments, **settings):
        log = (tmp_path / f"{len(started)}.log").open("w")
        code = "import sys; from distributed.cli import dask_scheduler, dask_worker; "
        code += f"sys.argv[0] = 'dask'; dask_{role}.main()"
        options = {"stdout": log, "stderr": log, "start_new_session": True, "cwd": tmp_path}
        quiet = ("--host", "127.0.0.1", "--no-dashboard")
        command = [sys.executable, "-c", code, *arguments, *quiet]
        path = {"PYTHONPATH": str(ROOT)}  # before site-packages, where other distributions have a package 'tests'
        started.append(subprocess.Popen(command, env=os.environ | path | settings, **options))
        log.close()
        return started[-1]

    yield begin
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.fixture
def scheduler(request, start_dask, tmp_path):
    """The address of a real scheduler, and its process; a parameter sets environment variables."""
    file = tmp_path / "scheduler.json"
    process = start_dask("scheduler", "--port", "0", "--scheduler-file", str(file), **getattr(request, "param", {}))
    wait_for(lambda: file.exists() and file.read_text().rstrip().endswith("}"))
    return json.loads(file.read_text())["address"], process


@pytest.fixture
def cluster(start_dask, scheduler, tmp_path):
    """A real scheduler and two workers of one core each."""
    address, _ = scheduler
    options = ("--no-nanny", "--nthreads", "1", "--local-directory", str(tmp_path))
    return address, [start_dask("worker", address, *options) for _ in range(2)]
