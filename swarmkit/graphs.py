"""What the edges of a pairwise form look like as a graph."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def chain_order(n: int, edges: NDArray[Any]) -> NDArray[np.int64] | None:
    """Order n stages so that every edge joins consecutive ones, or give None: only paths side by side have that.

    >>> chain_order(5, np.array([[4, 0], [0, 2], [1, 3]])).tolist()
    [1, 3, 2, 0, 4]
    >>> chain_order(3, np.array([[0, 1], [1, 2], [2, 0]])) is None
    True
    """
    beside: list[list[int]] = [[] for _ in range(n)]
    for i, j in np.unique(np.sort(edges, axis=1), axis=0).tolist():
        beside[i].append(j)
        beside[j].append(i)
    if any(len(stages) > 2 for stages in beside):
        return None
    order: list[int] = []
    seen = [False] * n
    for end in range(n):
        stage = end if len(beside[end]) < 2 and not seen[end] else -1
        while stage >= 0:
            seen[stage] = True
            order.append(stage)
            stage = next((other for other in beside[stage] if not seen[other]), -1)
    return np.array(order, np.int64) if len(order) == n else None  # what is left over lies on cycles
