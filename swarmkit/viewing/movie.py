"""A recorded run as one HTML page: the viewer, the recording, and nothing from elsewhere."""

from __future__ import annotations

from html import escape

from swarmkit.contract.errors import UsageError
from swarmkit.running.recording import Recording
from swarmkit.viewing.inline import HOME, VIEWER_SCRIPTS, VIEWER_STYLES, as_script, inline
from swarmkit.viewing.viewer_data import viewer_data

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
    inlined = inline([*VIEWER_SCRIPTS, HOME / "page.js"], [*VIEWER_STYLES, HOME / "page.css"])
    return PAGE.format(
        policy=escape(inlined.policy),
        title=escape(f"{recording.facts.get('problem', '')} by {recording.facts.get('solver', '')}"),
        style=inlined.style,
        data=as_script(viewer_data(recording)),
        script=inlined.script,
    )
