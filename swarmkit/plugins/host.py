"""The plugin host: finds plugins, loads each one guarded, and knows what each of them offers.

A plugin is a module (or object) that implements hooks of `swarmkit.plugins.hookspecs`, or hooks that another plugin
specifies: an entry point of the group `swarmkit`, a single Python file, or anything passed to `register`. A plugin that
fails is kept as broken, with its error, and does not affect the others; a name that two plugins offer is refused, both
named. Hooks are called through pluggy, so wrappers and the order of calls are its own. Several threads may ask and
register at once: one of them loads, the others wait for it.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pluggy

from swarmkit.contract.errors import PluginError, UsageError, unknown
from swarmkit.plugins import hookspecs
from swarmkit.plugins.registration import GuardedHooks, Plugin, Registration, Registrations

ENVIRONMENT = "SWARMKIT_PLUGINS"
"""The environment variable that limits which entry points are loaded."""

SPECIFICATIONS = "swarmkit_hookspecs"
"""The hook by which a plugin brings specifications."""

Loaders = dict[Plugin, Callable[[], object]]
"""For each plugin, a function that returns the module or object with its hooks."""


class Host:
    """All plugins of a process. `only` limits which entry points load: names to take, or -names to leave out."""

    def __init__(self, only: str | None = None) -> None:
        self.plugins: list[Plugin] = []
        self.file_modules: list[ModuleType] = []
        """Modules of single-file plugins: other processes cannot import them, so they are sent by value."""
        self._manager = pluggy.PluginManager("swarmkit")
        self._kinds: dict[str, str] = {}
        """What a hook offers, by the hook's name."""
        self._registry: dict[str, list[Registration]] = {}
        """What plugins say that they offer, by kind; nothing of it is imported before it is asked for."""
        self._offers: dict[str, list[Registration]] = {}
        """What of it can be imported, for the kinds of which everything was asked for."""
        self._lock = threading.RLock()  # held while plugins are loaded and say what they offer, not in events
        self._specify(hookspecs)
        self._add(_entry_points(only))

    @property
    def kinds(self) -> list[str]:
        """What plugins can offer: problem, solver, the kinds that plugins specify (by name), command."""
        return ["problem", "solver", *sorted({*self._kinds.values()} - {"problem", "solver", "command"}), "command"]

    def register(self, implementation: object, name: str, source: str, version: str | None = None) -> Plugin:
        """Register a plugin; one that does not fit the hooks is noted as broken instead."""
        [plugin] = self._add({Plugin(name, source, version): lambda: implementation})
        return plugin

    def load_files(self, paths: Iterable[Path]) -> list[Plugin]:
        """Load single-file plugins, each of which may implement hooks that another one specifies."""
        with self._lock:
            sources = {plugin.source for plugin in self.plugins}
            new = {str(path): path for path in paths if str(path) not in sources}
            plugins = self._add({Plugin(path.stem, name): partial(import_file, path) for name, path in new.items()})
            self.file_modules += [p.implementation for p in plugins if isinstance(p.implementation, ModuleType)]
            for plugin in plugins:
                if plugin.implementation is not None:
                    plugin.digest = f"sha256:{hashlib.sha256(new[plugin.source].read_bytes()).hexdigest()[:16]}"
            return plugins

    def offers(self, kind: str) -> list[Registration]:
        """Return everything of a kind (see `kinds`), sorted by name; a name that two plugins offer is there twice.

        What cannot be imported is left out, and its plugin is broken.
        """
        with self._lock:
            registry = self.registry(kind)
            if kind not in self._offers:
                self._offers[kind] = [offer for offer in registry if offer.is_importable]
            return self._offers[kind]

    def registry(self, kind: str) -> list[Registration]:
        """Return everything of a kind, as `offers` does, that plugins name, whether it can be imported or not."""
        with self._lock:
            hook = f"swarmkit_{kind}s"
            if hook not in self._kinds:
                raise unknown("kind", kind, self._kinds.values())
            if kind not in self._registry:
                results = self.caller(hook)()
                mappings = results if isinstance(results, list) else [results]  # pluggy may take the first alone
                offers = [
                    Registration(kind, name, value, mapping.plugin)
                    for mapping in mappings
                    if isinstance(mapping, Registrations)
                    for name, value in mapping.items()
                ]
                self._registry[kind] = sorted(offers, key=lambda offer: (offer.name, offer.plugin.name))
            return self._registry[kind]

    def find(self, kind: str, name: str) -> Registration:
        """Return the offer of a kind and name.

        Raises:
            UsageError: nothing of this kind has the name.
            PluginError: two plugins offer the name.
        """
        registry = self.registry(kind)
        offers = [offer for offer in registry if offer.name == name]
        if len(offers) == 1:
            return offers[0]
        if offers:
            claims = " and ".join(f"'{o.plugin.name}' ({o.plugin.provenance})" for o in offers)
            raise PluginError(
                f"two plugins offer a {kind} named '{name}': {claims}. Uninstall one, or leave one out: "
                f"{ENVIRONMENT}=-{offers[-1].plugin.name}"
            )
        faults = [plugin.name for plugin in self.plugins if plugin.error]
        note = f" Broken plugins: {', '.join(faults)} (see 'swarmkit list')." if faults else ""
        names = {offer.name for offer in registry}
        raise unknown(
            kind, name, names, see=f"'swarmkit list' shows all {len(names)}; those of a file need --plugin FILE.{note}"
        )

    def clashes(self, kind: str) -> list[str]:
        """Return the names that more than one plugin offers."""
        names = [offer.name for offer in self.registry(kind)]
        return sorted({name for name in names if names.count(name) > 1})

    def caller(self, hook: str, without: Sequence[Plugin] = ()) -> pluggy.HookCaller:
        """Return what calls a hook of all plugins but the broken ones and those in `without`."""
        with self._lock:
            left_out = [plugin.hooks for plugin in self.plugins if plugin.error or plugin in without]
            return self._manager.subset_hook_caller(hook, left_out)

    def specifies(self, hook: str) -> bool:
        """Return whether a name is that of a hook."""
        return hasattr(self._manager.hook, hook)

    def owner(self, module: str) -> Plugin | None:
        """Return the plugin whose code a module is: it implements hooks there, or defines there what it offers."""
        package = module.partition(".")[0]
        # The core is nobody's plugin.
        if package == "swarmkit":
            return None
        for plugin in self.plugins:
            if plugin.hooks is not None and _package(plugin.implementation) == package:
                return plugin
        offers = [offer for kind in list(self._registry) for offer in self._registry[kind]]
        # An instance has the module of its class, which may be the core.
        classes = [offer for offer in offers if isinstance(offer.content, str | type | FunctionType)]
        return next((offer.plugin for offer in classes if _package(offer.content) == package), None)

    def _add(self, loaders: Loaders) -> list[Plugin]:
        """Load plugins, add the specifications that they bring, and then register each of them.

        Plugins that did not fit the specifications so far are tried again: a new specification may help them.
        """
        with self._lock:
            # A new plugin may offer, hide or clash: what was known is asked for again.
            self._registry.clear()
            self._offers.clear()
            for plugin, load in loaders.items():
                self.plugins.append(plugin)
                with plugin.note_errors():
                    implementation = load()
                    self._take_specifications(implementation)
                    plugin.implementation = implementation
            for plugin in self.plugins:
                if plugin.implementation is not None and plugin.hooks is None:
                    self._register(plugin)
            return list(loaders)

    def _take_specifications(self, implementation: object) -> None:
        """Add the specifications that a plugin brings."""
        options = self._manager.parse_hookimpl_opts(implementation, SPECIFICATIONS)
        if options is None:
            return
        if options["wrapper"] or options["hookwrapper"]:
            raise PluginError(f"{SPECIFICATIONS} cannot be a wrapper: it is called before plugins are registered")
        self._specify(getattr(implementation, SPECIFICATIONS)())

    def _specify(self, specifications: Any) -> None:
        for name in dir(specifications):
            options = self._manager.parse_hookspec_opts(specifications, name)
            if options is not None and options["historic"]:
                raise PluginError(f"{name} is historic; swarmkit calls hooks when it needs them, so leave that out")
        self._manager.add_hookspecs(specifications)
        for name, hook in vars(self._manager.hook).items():
            kind = re.fullmatch(r"swarmkit_(\w+)s", name)
            # Hooks with arguments are events or questions, not lists of offers.
            if kind and name != SPECIFICATIONS and hook.spec and not hook.spec.argnames:
                self._kinds[name] = kind[1]

    def _register(self, plugin: Plugin) -> None:
        plugin.error = None
        hooks = None
        with plugin.note_errors():
            for twin in self.plugins:
                if twin.hooks is not None and twin.implementation is plugin.implementation:
                    raise PluginError(f"it is registered already, as '{twin.name}'")
            hooks = GuardedHooks(self._manager, plugin, self._kinds)
            self._manager.register(hooks, f"{plugin.name} ({plugin.provenance})")
            self._manager.check_pending()
            plugin.hooks = hooks
        # It was registered before its error showed (a hook that nobody specifies).
        if plugin.error and self._manager.is_registered(hooks):
            self._manager.unregister(hooks)


def _entry_points(only: str | None) -> Loaders:
    """Return the plugins among the entry points of all distributions; `only` is as in Host."""
    points = sorted(importlib.metadata.entry_points(group="swarmkit"), key=lambda point: point.name)
    # Checked before anything is loaded: a name that does not exist is a mistake of the user.
    names = names_to_load(only, {point.name for point in points})
    loaders: Loaders = {}
    first: dict[str, Plugin] = {}
    provenances = {dist: _provenance(dist) for dist in {point.dist for point in points}}  # it parses metadata
    for point in points:
        plugin = Plugin(point.name, *provenances[point.dist])
        namesake = first.setdefault(point.name, plugin)
        if point.name not in names or (namesake is not plugin and namesake.provenance == plugin.provenance):
            continue  # not wanted, or one distribution that is found twice on the path
        loaders[plugin] = point.load
        if namesake is not plugin:
            loaders[plugin] = partial(_refuse, f"another plugin is named '{point.name}' too: {namesake.provenance}")
    return loaders


def names_to_load(only: str | None, names: set[str]) -> set[str]:
    """Return the names of the entry points to load.

    Args:
        only: names to take, or names to leave out, each with a `-` before it, separated by commas; None for all.
        names: the names of all entry points.

    >>> sorted(names_to_load("-b", {"a", "b", "c"}))
    ['a', 'c']
    """
    if only is None:
        return names
    entries = [name.strip() for name in only.split(",") if name.strip()]
    for name in entries:
        if name.removeprefix("-") not in names:
            raise UsageError(f"{ENVIRONMENT}: {unknown('plugin', name.removeprefix('-'), names)}")
    take = {name for name in entries if not name.startswith("-")}
    leave = {name[1:] for name in entries if name.startswith("-")}
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


def _refuse(message: str) -> None:
    raise PluginError(message)


def _provenance(distribution: importlib.metadata.Distribution | None) -> tuple[str, str | None]:
    """Return the name and the version of a distribution."""
    if distribution is None:
        return "unknown", None
    metadata = distribution.metadata
    return metadata["Name"], metadata["Version"]


def _package(value: object) -> str:
    """Return the top-level package of a module, a class, a function, an object's class, or of a place."""
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return re.split("[.:]", value if isinstance(value, str) else str(name))[0]


_making = threading.RLock()
"""Held while the plugins of this process are loaded."""


@cache
def _host() -> Host:
    return Host(only=os.environ.get(ENVIRONMENT))


def host() -> Host:
    """Return the plugins of this process."""
    with _making:  # two threads that both find the cache empty would load two sets of plugins
        return _host()


def find(kind: str, name: str) -> Any:
    """Return what is registered by a name.

    Args:
        kind: `problem`, `solver`, `command`, or a kind that a plugin specifies: KIND of a hook `swarmkit_KINDs`.
        name: the name, as `swarmkit list` shows it.

    >>> find("solver", "icm").__name__
    'Icm'
    """
    return host().find(kind, name).value


def registered(kind: str) -> dict[str, Any]:
    """Return everything that is registered of a kind, by name; names that two plugins offer are left out.

    >>> registered("solver")["icm"].__name__
    'Icm'
    """
    clashing = host().clashes(kind)
    return {offer.name: offer.value for offer in host().offers(kind) if offer.name not in clashing}


def register(plugin: object, name: str | None = None) -> None:
    """Register a plugin in this process.

    Args:
        plugin: a module or object with hooks, each marked with `swarmkit.hookimpl`.
        name: how it is called in messages; by default the name of the module or class.
    """
    name = name or str(getattr(plugin, "__name__", type(plugin).__name__))
    record = host().register(plugin, name, "registered in Python")
    if record.error:
        host().plugins.remove(record)
        raise PluginError(f"plugin '{name}': {record.error}")
