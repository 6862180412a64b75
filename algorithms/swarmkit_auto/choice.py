"""Which of the registered solvers suit a problem, and the sentence that says so."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from swarmkit import Problem, Solver, Suitability, registered

LEAST = 0.2
"""The least weight of a solver that takes turns, as a share of the highest."""

EXPENSIVE = 1e-3
"""Seconds of an evaluation from which the score is the whole cost, whatever the solver does beside it."""


class Candidate(NamedTuple):
    """A registered solver and how well it suits the problem."""

    name: str
    suitability: Suitability


class Choice(NamedTuple):
    """The solvers that were chosen."""

    proof: Candidate | None
    """The one that is run first, because it proves the optimum with little work."""
    attempt: Candidate | None
    """The one that attempts a proof between the turns of the others."""
    turns: Sequence[Candidate]
    """Those that take turns, most suitable first."""


def participants(without: type[Solver[Any]]) -> dict[str, Solver[Any]]:
    """Return a solver of every registered class that says what it suits, with its default parameters.

    Args:
        without: the class that asks, which is left out.
    """
    kinds: Mapping[str, type[Solver[Any]]] = registered("solver")
    found = {}
    for name, kind in kinds.items():
        if kind.suits is not Solver.suits and not issubclass(kind, without):
            with _left_out_if_broken(name):
                found[name] = kind()
    return found


def choose(problem: Problem, solvers: Mapping[str, Solver[Any]], most: int, proofs: bool) -> Choice:
    """Return the solvers that suit a problem best.

    Args:
        problem: the problem, whose structure and size the solvers are asked about.
        solvers: the solvers to choose from, by name.
        most: the most solvers that take turns.
        proofs: whether solvers that prove take part.
    """
    suitable = []
    for name, solver in solvers.items():
        with _left_out_if_broken(name):
            if solver.refuses(problem) is None and (own := solver.suits(problem)) is not None:
                suitable.append(Candidate(name, own))
    suitable.sort(key=lambda one: (-one.suitability.weight, solvers[one.name].proof_rank or 0, one.name))
    provers = [one for one in suitable if one.suitability.proves and proofs]
    others = [one for one in suitable if not one.suitability.proves]
    good = [one for one in others if one.suitability.weight >= LEAST * others[0].suitability.weight]
    proof = next((one for one in provers if not one.suitability.attempts), None)
    attempt = next((one for one in provers if one.suitability.attempts), None) if proof is None else None
    return Choice(proof, attempt, good[:most])


@contextmanager
def _left_out_if_broken(name: str) -> Iterator[None]:
    """Warn of a solver that fails where it is asked what it suits: the others can do without it."""
    try:
        yield
    except Exception as error:
        message = f"solver '{name}' is left out: asked what it suits, it fails ({type(error).__name__}: {error})"
        warnings.warn(message, RuntimeWarning, stacklevel=2)


def sentence(problem: Problem, choice: Choice) -> str:
    """Return what was chosen, and why, as a sentence."""
    what = describe(problem)
    turns = _listed([one.name for one in choice.turns])
    if choice.proof is not None:
        return f"{choice.proof.name} proves the optimum: {choice.proof.suitability.reason} ({what})"
    verb = "take turns" if len(choice.turns) > 1 else "searches"
    proof = f", and {choice.attempt.name} attempts a proof" if choice.attempt is not None else ""
    reason = choice.turns[0].suitability.reason if choice.turns else ""
    return f"{turns} {verb}{proof}: {reason} ({what})"


def describe(problem: Problem) -> str:
    """Return the size of a problem and what is known of it, in a few words."""
    structure, n = problem.structure, len(problem.sizes)
    largest = max((int(size) for size in problem.sizes), default=0)
    words = [f"{n:,} stages, up to {largest:,} candidates"]
    if structure.pairwise is not None:
        words.append(f"{len(structure.pairwise.edges):,} pairs of stages in tables")
    else:
        words.append("a score without tables")
    if structure.distinct:
        words.append("all different")
    if structure.constrained:
        words.append("constraints")
    if (problem.evaluation_seconds or 0.0) >= EXPENSIVE:
        words.append(f"an evaluation takes about {_rounded(problem.evaluation_seconds)}")
    return ", ".join(words)


def is_expensive(problem: Problem) -> bool:
    """Whether evaluations are all that counts: solutions are scored one by one in Python, or that takes long.

    A coarse question, so that the answer is the same on most machines.
    """
    slow = problem.overrides("score_one") or (problem.evaluation_seconds or 0.0) >= EXPENSIVE
    return problem.structure.black_box and slow


def _rounded(seconds: float | None) -> str:
    """Return seconds with one digit.

    >>> _rounded(0.0123), _rounded(2.0)
    ('10 ms', '2 s')
    """
    value = float(f"{seconds or 0.0:.1g}")
    return f"{value:g} s" if value >= 1 else f"{1000 * value:g} ms"


def _listed(names: Sequence[str]) -> str:
    """Return names as a list in words.

    >>> _listed(["ils", "ga", "sa"])
    'ils, ga and sa'
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
