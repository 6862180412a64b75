"""Files that runs leave: checkpoints, recordings, stores and results; how each is made and read."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path

import swarmkit
from swarmkit.plugins.host import host
from tests.fuzz.reading import written

RUNS = (
    *(
        ("synthetic", {"n": 12}, name)
        for name in ("sa", "annealing", "ga", "ils", "dbees", "aca", "tsp-aco", "random", "vote")
    ),
    *(("tsp", {"n": 12}, name) for name in ("sa", "tour-ga", "ils", "tsp-aco")),
    *(("qap", {"n": 8}, name) for name in ("robust-tabu", "ga", "annealing")),
)
"""The runs whose checkpoints are mutated: problem, options, solver."""

LIMITS = swarmkit.Budget(looks=30_000, seconds=5)
"""The limits of resumed runs."""

LONGEST = 1_000_000
"""The looks of the longest run that is replayed."""


def checkpoints(folder: Path, runs: Sequence[tuple[str, dict[str, int], str]] = RUNS) -> list[bytes]:
    known = {offer.name for offer in host().offers("solver")}
    found = []
    for problem, options, solver in runs:
        if solver in known:
            file = folder / f"{problem}-{solver}.ckpt"
            made = swarmkit.make_problem(problem, **options)
            swarmkit.solve(made, solver, looks=3000, checkpoint=file)
            found.append(file.read_bytes())
    return found


def recordings(folder: Path) -> list[bytes]:
    found = []
    for problem, solver in (("synthetic", "dbees"), ("tsp", "tsp-aco"), ("flowshop", "ga")):
        file = folder / f"{problem}.rec"
        swarmkit.solve(problem, solver, looks=2000, observers=[swarmkit.Recorder(file, frames=20)])
        found.append(file.read_bytes())
    return found


def play(data: bytes, folder: Path) -> None:
    from swarmkit.viewing import make_movie

    make_movie(swarmkit.read_recording(written(folder / "mutated.rec", data)))


def resume(data: bytes, folder: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        swarmkit.resume(written(folder / "mutated.ckpt", data), limits=LIMITS)


def stores(folder: Path) -> list[bytes]:
    path = folder / "sound.db"
    problems = [{"name": "synthetic", "options": {"n": n}} for n in (6, 40)]
    swarmkit.compare(
        swarmkit.Experiment(
            problems=problems, solvers=["random", "exhaustive", "first"], runs=2, budget={"looks": 500}, gap=True
        ),
        store=path,
    )
    return [path.read_bytes()]


def report(data: bytes, folder: Path) -> None:
    from swarmkit.cli.runs import documents, export_text
    from swarmkit.comparison.store import Store
    from swarmkit.report.page import make_page
    from swarmkit.statistics.analysis import analyse

    for suffix in ("-wal", "-shm"):
        (folder / f"mutated.db{suffix}").unlink(missing_ok=True)
    with Store(written(folder / "mutated.db", data), read_only=True) as store:
        records = store.records()
        experiments = store.experiments()
    swarmkit.print_json(documents(records))
    export_text(records, ".csv")
    if records:
        make_page(records, analyse(records, 0), "", experiments)


def results(folder: Path) -> list[bytes]:
    made = swarmkit.make_problem("synthetic", n=8)
    one = swarmkit.solve(made, "random", looks=2000)
    several = swarmkit.solve_many(made, "ga", 2, limits=swarmkit.Budget(looks=2000))
    return [one.model_dump_json().encode(), several.model_dump_json(indent=2).encode()]


def replay(data: bytes, folder: Path) -> None:
    from swarmkit.cli.solving import verdict
    from swarmkit.contract.result import read_results

    path = written(folder / "mutated.json", data)
    if all(
        max(r.looks, r.search_looks or 0) <= LONGEST for r in read_results(path)
    ):  # a file may ask for a long run, as a command may
        for replayed in swarmkit.replay(path):
            verdict(replayed)
