"""Which of the registered solvers suit a problem, and the sentence that says so."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from swarmkit import Constraints, Problem, Solver, Suitability, registered

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
    solvers = {}
    for name, kind in kinds.items():
        if kind.suits is not Solver.suits and not issubclass(kind, without):
            with _warn_of_failure(name):
                solvers[name] = kind()
    return solvers


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
        with _warn_of_failure(name):
            if solver.refuses(problem) is None and (fit := solver.suits(problem)) is not None:
                suitable.append(Candidate(name, fit))
    # Heaviest first; of equals the prover that `--gap` would ask first, then by name: no order depends on plugins.
    suitable.sort(key=lambda item: (-item.suitability.weight, solvers[item.name].proof_rank or 0, item.name))
    provers = [item for item in suitable if item.suitability.proves and proofs]
    searchers = [item for item in suitable if not item.suitability.proves]
    good = [item for item in searchers if item.suitability.weight >= LEAST * searchers[0].suitability.weight]
    proof = next((item for item in provers if not item.suitability.attempts), None)
    attempt = next((item for item in provers if item.suitability.attempts), None) if proof is None else None
    return Choice(proof, attempt, good[:most])


@contextmanager
def _warn_of_failure(name: str) -> Iterator[None]:
    """Warn of a solver that fails where it is asked what it suits: the others can do without it."""
    try:
        yield
    except Exception as error:
        message = f"solver '{name}' is left out: asked what it suits, it fails ({type(error).__name__}: {error})"
        warnings.warn(message, RuntimeWarning, stacklevel=2)


def sentence(problem: Problem, choice: Choice, proved: bool = False) -> str:
    """Return what was chosen, and why, as a sentence.

    Args:
        problem: the problem.
        choice: the solvers that were chosen for it.
        proved: whether the optimum has been proved.
    """
    size = describe(problem)
    turns = _join_names([candidate.name for candidate in choice.turns])
    if choice.proof is not None:
        beside = f", in turns with {turns}" if choice.proof.suitability.takes_turns and not proved and turns else ""
        verb = "proves" if proved else "would prove"
        return f"{choice.proof.name} {verb} the optimum{beside}: {choice.proof.suitability.reason} ({size})"
    verb = "take turns" if len(choice.turns) > 1 else "searches"
    proof = f", and {choice.attempt.name} attempts a proof" if choice.attempt is not None else ""
    reason = choice.turns[0].suitability.reason if choice.turns else ""
    return f"{turns} {verb}{proof}: {reason} ({size})"


def describe(problem: Problem) -> str:
    """Return the size of a problem and what is known of it, in a few words."""
    structure, n = problem.structure, len(problem.sizes)
    largest = max((int(size) for size in problem.sizes), default=0)
    tables = 0 if structure.pairwise is None else len(structure.pairwise.edges)
    facts = {
        f"{n:,} stages, up to {largest:,} candidates": True,
        f"{tables:,} pairs of stages in tables": structure.pairwise is not None,
        "a score without tables": structure.pairwise is None,
        "all different": structure.distinct,
        "constraints": structure.opaque,
        **_kinds_of_rows(structure.linear),
        f"an evaluation takes about {_one_digit(problem.evaluation_seconds)}": _is_slow(problem),
    }
    return ", ".join(fact for fact, holds in facts.items() if holds)


def _kinds_of_rows(linear: Constraints | None) -> dict[str, bool]:
    """Return the number of linear constraints of each kind in words."""
    kinds = {} if linear is None else linear.kinds
    rows = ", ".join(f"{number:,} {kind}" for kind, number in kinds.items())
    return {f"linear constraints ({rows})": linear is not None}


def is_expensive(problem: Problem) -> bool:
    """Whether evaluations are all that counts: solutions are scored one by one in Python, or that takes long.

    A coarse question, so that the answer is the same on most machines.
    """
    return problem.structure.black_box and (problem.overrides("score_one") or _is_slow(problem))


def _is_slow(problem: Problem) -> bool:
    return (problem.evaluation_seconds or 0.0) >= EXPENSIVE


def _one_digit(seconds: float | None) -> str:
    """Return seconds with one digit.

    >>> _one_digit(0.0123), _one_digit(2.0)
    ('10 ms', '2 s')
    """
    value = float(f"{seconds or 0.0:.1g}")
    return f"{value:g} s" if value >= 1 else f"{1000 * value:g} ms"


def _join_names(names: Sequence[str]) -> str:
    """Return names as a list in words.

    >>> _join_names(["ils", "ga", "sa"])
    'ils, ga and sa'
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
