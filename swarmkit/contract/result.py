"""The outcome of a run: the solution, and everything needed to check it and to run it again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from swarmkit.contract import notebook
from swarmkit.contract.arrays import Count, Duration
from swarmkit.contract.bounded_json import check_plain, parse_json, read_bytes, reading
from swarmkit.contract.errors import MissingError, UsageError, install_hint
from swarmkit.contract.explanation import Explanation
from swarmkit.contract.progress import Trace
from swarmkit.contract.spec import Spec

T = TypeVar("T")

COLUMNS = (
    "problem",
    "solver",
    "seed",
    "score",
    "cost",
    "bound",
    "looks",
    "evaluations",
    "setup_evaluations",
    "iterations",
    "seconds",
    "setup_seconds",
    "stopped",
)
"""The columns of a run; its metrics follow."""

LINE_STAGES = 20
"""Stages of the solution that `print(result)` shows."""


def shown(objective: str, score: float) -> float:
    """Return a score as people see it: itself, or the cost whose negative it is.

    >>> shown("length", -7542.0), shown("score", 1.5)
    (7542.0, 1.5)

    Args:
        objective: what people call the number, `score` or the name of a cost.
        score: the score, to be maximised.
    """
    return score if objective == "score" else 0.0 - score


def rounding(score: Any) -> Any:
    """Return the difference up to which another score is equal to this one, which summing in another order changes.

    Different whole numbers are never equal, however large they are.

    >>> float(rounding(2.5)), float(rounding(1e9))
    (2.5e-09, 0.5)

    Args:
        score: a score, or an array of scores.
    """
    return np.minimum(1e-9 * np.maximum(1.0, np.abs(score)), 0.5)


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


class AgainstRandom(BaseModel):
    """A score beside those of random solutions."""

    model_config = ConfigDict(frozen=True)

    better: bool
    """Whether the answer is better than random sampling with as many evaluations, as far as a small sample shows."""
    sampled: int
    """Random solutions that were drawn for this; they are not counted as evaluations."""
    best: float
    """The best score among them."""
    expected: float | None
    """The expected best score of as many draws as the run had evaluations; None where the sample does not tell."""
    words: str = ""
    """What there is to say; nothing if the answer is better."""


class Result(Spec):
    """The outcome of one run."""

    format: Literal[1, 2] = 2  # type: ignore[assignment]  # stores of version 0.1 can still be read
    solution: list[int] | None
    """The candidate at each stage; None if no feasible solution was found."""
    score: float | None
    """Its score, to be maximised."""
    cost: float | None = None
    """Minus the score, for a problem whose costs are minimised; None for others."""
    objective: str = "score"
    """What people call the number that they want to see: `score`, or the name of the cost."""
    bound: float | None = None
    """An upper bound on the score of every solution, proved by the run."""
    metrics: dict[str, float]
    """What the field measures of the solution, beside its score."""
    caption: str = ""
    """What the instance is, as the problem says it to people."""
    answer: list[dict[str, Any]]
    """The solution as the problem describes it: a row per stage."""
    looks: Count
    """Candidate values read."""
    evaluations: Count = 0
    """Solutions passed to the problem's `score` during the search."""
    setup_evaluations: Count = 0
    """Those before it."""
    search_looks: Count | None = None
    """The looks of the search alone, before its last answer was scored again and polished: a replay ends there."""
    search_evaluations: Count | None = None
    """Its evaluations, likewise: where nothing but the score is known, a replay ends there."""
    polish_looks: Count | None = None
    """Those of polishing, likewise."""
    iterations: Count
    """Iterations of the solver."""
    tables: bool = True
    """Whether the problem was given as tables; where nothing but a score is known, evaluations are the fair unit."""
    steps: Count
    """Calls of the solver's `step`, which depend on the clock."""
    seconds: Duration
    """Time of the search."""
    cpu_seconds: Duration | None = None
    """CPU time of the search, that of child processes included; None in results of version 0.2."""
    setup_seconds: Duration
    """Time before it: building the problem, loading and compiling."""
    stopped: str
    """Why the run ended: done, interrupted, the name of a limit, or the words of an observer or a function."""
    trace: Trace
    """The best score over looks, iterations and seconds."""
    explanation: Explanation | None = None
    """What a solver that chooses among others has chosen, and why."""
    evaluation_seconds: float | None = None
    """Seconds of an evaluation, timed before the first step where nothing but a score is known; a replay uses it."""
    against_random: AgainstRandom | None = None
    """Whether the answer is better than random sampling, where nothing but a score is known."""
    gap: Gap | None = None
    """How far the score is from the best possible one, where that was asked for."""

    def __str__(self) -> str:
        """Return three lines: what was run and its score, its cost and why it ended, and the solution's beginning."""
        score = (
            "no feasible solution found" if self.score is None else f"{self.objective} {self.shown(self.score):.10g}"
        )
        candidates = ", ".join(map(str, (self.solution or [])[:LINE_STAGES]))
        rest = f", … ({len(self.solution)} stages)" if self.solution and len(self.solution) > LINE_STAGES else ""
        work = f"{self.looks:,} looks, {self.evaluations:,} evaluations, {self.iterations:,} iterations"
        return (
            f"{self.problem} by {self.solver}, seed {self.seed}: {score}\n"
            f"{work}, {self.seconds:.3f} s; stopped: {self.stopped}\n"
            f"solution: {'none' if self.solution is None else f'[{candidates}{rest}]'}"
        )

    def shown(self, score: float) -> float:
        """Return a score, or a bound on it, as people see it: in the problem's direction."""
        return shown(self.objective, score)

    def to_pandas(self, what: Literal["run", "answer", "trace"] = "run") -> Any:
        """Return a pandas data frame (extra `pandas`).

        Args:
            what: `run` is one row with score, cost, work and metrics; `answer` a row per stage, as the problem
                describes the solution; `trace` the improvements over looks, evaluations, iterations and seconds.
        """
        # A row for each stage, with the columns that the problem chose.
        if what == "answer":
            return data_frame(self.answer)
        if what == "trace":
            columns = vars(self.trace)
            # Results of version 0.1 have no evaluations in their trace.
            used = {name: values for name, values in columns.items() if len(values) == len(self.trace.score)}
            return data_frame([dict(zip(used, row, strict=True)) for row in zip(*used.values(), strict=True)])
        if what != "run":
            raise UsageError(f"to_pandas: no part '{what}'; expected run, answer or trace")
        return data_frame([run_row(self)])

    def _repr_html_(self) -> str:
        """Return the result for notebooks: score, cost and metrics, and the beginning of the answer."""
        lines = str(self).split("\n")
        notes = [
            self.caption,
            self.gap.words if self.gap else "",
            self.against_random.words if self.against_random else "",
        ]
        metrics = {name: value for name, value in self.metrics.items() if name != self.objective}
        return "".join(
            [
                notebook.heading(lines[0]),
                notebook.paragraph(lines[1]),
                *(notebook.paragraph(text) for text in notes if text),
                notebook.table([metrics]) if metrics else "",
                notebook.table(self.answer) if self.answer else notebook.paragraph(lines[2]),
            ]
        )

    def differences(self, other: Result) -> list[str]:
        """Return the names of the fields in which two outcomes differ, times and versions aside."""
        names = ["solution", "score", "looks", "evaluations", "iterations"]
        names = [name for name in names if getattr(self, name) != getattr(other, name)]
        traces = [(r.trace.looks, r.trace.iterations, r.trace.score) for r in (self, other)]
        return names + (["trace"] if traces[0] != traces[1] else [])


class Results(BaseModel):
    """Several runs of one solver on one problem, and the best of them."""

    model_config = ConfigDict(frozen=True)

    best: Result
    """The run with the highest score."""
    runs: list[Result]
    """All runs, by seed."""

    def __str__(self) -> str:
        """Return the number of runs, the best of them, and the mean and the range of all scores."""
        lines = [
            f"{len(self.runs)} runs of {self.best.solver} on {self.best.problem}; the best of them:",
            str(self.best),
        ]
        scores = [r.shown(r.score) for r in self.runs if r.score is not None]
        if scores:
            none = (
                f", {len(self.runs) - len(scores)} without a feasible solution" if len(scores) < len(self.runs) else ""
            )
            figures = f"mean {np.mean(scores):.10g}, from {min(scores):.10g} to {max(scores):.10g}{none}"
            lines.append(f"{self.best.objective} of all runs: {figures}")
        return "\n".join(lines)

    def to_pandas(self) -> Any:
        """Return a pandas data frame with a row per run (extra `pandas`)."""
        return data_frame([run_row(run) for run in self.runs])

    def _repr_html_(self) -> str:
        """Return the runs for notebooks: a row for each, then the best of them."""
        rows = [
            {
                "seed": r.seed,
                r.objective: None if r.score is None else r.shown(r.score),
                "looks": r.looks,
                "evaluations": r.evaluations,
                "seconds": f"{r.seconds:.3f}",
                "stopped": r.stopped,
            }
            for r in self.runs
        ]
        return f"{notebook.heading(f'{len(rows)} runs')}{notebook.table(rows)}{self.best._repr_html_()}"


def best_of(runs: Sequence[Result]) -> Results:
    """Return runs with the best of them: the one of highest score, the earlier among equals."""
    return Results(best=max(runs, key=lambda r: float("-inf") if r.score is None else r.score), runs=list(runs))


def run_row(result: Result) -> dict[str, Any]:
    """Return a run as one row: what was run, its score, what it cost, and its metrics."""
    metrics = {f"metrics.{name}": value for name, value in result.metrics.items()}
    gap = {"gap": result.gap.relative} if result.gap is not None else {}
    return {**{name: getattr(result, name) for name in COLUMNS}, **gap, **metrics}


def data_frame(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Return rows as a pandas data frame.

    Raises:
        MissingError: pandas is not installed.
    """
    try:
        import pandas
    except ImportError:
        hint = install_hint("pandas")
        raise MissingError(f"to_pandas needs pandas, which the extra 'pandas' installs: {hint}") from None
    return pandas.DataFrame([dict(row) for row in rows])


def read_results(path: Path) -> list[Result]:
    """Read a file that `--out` wrote: one result, or those of several runs."""
    with reading(path, "a result of swarmkit (JSON written by --out or --json)"):
        data = parse_json(read_bytes(path))
        several = isinstance(data, dict) and isinstance(data.get("runs"), list)
        results = [read_result(item) for item in (data["runs"] if several else [data])]
    if not results:
        raise UsageError(f"{path}: a file of results without a result")
    return results


def read_result(data: Any) -> Result:
    """Return the result that plain data stand for, checked: the file may come from elsewhere.

    Raises:
        ValueError: the data are not those of a result; the message has the place.
    """
    result = validate(Result.model_validate, data)
    check_plain(result.model_dump())  # pydantic takes the text "1e999" for an infinite number
    if flaw := result.trace.flaw():
        raise ValueError(f"trace: {flaw}")
    return result


def validate(kind: Callable[[Any], T], data: Any) -> T:
    """Return what plain data stand for, by a validation of pydantic such as `Result.model_validate`.

    Raises:
        ValueError: the data are something else; the message has the place.
    """
    try:
        return kind(data)
    except ValidationError as error:
        entry = error.errors()[0]
        place = ".".join(map(str, entry["loc"]))
        raise ValueError(f"{place}: {entry['msg'].lower()}") from None
