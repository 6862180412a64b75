"""Watching runs: plugins and observers are told what happens; one that fails is left out, and the run goes on."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from swarmkit.plugins.host import WATCHING, host

Call = tuple[str, Callable[..., Any], tuple[str, ...] | None]


class Watch:
    """The watchers of one run: those of all plugins, and the observers given to it.

    An observer is any object with some of the methods `swarmkit_started(run)`, `swarmkit_stepped(run)`,
    `swarmkit_improved(run)`, `swarmkit_finished(run, result)`.
    """

    def __init__(self, observers: Sequence[object] = ()) -> None:
        self._calls: dict[str, list[Call]] = {event: [] for event in WATCHING}
        for event in WATCHING:
            for plugin, function, wanted in host().watchers(event):
                self._calls[event].append((f"plugin '{plugin.name}'", function, wanted))
            for observer in observers:
                if hasattr(observer, event):
                    self._calls[event].append((type(observer).__name__, getattr(observer, event), None))

    def tell(self, event: str, **arguments: Any) -> None:
        """Tell everybody who watches this event."""
        for call in list(self._calls[event]):
            name, function, wanted = call
            try:
                function(**(arguments if wanted is None else {key: arguments[key] for key in wanted}))
            except Exception as error:
                self._calls[event].remove(call)
                said = f"{name}: {event} failed and is left out from now on ({type(error).__name__}: {error})"
                warnings.warn(said, RuntimeWarning, stacklevel=2)
