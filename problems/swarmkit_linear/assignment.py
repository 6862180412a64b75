"""Generalised assignment: each job goes to one agent, and agents have capacities."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from swarmkit import Constraint, Constraints, FileName, Floats, Settings, Solutions, check_alternatives, plain_name
from swarmkit_linear.linear_problem import LinearProblem
from swarmkit_linear.orlib import Agents, read_agents


class AssignmentOptions(Settings):
    """A file, or a random instance."""

    file: FileName | None = None
    """Assignment problems of the OR-Library (gap1, gapa, …) or one problem (d10100, …), compressed or not; by default
    one is drawn."""
    number: Annotated[int, Field(ge=1)] = 1
    """The number of the problem in the file."""
    maximise: bool = False
    """Whether the numbers of the file are profits to maximise, as in OR-Library's gap1 to gap12."""
    agents: Annotated[int, Field(ge=1, le=1000)] = 10
    """Number of agents to draw."""
    jobs: Annotated[int, Field(ge=1, le=100_000)] = 100
    """Number of jobs to draw."""
    kind: Literal["A", "B", "C", "D", "E"] = "D"
    """How costs and loads are drawn: A is easiest; in D and E cheap jobs load most."""
    seed: Annotated[int, Field(ge=0)] = 0
    """The seed of the random instance."""
    best: float | None = None
    """The smallest cost, or largest profit, known."""

    @model_validator(mode="after")
    def _consistent(self) -> AssignmentOptions:
        draws = ["agents", "jobs", "kind", "seed"]
        check_alternatives(self, ["file"], draws, expected="a file or an instance to draw")
        if self.file is None and (self.number != 1 or self.maximise):
            raise ValueError("'number' and 'maximise' go with 'file'")
        return self


class Assignment(LinearProblem):
    """Assign jobs: stages are jobs, candidates agents; the cost is the sum of the costs of all jobs."""

    Options = AssignmentOptions
    reference = (
        "G.T. Ross, R.M. Soland (1975). An algorithm for the generalized assignment problem. Math. Programming 8."
    )

    def __init__(self, agents: Agents, best: float | None = None, maximise: bool = False, name: str = "") -> None:
        self.agents = agents
        m, n = agents.costs.shape
        rows = [
            Constraint(np.arange(n), np.full(n, agent), load, upper=float(limit), name=f"agent {agent + 1}")
            for agent, (load, limit) in enumerate(zip(agents.loads, agents.capacities, strict=True))
        ]
        sizes = np.full(n, m)
        super().__init__(sizes, np.ascontiguousarray(agents.costs.T).ravel(), Constraints.of(sizes, rows), best)
        self.direction = "maximise" if maximise else "minimise"
        self.about = f"Generalised assignment{f' {name}' if name else ''}: {n:,} jobs, {m:,} agents"

    @classmethod
    def build(cls, options: Any) -> Self:
        """Read or draw the instance."""
        if options.file is None:
            return cls(draw(options.agents, options.jobs, options.kind, options.seed), options.best)
        name = f"{plain_name(options.file).stem}, problem {options.number}"
        return cls(read_agents(options.file, options.number), options.best, options.maximise, name)

    def describe(self, x: Solutions) -> list[dict[str, Any]]:
        """Return each job, numbered from 1, with its agent, its cost and its load."""
        return [
            {
                "job": job + 1,
                "agent": int(agent) + 1,
                "cost": float(self.agents.costs[agent, job]),
                "load": float(self.agents.loads[agent, job]),
            }
            for job, agent in enumerate(x)
        ]


def draw(m: int, n: int, kind: str, seed: int) -> Agents:
    """Return a random instance of a type of the literature.

    Types A to D: P.C. Chu, J.E. Beasley (1997), Computers & Operations Research 24(1); type E: M. Laguna et al. (1995),
    European J. of Operational Research 82(1). With A and B capacities are shares of mean loads, with the others of the
    load that each agent would have on average.
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    if kind == "E":
        loads = np.rint(1.0 - 10.0 * np.log(1.0 - rng.random((m, n))))
        costs = np.rint(1000.0 / loads - 10.0 * rng.random((m, n)))
    elif kind == "D":
        loads = rng.integers(1, 101, (m, n)).astype(np.float64)
        costs = 111.0 - loads + rng.integers(-10, 11, (m, n))
    else:
        loads = rng.integers(5, 26, (m, n)).astype(np.float64)
        costs = rng.integers(10, 51, (m, n)).astype(np.float64)
    return Agents(costs, loads, _capacities(loads, costs, kind))


def _capacities(loads: Floats, costs: Floats, kind: str) -> Floats:
    m, n = loads.shape
    if kind in "CDE":
        return np.asarray(np.floor(0.8 * loads.sum(axis=1) / m))
    # The largest load of an agent if every job went to its cheapest one.
    cheapest = np.argmin(costs, axis=0)
    largest = float(np.bincount(cheapest, loads[cheapest, np.arange(n)], m).max())
    share = 1.0 if kind == "A" else 0.7
    return np.full(m, np.floor(share * (0.6 * 15.0 * n / m + 0.4 * largest)), np.float64)
