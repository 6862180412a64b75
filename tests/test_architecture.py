"""The picture of the packages is the code's, functions are narrow, and the core stays apart from its plugins."""

import ast
import re

import pytest

from tests.conftest import ROOT
from tests.pages import script

WIDEST = 8
"""The most parameters of a function outside the command line."""

WIDE = {
    "swarmkit/contract/lists.py __init__": "the data of routes and schedules, by name",
    "swarmkit/running/api.py solve": "the call that users write most: its keywords are options of the command line",
    "swarmkit/running/api.py solve_many": "the same call for several runs",
}
"""Functions with more parameters, and why."""

PACKAGES = ("swarmkit", "algorithms", "problems")


def sources():
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def width(function):
    given = function.args
    return len(given.posonlyargs) + len(given.args) + len(given.kwonlyargs)


def is_command(path, function):
    """Whether typer makes a command of it: its parameters are options, one each."""
    folder = path.relative_to(ROOT).parts
    return "cli" in folder or "commands" in folder or path.stem == "command"


def test_functions_have_few_parameters():
    wide = {
        f"{path.relative_to(ROOT).as_posix()} {node.name}"
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef) and width(node) > WIDEST and not is_command(path, node)
    }
    assert wide == set(WIDE)
    assert len(WIDE) <= 10


def test_the_picture_of_the_packages_is_up_to_date():
    drawing = script(ROOT / "docs/architecture.py")
    assert drawing.PICTURE.read_text() == drawing.draw(), "run: python docs/architecture.py"


def test_the_picture_shows_every_package_of_the_core():
    picture = (ROOT / "docs/architecture.svg").read_text()
    packages = {path.parent.name for path in (ROOT / "swarmkit").glob("*/__init__.py")}
    assert [name for name in packages if f">{name}<" not in picture] == []


PAGE = ROOT / "docs" / "architecture.md"
LONGEST = 45
"""Lines that are seen at once on a screen."""


def walk(block):
    """Return (indentation, file or None, name) of every call in a block of the page."""
    lines = [re.match(r"(\S+\.py)?( +|^)(\w[\w.]*)(, \w+)?(  |$)", line) for line in block.splitlines()]
    return [(line.start(3), line[1], line[3].split(".")[-1]) for line in lines if line]


@pytest.mark.parametrize("section", ["The walk of one `solve`", "One iteration of D-Bees"])
def test_walks_name_functions_of_the_code_and_fit_on_a_screen(section):
    text = PAGE.read_text().split(f"## {section}")[1].split("\n## ")[0].strip()
    assert len(text.splitlines()) <= LONGEST
    steps = 0
    for block in re.findall(r"^```text\n(.*?)^```", text, flags=re.S | re.M):
        callers = []
        for indentation, file, name in walk(block):
            callers = [(there, where) for there, where in callers if there < indentation]
            file = file or callers[-1][1]
            callers.append((indentation, file))
            folder = ROOT / ("swarmkit" if "/" in file else "algorithms/swarmkit_bees")
            assert re.search(rf"def {name}\b", (folder / file).read_text()), f"{file} has no {name}"
            steps += 1
    assert steps > 20


@pytest.mark.parametrize("word", ["bees?", "ants?", "hive", "tabu", "crossover", "pheromone", "annealing", "genetic"])
def test_the_core_has_no_line_about_a_solver(word):
    lines = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sorted((ROOT / "swarmkit").rglob("*.py"))
        for line in path.read_text().splitlines()
        if re.search(rf"\b{word}\b", line.lower())
    ]
    assert not lines


def test_no_module_of_the_core_imports_the_public_names():
    imports = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "swarmkit").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module == "swarmkit"
    ]
    assert not imports
