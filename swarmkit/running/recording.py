"""Recordings of runs: the improvements with their solutions, and frames of what the solver shows of its state.

Frames are taken at the marks of a run, which depend on the looks alone, so its recording is reproducible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from swarmkit.contract.arrays import Count, Finite, Ints, Solutions
from swarmkit.contract.errors import UsageError
from swarmkit.contract.problem import Problem
from swarmkit.contract.problem_view import lift, whole_slots, whole_stage
from swarmkit.contract.solver import moments_of
from swarmkit.running import codec

if TYPE_CHECKING:
    from swarmkit.contract.result import Result
    from swarmkit.running.run import Run

FRAMES = 600
"""The most frames of a recording."""

IMPROVEMENTS = 300
"""The most improvements of a recording."""

NUMBERS = 3_000_000
"""The most numbers of all frames and improvements together."""

FRAME_NUMBERS = 20_000
"""The most numbers of one array in a frame; of more solutions, the first are kept."""

DENSITY = 64
"""Two frames are at least the looks so far divided by this apart: the beginning, where most happens, has most."""

LARGEST = 64 << 20
"""Bytes of the largest recording that is read."""


@dataclass
class Frame:
    """A moment of a run."""

    looks: Count
    iterations: Count
    evaluations: Count
    score: Finite | None
    """The best score so far."""
    shown: dict[str, Any]
    """What the solver shows of its state (see `Solver.snapshot`)."""


@dataclass
class Improvement:
    """A solution that was better than all before."""

    looks: Count
    score: Finite
    solution: Solutions


@dataclass
class Recording:
    """A recorded run: plain data, which is written to a file without pickle."""

    facts: dict[str, Any]
    """Problem, solver, seed, objective, and how the run ended: what the result has in words and numbers."""
    sizes: Ints
    parts: list[Ints]
    """The stages of each independent part; none if the problem is one."""
    scene: dict[str, Any]
    """The fixed part of the picture (see `Problem.scene`)."""
    improvements: list[Improvement] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)

    def write(self, path: Path) -> None:
        """Write the recording to a file."""
        tree, arrays = codec.pack(self, codec.dataclasses_in(Recording))
        codec.write(path, {"swarmkit": "recording", "content": tree}, arrays)


def read_recording(path: str | Path) -> Recording:
    """Return the recording in a file; whatever is wrong with the file is a `UsageError`."""
    path = Path(path)
    if path.is_file() and path.stat().st_size > LARGEST:
        raise UsageError(f"{path}: {path.stat().st_size:,} bytes; a recording has at most {LARGEST:,}")
    tree, arrays = codec.read(path, "recording", "a recording (a file that 'swarmkit solve --record' wrote)")
    try:
        recording = codec.unpack(tree["content"], arrays, codec.dataclasses_in(Recording))
    except UsageError as error:
        raise UsageError(f"{path}: a damaged recording ({error})") from error
    if not codec.fits(recording, Recording) or not _is_sound(recording):
        raise UsageError(f"{path}: a damaged recording")
    return recording  # type: ignore[no-any-return]  # it fits


def _is_sound(recording: Recording) -> bool:
    """Whether a recording, whose types are right, is within bounds: it may come from anywhere."""
    n, frames, improvements = len(recording.sizes), recording.frames, recording.improvements
    shown = [value for frame in frames for value in frame.shown.values()]
    return (
        recording.sizes.ndim == 1
        and len(frames) <= FRAMES
        and len(improvements) <= IMPROVEMENTS
        and all(part.ndim == 1 and ((part >= 0) & (part < n)).all() for part in recording.parts)
        and all(improvement.solution.shape == (n,) for improvement in improvements)
        and all(_is_number(value) or (_is_numeric(value) and value.size <= 3 * FRAME_NUMBERS) for value in shown)
        and _is_nested(recording.facts)
        and _is_nested(recording.scene)
    )


def _is_number(value: Any) -> bool:
    return codec.fits(value, Finite | bool)


def _is_numeric(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "biuf"


def _is_nested(value: Any, depth: int = 6) -> bool:
    """Whether a value is made of texts, numbers, arrays of numbers, and lists and dicts of these."""
    if isinstance(value, dict):
        return all(isinstance(key, str) for key in value) and _is_nested(list(value.values()), depth)
    if isinstance(value, list | tuple):
        return depth > 0 and all(_is_nested(item, depth - 1) for item in value)
    return value is None or isinstance(value, str) or _is_number(value) or _is_numeric(value)


class Recorder:
    """An observer that records a run: `solve(..., observers=[Recorder("run.rec")])`.

    Args:
        path: the file that is written when the run ends; None: the recording stays in `recording`.
        every: the looks between two frames; by default a 64th of the looks so far; taken at marks of the run.
        frames: the most frames; if there are more, every second one is dropped.
        numbers: the most numbers in all frames together, likewise.
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        every: int | None = None,
        frames: int = FRAMES,
        numbers: int = NUMBERS,
    ) -> None:
        if every is not None and every < 1:
            raise UsageError(f"a recorder takes a frame every {every} looks; at least 1 is expected")
        if not 2 <= frames <= FRAMES:
            raise UsageError(f"a recording has 2 to {FRAMES} frames; {frames} were asked for")
        self.path, self.every, self.frames, self.numbers = None if path is None else Path(path), every, frames, numbers
        self.recording: Recording | None = None
        self._content: Recording
        """The same, from the start of the run on."""
        self.latest: list[Frame] = []
        """The frames that were taken last, all at once: one, or one for each moment that the solver shows."""
        self._earlier: list[dict[str, Any]] = []
        self._next, self._spread, self._numbers = 0, 1, 0

    def swarmkit_started(self, run: Run) -> None:
        """Begin a recording."""
        problem, view = run.problem, run.problem.view()
        self._next, self._spread, self._numbers = 0, 1, 0
        self.latest, self._earlier = [], []
        self.recording = self._content = Recording(
            facts={
                "problem": run.spec.problem,
                "solver": run.spec.solver,
                "seed": run.spec.seed,
                "objective": problem.objective,
                "caption": view.caption,
                "unit": "evaluations" if problem.structure.black_box else "looks",
            },
            sizes=np.asarray(problem.sizes, np.int64),
            parts=[np.asarray(part.stages, np.int64) for part in problem.parts],
            scene={name: np.asarray(v) if isinstance(v, np.ndarray) else v for name, v in view.scene.items()},
        )

    def swarmkit_stepped(self, run: Run) -> None:
        """Take a frame if one is due."""
        if run.progress.looks >= self._next:
            self._take(run)

    def swarmkit_improved(self, run: Run) -> None:
        """Note an improvement and its solution."""
        progress = run.progress
        if progress.best is not None and progress.score is not None:
            self._improve(Improvement(progress.looks, progress.score, progress.best.astype(np.int32)))

    def swarmkit_finished(self, run: Run, result: Result) -> None:
        """Take the last frame, and write the file."""
        recording = self._content
        best = recording.improvements[-1].score if recording.improvements else -np.inf
        if result.solution is not None and result.score is not None and result.score > best:
            self._improve(Improvement(result.looks, result.score, np.array(result.solution, np.int32)))
        self._take(run)
        last = recording.frames[-1]
        # Polishing comes after the last step: its answer belongs into the last frame.
        last.score, last.looks = result.score, max(last.looks, result.looks)
        recording.facts |= {"stopped": str(result.stopped), "score": result.score, "metrics": dict(result.metrics)}
        if self.path is not None:
            recording.write(self.path)

    def _take(self, run: Run) -> None:
        frames, progress = self._content.frames, run.progress
        counts = progress.looks, progress.iterations, progress.evaluations, progress.score
        self.latest = [Frame(*counts, shown) for shown in self._moments(run)]
        self._numbers += numbers_of(self.latest)
        frames += self.latest
        while len(frames) > self.frames or (self._numbers > self.numbers and len(frames) > 3):
            # Every second one, the first and the last stay; the distance of later ones doubles likewise.
            del frames[-2:0:-2]
            self._spread *= 2
            self._numbers = numbers_of(frames)
        # Without a distance that was asked for, frames get sparser with the looks: most happens in the beginning.
        gap = self.every if self.every is not None else progress.looks // DENSITY
        self._next = progress.looks + max(1, self._spread * gap)

    def _moments(self, run: Run) -> list[dict[str, Any]]:
        """Return what the solver shows, oldest first; of a step that was shown before, only its last moment."""
        snapshot = {} if run.state is None else run.solver.snapshot(run.state)
        moments = [shown_of(run.view, moment) for moment in moments_of(snapshot)]
        # A solver that has made no step since shows the same moments: they would be repeated in the movie.
        before, self._earlier = self._earlier, moments[:-1]
        return moments[-1:] if _equal(before, self._earlier) else moments

    def _improve(self, improvement: Improvement) -> None:
        improvements, n = self._content.improvements, len(self._content.sizes)
        improvements.append(improvement)
        if len(improvements) > max(2, min(IMPROVEMENTS, self.numbers // max(1, n))):
            del improvements[1:-1:2]


def numbers_of(frames: Iterable[Frame]) -> int:
    """Return how many numbers some frames have."""
    return sum(np.size(value) for frame in frames for value in frame.shown.values())


def _equal(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> bool:
    """Whether two sequences of moments show the same."""
    return len(before) == len(now) and all(
        a.keys() == b.keys() and all(np.array_equal(a[name], b[name]) for name in a)
        for a, b in zip(before, now, strict=True)
    )


def shown_of(problem: Problem, snapshot: Mapping[str, Any]) -> dict[str, Any]:
    """Return copies of what a solver shows of a moment, small enough to keep, in terms of the whole problem.

    What was learnt about a tour is returned as pairs of cities.

    Args:
        problem: the problem that the solver sees: fixed stages are left out of it.
        snapshot: what the solver shows; with `part`, of that part of the problem.
    """
    view = problem.parts[int(snapshot["part"])].problem if problem.parts and "part" in snapshot else problem
    shown: dict[str, Any] = {}
    for name, value in snapshot.items():
        array = np.array(value)
        if array.dtype.kind not in "biuf":
            raise UsageError(f"a snapshot has '{name}' of the type {array.dtype}; expected numbers")
        array = _whole(view, name, array)
        if array.ndim == 0:
            shown[name] = array.item()
        elif array.size <= FRAME_NUMBERS:
            shown[name] = array.astype(np.float32 if array.dtype.kind == "f" else np.int32)
        elif array.ndim == 2 and name == "solutions" and array.shape[1] <= FRAME_NUMBERS:
            shown[name] = array[: FRAME_NUMBERS // array.shape[1]].astype(np.int32)
    tour = problem.structure.tour if "trail" in snapshot and not problem.parts else None
    if tour is not None and np.ndim(snapshot["trail"]) == 2:
        shown |= _strongest(np.asarray(snapshot["trail"]), tour.nearest(np.shape(snapshot["trail"])[1]))
    return shown


def _whole(view: Problem, name: str, array: Any) -> Any:
    """Return what a solver shows of the problem that it sees in terms of the one with the fixed stages."""
    n = len(view.sizes)
    if name == "solutions" and array.ndim == 2 and array.shape[1] == n:
        return lift(view, array)
    if name == "current" and array.shape == (n,):
        return lift(view, array[None])[0]
    if name == "home" and array.ndim == 0:
        return np.array(whole_stage(view, int(array)))
    if name == "trail" and array.shape == (int(np.sum(view.sizes)),):
        return whole_slots(view, array)
    return array


def _strongest(trail: Any, near: Any) -> dict[str, Any]:
    """Return the strongest values of a table of each city's nearest, three for each city, as pairs of cities."""
    flat = trail.ravel()
    strongest = np.sort(np.argsort(-flat, kind="stable")[: min(3 * len(near), FRAME_NUMBERS)])
    return {
        "trail": flat[strongest].astype(np.float32),
        "trail_from": (strongest // near.shape[1]).astype(np.int32),
        "trail_to": near.ravel()[strongest].astype(np.int32),
    }
