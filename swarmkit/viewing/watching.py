"""Watch a run in a notebook while it goes on in the background of the kernel."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from swarmkit.contract.errors import MissingError, UsageError, install_hint
from swarmkit.contract.problem import Problem
from swarmkit.contract.solver import Solver
from swarmkit.plugins.factory import DEFAULT_SOLVER
from swarmkit.running.api import read_keywords, solve

if TYPE_CHECKING:
    from swarmkit.contract.result import Result
    from swarmkit.viewing.widget import WatchedRun


def watch(problem: Problem | str, solver: Solver[Any] | str = DEFAULT_SOLVER, **options: Any) -> WatchedRun:
    """Run a solver in the background, and return a widget that shows the run in a notebook while it goes on.

    `.result` waits for the end and returns what `solve` would return; `.stop()` ends the run early; `.recording` is the
    recording so far. Outside of notebooks there is nothing to see, and all of these work.

    Args:
        problem: a problem, or the name of a registered one with its default options.
        solver: a solver, or the name of a registered one; without it `auto` chooses.
        options: the other arguments of `solve`: seed, budget, params, start, fixed and so on.

    Raises:
        MissingError: anywidget is not installed.
    """
    try:
        from swarmkit.viewing.widget import WatchedRun
    except ImportError:
        hint = install_hint("notebook")
        raise MissingError(f"watch needs anywidget, which the extra 'notebook' installs: {hint}") from None
    try:
        read_keywords(inspect.signature(solve).bind(problem, solver, **options).arguments.get("limits", {}))
    except (TypeError, UsageError) as error:
        raise UsageError(f"watch takes the arguments of solve: {error}") from None
    # Another run of the notebook may score rows of the same problem meanwhile: each has a meter of its own.
    metered = problem if isinstance(problem, str) else problem.with_own_meter()
    observers = tuple(options.pop("observers", ()))

    def run(viewers: Sequence[object]) -> Result:
        return solve(metered, solver, observers=(*viewers, *observers), **options)

    widget = WatchedRun(run)
    widget.begin()
    return widget
