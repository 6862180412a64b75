"""Copies of a run between two steps, to which it returns where a limit ends or undoes a later step."""

from __future__ import annotations

import copy
import time
from typing import Any

from swarmkit.contract.progress import Progress
from swarmkit.running.checkpoint import Snapshot

WAIT = 0.05
"""Seconds between two copies: what is made again after a limit takes no longer."""

SHARE = 20
"""The same in multiples of the time of a copy: copies cost at most a twentieth of a run."""


class Copies:
    """The last copy of a run, and when the next one is due."""

    def __init__(self) -> None:
        self.last: Snapshot | None = None
        self.always = False
        """Whether every call of the solver begins with a copy: a limit is so near that one was exceeded."""
        self._time = self._seconds = 0.0

    def due(self, near: bool) -> bool:
        """Return whether a copy should be made now: some time after the last one, or if a limit of looks is near."""
        late = time.perf_counter() - self._time > max(WAIT, SHARE * self._seconds)
        return self.last is None or self.always or near or late

    def make(self, progress: Progress, generator: Any, setup_seconds: float, state: Any) -> None:
        """Copy what changes in the course of a run."""
        begun = time.perf_counter()
        self.last = Snapshot(progress.copy(), copy.deepcopy(generator), setup_seconds, copy.deepcopy(state))
        self._time = time.perf_counter()
        self._seconds = self._time - begun

    def take(self, now: Progress) -> Snapshot:
        """Return a copy of the last copy, with the time that the run has taken by now."""
        assert self.last is not None  # noqa: S101  (made before every step that a limit can end)
        progress = self.last.progress.copy()
        progress.seconds, progress.cpu_seconds = now.seconds, now.cpu_seconds
        return self.last._replace(progress=progress, state=copy.deepcopy(self.last.state))
