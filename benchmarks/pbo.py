"""`auto` on IOHprofiler's 25 pseudo-Boolean functions against pymoo's GA, DEAP and nevergrad's discrete (1+1).

    python benchmarks/pbo.py --store pbo.jsonl                 25 functions, n = 64, 20,000 evaluations, 10 seeds
    python benchmarks/pbo.py --store pbo.jsonl --instance 2    bits negated, values scaled, as IOHprofiler defines
    python benchmarks/pbo.py --store pbo.jsonl --report        what the store has

Behind a peer on a function: a lower median and Mann-Whitney p < .05. Bar: behind each peer on at most 5 of 25. The
peers live in an environment of their own (`pbo-requirements.txt`). Runs are kept in the store, a line each.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from against import environment
from scipy.stats import mannwhitneyu

import swarmkit

PINS = Path(__file__).parent / "pbo-requirements.txt"
PEER = Path(__file__).parent / "against" / "pbo_peer.py"
PEERS = ("pymoo", "deap", "nevergrad")
FUNCTIONS = range(1, 26)
BAR, LEVEL = 5, 0.05

Runs = dict[tuple[str, int], dict[int, float]]
"""The best values by method and function, then by seed."""


class Setting(NamedTuple):
    """What all runs of a comparison have in common."""

    n: int
    evaluations: int
    instance: int


def stored(path: Path, setting: Setting) -> Runs:
    """Return the runs in a store with this setting; lines without an instance are of the first."""
    runs: Runs = defaultdict(dict)
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        one = json.loads(line)
        if (one["n"], one["evaluations"], one.get("instance", 1)) == setting:
            runs[one["method"], one["function"]][one["seed"]] = one["best"]
    return runs


def ours(method: str, todo: Sequence[tuple[int, int]], setting: Setting) -> Iterator[str]:
    """Make runs of a solver of ours, pairs of function and seed, and yield a line of JSON for each."""
    for function, seed in todo:
        problem = swarmkit.make_problem("ioh", function=function, n=setting.n, instance=setting.instance)
        found = swarmkit.solve(problem, method, seed=seed, evaluations=setting.evaluations)
        yield json.dumps(
            {"method": method, "function": function, **setting._asdict(), "seed": seed, "best": found.score}
        )


def theirs(python: Path, method: str, todo: Sequence[tuple[int, int]], setting: Setting) -> Iterator[str]:
    """Make runs of a peer, in a process of its own, and yield a line of JSON for each."""
    command = [str(python), str(PEER), method, *map(str, setting), *(f"{function}:{seed}" for function, seed in todo)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield from process.stdout
    if process.returncode:
        raise SystemExit(f"{method} failed")


def missing(runs: Runs, method: str, seeds: int) -> list[tuple[int, int]]:
    """Return the runs that the store has not, pairs of function and seed."""
    pairs = [(function, seed) for seed in range(seeds) for function in FUNCTIONS]
    return [(function, seed) for function, seed in pairs if seed not in runs[method, function]]


def behind(own: Sequence[float], peer: Sequence[float]) -> bool:
    """Whether values of ours have a lower median than those of a peer, and Mann-Whitney's test tells them apart."""
    if statistics.median(own) >= statistics.median(peer):
        return False
    return bool(mannwhitneyu(own, peer).pvalue < LEVEL)


def report(runs: Runs, method: str) -> bool:
    """Print the medians, and where a method of ours is behind; return whether it keeps the bar."""
    losses = dict.fromkeys(PEERS, 0)
    print(f"{'function':>10} {method:>12} " + " ".join(f"{peer:>12}" for peer in PEERS))
    for function in FUNCTIONS:
        own = list(runs[method, function].values())
        cells = [f"{function:>10} {statistics.median(own):>12.4f}" if own else f"{function:>10} {'-':>12}"]
        for peer in PEERS:
            values = list(runs[peer, function].values())
            lost = bool(own and values) and behind(own, values)
            losses[peer] += lost
            cells.append(f"{statistics.median(values):>11.4f}{'!' if lost else ' '}" if values else f"{'-':>12}")
        print(" ".join(cells))
    for peer, count in losses.items():
        print(f"behind {peer} on {count} of 25 (bar: {BAR})")
    return max(losses.values()) <= BAR


def main() -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, required=True, help="a file with a line for each run")
    parser.add_argument("--solver", default="auto", help="our method")
    parser.add_argument("--n", type=int, default=64)
    parser.add_argument("--evaluations", type=int, default=20_000)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--instance", type=int, default=1)
    parser.add_argument("--peers", nargs="*", default=list(PEERS))
    parser.add_argument("--env", type=Path, default=None, help="folder of the peers' environment")
    parser.add_argument("--report", action="store_true", help="no runs")
    given = parser.parse_args()
    setting = Setting(given.n, given.evaluations, given.instance)
    if not given.report:
        measure(given, setting)
    return 0 if report(stored(given.store, setting), given.solver) else 1


def measure(given: argparse.Namespace, setting: Setting) -> None:
    """Make the runs that the store has not, and keep each as it ends."""
    folder = given.env or environment.default_folder(PINS)
    if given.peers:
        for pin, why in environment.prepare(folder, PINS).items():
            print(f"not installed: {pin}: {why}", file=sys.stderr)
    for method in (given.solver, *given.peers):
        todo = missing(stored(given.store, setting), method, given.seeds)
        python = environment.python_of(folder)
        lines = theirs(python, method, todo, setting) if method in PEERS else ours(method, todo, setting)
        with given.store.open("a", encoding="utf-8") as kept:
            for line in lines:
                kept.write(line.strip() + "\n")
                kept.flush()


if __name__ == "__main__":
    sys.exit(main())
