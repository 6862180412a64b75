"""The part of the solvers' contract that is about given solutions (`inject`) and fixed stages."""

from __future__ import annotations

import copy
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from swarmkit.contract.arrays import Solutions
from swarmkit.contract.budget import Budget
from swarmkit.contract.errors import Refusal
from swarmkit.contract.result import Result
from swarmkit.contract.validation import evaluate
from swarmkit.running.run import Run
from swarmkit.running.specification import make_spec
from swarmkit.search.construction import random_solutions
from swarmkit.testing.evidence import Evidence, method_for
from swarmkit.testing.report import Skipped, expect

STARTS = 2
"""Solutions that a checked run begins with."""


def a_warm_start_is_never_worse(seen: Evidence) -> None:
    """Begin with the best of some random solutions, and compare the answer with it."""
    X = _drawn(seen, 8 * STARTS)
    scores = evaluate(seen.problem, X)
    best = X[np.argsort(scores)[-STARTS:]]
    result = _run(seen, start=best).run(seen.looks)
    expect(result.score is not None and result.score >= scores.max(), f"{result.score} is worse than {scores.max()}")


def a_warm_start_can_be_resumed(seen: Evidence) -> None:
    """Begin with given solutions, save before and after the start and later, go on from the file, and compare.

    Each time it goes on with a solver that was never given anything.
    """
    start = _drawn(seen, STARTS)
    whole = _run(seen, start=start).run(seen.looks)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.ckpt"
        run = _run(seen, start=start)
        for looks in (0, 1, seen.looks // 2):  # 1: the given solutions alone take more
            run.run(looks)
            run.save(file)
            solver = method_for(copy.deepcopy(seen.untouched), seen.problem)
            run = Run.restore(file, seen.family.make(seen.shape), solver)
        different = whole.differences(run.run(seen.looks))
    expect(not different, f"begun with given solutions and resumed, the run differs in {', '.join(different)}")


def fixed_stages_are_respected(seen: Evidence) -> None:
    """Fix half of the stages to the candidates of a feasible solution; a later run must not know of them.

    Where the solver refuses what is left (half of a tour is none), one stage is fixed.
    """
    x = _drawn(seen, 1)[0]
    stages = np.random.default_rng(seen.seed).permutation(len(x))[: max(1, len(x) // 2)]
    fixed = {int(stage): int(x[stage]) for stage in stages}
    try:
        run = _run(seen, fixed=fixed)
    except Skipped:
        fixed = {int(stages[0]): int(x[stages[0]])}
        run = _run(seen, fixed=fixed)
    result = run.run(seen.looks)
    if result.solution is not None:
        for stage, candidate in fixed.items():
            expect(result.solution[stage] == candidate, f"stage {stage} was fixed to {candidate}: {result.solution}")
        score = float(evaluate(seen.problem, np.array([result.solution]))[0])
        near = result.score is not None and abs(score - result.score) <= 1e-9 * max(1.0, abs(score))
        expect(near, f"a score of {result.score} with fixed stages; the problem says {score}")
    _expect_the_same(seen.uninterrupted, _run(seen).run(seen.looks))


def _expect_the_same(before: Result, after: Result) -> None:
    different = before.differences(after)
    expect(not different, f"after a run with fixed stages, a run without them differs in {', '.join(different)}")


def _drawn(seen: Evidence, k: int) -> Solutions:
    X = random_solutions(seen.problem, k, np.random.default_rng(seen.seed))
    if len(X) == 0:
        raise Skipped("no feasible solution was drawn")
    return X


def _run(seen: Evidence, **inputs: Any) -> Run:
    spec = make_spec(seen.problem, seen.solver, seen.seed, Budget(), **inputs)
    try:
        return Run(seen.problem, method_for(seen.solver, seen.problem), spec)
    except Refusal as refusal:
        raise Skipped(f"with fixed stages refused: {refusal.reason}") from None
