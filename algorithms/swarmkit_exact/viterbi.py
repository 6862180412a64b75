"""Dynamic programming on chains: `viterbi`. Exact, in O(n·m²) for n stages of m candidates.

Viterbi, A. 1967. Error bounds for convolutional codes and an asymptotically optimum decoding algorithm. IEEE Trans.
Inf. Theory 13(2).
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from swarmkit import Ints, Pairwise, Problem, Prover, StepResult, Suitability
from swarmkit.search import VisitingOrder, warm_up
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
        return solve_chain(form, chain, problem.tie_ranks)


def solve_chain(form: Pairwise, chain: Ints, ranks: Ints | None = None) -> StepResult:
    """Return the best solution of tables whose edges all join consecutive stages of `chain`; its score is the bound.

    >>> form = Pairwise.of([2, 2, 2], [(0, 1, np.eye(2)), (1, 2, 1 - np.eye(2))])
    >>> solve_chain(form, np.arange(3)).score
    2.0

    Args:
        form: the tables.
        chain: the stages in the order of the chain.
        ranks: for each slot its rank among equally good ones, of which the lowest is taken (`Problem.tie_ranks`).
    """
    from swarmkit.kernels.compiling import read_only
    from swarmkit_exact.kernel import Best, Slots, best_path

    count, path = int(form.offsets[-1]), np.zeros(len(chain), np.int64)
    ranks = np.arange(count) if ranks is None else np.ascontiguousarray(ranks, np.int64)
    slots = read_only(Slots(form.sizes, form.offsets, form.unary, form.flat, ranks))
    best = Best(np.empty(count), np.zeros(count, np.int64), path)
    looks = best_path(slots, read_only(VisitingOrder.of(form, chain)), best)
    score = float(form.score(path[None])[0])  # summed as everywhere, not as the kernel does: equal to the bit
    return StepResult(path, score, int(looks), done=True, bound=score)
