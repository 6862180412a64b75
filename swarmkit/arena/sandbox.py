"""The limits of the process of a solver, which it sets for itself before it imports the file."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import NamedTuple

MEMORY = 6 << 30
"""Bytes of address space; compiled kernels and their libraries reserve more than they use."""

CPU_SECONDS = 300
"""CPU seconds of one process."""

NEW_NETWORK, NEW_USER = 0x40000000, 0x10000000
"""Flags of unshare(2)."""


class Limits(NamedTuple):
    """What the process of a solver may use."""

    memory: int = MEMORY
    cpu_seconds: int = CPU_SECONDS


def restrict(limits: Limits) -> bool:
    """Limit memory and CPU time of this process and take the network from it; return whether that is gone."""
    import resource

    for kind, most in ((resource.RLIMIT_AS, limits.memory), (resource.RLIMIT_CPU, limits.cpu_seconds)):
        _, hard = resource.getrlimit(kind)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with suppress(ValueError, OSError):  # macOS has no limit on address space
            resource.setrlimit(kind, (allowed, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return _leave_network()


def _leave_network() -> bool:
    """Move this process into a network namespace without interfaces, where the system allows it (Linux)."""
    if sys.platform != "linux":
        return False
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    with suppress(AttributeError):
        return bool(library.unshare(NEW_NETWORK) == 0 or library.unshare(NEW_NETWORK | NEW_USER) == 0)
    return False
