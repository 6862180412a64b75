"""Runs as logs of IOHprofiler: for each method a folder with a JSON file and a data file per function.

Format: https://iohprofiler.github.io, version 0.3: `IOHprofiler_f1_OneMax.json` lists the runs, and
`data_f1_OneMax/IOHprofiler_f1_DIM64.dat` has a block for each run, a line for each improvement.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from swarmkit.contract.errors import UsageError
from swarmkit.contract.version import __version__
from swarmkit.files.writing import write_atomically

if TYPE_CHECKING:
    from swarmkit.comparison.record import Record
    from swarmkit.contract.result import Result

VERSION = "0.3.18"
"""The version of the format."""


class Function(NamedTuple):
    """What IOHprofiler calls a function: an instance's label, or a function of the problem `ioh`."""

    number: int
    name: str
    suite: str


def ioh_logs(records: Sequence[Record]) -> dict[str, str]:
    """Return the contents of the files of a folder of logs, by their paths in it.

    A run on a problem that is nothing but a score is logged by evaluations, one on tables by looks. A run without a
    feasible solution is left out.

    Args:
        records: the runs of one or more methods on one or more instances.
    """
    numbers: dict[str, int] = {}
    groups: dict[tuple[str, Function], dict[int, list[Record]]] = {}
    for record in records:
        if record.result.solution is not None:
            function = _function(record, numbers)
            sizes = groups.setdefault((record.method, function), {})
            sizes.setdefault(len(record.result.solution), []).append(record)
    files: dict[str, str] = {}
    for (method, function), sizes in groups.items():
        files |= _function_files(method, function, sizes)
    return files


def write_ioh_logs(records: Sequence[Record], folder: Path) -> int:
    """Write logs to a folder that does not exist or is empty, and return the number of files."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder}: exists already; name a folder that does not exist, or an empty one")
    files = ioh_logs(records)
    if not files:
        raise UsageError("there is no run with a solution to export")
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text.encode())
    return len(files)


def _function(record: Record, numbers: dict[str, int]) -> Function:
    """Return the function of a run; instances of other problems than `ioh` are numbered from 1 in their order."""
    result = record.result
    if result.problem == "ioh" and result.options:
        number = int(result.options["function"])
        return Function(number, result.caption.partition(",")[0], str(result.options["suite"]).upper())
    return Function(numbers.setdefault(record.instance, len(numbers) + 1), record.instance, "swarmkit")


def _function_files(method: str, function: Function, sizes: dict[int, list[Record]]) -> dict[str, str]:
    """Return the JSON file and the data files of one method on one function."""
    name, folder = _safe(function.name), _safe(method)
    scenarios, files = [], {}
    for size, records in sorted(sizes.items()):
        path = f"data_f{function.number}_{name}/IOHprofiler_f{function.number}_DIM{size}.dat"
        files[f"{folder}/{path}"] = "".join(_block(record.result) for record in records)
        runs = [_run(record.result) for record in records]
        scenarios.append({"dimension": size, "path": path, "runs": runs})
    first = next(iter(sizes.values()))[0].result
    unit = "looks" if first.tables else "evaluations"
    document = {
        "version": VERSION,
        "suite": function.suite,
        "function_id": function.number,
        "function_name": name,
        "maximization": first.cost is None,
        "algorithm": {"name": method, "info": f"swarmkit {__version__}, work counted in {unit}"},
        "attributes": ["evaluations", "raw_y"],
        "scenarios": scenarios,
    }
    files[f"{folder}/IOHprofiler_f{function.number}_{name}.json"] = json.dumps(document, indent=1) + "\n"
    return files


def _points(result: Result) -> list[tuple[int, float]]:
    """Return the work and the best value at each improvement, and at the end of the run.

    Readers know the beginning of a run by its first evaluation. Solvers score in batches, whose best value is the first
    that is known, so that value stands at evaluation 1.
    """
    trace, total = result.trace, result.looks if result.tables else result.evaluations
    work: Iterable[int] = trace.looks if result.tables else trace.evaluations
    best: dict[int, float] = {}
    for at, score in zip(work, trace.score, strict=True):
        best[max(1, at)] = result.shown(score)  # of several improvements within one unit of work the last
    if result.score is not None:
        best[max(1, total)] = result.shown(result.score)
    points = sorted(best.items())
    return [(1, points[0][1]), *(point for point in points[1:] if point[0] > 1)]


def _block(result: Result) -> str:
    """Return the lines of a run in a data file."""
    return "evaluations raw_y\n" + "".join(f"{at} {value:.10f}\n" for at, value in _points(result))


def _run(result: Result) -> dict[str, Any]:
    """Return a run as the JSON file lists it."""
    points = _points(result)
    reached = next(at for at, value in points if value == points[-1][1])
    instance = int(result.options["instance"]) if result.problem == "ioh" and result.options else 1
    best = {"evals": reached, "y": points[-1][1], "x": result.solution}
    return {"instance": instance, "evals": points[-1][0], "best": best}


def _safe(name: str) -> str:
    """Return a name in letters, digits and a few signs, for a file.

    >>> _safe("tsp n=50, seed=1")
    'tsp_n=50_seed=1'
    """
    return re.sub(r"[^\w=.+-]+", "_", name).strip("_.") or "unnamed"
