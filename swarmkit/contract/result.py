"""What a run gives: the solution and everything needed to believe it and to run it again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from swarmkit.contract.budget import Stopped
from swarmkit.contract.errors import UsageError
from swarmkit.contract.progress import Trace
from swarmkit.contract.spec import Spec


class Gap(BaseModel):
    """How far a score is from the best there can be."""

    model_config = ConfigDict(frozen=True)

    bound: float | None
    """No solution scores more; None where nothing is known."""
    optimum: bool
    """Whether a solution with that score is known."""
    by: str
    """The solver that proved it, or the problem, which knew it."""
    absolute: float | None
    relative: float | None
    """The gap as a share of the bound; None where the bound is 0."""
    words: str


class Result(Spec):
    """The outcome of one run; `solution` is None if no feasible one was met."""

    solution: list[int] | None
    score: float | None
    bound: float | None = None
    """Proved by the run: no solution scores more."""
    metrics: dict[str, float]
    answer: list[dict[str, Any]]
    """The solution in the problem's own words."""
    looks: int
    iterations: int
    steps: int
    seconds: float
    setup_seconds: float
    stopped: Stopped
    trace: Trace
    gap: Gap | None = None
    """How far the score is from the best there can be, where that was asked for."""

    def differences(self, other: Result) -> list[str]:
        """Name what differs between two outcomes, times and versions aside."""
        names = ["solution", "score", "looks", "iterations", "steps"]
        found = [name for name in names if getattr(self, name) != getattr(other, name)]
        traces = [(r.trace.looks, r.trace.iterations, r.trace.score) for r in (self, other)]
        return found + (["trace"] if traces[0] != traces[1] else [])


class Results(BaseModel):
    """Several runs of one solver on one problem, and the best of them."""

    model_config = ConfigDict(frozen=True)

    best: Result
    runs: list[Result]


def best_of(runs: Sequence[Result]) -> Results:
    """Join runs; the best is the one of highest score, the earlier among equals."""
    return Results(best=max(runs, key=lambda r: float("-inf") if r.score is None else r.score), runs=list(runs))


def read_results(path: Path) -> list[Result]:
    """Read the result, or the results of several runs, that `--out` wrote."""
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
