"""Counts and times of the server in Prometheus's text format; nothing of any text is in them."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

LATENCY = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds in seconds of the histogram of latencies."""

SIZES = (1, 2, 4, 8, 16, 32)
"""Upper bounds of the histogram of batch sizes."""

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Histogram:
    """Counts of values up to each of some bounds.

    >>> found = Histogram("size", "Sizes.", (1, 2))
    >>> for value in (1, 2, 5):
    ...     found.add(value)
    >>> found.lines()[2:]
    ['size_bucket{le="1"} 1', 'size_bucket{le="2"} 2', 'size_bucket{le="+Inf"} 3', 'size_sum 8', 'size_count 3']
    """

    def __init__(self, name: str, meaning: str, bounds: Sequence[float]) -> None:
        self._name, self._meaning, self._bounds = name, meaning, bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def add(self, value: float) -> None:
        """Count a value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def lines(self) -> list[str]:
        """Return the lines of the text format."""
        found = [f"# HELP {self._name} {self._meaning}", f"# TYPE {self._name} histogram"]
        total = 0
        for bound, count in zip((*map("{:g}".format, self._bounds), "+Inf"), self._counts, strict=True):
            total += count
            found.append(f'{self._name}_bucket{{le="{bound}"}} {total}')
        return [*found, f"{self._name}_sum {self._sum:g}", f"{self._name}_count {total}"]


class Metrics:
    """What the server has done so far; may be called from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, int]] = Counter()
        self._words = 0
        self._latency = Histogram("swarmkit_request_seconds", "Time until a request for senses is answered.", LATENCY)
        self._sizes = Histogram("swarmkit_batch_requests", "Requests that were answered together.", SIZES)

    def answered(self, path: str, status: int, seconds: float, words: int = 0) -> None:
        """Count a request that was answered or refused.

        Args:
            path: one of the server's paths, or `other`.
            status: the status of the answer.
            seconds: the time from its first byte to the last of the answer.
            words: the number of senses in the answer.
        """
        with self._lock:
            self._requests[path, status] += 1
            self._words += words
            if path == "/v1/senses":
                self._latency.add(seconds)

    def batched(self, requests: int) -> None:
        """Count a batch."""
        with self._lock:
            self._sizes.add(requests)

    def text(self, waiting: int) -> str:
        """Return all metrics in the text format.

        Args:
            waiting: the number of requests that wait now.
        """
        with self._lock:
            requests = [
                f'swarmkit_requests_total{{path="{path}",status="{status}"}} {count}'
                for (path, status), count in sorted(self._requests.items())
            ]
            errors = sum(count for (_, status), count in self._requests.items() if status >= 500)
            lines = [
                *_head("swarmkit_requests_total", "counter", "Requests by path and status."),
                *requests,
                *_head("swarmkit_errors_total", "counter", "Requests that were not answered through our fault."),
                f"swarmkit_errors_total {errors}",
                *_head("swarmkit_words_total", "counter", "Words whose senses were answered."),
                f"swarmkit_words_total {self._words}",
                *_head("swarmkit_waiting_requests", "gauge", "Requests that wait for their turn."),
                f"swarmkit_waiting_requests {waiting}",
                *self._latency.lines(),
                *self._sizes.lines(),
            ]
        return "\n".join(lines) + "\n"


def _head(name: str, kind: str, meaning: str) -> list[str]:
    return [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"]
