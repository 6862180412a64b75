"""Runs as logs of IOHprofiler: for each method a folder with a JSON file and a data file per function.

Format: https://iohprofiler.github.io, version 0.3: `IOHprofiler_f1_OneMax.json` lists the runs, and
`data_f1_OneMax/IOHprofiler_f1_DIM64.dat` has a block for each run, a line for each improvement.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
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


LONGEST = 60
"""Characters of a name of a file: 60 letters of any script are less than the 255 bytes of file systems."""


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
    # Other problems are numbered after the functions of `ioh`, so that no two functions share a number.
    last = max((_ioh_number(record) or 0 for record in records), default=0)
    others = dict.fromkeys(record.instance for record in records if _ioh_number(record) is None)
    numbers = {instance: number for number, instance in enumerate(others, last + 1)}
    groups: dict[tuple[str, Function], dict[int, list[Record]]] = {}
    for record in records:
        if record.result.solution is not None:
            function = _function(record, numbers)
            sizes = groups.setdefault((record.method, function), {})
            sizes.setdefault(len(record.result.solution), []).append(record)
    folders = _distinct(dict.fromkeys(method for method, _ in groups))
    files: dict[str, str] = {}
    for (method, function), sizes in groups.items():
        contents = _function_files(method, function, sizes)
        files |= {f"{folders[method]}/{name}": text for name, text in contents.items()}
    return files


def write_ioh_logs(records: Sequence[Record], folder: Path) -> int:
    """Write logs to a folder that does not exist or is empty, and return the number of files."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"{folder}: exists already; name a folder that does not exist, or an empty one")
        files = ioh_logs(records)
        if not files:
            raise UsageError("there is no run with a solution to export")
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, text.encode())
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written ({error.strerror}); name another folder") from None
    return len(files)


def _ioh_number(record: Record) -> int | None:
    """Return the number of a function of the problem `ioh`, None for runs on other problems."""
    result = record.result
    return int(result.options["function"]) if result.problem == "ioh" and result.options else None


def _function(record: Record, numbers: Mapping[str, int]) -> Function:
    """Return the function of a run."""
    number, result = _ioh_number(record), record.result
    if number is not None and result.options:
        return Function(number, result.caption.partition(",")[0], str(result.options["suite"]).upper())
    return Function(numbers[record.instance], record.instance, "swarmkit")


def _function_files(method: str, function: Function, sizes: dict[int, list[Record]]) -> dict[str, str]:
    """Return the JSON file and the data files of one method on one function, by their paths in the method's folder."""
    name = _safe(function.name)
    scenarios, files = [], {}
    for size, records in sorted(sizes.items()):
        path = f"data_f{function.number}_{name}/IOHprofiler_f{function.number}_DIM{size}.dat"
        blocks = ["".join(f"{at} {value:.10f}\n" for at, value in _points(record.result)) for record in records]
        files[path] = "".join(f"evaluations raw_y\n{block}" for block in blocks)
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
    files[f"IOHprofiler_f{function.number}_{name}.json"] = json.dumps(document, indent=1) + "\n"
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


def _run(result: Result) -> dict[str, Any]:
    """Return a run as the JSON file lists it."""
    points = _points(result)
    evaluations = next(at for at, value in points if value == points[-1][1])
    instance = int(result.options["instance"]) if result.problem == "ioh" and result.options else 1
    best = {"evals": evaluations, "y": points[-1][1], "x": result.solution}
    return {"instance": instance, "evals": points[-1][0], "best": best}


def _safe(name: str) -> str:
    """Return a name in letters, digits and a few signs, for a file.

    >>> _safe("tsp n=50, seed=1")
    'tsp_n=50_seed=1'
    """
    return re.sub(r"[^\w=.+-]+", "_", name)[:LONGEST].strip("_.") or "unnamed"


def _distinct(names: Iterable[str]) -> dict[str, str]:
    """Return a name for a folder for each name, no two of which are the same.

    >>> _distinct(["ga a/b", "ga a:b"])
    {'ga a/b': 'ga_a_b', 'ga a:b': 'ga_a_b_2'}
    """
    folders: dict[str, str] = {}
    for name in names:
        # Some file systems do not tell upper from lower case.
        others = {folder.lower() for folder in folders.values()}
        safe = _safe(name)
        candidates = (safe if number == 1 else f"{safe}_{number}" for number in count(1))
        folders[name] = next(folder for folder in candidates if folder.lower() not in others)
    return folders
