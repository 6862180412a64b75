"""The result of a run, made from its progress."""

from __future__ import annotations

from swarmkit.contract.problem import Problem
from swarmkit.contract.progress import Progress
from swarmkit.contract.result import Result
from swarmkit.contract.spec import Spec


def make_result(spec: Spec, problem: Problem, progress: Progress, stopped: str) -> Result:
    """Return the result of a run; the time of preparation and an explanation are added by the run.

    Args:
        spec: what was run.
        problem: the problem as it was given, which describes and measures the solution.
        progress: what was found and spent.
        stopped: why the run ended.
    """
    best, score = progress.best, progress.score
    return Result(
        **dict(spec),
        solution=None if best is None else [int(candidate) for candidate in best],
        score=score,
        cost=None if score is None or problem.objective == "score" else 0.0 - score,
        objective=problem.objective,
        bound=progress.bound,
        metrics={} if best is None else {name: float(v) for name, v in problem.metrics(best).items()},
        caption=problem.view().caption,
        answer=[] if best is None else [dict(row) for row in problem.describe(best)],
        looks=progress.looks,
        evaluations=progress.evaluations,
        setup_evaluations=progress.setup_evaluations,
        iterations=progress.iterations,
        tables=not problem.structure.black_box,
        steps=progress.steps,
        seconds=progress.seconds,
        cpu_seconds=progress.cpu_seconds,
        setup_seconds=0.0,
        stopped=stopped,
        trace=progress.whole_trace(),
        evaluation_seconds=problem.evaluation_seconds,
    )
