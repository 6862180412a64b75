"""The plugin host: finds plugins, loads each one guarded, and knows what each of them offers.

A plugin is a module (or object) that implements hooks of `swarmkit.plugins.hookspecs`, or hooks that another plugin
specifies: an entry point of the group `swarmkit`, a single Python file, or anything passed to `register`. A plugin that
fails is kept as broken, with its error, and does not affect the others; a name that two plugins offer is refused, both
named. Hooks are called through pluggy, so wrappers and the order of calls are its own. Several threads may ask and
register at once: one of them loads, the others wait for it.
"""

from __future__ import annotations

import importlib.metadata
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import pluggy

from swarmkit.contract.errors import PluginError, unknown
from swarmkit.plugins import hookspecs
from swarmkit.plugins.guarded_hooks import guarded_hooks
from swarmkit.plugins.loading import import_file, names_to_load
from swarmkit.plugins.offers import Offer, Offered, Plugin, errors_of, message_of

ENVIRONMENT = "SWARMKIT_PLUGINS"
"""The environment variable that limits which entry points are loaded."""

SPECIFICATIONS = "swarmkit_hookspecs"
"""The hook by which a plugin brings specifications."""


class Loaded(NamedTuple):
    """A plugin, and the module or object that implements its hooks."""

    plugin: Plugin
    implementation: object


class Registered(NamedTuple):
    """A plugin, what implements its hooks, and the guarded hooks that pluggy calls."""

    plugin: Plugin
    implementation: object
    hooks: object


class Failure(NamedTuple):
    """A plugin's hook that failed in an event, and its error."""

    plugin: Plugin
    error: BaseException


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
        self._registered: list[Registered] = []
        self._refused: list[Loaded] = []
        """Plugins that do not fit the specifications so far; a specification that comes later may help."""
        self._offers: dict[str, list[Offer]] = {}
        self._events = threading.local()
        self._lock = threading.RLock()  # held while plugins are loaded and say what they offer, not in events
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
        with self._lock:
            known = {plugin.source for plugin in self.plugins}
            new = {str(path): path for path in paths if str(path) not in known}
            return self._add([(Plugin(path.stem, source), self._file_loader(path)) for source, path in new.items()])

    def load_file(self, path: Path) -> Plugin:
        """Load a single-file plugin, unless it is loaded already."""
        self.load_files([path])
        return next(plugin for plugin in self.plugins if plugin.source == str(path))

    def discard(self, plugin: Plugin) -> None:
        """Forget a plugin that could not be registered."""
        with self._lock:
            self.plugins = [known for known in self.plugins if known is not plugin]
            self._refused = [entry for entry in self._refused if entry.plugin is not plugin]

    def offers(self, kind: str) -> list[Offer]:
        """Return everything of a kind (see `kinds`), sorted by name; a name that two plugins offer is there twice."""
        with self._lock:
            if kind not in self._kinds:
                raise unknown("kind", kind, self._kinds)
            if kind not in self._offers:
                called = self.caller(f"swarmkit_{kind}s")()
                given = called if isinstance(called, list) else [called]  # pluggy may take the first result alone
                mappings = [mapping for mapping in given if isinstance(mapping, Offered)]
                found = [Offer(name, value, mapping.plugin) for mapping in mappings for name, value in mapping.items()]
                self._offers[kind] = sorted(found, key=lambda offer: (offer.name, offer.plugin.name))
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

    def caller(self, hook: str, without: Sequence[Plugin] = ()) -> pluggy.HookCaller:
        """Return what calls a hook of all plugins but the broken ones and those in `without`."""
        with self._lock:
            left_out = [known.hooks for known in self._registered if known.plugin.error or known.plugin in without]
            return self._manager.subset_hook_caller(hook, left_out)

    def notify(self, observing: pluggy.HookCaller, arguments: Mapping[str, Any]) -> list[Failure]:
        """Call the hooks of an event, and return those that failed."""
        self._events.failures = []
        observing(**arguments)
        failures: list[Failure] = self._events.failures
        return failures

    def kind_of(self, hook: str) -> str | None:
        """Return the kind that a hook offers, None for an event."""
        kind = hook.removeprefix("swarmkit_").removesuffix("s")
        return kind if kind in self._kinds and hook == f"swarmkit_{kind}s" else None

    def failed(self, plugin: Plugin, hook: str, error: BaseException) -> None:
        """Note that a hook of a plugin has failed: one that offers something makes its plugin broken."""
        if self.kind_of(hook) is not None:
            plugin.error = f"{hook}: {message_of(error)}"
        else:
            self._events.failures.append(Failure(plugin, error))

    def owner(self, module: str) -> Plugin | None:
        """Return the plugin whose code a module is: it implements hooks there, or defines there what it offers."""
        package = module.partition(".")[0]
        if package == "swarmkit":
            return None
        for known in self._registered:
            if _package(known.implementation) == package:
                return known.plugin
        offers = [offer for kind in list(self._offers) for offer in self._offers[kind]]
        defined = [offer for offer in offers if isinstance(offer.value, type | FunctionType)]
        return next((offer.plugin for offer in defined if _package(offer.value) == package), None)

    def _entry_points(self) -> list[tuple[Plugin, Callable[[], object]]]:
        points = sorted(importlib.metadata.entry_points(group="swarmkit"), key=lambda point: point.name)
        wanted = names_to_load(self.only, {point.name for point in points}, ENVIRONMENT)
        found: dict[str, tuple[Plugin, Callable[[], object]]] = {}
        provenances = {dist: _provenance(dist) for dist in {point.dist for point in points}}  # it parses metadata
        for point in points:
            if point.name not in wanted:
                continue
            plugin = Plugin(point.name, *provenances[point.dist])
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
        with self._lock:
            self._offers.clear()
            added, loaded = [], []
            for plugin, load in plugins:
                self.plugins.append(plugin)
                added.append(plugin)
                with errors_of(plugin):
                    loaded.append(Loaded(plugin, load()))
            self._register_all(loaded)
            return added

    def _register_all(self, loaded: list[Loaded]) -> None:
        """Register plugins, those too that were refused and may be helped by a new specification."""
        specifying = [entry for entry in loaded if self._take_specifications(entry)]
        if specifying:
            for plugin, _ in self._refused:
                plugin.error = None
            loaded, self._refused = self._refused + loaded, []
        for entry in loaded:
            if entry.plugin.error is None:
                self._register(entry)

    def _take_specifications(self, loaded: Loaded) -> bool:
        """Add the specifications that a plugin brings; return whether there are any."""
        plugin, implementation = loaded
        options = self._manager.parse_hookimpl_opts(implementation, SPECIFICATIONS)
        if options is None:
            return False
        with errors_of(plugin):
            if options["wrapper"] or options["hookwrapper"]:
                raise PluginError(f"{SPECIFICATIONS} cannot be a wrapper: it is called before plugins are registered")
            self._specify(getattr(implementation, SPECIFICATIONS)())
        return plugin.error is None

    def _specify(self, specifications: Any) -> None:
        for name in dir(specifications):
            options = self._manager.parse_hookspec_opts(specifications, name)
            if options is not None and options["historic"]:
                raise PluginError(f"{name} is historic; swarmkit calls hooks when it needs them, so leave that out")
        self._manager.add_hookspecs(specifications)
        for name in dir(specifications):
            options = self._manager.parse_hookspec_opts(specifications, name)
            if options is not None and name != SPECIFICATIONS:
                takes_nothing = not getattr(self._manager.hook, name).spec.argnames
                if takes_nothing and name.startswith("swarmkit_") and name.endswith("s"):
                    self._kinds.add(name.removeprefix("swarmkit_").removesuffix("s"))

    def _register(self, loaded: Loaded) -> None:
        plugin, implementation = loaded
        hooks: object = None
        with errors_of(plugin):
            for known in self._registered:
                if known.implementation is implementation:
                    raise PluginError(f"it is registered already, as '{known.plugin.name}'")
            hooks = guarded_hooks(self._manager, implementation, plugin, self)
            self._manager.register(hooks, f"{plugin.name} ({plugin.provenance})")
            self._manager.check_pending()
            self._registered.append(Registered(plugin, implementation, hooks))
        if plugin.error:
            self._refused.append(loaded)
            if hooks is not None and self._manager.is_registered(hooks):
                self._manager.unregister(hooks)


def _provenance(distribution: importlib.metadata.Distribution | None) -> tuple[str, str | None]:
    """Return the name and the version of a distribution."""
    if distribution is None:
        return "unknown", None
    metadata = distribution.metadata
    return metadata["Name"], metadata["Version"]


def _package(value: object) -> str:
    """Return the top-level package of a module, a class, a function, or an object's class."""
    if isinstance(value, ModuleType):
        return value.__name__.partition(".")[0]
    return str(getattr(value, "__module__", None) or type(value).__module__).partition(".")[0]


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
    registered = host().register(plugin, name, "registered in Python")
    if registered.error:
        host().discard(registered)
        raise PluginError(f"plugin '{name}': {registered.error}")
