"""Binary quadratic models as coordinates: dimod's COO, and qbsolv's `.qubo`."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from swarmkit import UsageError, number_rows, plain_name, quoted, read_text, wrong_line
from swarmkit_pairwise.bqm import TABLES, Model, Vartype, merged, network_of
from swarmkit_pairwise.network import LARGEST, Network

COO = "lines 'i j bias', with i = j for a linear bias; '# vartype=SPIN' for variables in {-1, +1}"


def read_coo(path: str | Path, vartype: Vartype | None = None) -> Network:
    """Read a model as coordinates: dimod's COO, or qbsolv's `.qubo` with its lines `c …` and `p qubo …`.

    Args:
        path: the file.
        vartype: the kind of the variables; by default the file's header says it, and BINARY without one.
    """
    rows = read_text(path, COO).splitlines()
    stated = _stated_vartype(path, rows)
    if vartype is not None and stated not in (None, vartype):
        raise UsageError(f"{path}: its header says vartype={stated}, vartype={vartype} was given; expected one of them")
    which = [at for at, row in enumerate(rows) if row.strip() and not row.lstrip().startswith(("#", "c", "p"))]
    values = number_rows(path, rows, which, 3, COO)
    ends = values[:, :2]
    wrong = np.flatnonzero(((ends != np.floor(ends)) | (ends < 0) | (ends >= 2.0**53)).any(axis=1))
    if len(wrong):
        what = f"variables {ends[wrong[0], 0]:g} and {ends[wrong[0], 1]:g}; expected whole numbers from 0"
        raise wrong_line(path, which[wrong[0]] + 1, what)
    if not len(values):
        raise wrong_line(path, max(1, len(rows)), f"the file ends without a bias; expected {COO}")
    labels, numbers = np.unique(ends.astype(np.int64), return_inverse=True)
    if len(labels) > LARGEST:
        raise wrong_line(path, len(rows), f"{len(labels):,} variables; expected at most {LARGEST:,}")
    pairs = numbers.reshape(-1, 2)
    alone = pairs[:, 0] == pairs[:, 1]
    linear = np.bincount(pairs[alone, 0], values[alone, 2], len(labels)).astype(np.float64)
    names = tuple(str(label) for label in labels)
    return network_of(
        plain_name(path).stem,
        merged(Model(linear, pairs[~alone], values[~alone, 2], 0.0, vartype or stated or "BINARY", names)),
    )


def _stated_vartype(path: str | Path, rows: list[str]) -> Vartype | None:
    """Return the kind of variables in a header '# vartype=SPIN'; None if there is none."""
    for at, row in enumerate(rows):
        found = re.match(r"\s*#.*vartype=(\w*)", row)
        if found:
            if found[1] not in TABLES:
                raise wrong_line(path, at + 1, f"{quoted(found[1])} as vartype; expected BINARY or SPIN")
            return "SPIN" if found[1] == "SPIN" else "BINARY"
    return None
