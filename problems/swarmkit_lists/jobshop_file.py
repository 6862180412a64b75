"""Job shops in the field's standard format: jobs and machines, then for each job its machines and times in turn."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from swarmkit import Floats, Ints, number_rows, plain_name, quoted, read_text, wrong_line

LARGEST = 10_000
"""The largest number of jobs, and of machines."""


class JobShop(NamedTuple):
    """A job shop: the machines and times of each job (row), operation after operation."""

    name: str
    machines: Ints
    times: Floats


def draw_shop(jobs: int, machines: int, seed: int) -> JobShop:
    """Return a job shop with times from 1 to 99; every job visits all machines, in a random order."""
    rng = np.random.Generator(np.random.PCG64(seed))
    order = rng.permuted(np.tile(np.arange(machines), (jobs, 1)), axis=1)
    return JobShop(f"drawn {jobs} x {machines}", order, rng.integers(1, 100, (jobs, machines)).astype(np.float64))


def read_shop(path: str | Path) -> JobShop:
    """Read a job shop; lines that begin with # are comments."""
    lines = read_text(path, "a job shop: 'jobs machines', then a row of machines and times for each job").splitlines()
    rows = [at for at, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")]
    # Some files have a line of words about the instance before the numbers.
    while rows and not lines[rows[0]].split()[0].lstrip("-").isdigit():
        rows.pop(0)
    if not rows:
        raise wrong_line(path, max(1, len(lines)), "the file ends without a job shop; expected 'jobs machines'")
    jobs, machines = number_rows(path, lines, rows[:1], 2, "'jobs machines', two whole numbers")[0].tolist()
    if not (1 <= jobs <= LARGEST and 1 <= machines <= LARGEST) or jobs % 1 or machines % 1:
        raise wrong_line(path, rows[0] + 1, f"{quoted(lines[rows[0]].strip())}; expected 'jobs machines'")
    rows = rows[1 : 1 + int(jobs)]
    if len(rows) < jobs:
        raise wrong_line(path, len(lines), f"the file ends after {len(rows)} of {int(jobs)} jobs")
    expected = f"{int(machines)} pairs of a machine (from 0) and a time"
    table = number_rows(path, lines, rows, 2 * int(machines), expected).reshape(int(jobs), int(machines), 2)
    order, times = table[..., 0], table[..., 1]
    wrong = np.flatnonzero(((order % 1 != 0) | (order < 0) | (order >= machines) | (times < 0)).any(axis=1))
    if len(wrong):
        at = rows[int(wrong[0])]
        raise wrong_line(
            path, at + 1, f"{quoted(lines[at].strip())}; expected {expected}, from 0 to {int(machines) - 1}"
        )
    return JobShop(plain_name(path).stem, order.astype(np.int64), times)
