"""Results and tables for people, and JSON for machines."""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from swarmkit.contract.notebook import figure
from swarmkit.stopping import criteria

if TYPE_CHECKING:
    from rich.console import Console

    from swarmkit.contract.explanation import Explanation
    from swarmkit.contract.result import Result, Results

ROWS = 40
"""Rows of an answer that are shown, about a screen; --json and --out have all."""


def console() -> Console:
    """Return the console for standard output: as wide as the terminal, or 140 columns in a file."""
    from rich.console import Console

    # Without a terminal rich would assume 80 columns, and fold every table.
    return Console(width=None if sys.stdout.isatty() else 140, highlight=False, soft_wrap=False)


def print_json(value: Any) -> None:
    """Print one JSON document and nothing else."""
    print(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))


def heading(text: str) -> None:
    """Print a heading."""
    console().print(f"\n{text}", style="bold", markup=False)


def print_table(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows as a table; its columns are the keys of the first row."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in rows[0]:
        table.add_column(str(column), overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell(row.get(column))) for column in rows[0]))
    console().print(table)


def cell(value: Any) -> str:
    """Return a value as text for a table.

    >>> cell(0.123456789), cell(1234567), cell(None)
    ('0.1235', '1,234,567', '')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def show_result(result: Result) -> None:
    """Print one run: its score, cost and metrics, and the answer as the problem describes it."""
    score = "no feasible solution found" if result.score is None else f"{result.objective} {_score(result)}"
    heading(f"{result.problem} by {result.solver}: {score}")
    print(summary(result))
    if result.explanation is not None:
        print(result.explanation.choice)
    if result.against_random is not None and result.against_random.words:
        print(result.against_random.words)
    if result.gap is not None:
        print(result.gap.words)
    elif result.bound is not None and result.bound == result.score:
        better = "scores more" if result.objective == "score" else f"has a lower {result.objective}"
        print(f"proved: no solution {better}")
    for name, value in result.metrics.items():
        if name != result.objective:
            print(f"{name}: {figure(value)}")
    if result.caption:
        print(f"\n{result.caption}")
    if result.answer:
        print()
        print_table(result.answer[:ROWS])
    if len(result.answer) > ROWS:
        print(f"… and {len(result.answer) - ROWS} more (--json or --out FILE gives all)")


def show_explanation(explanation: Explanation | None) -> None:
    """Print the solvers that were chosen with their parts in the run, and their shares over time."""
    if explanation is None:
        print("\nnothing to explain: the solver was named, or there was nothing to search for")
        return
    heading(explanation.choice)
    members = [
        {
            "solver": " ".join([member.solver, *(f"{name}={value}" for name, value in member.params.items())]),
            "share": None if member.share is None else f"{member.share:.0%}",
            "looks": member.looks,
            "improvements": member.improvements,
            "because": member.reason,
        }
        for member in explanation.solvers
    ]
    if members:
        print_table(members)
    if explanation.shares:
        heading("shares over time")
        shares = [(at.looks, {name: f"{share:.0%}" for name, share in at.shares.items()}) for at in explanation.shares]
        print_table([{"looks": looks} | named for looks, named in shares])


def show_results(results: Results) -> None:
    """Print several runs, then the best of them."""
    rows = [
        {
            "seed": r.seed,
            r.objective: _score(r),
            "looks": r.looks,
            "evaluations": r.evaluations,
            "iterations": r.iterations,
            "seconds": f"{r.seconds:.3f}",
            "stopped": r.stopped,
        }
        for r in results.runs
    ]
    heading(f"{len(rows)} runs")
    print_table(rows)
    scores = [r.shown(r.score) for r in results.runs if r.score is not None]
    if len(scores) > 1:
        print(f"\nmedian {figure(statistics.median(scores))}, from {figure(min(scores))} to {figure(max(scores))}")
    show_result(results.best)


def _score(result: Result) -> str:
    """Return the score, or the cost, of a result as text."""
    return "none" if result.score is None else figure(result.shown(result.score))


def summary(result: Result) -> str:
    """Return a line with the cost of a run and the reason why it ended."""
    others = {"done": "the solver was done", "interrupted": "interrupted: this is the best so far"}
    reasons = others | {name: criterion.words for name, criterion in criteria().items()}
    looks = used(result.looks, result.budget.looks)
    costs = (
        f"{looks} looks, {result.evaluations:,} evaluations, {result.iterations:,} iterations, {result.seconds:.3f} s"
    )
    if result.budget.cpu_seconds is not None:
        costs += f", {result.cpu_seconds or 0.0:.3f} CPU s"
    return f"seed {result.seed}; {costs}; {reasons.get(result.stopped, f'stopped: {result.stopped}')}"


def used(looks: float, limit: int | None) -> str:
    """Return looks for people, beside their limit if there is one: a step that would exceed it is not counted.

    >>> used(998_400, 1_000_000), used(40, None)
    ('998,400 of 1,000,000', '40')
    """
    return f"{looks:,.0f}" if limit is None else f"{looks:,.0f} of {limit:,}"
