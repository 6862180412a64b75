import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings

from swarmkit.cli import main
from swarmkit.plugins import host as plugins

ROOT = Path(__file__).parent.parent

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
    plugins.host.cache_clear()
    monkeypatch.delenv(plugins.ENVIRONMENT, raising=False)
    path = list(sys.path)
    yield plugins.host
    plugins.host.cache_clear()
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
