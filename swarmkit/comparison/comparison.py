"""The runs of a comparison as people look at them: a table in notebooks, a data frame."""

from __future__ import annotations

from typing import Any

from swarmkit.comparison.record import Record
from swarmkit.comparison.summary import summarise_methods
from swarmkit.contract import notebook
from swarmkit.contract.result import data_frame, run_row, shown


class Comparison(list[Record]):
    """The runs of a comparison, with a table for notebooks and a data frame."""

    def to_pandas(self) -> Any:
        """Return a pandas data frame with a row per run (extra `pandas`)."""
        labels = ("instance", "method", "repetition")
        return data_frame([{**{name: getattr(r, name) for name in labels}, **run_row(r.result)} for r in self])

    def _repr_html_(self) -> str:
        """Return a table with the best and the median of each method on each instance."""
        rows = []
        for one in summarise_methods(self):
            ends = {"best": one.best, "median": one.median}
            rows.append(
                {
                    "instance": one.instance,
                    "method": one.method,
                    "runs": one.runs,
                    "objective": one.objective,
                    **{name: None if value is None else shown(one.objective, value) for name, value in ends.items()},
                    "looks": round(one.looks),
                    "evaluations": round(one.evaluations),
                    "seconds": f"{one.seconds:.3f}",
                }
            )
        return f"{notebook.heading(f'{len(self)} runs')}{notebook.table(rows, limit=200)}"
