"""Counts and times of the server in Prometheus's text format; nothing of any text is in them."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.exposition import generate_latest

LATENCY = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds in seconds of the histogram of latencies."""

SIZES = (1, 2, 4, 8, 16, 32)
"""Upper bounds of the histogram of batch sizes."""

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """What the server has done so far; may be called from several threads."""

    def __init__(self) -> None:
        disable_created_metrics()  # the time at which each counter was made would be a series of its own
        self._registry = registry = CollectorRegistry()  # not the global one: a process may have several servers
        self._requests = Counter(
            "swarmkit_requests", "Requests by path and status.", ("path", "status"), registry=registry
        )
        self._errors = Counter(
            "swarmkit_errors", "Requests that were not answered through our fault.", registry=registry
        )
        self._words = Counter("swarmkit_words", "Words whose senses were answered.", registry=registry)
        self._waiting = Gauge("swarmkit_waiting_requests", "Requests that wait for their turn.", registry=registry)
        self._latency = Histogram(
            "swarmkit_request_seconds",
            "Time until a request for senses is answered.",
            buckets=LATENCY,
            registry=registry,
        )
        self._sizes = Histogram(
            "swarmkit_batch_requests", "Requests that were answered together.", buckets=SIZES, registry=registry
        )

    def count_request(self, path: str, status: int, seconds: float, words: int = 0) -> None:
        """Count a request that was answered or refused.

        Args:
            path: one of the server's paths, or `other`.
            status: the status of the answer.
            seconds: the time from its first byte to the last of the answer.
            words: the number of senses in the answer.
        """
        self._requests.labels(path, str(status)).inc()
        self._errors.inc(status >= 500)
        self._words.inc(words)
        if path == "/v1/senses":
            self._latency.observe(seconds)

    def count_batch(self, requests: int) -> None:
        """Count a batch."""
        self._sizes.observe(requests)

    def text(self, waiting: int) -> str:
        """Return all metrics in the text format.

        Args:
            waiting: the number of requests that wait now.
        """
        self._waiting.set(waiting)
        text: str = generate_latest(self._registry).decode()
        return text
