"""MaxCut against dwave-samplers (simulated annealing, tabu search) and openjij (simulated annealing).

Every method has the same CPU seconds on every graph. Two figures: the mean cut, and the median CPU time to 99.9 % of
the best known cut (`over` where most runs do not reach it).
"""

from __future__ import annotations

import argparse
import csv
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from against import environment

PINS = Path(__file__).parent.parent / "maxcut-requirements.txt"
PEERS = ("dwave SA", "dwave tabu", "openjij SA")
OURS = ("auto", "tabu", "annealing")
HEADING = "## MaxCut\n"
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


class Runs:
    """The runs made so far, in a file of JSON lines that a later call continues; without a file they are forgotten."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        lines = file.read_text().splitlines() if file is not None and file.exists() else []
        self.known = {tuple(key): run for key, run in map(json.loads, lines)}

    def get(self, key: tuple[Any, ...], make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return a run, made now if it is not known."""
        if key not in self.known:
            self.known[key] = make()
            if self.file is not None:
                with self.file.open("a") as lines:
                    lines.write(json.dumps([key, self.known[key]]) + "\n")
        return self.known[key]


def measure(given: argparse.Namespace, seconds: float) -> list[dict[str, Any]]:
    """Make all runs, and return a row for each graph and method.

    Args:
        given: the options of the command line: files, seeds, environment, store, and which methods.
        seconds: the CPU seconds of each run.
    """
    folder, files, seeds = given.env or environment.default_folder(PINS), given.maxcut, given.seeds or 2
    missing, python, known = environment.prepare(folder, PINS), environment.python_of(folder), best_known(files)
    for pin, why in missing.items():
        print(f"{pin} could not be installed: {why}", file=sys.stderr)
    store, rows = Runs(given.store), []
    for file in files:
        target = NEAR * known[file.stem]
        for method in [name for name in (*OURS, *PEERS) if not given.only or any(word in name for word in given.only)]:
            run_one = ours if method in OURS else partial(theirs, python)
            runs = [
                store.get((file.stem, method, seed, seconds), partial(run_one, method, file, seed, seconds, target))
                for seed in range(seeds)
            ]
            rows.append(row_of(file.stem, method, runs, known[file.stem]))
            print(line_of(rows[-1], seconds), file=sys.stderr)
    return rows


def row_of(graph: str, method: str, runs: list[dict[str, Any]], known: float) -> dict[str, Any]:
    """Return the figures of a method on a graph."""
    times = sorted(run["to_target"] or float("inf") for run in runs)
    cuts = [run["cut"] for run in runs]
    return {
        "graph": graph,
        "method": method,
        "cuts": cuts,
        "mean": statistics.mean(cuts),
        "best_known": known,
        "hits": sum(cut >= known for cut in cuts),
        "to_target": times[(len(times) - 1) // 2],
    }


def near(row: dict[str, Any], seconds: float) -> str:
    """Return the time to the target in words."""
    return f"{row['to_target']:.3g} s" if row["to_target"] < float("inf") else f"over {seconds:g} s"


def line_of(row: dict[str, Any], seconds: float) -> str:
    """Return a row as a line of text."""
    hits = f"best known {row['hits']} of {len(row['cuts'])}"
    return f"{row['graph']:5} {row['method']:11} mean cut {row['mean']:9.1f} {hits} to 99.9 %: {near(row, seconds)}"


def lay_out(rows: list[dict[str, Any]], seconds: float) -> str:
    """Return the rows as a table in Markdown."""
    head = f"| graph | best known | method | mean cut, {seconds:g} CPU s | best known reached | CPU time to 99.9 % |"
    lines = [
        f"| {row['graph']} | {row['best_known']:g} | {row['method']} | {row['mean']:.1f} | "
        f"{row['hits']} of {len(row['cuts'])} | {near(row, seconds)} |"
        for row in rows
    ]
    return "\n".join([head, "|---|---|---|---|---|---|", *lines])


def with_section(page: str, section: str) -> str:
    """Return a page with this section on MaxCut in place of the one that it has, or at its end."""
    before, _, after = page.partition(HEADING)
    _, heading, later = after.partition("\n## ")
    return before.rstrip() + "\n\n" + section + heading + later


def section_of(page: str) -> str:
    """Return the section of a page on MaxCut, and what follows; empty if it has none."""
    return HEADING + page.split(HEADING, 1)[1] if HEADING in page else ""


def section(rows: list[dict[str, Any]], seconds: float, command: str) -> str:
    """Return the rows as a section of the page, with the command that made them."""
    pins = ", ".join(line for line in PINS.read_text().splitlines() if line and not line.startswith("#"))
    return f"""{HEADING}
Measured with `{command}` ({pins}). Every method has the same process CPU time. The annealers are told how many sweeps
fill it; towards 99.9 % of the best known cut they are restarted with twice the sweeps, dwave-samplers' tabu search
with twice the time. The time to 99.9 % is the median over the seeds.

{lay_out(rows, seconds)}
"""
