"""The command line: one module per group of commands; nothing heavy is imported before a command needs it.

Exit codes: 0 done, 1 a check or replay that failed (or a bug), 2 wrong use, 3 missing data or extra, 130 interrupted.
"""

from __future__ import annotations

import errno
import gc
import os
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swarmkit.contract.errors import PluginError, PluginFailure, SwarmkitError

if TYPE_CHECKING:
    import typer

__all__ = ["main"]


COLLECTED = 10_000
"""Objects after which cycles are looked for: imports make many objects, hardly a cycle, and would look 100 times."""

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""The errors of a disk that takes no more."""


def main() -> None:
    """Run the command line; errors become a sentence and an exit code."""
    from swarmkit.plugins.output import plugin_output_diverted

    gc.set_threshold(COLLECTED)
    warnings.showwarning = _show_warning
    arguments = sys.argv[1:]
    with plugin_output_diverted(), _tracebacks(asked_for_traceback(arguments)):
        try:
            files, arguments = plugin_files(arguments)
            try:
                _app(files, arguments)(args=arguments, prog_name="swarmkit")
            finally:
                sys.stdout.flush()
        except KeyboardInterrupt:
            _fail("interrupted", 130)
        except Exception as error:
            _explain(error)


def _explain(error: Exception) -> None:
    """Print an error as a sentence, below its traceback if that was asked for, and leave with its exit code."""
    from swarmkit.plugins.failures import TRACEBACK, name_plugin

    if os.environ.get(TRACEBACK) and not isinstance(error, PluginFailure):  # the traceback of that was shown
        traceback.print_exception(error)
    if isinstance(error, MemoryError):
        _fail(f"not enough memory ({error or 'no more can be allocated'}); something smaller would fit", 2)
    if isinstance(error, OSError) and error.errno in FULL and error.filename is None:
        _discard_output()
        _fail(f"standard output: cannot be written ({error.strerror})", 2)
    named = name_plugin(error) or error
    if isinstance(named, SwarmkitError):
        _fail(str(named), named.exit_code)
    message = f"internal error: {type(error).__name__}: {error}"
    _fail(f"{message}; please report it with the traceback, which --traceback shows", 1)


def asked_for_traceback(arguments: list[str]) -> bool:
    """Take the option `--traceback` out of the arguments, and return whether it was there.

    >>> asked_for_traceback(["solve", "--traceback"])
    True
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    rest = [argument for argument in arguments[:end] if argument != "--traceback"]
    arguments[:end] = rest
    return len(rest) < end


@contextmanager
def _tracebacks(asked: bool) -> Iterator[None]:
    """Show tracebacks, in worker processes too, if they are asked for."""
    from swarmkit.plugins.failures import TRACEBACK

    before = os.environ.get(TRACEBACK)
    if asked:
        os.environ[TRACEBACK] = "1"
    try:
        yield
    finally:
        if asked and before is None:
            del os.environ[TRACEBACK]


def plugin_files(arguments: list[str]) -> tuple[list[Path], list[str]]:
    """Return the files of all options `--plugin FILE`, and the other arguments.

    This precedes all other parsing, because a plugin may bring commands.

    >>> plugin_files(["solve", "--plugin", "my.py", "-a", "mine"])
    ([PosixPath('my.py')], ['solve', '-a', 'mine'])
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    files: list[Path] = []
    rest: list[str] = []
    given = iter(arguments[:end])
    for argument in given:
        if argument == "--plugin":
            file = next(given, None)
            if file is None:
                return files, arguments  # the parser reports that a value is missing
            files.append(Path(file))
        elif argument.startswith("--plugin="):
            files.append(Path(argument.removeprefix("--plugin=")))
        else:
            rest.append(argument)
    return files, rest + arguments[end:]


def _app(files: list[Path], arguments: list[str]) -> typer.Typer:
    from swarmkit.cli.app import called_alone, make_app
    from swarmkit.plugins.host import host

    for plugin in host().load_files(files):
        if plugin.error:
            raise PluginError(f"plugin {plugin.source}: {plugin.error}")
    return called_alone(make_app(host(), arguments[0] if arguments else ""), arguments)


def _fail(sentence: str, code: int) -> None:
    print(f"swarmkit: {sentence}", file=sys.stderr)
    sys.exit(code)


def _discard_output() -> None:
    """Send what is still to be printed nowhere, so that leaving does not try to print it once more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _show_warning(message: Any, *_: Any, **__: Any) -> None:
    print(f"swarmkit: {message}", file=sys.stderr)
