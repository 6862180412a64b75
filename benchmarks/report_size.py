"""Reports of many runs: bytes of the page, seconds to make it, and to open it in a browser and draw its first chart.

The runs are copies of one real run per method, with scores and traces of their own. The bar: at most 1 MB for 1,000
runs, and a page that opens in about a second with 20,000.

    python benchmarks/report_size.py          # needs the extra test, Chromium and its driver
"""

from __future__ import annotations

import runpy
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import swarmkit
from swarmkit.comparison.record import Record
from swarmkit.contract.progress import Trace
from swarmkit.report import make_page
from swarmkit.statistics import analyse

SHAPES = ((20, 10, 5), (1, 10, 100), (200, 5, 1), (40, 10, 50), (400, 10, 5), (10, 10, 200))
"""Instances, methods and runs of each: 1,000 runs, then 20,000."""

SOLVERS = ("annealing", "ils", "tabu", "icm", "ga", "bco", "random", "sa", "tsp-aco", "greedy")

DRAWN = """
const done = arguments[0], place = document.querySelector('#plot-anytime');
place.scrollIntoView();
const check = () => (place.querySelector('.series') ? done(performance.now()) : setTimeout(check, 5));
check();
"""
"""The script that returns the milliseconds from the navigation to the first chart."""


def runs(instances: int, methods: int, repetitions: int) -> list[Record]:
    """Return records of a comparison."""
    rng, made = np.random.default_rng(1), []
    problem = swarmkit.make_problem("synthetic", n=60, seed=1)
    originals = [swarmkit.solve(problem, name, looks=200_000) for name in SOLVERS[:methods]]
    for i in range(instances):
        scale = 1 + i / 7
        for k in range(repetitions):
            for name, result in zip(SOLVERS, originals, strict=False):
                assert result.score is not None
                factor = scale * (1 + 0.02 * rng.random())
                trace = result.trace
                seconds = [second * (1 + rng.random()) for second in trace.seconds]
                scores = [score * factor for score in trace.score]
                other = Trace(list(trace.looks), list(trace.iterations), seconds, scores)
                update = {"score": result.score * factor, "trace": other, "seed": int(rng.integers(2**62))}
                instance = f"synthetic n={60 + i} seed={i}"
                made.append(Record(f"{i}/{name}/{k}", instance, name, k, result.model_copy(update=update)))
    return made


def main() -> None:
    """Measure all shapes and print a line for each."""
    shots = runpy.run_path(str(Path(__file__).parents[1] / "docs" / "shots.py"))
    print("instances x methods x runs     total      MB   analysed s   made s   opened s")
    with shots["browser"](1280, 900) as driver, TemporaryDirectory() as folder:
        for shape in SHAPES:
            print(f"{' x '.join(map(str, shape)):>26} {measured(driver, Path(folder), shape)}", flush=True)


def measured(driver: Any, folder: Path, shape: tuple[int, int, int]) -> str:
    """Return the figures of one comparison as a line."""
    records = runs(*shape)
    begun = time.process_time()
    analysis = analyse(records)
    analysed = time.process_time()
    page = make_page(records, analysis)
    made = time.process_time()
    path = folder / "report.html"
    path.write_text(page, encoding="utf-8")
    driver.get(path.as_uri())
    opened = driver.execute_async_script(DRAWN) / 1000
    size = path.stat().st_size / 1e6
    return f"{len(records):9,} {size:7.2f} {analysed - begun:12.1f} {made - analysed:8.1f} {opened:10.2f}"


if __name__ == "__main__":
    main()
