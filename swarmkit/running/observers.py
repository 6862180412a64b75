"""Observers of runs: plugins and objects that are notified of events; one that fails is left out, the run continues."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any

from pluggy import HookCaller

from swarmkit.contract.errors import UsageError, unknown
from swarmkit.plugins.host import host
from swarmkit.plugins.registration import Failure, Plugin, text_of

EVENTS = ("swarmkit_started", "swarmkit_stepped", "swarmkit_improved", "swarmkit_finished")
"""The events of a run, in the order in which they first occur."""


class Observers:
    """The observers of one run: those of all plugins, called by pluggy, and the objects given to it.

    An observer is any object with some of the methods `swarmkit_started(run)`, `swarmkit_stepped(run)`,
    `swarmkit_improved(run)`, `swarmkit_finished(run, result)`. Steps are observed at marks that depend on the looks
    alone, at least a thirty-second of the looks so far apart.
    """

    def __init__(self, observers: Sequence[object] = ()) -> None:
        self._host = host()
        for observer in observers:
            check_observer(observer, self._host.specifies)
        self._failed: dict[str, list[Plugin]] = {event: [] for event in EVENTS}
        self._callers = {event: self._caller(event) for event in EVENTS}
        self._callbacks: dict[str, list[tuple[str, Callable[..., Any]]]] = {
            event: [(type(o).__name__, getattr(o, event)) for o in observers if hasattr(o, event)] for event in EVENTS
        }

    def notify(self, event: str, **arguments: Any) -> None:
        """Call every observer of an event; one that fails is left out from then on."""
        # Plugins first, by pluggy; then the objects that this run was given.
        caller = self._callers[event]
        if caller is not None:
            for failure in [result for result in caller(**arguments) if isinstance(result, Failure)]:
                self._failed[event].append(failure.plugin)
                self._callers[event] = self._caller(event)
                _warn(failure.plugin.title, event, failure.error)
        for owner, method in list(self._callbacks[event]):
            try:
                method(**arguments)
            except Exception as error:
                self._callbacks[event].remove((owner, method))
                _warn(owner, event, error)

    def _caller(self, event: str) -> HookCaller | None:
        """Return what calls the hook of the plugins that have not failed in this run, None if there are none."""
        caller = self._host.caller(event, without=self._failed[event])
        return caller if caller.get_hookimpls() else None


def check_observer(observer: object, is_hook: Callable[[str], bool]) -> None:
    """Refuse an observer that has a method named like an event which does not exist, or none of an event.

    Args:
        observer: the object.
        is_hook: whether a name is that of a hook: a plugin may be an observer, too.

    Raises:
        UsageError: with the event that the method resembles.
    """
    names = [name for name in dir(observer) if not name.startswith("_")]
    wrong = [name for name in names if name.startswith("swarmkit_") and not is_hook(name)]
    if not wrong and not any(hasattr(observer, event) for event in EVENTS):
        wrong = [name for name in names if get_close_matches(f"swarmkit_{name.removeprefix('on_')}", EVENTS)]
    if wrong:
        raise UsageError(f"the observer {type(observer).__name__}: {unknown('event', wrong[0], EVENTS)}")
    if not any(hasattr(observer, event) for event in EVENTS):
        raise UsageError(f"the observer {type(observer).__name__} has none of the methods {', '.join(EVENTS)}")


def _warn(owner: str, event: str, error: BaseException) -> None:
    message = f"{owner}: {event} failed and is left out from now on ({type(error).__name__}: {text_of(error)})"
    warnings.warn(message, RuntimeWarning, stacklevel=4)
