"""Observers of runs: plugins and objects that are notified of events; one that fails is left out, the run continues."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pluggy import HookCaller

from swarmkit.contract.solver import UNLIMITED
from swarmkit.plugins.host import host
from swarmkit.plugins.offers import Plugin

PAUSE = "pause_at"
"""The method by which an observer says at how many looks of the run the next step should have ended."""

EVENTS = ("swarmkit_started", "swarmkit_stepped", "swarmkit_improved", "swarmkit_finished")
"""The events of a run, in the order in which they first occur."""


class Callback(NamedTuple):
    """A method of an observer, and the name of its class."""

    owner: str
    method: Callable[..., Any]


class Observers:
    """The observers of one run: those of all plugins, called by pluggy, and the objects given to it.

    An observer is any object with some of the methods `swarmkit_started(run)`, `swarmkit_stepped(run)`,
    `swarmkit_improved(run)`, `swarmkit_finished(run, result)`. With `pause_at(run)` it returns the looks at which the
    next step should have ended: a run is the same run wherever it pauses, so this changes only when it is observed.
    """

    def __init__(self, observers: Sequence[object] = ()) -> None:
        self._host = host()
        self._failed: dict[str, list[Plugin]] = {event: [] for event in EVENTS}
        self._callers = {event: self._caller(event) for event in EVENTS}
        self._callbacks = {
            event: [Callback(type(o).__name__, getattr(o, event)) for o in observers if hasattr(o, event)]
            for event in (*EVENTS, PAUSE)
        }

    def pause_at(self, run: Any) -> int:
        """Return the fewest looks at which an observer wants the next step to have ended."""
        return min((int(looks) for looks in self._call(PAUSE, {"run": run})), default=UNLIMITED)

    def notify(self, event: str, **arguments: Any) -> None:
        """Call every observer of an event."""
        caller = self._callers[event]
        if caller is not None:
            for plugin, error in self._host.notify(caller, arguments):
                self._failed[event].append(plugin)
                self._callers[event] = self._caller(event)
                _warn(f"plugin '{plugin.name}' ({plugin.provenance})", event, error)
        self._call(event, arguments)

    def _call(self, name: str, arguments: dict[str, Any]) -> list[Any]:
        """Call a method of all objects that have it, and return what they return; one that fails is left out."""
        returned = []
        for callback in list(self._callbacks[name]):
            try:
                returned.append(callback.method(**arguments))
            except Exception as error:
                self._callbacks[name].remove(callback)
                _warn(callback.owner, name, error)
        return returned

    def _caller(self, event: str) -> HookCaller | None:
        """Return what calls the hook of the plugins that have not failed in this run, None if there are none."""
        caller = self._host.caller(event, without=self._failed[event])
        return caller if caller.get_hookimpls() else None


def _warn(owner: str, event: str, error: BaseException) -> None:
    message = f"{owner}: {event} failed and is left out from now on ({type(error).__name__}: {error})"
    warnings.warn(message, RuntimeWarning, stacklevel=4)
