"""The outcome of a run: the solution, and everything needed to check it and to run it again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from swarmkit.contract.budget import Stopped
from swarmkit.contract.errors import UsageError
from swarmkit.contract.progress import Trace
from swarmkit.contract.spec import Spec


class Gap(BaseModel):
    """The distance of a score from an upper bound."""

    model_config = ConfigDict(frozen=True)

    bound: float | None
    """No solution scores more; None where nothing is known."""
    optimum: bool
    """Whether some solution has that score."""
    by: str
    """The solver that proved the bound, or the problem, which knew it."""
    absolute: float | None
    """Bound minus score; None where one of them is missing."""
    relative: float | None
    """The absolute gap divided by the bound; None where the bound is 0."""
    words: str
    """The gap as a sentence."""


class Result(Spec):
    """The outcome of one run."""

    format: Literal[1, 2] = 2  # type: ignore[assignment]  # stores of version 0.1 can still be read
    solution: list[int] | None
    """The candidate at each stage; None if no feasible solution was found."""
    score: float | None
    bound: float | None = None
    """An upper bound on the score of every solution, proved by the run."""
    metrics: dict[str, float]
    """What the field measures of the solution, beside its score."""
    answer: list[dict[str, Any]]
    """The solution as the problem describes it: a row per stage."""
    looks: int
    """Candidate values read."""
    iterations: int
    """Iterations of the solver."""
    steps: int
    """Calls of the solver's `step`: what `replay` repeats."""
    seconds: float
    """Time of the search."""
    setup_seconds: float
    """Time before it: building the problem, loading and compiling."""
    stopped: Stopped
    """Why the run ended."""
    trace: Trace
    """The best score over looks, iterations and seconds."""
    gap: Gap | None = None
    """How far the score is from the best possible one, where that was asked for."""

    def differences(self, other: Result) -> list[str]:
        """Return the names of the fields in which two outcomes differ, times and versions aside."""
        names = ["solution", "score", "looks", "iterations", "steps"]
        found = [name for name in names if getattr(self, name) != getattr(other, name)]
        traces = [(r.trace.looks, r.trace.iterations, r.trace.score) for r in (self, other)]
        return found + (["trace"] if traces[0] != traces[1] else [])


class Results(BaseModel):
    """Several runs of one solver on one problem, and the best of them."""

    model_config = ConfigDict(frozen=True)

    best: Result
    """The run with the highest score."""
    runs: list[Result]
    """All runs, by seed."""


def best_of(runs: Sequence[Result]) -> Results:
    """Return runs with the best of them: the one of highest score, the earlier among equals."""
    return Results(best=max(runs, key=lambda r: float("-inf") if r.score is None else r.score), runs=list(runs))


def read_results(path: Path) -> list[Result]:
    """Read a file that `--out` wrote: one result, or those of several runs."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Results.model_validate(data).runs if "runs" in data else [Result.model_validate(data)]
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from None
    except ValidationError as error:
        entry = error.errors()[0]
        where = ".".join(map(str, entry["loc"]))
        raise UsageError(f"{path}: not a result of swarmkit ({where}: {entry['msg'].lower()})") from None
    except (ValueError, TypeError):
        raise UsageError(f"{path}: not a result of swarmkit (JSON written by --out or --json is expected)") from None
