"""MaxCut against dwave-samplers (simulated annealing, tabu search) and openjij (simulated annealing).

Every method has the same CPU seconds on every graph. Two figures: the mean cut, and the median CPU time to 99.9 % of
the best known cut (`over` where most runs do not reach it).
"""

from __future__ import annotations

import csv
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from against import environment

PINS = Path(__file__).parent.parent / "maxcut-requirements.txt"
PEERS = ("dwave SA", "dwave tabu", "openjij SA")
OURS = ("auto", "tabu", "annealing")
NEAR = 0.999
"""The share of the best known cut that is timed."""


class CpuClock:
    """An observer that ends a run after some seconds of process CPU time."""

    def __init__(self, seconds: float) -> None:
        self.end = time.process_time() + seconds

    def swarmkit_stepped(self, run: Any) -> None:
        """Look at the clock after each step."""
        if time.process_time() >= self.end:
            run.stop("CPU time")


def ours(solver: str, file: Path, seed: int, seconds: float, target: float) -> dict[str, Any]:
    """Return the cut of one of our runs, and the CPU seconds of another to the target, None if it is not reached."""
    import swarmkit

    problem = swarmkit.make_problem("maxcut", file=str(file))
    swarmkit.solve(problem, solver, seed=seed, looks=1)  # compiles

    def run(**limits: Any) -> Any:
        return swarmkit.solve(problem, solver, seed=seed, seconds=30 * seconds, observers=[CpuClock(seconds)], **limits)

    begun = time.process_time()
    reached = run(target=target).score >= target
    took = time.process_time() - begun
    return {"cut": run().score, "to_target": took if reached else None}


def theirs(python: Path, peer: str, file: Path, seed: int, seconds: float, target: float) -> dict[str, Any]:
    """Return the same of a peer, which runs in its own environment."""
    script = Path(__file__).parent / "maxcut_peer.py"
    words = [str(python), str(script), peer, str(file), str(seed), str(seconds), str(target)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def best_known(files: list[Path]) -> dict[str, float]:
    """Return the best known cuts in `best_known.csv` beside the files, by name."""
    with (files[0].parent / "best_known.csv").open() as lines:
        return {name: float(cut) for name, cut in list(csv.reader(lines))[1:]}


def measure(files: list[Path], seeds: int, seconds: float, env: Path | None, only: list[str]) -> list[dict[str, Any]]:
    """Make all runs, and return a row for each graph and method."""
    folder = env or environment.default_folder(PINS)
    missing, python, known = environment.prepare(folder, PINS), environment.python_of(folder), best_known(files)
    for pin, why in missing.items():
        print(f"{pin} could not be installed: {why}", file=sys.stderr)
    rows = []
    for file in files:
        target = NEAR * known[file.stem]
        for method in [name for name in (*OURS, *PEERS) if not only or any(word in name for word in only)]:
            given = file, 0, seconds, target
            runs = [
                ours(method, file, seed, *given[2:])
                if method in OURS
                else theirs(python, method, file, seed, *given[2:])
                for seed in range(seeds)
            ]
            times = sorted(run["to_target"] or float("inf") for run in runs)
            row = {
                "graph": file.stem,
                "method": method,
                "cuts": [run["cut"] for run in runs],
                "mean": statistics.mean(run["cut"] for run in runs),
                "best_known": known[file.stem],
                "to_target": times[(len(times) - 1) // 2],
            }
            rows.append(row)
            near = f"{row['to_target']:.3g} s" if row["to_target"] < float("inf") else f"over {seconds:g} s"
            print(f"{row['graph']:5} {method:11} mean cut {row['mean']:9.1f} to 99.9 %: {near}", file=sys.stderr)
    return rows
