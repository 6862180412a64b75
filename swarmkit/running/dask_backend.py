"""joblib's Dask backend, with two things set right.

joblib waits for ever for a task that Dask has given up: its backend passes on results, and errors that the task raised,
but not that every worker that took it has died. And where the cluster has one core, joblib does the tasks itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from joblib._dask import DaskDistributedBackend  # there is no public name for it


class DaskBackend(DaskDistributedBackend):  # type: ignore[misc]  # joblib has no types
    """Runs on the workers of a Dask scheduler."""

    def submit(self, func: Any, callback: Callable[[Any], None]) -> Any:
        """Send a task off, and have an error that is not its own come back as its outcome."""
        future = super().submit(func, callback)
        future.add_done_callback(lambda done: callback(done.exception()) if done.exception() else None)
        return future

    def effective_n_jobs(self, n_jobs: int) -> int:
        """Count the cores of the cluster; at least two, because with one joblib would not send anything off."""
        return max(2, int(super().effective_n_jobs(n_jobs)))

    def retrieve_result_callback(self, out: Any) -> Any:
        """Give what a task gave, or raise what came instead."""
        if isinstance(out, BaseException):
            raise out
        return super().retrieve_result_callback(out)
