"""The plugin host: finds plugins, loads each one guarded, and knows what each of them offers.

A plugin is a module (or object) that implements hooks of `swarmkit.plugins.hookspecs`, or hooks that another plugin
specifies: an entry point of the group `swarmkit`, a single Python file, or anything passed to `register`. A plugin that
fails is kept as broken, with its error, and does not affect the others; a name that two plugins offer is refused, both
named.
"""

from __future__ import annotations

import importlib.metadata
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pluggy

from swarmkit.contract.errors import PluginError, unknown
from swarmkit.plugins import hookspecs
from swarmkit.plugins.loading import import_file, names_to_load
from swarmkit.plugins.offers import Hooks, Offer, Plugin, errors_of, offered

ENVIRONMENT = "SWARMKIT_PLUGINS"
"""The environment variable that limits which entry points are loaded."""

SPECIFICATIONS = "swarmkit_hookspecs"
"""The hook by which a plugin brings specifications."""


class Loaded(NamedTuple):
    """A plugin, and the module or object that implements its hooks."""

    plugin: Plugin
    implementation: object


class Observer(NamedTuple):
    """A plugin's function that observes an event of runs, and the names of the arguments it takes."""

    plugin: Plugin
    function: Callable[..., Any]
    arguments: tuple[str, ...]


@dataclass
class Host:
    """All plugins of a process. `only` limits which entry points load: names to take, or -names to leave out."""

    only: str | None = None
    plugins: list[Plugin] = field(default_factory=list)
    file_modules: list[ModuleType] = field(default_factory=list)
    """Modules of single-file plugins: other processes cannot import them, so they are sent by value."""

    def __post_init__(self) -> None:
        self._manager = pluggy.PluginManager("swarmkit")
        self._kinds: set[str] = set()
        self._registered: dict[int, Plugin] = {}
        self._refused: list[Loaded] = []
        """Plugins that do not fit the specifications so far; a specification that comes later may help."""
        self._offers: dict[str, list[Offer]] = {}
        self._hooks_found: list[tuple[Plugin, Hooks]] | None = None
        self._specify(hookspecs)
        self._add(self._entry_points())

    @property
    def kinds(self) -> list[str]:
        """What plugins can offer: problem, solver, the kinds that plugins specify (by name), command."""
        return ["problem", "solver", *sorted(self._kinds - {"problem", "solver", "command"}), "command"]

    def register(self, implementation: object, name: str, source: str, version: str | None = None) -> Plugin:
        """Register a plugin; one that does not fit the hooks is noted as broken instead."""
        [plugin] = self._add([(Plugin(name, source, version), lambda: implementation)])
        return plugin

    def load_files(self, paths: Iterable[Path]) -> list[Plugin]:
        """Load single-file plugins, each of which may implement hooks that another one specifies."""
        known = {plugin.source: plugin for plugin in self.plugins}
        new = {str(path): path for path in paths if str(path) not in known}
        return self._add([(Plugin(path.stem, source), self._file_loader(path)) for source, path in new.items()])

    def load_file(self, path: Path) -> Plugin:
        """Load a single-file plugin, unless it is loaded already."""
        self.load_files([path])
        return next(plugin for plugin in self.plugins if plugin.source == str(path))

    def discard(self, plugin: Plugin) -> None:
        """Forget a plugin that could not be registered."""
        self.plugins.remove(plugin)
        self._refused = [entry for entry in self._refused if entry.plugin is not plugin]

    def offers(self, kind: str) -> list[Offer]:
        """Return everything of a kind (see `kinds`), sorted by name; a name that two plugins offer is there twice."""
        if kind not in self._kinds:
            raise unknown("kind", kind, self._kinds)
        if kind not in self._offers:
            found = [offer for plugin, hooks in self._hooks() for offer in offered(kind, plugin, hooks)]
            self._offers[kind] = sorted(found, key=lambda offer: offer.name)
        return self._offers[kind]

    def find(self, kind: str, name: str) -> Offer:
        """Return the offer of a kind and name.

        Raises:
            UsageError: nothing of this kind has the name.
            PluginError: two plugins offer the name.
        """
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
        """Return the names that more than one plugin offers."""
        names = [offer.name for offer in self.offers(kind)]
        return sorted({name for name in names if names.count(name) > 1})

    def observers(self, event: str) -> list[Observer]:
        """Return the plugins' functions that observe an event of runs, such as `swarmkit_stepped`."""
        return [Observer(plugin, *hooks[event]) for plugin, hooks in self._hooks() if event in hooks]

    def _entry_points(self) -> list[tuple[Plugin, Callable[[], object]]]:
        points = sorted(importlib.metadata.entry_points(group="swarmkit"), key=lambda point: point.name)
        wanted = names_to_load(self.only, {point.name for point in points}, ENVIRONMENT)
        found: dict[str, tuple[Plugin, Callable[[], object]]] = {}
        for point in points:
            if point.name not in wanted:
                continue
            source, version = (point.dist.name, point.dist.version) if point.dist else ("unknown", None)
            plugin = Plugin(point.name, source, version)
            other, _ = found.setdefault(point.name, (plugin, point.load))
            if other.provenance != plugin.provenance:  # otherwise it is one distribution found twice on the path
                plugin.error = f"another plugin is named '{point.name}' too: {other.provenance}"
                self.plugins.append(plugin)
        return list(found.values())

    def _file_loader(self, path: Path) -> Callable[[], object]:
        def load() -> object:
            self.file_modules.append(import_file(path))
            return self.file_modules[-1]

        return load

    def _add(self, plugins: Iterable[tuple[Plugin, Callable[[], object]]]) -> list[Plugin]:
        """Load plugins, add the specifications that they bring, and then register each of them."""
        self._offers.clear()
        self._hooks_found = None
        added, loaded = [], []
        for plugin, load in plugins:
            self.plugins.append(plugin)
            added.append(plugin)
            with errors_of(plugin):
                loaded.append(Loaded(plugin, load()))
        specifying = [entry for entry in loaded if self._take_specifications(entry)]
        if specifying:
            for plugin, _ in self._refused:
                plugin.error = None
            loaded, self._refused = self._refused + loaded, []
        for entry in loaded:
            if entry.plugin.error is None:
                self._register(entry)
        return added

    def _take_specifications(self, loaded: Loaded) -> bool:
        """Add the specifications that a plugin brings; return whether there are any."""
        plugin, implementation = loaded
        if self._manager.parse_hookimpl_opts(implementation, SPECIFICATIONS) is None:
            return False
        with errors_of(plugin):
            self._specify(getattr(implementation, SPECIFICATIONS)())
        return plugin.error is None

    def _specify(self, specifications: Any) -> None:
        self._manager.add_hookspecs(specifications)
        for name in dir(specifications):
            if self._manager.parse_hookspec_opts(specifications, name) is not None and name != SPECIFICATIONS:
                takes_nothing = not getattr(self._manager.hook, name).spec.argnames
                if takes_nothing and name.startswith("swarmkit_") and name.endswith("s"):
                    self._kinds.add(name.removeprefix("swarmkit_").removesuffix("s"))

    def _register(self, loaded: Loaded) -> None:
        plugin, implementation = loaded
        with errors_of(plugin):
            self._manager.register(implementation, f"{plugin.name} ({plugin.provenance})")
            self._manager.check_pending()
            self._registered[id(implementation)] = plugin
        if plugin.error:
            self._refused.append(loaded)
            if self._manager.is_registered(implementation) and id(implementation) not in self._registered:
                self._manager.unregister(implementation)

    def _hooks(self) -> list[tuple[Plugin, Hooks]]:
        """Return the hooks of the plugins that work; they are looked up once, because every run needs its observers."""
        if self._hooks_found is None:
            self._hooks_found = self._look_up()
        return [(plugin, hooks) for plugin, hooks in self._hooks_found if not plugin.error]

    def _look_up(self) -> list[tuple[Plugin, Hooks]]:
        found = []
        for _, implementation in self._manager.list_name_plugin():
            plugin = self._registered.get(id(implementation))
            if plugin is None:
                continue
            callers = self._manager.get_hookcallers(implementation) or []
            impls = [(c.name, i) for c in callers for i in c.get_hookimpls() if i.plugin is implementation]
            found.append((plugin, {name: (impl.function, impl.argnames) for name, impl in impls}))
        return sorted(found, key=lambda entry: entry[0].name)


@cache
def host() -> Host:
    """Return the plugins of this process."""
    return Host(only=os.environ.get(ENVIRONMENT))


def find(kind: str, name: str) -> Any:
    """Return what is registered by a name.

    Args:
        kind: `problem`, `solver`, `command`, or a kind that a plugin specifies: KIND of a hook `swarmkit_KINDs`.
        name: the name, as `swarmkit list` shows it.

    >>> find("solver", "icm").__name__
    'Icm'
    """
    return host().find(kind, name).value


def register(plugin: object, name: str | None = None) -> None:
    """Register a plugin in this process.

    Args:
        plugin: a module or object with hooks, each marked with `swarmkit.hookimpl`.
        name: how it is called in messages; by default the name of the module or class.
    """
    name = name or str(getattr(plugin, "__name__", type(plugin).__name__))
    registered = host().register(plugin, name, "registered in Python")
    if registered.error:
        host().discard(registered)
        raise PluginError(f"plugin '{name}': {registered.error}")
