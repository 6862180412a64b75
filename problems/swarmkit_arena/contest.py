"""The contest: a solver and its rivals on instances that were drawn for it, with equal budgets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict

from swarmkit import Budget, Problem, Solver, SwarmkitError, registered
from swarmkit_arena.cpu_limit import CpuLimited, own_cpu_seconds
from swarmkit_arena.families import Family
from swarmkit_arena.process import ContestantProcess
from swarmkit_arena.remote import RemoteSolver
from swarmkit_arena.rules import Breach, is_below
from swarmkit_arena.submission import Submission
from swarmkit_arena.trials import OTHER_HASHES, ContestRun, check_replay, evaluations_budget, new_run, trial

EVALUATIONS = 1000
"""The budget of a run on a black box."""

CPU_SECONDS = 0.2
"""The budget of a run on tables."""

INSTANCES = 18
"""The instances of a contest, divided among the families."""

WARM_UP_LOOKS = 2000
"""The looks of a run that only loads and compiles what the measured runs need."""

SAFETY_SECONDS = 3.0
"""Seconds after which a run ends, whatever its CPU time is."""

WAITING_SECONDS = 1.0
"""Seconds of a run of a solver that waits for a process outside, whose CPU time is not known here."""


class Match(BaseModel):
    """One run of one method on one instance."""

    model_config = ConfigDict(frozen=True)

    family: str
    instance: str
    method: str
    score: float | None
    """The score of its answer; None if it has none in time."""
    evaluations: int
    looks: int
    """What the solver reports, on tables."""
    cpu_seconds: float | None
    """Its CPU time, on tables."""
    bound: float | None = None
    """The score that no solution exceeds, if it claims to have proved one."""


class Draw(NamedTuple):
    """The instances of a family, and one to warm up."""

    family: Family
    warm_up: Problem
    instances: list[Problem]


def draw_instances(families: Sequence[Family], seed: int, number: int = INSTANCES) -> list[Draw]:
    """Return fresh instances of families.

    Args:
        families: the families.
        seed: the hidden seed.
        number: the instances in all, at least; every family gets as many as the others.
    """
    count = -(-number // len(families))
    draws = []
    for family in families:
        # By name, so that a family has the same instances whichever others the solver refuses.
        children = np.random.SeedSequence([seed, sum(family.name.encode())]).spawn(count + 1)
        first, *rest = (family.draw(np.random.default_rng(child)) for child in children)
        draws.append(Draw(family, first, rest))
    return draws


def rivals_for(draws: Sequence[Draw], submission: Submission) -> list[str]:
    """Return the names of the registered heuristics that can do all instances, the submission left out."""
    names = []
    for name, kind in registered("solver").items():
        if name == submission.solver or kind.proof_rank is not None:  # provers are no rivals of heuristics
            continue
        try:
            solver = kind()
            if not solver.waits and not any(solver.refuses(draw.warm_up) for draw in draws):
                names.append(name)
        except SwarmkitError:
            continue
    return names


def contest(
    submission: Submission, name: str, draws: Sequence[Draw], rivals: Sequence[str], ready: Callable[[Match], None]
) -> list[Match]:
    """Make all runs and return them.

    Args:
        submission: the solver.
        name: how it is called among its rivals.
        draws: the instances.
        rivals: the names of the others.
        ready: called with each run.

    Raises:
        Breach: the submission breaks a rule.
    """
    matches: list[Match] = []
    first, second = OTHER_HASHES
    with ContestantProcess(submission, hash_seed=first) as a, ContestantProcess(submission, hash_seed=second) as b:
        for draw in draws:
            for match in (*_own_matches(submission, name, draw, (a, b)), *_rival_matches(rivals, draw)):
                ready(match)
                matches.append(match)
    check_bounds(matches, name)
    return matches


def check_bounds(matches: Sequence[Match], name: str) -> None:
    """Check the bounds that a method claims against the answers of all others.

    Raises:
        Breach: a solution is better than the method says that any can be.
    """
    for claim in matches:
        if claim.method != name or claim.bound is None:
            continue
        best = max((m.score for m in matches if m.instance == claim.instance and m.score is not None), default=-np.inf)
        if is_below(claim.bound, best):
            words = f"{claim.instance}: it claims that no solution scores more than {claim.bound:.6g}"
            raise Breach("score", f"{words}; another solver has {best:.6g}.")


def _own_matches(
    submission: Submission, name: str, draw: Draw, replayers: Sequence[ContestantProcess]
) -> Iterator[Match]:
    """Yield the runs of the submission, in a process for each family; the last one is made again by other processes."""
    with ContestantProcess(submission) as process:
        waits = process.ready.get("waits")
        if not waits:
            trial(process, draw.warm_up, 0)
        for number, problem in enumerate(draw.instances):
            run, cpu = _play(draw.family, problem, number, RemoteSolver(process), lambda: process.cpu_seconds)
            yield _match(draw.family, name, run, cpu)
        for reason in process.reasons:
            raise Breach(reason.rule, reason.words)
    if not waits and run.result.score is not None:
        check_replay(run, submission, replayers)


def _rival_matches(rivals: Sequence[str], draw: Draw) -> Iterator[Match]:
    """Yield the runs of the rivals, in this process."""
    kinds = registered("solver")
    for name in rivals:
        # Kernels are compiled or loaded now, not in the first run that is timed.
        new_run(kinds[name](), draw.warm_up, 0, Budget(looks=WARM_UP_LOOKS)).run()
        for number, problem in enumerate(draw.instances):
            yield _match(draw.family, name, *_play(draw.family, problem, number, kinds[name](), own_cpu_seconds))


def _play(
    family: Family, problem: Problem, number: int, solver: Solver[Any], clock: Callable[[], float]
) -> tuple[ContestRun, float | None]:
    """Return the run of a solver on an instance, whose number is also the seed, and its CPU time on tables.

    Args:
        family: the family of the instance.
        problem: the instance.
        number: its number in the family.
        solver: the solver.
        clock: returns the CPU seconds of its process.
    """
    if not family.tables:
        limits = evaluations_budget(problem, EVALUATIONS)
        return ContestRun(problem, number, limits, new_run(solver, problem, number, limits).run()), None
    timer = CpuLimited(solver, clock, CPU_SECONDS)
    seconds = WAITING_SECONDS if timer.waits else SAFETY_SECONDS
    result = new_run(timer, problem, number, Budget(seconds=seconds)).run()
    # Made again, the run is limited by the looks up to its last answer that came in time.
    return ContestRun(problem, number, Budget(looks=max(1, timer.looks)), result), timer.used


def _match(family: Family, method: str, run: ContestRun, cpu: float | None) -> Match:
    return Match(
        family=family.name,
        instance=f"{family.name} {run.seed + 1}",
        method=method,
        score=run.result.score,
        evaluations=run.result.evaluations,
        looks=run.result.looks,
        cpu_seconds=cpu,
        bound=run.result.bound,
    )
