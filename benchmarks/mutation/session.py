"""A plugin of pytest for tests of a mutant: the session ends when its CPU time is used up, and failed tests are listed.

`MUTATION_SECONDS` is the CPU time after which no further test begins; `MUTATION_FAILED` names the file of the list.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SECONDS, FAILED = "MUTATION_SECONDS", "MUTATION_FAILED"


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note a test that failed, or whose fixtures did."""
    if report.failed:
        _note(report.nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Note a file that cannot be imported."""
    if report.failed:
        _note(report.nodeid)


def pytest_runtest_logfinish() -> None:
    """End the session if the time is used up."""
    if sum(os.times()[:4]) > float(os.environ[SECONDS]):
        pytest.exit("the time is used up", returncode=0)


def _note(nodeid: str) -> None:
    with Path(os.environ[FAILED]).open("a", encoding="utf-8") as file:
        file.write(f"{nodeid}\n")
