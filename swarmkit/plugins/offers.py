"""Plugins and what they offer: problems, solvers, commands, and whatever hooks of plugins are for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from swarmkit.contract.errors import PluginError, UsageError
from swarmkit.plugins.output import plugin_output


@dataclass
class Plugin:
    """One plugin: where it comes from, and its error if it is broken."""

    name: str
    source: str
    version: str | None = None
    error: str | None = None

    @property
    def provenance(self) -> str:
        """Distribution and version, or the file."""
        return f"{self.source} {self.version}" if self.version else self.source


class Offer(NamedTuple):
    """A problem, solver or command (or something else that a hook offers), and the plugin that offers it."""

    name: str
    value: Any
    plugin: Plugin


class Offered(dict[str, Any]):
    """What one plugin offers of a kind, by name."""

    plugin: Plugin


@contextmanager
def errors_of(plugin: Plugin) -> Iterator[None]:
    """Note what a plugin raises as its error."""
    try:
        with plugin_output():
            yield
    except (Exception, SystemExit) as error:
        plugin.error = message_of(error)


def offered(kind: str, plugin: Plugin, values: Mapping[str, Any]) -> Offered:
    """Return what a plugin offers of a kind; something else than the kind is a PluginError."""
    if not isinstance(values, Mapping):
        raise PluginError(f"the hook returned {values!r}; expected a dictionary with each {kind} by its name")
    found = Offered({name: _checked(kind, name, value) for name, value in values.items()})
    found.plugin = plugin
    return found


def offered_by_wrapper(kind: str, plugin: Plugin, result: Any, owners: Mapping[int, Plugin]) -> list[Offered]:
    """Return what a plugin's wrapper made of the offers of a kind.

    Args:
        kind: what is offered: `solver`.
        plugin: the plugin of the wrapper.
        result: what the wrapper returned.
        owners: the plugin that offered a value before, by the value's identity.
    """
    mappings = result if isinstance(result, list) else [result]
    if not all(isinstance(mapping, Mapping) for mapping in mappings):
        raise PluginError(f"the wrapper made {result!r} of the offers; expected a list of mappings, as it was given")
    return [
        offered(kind, owners.get(id(value), plugin), {name: value})
        for mapping in mappings
        for name, value in mapping.items()
    ]


def _checked(kind: str, name: object, value: Any) -> Any:
    """Refuse what is not of the type that the hook is for, before it is used."""
    if not isinstance(name, str) or not name:
        raise PluginError(f"{kind} names are text, got {name!r}")
    if kind not in ("problem", "solver"):
        return value
    from swarmkit.contract.problem import Problem
    from swarmkit.contract.solver import Solver

    expected: type = Problem if kind == "problem" else Solver
    if not (isinstance(value, type) and issubclass(value, expected)):
        raise PluginError(f"'{name}' is {value!r}; expected a subclass of swarmkit.{expected.__name__}")
    missing = sorted(getattr(value, "__abstractmethods__", ()))
    if missing:
        raise PluginError(f"{kind} '{name}' does not define {', '.join(missing)}")
    return value


def message_of(error: BaseException) -> str:
    """Return an error as a plugin's `error`."""
    return str(error) if isinstance(error, PluginError | UsageError) else f"{type(error).__name__}: {error}"
