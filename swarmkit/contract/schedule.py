"""Schedules as data: machines that process one item at a time, durations, precedence; the cost is the makespan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from swarmkit.contract.arrays import Bools, Floats, Ints
from swarmkit.contract.errors import ProblemError


class Plan(NamedTuple):
    """A schedule: the items of each machine in order, and when each item begins and ends."""

    lists: list[list[int]]
    begin: Floats
    end: Floats


@dataclass(frozen=True, eq=False)
class Schedule:
    """The rules of schedules; `Lists` makes and checks them."""

    names: tuple[str, ...]
    """The name of each item."""
    durations: Floats
    """The time that each item (row) takes on each machine (column); inf where the machine cannot do it."""
    edges: Ints
    """Pairs of items: the first ends before the second begins."""

    @cached_property
    def able(self) -> Bools:
        """Which machines (columns) can do each item."""
        return np.isfinite(self.durations)

    @cached_property
    def successors(self) -> list[list[int]]:
        """The items that wait for each item."""
        follow: list[list[int]] = [[] for _ in self.names]
        for before, later in self.edges.tolist():
            follow[before].append(later)
        return follow

    def plan(self, segments: Sequence[Sequence[int]]) -> Plan:
        """Return the schedule of lists: every item begins as soon as its list and the items before it allow.

        An item whose machine cannot do it goes to the end of the next machine that can. Where the orders of lists
        contradict each other or the precedence, the first item (list after list) that waits for no other goes first.

        Args:
            segments: the items of each machine in order.
        """
        k = self.durations.shape[1]
        queues: list[list[int]] = [[] for _ in range(k)]
        machine = np.zeros(len(self.names), np.int64)
        moved: list[int] = []
        for r, segment in enumerate(segments):
            for item in map(int, segment):
                (queues[r] if r < k and self.able[item, r] else moved).append(item)
                machine[item] = r
        for item in moved:
            machine[item] = next(
                r % k for r in range(int(machine[item]), int(machine[item]) + k) if self.able[item, r % k]
            )
            queues[machine[item]].append(item)
        return self._schedule(queues, machine)

    def _schedule(self, queues: list[list[int]], machine: Ints) -> Plan:
        n, k = self.durations.shape
        waits = np.bincount(self.edges[:, 1], minlength=n)
        begin, end, free = np.zeros(n), np.zeros(n), np.zeros(k)
        done, place = np.zeros(n, bool), [0] * k
        lists: list[list[int]] = [[] for _ in range(k)]

        def process(item: int) -> None:
            r = int(machine[item])
            begin[item] = max(begin[item], free[r])
            end[item] = free[r] = begin[item] + self.durations[item, r]
            done[item] = True
            lists[r].append(item)
            for later in self.successors[item]:
                waits[later] -= 1
                begin[later] = max(begin[later], end[item])

        while True:
            before = done.sum()
            for r, queue in enumerate(queues):
                while place[r] < len(queue) and (done[queue[place[r]]] or waits[queue[place[r]]] == 0):
                    if not done[queue[place[r]]]:
                        process(queue[place[r]])
                    place[r] += 1
            if done.all():
                return Plan(lists, begin, end)
            if done.sum() == before:
                process(next(item for queue in queues for item in queue if not done[item] and waits[item] == 0))


def make_schedule(count: int | None, *, home: Any, duration: Any, after: Any, names: Sequence[str]) -> Schedule:
    """Return the rules of schedules from what `Lists` was given.

    Raises:
        ProblemError: data that no schedule can keep, with the name of the item.
    """
    n = len(duration)
    called = tuple(str(name) for name in names) or tuple(str(item) for item in range(n))
    if len(called) != n:
        raise ProblemError(f"{len(called)} names for {n} items; expected one for each duration")
    machines: list[Sequence[int]] = []
    for item in range(n):
        if home is None:
            machines.append(range(count or np.size(duration[item])))
        else:
            machines.append([home[item]] if np.ndim(home[item]) == 0 else list(home[item]))
        if len(machines[item]) == 0:
            raise ProblemError(f"item '{called[item]}': no machine can do it")
    k = count or 1 + int(max((max(each) for each in machines), default=0))
    durations = np.full((n, k), np.inf)
    for item, each in enumerate(machines):
        times = np.asarray(duration[item], np.float64)
        if np.ndim(times) and len(times) != len(each):
            raise ProblemError(f"item '{called[item]}': {len(times)} durations for {len(each)} machines")
        if min(each) < 0 or max(each) >= k:
            raise ProblemError(f"item '{called[item]}': its machines are {list(each)}; machines are 0 to {k - 1}")
        if not (np.isfinite(times).all() and (times >= 0).all()):
            raise ProblemError(f"item '{called[item]}': its duration is {duration[item]}; expected no negative time")
        durations[item, each] = times
    rules = Schedule(called, durations, _precedence(after, called))
    _check_order(rules)
    return rules


def _precedence(after: Any, names: Sequence[str]) -> Ints:
    """Return pairs of items from the items that each one waits for: a number, several, or None (or -1)."""
    pairs = []
    for later, before in enumerate([] if after is None else after):
        several = [] if before is None else [before] if np.ndim(before) == 0 else before
        for item in several:
            if not -1 <= int(item) < len(names):
                raise ProblemError(f"item '{names[later]}': it is after item {item}; items are 0 to {len(names) - 1}")
            pairs += [(int(item), later)] if int(item) >= 0 else []
    return np.array(pairs, np.int64).reshape(-1, 2)


def _check_order(rules: Schedule) -> None:
    """Refuse precedence that goes round in a circle."""
    waits = np.bincount(rules.edges[:, 1], minlength=len(rules.names))
    ready = np.flatnonzero(waits == 0).tolist()
    for item in ready:  # it grows
        for later in rules.successors[item]:
            waits[later] -= 1
            if waits[later] == 0:
                ready.append(later)
    if len(ready) < len(rules.names):
        item = next(item for item in range(len(rules.names)) if waits[item] > 0)
        raise ProblemError(f"item '{rules.names[item]}': it would have to wait for itself, by a cycle of precedence")
