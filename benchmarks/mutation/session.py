"""A plugin of pytest for tests of a mutant: the session ends when its CPU time is used up, and failed tests are listed.

`MUTATION_SECONDS` is the CPU time after which no further test begins; `MUTATION_FAILED` names the file of the list, and
`MUTATION_TIMES` one with the CPU time of tests in earlier sessions: quick ones run first, so that more of them run.
"""

from __future__ import annotations

import json
import os
from bisect import bisect
from collections.abc import Iterator
from pathlib import Path

import pytest

SECONDS, FAILED, TIMES = "MUTATION_SECONDS", "MUTATION_FAILED", "MUTATION_TIMES"

CLASSES = (0.5, 2.0, 8.0)
"""CPU seconds that separate classes of tests; within a class tests keep their order, which is by relevance."""

_times: dict[str, float] = {}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort tests by the class of their time."""
    file = Path(os.environ[TIMES])
    _times.update(json.loads(file.read_text(encoding="utf-8")) if file.exists() else {})
    items.sort(key=lambda item: bisect(CLASSES, _times.get(item.nodeid, 0.0)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Measure a test, and end the session if the time is used up."""
    before = _cpu_seconds()
    result = yield
    _times[item.nodeid] = _cpu_seconds() - before
    if _cpu_seconds() > float(os.environ[SECONDS]):
        pytest.exit("the time is used up", returncode=0)
    return result


def pytest_unconfigure() -> None:
    """Write the times."""
    Path(os.environ[TIMES]).write_text(json.dumps(_times), encoding="utf-8")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note a test that failed, or whose fixtures did."""
    if report.failed:
        _note(report.nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Note a file that cannot be imported."""
    if report.failed:
        _note(report.nodeid)


def _cpu_seconds() -> float:
    return sum(os.times()[:4])


def _note(nodeid: str) -> None:
    with Path(os.environ[FAILED]).open("a", encoding="utf-8") as file:
        file.write(f"{nodeid}\n")
