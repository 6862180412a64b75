"""Plugins, what they offer (problems, solvers, commands, whatever hooks of plugins are for), and their guarded hooks.

pluggy sees functions with the marks and signatures of the plugin's own, so that wrappers and the order of calls
(`wrapper`, `hookwrapper`, `tryfirst`, `trylast`) work as its documentation says. A hook that fails is noted, and the
hooks of the other plugins are called.
"""

from __future__ import annotations

import functools
import inspect
import pkgutil
import re
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import pluggy

from swarmkit.contract.errors import PluginError, UsageError
from swarmkit.plugins.hookspecs import hookimpl
from swarmkit.plugins.output import plugin_output

PLACE = re.compile(r"(\w+\.)*\w+:(\w+\.)*\w+")
"""Where a class or function is: `swarmkit_bees.dbees:DBees`."""

PATIENCE = 5.0
"""Seconds after which an import or a hook that goes on is named."""


@contextmanager
def plugin_guard(title: str) -> Iterator[None]:
    """Run an import or a hook of a plugin: what it prints goes to stderr, and if it goes on for long, it is named.

    Raises:
        PluginError: the code has raised KeyboardInterrupt without a signal, which is no reason to end the program.
    """
    timer = threading.Timer(PATIENCE, _name_slow, [title])
    timer.daemon = True
    timer.start()
    try:
        with _noting_signals() as signals, plugin_output():
            yield
    except KeyboardInterrupt as error:
        if signals:
            raise
        raise PluginError("it raised KeyboardInterrupt") from error
    finally:
        timer.cancel()


@contextmanager
def _noting_signals() -> Iterator[list[int]]:
    """Yield the list of the signals that are handled inside by what handles them anyway: Ctrl-C and SIGTERM."""
    signals: list[int] = []
    handlers: dict[int, Callable[..., Any]] = {}
    if threading.current_thread() is threading.main_thread():  # no other thread can handle signals
        handlers = {n: handler for n in (signal.SIGINT, signal.SIGTERM) if callable(handler := signal.getsignal(n))}

    def note(number: int, frame: Any) -> None:
        signals.append(number)
        handlers[number](number, frame)

    try:
        for number in handlers:
            signal.signal(number, note)
        yield signals
    finally:
        for number, handler in handlers.items():
            if signal.getsignal(number) is note:  # else the plugin has brought its own
                signal.signal(number, handler)


def _name_slow(title: str) -> None:
    way = "Ctrl-C ends the program; SWARMKIT_PLUGINS=-NAME leaves an installed plugin out"
    print(f"swarmkit: {title} is still being loaded or called after {PATIENCE:g} seconds; {way}", file=sys.stderr)


@dataclass(eq=False)
class Plugin:
    """One plugin: where it comes from, its hooks, and its error if it is broken."""

    name: str
    source: str
    version: str | None = None
    error: str | None = None
    implementation: object = None
    """The module or object that implements the hooks; None if it could not be loaded."""
    hooks: object = None
    """The hooks as pluggy calls them; None if the plugin could not be registered."""
    digest: str | None = None
    """A hash of a single file, which results note in place of a version."""

    @property
    def provenance(self) -> str:
        """Distribution and version, or the file."""
        return f"{self.source} {self.version}" if self.version else self.source

    @property
    def title(self) -> str:
        """The name and the provenance, for messages."""
        return f"plugin '{self.name}' ({self.provenance})"

    @contextmanager
    def note_errors(self, prefix: str = "") -> Iterator[None]:
        """Run code of the plugin: whatever it raises becomes its error, what it prints goes to stderr."""
        try:
            with plugin_guard(self.title):
                yield
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            # A list of broken plugins has the title beside the error.
            self.error = prefix + message_of(error).removeprefix(f"{self.title}: ")


@dataclass(eq=False)
class Registration:
    """A problem, solver or command (or something else that a hook offers), and the plugin that offers it."""

    kind: str
    name: str
    content: Any
    """What the hook returned: the value, or text that says where it is (PLACE)."""
    plugin: Plugin

    @cached_property
    def value(self) -> Any:
        """What is offered, imported when it is first asked for.

        Raises:
            PluginError: it cannot be imported, or is nothing of the kind.
        """
        if not is_place(self.content):
            return self.content
        try:
            with plugin_guard(self.plugin.title):
                value = pkgutil.resolve_name(self.content)
            _check(self.kind, self.name, value)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            place = f"{self.kind} '{self.name}' cannot be imported from '{self.content}'"
            raise PluginError(f"{self.plugin.title}: {place} ({message_of(error)})") from error
        return value

    @property
    def is_importable(self) -> bool:
        """Whether it can be imported; if not, the reason becomes the error of its plugin."""
        with self.plugin.note_errors(f"swarmkit_{self.kind}s: "):
            _ = self.value
            return True
        return False

    def is_of(self, value: type) -> bool:
        """Return whether it offers a class; nothing is imported to find out."""
        return value is self.content or value is vars(self).get("value") or self.content == _place_of(value)


class Registrations(dict[str, Any]):
    """What one plugin offers of a kind, by name."""

    plugin: Plugin


def is_place(value: object) -> bool:
    """Return whether a value is text that says where a class or function is.

    >>> is_place("swarmkit_bees.dbees:DBees"), is_place("swarmkit_bees.dbees.DBees")
    (True, False)
    """
    return isinstance(value, str) and PLACE.fullmatch(value) is not None


def registrations(kind: str, plugin: Plugin, values: Mapping[str, Any]) -> Registrations:
    """Return what a plugin offers of a kind; something else than the kind is a PluginError."""
    if not isinstance(values, Mapping):
        raise PluginError(f"the hook returned {values!r}; expected a dictionary with each {kind} by its name")
    for name, value in values.items():
        if not isinstance(name, str) or not name:
            raise PluginError(f"{kind} names are text, got {name!r}")
        if not is_place(value):  # what a place leads to is checked when it is imported
            _check(kind, name, value)
    result = Registrations(values)
    result.plugin = plugin
    return result


def registrations_by_wrapper(kind: str, plugin: Plugin, result: Any, before: Any) -> list[Registrations]:
    """Return what a plugin's wrapper made of the offers of a kind, each with the plugin that offered it first.

    Args:
        kind: what is offered: `solver`.
        plugin: the plugin of the wrapper.
        result: what the wrapper returned.
        before: the offers as the wrapper got them.
    """
    if not all(isinstance(mapping, Mapping) for mapping in _mappings(result)):
        raise PluginError(f"the wrapper made {result!r} of the offers; expected a list of mappings, as it was given")
    # By content, because a wrapper may have made new dictionaries of the same offers.
    owners = {_place_of(v): m.plugin for m in _mappings(before) if isinstance(m, Registrations) for v in m.values()}
    return [
        registrations(kind, owners.get(_place_of(value), plugin), {name: value})
        for mapping in _mappings(result)
        for name, value in mapping.items()
    ]


def _mappings(result: Any) -> list[Any]:
    """Return the results of a hook as a list: of a hook that takes the first result, pluggy returns that alone."""
    return result if isinstance(result, list) else [result]


def _place_of(value: object) -> object:
    """Return where a class is, in the words of the plugin that offers it; of anything else, text or its identity."""
    if isinstance(value, type):
        return f"{value.__module__}:{value.__qualname__}"
    return value if isinstance(value, str) else id(value)


def _check(kind: str, name: str, value: Any) -> None:
    """Refuse what is not of the type that the hook is for, before it is used."""
    if kind not in ("problem", "solver"):
        return
    from swarmkit.contract.problem import Problem
    from swarmkit.contract.solver import Solver, lacks_steps

    expected: type = Problem if kind == "problem" else Solver
    if not (isinstance(value, type) and issubclass(value, expected)):
        expectation = f"a subclass of swarmkit.{expected.__name__}, or where it is: 'module:Class'"
        raise PluginError(f"'{name}' is {value!r}; expected {expectation}")
    # Python refuses abstract classes when they are made; here the plugin is named, and before a run.
    missing = sorted(getattr(value, "__abstractmethods__", ()))
    if issubclass(value, Solver) and lacks_steps(value):
        missing.append("step or steps")
    if missing:
        raise PluginError(f"{kind} '{name}' does not define {', '.join(missing)}")


def message_of(error: BaseException) -> str:
    """Return an error as a plugin's `error`."""
    return (
        text_of(error) if isinstance(error, PluginError | UsageError) else f"{type(error).__name__}: {text_of(error)}"
    )


def text_of(error: BaseException) -> str:
    """Return the text of an error, whose `__str__` may be a plugin's and fail itself."""
    try:
        return str(error)
    except BaseException as fault:
        return f"its text cannot be read: {type(fault).__name__}"


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
            # A plain hook; wrappers are generators and need a guard of their own.
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
                return result if kind is None else registrations(kind, self._plugin, result)
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
                    result = result if kind is None else registrations_by_wrapper(kind, self._plugin, value, result)
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
            with plugin_guard(self._plugin.title):
                yield
        except KeyboardInterrupt:
            raise
        except BaseException as error:
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
