"""The process that runs toulbar2: `python -m swarmkit_exact.prove SECONDS BACKTRACKS PARENT` (0: any number of them).

Cost network and answer are JSON. toulbar2 cannot be interrupted from Python, so it runs in a process that can be
killed.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
from contextlib import suppress
from typing import Any

PR_SET_PDEATHSIG = 1
"""The number of this option of Linux's prctl."""


def prove(network: dict[str, Any], seconds: int, backtracks: int) -> dict[str, Any]:
    """Minimise the sum of a network's costs; return the best solution found, its cost, and the proved lower bound.

    Args:
        network: sizes and cost functions.
        seconds: the limit on CPU seconds.
        backtracks: the limit on backtracks; 0 for none.
    """
    import pytoulbar2

    cfn = pytoulbar2.CFN(resolution=0)
    for stage, size in enumerate(network["sizes"]):
        cfn.AddVariable(f"s{stage}", range(size))
    for scope, costs in network["functions"]:
        cfn.AddFunction(scope, costs)
    if backtracks:
        pytoulbar2.tb2.option.backtrackLimit = backtracks
    try:
        found = cfn.Solve(timeLimit=seconds)
    except Exception as error:  # it raises when its time is over
        print(error, file=sys.stderr)
        found = None
    return {
        "solution": None if found is None else [int(value) for value in found[0]],
        "cost": None if found is None else float(found[1]),
        "bound": float(cfn.GetDDualBound()),
    }


def die_with(parent: int) -> None:
    """Let the system kill this process when the one that started it dies (Linux); end at once if it is dead already."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit("the process that asked for a proof is gone")


if __name__ == "__main__":
    die_with(int(sys.argv[3]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # toulbar2 takes it as the end of its time, once it searches
    json.dump(prove(json.load(sys.stdin), int(sys.argv[1]), int(sys.argv[2])), sys.stdout)
