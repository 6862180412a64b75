"""The hooks a plugin may implement. Import nothing heavy at the top of a plugin: say where things are instead.

A hook named `swarmkit_KINDs` without arguments offers things of a kind, by name: `swarmkit_solvers` offers solvers. It
returns a dictionary from each name to the thing itself or, better, to where that is, as "module:name"; it is imported
when somebody asks for it: `{"dbees": "swarmkit_bees.dbees:DBees"}`. A plugin may bring specifications of such hooks, or
of others, itself (`swarmkit_hookspecs`); `swarmkit.find(kind, name)` and `swarmkit list` then know the kind as they
know problems and solvers.
"""

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
"""Marks the declaration of a hook, in the module or object that `swarmkit_hookspecs` returns."""

hookimpl = pluggy.HookimplMarker("swarmkit")
"""Marks the function of a plugin that implements a hook."""


@hookspec
def swarmkit_hookspecs() -> object:
    """Bring hook specifications: return a module or an object whose functions are marked with `swarmkit.hookspec`.

    It is called before any plugin is registered, so a plugin may implement the hooks of another, whatever their order.
    """


@hookspec
def swarmkit_problems() -> Mapping[str, type[Problem] | str]:  # type: ignore[empty-body]  # a hookspec has no body
    """Offer problems: name -> class, or where it is."""


@hookspec
def swarmkit_solvers() -> Mapping[str, type[Solver[Any]] | str]:  # type: ignore[empty-body]  # likewise
    """Offer solvers: name -> class, or where it is."""


@hookspec
def swarmkit_commands() -> Mapping[str, Callable[..., Any] | str]:  # type: ignore[empty-body]  # likewise
    """Offer commands: name -> function (as typer takes them) or typer.Typer of subcommands, or where it is.

    A name of two words, such as `experiment dbees-2014`, is a command in a group that several plugins may add to.
    """


@hookspec
def swarmkit_started(run: Run) -> None:
    """Observe that a run is about to make its first step, or to continue from a checkpoint."""


@hookspec
def swarmkit_stepped(run: Run) -> None:
    """Observe that a step is done; `run.progress` is up to date. Called often: be quick."""


@hookspec
def swarmkit_improved(run: Run) -> None:
    """Observe that the run has found a better solution than before."""


@hookspec
def swarmkit_finished(run: Run, result: Result) -> None:
    """Observe that the run has ended."""
