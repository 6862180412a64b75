"""The movies of the gallery: `python docs/gallery.py FOLDER` writes them; a build of the documentation site does, too.

The bees on word senses come from a recording in `docs/pictures`, because a build need not have WordNet;
`swarmkit solve -p wsd -a dbees --record docs/pictures/bees.rec` records them again, and `python docs/shots.py gallery`
makes the small pictures of the gallery's page.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NamedTuple

import swarmkit
from swarmkit.viewing import make_movie

DOCS = Path(__file__).parent
BEES = DOCS / "pictures" / "bees.rec"


class Shown(NamedTuple):
    """A run of the gallery."""

    problem: str
    options: dict[str, Any]
    solver: str
    params: dict[str, Any]
    looks: int


RUNS = {
    "ants": Shown("tsp", {"n": 50, "seed": 3}, "tsp-aco", {"construction": "walk"}, 120_000),
    "annealing": Shown("tsp", {"n": 120, "seed": 2}, "annealing", {}, 400_000),
    "assignment": Shown("qap", {"n": 16, "seed": 1}, "robust-tabu", {}, 60_000),
    "schedule": Shown("flowshop", {}, "ga", {}, 100_000),
    "cut": Shown("maxcut", {"n": 60}, "tabu", {}, 20_000),
    "colours": Shown("colouring", {"n": 40}, "ils", {}, 40_000),
    "portfolio": Shown("synthetic", {"n": 40, "seed": 4}, "auto", {}, 60_000),
}
"""The runs that are made when the site is built, by the names of their movies."""

FRAMES = 150
"""The most frames of a movie of the gallery."""


def recording(shown: Shown) -> swarmkit.Recording:
    """Return the recording of a run of the gallery."""
    recorder = swarmkit.Recorder(frames=FRAMES)
    problem = swarmkit.make_problem(shown.problem, **shown.options)
    swarmkit.solve(problem, shown.solver, seed=1, looks=shown.looks, params=shown.params, observers=[recorder])
    assert recorder.recording is not None  # noqa: S101  (the run has ended)
    return recorder.recording


def recordings() -> dict[str, swarmkit.Recording]:
    """Return all recordings by the names of their movies."""
    return {"bees": swarmkit.read_recording(BEES)} | {name: recording(shown) for name, shown in RUNS.items()}


def movies() -> dict[str, str]:
    """Return all movies by name, each a page that needs nothing else."""
    return {name: make_movie(made) for name, made in recordings().items()}


def main() -> None:
    """Write the movies to a folder."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in movies().items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
        print(f"{name}.html: {len(page):,} bytes")


if __name__ == "__main__":
    main()
