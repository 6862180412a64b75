"""Whole iterations of a bee colony on tables: forward passes, backward passes, and the way back to the best path.

Paths are never copied. A backward pass writes down whom each bee follows; the best path is read off at the end, from
the last pass to the first. Only the steps that later steps will look back at are kept in hand for every bee.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

from swarmkit.kernels.chance import below, uniform
from swarmkit.pairwise import Floats, Ints

MAX, MIN_MAX, RAW = 0, 1, 2


@njit("void(float64[::1], int64, float64[::1])", cache=True)
def normalise(qualities: Floats, how: int, out: Floats) -> None:
    """Normalise qualities; the twin of `swarmkit_bees.formulas.normalised`."""
    low, high = qualities.min(), qualities.max()
    floor = low if how == MIN_MAX else min(0.0, low)
    if how == MIN_MAX and high == low:
        out[:] = 1.0
        return
    scale = 1.0 if how == RAW or high <= floor else high - floor
    for b in range(len(qualities)):
        out[b] = (qualities[b] - floor) / scale


@njit("float64(float64, float64, int64)", cache=True)
def loyalty(quality: float, best: float, passes: int) -> float:
    """Give the chance that a bee stays with its path; the twin of `swarmkit_bees.formulas.loyalty`."""
    return math.exp((quality - best) / passes)


@njit("int64(float64[::1], int64[::1], int64, uint64[::1])", cache=True)
def recruit(normalised: Floats, recruiters: Ints, count: int, words: Any) -> int:
    """Draw one of the first so many recruiters in proportion to its quality; all alike if none has any."""
    total = 0.0
    for k in range(count):
        total += normalised[recruiters[k]]
    if total <= 0.0:
        return recruiters[below(words, count)]
    point = uniform(words) * total
    for k in range(count - 1):
        point -= normalised[recruiters[k]]
        if point < 0.0:
            return recruiters[k]
    return recruiters[count - 1]


@njit("int64(float64[::1], int64, int64[::1])", cache=True)
def best_bees(qualities: Floats, wanted: int, out: Ints) -> int:
    """Name the best bees, best first, the earlier among equals; give how many there are."""
    count = 0
    for b in range(len(qualities)):
        if count == wanted and qualities[b] <= qualities[out[count - 1]]:
            continue
        place = count if count < wanted else count - 1
        count = min(wanted, count + 1)
        while place > 0 and qualities[out[place - 1]] < qualities[b]:
            out[place] = out[place - 1]
            place -= 1
        out[place] = b
    return count


@njit(
    "void(float64[::1], int64, int64, int64, boolean, uint64[::1], float64[::1], int64[::1], int64[::1])", cache=True
)
def backward(
    qualities: Floats,
    passes: int,
    wanted: int,
    how: int,
    take_quality: bool,
    words: Any,
    normalised: Floats,
    recruiters: Ints,
    follows: Ints,
) -> None:
    """Decide whom each bee follows (itself, if loyal), all at once: what counts is what was advertised."""
    normalise(qualities, how, normalised)
    best = normalised.max()
    for b in range(len(qualities)):
        loyal = uniform(words) < loyalty(normalised[b], best, passes)
        follows[b] = b if loyal else -1
    if wanted:
        count = best_bees(qualities, wanted, recruiters)
    else:  # every loyal bee recruits; the best is always loyal
        count = 0
        for b in range(len(qualities)):
            if follows[b] == b:
                recruiters[count] = b
                count += 1
    for b in range(len(qualities)):
        if follows[b] < 0:
            follows[b] = recruit(normalised, recruiters, count, words)
    if take_quality:
        advertised = normalised  # its values have served
        advertised[:] = qualities
        for b in range(len(qualities)):
            qualities[b] = advertised[follows[b]]


@njit(
    "float64(int64, int64, int64, int64, float64[::1], float64[::1], int64[:, ::1], int64[::1], int64[::1], int64[::1],"
    " int64[::1], int64[::1], float64[::1])",
    cache=True,
    inline="always",
)
def added(
    t: int,
    b: int,
    c: int,
    first: int,
    unary: Floats,
    flat: Floats,
    held: Any,
    indptr: Ints,
    earlier: Ints,
    start: Ints,
    own: Ints,
    other: Ints,
    weight: Floats,
) -> float:
    """Give what candidate c at step t adds to the path of bee b."""
    value = unary[first + c]
    for h in range(indptr[t], indptr[t + 1]):
        value += weight[h] * flat[start[h] + c * own[h] + held[earlier[h], b] * other[h]]
    return value


@njit(
    "Tuple((float64, int64, int64, int64, boolean))(int64[::1], int64[::1], float64[::1], float64[::1], int64[::1],"
    " int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], float64[::1], int64[::1], int64[::1], int64, int64,"
    " float64, int64, int64, boolean, boolean, boolean, int64, float64, float64, float64, int64, uint64[::1],"
    " int64[::1])",
    cache=True,
)
def fly(
    sizes: Ints,
    offsets: Ints,
    unary: Floats,
    flat: Floats,
    order: Ints,
    indptr: Ints,
    earlier: Ints,
    start: Ints,
    own: Ints,
    other: Ints,
    weight: Floats,
    last: Ints,
    hive: Ints,
    moves: int,
    wanted: int,
    theta: float,
    tries: int,
    how: int,
    first_on_ties: bool,
    take_quality: bool,
    reset_passes: bool,
    iterations: int,
    tolerance: float,
    beta: float,
    record: float,
    passes: int,
    words: Any,
    best: Ints,
) -> Any:
    """Make iterations of the colony; leave the best path in `best`.

    `hive` holds each bee's candidate at the first step (-1: drawn like any other). `tries` = 0 draws candidates in
    proportion to what they add; otherwise so many are tried at random until one adds `theta` per neighbour.
    Gives the best score, the looks, the iterations made, the passes so far and whether the colony has come to its end.
    """
    n, bees = len(order), len(hive)
    chosen = np.empty((n, bees), np.int64)
    held = np.empty((n, bees), np.int64)
    follows = np.empty((n + 1, bees), np.int64)
    in_hand = np.empty(n, np.int64)
    qualities = np.empty(bees)
    normalised = np.empty(bees)
    recruiters = np.empty(bees, np.int64)
    row = np.empty(bees, np.int64)
    urn = np.empty(sizes.max(), np.int64)
    values = np.empty(sizes.max())
    path = np.empty(n, np.int64)
    best_score, looks, ended, made = -np.inf, 0, False, 0
    while made < iterations and not ended:
        if reset_passes:
            passes = 0
        qualities[:] = 0.0
        t, turn, kept = 0, 0, 0
        while t < n:
            # Forward pass: so many moves by every bee. Where the hive is given, standing there is not a move.
            stop = min(n, t + moves + (1 if t == 0 and hive[0] >= 0 else 0))
            while t < stop:
                first = offsets[order[t]]
                m = sizes[order[t]]
                goal = theta * max(1, indptr[t + 1] - indptr[t])
                for c in range(m):
                    urn[c] = c
                for b in range(bees):
                    choice, most = 0, -np.inf
                    if t == 0 and hive[b] >= 0:
                        choice, most = hive[b], unary[first + hive[b]]
                        looks += 1
                    elif tries == 0:
                        least = 0.0
                        for c in range(m):
                            values[c] = added(
                                t, b, c, first, unary, flat, held, indptr, earlier, start, own, other, weight
                            )
                            least = min(least, values[c])
                        looks += m
                        total = 0.0
                        for c in range(m):
                            total += values[c] - least
                        if total > 0.0:
                            point = uniform(words) * total
                            choice = m - 1
                            for c in range(m):
                                point -= values[c] - least
                                if point < 0.0:
                                    choice = c
                                    break
                        else:
                            choice = below(words, m)
                        most = values[choice]
                    else:
                        first_seen = False
                        for i in range(min(tries, m)):
                            # The urn stays shuffled from bee to bee: the next draws from it are as random as ever.
                            j = i + below(words, m - i) if m - i > 1 else i
                            c = urn[j]
                            urn[j] = urn[i]
                            urn[i] = c
                            first_seen = first_seen or c == 0
                            value = added(
                                t, b, c, first, unary, flat, held, indptr, earlier, start, own, other, weight
                            )
                            looks += 1
                            if value > most or (first_on_ties and value == most and c < choice):
                                choice, most = c, value
                            if value >= goal:
                                break
                        if first_on_ties and most <= 0.0 and not first_seen:
                            value = added(
                                t, b, 0, first, unary, flat, held, indptr, earlier, start, own, other, weight
                            )
                            looks += 1
                            if value >= most:
                                choice, most = 0, value
                    chosen[t, b] = choice
                    held[t, b] = choice
                    qualities[b] += most
                if last[t] > t:
                    in_hand[kept] = t
                    kept += 1
                t += 1
            passes += 1
            if t == n:
                break
            backward(qualities, passes, wanted, how, take_quality, words, normalised, recruiters, follows[turn])
            still = 0
            for k in range(kept):
                s = in_hand[k]
                if last[s] >= t:
                    in_hand[still] = s
                    still += 1
                    for b in range(bees):
                        row[b] = held[s, b]
                    for b in range(bees):
                        held[s, b] = row[follows[turn, b]]
            kept = still
            turn += 1
        # The way back: from the best bee's last pass to its first.
        made += 1
        b = int(qualities.argmax())
        quality = qualities[b]
        while turn >= 0:
            begin = 0 if turn == 0 else turn * moves + (1 if hive[0] >= 0 else 0)
            for s in range(begin, t):
                path[s] = chosen[s, b]
            t = begin
            turn -= 1
            if turn >= 0:
                b = follows[turn, b]
        score = quality
        if not take_quality:  # then a bee's quality is not that of the path it took over
            score = 0.0
            for s in range(n):
                held[s, 0] = path[s]
                score += added(
                    s, 0, path[s], offsets[order[s]], unary, flat, held, indptr, earlier, start, own, other, weight
                )
            looks += n
        ended = quality <= beta or score - record <= tolerance
        record = max(record, score)
        if score > best_score:
            best_score = score
            for s in range(n):
                best[order[s]] = path[s]
    return best_score, looks, made, passes, ended
