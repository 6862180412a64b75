"""How people see a problem: a line about the instance, a drawing of a solution, the scene of a moving picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from swarmkit.contract.arrays import Solutions

Drawing = Callable[[Solutions, Any], None]
"""Draws a complete solution into matplotlib's axes."""

Scene = Mapping[str, Any]
"""The fixed part of a moving picture: JSON values and arrays, and the `kind` of scene that draws them."""


class View:
    """What a problem shows of itself; `Problem.view` returns one.

    The kinds of scenes. With any of them, `stages` are the names of the stages and `candidates` those of the
    candidates, a list for each stage (or one list for all). Without a scene the viewer draws a grid of both.

    - `tour`: `points`, (n, 2) positions of the cities, and `closed`, whether the tour returns to its start; a candidate
      without a position is the dummy between the ends of an open tour.
    - `assignment`: `flows`, (n, n) between the stages, and `distances`, (n, n) between the candidates.
    - `flowshop`: `times`, (machines, jobs).
    - `routes`: `points` of the items and then of depots, the number of `items`, and `ends`, [start, end] of each list
      as numbers of points (-1 for none).
    - `schedule`: `durations`, (items, machines) with -1 where a machine cannot do it, `edges`, [before, later] each,
      `groups`, the number of each item's colour, and the names of the `machines`.
    - `graph`: `points` of the vertices, `edges`, [vertex, vertex] each, `show`, one of `cut`, `colours`, `set`.
    - `rows`: linear constraints as `Constraints` has them: `indptr`, `slots`, `coefficients`, `lower`, `upper`; with
      `names` each row is a bar of its parts, without them rows are columns side by side.
    - `words`: `glosses`, a list for each stage, and `text`, the words of the text, [word, stage or -1] each.

    Args:
        caption: what the instance is, in a line or a few: it is shown above the answer.
        draw: draws a solution, which `--plot` shows beside the curve of the run; None for the grid that `draw_grid`
            draws.
        scene: the scene of moving pictures, or a function that computes it when a picture is made.

    >>> View(scene={"kind": "tour", "points": [[0, 0], [1, 0], [0, 1]], "closed": True}).scene["closed"]
    True
    """

    def __init__(
        self, caption: str = "", *, draw: Drawing | None = None, scene: Scene | Callable[[], Scene] | None = None
    ) -> None:
        self.caption, self.draw, self._scene = caption, draw, scene

    @property
    def scene(self) -> Scene:
        """The scene; empty where there is none."""
        scene = self._scene() if callable(self._scene) else self._scene
        return {} if scene is None else scene


def draw_solution(problem: Any, x: Solutions, axes: Any) -> None:
    """Draw a solution into matplotlib's axes: as the problem's view does, or else as a grid.

    Args:
        problem: the problem.
        x: a complete solution.
        axes: matplotlib's axes.
    """
    draw = problem.view().draw
    if draw is None:
        draw_grid(problem.sizes, x, axes)
    else:
        draw(x, axes)


def draw_grid(sizes: Any, x: Solutions, axes: Any) -> None:
    """Draw the chosen candidate of each stage, with the numbers of candidates shaded.

    Args:
        sizes: the number of candidates at each stage.
        x: a complete solution.
        axes: matplotlib's axes.
    """
    sizes, stages = np.asarray(sizes), np.arange(len(sizes))
    if not len(sizes):
        return
    axes.bar(stages, sizes, width=1.0, bottom=-0.5, color="0.92", edgecolor="white" if len(sizes) <= 60 else "none")
    axes.scatter(stages, x, s=np.clip(6000 / len(sizes), 3, 60), marker="s", color="C0", zorder=3)
    axes.set(xlabel="stage", ylabel="candidate chosen (grey: all candidates)", title=f"{len(sizes):,} stages")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: f"{value:,.6g}" if float(value).is_integer() else "")
