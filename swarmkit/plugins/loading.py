"""Which plugins are loaded, and single-file plugins imported."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

from swarmkit.contract.errors import UsageError, unknown


def names_to_load(only: str | None, names: set[str], variable: str) -> set[str]:
    """Return the names of the entry points to load.

    Args:
        only: names to take, or names to leave out, each with a `-` before it, separated by commas; None for all.
        names: the names of all entry points.
        variable: the environment variable that `only` comes from, for messages.

    >>> sorted(names_to_load("-b", {"a", "b", "c"}, "PLUGINS"))
    ['a', 'c']
    """
    if only is None:
        return names
    given = [name.strip() for name in only.split(",") if name.strip()]
    for name in given:
        if name.removeprefix("-") not in names:
            raise UsageError(f"{variable}: {unknown('plugin', name.removeprefix('-'), names)}")
    take = {name for name in given if not name.startswith("-")}
    leave = {name[1:] for name in given if name.startswith("-")}
    return (take or (names if leave else set())) - leave


def import_file(path: Path) -> ModuleType:
    """Import a single-file plugin as a module named after its file."""
    if not path.is_file():
        raise UsageError(f"{path}: no such file")
    if path.suffix != ".py" or not path.stem.isidentifier():
        raise UsageError(f"{path}: a plugin file has a name like my_solver.py")
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)  # last, so that a file called random.py cannot hide Python's own module
    module = importlib.import_module(path.stem)
    if Path(module.__file__ or "").resolve() != path.resolve():
        raise UsageError(f"{path}: a module named '{path.stem}' exists already; give the file another name")
    return module
