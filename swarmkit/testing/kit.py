"""The conformance kit: lists of checks, reports, and pytest parametrizers."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from swarmkit.contract.errors import ProblemError
from swarmkit.contract.problem import Problem
from swarmkit.contract.solver import Solver
from swarmkit.contract.validation import validate
from swarmkit.testing import problem_contract, solver_contract, solver_trials
from swarmkit.testing.evidence import Evidence
from swarmkit.testing.families import FAMILIES, Family, Shape, shapes
from swarmkit.testing.report import Check, Outcome, Report, Skipped, run_checks
from swarmkit.testing.solver_trials import Trials

EXAMPLES = 10
"""Cases per check of a problem.

The kit draws the same ones every time, so that a failing check fails until the cause is fixed.
"""

SOLVER_EXAMPLES = 3
"""Cases per check and family of a solver, each with a dozen runs."""

SEED = 41
"""The seed of the cases; with this one the first of them differ in size and in the kind of their numbers."""


def check_problem(
    problem: Problem | type[Problem],
    *,
    examples: int = EXAMPLES,
    ready: Callable[[Outcome], None] | None = None,
) -> Report:
    """Check that a problem fulfils its contract, and return the report.

    Args:
        problem: a problem, or a class, which is built with its default options.
        examples: cases per check.
        ready: called with the outcome of each check as soon as it is known.

    Raises:
        ConformanceError: a check failed; it contains the report.
    """
    instance = _build(problem)
    return run_checks(f"problem {type(instance).__name__}", _of_problem(instance, examples), ready)


def check_solver(
    solver: Solver[Any] | type[Solver[Any]],
    *,
    examples: int = SOLVER_EXAMPLES,
    ready: Callable[[Outcome], None] | None = None,
) -> Report:
    """Check that a solver fulfils its contract on small problems of every family, and return the report.

    A family that the solver refuses is reported as skipped, with the solver's reason.

    Args:
        solver: a solver, or a class, which is used with its default parameters.
        examples: cases per check and family.
        ready: called with the outcome of each check as soon as it is known.

    Raises:
        ConformanceError: a check failed; it contains the report.
    """
    instance = solver() if isinstance(solver, type) else solver
    return run_checks(f"solver {instance!r}", _of_solver(instance, examples), ready)


def problem_checks(problem: Problem | type[Problem], *, examples: int = EXAMPLES) -> Any:
    """Return a decorator that parametrizes a pytest test with the checks of a problem.

    Args:
        problem: a problem, or a class, which is built with its default options.
        examples: cases per check.

    The test has one argument, `check`, and calls it.
    """
    return _parametrize(_of_problem(_build(problem), examples))


def solver_checks(solver: Solver[Any] | type[Solver[Any]], *, examples: int = SOLVER_EXAMPLES) -> Any:
    """Return a decorator that parametrizes a pytest test with the checks of a solver.

    Args:
        solver: a solver, or a class, which is used with its default parameters.
        examples: cases per check and family.

    The test has one argument, `check`, and calls it.
    """
    return _parametrize(_of_solver(solver() if isinstance(solver, type) else solver, examples))


def _parametrize(checks: Iterable[Check]) -> Any:
    import pytest

    return pytest.mark.parametrize("check", [pytest.param(check, id=check.name) for check in checks])


def _build(problem: Problem | type[Problem]) -> Problem:
    return problem.build(problem.Options()) if isinstance(problem, type) else problem


def _of_problem(problem: Problem, examples: int) -> Iterable[Check]:
    def check_form() -> int:
        validate(problem)
        return 1

    yield Check("the problem is well formed", check_form)
    for check in problem_contract.CHECKS:
        yield Check(_sentence(check), partial(_on_seeds, check, problem, examples))


def _on_seeds(check: problem_contract.ProblemCheck, problem: Problem, examples: int) -> int:
    try:
        validate(problem)
    except ProblemError:
        raise Skipped("the problem is not well formed") from None
    return _run_on_cases(_seeds(examples), lambda seed: check(problem, np.random.default_rng(seed)))


def _of_solver(solver: Solver[Any], examples: int) -> Iterable[Check]:
    evidence: dict[tuple[str, Shape], Evidence] = {}  # shared by the checks: a dozen runs of each case are made once
    trials = Trials(copy.deepcopy(solver))
    honest = solver_trials.looks_are_honest
    yield Check(_sentence(honest), partial(honest, trials))
    for trial in solver_trials.CHECKS:
        yield Check(_sentence(trial), partial(_if_honest, trials, partial(trial, trials)))
    for family in FAMILIES:
        for check in solver_contract.CHECKS:
            on_family = partial(_on_family, check, solver, family, evidence, examples)
            yield Check(f"{_sentence(check)} [{family.name}]", partial(_if_honest, trials, on_family))
    for whole in (solver_contract.jobs_make_no_difference, solver_contract.a_spawned_process_can_run_it):
        yield Check(_sentence(whole), partial(_if_honest, trials, partial(whole, solver)))


def _if_honest(trials: Trials, check: Callable[[], int]) -> int:
    """Run a check unless the solver's looks are false: its runs would not end where those of others do."""
    if trials.false_looks:
        raise Skipped("its looks are false, so that its runs do not end in time")
    return check()


def _on_family(
    check: solver_contract.SolverCheck,
    solver: Solver[Any],
    family: Family,
    evidence: dict[tuple[str, Shape], Evidence],
    examples: int,
) -> int:
    def body(shape: Shape) -> None:
        check(evidence.setdefault((family.name, shape), Evidence(solver, family, shape)))

    return _run_on_cases(_shapes(examples), body)


@cache
def _seeds(examples: int) -> list[int]:
    return _draw_cases(st.integers(0, 2**32 - 1), examples)


@cache
def _shapes(examples: int) -> list[Shape]:
    return _draw_cases(shapes(fewest=2), examples)


def _draw_cases(strategy: st.SearchStrategy[Any], examples: int) -> list[Any]:
    """Return cases drawn by hypothesis, always the same ones."""
    cases: list[Any] = []

    @seed(SEED)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],  # cases are small as they are
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def draw(case: Any) -> None:
        cases.append(case)

    draw()
    return cases


def _run_on_cases(cases: Iterable[Any], body: Callable[[Any], None]) -> int:
    """Run a check on cases, and return the number that it applies to; skip if it applies to none."""
    reasons: Counter[str] = Counter()
    ran = 0
    for case in cases:
        try:
            body(case)
            ran += 1
        except Skipped as reason:
            reasons[str(reason)] += 1
        except Exception as error:
            error.add_note(f"Failing case: {case}")
            raise
    if not ran:  # a check that applies to no case has shown nothing, and must not look green
        raise Skipped("; ".join(reasons))
    return ran


def _sentence(check: Callable[..., Any]) -> str:
    return check.__name__.replace("_", " ")
