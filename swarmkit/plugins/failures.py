"""Errors in the code of plugins, with the plugin's name, its distribution, the method and the line."""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

from swarmkit.contract.errors import PluginFailure, ProblemError, SolverError, SwarmkitError
from swarmkit.plugins.output import plugin_output
from swarmkit.plugins.registration import Plugin, text_of

TRACEBACK = "SWARMKIT_TRACEBACK"
"""The environment variable behind the option --traceback: workers inherit it."""


@contextmanager
def plugin_code() -> Iterator[None]:
    """Run code of plugins: what it prints goes to stderr, and what it raises is told with the plugin's name.

    An error in code that no plugin offers, such as a problem of a Python program that calls `solve`, is left as it is.

    Raises:
        PluginFailure: a plugin raised an error, called sys.exit or was cancelled.
    """
    with plugin_output():
        try:
            yield
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # sys.exit, and what asynchronous code is cancelled with, too
            failure = name_plugin(error)
            if failure is None:
                raise
            if os.environ.get(TRACEBACK):
                traceback.print_exception(error)
            raise failure from error


def sentence_of(error: BaseException) -> str:
    """Return an error as a sentence for people; one that nobody is to blame for is an internal error."""
    if isinstance(error, MemoryError):
        return f"not enough memory ({error or 'no more can be allocated'}); something smaller would fit"
    failure = name_plugin(error) or error
    text = text_of(failure)
    return text if isinstance(failure, SwarmkitError) else f"internal error: {type(error).__name__}: {text}"


def name_plugin(error: BaseException) -> SwarmkitError | None:
    """Return the error that names the plugin in whose code another one was raised; None if no plugin is to blame."""
    if isinstance(error, ProblemError | SolverError):
        return _breach(error)
    if isinstance(error, SwarmkitError):
        return None
    # Innermost first: a plugin may be called by another one, and the one that raised is to blame.
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        plugin = _owner(str(frame.f_globals.get("__name__", "")), frame.f_code)
        if plugin is not None:
            where = f"{_function_name(frame.f_code)} failed at {frame.f_code.co_filename}:{line}"
            text = text_of(error)
            words = f"{type(error).__name__}: {text}" if text else type(error).__name__
            hint = "" if os.environ.get(TRACEBACK) else "; --traceback shows the traceback"
            return PluginFailure(f"{plugin.title}: {where} ({words}){hint}")
    return None


def _breach(error: ProblemError | SolverError) -> SwarmkitError | None:
    """Return a breach of the contract with the plugin of the problem or solver that is to blame."""
    about = None if hasattr(error, "plugin") else _object_of(error)
    if about is None:
        return None
    code = _method(type(about), str(error), "score" if isinstance(error, ProblemError) else "step")
    plugin = _owner(type(about).__module__, code)
    if plugin is None:
        return None
    where = f" ({_function_name(code)}: {code.co_filename}:{code.co_firstlineno})" if code else ""
    failure = type(error)(f"{plugin.title}: {error}{where}")
    failure.plugin = plugin.name  # type: ignore[union-attr]  # a mark that it is named
    return failure


def _object_of(error: ProblemError | SolverError) -> Any:
    """Return the problem or solver that was being checked where the error was raised."""
    from swarmkit.contract.problem import Problem
    from swarmkit.contract.solver import Solver

    name, kind = ("problem", Problem) if isinstance(error, ProblemError) else ("solver", Solver)
    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):
        owner = frame.f_locals.get("self")
        for about in (owner, frame.f_locals.get(name), getattr(owner, name, None)):
            if isinstance(about, kind):
                return getattr(about, "solver", about)  # not the one that applies a solver to the parts of a problem
    return None


def _method(kind: type, message: str, usual: str) -> CodeType | None:
    """Return the code of the method that a message names (`Mine.feasible must…`), or of the usual one."""
    words = re.match(rf"{re.escape(kind.__name__)}\.(\w+)", message)
    method = getattr(kind, words[1] if words else usual, None)
    method = getattr(method, "__wrapped__", method)
    code = getattr(method, "__code__", None)
    return code if isinstance(code, CodeType) else None


def _owner(module: str, code: CodeType | None) -> Plugin | None:
    """Return the plugin that a module belongs to.

    A worker does not load single-file plugins; their classes are sent to it, with modules that it cannot know.
    """
    from swarmkit.plugins.host import host

    plugin = host().owner(module)
    # A worker process: the class was sent by value, and its file is known by the code alone.
    if plugin is None and module.isidentifier() and module not in sys.modules and code is not None:
        return Plugin(module, code.co_filename)
    return plugin


def _function_name(code: CodeType) -> str:
    """Return the name of a function as its author reads it.

    >>> _function_name((lambda: 0).__code__)
    '<lambda>'
    """
    return code.co_qualname.rpartition("<locals>.")[2]
