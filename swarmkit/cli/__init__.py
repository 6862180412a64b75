"""The command line: one module per group of commands; nothing heavy is imported before a command needs it.

Exit codes: 0 done, 1 a check or replay that failed (or a bug), 2 wrong use, 3 missing data or extra, 130 interrupted.
"""

from __future__ import annotations

import gc
import os
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swarmkit.cli.streams import UNWRITABLE, discard_output, prepare_streams
from swarmkit.contract.errors import PluginError, PluginFailure, SwarmkitError
from swarmkit.plugins.failures import TRACEBACK, name_plugin, sentence_of
from swarmkit.plugins.output import divert_plugin_output
from swarmkit.running.interrupts import handled_interrupts

if TYPE_CHECKING:
    import typer

__all__ = ["main"]


COLLECTION_THRESHOLD = 10_000
"""Objects after which cycles are looked for: imports make many objects, hardly a cycle, and would look 100 times."""


def main() -> None:
    """Run the command line; errors become a sentence and an exit code."""
    gc.set_threshold(COLLECTION_THRESHOLD)
    prepare_streams()
    warnings.showwarning = _show_warning
    files, with_traceback, arguments = global_options(sys.argv[1:])
    with handled_interrupts(terminations=True), divert_plugin_output(), _tracebacks(with_traceback):
        try:
            try:
                _app(files, arguments)(args=arguments, prog_name="swarmkit")
            finally:  # a disk that is full shows here, where it still becomes a sentence
                sys.stdout.flush()
        except KeyboardInterrupt:
            _fail("interrupted", 130)
        except SystemExit as end:  # Typer turns a Ctrl-C that no command caught into an exit without a word
            if isinstance(getattr(end.__context__, "__cause__", None), KeyboardInterrupt):
                _fail("interrupted", 130)
            raise
        except Exception as error:
            _explain(error)


def _explain(error: Exception) -> None:
    """Print an error as a sentence, below its traceback if that was asked for, and leave with its exit code."""
    if os.environ.get(TRACEBACK) and not isinstance(error, PluginFailure):  # the traceback of that was shown
        traceback.print_exception(error)
    if isinstance(error, OSError) and error.errno in UNWRITABLE and error.filename is None:
        discard_output()
        _fail(f"standard output: cannot be written ({error.strerror})", 2)
    if isinstance(error, MemoryError):
        _fail(sentence_of(error), 2)
    failure = name_plugin(error) or error
    if isinstance(failure, SwarmkitError):
        _fail(str(failure), failure.exit_code)
    _fail(f"{sentence_of(error)}; please report it with the traceback, which --traceback shows", 1)


def global_options(arguments: list[str]) -> tuple[list[Path], bool, list[str]]:
    """Return the files of all options `--plugin FILE`, whether there is a `--traceback`, and the other arguments.

    This precedes all other parsing, because a plugin may bring commands.

    >>> global_options(["solve", "--plugin", "my.py", "--traceback", "-a", "mine"])
    ([PosixPath('my.py')], True, ['solve', '-a', 'mine'])
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    files: list[Path] = []
    rest: list[str] = []
    words = iter(arguments[:end])
    for word in words:
        if word.startswith("--plugin="):
            files.append(Path(word.removeprefix("--plugin=")))
        elif word == "--plugin" and (file := next(words, None)) is not None:
            files.append(Path(file))
        else:  # a last word --plugin, too: the parser reports that its value is missing
            rest.append(word)
    remainder = [word for word in rest if word != "--traceback"]
    return files, len(remainder) < len(rest), remainder + arguments[end:]


@contextmanager
def _tracebacks(enabled: bool) -> Iterator[None]:
    """Show tracebacks, in worker processes too, if they are asked for."""
    before = os.environ.get(TRACEBACK)
    if enabled:
        os.environ[TRACEBACK] = "1"
    try:
        yield
    finally:
        if enabled and before is None:
            del os.environ[TRACEBACK]


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


def _show_warning(message: Any, *_: Any, **__: Any) -> None:
    print(f"swarmkit: {message}", file=sys.stderr)
