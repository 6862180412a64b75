"""The contest: a solver and its rivals on instances that were drawn for it, with equal budgets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict

from swarmkit.arena.cpu_limit import CpuLimited, own_cpu_seconds
from swarmkit.arena.families import Family
from swarmkit.arena.process import ContestantProcess
from swarmkit.arena.remote import RemoteSolver
from swarmkit.arena.replays import Played, Replays
from swarmkit.arena.rules import Breach
from swarmkit.arena.submission import Submission
from swarmkit.arena.trials import evaluations_budget, run_remote, trial
from swarmkit.contract.budget import Budget
from swarmkit.contract.errors import SwarmkitError
from swarmkit.contract.problem import Problem
from swarmkit.contract.solver import Solver
from swarmkit.plugins.host import registered
from swarmkit.running.metering import TOLERANCE

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
    each = -(-number // len(families))
    made = []
    for family in families:
        children = np.random.SeedSequence([seed, sum(family.name.encode())]).spawn(each + 1)
        first, *rest = (family.draw(np.random.default_rng(child)) for child in children)
        made.append(Draw(family, first, rest))
    return made


def rivals_for(draws: Sequence[Draw], submission: Submission) -> list[str]:
    """Return the names of the registered heuristics that can do all instances, the submission left out."""
    found = []
    for name, kind in registered("solver").items():
        if name == submission.solver or kind.proof_rank is not None:
            continue
        try:
            solver = kind()
            if not solver.waits and not any(solver.refuses(draw.warm_up) for draw in draws):
                found.append(name)
        except SwarmkitError:
            continue
    return found


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
    made: list[Match] = []
    with Replays(submission) as replays:
        for draw in draws:
            for match in (*_own_matches(submission, name, draw, replays), *_rival_matches(rivals, draw)):
                ready(match)
                made.append(match)
    check_bounds(made, name)
    return made


def check_bounds(matches: Sequence[Match], name: str) -> None:
    """Check the bounds that a method claims against the answers of all others.

    Raises:
        Breach: a solution is better than the method says that any can be.
    """
    for own in matches:
        scores = [match.score for match in matches if match.instance == own.instance and match.score is not None]
        if own.method != name or own.bound is None or not scores:
            continue
        if own.bound < max(scores) - TOLERANCE * max(1.0, abs(max(scores))):
            words = f"{own.instance}: it claims that no solution scores more than {own.bound:.6g}"
            raise Breach("score", f"{words}; another solver has {max(scores):.6g}.")


def _own_matches(submission: Submission, name: str, draw: Draw, replays: Replays) -> Iterator[Match]:
    """Yield the runs of the submission, in a process for each family; the last one is made again elsewhere."""
    with ContestantProcess(submission) as process:
        waits = process.ready.get("waits")
        if not waits:
            trial(process, draw.warm_up, 0)
        for number, problem in enumerate(draw.instances):
            remote = RemoteSolver(process)
            played, cpu = _play(draw.family, problem, number, remote, lambda: process.cpu_seconds)
            yield _match(draw.family, name, played, cpu)
        if process.reasons:
            raise Breach(process.reasons[0].rule, process.reasons[0].words)
    if not waits and played.result.score is not None:
        replays.check(played)


def _rival_matches(rivals: Sequence[str], draw: Draw) -> Iterator[Match]:
    """Yield the runs of the rivals, in this process."""
    kinds = registered("solver")
    for name in rivals:
        run_remote(kinds[name](), draw.warm_up, 0, Budget(looks=WARM_UP_LOOKS))
        for number, problem in enumerate(draw.instances):
            yield _match(draw.family, name, *_play(draw.family, problem, number, kinds[name](), own_cpu_seconds))


def _play(
    family: Family, problem: Problem, number: int, solver: Solver[Any], clock: Callable[[], float]
) -> tuple[Played, float | None]:
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
        return Played(problem, number, limits, run_remote(solver, problem, number, limits)), None
    limited = CpuLimited(solver, clock, CPU_SECONDS)
    seconds = WAITING_SECONDS if limited.waits else SAFETY_SECONDS
    result = run_remote(limited, problem, number, Budget(seconds=seconds))
    return Played(problem, number, Budget(looks=max(1, limited.looks)), result), limited.used


def _match(family: Family, method: str, played: Played, cpu: float | None) -> Match:
    return Match(
        family=family.name,
        instance=f"{family.name} {played.seed + 1}",
        method=method,
        score=played.result.score,
        evaluations=played.result.evaluations,
        looks=played.result.looks,
        cpu_seconds=cpu,
        bound=played.result.bound,
    )
