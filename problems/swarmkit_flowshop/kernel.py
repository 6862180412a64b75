"""The compiled makespan; its plain twin is `FlowShop.done`. Imported only when needed."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit("float64[:](float64[:, ::1], int64[:, ::1])", cache=True)
def makespans(times: NDArray[np.float64], X: NDArray[np.int64]) -> NDArray[np.float64]:
    """Give the makespan of each row; `times` has a row for each job."""
    machines = times.shape[1]
    found = np.empty(len(X))
    free = np.empty(machines)
    for k in range(len(X)):
        free[:] = 0.0
        for job in X[k]:
            done = 0.0
            for machine in range(machines):
                done = max(done, free[machine]) + times[job, machine]
                free[machine] = done
        found[k] = free[machines - 1]
    return found
