"""simanneal with difference energies: 2-opt on tours, swaps on assignments, change-one on categories.

Lists and plain floats: what is fastest in Python. simanneal wants to know its number of steps, so each mark is a run of
its own with a schedule for that time: a pilot run measures how many steps that is, and the clock, read every 256 moves,
ends a run that takes longer.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from against.clock import Clock
from against.tasks import Task

PILOT = 2_000
"""Steps that tell how fast it is."""


def anneal(task: Task, seed: int, clock: Clock) -> None:
    """Anneal once for each mark; what counts is the rate over all of them, and each one's own best."""
    from simanneal import Annealer

    move = MOVES[task.kind](task)
    hot, cold = temperatures(task, move, seed)

    class Peer(Annealer):
        copy_strategy = "slice"
        Tmax, Tmin, updates = hot, cold, 0
        made, until = 0, np.inf

        def move(self) -> float | None:
            self.made += 1
            if self.made % 256 == 0 and time.process_time() >= self.until:
                self.user_exit = True  # its own way to stop, as Ctrl-C does
            return move(self.state)

        def energy(self) -> float:
            return task.cost(np.array(self.state))

    def run(steps: int, seconds: float) -> Any:
        peer = Peer(task.random(np.random.default_rng(seed)).tolist())
        peer.steps, peer.until = steps, time.process_time() + seconds
        peer.anneal()
        return peer

    begun = time.process_time()
    run(PILOT, np.inf)
    rate = PILOT / (time.process_time() - begun)
    for mark in clock.marks:
        clock.begin()
        peer = run(max(PILOT, int(rate * mark)), mark)
        clock.seconds += clock.read()
        clock.count += peer.made
        assert task.valid(np.array(peer.best_state)), "simanneal's answer is not a solution"
        clock.costs.append(task.cost(np.array(peer.best_state)))


def temperatures(task: Task, move: Callable[[list[int]], float | None], seed: int) -> tuple[float, float]:
    """Return the first and last temperature that suit the moves."""
    if task.kind == "tour":
        return task.spacing(), 0.05 * task.spacing()
    if task.kind == "categories":
        return 0.8, 0.1  # as in moves.py
    state = task.random(np.random.default_rng(seed)).tolist()
    spread = float(np.std([move(state) for _ in range(500)]))
    return 0.3 * spread, 0.01 * spread


def reversal(task: Task) -> Callable[[list[int]], float | None]:
    """Reverse a piece of the tour; where there and back differ, the whole tour is measured again."""
    away, n, symmetric = task.first.tolist(), task.n, task.symmetric

    def move(state: list[int]) -> float | None:
        i, j = sorted(random.sample(range(n), 2))
        before, first, last, after = state[i - 1], state[i], state[j], state[(j + 1) % n]
        state[i : j + 1] = state[i : j + 1][::-1]
        if not symmetric:
            return None
        if i == 0 and j == n - 1:
            return 0.0
        there, here = away[before], away[after]
        return float(there[last] + here[first] - there[first] - here[last])

    return move


def swap(task: Task) -> Callable[[list[int]], float | None]:
    """Swap two places, in O(n), with Taillard's difference."""
    a, b, n = task.first.tolist(), task.arrays["second"].tolist(), task.n

    def move(p: list[int]) -> float | None:
        r, s = random.sample(range(n), 2)
        u, v = p[r], p[s]
        delta = (a[r][r] - a[s][s]) * (b[v][v] - b[u][u]) + (a[r][s] - a[s][r]) * (b[v][u] - b[u][v])
        for k in range(n):
            if k not in (r, s):
                w = p[k]
                delta += (a[k][r] - a[k][s]) * (b[w][v] - b[w][u]) + (a[r][k] - a[s][k]) * (b[v][w] - b[u][w])
        p[r], p[s] = v, u
        return float(delta)

    return move


def change(task: Task) -> Callable[[list[int]], float | None]:
    """Give one stage another candidate; only its neighbours are looked at."""
    around: list[list[tuple[int, list[list[float]]]]] = [[] for _ in range(task.n)]
    for (i, j), table in zip(task.edges.tolist(), task.tables, strict=True):
        around[i].append((j, table.tolist()))
        around[j].append((i, table.T.tolist()))
    n, m = task.n, task.candidates

    def move(state: list[int]) -> float | None:
        i = random.randrange(n)  # noqa: S311  (no secret)
        old, new = state[i], random.randrange(m - 1)  # noqa: S311  (no secret)
        new += new >= old
        state[i] = new
        delta = 0.0
        for j, table in around[i]:
            other = state[j]
            delta += table[old][other] - table[new][other]
        return delta

    return move


MOVES = {"tour": reversal, "assignment": swap, "categories": change}
