"""Files of graphs: rudy's format, in which the Gset is written, and DIMACS's `.col`.

rudy (G. Rinaldi): `n m`, then m lines `i j weight`. DIMACS (D.S. Johnson, M.A. Trick, 1996, Cliques, coloring, and
satisfiability): comments `c …`, one line `p edge n m`, then lines `e i j`. Nodes are numbered from 1 in both.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from swarmkit import Floats, Numbers, number_rows, plain_name, quoted, read_text, wrong_line
from swarmkit_graphs.graph import LARGEST, Graph, merged

EXPECTED = "a graph in rudy's format ('n m', then lines 'i j weight') or in DIMACS's ('p edge n m', then lines 'e i j')"


def read_graph(path: str | Path) -> Graph:
    """Read a graph in either format: a DIMACS file begins with a comment or its line `p`."""
    text = read_text(path, EXPECTED)
    return _read_dimacs(path, text) if text.lstrip()[:1] in ("c", "p", "e") else _read_rudy(path)


def _read_rudy(path: str | Path) -> Graph:
    numbers = Numbers(path, EXPECTED)
    n = numbers.whole(1, LARGEST, "the number of nodes")
    m = numbers.whole(0, 1 << 40, "the number of edges")
    values = numbers.take(3 * m, "the edges, three for each").reshape(m, 3)
    ends = values[:, :2]
    fault = _fault(ends, n)
    if fault is not None:
        numbers.wrong_word(3 * (m - fault), _said(ends[fault], n))
    numbers.end(f"{m:,} edges 'i j weight'")
    return merged(plain_name(path).stem, n, ends.astype(np.int64) - 1, values[:, 2])


def _read_dimacs(path: str | Path, text: str) -> Graph:
    rows = text.splitlines()
    head = next((number for number, row in enumerate(rows) if row[:1] not in ("c", "") and row.strip()), len(rows))
    n, stated = _problem_line(path, head, rows)
    which = [number for number, row in enumerate(rows) if row.startswith(("e ", "e\t")) and number > head]
    values = number_rows(path, rows, which, 2, "'e i j', an edge between two nodes", prefix="e")
    fault = _fault(values, n)
    if fault is not None:
        raise wrong_line(path, which[fault] + 1, _said(values[fault], n))
    _only_known_lines(path, rows, head)
    graph = merged(plain_name(path).stem, n, values.astype(np.int64) - 1, np.ones(len(values)))
    graph = graph._replace(weights=np.ones(len(graph.edges)))  # files that list both directions count each edge once
    if stated not in (len(values), len(graph.edges), 2 * len(graph.edges)):
        what = f"the file ends after {len(values):,} edges; expected {stated:,}, as its line 'p' says"
        raise wrong_line(path, len(rows), what)
    return graph


def _problem_line(path: str | Path, at: int, rows: list[str]) -> tuple[int, int]:
    """Return the numbers of nodes and edges of the line `p edge n m`."""
    words = rows[at].split() if at < len(rows) else []
    sound = len(words) == 4 and words[0] == "p" and all(word.isascii() and word.isdigit() for word in words[2:])
    if not sound or len(words[2]) > 9 or len(words[3]) > 12 or not 1 <= int(words[2]) <= LARGEST:
        found = quoted(rows[at]) if at < len(rows) else "the file ends"
        what = f"{found}; expected 'p edge n m' with n from 1 to {LARGEST:,}, before the edges"
        raise wrong_line(path, min(at + 1, max(1, len(rows))), what)
    return int(words[2]), int(words[3])


def _only_known_lines(path: str | Path, rows: list[str], head: int) -> None:
    for number, row in enumerate(rows):
        if number > head and not row.startswith(("e ", "e\t", "c")) and row.strip():
            raise wrong_line(path, number + 1, f"{quoted(row)}; expected an edge 'e i j' or a comment 'c …'")


def _fault(ends: Floats, n: int) -> int | None:
    """Return the number of the first edge that does not join two different nodes from 1 to n; None if all do."""
    wrong = (ends != np.floor(ends)) | (ends < 1) | (ends > n)
    found = np.flatnonzero(wrong.any(axis=1) | (ends[:, 0] == ends[:, 1]))
    return int(found[0]) if len(found) else None


def _said(ends: Floats, n: int) -> str:
    return f"an edge from {ends[0]:g} to {ends[1]:g}; expected two different nodes, numbered from 1 to {n:,}"
