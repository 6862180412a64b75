"""Recordings as JSON for the viewer, whole or frame by frame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from swarmkit.running.recording import Frame, Improvement, Recording

DIGITS = 5
"""Significant digits of the numbers that are only drawn."""


def viewer_data(recording: Recording) -> dict[str, Any]:
    """Return a recording as JSON for the viewer; scores and costs are as people see them."""
    facts = dict(recording.facts)
    if facts.get("score") is not None:
        facts["score"] = 0.0 + _sign(facts) * facts["score"]
    return {
        "facts": plain(facts, digits=15),
        "unit": _unit(facts),
        "sizes": recording.sizes.tolist(),
        "parts": [np.asarray(part).tolist() for part in recording.parts],
        "scene": plain(recording.scene),
        **moments(recording.facts, recording.frames, recording.improvements),
    }


def moments(facts: Mapping[str, Any], frames: Iterable[Frame], improvements: Iterable[Improvement]) -> dict[str, Any]:
    """Return frames and improvements as JSON for the viewer: all of a recording, or what it has gained since.

    Args:
        facts: of the recording: they name the objective and the unit of work.
        frames: some frames of it.
        improvements: some improvements of it.
    """
    sign, unit = _sign(facts), _unit(facts)  # 0.0 + below: JSON would show a cost of -0.0
    return {
        "improvements": [
            {
                "looks": int(improvement.looks),
                "score": 0.0 + sign * float(improvement.score),
                "solution": np.asarray(improvement.solution).tolist(),
            }
            for improvement in improvements
        ],
        "frames": [
            {
                "looks": int(frame.looks),
                "work": int(getattr(frame, unit)),
                "iterations": int(frame.iterations),
                "score": None if frame.score is None else 0.0 + sign * float(frame.score),
                "shown": plain(frame.shown),
            }
            for frame in frames
        ],
    }


def _sign(facts: Mapping[str, Any]) -> float:
    return 1.0 if _is(facts.get("objective"), "score") else -1.0


def _unit(facts: Mapping[str, Any]) -> str:
    return "evaluations" if _is(facts.get("unit"), "evaluations") else "looks"


def _is(value: Any, word: str) -> bool:
    """Whether a value of a recording, which may be anything, is a word."""
    return isinstance(value, str) and value == word


def plain(value: Any, digits: int = DIGITS) -> Any:
    """Return nested data as JSON values: arrays as lists, numbers rounded, what is not finite as None.

    >>> plain({"a": np.array([1.23456789, np.inf]), "b": 3})
    {'a': [1.2346, None], 'b': 3}
    """
    if isinstance(value, np.ndarray):
        return plain(value.tolist(), digits)
    if isinstance(value, dict):
        return {str(name): plain(item, digits) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item, digits) for item in value]
    if isinstance(value, bool | int | str) or value is None:
        return value
    number = float(value)
    return float(f"{number:.{digits}g}") if np.isfinite(number) else None
