"""Copies of a checkout in which changed modules are tested, with those caches of kernels that a change leaves valid."""

from __future__ import annotations

import ast
import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from mutation import session

PRODUCT = ("swarmkit", "algorithms", "problems")
FILES = (
    *PRODUCT,
    "tests",
    "examples",
    "docs",
    "benchmarks",
    "pyproject.toml",
    "README.md",
    "CHANGELOG.md",
    "mkdocs.yml",
)
"""What of a checkout the tests may read."""

WORDNET = "wordnet"
"""The beginning of the names of the data of the user's cache; all else there is made from them by the code."""

LEXICON = "swarmkit_lexicon"
"""The package whose code makes what is in the cache, but for the tables of measures."""

TABLES = "graph-*"
"""The files of the cache with tables of measures."""

GIGABYTES = 8
"""The memory of a process: a change may ask for any amount."""

IDLE = 300.0
"""Seconds after which processes that use next to no CPU time are ended: they wait for nothing. A limit by the clock
alone would end tests on a busy machine, and count them as failed."""

BUSY = 0.2
"""CPU seconds in that time that are more than polling takes."""

PATIENCE = 10.0
"""Seconds for a process to tidy up after Ctrl-C."""


class Tested(NamedTuple):
    """How a run of pytest ended."""

    code: int | None
    """The exit code; None if it took too long."""
    seconds: float
    """CPU time, that of child processes included."""
    failed: list[str]
    """The tests that failed."""


class Workspace:
    """A copy of a checkout.

    Args:
        folder: where it is made.
        python: the interpreter, in whose environment the project and its tests are installed.
        times: a file that keeps the CPU times of tests.
    """

    def __init__(self, folder: Path, python: Path, times: Path) -> None:
        self.folder, self.python, self.times = folder, python, times
        self.tree, self._cache = folder / "checkout", folder / "cache"

    def copy_from(self, checkout: Path, cache: Path) -> None:
        """Copy a checkout, times of files included, so that caches stay valid, and the data of the user's cache."""
        shutil.rmtree(self.folder, ignore_errors=True)
        for name in FILES:
            if (checkout / name).is_dir():
                shutil.copytree(checkout / name, self.tree / name)
            elif (checkout / name).is_file():
                shutil.copy2(checkout / name, self.tree / name)
        if cache.is_dir():
            shutil.copytree(cache, self._cache)

    def put(self, module: Path, source: str) -> None:
        """Replace the source of a module, and remove what was compiled from it.

        Args:
            module: the path of the module in the checkout.
            source: its new source.
        """
        (self.tree / module).write_text(source, encoding="utf-8")
        for dependent in self.dependents(module):
            for file in _compiled(self.tree / dependent):
                file.unlink()
        self._forget(module)

    def restore(self, module: Path, pristine: Workspace) -> None:
        """Put a module back as it is in another copy, and all that is compiled."""
        shutil.copy2(pristine.tree / module, self.tree / module)
        ours, theirs = self._kernel_files(), pristine._kernel_files()
        for file in ours.keys() - theirs.keys():
            (self.tree / file).unlink()
        for file, stamp in theirs.items():
            if ours.get(file) != stamp:
                shutil.copy2(pristine.tree / file, self.tree / file)
        self._forget(module)

    def dependents(self, module: Path) -> list[Path]:
        """Return a module and those with compiled kernels that import it, directly or through each other.

        numba compiles what a kernel calls into the kernel, and looks at the kernel's own file alone to see whether its
        cache is valid.
        """
        kernels = [path for top in PRODUCT for path in (self.tree / top).rglob("*.py") if _compiled(path)]
        imports = {path.relative_to(self.tree): _imports(path) for path in kernels}
        reached, waiting = [module], [module]
        while waiting:
            name = _dotted(waiting.pop())
            new = [path for path, names in imports.items() if name in names and path not in reached]
            reached += new
            waiting += new
        return reached

    def test(self, arguments: Iterable[str], enough: float, seconds: float) -> Tested:
        """Run pytest.

        Args:
            arguments: its arguments.
            enough: the CPU time after which no further test begins.
            seconds: a limit on the CPU time of each process.
        """
        failed = self.folder / "failed"
        failed.unlink(missing_ok=True)
        command = [str(self.python), "-m", "pytest", "-n", "0", "-q", "--tb=no", "-p", "no:cacheprovider"]
        command += ["-p", "benchmarks.mutation.session", "--hypothesis-seed=25"]
        command += [f"--basetemp={self.folder / 'temporary'}", *arguments]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen(
            command,
            cwd=self.tree,
            env=self._environment()
            | {session.SECONDS: str(enough), session.FAILED: str(failed), session.TIMES: str(self.times)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=lambda: _limit(seconds),  # nothing but system calls
        )
        ended = _ends_unless_idle(process)
        code = None if not ended or process.returncode == -signal.SIGXCPU else process.returncode
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Tested(code, cpu, failed.read_text(encoding="utf-8").splitlines() if failed.exists() else [])

    def _environment(self) -> dict[str, str]:
        """Return the environment in which the copy shadows the installation, and writes nowhere else."""
        path = os.pathsep.join(str(self.tree / part) for part in ("", "algorithms", "problems"))
        private = {"SWARMKIT_CACHE": self._cache, "SWARMKIT_TEST_DATA": self.folder / "none", "PYTHONPATH": path}
        return os.environ | {name: str(value) for name, value in private.items()}

    def _forget(self, module: Path) -> None:
        """Remove what the code of a module, or code that it calls, may have put into the private cache."""
        if module.parts[0] != "problems":
            return
        for item in self._cache.glob("*" if LEXICON in module.parts else f"compiled/{TABLES}"):
            if not item.name.startswith(WORDNET):
                shutil.rmtree(item) if item.is_dir() else item.unlink()

    def has_kernels(self, module: Path) -> bool:
        """Return whether a change of a module makes kernels be compiled again."""
        return any(_compiled(self.tree / dependent) for dependent in self.dependents(module))

    def _kernel_files(self) -> dict[Path, tuple[int, int]]:
        """Return the files of numba's caches, each with its time and size."""
        files = [path for top in PRODUCT for path in (self.tree / top).rglob("__pycache__/*.nb[ic]")]
        return {path.relative_to(self.tree): (path.stat().st_mtime_ns, path.stat().st_size) for path in files}


def _compiled(path: Path) -> list[Path]:
    """Return the files of numba's cache for a module."""
    return list((path.parent / "__pycache__").glob(f"{path.stem}.*.nb[ic]"))


def _dotted(path: Path) -> str:
    """Return the name of a module.

    >>> _dotted(Path("algorithms/swarmkit_bees/kernel.py"))
    'swarmkit_bees.kernel'
    """
    parts = path.with_suffix("").parts
    return ".".join(parts if parts[0] == "swarmkit" else parts[1:])


def _imports(path: Path) -> set[str]:
    """Return the names that a module imports, each as a module and as a member of one."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.update([node.module, *(f"{node.module}.{alias.name}" for alias in node.names)])
    return names


def _limit(seconds: float) -> None:
    """Limit CPU time and memory of this process and those that it starts, and let it hear Ctrl-C."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 30))
    resource.setrlimit(resource.RLIMIT_AS, (GIGABYTES << 30, GIGABYTES << 30))
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _ends_unless_idle(process: subprocess.Popen[bytes]) -> bool:
    """Wait for the end of a process, and return whether it came by itself."""
    used = 0.0
    while True:
        try:
            process.wait(timeout=IDLE)
            return True
        except subprocess.TimeoutExpired:
            before, used = used, _cpu_seconds(process.pid)
            if used - before < BUSY:
                _end(process)
                return False


def _cpu_seconds(session: int) -> float:
    """Return the CPU time of the processes of a session so far, those that have ended and were waited for included."""
    ticks = 0
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        if int(fields[3]) == session:
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and those of its group: by Ctrl-C, so that fixtures tidy up, then for certain."""
    for sign in (signal.SIGINT, signal.SIGKILL):
        os.killpg(process.pid, sign)
        try:
            process.wait(timeout=PATIENCE)
            return
        except subprocess.TimeoutExpired:
            continue
