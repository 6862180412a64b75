"""Files of graphs: rudy's format, in which the Gset is written, and DIMACS's `.col`.

rudy (G. Rinaldi): `n m`, then m lines `i j weight`. DIMACS (D.S. Johnson, M.A. Trick, 1996, Cliques, coloring, and
satisfiability): comments `c …`, one line `p edge n m`, then lines `e i j`. Nodes are numbered from 1 in both.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from swarmkit import Floats, Numbers, number_rows, plain_name, quoted, read_text, wrong_line
from swarmkit_graphs.graph import LARGEST, Graph, merge_edges

EXPECTED = "a graph in rudy's format ('n m', then lines 'i j weight') or in DIMACS's ('p edge n m', then lines 'e i j')"


def read_graph(path: str | Path) -> Graph:
    """Read a graph in either format: a DIMACS file begins with a comment or its line `p`."""
    text = read_text(path, EXPECTED)
    read = _read_dimacs if text.lstrip()[:1] in ("c", "p", "e") else _read_rudy
    return read(path, text)


def _read_rudy(path: str | Path, text: str) -> Graph:
    numbers = Numbers(path, EXPECTED, text=text)
    n = numbers.whole(1, LARGEST, "the number of nodes")
    m = numbers.whole(0, 1 << 40, "the number of edges")
    values = numbers.take(3 * m, "the edges, three for each").reshape(m, 3)
    ends = values[:, :2]
    fault = _first_fault(ends, n)
    if fault is not None:
        numbers.wrong_word(3 * (m - fault), _edge_error(ends[fault], n))
    numbers.end(f"{m:,} edges 'i j weight'")
    return merge_edges(plain_name(path).stem, n, ends.astype(np.int64) - 1, values[:, 2])


def _read_dimacs(path: str | Path, text: str) -> Graph:
    rows = text.splitlines()
    head = next((at for at, row in enumerate(rows) if row[:1] not in ("c", "") and row.strip()), len(rows))
    n, stated_edges = _problem_line(path, head, rows)
    edge_rows = []
    for at, row in enumerate(rows[head + 1 :], head + 1):
        if row.startswith(("e ", "e\t")):
            edge_rows.append(at)
        elif row.strip() and not row.startswith("c"):
            raise wrong_line(path, at + 1, f"{quoted(row)}; expected an edge 'e i j' or a comment 'c …'")
    ends = number_rows(path, rows, edge_rows, 2, "'e i j', an edge between two nodes", prefix="e")
    fault = _first_fault(ends, n)
    if fault is not None:
        raise wrong_line(path, edge_rows[fault] + 1, _edge_error(ends[fault], n))
    graph = merge_edges(plain_name(path).stem, n, ends.astype(np.int64) - 1, np.ones(len(ends)))
    graph = graph._replace(weights=np.ones(len(graph.edges)))  # files that list both directions count each edge once
    # Collections differ in what the line `p` counts: lines, edges, or both directions of each edge.
    if stated_edges not in (len(ends), len(graph.edges), 2 * len(graph.edges)):
        message = f"the file ends after {len(ends):,} edges; expected {stated_edges:,}, as its line 'p' says"
        raise wrong_line(path, len(rows), message)
    return graph


def _problem_line(path: str | Path, at: int, rows: list[str]) -> tuple[int, int]:
    """Return the numbers of nodes and edges of the line `p edge n m`."""
    match = re.fullmatch(r"p\s+\S+\s+(\d{1,9})\s+(\d{1,12})\s*", rows[at], re.ASCII) if at < len(rows) else None
    if match is None or not 1 <= int(match[1]) <= LARGEST:
        line = quoted(rows[at]) if at < len(rows) else "the file ends"
        message = f"{line}; expected 'p edge n m' with n from 1 to {LARGEST:,}, before the edges"
        raise wrong_line(path, min(at + 1, max(1, len(rows))), message)
    return int(match[1]), int(match[2])


def _first_fault(ends: Floats, n: int) -> int | None:
    """Return the number of the first edge that does not join two different nodes from 1 to n; None if all do."""
    invalid = ((ends != np.floor(ends)) | (ends < 1) | (ends > n)).any(axis=1) | (ends[:, 0] == ends[:, 1])
    return int(np.argmax(invalid)) if invalid.any() else None


def _edge_error(ends: Floats, n: int) -> str:
    return f"an edge from {ends[0]:g} to {ends[1]:g}; expected two different nodes, numbered from 1 to {n:,}"
