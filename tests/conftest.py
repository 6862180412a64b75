import importlib
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings

from swarmkit import MissingError
from swarmkit.cli import main
from swarmkit.plugins import host as plugins
from swarmkit.running import cluster as cluster_tasks

ROOT = Path(__file__).parent.parent

pytest_plugins = ["tests.word_senses"]

collect_ignore = ["data"]  # a package of version 0.2 there warns of what is deprecated, and has no doctests

# Modules are compiled once, as they are for everybody, and not again in every process that the tests start.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A noisy machine, or a kernel that is compiled on its first call, is no failure.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


LONG = "SWARMKIT_LONG_TESTS"
"""Set where `--long` was given: fuzz tests, which are decorated before a test could ask, take more examples."""

TOO_LONG_ASIDE = "x" * 250
"""The name of a file that nobody can write, the administrator included, and whose folder can be written to: the name
of the file that is written aside and then renamed is longer, and too long."""


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
    """Let Ctrl-C interrupt, and compile the kernels.

    A shell's background job, and what nohup or a scheduler starts, ignores SIGINT, and so does every process that it
    starts: the tests of Ctrl-C must not depend on that. Every second worker compiles in reverse order: what one has
    compiled, the others read from disk.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
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


@pytest.fixture(scope="session")
def source():
    """The real WordNet: on this machine, or fetched once into the user's cache; without both the test is skipped."""
    from swarmkit_lexicon.fetch import obtain, obtain_ic

    try:
        wordnet = obtain()
        obtain_ic(source=wordnet)
    except MissingError as error:
        pytest.skip(f"needs WordNet: {error}")
    return wordnet


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
def start_process():
    """Start processes as `Popen` does, each in a group of its own; at the end kill what is left of the groups."""
    processes = []

    def start(command: list[str], **options) -> subprocess.Popen:
        processes.append(subprocess.Popen(command, start_new_session=True, **options))
        return processes[-1]

    yield start
    for process in processes:
        with process, suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture
def command(start_process):
    """Start the real command in a process of its own."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}

    def start(*arguments: str, **options) -> subprocess.Popen:
        code = "import sys; from swarmkit.cli import main; main()"
        return start_process([sys.executable, "-c", code, *arguments], **pipes | options)

    return start


def wait_for(condition, seconds=60):
    patience = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < patience
        time.sleep(0.05)


@pytest.fixture
def start_dask(start_process, tmp_path, monkeypatch):
    """Start a real Dask scheduler or worker, however long that takes."""
    monkeypatch.setattr(cluster_tasks, "PATIENCE", 60)

    def begin(role, *arguments, **settings):
        code = "import sys; from distributed.cli import dask_scheduler, dask_worker; "
        code += f"sys.argv[0] = 'dask'; dask_{role}.main()"
        quiet = ("--host", "127.0.0.1", "--no-dashboard")
        command = [sys.executable, "-c", code, *arguments, *quiet]
        path = {"PYTHONPATH": str(ROOT)}  # before site-packages, where other distributions have a package 'tests'
        with (tmp_path / "dask.log").open("a") as log:
            return start_process(command, env=os.environ | path | settings, stdout=log, stderr=log, cwd=tmp_path)

    return begin


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
