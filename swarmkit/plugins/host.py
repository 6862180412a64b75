"""The plugin host: finds plugins, loads each one guarded, and knows what each of them offers.

A plugin is a module (or object) with hooks from `swarmkit.hookspecs`: an entry point of the group `swarmkit`, a single
Python file, or anything given to `register`. A plugin that fails is kept as broken, with its error, and hurts nobody;
a name that two plugins offer is refused, both named.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pluggy

from swarmkit.contract.errors import PluginError, UsageError, unknown
from swarmkit.plugins import hookspecs

ENVIRONMENT = "SWARMKIT_PLUGINS"
WATCHING = ("swarmkit_started", "swarmkit_stepped", "swarmkit_improved", "swarmkit_finished")
OFFERING = {
    "problem": "swarmkit_problems",
    "solver": "swarmkit_solvers",
    "measure": "swarmkit_measures",
    "command": "swarmkit_commands",
}

Hooks = dict[str, tuple[Callable[..., Any], tuple[str, ...]]]
"""The function behind each hook of a plugin, and the arguments it wants."""


@dataclass
class Plugin:
    """One plugin: where it comes from, and what went wrong with it, if anything did."""

    name: str
    source: str
    version: str | None = None
    error: str | None = None

    @property
    def provenance(self) -> str:
        """Distribution and version, or the file."""
        return f"{self.source} {self.version}" if self.version else self.source


class Offer(NamedTuple):
    """A problem, solver or command, and the plugin that offers it."""

    name: str
    value: Any
    plugin: Plugin


@dataclass
class Host:
    """All plugins of a process. `only` limits which entry points load: names to take, or -names to leave out."""

    only: str | None = None
    plugins: list[Plugin] = field(default_factory=list)
    file_modules: list[ModuleType] = field(default_factory=list)
    """Modules of single-file plugins: other processes cannot import them, so they are sent by value."""

    def __post_init__(self) -> None:
        self._manager = pluggy.PluginManager("swarmkit")
        self._manager.add_hookspecs(hookspecs)
        self._objects: dict[int, Plugin] = {}
        self._offers: dict[str, list[Offer]] = {}
        self._known: list[tuple[Plugin, Hooks]] | None = None
        self._load_entry_points()

    def register(self, plugin: object, name: str, source: str, version: str | None = None) -> Plugin:
        """Take a plugin in; one that does not fit the hooks is noted as broken instead."""
        return self._load(lambda: plugin, Plugin(name, source, version))

    def load_file(self, path: Path) -> Plugin:
        """Take in a single-file plugin."""
        for plugin in self.plugins:
            if plugin.source == str(path):
                return plugin

        def load() -> object:
            self.file_modules.append(_import_file(path))
            return self.file_modules[-1]

        return self._load(load, Plugin(path.stem, str(path)))

    def offers(self, kind: str) -> list[Offer]:
        """List everything of a kind (a key of OFFERING), by name; clashing names stand twice."""
        if kind not in self._offers:
            found = [offer for plugin, hooks in self._hooks() for offer in self._ask(kind, plugin, hooks)]
            self._offers[kind] = sorted(found, key=lambda offer: offer.name)
        return self._offers[kind]

    def find(self, kind: str, name: str) -> Offer:
        """Find one offer by name, or say what is wrong: unknown, claimed twice, or its plugin broken."""
        offers = self.offers(kind)
        found = [offer for offer in offers if offer.name == name]
        if len(found) == 1:
            return found[0]
        if found:
            claims = " and ".join(f"'{o.plugin.name}' ({o.plugin.provenance})" for o in found)
            raise PluginError(
                f"two plugins offer a {kind} named '{name}': {claims}. Uninstall one, or leave one out: "
                f"{ENVIRONMENT}=-{found[-1].plugin.name}"
            )
        broken = [plugin.name for plugin in self.plugins if plugin.error]
        note = f" Broken plugins: {', '.join(broken)} (see 'swarmkit list')." if broken else ""
        names = {offer.name for offer in offers}
        raise unknown(kind, name, names, see=f"'swarmkit list' shows all {len(names)}.{note}")

    def clashes(self, kind: str) -> list[str]:
        """Name what more than one plugin offers."""
        names = [offer.name for offer in self.offers(kind)]
        return sorted({name for name in names if names.count(name) > 1})

    def watchers(self, event: str) -> list[tuple[Plugin, Callable[..., Any], tuple[str, ...]]]:
        """List the functions that watch an event, with the arguments each of them wants."""
        found = []
        for plugin, hooks in self._hooks():
            if event in hooks:
                function, wanted = hooks[event]
                found.append((plugin, function, wanted))
        return found

    def _load_entry_points(self) -> None:
        points = sorted(importlib.metadata.entry_points(group="swarmkit"), key=lambda point: point.name)
        wanted = _wanted(self.only, {point.name for point in points})
        seen: dict[str, Plugin] = {}
        for point in points:
            if point.name not in wanted:
                continue
            source, version = (point.dist.name, point.dist.version) if point.dist else ("unknown", None)
            plugin = Plugin(point.name, source, version)
            other = seen.setdefault(point.name, plugin)
            if other is not plugin and other.provenance == plugin.provenance:
                continue  # one distribution found twice on the path
            if other is not plugin:
                plugin.error = f"another plugin is named '{point.name}' too: {other.provenance}"
                self.plugins.append(plugin)
                continue
            self._load(point.load, plugin)

    def _load(self, load: Callable[[], object], plugin: Plugin) -> Plugin:
        self._offers.clear()
        self._known = None
        self.plugins.append(plugin)
        loaded = None
        try:
            loaded = load()
            self._manager.register(loaded, f"{plugin.name} ({plugin.provenance})")
            self._manager.check_pending()
            self._objects[id(loaded)] = plugin
        except (Exception, SystemExit) as error:
            plugin.error = _said(error)
            if loaded is not None and self._manager.is_registered(loaded) and id(loaded) not in self._objects:
                self._manager.unregister(loaded)
        return plugin

    def _hooks(self) -> list[tuple[Plugin, Hooks]]:
        """Give the hooks of the plugins that work; looked up once, because every run asks who watches it."""
        if self._known is None:
            self._known = self._look_up()
        return [(plugin, hooks) for plugin, hooks in self._known if not plugin.error]

    def _look_up(self) -> list[tuple[Plugin, Hooks]]:
        found = []
        for _, loaded in self._manager.list_name_plugin():
            plugin = self._objects.get(id(loaded))
            if plugin is None:
                continue
            callers = self._manager.get_hookcallers(loaded) or []
            impls = [(c.name, i) for c in callers for i in c.get_hookimpls() if i.plugin is loaded]
            found.append((plugin, {name: (impl.function, impl.argnames) for name, impl in impls}))
        return sorted(found, key=lambda entry: entry[0].name)

    def _ask(self, kind: str, plugin: Plugin, hooks: Mapping[str, Any]) -> list[Offer]:
        if OFFERING[kind] not in hooks:
            return []
        try:
            offered = hooks[OFFERING[kind]][0]()
            return [Offer(name, _checked(kind, name, value), plugin) for name, value in dict(offered).items()]
        except (Exception, SystemExit) as error:
            plugin.error = f"{OFFERING[kind]}: {_said(error)}"
            return []


@cache
def host() -> Host:
    """Give the plugins of this process."""
    return Host(only=os.environ.get(ENVIRONMENT))


def find(kind: str, name: str) -> Any:
    """Find a registered problem, solver, measure or command by name.

    >>> find("solver", "icm").__name__
    'Icm'
    """
    return host().find(kind, name).value


def register(plugin: object, name: str | None = None) -> None:
    """Register a plugin (any object or module with hooks) in this process."""
    name = name or str(getattr(plugin, "__name__", type(plugin).__name__))
    taken = host().register(plugin, name, "registered in Python")
    if taken.error:
        host().plugins.remove(taken)
        raise PluginError(f"plugin '{name}': {taken.error}")


def _wanted(only: str | None, names: set[str]) -> set[str]:
    if only is None:
        return names
    given = [name.strip() for name in only.split(",") if name.strip()]
    for name in given:
        if name.removeprefix("-") not in names:
            raise UsageError(f"{ENVIRONMENT}: {unknown('plugin', name.removeprefix('-'), names)}")
    take = {name for name in given if not name.startswith("-")}
    leave = {name[1:] for name in given if name.startswith("-")}
    return (take or (names if leave else set())) - leave


def _checked(kind: str, name: object, value: Any) -> Any:
    """Refuse what is not what the hook is for, before anybody trips over it."""
    if not isinstance(name, str) or not name:
        raise PluginError(f"{kind} names are text, got {name!r}")
    if kind not in ("problem", "solver"):
        return value
    from swarmkit import Problem, Solver

    expected: type = Problem if kind == "problem" else Solver
    if not (isinstance(value, type) and issubclass(value, expected)):
        raise PluginError(f"'{name}' is {value!r}; expected a subclass of swarmkit.{expected.__name__}")
    missing = sorted(getattr(value, "__abstractmethods__", ()))
    if missing:
        raise PluginError(f"{kind} '{name}' does not define {', '.join(missing)}")
    return value


def _import_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise UsageError(f"{path}: no such file")
    if path.suffix != ".py" or not path.stem.isidentifier():
        raise UsageError(f"{path}: a plugin file has a name like my_solver.py")
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)  # last, so that a file called random.py cannot stand in for Python's own
    module = importlib.import_module(path.stem)
    if Path(module.__file__ or "").resolve() != path.resolve():
        raise UsageError(f"{path}: a module named '{path.stem}' is there already; give the file another name")
    return module


def _said(error: BaseException) -> str:
    return str(error) if isinstance(error, PluginError | UsageError) else f"{type(error).__name__}: {error}"
