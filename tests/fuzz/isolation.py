"""Reading in a process of its own, with limits on time and memory: an input may crash, hang or fill the memory."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from swarmkit import SwarmkitError

SECONDS = 30
"""After this time a reader hangs."""

MEGABYTES = 1024
"""The memory that a reader may take beside what the process has already."""


class Outcome(NamedTuple):
    """How a reader dealt with an input."""

    kind: str
    """`accepted`, `refused`, `internal error` (also a crash), `hang`, or `memory`."""
    said: str
    """The sentence, or the end of the traceback."""
    peak: int
    """Peak of the resident memory, in megabytes."""


def isolated(read: Callable[[], object]) -> Outcome:
    """Call a reader in a child process and return how it ended."""
    sys.stdout.flush()
    sys.stderr.flush()
    receiving, sending = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receiving)
        try:
            said = _attempt(read)
            os.write(sending, said.encode("utf-8", "replace")[:60_000])
        finally:
            os._exit(0)
    os.close(sending)
    with os.fdopen(receiving, "rb") as pipe:
        kind, _, said = pipe.read().decode("utf-8", "replace").partition("\n")
    _, status, used = os.wait4(child, 0)
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        kind = "hang" if number == signal.SIGALRM else "internal error"
        said = f"killed by {signal.Signals(number).name}"
    return Outcome(kind or "internal error", said, used.ru_maxrss // 1024)


def _attempt(read: Callable[[], object]) -> str:
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + (MEGABYTES << 20),) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(SECONDS)
    try:
        with (
            Path(os.devnull).open("w") as nowhere,
            contextlib.redirect_stdout(nowhere),
            contextlib.redirect_stderr(nowhere),
        ):
            read()
        return "accepted\n"
    except SwarmkitError as error:
        sentence = str(error)
        bad = not sentence.strip() or len(sentence) > 20_000 or "Traceback" in sentence
        return f"{'internal error' if bad else 'refused'}\n{sentence}"
    except MemoryError:
        return f"memory\n{traceback.format_exc()[-1500:]}"
    except BaseException:
        return f"internal error\n{traceback.format_exc()[-3000:]}"
