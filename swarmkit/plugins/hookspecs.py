"""The hooks a plugin may implement. Import nothing heavy at the top of a plugin: import inside the hook."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from swarmkit.contract.problem import Problem
    from swarmkit.contract.result import Result
    from swarmkit.contract.solver import Solver
    from swarmkit.running.run import Run

hookspec = pluggy.HookspecMarker("swarmkit")
hookimpl = pluggy.HookimplMarker("swarmkit")


@hookspec
def swarmkit_problems() -> Mapping[str, type[Problem]]:  # type: ignore[empty-body]  # a hookspec has no body
    """Offer problems: name -> class."""


@hookspec
def swarmkit_solvers() -> Mapping[str, type[Solver[Any]]]:  # type: ignore[empty-body]  # likewise
    """Offer solvers: name -> class."""


@hookspec
def swarmkit_measures() -> Mapping[str, type]:  # type: ignore[empty-body]  # likewise
    """Offer measures of relatedness for word sense disambiguation: name -> class (see `swarmkit_wsd.Measure`)."""


@hookspec
def swarmkit_commands() -> Mapping[str, Callable[..., Any]]:  # type: ignore[empty-body]  # likewise
    """Offer commands: name -> function (as typer takes them) or typer.Typer of subcommands."""


@hookspec
def swarmkit_started(run: Run) -> None:
    """Watch: a run is about to make its first step, or goes on after a checkpoint."""


@hookspec
def swarmkit_stepped(run: Run) -> None:
    """Watch: a step is done; `run.progress` says how far the run is. Called often: be quick."""


@hookspec
def swarmkit_improved(run: Run) -> None:
    """Watch: the best so far has just become better."""


@hookspec
def swarmkit_finished(run: Run, result: Result) -> None:
    """Watch: the run has ended."""
