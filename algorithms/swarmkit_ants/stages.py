"""The colony on stages: an ant's tour visits every stage once and picks a candidate there; these have the trail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from swarmkit import GRAIN, Found, Problem, local_search
from swarmkit.compiled import build_solutions, kernel_words
from swarmkit_ants.formulas import laid, lowest_trail, quality
from swarmkit_ants.memory import RHO, STALE, Memory


@dataclass
class StageColony:
    """The trail τ of every slot, the generator's words, and the solutions to remember."""

    words: NDArray[np.uint64]
    trail: NDArray[np.float64]
    memory: Memory


def start(problem: Problem, params: Any, rng: Generator) -> StageColony:
    """Begin with all trails equal."""
    n, slots = len(problem.sizes), int(np.sum(problem.sizes))
    first = 1.0 / n if params.variant == "acs" else 1.0
    return StageColony(kernel_words(rng), np.full(slots, first), Memory.of(n))


def step(problem: Problem, params: Any, state: StageColony, rng: Generator) -> Found:
    """Make as many iterations as one grain is worth."""
    looks, begun = 0, state.memory.iteration
    while looks < GRAIN and state.memory.iteration - begun < MOST:
        looks += iterate(problem, params, state, rng)
    memory = state.memory
    iterations = memory.iteration - begun
    if memory.score == -np.inf:
        return Found(None, None, looks, iterations)
    return Found(memory.best, memory.score, looks, iterations)


def iterate(problem: Problem, params: Any, state: StageColony, rng: Generator) -> int:
    """Let the ants out once, update the trail, and start anew if nothing better comes; give the looks."""
    strength = state.trail**params.alpha
    X, scores, looks = build_solutions(problem, params.ants, strength, params.beta, state.words, rng)
    if len(X) == 0:
        state.memory.iteration += 1
        return looks
    if params.local_search == "icm":
        X, scores, more = local_search(problem, X, "icm", rng)
        looks += more
    best = int(scores.argmax())
    state.memory.note(X[best], float(scores[best]))
    update(problem, params, state, X, scores)
    if params.variant == "mmas" and state.memory.iteration - state.memory.improved > STALE:
        state.trail[:] = 1.0
        state.memory.restart()
    return looks


def update(
    problem: Problem, params: Any, state: StageColony, X: NDArray[np.int64], scores: NDArray[np.float64]
) -> None:
    """Let trail evaporate, and those who may lay theirs; scores may have any sign, so the best lays 1 [BD]."""
    sizes = np.asarray(problem.sizes, np.int64)
    first, trail, rho = np.cumsum(sizes) - sizes, state.trail, params.rho or RHO
    if params.variant == "acs":
        # The ants of an iteration go at once: what all of them wear is worn once, after they are back.
        for x in X:
            trail[first + x] = laid(trail[first + x], 1.0 - params.wear, params.wear / len(sizes))
        slots = first + state.memory.best
        trail[slots] = laid(trail[slots], 1.0 - rho, rho)
        return
    trail *= 1.0 - rho
    if params.variant == "as":
        np.add.at(trail, first + X, (rho / len(X) * quality(scores))[:, None])
        return
    best = int(scores.argmax())
    often = None if params.local_search == "icm" else OFTEN
    x, _ = state.memory.teacher(X[best], float(scores[best]), often)
    trail[first + x] += rho
    np.clip(trail, lowest_trail(len(sizes), float(sizes.mean()), params.p_best), 1.0, out=trail)


MOST = 20
"""Iterations a step at most: where the problem is asked in Python, looks are dear and a grain would be long."""

OFTEN = 5
"""Without local search, the restart's best teaches every so many iterations; ours."""
