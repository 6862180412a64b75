"""The solver that enters the arena: a file, or an installed solver by its name."""

from __future__ import annotations

import ast
import importlib
import sys
import sysconfig
from collections.abc import Iterator
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, NamedTuple

from swarmkit.arena.conduct import Conduct
from swarmkit.arena.rules import Breach, Reason
from swarmkit.contract.errors import SwarmkitError
from swarmkit.contract.solver import Solver
from swarmkit.plugins.factory import make_solver
from swarmkit.plugins.host import import_file
from swarmkit.statistics.wording import join_words

FORBIDDEN = {
    "network": ("socket", "ssl", "http", "urllib", "ftplib", "requests", "httpx", "aiohttp"),
    "process": (
        "subprocess",
        "multiprocessing",
        "concurrent",
        "joblib",
        "dask",
        "distributed",
        "pty",
        "threading",
        "asyncio",
    ),
    "file": ("sqlite3", "shelve", "dbm", "mmap", "tempfile", "shutil", "glob", "fileinput"),
    "harness": ("ctypes", "cffi", "gc"),
    "clock": ("timeit", "sched", "signal", "resource"),
}
"""Modules that computing does not need, by the rule that importing one of them breaks."""

DOORS = ("swarmkit", "swarmkit.search", "swarmkit.kernels")
"""What a solver may import of swarmkit."""


class Submission(NamedTuple):
    """A solver, and where it comes from."""

    file: str = ""
    """The file; empty for an installed solver."""
    solver: str = ""
    """The name of the solver; may be empty if the file offers one alone."""

    @property
    def trusted(self) -> bool:
        """Whether the solver is installed: whoever installs a package has decided to run it."""
        return not self.file

    def owns(self, name: str) -> bool:
        """Whether a file of code is part of the submission."""
        return bool(self.file) and name == self.file


def load_submission(submission: Submission, conduct: Conduct) -> Solver[Any]:
    """Import a submission and return its solver with default parameters.

    Args:
        submission: what to import.
        conduct: where an import of other files is noted.

    Raises:
        Breach: it cannot be imported, or offers no solver or several.
    """
    if submission.trusted:
        return make_solver(submission.solver)
    before = set(sys.modules)
    try:
        kinds = _solvers_of(import_file(Path(submission.file)))
    except (Exception, SystemExit) as error:
        raise Breach("loading", f"It cannot be imported: {type(error).__name__}: {error}"[:500]) from None
    for name in sorted(set(sys.modules) - before):
        path = getattr(sys.modules[name], "__file__", None)
        if path and path != submission.file and not _is_installed(Path(path)):
            conduct.note("file", f"It imports {Path(path).name}, which is not part of the submission.")
    try:
        return _chosen(kinds, submission.solver)()
    except SwarmkitError as error:
        raise Breach("loading", str(error)) from None


def _solvers_of(module: Any) -> dict[str, type[Solver[Any]]]:
    """Return the solvers that a module offers by its hook, or else all that it defines."""
    hook = getattr(module, "swarmkit_solvers", None)
    if hook is not None:
        return dict(hook())
    own = [value for value in vars(module).values() if isinstance(value, type) and issubclass(value, Solver)]
    return {kind.__name__: kind for kind in own if kind.__module__ == module.__name__}


def _chosen(kinds: dict[str, type[Solver[Any]]], name: str) -> type[Solver[Any]]:
    if name in kinds:
        return kinds[name]
    names = ", ".join(kinds) or "none"
    if name:
        raise Breach("loading", f"It offers no solver named '{name}'; it offers {names}.")
    if len(kinds) != 1:
        choice = " (-a chooses one)" if kinds else ""
        words = f"It should offer one solver, by swarmkit_solvers or as a class; it offers {names}{choice}."
        raise Breach("loading", words)
    return next(iter(kinds.values()))


def _is_installed(path: Path) -> bool:
    """Whether a module is part of Python, of an installed package, or of swarmkit."""
    paths = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    core = importlib.import_module("swarmkit")
    roots = [*map(Path, paths), Path(core.__file__ or "").resolve().parent.parent]
    return any(path.resolve().is_relative_to(Path(root).resolve()) for root in roots)


def static_reasons(source: str) -> list[Reason]:
    """Return the imports in a source text that a solver does not need, as reasons, and clocks that show there alone.

    >>> [reason.rule for reason in static_reasons("import socket")]
    ['network']

    Raises:
        SyntaxError: it is not Python.
    """
    tree = ast.parse(source)
    asked = "It goes by the time: numpy.datetime64 (line {})."
    found = [Reason(rule="clock", words=asked.format(line)) for line in _clock_readings(tree)]
    for name, line in _imports(tree):
        for rule, modules in FORBIDDEN.items():
            if name.partition(".")[0] in modules:
                found.append(Reason(rule=rule, words=f"It imports {name} (line {line})."))
        if name.startswith("swarmkit.") and not name.startswith(DOORS[1:]):
            words = f"It imports {name} (line {line}); solvers import from {join_words(DOORS)}."
            found.append(Reason(rule="harness", words=words))
    return found


def beside(file: Path, source: str) -> list[Reason]:
    """Return the imports of modules that lie beside a file and are installed nowhere, as reasons."""
    found = []
    for name, line in _imports(ast.parse(source)):
        top = name.partition(".")[0]
        spec = None if top == file.stem else PathFinder.find_spec(top, [str(file.parent)])
        if spec and spec.origin and not _is_installed(Path(spec.origin)):
            words = f"It imports {Path(spec.origin).name} (line {line}), which is not part of the submission."
            found.append(Reason(rule="file", words=words))
    return found


def _clock_readings(tree: ast.AST) -> Iterator[int]:
    """Yield the lines in which numpy is asked for the time, which it takes from the system."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("datetime64") and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and first.value in ("now", "today"):
                yield node.lineno


def _imports(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield the modules that a syntax tree imports, with the lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module, node.lineno
