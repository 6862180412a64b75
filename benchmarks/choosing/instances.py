"""Sixty instances in six families: files of others where they are given, drawn ones beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import swarmkit
from choosing.scores import Hidden, Knapsack, Landscape, LeadingOnes, Orders, Traps


class Instance(NamedTuple):
    """An instance and how it is made."""

    family: str
    name: str
    make: Callable[[], swarmkit.Problem]
    long: bool = False
    """Whether it is among the instances that are also run for longer."""


CHROMATIC = {"queen7_7": 7, "queen11_11": 12, "miles1000": 42, "DSJC125.1": 5, "le450_5b": 5}
"""Colours for the given graphs."""

FILES = {
    "tsp": ("tsplib", ["berlin52.tsp", "kroA100.tsp", "d198.tsp", "lin318.tsp", "dsj1000.tsp"]),
    "qap": ("qaplib", ["chr12a.dat", "nug30.dat", "ste36a.dat", "sko42.dat", "tai60a.dat"]),
    "maxcut": ("gset", ["G1.txt", "G11.txt", "G15.txt", "G43.txt", "G51.txt"]),
    "colouring": ("colouring", [f"{name}.col" for name in CHROMATIC]),
}

DRAWN: dict[str, list[dict[str, Any]]] = {
    "synthetic": [
        {"n": 30, "window": 1, "polysemy": 8},
        {"n": 40, "window": 5},
        {"n": 100, "window": 3},
        {"n": 100, "window": 10},
        {"n": 200, "window": 5, "planted": True},
        {"n": 300, "window": 8},
        {"n": 500, "window": 4, "polysemy": 12},
        {"n": 1000, "window": 5},
        {"n": 3000, "window": 5, "polysemy": 4},
        {"n": 60, "window": 60, "polysemy": 10},
    ],
    "tsp": [
        {"n": 30},
        {"n": 80, "layout": "clustered"},
        {"n": 200},
        {"n": 500, "layout": "clustered"},
        {"n": 1500},
    ],
    "qap": [
        {"n": 15, "layout": "uniform"},
        {"n": 25},
        {"n": 40, "layout": "uniform"},
        {"n": 64},
        {"n": 100, "layout": "uniform"},
    ],
    "maxcut": [
        {"n": 60, "density": 0.5, "weights": "signs"},
        {"n": 200, "density": 0.1},
        {"n": 400, "layout": "torus", "weights": "signs"},
        {"n": 1000, "density": 0.02},
        {"n": 3000, "density": 0.003},
    ],
    "colouring": [
        {"n": 60, "density": 0.3, "colours": 6},
        {"n": 125, "density": 0.5, "colours": 18},
        {"n": 200, "density": 0.1, "colours": 7},
        {"n": 300, "layout": "geometric", "density": 0.08, "colours": 14},
        {"n": 500, "density": 0.05, "colours": 8},
    ],
}

LONG = {0: False, 1: True, 2: True, 4: True, 8: True}
"""The places in a family's list of the instances that are also run for longer."""


def instances(data: Path | None, draw: int) -> list[Instance]:
    """Return the instances of all families.

    Args:
        data: the folder with the files of others; None for drawn instances alone.
        draw: added to the seeds of drawn instances: other instances of the same kinds.
    """
    found: list[Instance] = []
    for family in ("synthetic", "tsp", "qap", "maxcut", "colouring"):
        own = [*_given(family, data), *_drawn(family, draw)]
        found += [one._replace(long=LONG.get(i, False)) for i, one in enumerate(own)]
    boxes = _black_boxes(draw)
    return found + [one._replace(long=LONG.get(i, False)) for i, one in enumerate(boxes)]


def _given(family: str, data: Path | None) -> Iterator[Instance]:
    folder, names = FILES.get(family, ("", []))
    for name in names if data is not None else []:
        stem, path = name.rpartition(".")[0], (data or Path()) / folder / name
        more = {"colours": CHROMATIC[stem]} if family == "colouring" else {}
        yield Instance(family, stem, partial(swarmkit.make_problem, family, file=str(path), **more))


def _drawn(family: str, draw: int) -> Iterator[Instance]:
    for i, options in enumerate(DRAWN[family]):
        seed = 1000 * draw + i
        words = " ".join(f"{name}={value}" for name, value in options.items())
        yield Instance(family, f"{words} seed={seed}", partial(swarmkit.make_problem, family, **options, seed=seed))


def _black_boxes(draw: int) -> list[Instance]:
    seed = 1000 * draw
    made: dict[str, Callable[[], swarmkit.Problem]] = {
        "flowshop 20x5": partial(swarmkit.make_problem, "flowshop", jobs=20, machines=5, seed=seed + 1),
        "flowshop 50x10": partial(swarmkit.make_problem, "flowshop", jobs=50, machines=10, seed=seed + 2),
        "flowshop 100x20": partial(swarmkit.make_problem, "flowshop", jobs=100, machines=20, seed=seed + 3),
        "leading ones 100": partial(LeadingOnes, 100, seed),
        "traps 25": partial(Traps, 25, seed),
        "landscape 100, 4": partial(Landscape, 100, 4, seed),
        "orders 200x12": partial(Orders, 200, 12, 0.0, seed),
        "orders 1000x12, changeover": partial(Orders, 1000, 12, 30.0, seed),
        "knapsack 200": partial(Knapsack, 200, seed),
        "hidden 100": lambda: Hidden(swarmkit.make_problem("synthetic", n=100, window=3, seed=seed)),
    }
    return [Instance("black box", f"{name} seed={seed}", make) for name, make in made.items()]
