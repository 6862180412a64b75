"""The notebook widget: a run in a thread of the kernel, shown by the viewer of movies."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from threading import Event, Thread
from typing import Any

import anywidget
import traitlets

from swarmkit.contract.notebook import figure
from swarmkit.contract.result import Result
from swarmkit.running.recording import Recorder, Recording
from swarmkit.viewing.inline import HOME, VIEWER_SCRIPTS, VIEWER_STYLES, inline
from swarmkit.viewing.live import LiveRecorder
from swarmkit.viewing.viewer_data import viewer_data

NUMBERS = 600_000
"""The most numbers in the frames of a watched run: about four megabytes, which a notebook may be saved with."""


def _script() -> str:
    """Return the module that a notebook loads: the viewer, and what connects it with the widget's model."""
    inlined = inline([*VIEWER_SCRIPTS, HOME / "widget.js"], VIEWER_STYLES)
    return f"const STYLE = {json.dumps(inlined.style)};\n{inlined.script}"


class WatchedRun(anywidget.AnyWidget):
    """A run that goes on in the background and is shown in a notebook; made by `swarmkit.watch`.

    Args:
        solve: makes the run with the observers that it is given, and returns its result.
    """

    _esm = _script()  # read when the class is made: a notebook has no folder to load it from
    data = traitlets.Dict(help="the recording for the viewer: without frames at first, whole in the end").tag(sync=True)
    running = traitlets.Bool(True, help="whether the run goes on").tag(sync=True)
    trouble = traitlets.Unicode("", help="why the run has failed").tag(sync=True)

    def __init__(self, solve: Callable[[Sequence[object]], Result]) -> None:
        super().__init__()
        self._live = LiveRecorder(self._take, Recorder(numbers=NUMBERS))
        self._solve = solve
        self._beginning = Event()
        self._outcome: Result | BaseException | None = None
        self._thread = Thread(target=self._run, name="swarmkit.watch", daemon=True)
        self.on_msg(self._hear)

    def begin(self) -> None:
        """Start the run, and return when it has begun; what is wrong with it before that is raised here."""
        self._thread.start()
        self._beginning.wait()  # set by the first message, or by an end without one
        if isinstance(self._outcome, BaseException) and self.recording is None:
            raise self._outcome

    @property
    def result(self) -> Result:
        """The result; waits for the end of the run, and raises what the run has raised."""
        self._thread.join()
        if isinstance(self._outcome, Result):
            return self._outcome
        raise self._outcome if self._outcome is not None else RuntimeError("the run has not begun")

    @property
    def recording(self) -> Recording | None:
        """The recording so far, for instance for `make_movie`; None before the run has begun."""
        return self._live.recorder.recording

    def stop(self) -> None:
        """End the run after its current step, as the viewer's button does; `result` is what it has found."""
        self._live.stop()

    def _run(self) -> None:
        try:
            self._outcome = self._solve([self._live])
        except BaseException as error:  # raised again by `begin` or `result`
            self._outcome = error
            self.trouble = f"The run has failed: {error}"
        finally:
            self.running = False
            self._beginning.set()

    def _take(self, message: dict[str, Any]) -> None:
        """Pass a message of the run on to the views."""
        if "more" in message:
            self.send(message)
            return
        self.data = message.get("begin") or message["end"]
        self._beginning.set()

    def _hear(self, _: object, content: dict[str, Any], __: object) -> None:
        """Do what a view asks for."""
        if content.get("stop"):
            self.stop()
        if content.get("ask") == "all" and self.recording is not None:
            self.send({"all": viewer_data(self.recording)})

    def __repr__(self) -> str:
        recording = self.recording
        if recording is None:
            return "<a run that has not begun>"
        facts, frames = recording.facts, viewer_data(recording)["frames"]
        best = frames[-1]["score"] if frames else None
        score = "" if best is None else f", best {facts['objective']} {figure(best)}"
        state = "running" if self.running else "failed" if self.trouble else f"ended ({facts.get('stopped')})"
        return f"<{facts['problem']} by {facts['solver']}: {state}{score}>"
