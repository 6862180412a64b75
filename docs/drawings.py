"""Draw the pictures of the page on concepts: `python docs/drawings.py` writes contract.svg, looks.svg, fairness.svg."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

DOCS = Path(__file__).parent

INK, GREY, CHOSEN, PAPER = "#22313f", "#5c6873", "#e0a100", "#ffffff"


def text(x: float, y: float, words: str, *, size: int = 13, anchor: str = "middle", colour: str = INK) -> str:
    """Return a line of text as SVG."""
    return f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


def box(x: float, y: float, width: float, height: float, fill: str = PAPER) -> str:
    """Return a rectangle with round corners as SVG."""
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{fill}" stroke="{INK}"/>'


def arrow(x: float, y: float, to_x: float, to_y: float) -> str:
    """Return an arrow as SVG."""
    return f'<path d="M{x} {y}L{to_x} {to_y}" stroke="{INK}" fill="none" marker-end="url(#tip)"/>'


def grid(
    x: float, y: float, sizes: Iterable[int], chosen: Iterable[int], marked: Iterable[tuple[int, int]] = ()
) -> str:
    """Return stages as columns of candidates, those of a solution filled and joined, and rings around marked ones."""
    step, parts, path = 56, [], []
    taken = list(chosen)
    for stage, size in enumerate(sizes):
        for candidate in range(size):
            at = x + stage * step, y + candidate * 34
            fill = CHOSEN if taken[stage] == candidate else PAPER
            parts.append(f'<circle cx="{at[0]}" cy="{at[1]}" r="10" fill="{fill}" stroke="{INK}"/>')
            if (stage, candidate) in set(marked):
                parts.append(
                    f'<circle cx="{at[0]}" cy="{at[1]}" r="14" fill="none" stroke="{INK}" stroke-width="2.5"/>'
                )
        path.append(f"{x + stage * step} {y + taken[stage] * 34}")
    line = f'<polyline points="{" ".join(path)}" fill="none" stroke="{CHOSEN}" stroke-width="3"/>'
    return line + "".join(parts)


def picture(width: int, height: int, title: str, *parts: str) -> str:
    """Return a whole picture."""
    head = f'<path d="M0 0L9 4L0 8z" fill="{INK}"/>'
    tip = f'<marker id="tip" markerWidth="9" markerHeight="9" refX="8" refY="4" orient="auto">{head}</marker>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="system-ui, sans-serif" role="img"><title>{title}</title><defs>{tip}</defs>'
        f'<rect width="{width}" height="{height}" rx="8" fill="#f7f8f9"/>{"".join(parts)}</svg>\n'
    )


def contract() -> str:
    """Draw problem, harness and solver, and what goes between them."""
    return picture(
        800,
        250,
        "Problem, harness and solver",
        text(150, 26, "problem", size=15),
        grid(66, 60, [3, 2, 4, 3], [1, 0, 2, 1]),
        text(150, 210, "stages across, candidates below each other"),
        text(150, 230, "a solution: one candidate for each stage", colour=GREY),
        box(350, 70, 180, 70),
        text(440, 100, "harness", size=15),
        text(440, 122, "budget, seed, incumbent"),
        box(650, 70, 140, 70),
        text(720, 100, "solver", size=15),
        text(720, 122, "start, step, step, …"),
        arrow(348, 92, 276, 92),
        text(312, 84, "solutions"),
        arrow(276, 120, 348, 120),
        text(312, 138, "scores"),
        arrow(532, 92, 648, 92),
        text(590, 84, "State, generator"),
        arrow(648, 120, 532, 120),
        text(590, 138, "State, StepResult"),
        text(540, 180, "scores every claim again, counts, stops, records, resumes", colour=GREY),
    )


def looks() -> str:
    """Draw what one look is, and what a whole score costs."""
    sizes, chosen = [3, 2, 4, 3], [1, 0, 2, 1]
    return picture(
        760,
        230,
        "One look, all looks of a stage, and the looks of a whole score",
        grid(46, 60, sizes, chosen, [(2, 1)]),
        text(130, 26, "one candidate at one stage: 1 look"),
        grid(296, 60, sizes, chosen, [(2, c) for c in range(4)]),
        text(380, 26, "all candidates of a stage: 4 looks"),
        grid(546, 60, sizes, chosen, list(enumerate(chosen))),
        text(630, 26, "a whole solution: n = 4 looks"),
        text(380, 212, "rings: values that are read", colour=GREY),
    )


def fairness() -> str:
    """Draw what is equal for all solvers of a comparison."""
    rows = ["same instances", "same budget in looks", "seeds from one experiment", "every claim scored again"]
    parts = [text(120, 30, "equal for all", size=15)]
    for at, words in enumerate(rows):
        parts += [box(20, 46 + at * 42, 200, 32), text(120, 67 + at * 42, words)]
    names = ["solver A", "solver B", "yours"]
    for at, words in enumerate(names):
        parts += [
            box(300, 62 + at * 50, 110, 34, CHOSEN),
            text(355, 84 + at * 50, words),
            arrow(222, 126, 298, 79 + at * 50),
        ]
        parts.append(arrow(412, 79 + at * 50, 488, 126))
    parts += [
        box(490, 82, 120, 90),
        text(550, 108, "store"),
        text(550, 130, "every run"),
        text(550, 150, "with its trace"),
    ]
    parts += [
        arrow(612, 126, 650, 126),
        text(700, 106, "report:"),
        text(700, 126, "ranks, tests,"),
        text(700, 146, "effect sizes"),
    ]
    return picture(760, 230, "What is equal for all solvers of a comparison", *parts)


def main() -> None:
    """Write the pictures."""
    for draw in (contract, looks, fairness):
        (DOCS / f"{draw.__name__}.svg").write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
