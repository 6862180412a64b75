"""Whether the modules of swarmkit and of the libraries it stands on are what they were before a solver was imported."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

PACKAGES = ("swarmkit.contract", "swarmkit.files", "swarmkit.plugins", "swarmkit.running")
"""Packages whose modules are imported before, so that changes show; `search` and `kernels` take long."""

LIBRARIES = ("__main__", "builtins", "json", "math", "numpy", "numpy.random", "random", "time")
"""Modules of others that are compared."""

PLAIN = (int, float, str, bytes, bool, tuple, frozenset, type(None))
"""Types of constants, which are compared by value."""


class Attribute(NamedTuple):
    """An attribute as it was: the object, and of a function what it runs."""

    value: Any
    code: Any = None
    defaults: Any = None


Snapshot = dict[str, dict[str, Attribute]]
"""The attributes of modules and classes, by the name of the module or class."""


def import_core(packages: tuple[str, ...] = PACKAGES) -> None:
    """Import all modules of some packages."""
    for name in packages:  # what is loaded later is in no snapshot, and compared with nothing
        package = importlib.import_module(name)
        for module in pkgutil.walk_packages(package.__path__, f"{name}."):
            importlib.import_module(module.name)


def take_snapshot() -> Snapshot:
    """Return the attributes of all modules that are compared, and of the classes that they define."""
    snapshot: Snapshot = {}
    for name, module in list(sys.modules.items()):
        if isinstance(module, ModuleType) and (_is_core(name) or name in LIBRARIES):
            snapshot[name] = _attributes(module)
            for inner, value in list(vars(module).items()):
                if isinstance(value, type) and value.__module__ == name:
                    snapshot[f"{name}.{inner}"] = _attributes(value)
    return snapshot


def changes(before: Snapshot) -> list[str]:
    """Return the names of attributes that were replaced, removed, or added by others, since a snapshot."""
    names = []
    for owner, attributes in before.items():
        now = _attributes(_object(owner))
        names += [f"{owner}.{name}" for name, value in attributes.items() if not _equal(value, now.get(name))]
        # Nothing is added to a class; modules of ours get new attributes by lazy imports, but none of the solver's.
        is_class, core = owner not in sys.modules, _is_core(owner)
        new = {name: attribute.value for name, attribute in now.items() if name not in attributes}
        names += [f"{owner}.{name}" for name, value in new.items() if is_class or (core and _is_foreign(value))]
    return names


def _is_core(name: str) -> bool:
    """Whether a module is one of swarmkit's or of the arena's."""
    return name.partition(".")[0] in ("swarmkit", "swarmkit_arena")


def _is_foreign(value: Any) -> bool:
    """Whether an attribute that has appeared in a module of swarmkit is a function or class of the solver's."""
    return isinstance(value, FunctionType | type) and not _is_core(value.__module__ or "")


def _object(name: str) -> Any:
    """Return the module of a name, or the class that the last part of it names."""
    module, _, last = name.rpartition(".")
    return sys.modules.get(name) or getattr(sys.modules.get(module), last, None)


def _attributes(owner: Any) -> dict[str, Attribute]:
    """Return what is compared of a module or class: functions, classes, constants; not what it caches."""
    attributes = {}
    for name, value in list(getattr(owner, "__dict__", {}).items()):
        plain = isinstance(value, (FunctionType, type, classmethod, staticmethod, property, *PLAIN))
        relevant = plain or (callable(value) and not isinstance(owner, type))
        if relevant and (not name.startswith("_") or isinstance(value, FunctionType | classmethod)):
            function = getattr(value, "__func__", value)
            code = getattr(function, "__code__", None)
            attributes[name] = Attribute(value, code, getattr(function, "__defaults__", None) if code else None)
    return attributes


def _equal(before: Attribute, now: Attribute | None) -> bool:
    if now is None:
        return False
    if before.value is not now.value and isinstance(before.value, PLAIN):
        return type(before.value) is type(now.value) and bool(before.value == now.value)
    return before.value is now.value and before.code is now.code and before.defaults is now.defaults
