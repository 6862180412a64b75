"""One run of a peer on a graph, in the peers' environment: prints the best cut and the CPU seconds to a target.

    python maxcut_peer.py METHOD FILE SEED SECONDS TARGET

Annealers are told how many sweeps to make, so a short pilot measures their speed, and one run fills the budget; to the
target they are restarted with twice the sweeps. dwave's tabu search is told how long to search: restarts with twice
the time.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PILOT = 50
"""Sweeps of the pilot, and of the first run towards the target."""


def sampler_of(method: str, model: Any, seed: int) -> Callable[[int, int], float]:
    """Return a function (sweeps or milliseconds, number of the run) -> the lowest energy."""
    if method == "openjij SA":
        from openjij import SASampler

        annealer = SASampler()
        return lambda sweeps, run: annealer.sample(model, num_sweeps=sweeps, num_reads=1, seed=seed + run).first.energy
    from dwave.samplers import SimulatedAnnealingSampler, TabuSampler

    if method == "dwave tabu":
        searcher = TabuSampler()
        return lambda ms, run: searcher.sample(model, num_reads=1, timeout=ms, seed=seed + run).first.energy
    sampler = SimulatedAnnealingSampler()
    return lambda sweeps, run: sampler.sample(model, num_sweeps=sweeps, num_reads=1, seed=seed + run).first.energy


def main() -> None:
    """Run and print."""
    method, file, seed, seconds, target = sys.argv[1], sys.argv[2], *map(float, sys.argv[3:])
    import dimod

    with Path(file).open() as lines:
        next(lines)
        edges = [(int(i) - 1, int(j) - 1, float(w)) for i, j, w in (line.split() for line in lines if line.strip())]
    model = dimod.BinaryQuadraticModel.from_ising({}, {(i, j): w for i, j, w in edges})
    weight = sum(w for _, _, w in edges)
    sample = sampler_of(method, model, 1000 * int(seed))
    begun, best, reached, effort, run = time.process_time(), -float("inf"), None, PILOT, 0
    while time.process_time() - begun < seconds and reached is None:
        best = max(best, (weight - sample(effort, run)) / 2)
        reached = time.process_time() - begun if best >= target else None
        effort, run = 2 * effort, run + 1
    whole = best
    if method != "dwave tabu":
        begun = time.process_time()
        sample(10 * PILOT, run)
        rate = 10 * PILOT / (time.process_time() - begun)
        whole = (weight - sample(max(1, int(rate * seconds)), run + 1)) / 2
    elif reached is not None:
        whole = max(best, (weight - sample(int(1000 * seconds), run)) / 2)
    print(json.dumps({"cut": whole, "to_target": reached}))


if __name__ == "__main__":
    main()
