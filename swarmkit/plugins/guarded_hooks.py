"""The hooks of a plugin as pluggy calls them: one that fails is noted, and the hooks of the other plugins are called.

pluggy sees functions with the marks and signatures of the plugin's own, so that wrappers and the order of calls
(`wrapper`, `hookwrapper`, `tryfirst`, `trylast`) work as its documentation says.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import pluggy

from swarmkit.contract.errors import PluginError
from swarmkit.plugins.hookspecs import hookimpl
from swarmkit.plugins.offers import Plugin, offered, offered_by_wrapper
from swarmkit.plugins.output import plugin_output


class Failure(NamedTuple):
    """The result of a hook that failed in an event: its plugin, and the error."""

    plugin: Plugin
    error: BaseException


class GuardedHooks:
    """The guarded hooks of one plugin, as attributes.

    Args:
        manager: reads the marks of the plugin's functions.
        plugin: a plugin that is loaded.
        kinds: what each hook offers, by the hook's name; hooks that are not there are events. It may grow.
    """

    def __init__(self, manager: pluggy.PluginManager, plugin: Plugin, kinds: Mapping[str, str]) -> None:
        self._plugin, self._kinds = plugin, kinds
        for name in dir(plugin.implementation):
            options = manager.parse_hookimpl_opts(plugin.implementation, name)
            if options is None:
                continue
            function = getattr(plugin.implementation, name)
            hook = options["specname"] or name
            if not options["wrapper"] and not options["hookwrapper"]:
                function = hookimpl(self._guard(hook, function), **options)
            elif inspect.isgeneratorfunction(function):  # pluggy refuses others, in its own words
                new: pluggy.HookimplOpts = {**options, "wrapper": True, "hookwrapper": False}
                function = hookimpl(self._guard_wrapper(hook, function, old=options["hookwrapper"]), **new)
            setattr(self, name, function)

    def _guard(self, hook: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Guard a hook; one that fails offers nothing, and in an event its result is the failure."""

        @functools.wraps(function)
        def call(*arguments: Any) -> Any:
            failures: list[Failure] = []
            with self._note_errors(hook, failures):
                result, kind = function(*arguments), self._kinds.get(hook)
                return result if kind is None else offered(kind, self._plugin, result)
            return failures[0] if failures else None

        return call

    def _guard_wrapper(self, hook: str, function: Callable[..., Any], old: bool) -> Callable[..., Any]:
        """Guard a wrapper, of pluggy's older kind too; one that fails leaves the result as it is."""

        @functools.wraps(function)
        def call(*arguments: Any) -> Generator[None, Any, Any]:
            failures: list[Failure] = []
            inner, running = function(*arguments), False
            with self._note_errors(hook, failures):
                running = _begin(inner)
            result = yield
            if running:
                with self._note_errors(hook, failures):
                    value, kind = _end(inner, result, old), self._kinds.get(hook)
                    result = result if kind is None else offered_by_wrapper(kind, self._plugin, value, result)
            return [*result, *failures] if failures else result

        return call

    @contextmanager
    def _note_errors(self, hook: str, failures: list[Failure]) -> Iterator[None]:
        """Note what a hook raises: as the plugin's error if it offers something, as a failure in an event."""
        if hook in self._kinds:
            with self._plugin.note_errors(f"{hook}: "):
                yield
            return
        try:
            with plugin_output():
                yield
        except (Exception, SystemExit) as error:
            failures.append(Failure(self._plugin, error))


def _begin(inner: Generator[None, Any, Any]) -> bool:
    """Run a wrapper up to its yield."""
    for _ in inner:
        return True
    raise PluginError("the wrapper did not yield")


def _end(inner: Generator[None, Any, Any], result: Any, old: bool) -> Any:
    """Run a wrapper from its yield to its end, and return what it makes of the result."""
    outcome = pluggy.Result.from_call(lambda: result)
    try:
        inner.send(outcome if old else result)
    except StopIteration as end:
        return outcome.get_result() if old else end.value
    inner.close()
    raise PluginError("the wrapper yielded twice")
