"""The compiled makespan; its plain twin is `FlowShop.done`. Imported only when needed."""

from __future__ import annotations

from numba import types

from swarmkit import Floats, Solutions
from swarmkit.kernels.compiling import FLOATS, READONLY_FLOAT_ROWS, READONLY_INT_ROWS, kernel


@kernel(types.void(READONLY_FLOAT_ROWS, READONLY_INT_ROWS, FLOATS, FLOATS))
def makespans(times: Floats, X: Solutions, free: Floats, lengths: Floats) -> None:
    """Compute the makespan of each order of jobs.

    Args:
        times: the time of each job (rows) on each machine (columns).
        X: orders of jobs, one a row.
        free: a workspace, a value for each machine: when it is free.
        lengths: the makespans, overwritten.
    """
    machines = times.shape[1]
    for k in range(len(X)):
        free[:] = 0.0
        for job in X[k]:
            done = 0.0  # when the job leaves the machine before
            for machine in range(machines):
                # A machine takes a job when it is free and the machine before has done it.
                done = max(done, free[machine]) + times[job, machine]
                free[machine] = done
        lengths[k] = free[machines - 1]
