"""Clocks that run at another speed in the process of a solver, and say who asks for the time."""

from __future__ import annotations

import datetime
import os
import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from swarmkit.arena.conduct import Conduct

CLOCKS = ("time", "perf_counter", "monotonic", "process_time", "thread_time")
"""The clocks of the module `time`; each has a twin that counts nanoseconds."""

QUIET = ("clock_gettime", "clock_gettime_ns", "localtime", "gmtime", "ctime", "strftime")
"""Functions of the module `time` that tell the time in other forms."""


def change_clocks(conduct: Conduct, owned: Callable[[str], bool], speed: float) -> None:
    """Replace the clocks of Python by ones that run faster, and note every call from the solver's code.

    Args:
        conduct: where calls are noted.
        owned: whether a file is part of the solver.
        speed: seconds that pass on them in one second.
    """

    def asked(name: str) -> None:
        frame = sys._getframe(2)
        if owned(frame.f_code.co_filename):
            conduct.note("clock", f"It asks for the time: {name} (line {frame.f_lineno}).")

    def faster(name: str, clock: Callable[[], Any]) -> Any:
        begun = clock()

        def read() -> Any:
            asked(name)
            passed = (clock() - begun) * speed
            return begun + (int(passed) if isinstance(begun, int) else passed)

        return read

    def noted(name: str, told: Callable[..., Any], *args: Any, **more: Any) -> Any:
        asked(name)
        return told(*args, **more)

    for name in CLOCKS:
        for full in (name, f"{name}_ns"):
            setattr(time, full, faster(f"time.{full}", getattr(time, full)))
    for name in QUIET:
        setattr(time, name, partial(noted, f"time.{name}", getattr(time, name)))
    os.times = partial(noted, "os.times", os.times)
    resource.getrusage = partial(noted, "resource.getrusage", resource.getrusage)
    datetime.datetime = _dated(asked, speed)  # type: ignore[misc]  # replacing it is what this is for


def _dated(asked: Callable[[str], None], speed: float) -> Any:
    """Return `datetime.datetime` with a clock that runs faster."""
    original = datetime.datetime
    begun = original.now(datetime.UTC)

    class Datetime(original):  # type: ignore[misc, valid-type]  # a class held in a variable
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            asked("datetime.now")
            then = begun + (original.now(datetime.UTC) - begun) * speed
            return then.astimezone(tz) if tz else then.astimezone().replace(tzinfo=None)

        @classmethod
        def utcnow(cls) -> Any:
            asked("datetime.utcnow")
            return (begun + (original.now(datetime.UTC) - begun) * speed).replace(tzinfo=None)

        @classmethod
        def today(cls) -> Any:
            asked("datetime.today")
            return cls.now()

    return Datetime
