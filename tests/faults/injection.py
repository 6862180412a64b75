"""Faults at every place where a command opens, writes, syncs or renames a file.

The call fails, the disk is full from there on, or the process dies.

    python -m tests.faults.injection studies --most 12

A place is a call of the system for a file in the folder of a scenario. For each fault the scenario runs in a process
of its own, with the library of `shim.c`, and what it has left is examined. `RESULT` lines are the counts as JSON.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

SHIM = Path(__file__).with_name("shim.c")

MODES = {"fails": 1, "disk full": 2, "dies": 3}


class Outcome(NamedTuple):
    """How a process ended: its exit code (negative for a signal), and what it printed."""

    code: int
    out: str
    err: str


class Scenario(NamedTuple):
    """What is done with a kind of file, and how it is seen that nothing was lost or torn."""

    prepare: Callable[[Path], None]
    """Make the files that are there before."""
    act: Callable[[], None]
    """Do it, in the folder of the files; it ends with SystemExit, as a command does."""
    flaw: Callable[[Path, Outcome, Outcome], str]
    """Return what is wrong (`lost: …` or `torn: …`) in a folder after a fault; the outcome, and the sound one."""


def build_shim(folder: Path) -> Path | None:
    """Compile the library; return None where there is no compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or sys.platform != "linux":
        return None
    library = folder / "shim.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, SHIM, "-ldl"], check=True)
    return library


def count_faults(kind: str, library: Path, most: int | None = None) -> dict[str, int]:
    """Return the counts of a kind of files: places, faults, and what was lost, torn or a traceback; prints the flaws.

    Args:
        kind: the name of the kind, one of `tests.faults.kinds.KINDS`.
        library: the compiled shim.
        most: how many places are tried in each mode, evenly spread; None is all of them.
    """
    command = [sys.executable, "-m", "tests.faults.injection", kind, *(["--most", str(most)] if most else [])]
    environment = os.environ | {"LD_PRELOAD": str(library)}
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    rows = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    assert rows, done.stdout
    print(*(line for line in done.stdout.splitlines() if line not in rows), sep="\n")
    result: dict[str, int] = json.loads(rows[0].removeprefix("RESULT "))
    return result


def call(act: Callable[[], None], folder: Path, place: int, mode: int) -> tuple[Outcome, int]:
    """Do something in a folder, in a child process with a fault; return its outcome and the number of places."""
    sys.stdout.flush()
    with tempfile.TemporaryDirectory() as name:
        said = [Path(name) / stream for stream in ("out", "err", "places")]
        child = os.fork()
        if child == 0:
            code = 70
            try:
                for descriptor, file in enumerate(said[:2], 1):
                    os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT), descriptor)
                os.chdir(folder)
                os.environ["TMPDIR"] = name
                shim = ctypes.CDLL(None)
                shim.shim_arm(os.fsencode(f"{folder}/"), place, mode)
                code = _exit_code(act)
                said[2].write_text(str(shim.shim_disarm()))
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        outcome = Outcome(os.waitstatus_to_exitcode(status), *(file.read_text() for file in said[:2]))
        return outcome, int(said[2].read_text()) if said[2].exists() else 0


def _exit_code(act: Callable[[], None]) -> int:
    try:
        act()
    except SystemExit as end:
        return int(end.code or 0)
    except BaseException:
        import traceback

        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def examine(scenario: Scenario, most: int | None) -> dict[str, int]:
    """Try the faults of a scenario, and return the counts."""
    counts = Counter({"places": 0, "faults": 0, "lost": 0, "torn": 0, "tracebacks": 0})
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)

        def attempt(place: int, mode: int) -> tuple[Path, Outcome, int]:
            folder = home / f"{mode}-{place}"
            shutil.copytree(home / "before", folder)
            return folder, *call(scenario.act, folder, place, mode)

        (home / "before").mkdir()
        scenario.prepare(home / "before")
        # Once in this process: children import and compile nothing, and open the same files in the same order.
        shutil.copytree(home / "before", home / "warm")
        with (
            contextlib.chdir(home / "warm"),
            Path(os.devnull).open("w") as nowhere,
            contextlib.redirect_stdout(nowhere),
        ):
            _exit_code(scenario.act)
        _, sound, places = attempt(0, 1)
        assert sound.code == 0, sound
        counts["places"] = places
        step = 1 if most is None else max(1, places / most)
        for mode_name, mode in MODES.items():
            for place in sorted({int(1 + step * i) for i in range(int(places / step))}):
                folder, outcome, _ = attempt(place, mode)
                counts["faults"] += 1
                flaw = _flaw(scenario, folder, outcome, sound)
                counts[flaw.partition(":")[0]] += bool(flaw)
                if flaw:
                    print(
                        f"place {place} {mode_name}, exit code {outcome.code}: {flaw}\n{outcome.err[-1500:]}",
                        flush=True,
                    )
                shutil.rmtree(folder)
    return {name: counts[name] for name in ("places", "faults", "lost", "torn", "tracebacks")}


def _flaw(scenario: Scenario, folder: Path, outcome: Outcome, sound: Outcome) -> str:
    words = ("Traceback", "internal error", "--traceback shows")
    if any(word in outcome.err for word in words) or outcome.code not in (0, 1, 2, 3, -9):
        return "tracebacks: an error that is no sentence"
    if outcome.code > 0 and not outcome.err.strip():
        return "tracebacks: nothing said"
    return scenario.flaw(folder, outcome, sound)


def main() -> None:
    """Examine one kind of files."""
    from tests.faults.kinds import KINDS

    most = int(sys.argv[3]) if len(sys.argv) > 2 else None
    print("RESULT", json.dumps(examine(KINDS[sys.argv[1]], most)))


if __name__ == "__main__":
    main()
