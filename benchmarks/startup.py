"""What starting costs: `swarmkit --help` and `swarmkit list` against `python -c "import numpy"`, in one run.

    python benchmarks/startup.py

Prints medians of process CPU time and of wall time, and the ratios the project promises to keep: at most 3 and 5.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

SWARMKIT = str(Path(sys.executable).with_name("swarmkit"))
COMMANDS = {
    "import numpy": [sys.executable, "-c", "import numpy"],
    "swarmkit --help": [SWARMKIT, "--help"],
    "swarmkit list": [SWARMKIT, "list"],
}
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Without it modules are compiled once, as they are for everybody, and not at every start."""
LIMITS = {"swarmkit --help": 3.0, "swarmkit list": 5.0}


def cost(command: list[str]) -> tuple[float, float]:
    """Run a command and give its CPU and wall seconds."""
    begun, before = time.perf_counter(), os.times()
    subprocess.run(command, stdout=subprocess.DEVNULL, env=ENVIRONMENT, check=True)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return cpu, time.perf_counter() - begun


def main() -> int:
    """Measure all commands in turn, so that a noisy moment hits all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=15)
    repeats = parser.parse_args().repeats
    seen: dict[str, list[tuple[float, float]]] = {name: [] for name in COMMANDS}
    for _ in range(repeats + 1):
        for name, command in COMMANDS.items():
            seen[name].append(cost(command))
    medians = {
        name: [statistics.median(column) for column in zip(*runs[1:], strict=True)] for name, runs in seen.items()
    }
    base = medians["import numpy"]
    print(f"{'':16} {'CPU s':>8} {'ratio':>6} {'wall s':>8} {'ratio':>6} {'limit':>6}")
    good = True
    for name, (cpu, wall) in medians.items():
        limit = LIMITS.get(name)
        print(f"{name:16} {cpu:8.3f} {cpu / base[0]:6.2f} {wall:8.3f} {wall / base[1]:6.2f} {limit or '':>6}")
        good &= limit is None or (cpu / base[0] <= limit and wall / base[1] <= limit)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
