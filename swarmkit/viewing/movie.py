"""A recorded run as one HTML page: the viewer, the recording, and nothing from elsewhere."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from swarmkit.contract.errors import UsageError
from swarmkit.running.recording import Improvement, Recording
from swarmkit.viewing.inline import CHART, HOME, as_script, inline

SCRIPTS = ("scenes.js", "words.js", "viewer.js")
"""The scripts of the viewer, in their order; charts come before them."""

DIGITS = 5
"""Significant digits of the numbers that are only drawn."""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="swarmkit">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<link rel="icon" href="data:,">
<title>{title} &ndash; swarmkit</title>
<style>{style}</style>
</head>
<body>
<main id="viewer" data-recording="recording"></main>
<script type="application/json" id="recording">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def make_movie(recording: Recording) -> str:
    """Return the page that plays a recording; it needs no network."""
    if not recording.frames:
        raise UsageError("the recording has no frame; expected one of a run that has begun")
    inlined = inline([CHART[0], *(HOME / name for name in SCRIPTS)], [HOME / "viewer.css", CHART[1]])
    return PAGE.format(
        policy=escape(inlined.policy),
        title=escape(f"{recording.facts.get('problem', '')} by {recording.facts.get('solver', '')}"),
        style=inlined.style,
        data=as_script(viewer_data(recording)),
        script=inlined.script,
    )


def viewer_data(recording: Recording) -> dict[str, Any]:
    """Return a recording as JSON for the viewer; scores and costs are as people see them."""
    sign = 1.0 if recording.facts.get("objective") == "score" else -1.0
    unit = "evaluations" if recording.facts.get("unit") == "evaluations" else "looks"
    facts = dict(recording.facts)
    if facts.get("score") is not None:
        facts["score"] = 0.0 + sign * facts["score"]
    return {
        "facts": plain(facts, digits=15),
        "unit": unit,
        "sizes": recording.sizes.tolist(),
        "parts": [np.asarray(part).tolist() for part in recording.parts],
        "scene": plain(recording.scene),
        "improvements": [_improvement(one, sign) for one in recording.improvements],
        "frames": [
            {
                "looks": int(frame.looks),
                "work": int(getattr(frame, unit)),
                "iterations": int(frame.iterations),
                "score": None if frame.score is None else 0.0 + sign * float(frame.score),
                "shown": plain(frame.shown),
            }
            for frame in recording.frames
        ],
    }


def _improvement(one: Improvement, sign: float) -> dict[str, Any]:
    return {
        "looks": int(one.looks),
        "score": 0.0 + sign * float(one.score),
        "solution": np.asarray(one.solution).tolist(),
    }


def plain(value: Any, digits: int = DIGITS) -> Any:
    """Return nested data as JSON values: arrays as lists, numbers rounded, what is not finite as None.

    >>> plain({"a": np.array([1.23456789, np.inf]), "b": 3})
    {'a': [1.2346, None], 'b': 3}
    """
    if isinstance(value, np.ndarray):
        return plain(value.tolist(), digits)
    if isinstance(value, dict):
        return {str(name): plain(one, digits) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one, digits) for one in value]
    if isinstance(value, bool | int | str) or value is None:
        return value
    number = float(value)
    return float(f"{number:.{digits}g}") if np.isfinite(number) else None
