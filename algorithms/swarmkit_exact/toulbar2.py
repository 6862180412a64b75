"""Proofs on pairwise problems by toulbar2 (Hurley et al. 2016): `toulbar2`.

Hurley, B. et al. 2016. Multi-language evaluation of exact solvers in graphical model discrete optimization. Constraints
21(3). A problem of maximal score becomes a cost function network of minimal cost.
"""

from __future__ import annotations

import importlib.util
from typing import Annotated, Any, NamedTuple

import numpy as np
from pydantic import Field

from swarmkit import Ints, MissingError, Pairwise, Problem, Settings, Suitability, install_hint
from swarmkit_exact.process_prover import ProcessProver
from swarmkit_exact.tables import is_forest, needs_tables

LARGEST = 1e15
"""The largest sum of costs, which are integers: the finest scale that toulbar2 can add without overflow."""

SMALL = 20_000
"""The most table entries of a problem for which a proof is likely after few backtracks."""

LARGEST_NETWORK = 200_000
"""The most table entries of a problem that it is recommended for."""

BACKTRACKS = 1000
"""The limit of the first attempt at a small problem: about 0.1 s."""

LONGEST = 3600
"""The seconds of an attempt that is limited by backtracks: only a safeguard."""


class Toulbar2(ProcessProver):
    """Find the optimum of a pairwise problem and prove it, or prove a bound within a time limit."""

    reference = "Hurley et al. 2016, Multi-language evaluation of exact solvers, Constraints 21(3)"
    proof_rank = 3
    program = "toulbar2"

    class Params(Settings):
        """The limits of the search."""

        seconds: Annotated[int, Field(ge=1)] = 20
        """CPU seconds of the search; the run's limit on seconds ends it, too."""
        backtracks: Annotated[int, Field(ge=1, le=2**40, json_schema_extra={"tunable": False})] | None = None
        """The most backtracks of the search: with this limit its result does not depend on the clock."""

    params: Params

    def refuses(self, problem: Problem) -> str | None:
        """Refuse what is not defined by tables alone."""
        return needs_tables(problem)

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit forests, which need no search, and small problems, in attempts of ever more backtracks."""
        form = problem.structure.tables
        if form is None or importlib.util.find_spec("pytoulbar2") is None:
            return None
        entries = len(form.unary) + int((form.sizes[form.edges[:, 0]] * form.sizes[form.edges[:, 1]]).sum())
        if entries > LARGEST_NETWORK:
            return None
        if is_forest(form):
            return Suitability(1.0, "it is tree-like", proves=True)
        weight, reason = (10.0, "it is small") if entries <= SMALL else (1.0, "it has few tables")
        params = {"seconds": LONGEST, "backtracks": BACKTRACKS}
        time = 1e8 + 5000.0 * entries
        return Suitability(weight, reason, time, proves=True, params=params, attempts="backtracks")

    def prepare(self, problem: Problem) -> None:
        """Raise MissingError if toulbar2 is not installed."""
        if importlib.util.find_spec("pytoulbar2") is None:
            raise MissingError(f"toulbar2 is not installed. Get it with: {install_hint('exact')}")

    def task(self, problem: Problem) -> tuple[Network, dict[str, Any], float]:
        """Return the network of costs with the limits."""
        form = problem.pairwise()
        assert form is not None  # noqa: S101  (refused otherwise)
        network = as_costs(form)
        plain = {"sizes": network.sizes, "functions": network.functions}
        return network, {"network": plain, **dict(self.params)}, self.params.seconds


class Network(NamedTuple):
    """Tables as costs: for each entry, the best entry of its table minus this entry, as a scaled integer."""

    sizes: list[int]
    """The number of candidates at each stage."""
    functions: list[tuple[list[int], list[int]]]
    """Stages and costs of each table."""
    best: float
    """The score of cost 0: the sum of all best entries."""
    scale: float
    """Costs per unit of score."""
    entries: int
    """The number of costs."""

    @property
    def rounding(self) -> float:
        """An upper bound on the error by rounding costs to integers."""
        return 0.5 * len(self.functions) / self.scale

    def solution(self, answer: list[int]) -> Ints:
        """Return the solution of an answer."""
        return np.array(answer, np.int64)

    def bound(self, answer: float) -> float:
        """Return an upper bound on the scores, given a lower one on costs."""
        return self.score(answer) + self.rounding

    def score(self, cost: float) -> float:
        """Return the score that a cost stands for."""
        return self.best - cost / self.scale


def as_costs(form: Pairwise) -> Network:
    """Return tables as a cost function network.

    >>> as_costs(Pairwise.of([2], unary=[1.0, 4.0])).score(0.0)
    4.0
    """
    tables = [
        ([stage], form.unary[a:b]) for stage, (a, b) in enumerate(zip(form.offsets, form.offsets[1:], strict=False))
    ]
    lengths = form.sizes[form.edges[:, 0]] * form.sizes[form.edges[:, 1]]
    for edge, start, length, weight in zip(form.edges.tolist(), form.starts, lengths, form.weights, strict=True):
        tables.append((edge, weight * form.flat[start : start + length]))
    largest = sum(float(np.ptp(values)) for _, values in tables)
    scale = LARGEST / (largest or 1.0)
    functions = [(scope, np.rint((values.max() - values) * scale).astype(int).tolist()) for scope, values in tables]
    best = sum(float(values.max()) for _, values in tables)
    return Network(form.sizes.tolist(), functions, best, scale, sum(len(costs) for _, costs in functions))
