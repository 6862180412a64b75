"""Draw the figure of the D-Bees paper, "An illustration of the forward pass", from a real pass: docs/dbees-2014.svg.

    python docs/dbees_figure.py

The passes are those of `swarmkit_bees.dbees`, on the paper's example sentence.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from swarmkit import make_problem
from swarmkit_bees.dbees import DBees, Swarm, backward_pass, forward_pass, leave_hive, next_visits
from swarmkit_bees.rules import MAX, loyalty, normalised

FILE = Path(__file__).parent / "dbees-2014.svg"
HIVE, MOVES, SEED = "mouse", 3, 0
COLOURS = ("#1f6feb", "#bf4b00", "#2c7a3f", "#8b3fc7", "#b3261e", "#00707a")
LEFT, TOP, COLUMN, ROW, RADIUS = 70, 70, 200, 34, 8
FIRST_LINE, LINE = 36, 18


class Pass(NamedTuple):
    """A forward pass, and the decisions of the backward pass after it."""

    words: list[str]
    """The words that were visited, the hive first."""
    senses: list[int]
    """The number of senses of each."""
    paths: list[list[int]]
    """The sense of each bee at each word."""
    qualities: list[float]
    loyalties: list[float]
    """The probability of each bee to keep its path, Eq. (2)."""
    followed: list[int]
    """The bee whose path each bee has afterwards."""


def make_pass() -> Pass:
    """Let the bees leave the hive, make the first forward pass, and decide whom to follow."""
    problem: Any = make_problem("wsd", preset="paper")
    hive = next(i for i, target in enumerate(problem.targets) if target.token.surface == HIVE)
    order, starts, rules = DBees(preset="paper").plan(problem, hive)
    rng, visited = np.random.default_rng(SEED), order[: MOVES + 1]
    bees = Swarm(np.full((len(starts), len(problem.sizes)), -1), np.zeros(len(starts)))
    bees = leave_hive(problem, bees, hive, starts)  # bee b holds sense b of the hive
    bees, _ = forward_pass(problem, bees, next_visits(order, 1, MOVES), rules, rng)
    shares = normalised(bees.qualities, bees.qualities.min(), bees.qualities.max(), MAX)
    after = backward_pass(bees, 1, rules, rng)
    paths = bees.paths[:, visited].tolist()
    return Pass(
        [problem.targets[stage].token.surface for stage in visited],
        [int(problem.sizes[stage]) for stage in visited],
        paths,
        bees.qualities.tolist(),
        loyalty(shares, shares.max(), 1).tolist(),
        [paths.index(path) for path in after.paths[:, visited].tolist()],
    )


def place(made: Pass, word: int, sense: int) -> tuple[float, float]:
    """Return where a sense is drawn: the senses of a word are a column, centred."""
    middle = TOP + ROW * (max(made.senses) - 1) / 2
    return LEFT + COLUMN * word, middle + ROW * (sense - (made.senses[word] - 1) / 2)


def draw(made: Pass) -> str:
    """Return the picture: words as columns of senses, each bee a line that ends at its label."""
    height = TOP + ROW * max(made.senses) + FIRST_LINE + LINE * len(made.paths)
    width = LEFT + COLUMN * MOVES + 190
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="13">',
        "<title>The first forward pass of D-Bees on the paper's example sentence</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for w, word in enumerate(made.words):
        x = LEFT + COLUMN * w
        name = f"{word} (hive)" if w == 0 else f"{w}: {word}"
        parts.append(f'<text x="{x}" y="30" text-anchor="middle" font-weight="bold">{name}</text>')
    for b, path in enumerate(made.paths):
        shift = 3 * (b - (len(made.paths) - 1) / 2)
        points = " ".join(f"{x:.1f},{y + shift:.1f}" for x, y in (place(made, w, c) for w, c in enumerate(path)))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[b]}" stroke-width="2"/>')
    for w, count in enumerate(made.senses):
        for sense in range(count):
            x, y = place(made, w, sense)
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}" fill="#ffffff" stroke="#555555"/>')
            parts.append(f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" font-size="10">{sense + 1}</text>')
    parts += labels(made)
    parts += decisions(made, TOP + ROW * max(made.senses) + 16)
    return "\n".join([*parts, "</svg>"]) + "\n"


def labels(made: Pass) -> list[str]:
    """Return the labels, at the senses where lines begin and where they end; bees of one sense have one label."""
    drawn = []
    for word, side, anchor in ((0, -RADIUS - 6, "end"), (MOVES, RADIUS + 6, "start")):
        for sense in sorted({path[word] for path in made.paths}):
            bees = [b for b, path in enumerate(made.paths) if path[word] == sense]
            x, y = place(made, word, sense)
            names = ", ".join(f'<tspan fill="{COLOURS[b]}">{b + 1}</tspan>' for b in bees)
            title = "bee" if len(bees) == 1 else "bees"
            drawn.append(f'<text x="{x + side:.1f}" y="{y + 4:.1f}" text-anchor="{anchor}">{title} {names}</text>')
    return drawn


def decisions(made: Pass, y: float) -> list[str]:
    """Return a line for each bee: its quality, its loyalty, and what it does in the backward pass."""
    drawn = []
    for b, quality in enumerate(made.qualities):
        leader = made.followed[b]
        does = "keeps its path" if leader == b else f"follows bee {leader + 1}"
        text = f"bee {b + 1}: quality {quality:.2f}, loyal with probability {made.loyalties[b]:.2f}, {does}"
        drawn.append(f'<text x="20" y="{y + FIRST_LINE / 2 + LINE * b:.1f}" fill="{COLOURS[b]}">{text}</text>')
    return drawn


if __name__ == "__main__":
    FILE.write_text(draw(make_pass()), encoding="utf-8")
    print(f"{FILE.name} written")
