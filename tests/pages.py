"""Run the code blocks of a documentation page in order, in one directory and one namespace.

`python` blocks are executed, `sh` blocks are scripts (of which plain `swarmkit` commands are run in this process, where
kernels and WordNet are loaded already), an `output` block is the expected output of the block before it,
a block below `<!-- file: NAME -->` is written to that file, `text` is not code, `<!-- not run: why -->` excludes one.
"""

import contextlib
import importlib.util
import io
import os
import re
import shlex
import signal
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from swarmkit.cli import main

BLOCK = re.compile(
    r"^(?:<!-- (?P<mark>file|not run): (?P<what>.+?) -->\n)?```(?P<kind>\S*)\n(?P<text>.*?)^```$", re.S | re.M
)


PLAIN = re.compile(r"swarmkit (?!.*--plugin)[^|<>&;$`*?~\\]*")
"""A command without pipes, redirections and what else a shell would do; plugins in a page's files stay in a process."""


PATIENCE = 600
"""Seconds after which a script has failed: one that waits for a server that has ended would wait for ever."""


class Block(NamedTuple):
    mark: str | None
    what: str | None
    kind: str
    text: str

    @property
    def runs(self) -> bool:
        """Whether it is code that is run, or imported by such code."""
        return self.mark != "not run" and self.kind in ("python", "sh")


def blocks(page: Path) -> list[Block]:
    return [Block(**found.groupdict()) for found in BLOCK.finditer(page.read_text(encoding="utf-8"))]


def run_page(page: Path, folder: Path) -> None:
    """Run all blocks of a page; files are written to `folder`, the current directory."""
    with as_module("page") as names:
        printed = ""
        for block in blocks(page):
            printed = run_block(block, printed, names, folder)


def run_block(block: Block, printed: str, names: dict, folder: Path) -> str:
    """Run one block and return its output; `printed` is the output of the block before it."""
    if block.mark == "file":
        (folder / block.what).write_text(block.text, encoding="utf-8")
    elif block.mark == "not run" or block.kind == "text":
        pass
    elif block.kind == "python":
        return run_python(block.text, names)
    elif block.kind == "sh":
        return run_shell(block.text, folder)
    else:
        assert block.kind == "output", f"unknown kind of block '{block.kind}':\n{block.text}"
        assert tidy(printed) == tidy(block.text), block.text
    return printed


@contextlib.contextmanager
def as_module(name: str) -> Iterator[dict]:
    """Yield the namespace of a module that can be imported meanwhile, so that its classes can be pickled."""
    sys.modules[name] = module = types.ModuleType(name)
    try:
        yield vars(module)
    finally:
        del sys.modules[name]


def run_python(text: str, names: dict) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(text, "<documentation>", "exec"), names)  # noqa: S102  (our own documentation)
    return printed.getvalue()


def run_shell(text: str, folder: Path) -> str:
    """Run a script that stops at the first command that fails, with this environment's `swarmkit`."""
    lines = [line for line in text.splitlines() if line.strip()]
    if all(line.startswith("swarmkit ") and not line.endswith("\\") for line in lines):
        return "".join(run_line(line, folder) for line in lines)
    return run_bash(text, folder)


def run_line(line: str, folder: Path) -> str:
    """Run one command: in this process, unless it takes a shell."""
    if PLAIN.fullmatch(line.partition(" #")[0]):
        return run_command(shlex.split(line, comments=True))
    return run_bash(line, folder)


def run_bash(text: str, folder: Path) -> str:
    """Run a script in a shell that stops at the first command that fails, and kill what it leaves running."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PATH": path, "COLUMNS": "120"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    command = ["bash", "-euo", "pipefail", "-c", text]
    with subprocess.Popen(command, cwd=folder, env=environment, start_new_session=True, **pipes) as process:
        try:
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 0, f"{text}\n{out}\n{err}"
    return out


def run_command(words: list[str]) -> str:
    """Run a `swarmkit` command in this process, and return what it prints."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "120")
        for name, value in {"argv": words, "stdout": out, "stderr": err}.items():
            patch.setattr(sys, name, value)
        with pytest.raises(SystemExit) as end:
            main()
    assert not end.value.code, f"{words}\n{err.buffer.getvalue().decode()}"
    return out.buffer.getvalue().decode()


def tidy(text: str) -> list[str]:
    """Return the lines without trailing spaces and surrounding blank lines."""
    return [line.rstrip() for line in text.strip().splitlines()]


def script(path: Path) -> types.ModuleType:
    """Return a script outside the packages (`docs/tables.py`) as a module."""
    specification = importlib.util.spec_from_file_location(f"script_{path.stem}", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module
