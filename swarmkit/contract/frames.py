"""Runs as pandas data frames; pandas is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from swarmkit.contract.errors import MissingError, install_hint

if TYPE_CHECKING:
    from swarmkit.contract.result import Result

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
