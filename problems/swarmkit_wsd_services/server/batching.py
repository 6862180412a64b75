"""Concurrent requests are answered together: a queue of bounded length, a short window, one thread that works."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, NamedTuple, TypeVar

Request = TypeVar("Request")
Answer = TypeVar("Answer")

WINDOW = 0.002
"""Seconds that the first request of a batch waits for others. While a batch is answered, requests gather anyway."""

LARGEST_BATCH = 32
"""Requests that are answered together."""

LARGEST_SIZE = 40_000
"""The total size of requests that are answered together, if there are several."""


class QueueFull(Exception):
    """As many requests wait as may wait."""


class Waiting(NamedTuple, Generic[Request, Answer]):
    """A request that waits for its turn."""

    request: Request
    size: int
    answer: asyncio.Future[Answer]


class Batcher(Generic[Request, Answer]):
    """Collects requests and has them answered together, in a thread of its own.

    Args:
        work: returns the answers to some requests.
        waiting: the largest number of requests that wait.
        observe: called with the number of requests of each batch.
    """

    def __init__(
        self, work: Callable[[Sequence[Request]], list[Answer]], waiting: int, observe: Callable[[int], None]
    ) -> None:
        self._work, self._observe = work, observe
        self._queue: asyncio.Queue[Waiting[Request, Answer]] = asyncio.Queue(waiting)
        self._first_of_next: Waiting[Request, Answer] | None = None
        self._thread = ThreadPoolExecutor(1, "senses")

    @property
    def waiting(self) -> int:
        """The number of requests that wait."""
        return self._queue.qsize()

    async def ask(self, request: Request, size: int) -> Answer:
        """Return the answer to a request; if the caller gives up before its turn, it is not worked on.

        Args:
            request: the request.
            size: its size, in the unit of `LARGEST_SIZE`.

        Raises:
            QueueFull: too many requests wait already.
        """
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        try:
            self._queue.put_nowait(Waiting(request, size, answer))
        except asyncio.QueueFull:
            raise QueueFull from None
        return await answer

    async def run(self) -> None:
        """Answer requests until this task is cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            # A caller that has given up has cancelled its future.
            batch = [item for item in await self._next() if not item.answer.done()]
            if not batch:
                continue
            self._observe(len(batch))
            # The event loop goes on while the thread works: requests for the next batch gather meanwhile.
            try:
                answers = await loop.run_in_executor(self._thread, self._work, [item.request for item in batch])
            except Exception as error:
                for item in batch:
                    if not item.answer.done():
                        item.answer.set_exception(error)
                continue
            for item, answer in zip(batch, answers, strict=True):
                if not item.answer.done():
                    item.answer.set_result(answer)

    def close(self) -> None:
        """End the thread as soon as its batch is answered."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    async def _next(self) -> list[Waiting[Request, Answer]]:
        """Wait for a request; return it with those that come within the window."""
        first = self._first_of_next or await self._queue.get()
        # A request that did not fit into the last batch has waited longest.
        self._first_of_next = None
        batch, size = [first], first.size
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(WINDOW):
                while len(batch) < LARGEST_BATCH:
                    item = await self._queue.get()
                    if size + item.size > LARGEST_SIZE:
                        self._first_of_next = item  # the first of the next batch
                        break
                    batch.append(item)
                    size += item.size
        return batch
