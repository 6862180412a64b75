"""Taillard's flow shop problems: his generator, the seeds of his 120 instances, and his file format.

E. Taillard (1993). Benchmarks for basic scheduling problems. European Journal of Operational Research 64, 278-285.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from swarmkit import Floats, number_rows, quoted, read_text, wrong_line

LARGEST = 10_000
"""The largest number of jobs, and of machines."""

MODULUS = 2**31 - 1
"""The modulus of the generator; seeds are below it."""

HEADINGS = ("number of jobs", "processing times")
"""How lines of a file begin that have no numbers."""

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
BEST_KNOWN = {
    (*SIZES[at // 10], SEEDS[at]): float(makespan) for at, makespan in enumerate(_MAKESPANS.split()) if makespan != "0"
}
"""The shortest makespan known by jobs, machines and seed, without the instances on which sources differ."""


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
        # Schrage's way to multiply by 16807 modulo 2^31 - 1 without products that need more than 32 bits.
        seed = 16807 * (seed % 127773) - 2836 * (seed // 127773)
        seed += MODULUS if seed < 0 else 0
        times[at] = 1 + seed * 99 // MODULUS
    return Shop(times.reshape(machines, jobs))


def read_shops(path: str | Path) -> list[Shop]:
    """Return the instances of a file in Taillard's format.

    For each instance it has the size, seed and bounds, then a row of times for each machine.
    """
    lines = read_text(path, "a flow shop in Taillard's format").splitlines()
    rows = [at for at, line in enumerate(lines) if line.strip() and not line.strip().lower().startswith(HEADINGS)]
    last = max([1, *(at + 1 for at, line in enumerate(lines) if line.strip())])
    if not rows:
        message = "the file ends without an instance; expected 'jobs machines', then a row of times for each machine"
        raise wrong_line(path, last, message)
    shops = []
    while rows:
        jobs, machines, *facts = _head(path, lines, rows[0])
        time_rows, rows = rows[1 : machines + 1], rows[machines + 1 :]
        if len(time_rows) < machines:
            message = f"the file ends after {len(time_rows)} rows of times; expected {machines}, one for each machine"
            raise wrong_line(path, last, message)
        expected = f"{jobs} finite times that are not negative, one for each job"
        times = number_rows(path, lines, time_rows, jobs, expected)
        if (times < 0).any():
            at = time_rows[int(np.argmax((times < 0).any(axis=1)))]
            raise wrong_line(path, at + 1, f"{quoted(lines[at].strip())}; expected {expected}")
        best = BEST_KNOWN.get((jobs, machines, facts[0])) if facts else None
        upper_bound = float(facts[1]) or None if len(facts) > 1 else None  # 0 stands for none
        shops.append(Shop(times, best or upper_bound))
    return shops


def _head(path: str | Path, lines: list[str], at: int) -> list[int]:
    """Return the first row of an instance: jobs, machines, and maybe the seed and the upper and the lower bound."""
    expected = "'jobs machines', or 'jobs machines seed upper-bound lower-bound', in whole numbers"
    count = len(lines[at].split())
    head = number_rows(path, lines, [at], count, expected)[0]
    is_size = 2 <= count <= 5 and 1 <= head[:2].min() and head[:2].max() <= LARGEST
    if not is_size or head.min() < 0 or (head != np.floor(head)).any():
        raise wrong_line(path, at + 1, f"{quoted(lines[at].strip())}; expected {expected}")
    return [int(value) for value in head]
