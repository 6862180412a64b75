"""The queue: runs wait for each other, one process makes them, and everything that it sends is kept for the pages."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from swarmkit.contract.errors import UsageError
from swarmkit.studio.worker import LENGTH, pack

PATIENCE = 5.0
"""Seconds within which a process that was ended is gone."""


class WorkerProcess:
    """A process of `swarmkit.studio.worker`; one that has ended is followed by another.

    Args:
        folder: where it runs: an empty folder, in which a name without a path leads to nothing.
        plugins: the single-file plugins that it loads.
    """

    def __init__(self, folder: Path, plugins: Sequence[str]) -> None:
        self._folder, self._plugins = folder, list(plugins)
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start the process unless it runs; it has a session of its own, so Ctrl-C is the server's."""
        if self._process is not None and self._process.returncode is None:
            return
        self._folder.mkdir(mode=0o700, exist_ok=True)
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # nothing is imported from where it runs
            "-m",
            "swarmkit.studio.worker",
            *self._plugins,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            cwd=self._folder,
            start_new_session=True,  # and so a group of its own, which can be killed with all it has started
        )

    def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError, RuntimeError):
                self._process.stdin.write(pack(message))

    async def receive(self) -> Any:
        """Return the next message; None if the process has ended."""
        if self._process is None or self._process.stdout is None:
            return None
        try:
            head = await self._process.stdout.readexactly(LENGTH.size)
            return json.loads(await self._process.stdout.readexactly(LENGTH.unpack(head)[0]))
        except asyncio.IncompleteReadError:
            return None

    def kill(self) -> None:
        """End the process and all that it has started, at once."""
        if self._process is not None and self._process.returncode is None:
            with suppress(OSError):
                if hasattr(os, "killpg"):
                    os.killpg(self._process.pid, signal.SIGKILL)
                else:
                    self._process.kill()

    async def end(self) -> int | None:
        """End the process if it runs, and return its exit code; one that has ended by itself has one of its own."""
        process = self._process
        if process is None:
            return None
        if process.stdout is not None and process.stdout.at_eof():
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), PATIENCE)
        self.kill()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._drain(process), PATIENCE)
        self._process = None
        return process.returncode

    async def _drain(self, process: asyncio.subprocess.Process) -> None:
        """Read what the process has sent, and wait for its end: asyncio waits for pipes that are full, for ever."""
        if process.stdout is not None:
            await process.stdout.read()
        await process.wait()


WAITING = 8
"""The most jobs that wait."""

HISTORY = 12
"""Ended jobs that can be opened; of more, the oldest are forgotten."""

GRACE = 3.0
"""Seconds that a run has to end after it was asked to; then its process is ended."""

SETUP = 300.0
"""Seconds that a job may take beside the search: reading data, building the problem, compiling."""

EVENTS = 48 << 20
"""Bytes of the messages of a job that are kept; further frames are left out, the end is not."""

State = Literal["waiting", "running", "done", "failed", "stopped"]

STOPPED_EARLY: dict[str, Any] = {"error": "stopped before it began"}
"""The last event of a job that was stopped while it waited."""


@dataclass
class Job:
    """A run, or the annotation of a text: what was asked for, its state, and its messages."""

    id: str
    title: str
    task: dict[str, Any]
    folder: Path
    seconds: float
    """The seconds of its search at most."""
    state: State = "waiting"
    before: int = 0
    """The jobs before it, while it waits."""
    events: list[str] = field(default_factory=list)
    """What was sent about it, as JSON."""
    size: int = 0
    stopping: bool = False
    closed: bool = False
    """Whether the studio is about to end."""
    news: asyncio.Condition = field(default_factory=asyncio.Condition)

    @property
    def ended(self) -> bool:
        """Whether nothing more will be sent."""
        return self.state in ("done", "failed", "stopped")

    def document(self) -> dict[str, Any]:
        """Return the job for the list of jobs."""
        kind = "text" if "annotator" in self.task else "run"
        return {"id": self.id, "title": self.title, "state": self.state, "kind": kind, "before": self.before}

    async def publish(self, event: dict[str, Any]) -> None:
        """Keep an event and wake those who wait for it."""
        text = json.dumps(event, separators=(",", ":"), allow_nan=False)
        if self.size > EVENTS and "more" in event:  # only frames are left out: the end has to arrive
            return
        self.size += len(text)
        async with self.news:
            self.events.append(text)
            self.news.notify_all()

    def forget_frames(self) -> None:
        """Forget the frames that were sent one after the other, if the whole recording was sent as well."""
        if any(event.startswith('{"end"') for event in self.events):
            self.events = ["" if event.startswith('{"more"') else event for event in self.events]

    async def wake(self) -> None:
        """Wake those who wait for an event."""
        async with self.news:
            self.news.notify_all()

    async def follow(self, pulse: float = 10.0) -> AsyncIterator[str | None]:
        """Iterate over all events, those to come included, until the job has ended; None after some quiet seconds."""
        position = 0
        while True:
            async with self.news:
                if position >= len(self.events) and not self.ended and not self.closed:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self.news.wait(), pulse)
                # Outside of the lock: a slow reader must not keep the job from publishing.
                events, over = self.events[position:], self.ended or self.closed
            position += len(events)
            for event in filter(None, events):
                yield event
            if not events and over:
                return
            if not events:  # something has to be sent now and then, or a closed connection is never noticed
                yield None


class Queue:
    """The jobs of a studio, and the process that makes them.

    Args:
        folder: where recordings and results of jobs are written.
        plugins: the single-file plugins, which the process loads as well.
    """

    def __init__(self, folder: Path, plugins: Sequence[str] = ()) -> None:
        self.folder = folder
        self.jobs: dict[str, Job] = {}
        self._process = WorkerProcess(folder / "empty", plugins)
        self._arrival = asyncio.Event()
        self._count = 0
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to make jobs."""
        self._task = asyncio.create_task(self._loop())

    def wake(self) -> None:
        """Let all who follow a job go: the studio is about to end, and waits for open answers."""
        for job in self.jobs.values():
            job.closed = True
            asyncio.get_running_loop().create_task(job.wake())

    async def close(self) -> None:
        """End everything: no process is left behind."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        for job in list(self.jobs.values()):
            if not job.ended:
                await self._end(job, "stopped", {"error": "the studio has ended"})
        await self._process.end()

    async def add(self, title: str, task: dict[str, Any], seconds: float) -> Job:
        """Put a job at the end of the queue."""
        waiting = [job for job in self.jobs.values() if job.state == "waiting"]
        if len(waiting) >= WAITING:
            raise UsageError(f"{len(waiting)} runs wait already; wait for one of them, or stop it")
        self._count += 1
        folder = self.folder / f"job-{self._count}"
        folder.mkdir(mode=0o700)
        job = Job(f"job-{self._count}", title, {**task, "folder": str(folder)}, folder, seconds)
        self.jobs[job.id] = job
        await self._announce_places()
        self._drop_oldest()
        self._arrival.set()
        return job

    def find(self, name: str) -> Job:
        """Return a job by its number."""
        job = self.jobs.get(name)
        if job is None:
            raise UsageError(f"there is no such run; the last {HISTORY} are kept")
        return job

    async def stop(self, job: Job) -> None:
        """Stop a job: one that waits never begins, one that runs ends after its step, or with its process."""
        if job.state == "waiting":
            await self._end(job, "stopped", STOPPED_EARLY)
            await self._announce_places()
        elif job.state == "running" and not job.stopping:
            job.stopping = True
            self._process.send({"stop": True})
            asyncio.get_running_loop().call_later(GRACE, self._kill, job)

    def _kill(self, job: Job) -> None:
        """End the process of a job that was asked to stop and goes on: a step may take for ever."""
        if job.state == "running":
            self._process.kill()

    async def _loop(self) -> None:
        while True:
            self._arrival.clear()
            job = next((job for job in self.jobs.values() if job.state == "waiting"), None)
            if job is None:
                # What comes while the process is being started has set the event, so that it is not waited for.
                await self._process.start()  # the next run does not wait for Python's imports
                await self._arrival.wait()
                continue
            job.state = "running"
            await self._announce_places()
            try:
                async with asyncio.timeout(job.seconds + SETUP):
                    state, last = await self._make(job)
            except TimeoutError:
                await self._process.end()
                state, last = "failed", {"error": f"not done after {job.seconds + SETUP:g} seconds: ended"}
            await self._end(job, state, last)

    async def _make(self, job: Job) -> tuple[State, dict[str, Any]]:
        """Have a job made, publish what is sent about it, and return its last state and event."""
        await job.publish({"state": "running"})
        await self._process.start()
        if job.stopping:
            return "stopped", STOPPED_EARLY
        self._process.send(job.task)
        while (message := await self._process.receive()) is not None:
            if "result" in message:
                return "stopped" if job.stopping else "done", message
            if "error" in message:
                return "failed", message
            await job.publish(message)
        code = await self._process.end()
        if job.stopping:
            return "stopped", {"error": "stopped; its process was ended, so there is no result"}
        sentence = f"the process of the run has ended by itself (exit code {code}): not enough memory, perhaps"
        return "failed", {"error": sentence}

    async def _end(self, job: Job, state: State, last: dict[str, Any]) -> None:
        await job.publish({**last, "state": state})
        async with job.news:
            job.state = state
            job.forget_frames()
            job.news.notify_all()

    async def _announce_places(self) -> None:
        """Tell the jobs that wait how many are before them."""
        running = sum(job.state == "running" for job in self.jobs.values())
        waiting = [job for job in self.jobs.values() if job.state == "waiting"]
        for before, job in enumerate(waiting, running):
            if job.before != before or not job.events:
                job.before = before
                await job.publish({"state": "waiting", "before": before})

    def _drop_oldest(self) -> None:
        ended = [job for job in self.jobs.values() if job.ended]
        for job in ended[:-HISTORY]:
            del self.jobs[job.id]
            shutil.rmtree(job.folder, ignore_errors=True)
