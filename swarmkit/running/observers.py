"""Observers of runs: plugins and objects that are notified of events; one that fails is left out, the run continues."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from swarmkit.plugins.host import host

EVENTS = ("swarmkit_started", "swarmkit_stepped", "swarmkit_improved", "swarmkit_finished")
"""The events of a run, in the order in which they first occur."""


class Callback(NamedTuple):
    """A function to call at an event: whose it is, and the arguments it takes (None: all)."""

    owner: str
    function: Callable[..., Any]
    arguments: tuple[str, ...] | None


class Observers:
    """The observers of one run: those of all plugins, and the objects given to it.

    An observer is any object with some of the methods `swarmkit_started(run)`, `swarmkit_stepped(run)`,
    `swarmkit_improved(run)`, `swarmkit_finished(run, result)`.
    """

    def __init__(self, observers: Sequence[object] = ()) -> None:
        self._callbacks: dict[str, list[Callback]] = {event: [] for event in EVENTS}
        for event in EVENTS:
            for plugin, function, arguments in host().observers(event):
                self._callbacks[event].append(Callback(f"plugin '{plugin.name}'", function, arguments))
            for observer in observers:
                if hasattr(observer, event):
                    self._callbacks[event].append(Callback(type(observer).__name__, getattr(observer, event), None))

    def notify(self, event: str, **arguments: Any) -> None:
        """Call every observer of an event."""
        for callback in list(self._callbacks[event]):
            owner, function, wanted = callback
            try:
                function(**(arguments if wanted is None else {key: arguments[key] for key in wanted}))
            except Exception as error:
                self._callbacks[event].remove(callback)
                message = f"{owner}: {event} failed and is left out from now on ({type(error).__name__}: {error})"
                warnings.warn(message, RuntimeWarning, stacklevel=2)
