"""The limits of a solver's process, set before anything is imported that starts threads.

Started as `python -m swarmkit_arena.restrictions CONNECTION ALONE`; it limits itself and becomes the contestant. Linux
lets an ordinary user leave the network only while the process has one thread, and numpy starts some on import: nothing
but the standard library is imported here. Limits are hard ones, which a process without privileges cannot raise.
"""

from __future__ import annotations

import ctypes
import os
import resource
import runpy
import sys
from contextlib import suppress
from pathlib import Path

MEMORY = 6 << 30
"""Bytes of address space; compiled kernels and their libraries reserve more than they use."""

CPU_SECONDS = 300
"""CPU seconds of one process."""

FILE_BYTES = 64 << 20
"""Bytes of a file that is written: compiled kernels are kept in some."""

NEW_NETWORK, NEW_USER = 0x40000000, 0x10000000
"""Flags of unshare(2)."""

CHILD_SUBREAPER = 36
"""The option of prctl(2) by which processes whose parent has ended become children of this one, not of init."""


def restrict(alone: bool) -> bool:
    """Limit memory, CPU time and files of this process and take the network from it; return whether that is gone.

    Args:
        alone: whether it may start neither processes nor threads; Linux does not hold that limit against root.
    """
    limits = {
        resource.RLIMIT_AS: MEMORY,
        resource.RLIMIT_CPU: CPU_SECONDS,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: FILE_BYTES,
    }
    for kind, most in limits.items():
        _, hard = resource.getrlimit(kind)
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with suppress(ValueError, OSError):  # macOS has no limit on address space
            # A second more of CPU time, so that the signal of the limit comes before the one that kills.
            resource.setrlimit(kind, (least, least + (kind == resource.RLIMIT_CPU and hard != least)))
    without_network = False
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            library = ctypes.CDLL(None, use_errno=True)
            library.prctl(CHILD_SUBREAPER, 1, 0, 0, 0)
            without_network = leave_network(library)
    if alone:  # after the new namespace of users, in which it has to hold
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    return without_network


def leave_network(library: ctypes.CDLL) -> bool:
    """Move this process into a network namespace without interfaces; return whether Linux allows that."""
    user, group = os.getuid(), os.getgid()
    if library.unshare(NEW_NETWORK) == 0:
        return True
    if library.unshare(NEW_NETWORK | NEW_USER) != 0:
        return False
    maps = {"setgroups": "deny", "uid_map": f"{user} {user} 1", "gid_map": f"{group} {group} 1"}
    for name, text in maps.items():
        with suppress(OSError):  # only the numbers of its user and group depend on it
            Path(f"/proc/self/{name}").write_text(text, encoding="ascii")
    return True


if __name__ == "__main__":
    connection, alone = sys.argv[1:]
    sys.argv[1:] = [connection, str(int(restrict(alone == "1")))]
    runpy.run_module("swarmkit_arena.contestant", run_name="__main__", alter_sys=True)
