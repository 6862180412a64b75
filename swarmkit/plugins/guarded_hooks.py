"""The hooks of a plugin as pluggy calls them: one that fails is noted, and the hooks of the other plugins are called.

pluggy sees functions with the marks and signatures of the plugin's own, so that wrappers and the order of calls
(`wrapper`, `hookwrapper`, `tryfirst`, `trylast`) work as its documentation says.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator
from typing import Any, NamedTuple, Protocol

import pluggy

from swarmkit.contract.errors import PluginError
from swarmkit.plugins.hookspecs import hookimpl
from swarmkit.plugins.offers import Offered, Plugin, offered, offered_by_wrapper
from swarmkit.plugins.output import plugin_output


class Calls(Protocol):
    """What the guards need to know of the host."""

    def kind_of(self, hook: str) -> str | None:
        """Return the kind that a hook offers, None for an event."""

    def failed(self, plugin: Plugin, hook: str, error: BaseException) -> None:
        """Note that a hook of a plugin has failed."""


class Hook(NamedTuple):
    """One hook of a plugin: its name, whose it is, and whom to tell of failures."""

    name: str
    plugin: Plugin
    calls: Calls

    def fail(self, error: BaseException) -> None:
        """Note that it has failed."""
        self.calls.failed(self.plugin, self.name, error)


def guarded_hooks(manager: pluggy.PluginManager, implementation: object, plugin: Plugin, calls: Calls) -> object:
    """Return an object with the hooks of a module or object, each of them guarded."""
    guarded = GuardedHooks()
    for name in dir(implementation):
        options = manager.parse_hookimpl_opts(implementation, name)
        if options is None:
            continue
        function = getattr(implementation, name)
        guard: Callable[..., Any] = _guard_call
        if options["wrapper"] or options["hookwrapper"]:
            guard = _guard_wrapper if options["wrapper"] else _guard_old_wrapper
        hook = Hook(options["specname"] or name, plugin, calls)
        # pluggy refuses a wrapper that is no generator function, in its own words.
        wraps = guard is not _guard_call and not inspect.isgeneratorfunction(function)
        setattr(guarded, name, hookimpl(_plain(function) if wraps else guard(hook, function), **options))
    return guarded


class GuardedHooks:
    """The guarded hooks of a plugin, as attributes."""


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        return function(*arguments)

    return call


def _guard_call(hook: Hook, function: Callable[..., Any]) -> Callable[..., Any]:
    """Guard a hook; one that fails counts as one that returns nothing."""

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        kind = hook.calls.kind_of(hook.name)
        try:
            with plugin_output():
                result = function(*arguments)
                return result if kind is None else offered(kind, hook.plugin, result)
        except (Exception, SystemExit) as error:
            hook.fail(error)
            return None

    return call


def _guard_wrapper(hook: Hook, function: Callable[..., Any]) -> Callable[..., Any]:
    """Guard a wrapper; one that fails leaves the result as it is."""

    @functools.wraps(function)
    def call(*arguments: Any) -> Generator[None, Any, Any]:
        inner = function(*arguments)
        begun = _begin(hook, inner)
        result = yield
        if not begun:
            return result
        owners = _owners(result)
        try:
            return _checked(hook, _end(inner, result), owners)
        except (Exception, SystemExit) as error:
            hook.fail(error)
            return result

    return call


def _guard_old_wrapper(hook: Hook, function: Callable[..., Any]) -> Callable[..., Any]:
    """Guard a wrapper of pluggy's older kind, which gets an object with the result."""

    @functools.wraps(function)
    def call(*arguments: Any) -> Generator[None, Any, None]:
        inner = function(*arguments)
        begun = _begin(hook, inner)
        outcome = yield
        if not begun:
            return
        result = outcome.get_result()
        owners = _owners(result)
        try:
            _end(inner, outcome)
            outcome.force_result(_checked(hook, outcome.get_result(), owners))
        except (Exception, SystemExit) as error:
            hook.fail(error)
            outcome.force_result(result)

    return call


def _begin(hook: Hook, inner: Generator[None, Any, Any]) -> bool:
    """Run a wrapper up to its yield; return whether it got there."""
    try:
        with plugin_output():
            next(inner)
    except StopIteration:
        hook.fail(PluginError("the wrapper did not yield"))
    except (Exception, SystemExit) as error:
        hook.fail(error)
    else:
        return True
    return False


def _end(inner: Generator[None, Any, Any], given: Any) -> Any:
    """Run a wrapper from its yield to its end, and return what it returns."""
    try:
        with plugin_output():
            inner.send(given)
    except StopIteration as end:
        return end.value
    inner.close()
    raise PluginError("the wrapper yielded twice")


def _owners(result: Any) -> dict[int, Plugin]:
    """Return by which plugin each value was offered, by its identity."""
    mappings = result if isinstance(result, list) else [result]
    return {id(v): m.plugin for m in mappings if isinstance(m, Offered) for v in m.values()}


def _checked(hook: Hook, result: Any, owners: dict[int, Plugin]) -> Any:
    """Return what a wrapper made of the offers of a kind, each with its plugin: the wrapper's if it is new."""
    kind = hook.calls.kind_of(hook.name)
    return result if kind is None else offered_by_wrapper(kind, hook.plugin, result, owners)
