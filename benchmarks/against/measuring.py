"""Jobs: a method on an instance with all its seeds is one process; what it says becomes a row."""

from __future__ import annotations

import hashlib
import json
import math
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from against.plan import LKH, YARDSTICKS, Instance, Method

HERE = Path(__file__).parent.parent
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")}
Lines = list[dict[str, Any]]


class Field:
    """Instances written down for both sides, and the best cost known for each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: dict[tuple[str, int], str] = {}
        self.known: dict[tuple[str, int], float] = {}
        self.sizes: dict[str, int] = {}

    def add(self, instance: Instance) -> None:
        """Make all variations of an instance."""
        from against.ours import problem_of, task_of

        for variation in range(instance.variations):
            problem = problem_of(instance.problem, instance.settings(variation))
            file = self.folder / f"{len(self.files)}.npz"
            task_of(instance.kind, problem).save(file)
            self.files[instance.name, variation] = str(file)
            self.sizes[instance.name] = len(problem.sizes)
            best = getattr(problem, "shortest" if instance.kind == "tour" else "best", None)
            self.known[instance.name, variation] = math.inf if best is None else float(best)

    def meet(self, instance: Instance, variation: int, costs: list[float | None]) -> None:
        """Keep the best cost that anybody found."""
        key = instance.name, variation
        self.known[key] = min(self.known[key], *(cost for cost in costs if cost is not None), math.inf)

    def gap(self, instance: Instance, variation: int, cost: float | None) -> float:
        """Return the gap of a cost to the best known one, in %."""
        best = self.known[instance.name, variation]
        if cost is None:
            return math.inf
        return 100 * (cost - best) / abs(best) if best else 100 * (cost - best)


def run_job(method: Method, instance: Instance, marks: list[list[float]], field: Field, python: Path) -> Lines:
    """Run one process with all seeds; a line each, what went wrong in words."""
    runs = [
        {
            "seed": seed,
            "marks": until,
            "file": field.files[instance.name, seed % instance.variations],
            "problem": instance.problem,
            "options": instance.settings(seed % instance.variations),
        }
        for seed, until in enumerate(marks)
    ]
    job = {"method": method.label, "solver": method.solver, "params": method.params, "unit": method.unit, "runs": runs}
    command = [sys.executable, "-m", "against.ours"] if method.ours else [str(python), "-m", "against.peer"]
    said, why = talk(command, json.dumps(job), 300 + 10 * sum(until[-1] + 20 for until in marks))
    lines: Lines = [json.loads(line) for line in said.splitlines()]
    return lines + [{"error": why}] * (len(runs) - len(lines))


RUNNING: set[subprocess.Popen[str]] = set()
"""Processes of jobs: in sessions of their own, because a peer may take Ctrl-C for a wish to stop early."""


def talk(command: list[str], question: str, patience: float) -> tuple[str, str]:
    """Run a process; give what it says, and the last line of its complaints."""
    wires = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    surroundings: Any = {"cwd": HERE, "env": os.environ | ONE_THREAD, "start_new_session": True}
    try:
        child = subprocess.Popen(command, text=True, **wires, **surroundings)
    except OSError as error:
        return "", f"cannot be started ({error})"
    RUNNING.add(child)
    try:
        said, complaints = child.communicate(question, timeout=patience)
    except subprocess.TimeoutExpired:
        child.kill()
        return child.communicate()[0], f"not done after {patience:.0f} s"
    finally:
        RUNNING.discard(child)
    return said, (complaints.strip().splitlines() or [f"ended with code {child.returncode}"])[-1]


def stop_all() -> None:
    """End the processes that run."""
    for child in list(RUNNING):
        child.kill()


def consult_lkh(instance: Instance, field: Field, python: Path, kept: Path) -> Lines:
    """Return LKH's answer to every variation; they are kept, because they take long."""
    known: dict[str, Any] = json.loads(kept.read_text()) if kept.exists() else {}
    lines = []
    for variation in range(instance.variations):
        file = field.files[instance.name, variation]
        key = hashlib.sha256(Path(file).read_bytes()).hexdigest()
        if key not in known:
            alone = Instance(instance.name, instance.kind, instance.problem, instance.settings(variation))
            one = Field(field.folder)
            one.files[instance.name, 0] = file
            (known[key],) = run_job(LKH, alone, [[1.0]], one, python)
        lines.append(known[key])
        field.meet(instance, variation, known[key].get("costs", []))
    kept.write_text(json.dumps({key: line for key, line in known.items() if "error" not in line}))
    return lines


def row_of(method: Method, instance: Instance, lines: Lines, field: Field) -> dict[str, Any]:
    """Make a row of the table: medians over seeds."""
    row: dict[str, Any] = {
        "instance": instance.name,
        "kind": instance.kind,
        "n": field.sizes[instance.name],
        "method": method.label,
        "ours": method.ours,
        "unit": method.unit,
        "note": method.note,
    }
    good = [line for line in lines if "error" not in line]
    if len(good) < len(lines):
        wrong = next(line["error"] for line in lines if "error" in line)
        row["note"] = f"{len(lines) - len(good)} of {len(lines)} runs failed: {wrong}"
    rates = [line["count"] / line["seconds"] for line in good if line["seconds"] > 0 and method != LKH]
    row["rate"] = statistics.median(rates) if rates else None
    row["gaps"], row["seeds"], row["best"] = {}, {}, {}
    return row


def add_gaps(row: dict[str, Any], instance: Instance, lines: Lines, marks: list[float], field: Field) -> None:
    """Add the gaps at each mark, once everybody's best is known."""
    for place, mark in enumerate(marks):
        gaps = [
            field.gap(instance, seed % instance.variations, line["costs"][place])
            for seed, line in enumerate(lines)
            if place < len(line.get("costs", []))
        ]
        if gaps:
            middle = statistics.median(gaps)
            row["gaps"][f"{mark:g}"] = None if math.isinf(middle) else middle
            row["seeds"][f"{mark:g}"] = len(gaps)
            row["best"][f"{mark:g}"] = sum(gap <= 1e-9 for gap in gaps)


def add_ratios(rows: Lines) -> None:
    """Add how many times a peer's rate ours is, unit by unit."""
    ours = {(row["instance"], row["method"]): row["rate"] for row in rows if row["ours"]}
    for row in rows:
        rates = [ours.get((row["instance"], method)) for method in YARDSTICKS.get(row["unit"], ())]
        mine = next((rate for rate in rates if rate), None)
        row["ratio"] = mine / row["rate"] if mine and row["rate"] and not row["ours"] else None
