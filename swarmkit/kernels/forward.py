"""The forward pass of bees: every bee takes its next steps, by trying a few candidates or by the wheel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from swarmkit.kernels.chance import below, uniform
from swarmkit.kernels.desk import PLAIN
from swarmkit.pairwise import Floats, Ints

ZERO, ONE = np.uint64(0), np.uint64(1)


@njit(inline="always", **PLAIN)
def added(
    value: float, flat: Floats, first: Any, bases: Ints, own: Ints, weight: Floats, low: int, high: int, c: int
) -> float:
    """Give what candidate c adds: its own value, and its entry of every half-edge beside what is held there.

    The first half-edge comes in registers: a chain has no other.
    """
    base, stride, factor = first
    value += factor * flat[base + c * stride]
    for h in range(low + ONE, high):
        value += weight[h] * flat[bases[h - low] + c * own[h]]
    return value


@njit(inline="always", **PLAIN)
def sample(tables: Any, walk: Any, desk: Any, rules: Any, begin: int, end: int, words: Any) -> int:
    """Move every bee from step to step: try candidates in random order until one reaches θ or enough were tried.

    The best of those tried is taken. Gives the looks.
    """
    unary, flat, sizes, offsets = tables.unary, tables.flat, tables.sizes, tables.offsets
    order, indptr, earlier, start = walk.order, walk.indptr, walk.earlier, walk.start
    own, other, weight = walk.own, walk.other, walk.weight
    chosen, held, qualities, urn, bases = desk.chosen, desk.held, desk.qualities, desk.urn, desk.bases
    looks: Any = 0
    for t in range(begin, end):
        slot, m, low, high = offsets[order[t]], sizes[order[t]], indptr[t], indptr[t + 1]
        goal = rules.theta * np.int64(max(ONE, high - low))
        for c in range(m):
            urn[c] = c
        for b in range(len(qualities)):
            first = (ZERO, ZERO, 0.0)
            if low < high:
                first = (start[low] + held[earlier[low], b] * other[low], own[low], weight[low])
            for h in range(low + ONE, high):
                bases[h - low] = start[h] + held[earlier[h], b] * other[h]
            choice, most, first_seen = ZERO, -np.inf, False
            for i in range(min(rules.tries, np.int64(m))):
                # The urn stays shuffled from bee to bee: the next draws from it are as random as ever.
                left: Any = np.int64(m) - i
                j = np.uint64(i + below(words, left) if left > 1 else i)
                c = urn[j]
                urn[j] = urn[i]
                urn[i] = c
                value = added(unary[slot + c], flat, first, bases, own, weight, low, high, c)
                looks += 1
                first_seen |= c == ZERO
                if rules.first_on_ties and value == most:
                    choice = min(choice, c)
                if value > most:  # apart from the line below, so that neither becomes a branch to guess wrong
                    choice = c
                most = max(most, value)
                if value >= goal:
                    break
            if rules.first_on_ties and most <= 0.0 and not first_seen:  # related to nothing: look at the first one too
                value = added(unary[slot], flat, first, bases, own, weight, low, high, ZERO)
                looks += 1
                if value >= most:
                    choice, most = ZERO, value
            chosen[t, b] = choice
            held[t, b] = choice
            qualities[b] += most
    return looks


@njit(inline="always", **PLAIN)
def share(value: float, lowest: float, highest: float, sharpness: float) -> float:
    """Give a candidate's part of the wheel where not all add something: lifted, or by what it costs."""
    return (highest / value) ** sharpness if highest < 0.0 else value - lowest


@njit(**PLAIN)
def spin_below_zero(values: Floats, m: int, lowest: float, sharpness: float, words: Any) -> Any:
    """Draw a candidate where some cost something; any, where all are worth nothing."""
    total, highest = 0.0, lowest
    for c in range(m):
        highest = max(highest, values[c])
    for c in range(m):
        total += share(values[c], lowest, highest, sharpness)
    if total <= 0.0:
        every: Any = np.int64(m)
        return np.uint64(below(words, every))
    point = uniform(words) * total
    for c in range(m):
        point -= share(values[c], lowest, highest, sharpness)
        if point < 0.0:
            return np.uint64(c)
    return np.uint64(m) - ONE


@njit(inline="always", **PLAIN)
def spin(tables: Any, walk: Any, desk: Any, rules: Any, begin: int, end: int, words: Any) -> int:
    """Move every bee from step to step: draw candidates in proportion to what they add; any, where none adds.

    Where some cost something, all are lifted to 0 at least; where all do, the less the likelier. Gives the looks.
    """
    unary, flat, sizes, offsets = tables.unary, tables.flat, tables.sizes, tables.offsets
    order, indptr, earlier, start = walk.order, walk.indptr, walk.earlier, walk.start
    own, other, weight = walk.own, walk.other, walk.weight
    chosen, held, qualities, values, bases = desk.chosen, desk.held, desk.qualities, desk.values, desk.bases
    looks: Any = 0
    for t in range(begin, end):
        slot, m, low, high = offsets[order[t]], sizes[order[t]], indptr[t], indptr[t + 1]
        for b in range(len(qualities)):
            first = (ZERO, ZERO, 0.0)
            if low < high:
                first = (start[low] + held[earlier[low], b] * other[low], own[low], weight[low])
            for h in range(low + ONE, high):
                bases[h - low] = start[h] + held[earlier[h], b] * other[h]
            lowest, total, choice = 0.0, 0.0, m - ONE
            for c in range(m):
                value = added(unary[slot + c], flat, first, bases, own, weight, low, high, c)
                values[c] = value
                total += value
                if value < lowest:
                    lowest = value
            looks += np.int64(m)
            if lowest < 0.0:
                choice = spin_below_zero(values, m, lowest, rules.sharpness, words)
            elif total > 0.0:
                point = uniform(words) * total
                for c in range(m):
                    point -= values[c]
                    if point < 0.0:
                        choice = c
                        break
            else:
                every: Any = np.int64(m)
                choice = np.uint64(below(words, every))
            chosen[t, b] = choice
            held[t, b] = choice
            qualities[b] += values[choice]
    return looks


@njit(inline="always", **PLAIN)
def leave(tables: Any, walk: Any, desk: Any, hive: Ints) -> int:
    """Let every bee stand at its candidate of the hive, if it has one; give the looks."""
    looks = 0
    for b in range(len(hive)):
        desk.qualities[b] = 0.0
        if hive[b] >= 0:
            desk.chosen[0, b] = desk.held[0, b] = np.uint64(hive[b])
            desk.qualities[b] = tables.unary[tables.offsets[walk.order[0]] + np.uint64(hive[b])]
            looks += 1
    return looks
