"""Proofs on problems with linear constraints by HiGHS (Huangfu, Hall 2018), through scipy: `highs`."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated, Any

from pydantic import Field

from swarmkit import Problem, Settings, Suitability
from swarmkit_exact.linearisation import MOST_PAIRS, Linearisation, linearise, pair_entries
from swarmkit_exact.process_prover import ProcessProver

LARGEST_PROGRAM = 200_000
"""The most coefficients of rows of a problem that it is recommended for."""

PACKING = 750.0
"""Nanoseconds that the first attempt takes for the square of the coefficients of assignments within capacities."""

NODES = 100
"""The limit of the first attempt of `auto`."""

LONGEST = 3600
"""The seconds of an attempt that is limited by nodes: only a safeguard."""


def no_program(problem: Problem, most_pairs: int) -> str | None:
    """Return the reason why a problem is no program of 0-1 columns, or None.

    Args:
        problem: the problem.
        most_pairs: the most entries of its tables.
    """
    structure = problem.structure
    form = structure.pairwise
    if form is None:
        return "it has no tables: nothing but the score is known"
    if structure.opaque:
        return "it has constraints of its own beside linear ones"
    if structure.linear is None:
        return "it has no linear constraints: 'toulbar2' proves tables, 'viterbi' chains"
    if len(form.edges) and structure.distinct:
        return "it has tables between stages that must differ: the linear relaxation of such problems is too weak"
    if pair_entries(form) > most_pairs:
        return f"it has tables of {pair_entries(form):,} entries; expected at most {most_pairs:,} ('pairs')"
    return None


class Highs(ProcessProver):
    """Find the optimum of a problem with a linear objective and linear constraints and prove it, or prove a bound.

    Small tables between stages are linearised.
    """

    reference = "Q. Huangfu, J.A.J. Hall (2018). Parallelizing the dual revised simplex method. Math. Prog. Comp. 10."
    proof_rank = 4
    proof_params = MappingProxyType({"pairs": 2000})
    program = "highs"

    class Params(Settings):
        """The limits of the search."""

        seconds: Annotated[float, Field(gt=0)] = 20.0
        """Seconds of the search, in attempts of 2, 4, 8, … seconds: the run's limit on seconds ends it, too."""
        nodes: Annotated[int, Field(ge=1, le=2**31 - 1, json_schema_extra={"tunable": False})] | None = None
        """The most nodes of branch and bound: with this limit there is one attempt, whatever the clock says."""

        pairs: Annotated[int, Field(ge=0)] = MOST_PAIRS
        """The most entries of tables between stages, which are linearised."""

    params: Params

    def refuses(self, problem: Problem) -> str | None:
        """Refuse what is not linear, and tables that are too large."""
        return no_program(problem, self.params.pairs)

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit linear problems, in attempts of ever more nodes."""
        structure = problem.structure
        form, rows = structure.pairwise, structure.linear
        if form is None or rows is None or len(rows.slots) + 4 * pair_entries(form) > LARGEST_PROGRAM:
            return None
        # A relaxation takes about a microsecond for each coefficient and each of some hundred iterations. Stages of
        # more than two candidates within capacities take many of them: their proofs are late, and few.
        packing = int(form.sizes.max(initial=0)) > 2 and "capacity" in rows.kinds
        coefficients = len(rows.slots) + 4.0 * pair_entries(form)
        time = 3e8 + (PACKING * coefficients**2 if packing else 2e4 * coefficients)
        params = {"seconds": LONGEST, "nodes": NODES}
        reason = "it has tables" if len(form.edges) else "its objective is linear"
        weight = 1.0 if packing or len(form.edges) else 10.0
        return Suitability(weight, reason, time, proves=True, params=params, attempts="nodes")

    def task(self, problem: Problem) -> tuple[Linearisation, dict[str, Any], float]:
        """Return the program of 0-1 columns with the limits."""
        program = linearise(problem)
        limits = {"seconds": self.params.seconds, "nodes": self.params.nodes}
        return program, {"program": program.plain, **limits}, self.params.seconds
