"""Count how much a reader opens: statements, the code of one iteration, modules imported, members of the contract.

    python benchmarks/heart_size.py --json heart.json
    python benchmarks/heart_size.py --against benchmarks/results/heart-0.2.json

The version that is measured is the one that the interpreter imports. Statements are nodes of the syntax tree, with and
without the strings that document. An iteration is everything that runs inside the solver's `step` (or `steps`) once the
first iteration is complete, with compilation off, so that kernels count as well: distinct files, functions, lines of
these functions, and lines that ran, of this project, traced. Where no call begins after the first iteration, all calls
count.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

HEART = ("algorithms", "swarmkit/contract", "swarmkit/running", "swarmkit/search", "swarmkit/kernels")
"""The packages that the issue of the smaller heart is about, as beginnings of paths."""

APART = ("contract", "running", "search", "kernels", "stopping")
"""The packages of the core that have a row each; the others are one row."""

ITERATIONS = {
    "dbees": ("synthetic", {"n": 200, "window": 3, "seed": 1}),
    "sa": ("synthetic", {"n": 40, "window": 3, "seed": 1}),
    "ga": ("synthetic", {"n": 40, "window": 3, "seed": 1}),
    "tsp-aco": ("tsp", {"n": 20, "seed": 1}),
}
"""The solvers whose iteration is traced, each with a problem."""

METHODS = ("advance", "step", "steps")
"""The methods of a solver that an iteration begins with; `advance` of version 0.2 checks what `step` returns."""

COUNT = 3
"""The iterations of a traced run: the later ones count."""

COMMANDS = {
    "solve -p synthetic -a icm": "import sys; from swarmkit.cli import main; sys.argv[1:] = "
    "['solve', '-p', 'synthetic', '-a', 'icm', '--looks', '1000', '--json']; main()",
    "import of Problem": "import swarmkit; swarmkit.Problem",
    "import of the class of icm": "import swarmkit_baselines.icm",
}
"""Programs whose imports are counted."""

COUNT_MODULES = """
import atexit, sys
count = lambda: sum(name.startswith("swarmkit") for name in sys.modules)
atexit.register(lambda: sys.stderr.write(f"modules {count()}"))
"""

Lines = set[tuple[str, int, int]]
"""Executed lines: file, first line of the function, line."""


def root() -> Path:
    """Return the checkout that the interpreter imports."""
    import swarmkit

    return Path(str(swarmkit.__file__)).parent.parent


def package_of(path: Path) -> str:
    """Return the row that a file belongs to.

    >>> package_of(Path("swarmkit/contract/problem.py")), package_of(Path("swarmkit/cli/show.py"))
    ('swarmkit/contract', 'swarmkit, the rest')
    """
    first, second = path.parts[0], path.parts[1]
    if first == "swarmkit" and second not in APART:
        return "swarmkit, the rest"
    return f"{first}/{second}"


def documents(node: ast.stmt) -> bool:
    """Return whether a statement is a string: a docstring, or the meaning of an attribute."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def size_of(path: Path) -> Counter[str]:
    """Return the counts of one file."""
    statements = [node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.stmt)]
    with path.open("rb") as file:
        comments = {token.start[0] for token in tokenize.tokenize(file.readline) if token.type == tokenize.COMMENT}
    text = path.read_text(encoding="utf-8").splitlines()
    return Counter(
        {
            "files": 1,
            "lines": len(text),
            "comment lines": len(comments),
            "statements": sum(not documents(node) for node in statements),
            "with docstrings": len(statements),
        }
    )


def sizes(folder: Path) -> dict[str, dict[str, int]]:
    """Return the counts of every package, of the heart, and of all."""
    rows: dict[str, Counter[str]] = {}
    total, heart = Counter[str](), Counter[str]()
    for path in sorted(path for top in ("swarmkit", "algorithms", "problems") for path in (folder / top).rglob("*.py")):
        relative = path.relative_to(folder)
        size = size_of(path)
        rows.setdefault(package_of(relative), Counter()).update(size)
        total.update(size)
        if relative.as_posix().startswith(tuple(f"{part}/" for part in HEART)):
            heart.update(size)
    return {name: dict(row) for name, row in [*rows.items(), ("heart", heart), ("all", total)]}


class Tracer:
    """The lines of a project that run while tracing is on.

    Args:
        folder: the checkout.
    """

    def __init__(self, folder: Path) -> None:
        self._tops = tuple(f"{folder / top}{os.sep}" for top in ("swarmkit", "algorithms", "problems"))
        self.lines: Lines = set()

    def __call__(self, frame: FrameType, event: str, arg: Any) -> Callable[..., Any] | None:
        """Follow a frame of the project, and record its lines."""
        code = frame.f_code
        if not code.co_filename.startswith(self._tops) or code.co_name == "<module>":
            return None
        if event == "line":
            self.lines.add((code.co_filename, code.co_firstlineno, frame.f_lineno))
        return self


class TracedSolver:
    """Traces the calls of a solver's `step` and `steps`, each on its own.

    Args:
        solver: the solver, whose methods are wrapped.
        folder: the checkout.
    """

    def __init__(self, solver: Any, folder: Path) -> None:
        self._folder = folder
        self.calls: list[tuple[int, Lines]] = []
        """The iterations of each call, and its lines."""
        for name in METHODS:
            if hasattr(solver, name):
                setattr(solver, name, self._traced(getattr(solver, name)))

    def _traced(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*inputs: Any) -> Any:
            if sys.gettrace() is not None:  # a method that calls another one of them
                return method(*inputs)
            tracer = Tracer(self._folder)
            sys.settrace(tracer)
            try:
                step = method(*(one_iteration(value) for value in inputs))
            finally:
                sys.settrace(None)
            self.calls.append((int(getattr(step, "iterations", 1)), tracer.lines))
            return step

        return call

    def later_lines(self) -> Lines:
        """Return the lines of the calls that begin after the first iteration; of all if there is none."""
        complete, later = 0, []
        for iterations, lines in self.calls:
            if complete:
                later.append(lines)
            complete += iterations
        return set().union(*(later or [lines for _, lines in self.calls]))


def one_iteration(value: Any) -> Any:
    """Return a limit of version 0.2 (`Left`) as one of a single iteration; any other argument as it is."""
    limits = getattr(value, "_fields", ())
    return value._replace(iterations=1) if "iterations" in limits and "evaluations" in limits else value


def iteration(name: str) -> dict[str, Any]:
    """Return the files, functions and lines of one iteration of a solver."""
    import swarmkit

    kind, options = ITERATIONS[name]
    problem = swarmkit.make_problem(kind, **options)
    swarmkit.solve(problem, name, seed=1, iterations=COUNT)  # what is imported at the first use is no iteration
    solver = swarmkit.make_solver(name)
    traced = TracedSolver(solver, root())
    swarmkit.solve(problem, solver, seed=1, iterations=COUNT)
    lines = traced.later_lines()
    per_file = Counter(Path(file).relative_to(root()).as_posix() for file, _, _ in lines)
    return {
        "files": len(per_file),
        "functions": len({(file, function) for file, function, _ in lines}),
        "lines of functions": sum(map(function_lines, {line[:2] for line in lines})),
        "lines": len(lines),
        "lines of each file": dict(sorted(per_file.items())),
    }


def function_lines(place: tuple[str, int]) -> int:
    """Return the number of lines of the function (or lambda) that begins at a line of a file; 1 if none does."""
    file, first = place
    for node in ast.walk(ast.parse(Path(file).read_bytes())):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            begin = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
            if begin == first:
                return (node.end_lineno or begin) - begin + 1
    return 1


def iterations() -> dict[str, Any]:
    """Return the counts of one iteration of each solver, from a process in which compilation is off."""
    program = f"import json, heart_size as h; print(json.dumps({{n: h.iteration(n) for n in {list(ITERATIONS)}}}))"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-c", program]
    output = subprocess.run(command, cwd=Path(__file__).parent, env=environment, check=True, stdout=subprocess.PIPE)
    return dict(json.loads(output.stdout.splitlines()[-1]))


def modules(program: str) -> int:
    """Return how many modules of this project a program imports."""
    command = [sys.executable, "-c", f"{COUNT_MODULES}\n{program}"]
    output = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(output.stderr.rpartition("modules ")[2])


def members(name: str) -> int:
    """Return how many names the body of a class of the contract defines."""
    import swarmkit

    return len(set(_names(Path(sys.modules[getattr(swarmkit, name).__module__].__file__ or ""), name)))


def _names(path: Path, name: str) -> Iterator[str]:
    tree = ast.parse(path.read_bytes())
    body = next(node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == name)
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        yield from (target.id for target in targets if isinstance(target, ast.Name))


def measure() -> dict[str, Any]:
    """Return all figures of this version."""
    import swarmkit

    return {
        "version": swarmkit.__version__,
        "size": sizes(root()),
        "iteration": iterations(),
        "modules": {name: modules(program) for name, program in COMMANDS.items()},
        "members": {name: members(name) for name in ("Problem", "Solver")},
    }


def rows_of(figures: dict[str, Any]) -> dict[str, list[int]]:
    """Return the figures as rows of a table: a label, and its numbers."""
    columns = ("statements", "with docstrings", "lines", "comment lines", "files")
    rows = {name: [row.get(column, 0) for column in columns] for name, row in figures["size"].items()}
    for solver, row in figures["iteration"].items():
        counts = ("files", "functions", "lines of functions", "lines")
        rows[f"iteration of {solver}: {', '.join(counts)}"] = [row[count] for count in counts]
    rows |= {f"modules: {name}": [count] for name, count in figures["modules"].items()}
    return rows | {f"members: {name}": [count] for name, count in figures["members"].items()}


def main() -> None:
    """Print the figures, beside those of another version if they are at hand."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write the figures here")
    parser.add_argument("--against", type=Path, help="the figures of another version, to print beside these")
    options = parser.parse_args()
    figures = measure()
    before = rows_of(json.loads(options.against.read_text())) if options.against else {}
    print(f"{figures['version']}: statements, the same with docstrings, lines, comment lines, files")
    for label, numbers in rows_of(figures).items():
        print(f"{label:64}" + "".join(f"{number:8,}" for number in numbers), end="")
        print(f"   before{''.join(f'{number:8,}' for number in before[label])}" if label in before else "")
    heart = figures["size"]["heart"]["statements"]
    change = f" ({heart / before['heart'][0] - 1:+.1%})" if before else ""
    print(f"\nstatements of {', '.join(HEART)}: {heart:,}{change}")
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
