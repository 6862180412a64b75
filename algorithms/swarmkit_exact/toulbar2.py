"""Proofs on pairwise problems by toulbar2 (Hurley et al. 2016): `toulbar2`.

Hurley, B. et al. 2016. Multi-language evaluation of exact solvers in graphical model discrete optimization. Constraints
21(3). A problem of maximal score becomes a cost function network of minimal cost.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import Found, MissingError, Pairwise, Problem, Settings, Solver, evaluate
from swarmkit_exact.tables import needs_tables

LARGEST = 1e15
"""The largest sum of costs, which are integers: the finest scale that toulbar2 can add without overflow."""

GRACE = 10.0
"""Seconds for reading the problem and writing the answer, in addition to the search; then the process is killed."""


class Toulbar2(Solver[None]):
    """Find the optimum of a pairwise problem and prove it, or prove a bound within a time limit."""

    reference = "Hurley et al. 2016, Multi-language evaluation of exact solvers, Constraints 21(3)"
    proof_rank = 3

    class Params(Settings):
        """The time limit."""

        seconds: Annotated[int, Field(ge=1)] = 20
        """CPU seconds of the search; as it is one step, no limit of the run ends it earlier."""

    params: Params

    def refuses(self, problem: Problem) -> str | None:
        """Refuse what is not defined by tables alone."""
        return needs_tables(problem)

    def prepare(self, problem: Problem) -> None:
        """Raise MissingError if toulbar2 is not installed."""
        if importlib.util.find_spec("pytoulbar2") is None:
            raise MissingError("toulbar2 is not installed. Get it with: pip install 'pyswarmkit[exact]'")

    def start(self, problem: Problem, rng: Generator) -> None:
        """Keep no state: there is one step."""
        self.prepare(problem)

    def step(self, problem: Problem, state: None, rng: Generator) -> Found:
        """Run toulbar2 in a process of its own."""
        form = problem.pairwise()
        assert form is not None  # noqa: S101  (refused otherwise)
        network = as_costs(form)
        answer = _prove({"sizes": network.sizes, "functions": network.functions}, self.params.seconds)
        bound = network.score(answer["bound"]) + network.rounding if "bound" in answer else None
        if answer.get("solution") is None:
            return Found(None, None, network.entries, done=True, bound=bound)
        x = np.array(answer["solution"], np.int64)
        score = float(evaluate(problem, x[None])[0])
        return Found(x, score, network.entries, done=True, bound=None if bound is None else max(bound, score))


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


def _prove(network: dict[str, Any], seconds: int) -> dict[str, Any]:
    """Return the answer of the process that runs toulbar2; empty if it had to be killed."""
    command = [sys.executable, "-m", "swarmkit_exact.prove", str(seconds)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        done = subprocess.run(  # noqa: S603  (this very Python)
            command,
            input=json.dumps(network),
            capture_output=True,
            text=True,
            check=False,
            env=environment,
            timeout=seconds + GRACE,
        )
    except subprocess.TimeoutExpired:
        return {}
    # toulbar2 itself writes to standard output too: the answer is the last line.
    lines = done.stdout.strip().splitlines()
    return dict(json.loads(lines[-1])) if done.returncode == 0 and lines else {}
