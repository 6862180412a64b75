"""Draw the small instances beside this file from a seed, in the formats of TSPLIB, QAPLIB and WCSP.

python tests/data/make.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from swarmkit.testing.optimum import best_score, shortest_tour
from swarmkit_qap.problem import QuadraticAssignment

HERE = Path(__file__).parent


def points(rng: np.random.Generator) -> tuple[str, float]:
    """Return 12 cities in the plane, and the length of their shortest tour."""
    xy = rng.integers(0, 1000, (12, 2))
    table = np.rint(np.hypot(*(xy[:, None] - xy[None]).transpose(2, 0, 1)))
    rows = [f"{city} {x} {y}" for city, (x, y) in enumerate(xy, 1)]
    head = ["NAME : drawn12", "TYPE : TSP", "DIMENSION : 12", "EDGE_WEIGHT_TYPE : EUC_2D", "NODE_COORD_SECTION"]
    return "\n".join([*head, *rows, "EOF", ""]), shortest_tour(table)


def table(rng: np.random.Generator) -> tuple[str, float]:
    """Return 11 cities as the lower rows of a table, and the length of their shortest tour."""
    lower = np.tril(rng.integers(1, 100, (11, 11)), -1)
    rows = [" ".join(map(str, lower[i, : i + 1])) for i in range(11)]
    head = ["NAME : table11", "TYPE : TSP", "DIMENSION : 11", "EDGE_WEIGHT_TYPE : EXPLICIT"]
    head += ["EDGE_WEIGHT_FORMAT : LOWER_DIAG_ROW", "EDGE_WEIGHT_SECTION"]
    return "\n".join([*head, *rows, "EOF", ""]), shortest_tour((lower + lower.T).astype(float))


def assignment(rng: np.random.Generator, symmetric: bool) -> tuple[str, float]:
    """Return two matrices of 7 rows, and the smallest cost."""
    pair = rng.integers(0, 10, (2, 7, 7))
    pair = pair + pair.transpose(0, 2, 1) if symmetric else pair
    text = "\n\n".join("\n".join(" ".join(map(str, row)) for row in matrix) for matrix in pair)
    best = best_score(QuadraticAssignment(*pair.astype(float)))
    return f"7\n\n{text}\n", -float(best or 0.0)


def ring(rng: np.random.Generator) -> tuple[str, float]:
    """Return 6 variables of 3 values in a ring as a WCSP, some pairs forbidden, and the smallest cost."""
    tables = rng.choice([0, 1, 2, 5, 90], (6, 3, 3), p=[0.1, 0.3, 0.3, 0.2, 0.1])
    lines = ["ring 6 3 6 90", " ".join(["3"] * 6)]
    for i, table in enumerate(tables):
        lines += [f"2 {i} {(i + 1) % 6} 0 9", *(f"{a} {b} {table[a, b]}" for a in range(3) for b in range(3))]
    X = np.array(np.unravel_index(np.arange(3**6), (3,) * 6)).T
    costs = sum(table[X[:, i], X[:, (i + 1) % 6]] for i, table in enumerate(tables))
    return "\n".join([*lines, ""]), float(np.min(costs))


def main() -> None:
    """Write the files, and what is best for each."""
    rng = np.random.default_rng(20261116)
    made = {"drawn12.tsp": points(rng), "table11.tsp": table(rng)}
    made |= {"drawn7.dat": assignment(rng, symmetric=True), "oneway7.dat": assignment(rng, symmetric=False)}
    made |= {"ring.wcsp": ring(rng)}
    lines = ["file,best"]
    for name, (text, best) in made.items():
        (HERE / name).write_text(text)
        lines.append(f"{name},{best:g}")
    (HERE / "best.csv").write_text("\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
