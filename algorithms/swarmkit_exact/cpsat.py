"""Proofs on problems with linear constraints by CP-SAT of OR-Tools (Perron, Didier, Gay 2023): `cpsat`."""

from __future__ import annotations

import importlib.util
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from swarmkit import Constraints, MissingError, Problem, Settings, install_hint
from swarmkit_exact.highs import no_program
from swarmkit_exact.linearisation import MOST_PAIRS, Linearisation, linearise
from swarmkit_exact.process_prover import ProcessProver


def scale_of(rows: Constraints) -> float | None:
    """Return the smallest power of ten up to a million that makes all coefficients whole numbers, or None."""
    for digits in range(7):
        values = rows.coefficients * 10.0**digits
        if np.allclose(values, np.rint(values), rtol=0.0, atol=1e-9 * 10.0**digits):
            return float(10.0**digits)
    return None


class CpSat(ProcessProver):
    """Find the optimum of a problem with linear constraints in whole numbers and prove it, or prove a bound."""

    reference = "L. Perron, F. Didier, S. Gay (2023). The CP-SAT-LP solver. CP 2023, LIPIcs 280, 3:1-3:2."
    proof_rank = None
    program = "cpsat"

    class Params(Settings):
        """The limits of the search."""

        seconds: Annotated[float, Field(gt=0)] = 20.0
        """Seconds of the search on one thread; the run's limit on seconds ends it, too."""
        conflicts: Annotated[int, Field(ge=1, le=2**40, json_schema_extra={"tunable": False})] | None = None
        """The most conflicts of the search: with this limit its result does not depend on the clock."""
        linearization: Annotated[int, Field(ge=0, le=2)] = 1
        """How much of the linear relaxation it uses: 2 is best for covering and knapsacks."""

    params: Params

    def refuses(self, problem: Problem) -> str | None:
        """Refuse what is not linear, tables that are too large, and constraints with fractions."""
        rows = problem.structure.linear
        if rows is not None and scale_of(rows) is None:
            return "it has constraints with fractions of more than six digits, and CP-SAT takes whole numbers"
        return no_program(problem, MOST_PAIRS)

    def prepare(self, problem: Problem) -> None:
        """Raise MissingError if OR-Tools is not installed."""
        if importlib.util.find_spec("ortools") is None:
            raise MissingError(f"OR-Tools is not installed. Get it with: {install_hint('cpsat')}")

    def task(self, problem: Problem) -> tuple[Linearisation, dict[str, Any], float]:
        """Return the program of 0-1 columns with the limits."""
        program, rows = linearise(problem), problem.structure.linear
        scale = (scale_of(rows) if rows is not None else None) or 1.0
        program.coefficients = [round(scale * value) for value in program.coefficients]
        program.lower, program.upper = ([scale * bound for bound in side] for side in (program.lower, program.upper))
        return program, {"program": program.plain, **dict(self.params)}, self.params.seconds
