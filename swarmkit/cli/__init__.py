"""The command line: one module per group of commands; nothing heavy is imported before a command needs it.

Exit codes: 0 done, 1 a check or replay that failed (or a bug), 2 wrong use, 3 missing data or extra, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swarmkit.contract.errors import PluginError, SwarmkitError

if TYPE_CHECKING:
    import typer

__all__ = ["main"]


def main() -> None:
    """Run the command line; errors become a sentence and an exit code."""
    warnings.showwarning = _show_warning
    try:
        files, arguments = plugin_files(sys.argv[1:])
        _app(files)(args=arguments, prog_name="swarmkit")
    except SwarmkitError as error:
        _fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        _fail("interrupted", 130)
    except Exception as error:
        if os.environ.get("SWARMKIT_TRACEBACK"):
            raise
        message = f"internal error: {type(error).__name__}: {error}"
        _fail(f"{message}; please report it with the traceback, which SWARMKIT_TRACEBACK=1 shows", 1)


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


def _app(files: list[Path]) -> typer.Typer:
    from swarmkit.cli.app import make_app
    from swarmkit.plugins.host import host

    for plugin in host().load_files(files):
        if plugin.error:
            raise PluginError(f"plugin {plugin.source}: {plugin.error}")
    return make_app(host())


def _fail(sentence: str, code: int) -> None:
    print(f"swarmkit: {sentence}", file=sys.stderr)
    sys.exit(code)


def _show_warning(message: Any, *_: Any, **__: Any) -> None:
    print(f"swarmkit: {message}", file=sys.stderr)
