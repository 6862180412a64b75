"""Moves a second: annealing against simanneal, `ga` against pygmo's sga, and the quality of `annealing` after a second.

    pip install simanneal pygmo        # the peers, for this benchmark only
    python benchmarks/moves.py

Pairwise categorical problems with n stages, 6 candidates each, tables between stages at most 20 apart. Process CPU
time, medians of repeats, ratios within one run. simanneal gets a difference energy (the change of one stage against its
neighbours, lists and plain floats: what is fastest in Python); a heat bath of `annealing` draws one of 6 candidates and
counts as 5 moves, for the one it holds is none. sga gets a score of one vectorised expression (`numpy`) and, as a
second line without a bar, our own compiled one (`compiled`).
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import swarmkit
from swarmkit.search import batch_scores, warm_up
from swarmkit_annealing.annealers import TableAnnealer
from swarmkit_annealing.schedule import Schedule

CANDIDATES, WINDOW = 6, 20
GENERATIONS = 300
"""A run of the genetic algorithm; sga, whose speed does not change on the way, makes a tenth of it."""
BATCH = 100_000
"""The looks of the steps that are made at once, about: a run chooses their number by the clock."""
STEPS = 20
"""Steps at once of a run of `annealing` by the clock: some 100,000 looks."""
BARS = {"annealing": 400.0, "ga": 9.0, "quality": 0.9995}


def make(n: int, seed: int = 0) -> swarmkit.PairwiseProblem:
    """Return a random problem."""
    rng = np.random.default_rng(seed)
    edges = [
        (i, j, rng.random((CANDIDATES, CANDIDATES))) for i in range(n) for j in range(i + 1, min(n, i + 1 + WINDOW))
    ]
    return swarmkit.PairwiseProblem(swarmkit.Pairwise.of([CANDIDATES] * n, edges))


def per_second(work: Callable[[], int]) -> float:
    """Return units of work per second of CPU time."""
    begun = time.process_time()
    done = work()
    return done / (time.process_time() - begun)


def ours(problem: swarmkit.Problem, solver: swarmkit.Solver[Any], looks: int, each: float) -> Callable[[], int]:
    """Return a run of one of our solvers from its start for some looks; a move or evaluation takes `each` of them."""
    solver.prepare(problem)

    def work() -> int:
        rng = np.random.default_rng(1)
        state, done, count = solver.start(problem, rng), 0, 1
        while done < looks:
            seen = solver.steps(problem, state, rng, count).looks
            done, count = done + seen, max(1, count * BATCH // seen)
        return int(done / each)

    return work


def one_schedule(problem: swarmkit.Problem, proposals: int) -> Callable[[], int]:
    """Return one cooling by Metropolis proposals over the range of temperatures that simanneal gets."""
    form = problem.pairwise()
    assert form is not None
    from swarmkit_annealing.kernels import metropolis

    warm_up(problem, metropolis)

    def work() -> int:
        rng = np.random.default_rng(1)
        table = TableAnnealer.start(problem, rng.integers(form.sizes), rng)
        sweep = table.sweep(problem)
        temperatures = np.geomspace(*TEMPERATURES, proposals // sweep)
        return table.anneal(problem, Schedule(temperatures, sweep), rng).looks

    return work


TEMPERATURES = (0.8, 0.1)
"""From a twentieth of all moves accepted to one in a thousand: about where `annealing` cools these problems slowly."""


def simanneal(problem: swarmkit.Problem, steps: int) -> Callable[[], int]:
    """Return a run of simanneal; its energy is minus the score."""
    from simanneal import Annealer

    form = problem.pairwise()
    assert form is not None
    around: list[list[tuple[int, list[list[float]]]]] = [[] for _ in form.sizes]
    for (i, j), start in zip(form.edges.tolist(), form.starts.tolist(), strict=True):
        table = form.flat[start : start + CANDIDATES**2].reshape(CANDIDATES, CANDIDATES)
        around[i].append((j, table.tolist()))
        around[j].append((i, table.T.tolist()))

    class Peer(Annealer):
        copy_strategy = "slice"
        Tmax, Tmin, updates = *TEMPERATURES, 0

        def move(self) -> float:
            i = random.randrange(len(self.state))  # noqa: S311  (nothing secret is drawn)
            old, new = self.state[i], random.randrange(CANDIDATES - 1)  # noqa: S311  (nothing secret is drawn)
            new += new >= old
            self.state[i] = new
            state = self.state
            delta = 0.0
            for j, table in around[i]:
                other = state[j]
                delta += table[old][other] - table[new][other]
            return delta

        def energy(self) -> float:
            return -float(problem.score(np.array([self.state]))[0])

    def work() -> int:
        random.seed(1)
        peer = Peer([random.randrange(CANDIDATES) for _ in form.sizes])  # noqa: S311  (nothing secret is drawn)
        peer.steps = steps
        peer.anneal()
        return steps

    return work


def sga(problem: swarmkit.Problem, generations: int, population: int, compiled: bool) -> Callable[[], int]:
    """Return a run of pygmo's simple genetic algorithm."""
    import pygmo

    form = problem.pairwise()
    assert form is not None
    (i, j), starts, n = form.edges.T, form.starts, len(form.sizes)

    class Peer:
        def fitness(self, x: Any) -> list[float]:
            x = x.astype(np.int64)
            if compiled:
                return [-batch_scores(problem, x[None])[0]]
            return [-form.flat[starts + x[i] * CANDIDATES + x[j]].sum()]

        def get_bounds(self) -> tuple[list[float], list[float]]:
            return [0.0] * n, [CANDIDATES - 1.0] * n

        def get_nix(self) -> int:
            return n

    begun = pygmo.population(pygmo.problem(Peer()), population, seed=1)
    method = pygmo.algorithm(
        pygmo.sga(
            gen=generations, cr=0.9, m=1 / n, mutation="uniform", crossover="single", selection="tournament", seed=1
        )
    )
    return lambda: int(method.evolve(begun).problem.get_fevals() - begun.problem.get_fevals())


def ratio(name: str, fast: Callable[[], int], slow: Callable[[], int], repeats: int, bar: float | None) -> bool:
    """Measure two pieces of work in turn, print their ratio, and return whether it reaches the bar."""
    fast()
    measured = [(per_second(fast), per_second(slow)) for _ in range(repeats)]
    quick, peer = (statistics.median(column) for column in zip(*measured, strict=True))
    factor = statistics.median(a / b for a, b in measured)
    print(f"{name:44} {quick:14,.0f} {peer:12,.0f} {factor:9.1f} {bar or '':>6}", flush=True)
    return bar is None or factor >= bar


def quality(repeats: int, longest: float) -> bool:
    """Compare `annealing` after one second of CPU time, n = 600, with the best of a long run."""
    problem = make(600)
    solver = swarmkit.make_solver("annealing")
    scores = [after(problem, solver, seed, 1.0) for seed in range(1, repeats + 1)]
    best = max(after(problem, solver, 0, longest), *scores)
    shares = sorted(score / best for score in scores)
    share = statistics.median(shares)
    known = f"the best known ({best:.3f}, longest run {longest:g} s)"
    spread = f"from {shares[0]:.5f} to {shares[-1]:.5f}"
    print(f"annealing after 1 CPU s, n = 600: {share:.5f} of {known}, {spread}; bar {BARS['quality']}")
    return share >= BARS["quality"]


def after(problem: swarmkit.Problem, solver: swarmkit.Solver[Any], seed: int, seconds: float) -> float:
    """Return the best score after some seconds of CPU time, starting included, compiling not."""
    solver.prepare(problem)
    begun, rng, best = time.process_time(), np.random.default_rng(seed), -np.inf
    state = solver.start(problem, rng)
    while time.process_time() - begun < seconds:
        best = max(best, solver.steps(problem, state, rng, STEPS).score or -np.inf)
    return float(best)


def main() -> int:
    """Measure everything; the exit code says whether the bars are reached."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--longest", type=float, default=60.0, help="seconds of the long run that gives the best known")
    options = parser.parse_args()
    good = True
    print(f"{'per second of CPU time':44} {'swarmkit':>14} {'peer':>12} {'ratio':>9} {'bar':>6}")
    for n in (100, 600):
        problem = make(n)
        peer = simanneal(problem, 20_000)
        kernel = one_schedule(problem, 5_000_000)
        good &= ratio(
            f"moves, n = {n}: metropolis kernel / simanneal", kernel, peer, options.repeats, BARS["annealing"]
        )
        auto = ours(problem, swarmkit.make_solver("annealing"), 20_000_000, CANDIDATES / (CANDIDATES - 1))
        good &= ratio(f"moves, n = {n}: annealing / simanneal", auto, peer, options.repeats, BARS["annealing"])
        bred = ours(problem, swarmkit.make_solver("ga", population=100, elite=2), GENERATIONS * 98 * n, n)
        for score, bar in (("numpy", BARS["ga"]), ("compiled", None)):
            fitness = sga(problem, GENERATIONS // 10, 100, compiled=score == "compiled")
            good &= ratio(f"evaluations, n = {n}: ga / sga ({score})", bred, fitness, options.repeats, bar)
    good &= quality(options.repeats, options.longest)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
