"""Taillard's flow shop problems: his generator, the seeds of his 120 instances, and his file format.

E. Taillard (1993). Benchmarks for basic scheduling problems. European Journal of Operational Research 64, 278-285.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, NoReturn

import numpy as np

from swarmkit import Floats, quoted, read_text, wrong_line

LARGEST = 10_000
"""The largest number of jobs, and of machines."""

MODULUS = 2**31 - 1
"""The modulus of the generator; seeds are below it."""

SIZES = [(20, 5), (20, 10), (20, 20), (50, 5), (50, 10), (50, 20), (100, 5), (100, 10), (100, 20), (200, 10), (200, 20)]
SIZES += [(500, 20)]
"""The numbers of jobs and machines of ta001 to ta010, of ta011 to ta020, and so on."""

SEEDS = [
    *(873654221, 379008056, 1866992158, 216771124, 495070989, 402959317, 1369363414, 2021925980, 573109518, 88325120),
    *(587595453, 1401007982, 873136276, 268827376, 1634173168, 691823909, 73807235, 1273398721, 2065119309, 1672900551),
    *(479340445, 268827376, 1958948863, 918272953, 555010963, 2010851491, 1519833303, 1748670931, 1923497586),
    *(1829909967, 1328042058, 200382020, 496319842, 1203030903, 1730708564, 450926852, 1303135678, 1273398721),
    *(587288402, 248421594, 1958948863, 575633267, 655816003, 1977864101, 93805469, 1803345551, 49612559, 1899802599),
    *(2013025619, 578962478, 1539989115, 691823909, 655816003, 1315102446, 1949668355, 1923497586, 1805594913),
    *(1861070898, 715643788, 464843328, 896678084, 1179439976, 1122278347, 416756875, 267829958, 1835213917),
    *(1328833962, 1418570761, 161033112, 304212574, 1539989115, 655816003, 960914243, 1915696806, 2013025619),
    *(1168140026, 1923497586, 167698528, 1528387973, 993794175, 450926852, 1462772409, 1021685265, 83696007, 508154254),
    *(1861070898, 26482542, 444956424, 2115448041, 118254244, 471503978, 1215892992, 135346136, 1602504050, 160037322),
    *(551454346, 519485142, 383947510, 1968171878, 540872513, 2013025619, 475051709, 914834335, 810642687, 1019331795),
    *(2056065863, 1342855162, 1325809384, 1988803007, 765656702, 1368624604, 450181436, 1927888393, 1759567256),
    *(606425239, 19268348, 1298201670, 2041736264, 379756761, 28837162),
]
"""The seed of each instance, from the paper."""

_MAKESPANS = """
1278 1359 1081 1293 1235 1195 1234 1206 1230 1108 1582 1659 1496 1377 1419 1397 1484 1538 1593 1591
2297 2099 2326 2223 2291 2226 2273 2200 2237 2178 2724 2834 2621 2751 2863 2829 2725 2683 2552 2782
2991 2867 2839 3063 2976 3006 3093 3037 2897 3065 3846 3699 3640 3719 3610 3679 3704 3691 3741 3755
5493 5268 5175 5014 5250 5135 5246 5094 5448 5322 5770 5349 5676 5781 5467 5303 5595 5617 5871 5845
0 0 0 0 0 0 0 0 0 0 10862 10480 10922 10889 10524 0 10854 10730 10438 10675
0 0 11281 11275 11259 11176 0 0 0 0 0 0 26371 26456 26334 0 26389 26560 26005 26457
"""
BEST_KNOWN = [int(makespan) for makespan in _MAKESPANS.split()]
"""The shortest makespan known of each instance; 0 if sources differ."""


class Shop(NamedTuple):
    """An instance: the time of each job (columns) on each machine (rows), and the shortest makespan known."""

    times: Floats
    best: float | None = None


def generate(jobs: int, machines: int, seed: int) -> Shop:
    """Return the instance that the paper's generator makes: machine after machine, times from 1 to 99.

    >>> generate(20, 5, 873654221).times[0, :5].tolist()
    [54.0, 83.0, 15.0, 71.0, 77.0]
    """
    times = np.empty(jobs * machines)
    for at in range(len(times)):
        seed = 16807 * (seed % 127773) - 2836 * (seed // 127773)
        seed += MODULUS if seed < 0 else 0
        times[at] = 1 + seed * 99 // MODULUS
    return Shop(times.reshape(machines, jobs))


def known(jobs: int, machines: int, seed: int) -> float | None:
    """Return the shortest makespan known of one of Taillard's instances; None for others.

    >>> known(20, 5, 873654221)
    1278.0
    """
    for at in range(120):
        if (*SIZES[at // 10], SEEDS[at]) == (jobs, machines, seed):
            return float(BEST_KNOWN[at]) or None
    return None


def read_shops(path: str | Path) -> list[Shop]:
    """Return the instances of a file in Taillard's format.

    For each instance it has the size, seed and bounds, then a row of times for each machine.
    """
    rows = _Rows(path)
    shops = []
    while (head := rows.head()) is not None:
        jobs, machines, *more = head
        times = rows.times(jobs, machines)
        best = known(jobs, machines, more[0]) if more else None
        shops.append(Shop(times, best or (float(more[1]) or None if len(more) > 1 else None)))
    if not shops:
        rows.wrong("the file ends without an instance; expected 'jobs machines', then a row of times for each machine")
    return shops


class _Rows:
    """The rows of numbers of a file, without the headings."""

    HEADINGS = ("number of jobs", "processing times")

    def __init__(self, path: str | Path) -> None:
        self.path, self.line = path, 1
        self._rows = self._read(read_text(path, "a flow shop in Taillard's format"))

    def _read(self, text: str) -> Iterator[list[float]]:
        for line, row in enumerate(text.splitlines(), 1):
            if not row.strip():
                continue
            self.line = line
            if not row.strip().lower().startswith(self.HEADINGS):
                yield [self._number(word) for word in row.split()]

    def _number(self, word: str) -> float:
        try:
            value = float(word)
        except ValueError:
            self.wrong(f"{quoted(word)} is not a number; expected numbers, or a line such as 'processing times :'")
        if not np.isfinite(value) or value < 0:
            self.wrong(f"{quoted(word)}; expected a finite number that is not negative")
        return value

    def head(self) -> list[int] | None:
        """Return the first row of an instance (jobs, machines, seed, bounds); None at the end of the file."""
        row = next(self._rows, None)
        if row is None:
            return None
        whole = all(value.is_integer() for value in row)
        if not (2 <= len(row) <= 5 and whole and all(1 <= value <= LARGEST for value in row[:2])):
            self.wrong("expected 'jobs machines', or 'jobs machines seed upper-bound lower-bound', in whole numbers")
        return [int(value) for value in row]

    def times(self, jobs: int, machines: int) -> Floats:
        """Return the rows of times."""
        table = np.empty((machines, jobs))
        for machine in range(machines):
            row = next(self._rows, None)
            if row is None:
                self.wrong(f"the file ends after {machine} rows of times; expected {machines}, one for each machine")
            if len(row) != jobs:
                self.wrong(f"{len(row)} times for machine {machine + 1}; expected {jobs}, one for each job")
            table[machine] = row
        return table

    def wrong(self, what: str) -> NoReturn:
        raise wrong_line(self.path, self.line, what)
