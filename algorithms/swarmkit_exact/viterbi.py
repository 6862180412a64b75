"""Dynamic programming on chains (Viterbi 1967): `viterbi`."""

from __future__ import annotations

from numpy.random import Generator

from swarmkit import Problem, Prover, StepResult, Suitability
from swarmkit.search import warm_up
from swarmkit_exact.chain import solve_chain
from swarmkit_exact.tables import needs_tables


class Viterbi(Prover[None]):
    """Dynamic programming: the best solution of a chain, proved, in one forward and one backward pass.

    Of equally good candidates it takes the one of lowest rank (`problem.tie_ranks`), the first where none are given.
    """

    reference = "Viterbi 1967, Error bounds for convolutional codes, IEEE Trans. Inf. Theory 13(2)"
    proof_rank = 1

    def refuses(self, problem: Problem) -> str | None:
        """Refuse what is not a chain."""
        reason = needs_tables(problem)
        if reason is None and problem.structure.chain is None:
            option = problem.reformulations.get("chain")
            way_out = f"; -P {option} makes it one" if option else ""
            return f"it is not a chain: some stages are related to more than two others, or in a circle{way_out}"
        return reason

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit every chain: one pass over its tables proves the optimum."""
        return Suitability(1.0, "it is a chain", nanoseconds=5.0, proves=True)

    def prepare(self, problem: Problem) -> None:
        """Compile the kernel."""
        from swarmkit_exact import kernel

        warm_up(problem, kernel)

    def start(self, problem: Problem, rng: Generator) -> None:
        """Keep no state: there is one step."""

    def step(self, problem: Problem, state: None, rng: Generator) -> StepResult:
        """Solve the chain."""
        form, chain = problem.structure.tables, problem.structure.chain
        assert form is not None and chain is not None  # noqa: S101, PT018  (refused otherwise)
        best = solve_chain(form, chain, problem.tie_ranks)
        return StepResult(best.solution, best.score, best.looks, done=True, bound=best.score)
