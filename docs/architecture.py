"""Draw the imports between the packages of the core: `python docs/architecture.py` writes `docs/architecture.svg`.

A test compares the picture with the imports.

Packages of the core stand below each other, in the order of the layers in `pyproject.toml`: imports lead downwards. An
arc is drawn for every pair of packages of which one imports the other, the thicker the more imports there are (lazy
ones included, those for the type checker alone left out). Plugins reach the core through its public modules, on the
left.
"""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from pathlib import Path

import grimp

ROOT = Path(__file__).parent.parent
PICTURE = Path(__file__).with_suffix(".svg")

WIDTH, HEIGHT, STEP, TOP = 170, 34, 62, 40
"""Size of a box, distance from one to the next, and the margin above the first."""
LEFT, CENTRE = 40, 330
"""The left edges of the column of plugins and of the column of packages."""


def configuration() -> dict[str, list[str]]:
    """Return the packages of the core, top to bottom, and the plugin packages, as the layers' contracts list them."""
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    contracts = [contract["layers"] for contract in linter["contracts"] if contract["type"] == "layers"]
    layers = next(layers for layers in contracts if "swarmkit.contract" in layers)  # word senses have layers, too
    plugins = [package for package in linter["root_packages"] if package != "swarmkit"]
    return {"packages": [layer.removeprefix("swarmkit.") for layer in layers], "plugins": plugins}


def package_of(module: str) -> str:
    """Return where a module lies: a package of the core, `swarmkit` itself, or the folder of plugins.

    >>> package_of("swarmkit.search.tables"), package_of("swarmkit"), package_of("swarmkit_tsp.problem")
    ('search', 'swarmkit', 'problems')
    """
    first, *rest = module.split(".")
    if first != "swarmkit":
        return "algorithms" if (ROOT / "algorithms" / first).is_dir() else "problems"
    return rest[0] if rest else "swarmkit"


def imports() -> Counter[tuple[str, str]]:
    """Return the number of imports between every two packages."""
    graph = grimp.build_graph("swarmkit", *configuration()["plugins"], exclude_type_checking_imports=True)
    pairs = (
        (package_of(module), package_of(imported))
        for module in graph.modules
        for imported in graph.find_modules_directly_imported_by(module)
    )
    return Counter((importer, imported) for importer, imported in pairs if importer != imported)


def box(name: str, x: float, y: float, fill: str) -> str:
    """Return a labelled box as SVG."""
    middle = f'x="{x + WIDTH / 2:g}" y="{y + HEIGHT / 2 + 5:g}" text-anchor="middle"'
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="{fill}" stroke="#3b4252"/>'
        f"<text {middle}>{name}</text>"
    )


def arc(start: float, end: float, count: int, importer: str, imported: str) -> str:
    """Return an arc on the right of the packages, from one height to another, with a tooltip."""
    x, reach = CENTRE + WIDTH, 30 + 0.42 * (end - start)
    path = f"M {x} {start:g} C {x + reach:g} {start:g}, {x + reach:g} {end:g}, {x + 6} {end:g}"
    width = 0.8 + 0.5 * math.log2(count)
    return (
        f'<path d="{path}" fill="none" stroke="#5e81ac" stroke-opacity="0.7" stroke-width="{width:.2f}" '
        f'marker-end="url(#head)"><title>{importer} imports {imported}: {count}</title></path>'
    )


def line(x: float, start: float, end: float, count: int, title: str) -> str:
    """Return a straight arrow from the column of plugins to the column of packages, with a tooltip."""
    width = 0.8 + 0.5 * math.log2(count)
    return (
        f'<path d="M {x + WIDTH:g} {start:g} L {CENTRE - 6} {end:g}" stroke="#a3702e" stroke-opacity="0.8" '
        f'stroke-width="{width:.2f}" marker-end="url(#plug)"><title>{title}: {count}</title></path>'
    )


def draw() -> str:
    """Return the picture as SVG."""
    packages, edges = ["swarmkit", *configuration()["packages"]], imports()
    heights = {package: TOP + STEP * place for place, package in enumerate(packages)}
    folders = {"algorithms": TOP + 3 * STEP, "problems": TOP + 7 * STEP}
    shapes = [box(package, CENTRE, y, "#e5ecf4") for package, y in heights.items()]
    shapes += [box(f"{folder}/swarmkit_*", LEFT, y, "#f6e8d5") for folder, y in folders.items()]
    for (importer, imported), count in sorted(edges.items()):
        if importer in folders and imported in heights:
            title = f"{importer} import {imported}"
            ends = folders[importer] + HEIGHT / 2, heights[imported] + HEIGHT / 2
            shapes.append(line(LEFT, *ends, count, title))
        elif importer in heights and imported in heights:
            ends = heights[importer] + HEIGHT * 0.65, heights[imported] + HEIGHT * 0.35
            shapes.append(arc(*ends, count, importer, imported))
    heads = "".join(
        f'<marker id="{name}" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path d="M 0 0 L 8 4 L 0 8 z" fill="{fill}"/></marker>'
        for name, fill in (("head", "#5e81ac"), ("plug", "#a3702e"))
    )
    bottom = TOP + STEP * len(packages)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 {bottom}" font-family="sans-serif" font-size="14">'
        f"<title>Imports between the packages of swarmkit</title><defs>{heads}</defs>"
        f'<rect width="860" height="{bottom}" fill="white"/>' + "\n".join(shapes) + "</svg>\n"
    )


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
    print(f"{PICTURE.relative_to(ROOT)} written")
