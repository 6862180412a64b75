"""Whether the modules of swarmkit and of the libraries it stands on are what they were before a solver was imported."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

ROOMS = ("contract", "files", "plugins", "running")
"""The rooms of the core whose modules are imported before, so that changes show; `search` and `kernels` take long."""

OTHERS = ("__main__", "builtins", "json", "math", "numpy", "numpy.random", "random", "time")
"""Modules of others that are compared."""

PLAIN = (int, float, str, bytes, bool, tuple, frozenset, type(None))
"""Types of constants, which are compared by value."""


class Kept(NamedTuple):
    """An attribute as it was: the object, and of a function what it runs."""

    value: Any
    code: Any = None
    defaults: Any = None


Snapshot = dict[str, dict[str, Kept]]
"""The attributes of modules and classes, by the name of the module or class."""


def import_core(rooms: tuple[str, ...] = ROOMS) -> None:
    """Import all modules of some rooms of the core."""
    for room in rooms:
        package = importlib.import_module(f"swarmkit.{room}")
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(found.name)


def take_snapshot() -> Snapshot:
    """Return the attributes of all modules that are compared, and of the classes that they define."""
    kept: Snapshot = {}
    for name, module in list(sys.modules.items()):
        if isinstance(module, ModuleType) and (_is_core(name) or name in OTHERS):
            kept[name] = _attributes(module)
            for inner, value in list(vars(module).items()):
                if isinstance(value, type) and value.__module__ == name:
                    kept[f"{name}.{inner}"] = _attributes(value)
    return kept


def changes(before: Snapshot) -> list[str]:
    """Return the names of attributes that were replaced, removed, or added by others, since a snapshot."""
    found = []
    for owner, kept in before.items():
        current = _attributes(_object(owner))
        found += [f"{owner}.{name}" for name, value in kept.items() if not _same(value, current.get(name))]
        if owner not in sys.modules:
            found += [f"{owner}.{name}" for name in current if name not in kept]
        elif _is_core(owner):
            found += [f"{owner}.{name}" for name in current if name not in kept and _is_foreign(current[name].value)]
    return found


def _is_core(name: str) -> bool:
    """Whether a module is one of swarmkit's."""
    return name == "swarmkit" or name.startswith("swarmkit.")


def _is_foreign(value: Any) -> bool:
    """Whether an attribute that has appeared in a module of swarmkit is a function or class of the solver's."""
    return isinstance(value, FunctionType | type) and not _is_core(value.__module__ or "")


def _object(name: str) -> Any:
    if name in sys.modules:
        return sys.modules[name]
    module, _, last = name.rpartition(".")
    return getattr(sys.modules.get(module), last, None)


def _attributes(owner: Any) -> dict[str, Kept]:
    """Return what is compared of a module or class: functions, classes, constants; not what it caches."""
    kept = {}
    for name, value in list(getattr(owner, "__dict__", {}).items()):
        plain = isinstance(value, (FunctionType, type, classmethod, staticmethod, property, *PLAIN))
        callable_too = plain or (callable(value) and not isinstance(owner, type))
        if callable_too and (not name.startswith("_") or isinstance(value, FunctionType | classmethod)):
            function = getattr(value, "__func__", value)
            code = getattr(function, "__code__", None)
            kept[name] = Kept(value, code, getattr(function, "__defaults__", None) if code else None)
    return kept


def _same(before: Kept, now: Kept | None) -> bool:
    if now is None:
        return False
    if before.value is not now.value and isinstance(before.value, PLAIN):
        return type(before.value) is type(now.value) and bool(before.value == now.value)
    return before.value is now.value and before.code is now.code and before.defaults is now.defaults
