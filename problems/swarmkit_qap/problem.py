"""The quadratic assignment problem: assign facilities to locations so that the sum of flow times distance is small."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from swarmkit import FileName, Floats, Pairwise, PairwiseProblem, Settings, View, check_alternatives, plain_name
from swarmkit_qap.qaplib import BEST_KNOWN, LARGEST, Matrices, read_qaplib, read_solution

LARGEST_SCENE = 100
"""Facilities of the largest problem that is shown as a moving picture."""


class QapOptions(Settings):
    """A file, or a random instance."""

    file: FileName | None = None
    """A problem of QAPLIB (.dat); by default a random instance is drawn."""
    n: Annotated[int, Field(ge=1, le=LARGEST)] = 15
    """Number of facilities and locations to draw."""
    layout: Literal["grid", "uniform"] = "grid"
    """Sparse flows and distances on a grid, as in Nugent's problems, or two matrices of uniform numbers, 0 to 99."""
    seed: Annotated[int, Field(ge=0)] = 0
    """The seed of the random instance."""
    solution: FileName | None = None
    """The best known solution, in a file of QAPLIB (.sln): the gap is measured to its cost."""
    best: float | None = None
    """The smallest cost known; by default the published one of QAPLIB's problem of the file's name."""

    @model_validator(mode="after")
    def _consistent(self) -> QapOptions:
        check_alternatives(self, ["file"], ["n", "layout", "seed"], expected="a file or an instance to draw")
        check_alternatives(self, ["solution"], ["best"], expected="one of them")
        return self


class QuadraticAssignment(PairwiseProblem):
    """Assign: stages are rows of the first matrix, candidates rows of the second; the score is minus the cost."""

    Options = QapOptions
    reference = "R.E. Burkard, S.E. Karisch, F. Rendl (1997). QAPLIB. J. of Global Optimization 10, 391-403."
    cost_name = "cost"

    def __init__(self, first: Floats, second: Floats, best: float | None = None) -> None:
        super().__init__(form_of(Matrices(np.asarray(first, np.float64), np.asarray(second, np.float64))))
        self.best = best

    @classmethod
    def build(cls, options: Any) -> Self:
        """Read or draw the matrices."""
        if options.file is None:
            matrices, best = draw(options.n, options.layout, options.seed), options.best
        else:
            matrices = read_qaplib(options.file)
            best = BEST_KNOWN.get(plain_name(options.file).stem) if options.best is None else options.best
        if options.solution is not None:
            best = read_solution(options.solution, matrices)
        return cls(*matrices, best)

    def describe(self, x: NDArray[Any]) -> list[dict[str, Any]]:
        """Return each facility's location, numbered from 1 as in QAPLIB, and its cost with all others."""
        costs = [-float(self.form.marginals(x[None], stage)[0, place]) for stage, place in enumerate(x)]
        return [
            {"facility": stage + 1, "location": int(place) + 1, "cost with all others": cost}
            for stage, (place, cost) in enumerate(zip(x, costs, strict=True))
        ]

    def view(self) -> View:
        """Return the drawing of an assignment and the scene of moving pictures."""
        return View(draw=self._draw, scene=self._scene)

    def _draw(self, x: NDArray[Any], axes: Any) -> None:
        """Draw what each pair of facilities costs, flow times distance, in the order of their locations.

        Facilities that exchange much lie near each other in a good assignment, so the large costs are few.
        """
        n, form = len(x), self.form
        costs = np.zeros((n, n))
        i, j = form.edges.T
        costs[x[i], x[j]] = costs[x[j], x[i]] = -form.weights * form.flat[form.starts + x[i] * n + x[j]]
        picture = axes.imshow(costs, cmap="YlOrBr", interpolation="nearest")
        axes.figure.colorbar(
            picture, ax=axes, label="cost of the pair: flow times distance", format=lambda v, _: f"{v:,.6g}"
        )
        facilities = np.argsort(x) + 1
        if n <= 30:
            names = [f"{facility}" for facility in facilities]
            axes.set_xticks(range(n), names, fontsize="x-small", rotation=90)
            axes.set_yticks(range(n), [f"{place + 1}: {name}" for place, name in enumerate(names)], fontsize="x-small")
        axes.set(
            xlabel="facility, by location", ylabel="location: facility", title=f"cost {self.metrics(x)['cost']:,.10g}"
        )

    def _scene(self) -> dict[str, Any]:
        """Return the flow between facilities and the distance between locations, both ways together."""
        n, form = len(self.sizes), self.form
        if n > LARGEST_SCENE:
            return {}
        flows = np.zeros((n, n))
        flows[form.edges[:, 0], form.edges[:, 1]] = -form.weights
        distances = form.flat[: n * n].reshape(n, n)
        return {"kind": "assignment", "flows": flows, "distances": distances}

    def metrics(self, x: NDArray[Any]) -> dict[str, float]:
        """Return the cost, and its gap to the best known one."""
        cost = 0.0 - float(self.form.score(x[None])[0])
        metrics = {"cost": cost}
        if self.best is not None:
            metrics["best known"] = self.best
            if self.best > 0:  # some problems of QAPLIB have the optimum 0
                metrics["gap"] = cost / self.best - 1.0
        return metrics


def form_of(matrices: Matrices) -> Pairwise:
    """Return the cost as tables: the second matrix, shared by all pairs, weighted with the first.

    If one of the two is symmetric, an edge represents both directions; pairs without flow have no edge.
    """
    first, second = matrices
    n = len(first)
    unary = -np.outer(np.diag(first), np.diag(second))
    table, weights = second, first
    if np.array_equal(second, second.T):
        weights = np.triu(first + first.T, 1)
    elif np.array_equal(first, first.T):
        table, weights = second + second.T, np.triu(first, 1)
    # Without the diagonal, which is in the unary costs.
    edges = np.argwhere((weights != 0) & ~np.eye(n, dtype=bool))
    return Pairwise(
        sizes=np.full(n, n),
        unary=unary.ravel() + 0.0,  # no -0
        edges=edges,
        starts=np.zeros(len(edges), np.int64),
        weights=-weights[edges[:, 0], edges[:, 1]],
        flat=np.ascontiguousarray(table).ravel(),
        distinct=True,
    )


def draw(n: int, layout: str, seed: int) -> Matrices:
    """Return a random instance."""
    rng = np.random.Generator(np.random.PCG64(seed))
    if layout == "uniform":
        return Matrices(_symmetric(rng.integers(0, 100, (n, n))), _symmetric(rng.integers(0, 100, (n, n))))
    # The grid that is most like a square.
    columns = max(width for width in range(1, math.isqrt(n) + 1) if n % width == 0)
    places = np.array([divmod(place, columns) for place in range(n)])
    distances = np.abs(places[:, None] - places[None]).sum(axis=-1).astype(np.float64)
    flows = np.where(rng.random((n, n)) < 0.3, 0, rng.integers(1, 11, (n, n)))
    return Matrices(_symmetric(flows), distances)


def _symmetric(table: NDArray[Any]) -> Floats:
    upper = np.triu(table, 1).astype(np.float64)
    return np.asarray(upper + upper.T)
