"""What the problems of this package have in common: a linear objective, rows, and a picture of the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from swarmkit import Constraints, Floats, Pairwise, PairwiseProblem, Solutions, View

LARGEST_SCENE = 200_000
"""Coefficients of the largest problem that is shown as a moving picture."""

MOST_BARS = 40
"""Up to this many rows each is a bar of its own parts; more rows are columns side by side."""


class LinearProblem(PairwiseProblem):
    """A problem whose objective is the sum of the values of the chosen candidates, with linear constraints."""

    about: str
    """What the instance is, in a line."""

    def __init__(self, sizes: ArrayLike, values: Floats, constraints: Constraints, best: float | None = None) -> None:
        super().__init__(Pairwise.of(sizes, unary=values))
        self.constraints: Constraints = constraints
        self.best = best

    def metrics(self, x: Solutions) -> dict[str, float]:
        """Return the objective, the number of rows that are violated, and the gap to the best known objective."""
        value = float(self.form.score(x[None])[0])
        metrics = {self.objective: value, "violated": float((self.constraints.violations(x[None]) > 0).sum())}
        if self.best is not None:
            metrics["best known"] = self.best
            if self.best:
                metrics["gap"] = abs(value - self.best) / abs(self.best)
        return metrics

    def view(self) -> View:
        """Return the caption, the drawing of the rows and the scene of moving pictures."""
        return View(self.about, draw=self._draw, scene=self._scene)

    def _draw(self, x: Solutions, axes: Any) -> None:
        """Draw how far each row is used."""
        value = self.metrics(x)[self.objective]
        draw_rows(axes, self.constraints, x)
        axes.set_title(f"{self.objective} {value:,.10g}")

    def _scene(self) -> dict[str, Any]:
        """Return the rows, of which bars can be drawn."""
        rows = self.constraints
        if len(rows.slots) > LARGEST_SCENE:
            return {}
        names = {"names": list(rows.names)} if len(rows) <= MOST_BARS else {}
        columns = ("indptr", "slots", "coefficients", "lower", "upper")
        return {"kind": "rows", **{name: getattr(rows, name) for name in columns}, **names}


def unit_of(lower: Floats, upper: Floats, largest: Floats) -> Floats:
    """Return the sum that is drawn as 1 in each row: the bound furthest from 0, or the largest coefficient.

    >>> unit_of(np.array([1.0, -np.inf]), np.array([np.inf, 0.0]), np.array([1.0, 3.0])).tolist()
    [1.0, 3.0]
    """
    bounds = np.abs(np.where(np.isfinite([lower, upper]), [lower, upper], 0.0)).max(axis=0)
    return np.asarray(np.where(bounds > 0, bounds, np.maximum(largest, 1e-12)))


def draw_rows(axes: Any, rows: Constraints, x: Solutions) -> None:
    """Draw the sum of each row as a share of its bound: bars of its parts where rows are few, else columns.

    Args:
        axes: matplotlib's axes.
        rows: the constraints.
        x: a complete solution.
    """
    largest = np.zeros(len(rows))
    np.maximum.at(largest, rows.rows, np.abs(rows.coefficients))
    unit = unit_of(rows.lower, rows.upper, largest)
    chosen = x[rows.stages] == rows.slots - rows.offsets[rows.stages]
    shares = rows.activities(x[None])[0] / unit
    violated = rows.violations(x[None])[0] > 0
    lower, upper = rows.lower / unit, rows.upper / unit
    place = np.arange(len(rows))
    if len(rows) <= MOST_BARS:
        for row in range(len(rows)):
            part = slice(rows.indptr[row], rows.indptr[row + 1])
            stages, values = rows.stages[part][chosen[part]], rows.coefficients[part][chosen[part]] / unit[row]
            ends = np.cumsum(values)
            colours = [f"C{stage % 10}" for stage in stages]
            axes.barh(row, values, left=ends - values, height=0.7, color=colours, edgecolor="white", linewidth=0.4)
        for bounds in (lower, upper):
            finite = np.isfinite(bounds)
            axes.vlines(bounds[finite], place[finite] - 0.45, place[finite] + 0.45, color="black", linewidth=1.5)
        axes.set_yticks(place, rows.names, fontsize="small")
        for label, wrong in zip(axes.get_yticklabels(), violated, strict=True):
            label.set_color("C3" if wrong else "black")
        axes.invert_yaxis()
        least = min(0.0, float(shares.min(initial=0.0)))
        axes.set(xlabel="sum of the row as a share of its bound (the black line)", xlim=(1.05 * least, None))
    else:
        tight = ~violated & ((np.abs(shares - lower) < 1e-9) | (np.abs(shares - upper) < 1e-9))
        kinds = {"violated": (violated, "C3"), "at a bound": (tight, "C0"), "within": (~violated & ~tight, "0.75")}
        for label, (which, colour) in kinds.items():
            if not which.any():
                continue
            text = f"{label}: {int(which.sum()):,}"
            axes.bar(place[which], shares[which], width=1.0, color=colour, label=text, edgecolor="none")
        axes.plot(place, np.where(np.isfinite(upper), upper, lower), ".", color="black", markersize=1)
        axes.legend(fontsize="small", ncols=3, loc="upper center", framealpha=0.9)
        axes.set(xlabel="row", ylabel="sum as a share of the bound", xlim=(-0.5, len(rows) - 0.5))
        axes.set_ylim(top=1.15 * max(1.0, float(shares.max(initial=1.0))))
