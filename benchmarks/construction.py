"""One bee through all stages, against the same loop in C (`construction.c`, gcc -O3, through ctypes), in one run.

    python benchmarks/construction.py

Two ways to choose (trying candidates until one is good enough, and drawing in proportion to what they add), on a chain
shaped like a text and on a pairwise problem with a window of 20. Prints medians of process CPU time per path, and the
share of C's speed, which the project promises to be at least 0.85. Both draw the same random numbers, so they must find
the same paths.
"""

from __future__ import annotations

import argparse
import ctypes
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from dbees import text_like

import swarmkit
from swarmkit.search import VisitingOrder, rng_state
from swarmkit_bees.kernel import Memory
from swarmkit_bees.rules import Plan, Rules

LIMIT = 0.85
ALONE = 1 << 40
"""Moves per forward pass: with one pass there is no backward pass."""


def compiled(folder: str) -> Any:
    """Compile the C kernel."""
    library = Path(folder) / "construction.so"
    source = Path(__file__).with_name("construction.c")
    subprocess.run(["gcc", "-O3", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True)
    function = ctypes.CDLL(str(library)).construct
    function.restype = ctypes.c_double
    return function


def in_c(function: Any, form: swarmkit.Pairwise, order: Any, rules: Rules, paths: int) -> Any:
    """Return a call of the C kernel: (random state) -> (score, looks)."""
    visits, n, most = VisitingOrder.of(form, order), len(order), int(form.sizes.max())
    held, best, urn, looks = (np.zeros(size, np.int64) for size in (n, n, most, 1))
    values, bases = np.zeros(most), np.zeros(n, np.int64)
    tables = [form.sizes, form.offsets, form.unary, form.flat, *visits[:-1]]

    def address(array: Any) -> Any:
        return ctypes.c_void_p(array.ctypes.data)

    def call(state: Any) -> tuple[float, int]:
        score = function(
            ctypes.c_int64(n),
            *map(address, tables),
            ctypes.c_int64(rules.tries == 0),
            ctypes.c_double(rules.theta),
            ctypes.c_int64(rules.tries),
            ctypes.c_int64(paths),
            *map(address, (state, held, urn, values, bases, best, looks)),
        )
        return score, int(looks[0])

    return call


def in_swarmkit(form: swarmkit.Pairwise, order: Any, rules: Rules, paths: int) -> Any:
    """Return a call of ours: (random state) -> (score, looks)."""

    def call(state: Any) -> tuple[float, int]:
        memory = Memory(form)
        memory.follow(Plan(order, np.array([-1]), rules), form.unary, np.full(len(order), -1))
        score, looks, _, _ = memory.iterate(paths, -np.inf, state)
        return score, looks

    return call


def main() -> int:
    """Measure both in turn, so that a noisy moment hits both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=31)
    parser.add_argument("--paths", type=int, default=200, help="paths per measurement")
    given = parser.parse_args()
    problems = {
        "chain 677": text_like(677, seed=4),
        "n=600 window=20": swarmkit.make_problem("synthetic", n=600, window=20),
    }
    choices = {"try": Rules(ALONE, 1, 0.5, 5), "draw": Rules(ALONE, 1)}
    good = True
    print(f"{'':24} {'C µs':>8} {'ours µs':>8} {'share of C':>10}")
    with tempfile.TemporaryDirectory() as folder:
        function = compiled(folder)
        for problem_name, problem in problems.items():
            for choice, rules in choices.items():
                form, order = problem.pairwise(), np.arange(len(problem.sizes))
                calls = [in_c(function, form, order, rules, given.paths), in_swarmkit(form, order, rules, given.paths)]
                times: list[list[float]] = [[], []]
                for seed in range(given.repeats + 1):
                    results = []
                    for call, seen in zip(calls, times, strict=True):
                        state = rng_state(np.random.default_rng(seed))
                        begun = time.process_time()
                        results.append(call(state))
                        seen.append(time.process_time() - begun)
                    assert abs(results[0][0] - results[1][0]) < 1e-6, results
                    assert results[0][1] == results[1][1], results
                c, ours = (statistics.median(seen[1:]) / given.paths * 1e6 for seen in times)
                print(f"{f'{choice}, {problem_name}':24} {c:8.2f} {ours:8.2f} {c / ours:10.2f}")
                good &= c / ours >= LIMIT
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
