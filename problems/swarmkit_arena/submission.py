"""The solver that enters the arena: a file, or an installed solver by its name; and what its source text shows."""

from __future__ import annotations

import ast
import os
import re
import sys
import sysconfig
from collections.abc import Iterator
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, NamedTuple

import swarmkit
from swarmkit import Solver, SwarmkitError, UsageError, find, import_file, make_solver
from swarmkit.statistics import join_words
from swarmkit_arena.audit_log import AuditLog
from swarmkit_arena.rules import Breach, Reason

MODULES = {
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
        "_thread",
        "asyncio",
    ),
    "file": ("sqlite3", "shelve", "dbm", "mmap", "tempfile", "shutil", "glob", "fileinput"),
    "harness": ("ctypes", "cffi", "gc", "swarmkit_arena"),
    "clock": ("timeit", "sched", "signal", "resource"),
}
"""Modules that computing does not need, by the rule that importing one of them breaks."""

PUBLIC = ("swarmkit", "swarmkit.search", "swarmkit.kernels")
"""What a solver may import of swarmkit."""

CLOCKS = ("time", "perf_counter", "monotonic", "process_time", "thread_time", "clock_gettime")
"""The clocks of the module `time`; each has a twin that counts nanoseconds."""

TIMES = (
    *(f"time.{clock}{unit}" for clock in CLOCKS for unit in ("", "_ns")),
    *(f"time.{name}" for name in ("localtime", "gmtime", "ctime", "strftime", "sleep")),
    *(f"datetime.datetime.{name}" for name in ("now", "utcnow", "today")),
    *("datetime.date.today", "os.times", "os.getloadavg"),
)
"""Functions that tell the time in some form, or let it pass."""

QUESTIONS = ("exists", "lexists", "isfile", "isdir", "islink", "getsize", "getmtime", "getatime", "getctime")
"""Functions of os.path that tell something about a file without opening it, for which there are no audit events."""

FUNCTIONS = {
    **{name: ("clock", f"goes by the time: {name}") for name in TIMES},
    **{f"os.path.{name}": ("file", "looks for a file") for name in QUESTIONS},
    **{f"os.{name}": ("file", "looks for a file") for name in ("stat", "lstat", "access", "readlink")},
    **{f"os.{name}": ("file", "reads the environment of the process") for name in ("environ", "environb", "getenv")},
}
"""Functions of Python that computing does not need: the rule that is broken by each, and what it does."""

ASSIGNMENT = ("state", "keeps something in the environment of the process")
"""The rule and what is done where an item of one of FUNCTIONS is assigned: only `os.environ` has items."""


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


def find_submission(entry: str, solver: str) -> Submission:
    """Return the submission that a file or a name stands for.

    Args:
        entry: a Python file, or the name of a registered solver.
        solver: the solver of the file that is meant; empty if it offers one alone.

    Raises:
        UsageError: there is no such file or solver.
    """
    if not entry.endswith(".py") and os.sep not in entry:
        _check_installed(entry, solver)
        return Submission(solver=entry)
    file = Path(entry)
    if not file.is_file():
        raise UsageError(f"{entry}: {'is a folder; expected a Python file' if file.is_dir() else 'no such file'}")
    if file.suffix != ".py" or not file.stem.isidentifier() or file.stem in sys.stdlib_module_names:
        raise UsageError(f"{entry}: a submission has a name like my_solver.py, which no module of Python has")
    return Submission(file=str(file.resolve()), solver=solver)


def _check_installed(entry: str, solver: str) -> None:
    """Refuse a name that no installed solver has, and a choice among the solvers of a file where none is named."""
    try:
        find("solver", entry)
    except UsageError as error:
        if Path(f"{entry}.py").is_file():
            raise UsageError(f"no solver named '{entry}' is installed. Did you mean the file {entry}.py?") from None
        if entry and Path(entry).exists():
            raise UsageError(f"{entry}: expected a Python file such as my_solver.py, or the name of a solver") from None
        raise error
    if solver:
        raise UsageError(f"-a {solver} chooses a solver of a file, and '{entry}' is an installed one; leave -a out")


def load_submission(submission: Submission, log: AuditLog) -> Solver[Any]:
    """Import a submission and return its solver with default parameters.

    Args:
        submission: what to import.
        log: where an import of other files is noted.

    Raises:
        Breach: it cannot be imported, or offers no solver or several.
    """
    if submission.trusted:
        return make_solver(submission.solver)
    before = set(sys.modules)  # what the import adds to these, the submission has brought
    try:
        kinds = _solvers_of(import_file(Path(submission.file)))
    except (Exception, SystemExit) as error:
        raise Breach("loading", f"It cannot be imported: {type(error).__name__}: {error}"[:500]) from None
    for name in sorted(set(sys.modules) - before):
        path = getattr(sys.modules[name], "__file__", None)
        if path and path != submission.file and not _is_installed(Path(path)):
            log.note("file", f"It imports {Path(path).name}, which is not part of the submission.")
    try:
        return _choose(kinds, submission.solver)()
    except SwarmkitError as error:
        raise Breach("loading", str(error)) from None


def _solvers_of(module: Any) -> dict[str, type[Solver[Any]]]:
    """Return the solvers that a module offers by its hook, or else all that it defines."""
    hook = getattr(module, "swarmkit_solvers", None)
    if hook is not None:
        return dict(hook())
    kinds = [value for value in vars(module).values() if isinstance(value, type) and issubclass(value, Solver)]
    return {kind.__name__: kind for kind in kinds if kind.__module__ == module.__name__}


def _choose(kinds: dict[str, type[Solver[Any]]], name: str) -> type[Solver[Any]]:
    """Return the solver of a name among those of a file, or the only one where no name is told."""
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


def _installation_roots() -> tuple[Path, ...]:
    """Return the folders of Python, of swarmkit, and of all packages that pip has installed on the path."""
    paths = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    # There may be several: that of the system, that of the user, one of `pip install --target`.
    sites = [path for path in sys.path if path and _holds_packages(Path(path))]
    # In a checkout swarmkit is not below site-packages.
    roots = [*paths, *sites, str(Path(swarmkit.__file__).resolve().parents[1])]
    # Packages may be links to where they lie, and the folders, too.
    return tuple(folder for root in roots for folder in {Path(root).absolute(), Path(root).resolve()})


def _holds_packages(folder: Path) -> bool:
    """Whether pip has installed packages in a folder, as far as this user may look into it."""
    try:
        return any(folder.glob("*.dist-info"))
    except OSError:
        return False


ROOTS = _installation_roots()
"""Those folders, as they are before a submission can change the path."""


def _is_installed(path: Path) -> bool:
    """Whether a module is part of Python, of an installed package, or of swarmkit."""
    return any(place.is_relative_to(root) for place in (path.absolute(), path.resolve()) for root in ROOTS)


def static_reasons(source: str) -> list[Reason]:
    r"""Return what a source text imports and uses that computing does not need, as reasons.

    Names alone are looked at: what is computed, such as a name from a string, shows when the solver runs.

    >>> [reason.words for reason in static_reasons("from time import time as now\nif now() > 3: import socket")]
    ['It goes by the time: time.time (line 2).', 'It imports socket (line 2).']

    Raises:
        SyntaxError: it is not Python.
    """
    tree = ast.parse(source)
    reasons = [Reason(rule=rule, words=f"It {deed} (line {line}).") for rule, deed, line in _functions(tree)]
    for name, line in _imports(tree):
        rules = [rule for rule, modules in MODULES.items() if name.partition(".")[0] in modules]
        reasons += [Reason(rule=rule, words=f"It imports {name} (line {line}).") for rule in rules]
        if name.startswith("swarmkit.") and not name.startswith(PUBLIC[1:]):
            words = f"It imports {name} (line {line}); solvers import from {join_words(PUBLIC)}."
            reasons.append(Reason(rule="harness", words=words))
    return reasons


def neighbour_reasons(file: Path, source: str) -> list[Reason]:
    """Return the imports of modules that lie beside a file and are installed nowhere, as reasons."""
    reasons = []
    for name, line in _imports(ast.parse(source)):
        top = name.partition(".")[0]
        spec = None if top == file.stem else PathFinder.find_spec(top, [str(file.parent)])
        if spec and spec.origin and not _is_installed(Path(spec.origin)):
            words = f"It imports {Path(spec.origin).name} (line {line}), which is not part of the submission."
            reasons.append(Reason(rule="file", words=words))
    return reasons


def _functions(tree: ast.Module) -> Iterator[tuple[str, str, int]]:
    """Yield the rule, what breaks it and the line, wherever a syntax tree uses one of FUNCTIONS."""
    aliases = {alias: name for name, alias in _aliases(tree)}
    # What runs only as a script, such as an author's own timing, does not run here.
    parts = [node for node in tree.body if not (isinstance(node, ast.If) and "__main__" in ast.unparse(node.test))]
    nodes = [node for part in parts for node in ast.walk(part)]
    targets = {id(n.value) for n in nodes if isinstance(n, ast.Subscript) and not isinstance(n.ctx, ast.Load)}
    for node in nodes:
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            root, dot, rest = ast.unparse(node).partition(".")
            name = aliases.get(root, root) + dot + rest
            if name in FUNCTIONS:
                yield *(ASSIGNMENT if id(node) in targets else FUNCTIONS[name]), node.lineno
        elif isinstance(node, ast.Call) and re.match(r"[\w.]*datetime64\(['\"](now|today)", ast.unparse(node)):
            yield "clock", "goes by the time: numpy.datetime64", node.lineno


def _aliases(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield what a syntax tree imports, by its full name, and how it is called there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, alias.asname) for alias in node.names if alias.asname)
        elif isinstance(node, ast.ImportFrom):
            yield from ((f"{node.module}.{alias.name}", alias.asname or alias.name) for alias in node.names)


def _imports(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield the modules that a syntax tree imports, with the lines; those, too, that it imports by a function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module, node.lineno
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            yield from ((str(first.value), node.lineno) for first in node.args[:1] if isinstance(first, ast.Constant))
