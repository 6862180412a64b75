"""Runs that are watched while they go on: an observer that records a run and sends what is new of it to viewers."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from swarmkit.running.recording import Frame, Improvement, Recorder
from swarmkit.viewing.viewer_data import moments, viewer_data

if TYPE_CHECKING:
    from swarmkit.contract.result import Result
    from swarmkit.running.run import Run

INTERVAL = 0.1
"""Seconds between two messages: what happens in between is sent together."""

STOPPED = "stopped by the viewer"
"""Why a run has ended that was stopped from a viewer."""


class LiveRecorder:
    """An observer that records a run, and calls a function with messages for the viewer, from the thread of the run.

    A message is a dict with one key: `begin`, the recording without frames, for `Viewer(place, data, {live: true})`;
    `more`, frames and improvements, for `viewer.extend`; `end`, the whole recording, for `viewer.finish`.

    Args:
        send: called with each message, which is plain JSON.
        recorder: what records the run; by default one that keeps the recording in memory.
    """

    def __init__(self, send: Callable[[dict[str, Any]], None], recorder: Recorder | None = None) -> None:
        self.recorder = Recorder() if recorder is None else recorder
        self._send = send
        self._frames: list[Frame] = []
        self._improvements: list[Improvement] = []
        self._last_message = 0.0
        self._run: Run | None = None
        self._stop = False

    def stop(self) -> None:
        """End the run after its current step, or between two evaluations; any thread may call it."""
        self._stop = True
        if self._run is not None:
            self._run.stop(STOPPED)

    def swarmkit_started(self, run: Run) -> None:
        """Send what is known before the first step."""
        self._run = run
        if self._stop:
            run.stop(STOPPED)
        self.recorder.swarmkit_started(run)
        if self.recorder.recording is not None:
            self._send({"begin": viewer_data(self.recorder.recording)})

    def swarmkit_improved(self, run: Run) -> None:
        """Keep an improvement for the next message."""
        self.recorder.swarmkit_improved(run)
        recording = self.recorder.recording
        if recording is not None and recording.improvements:
            self._improvements.append(recording.improvements[-1])

    def swarmkit_stepped(self, run: Run) -> None:
        """Keep the frames that were taken, and send what was kept if it is time to."""
        before = self.recorder.latest
        self.recorder.swarmkit_stepped(run)
        recording = self.recorder.recording
        if self.recorder.latest is not before:  # the recorder may take no frame of a step
            self._frames += self.recorder.latest
        if recording is not None and self._frames and time.monotonic() - self._last_message >= INTERVAL:
            news = moments(recording.facts, self._frames, self._improvements)
            self._frames, self._improvements, self._last_message = [], [], time.monotonic()
            self._send({"more": news})

    def swarmkit_finished(self, run: Run, result: Result) -> None:
        """Send the whole recording."""
        self.recorder.swarmkit_finished(run, result)
        if self.recorder.recording is not None:
            self._send({"end": viewer_data(self.recorder.recording)})
