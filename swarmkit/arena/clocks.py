"""Clocks that run at another speed in the process of a solver, and say who asks for the time."""

from __future__ import annotations

import datetime
import os
import resource
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from swarmkit.arena.conduct import Conduct, file_of

CLOCKS = ("time", "perf_counter", "monotonic", "process_time", "thread_time")
"""The clocks of the module `time`; each has a twin that counts nanoseconds."""

QUIET = ("clock_gettime", "clock_gettime_ns", "localtime", "gmtime", "ctime", "strftime", "sleep")
"""Functions of the module `time` that tell the time in other forms, or let it pass."""

STOPPED = 1_600_000_000
"""What clocks that stand still show."""


def change_clocks(conduct: Conduct, owned: Callable[[str], bool], speed: float) -> None:
    """Replace the clocks of Python by ones that run faster, and note every call from the solver's code.

    Args:
        conduct: where calls are noted.
        owned: whether a file is part of the solver.
        speed: seconds that pass on them in one second; with 0 they stand still, at the same time in every process.
    """

    def asked(name: str) -> None:
        frame = sys._getframe(2)
        if owned(file_of(frame)):
            conduct.note("clock", f"It goes by the time: {name} (line {frame.f_lineno}).")

    def faster(name: str, clock: Callable[[], Any]) -> Any:
        begun = clock()
        shown = begun if speed else type(begun)(STOPPED)

        def read() -> Any:
            asked(name)
            passed = (clock() - begun) * speed
            return shown + (int(passed) if isinstance(begun, int) else passed)

        return read

    def noted(name: str, told: Callable[..., Any], *args: Any, **more: Any) -> Any:
        asked(name)
        return told(*args, **more)

    clocks = [full for name in CLOCKS for full in (name, f"{name}_ns")]
    changed = {getattr(time, name): faster(f"time.{name}", getattr(time, name)) for name in clocks}
    for owner, names in ((time, QUIET), (os, ("times", "getloadavg")), (resource, ("getrusage",))):
        changed |= {
            told: partial(noted, f"{owner.__name__}.{name}", told) for name in names if (told := getattr(owner, name))
        }
    _replace_everywhere(changed)
    datetime.datetime = _dated(asked, speed)  # type: ignore[misc]  # replacing it is what this is for


def _replace_everywhere(changed: Mapping[Any, Any]) -> None:
    """Replace functions in all modules that have them: `threading` keeps a clock under a name of its own."""
    replaced = {id(before): after for before, after in changed.items()}
    for module in list(sys.modules.values()):
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if id(value) in replaced:
                setattr(module, name, replaced[id(value)])


def _dated(asked: Callable[[str], None], speed: float) -> Any:
    """Return `datetime.datetime` with a clock that runs faster."""
    original = datetime.datetime
    begun = original.now(datetime.UTC)
    shown = begun if speed else original.fromtimestamp(STOPPED, datetime.UTC)

    class Datetime(original):  # type: ignore[misc, valid-type]  # a class held in a variable
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            asked("datetime.now")
            then = shown + (original.now(datetime.UTC) - begun) * speed
            return then.astimezone(tz) if tz else then.astimezone().replace(tzinfo=None)

        @classmethod
        def utcnow(cls) -> Any:
            asked("datetime.utcnow")
            return (shown + (original.now(datetime.UTC) - begun) * speed).replace(tzinfo=None)

        @classmethod
        def today(cls) -> Any:
            asked("datetime.today")
            return cls.now()

    return Datetime
