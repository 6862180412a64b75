"""Dynamic programming on chains (Viterbi 1967): `viterbi`."""

from __future__ import annotations

from numpy.random import Generator

from swarmkit import Found, Problem, Solver
from swarmkit.compiled import prepare_kernels, solve_chain
from swarmkit_exact.tables import needs_tables


class Viterbi(Solver[None]):
    """Give the best solution of a chain, proved, in one pass forward and one back."""

    reference = "Viterbi 1967, Error bounds for convolutional codes, IEEE Trans. Inf. Theory 13(2)"

    def refuses(self, problem: Problem) -> str | None:
        """Refuse what is not a chain."""
        reason = needs_tables(problem)
        form = problem.pairwise()
        if reason or form is None:
            return reason
        if form.chain is None:
            return "it is not a chain: some stages are related to more than two others, or in a circle"
        return None

    def prepare(self, problem: Problem) -> None:
        """Compile the kernel."""
        prepare_kernels(problem, "chain")

    def start(self, problem: Problem, rng: Generator) -> None:
        """There is nothing to remember."""

    def step(self, problem: Problem, state: None, rng: Generator) -> Found:
        """Solve the chain."""
        form = problem.pairwise()
        assert form is not None  # noqa: S101  (refused otherwise)
        best = solve_chain(form)
        return Found(best.solution, best.score, best.looks, done=True, bound=best.score)
