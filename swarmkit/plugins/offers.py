"""Plugins and what they offer: problems, solvers, commands, and whatever hooks of plugins are for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from swarmkit.contract.errors import PluginError, UsageError

Hooks = dict[str, tuple[Callable[..., Any], tuple[str, ...]]]
"""The function behind each hook of a plugin, and the names of the arguments it takes."""


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


@contextmanager
def errors_of(plugin: Plugin) -> Iterator[None]:
    """Note what a plugin raises as its error."""
    try:
        yield
    except (Exception, SystemExit) as error:
        plugin.error = _message(error)


def offered(kind: str, plugin: Plugin, hooks: Mapping[str, Any]) -> list[Offer]:
    """Return what a plugin offers of a kind; a hook that fails, or offers something else, makes the plugin broken."""
    hook = f"swarmkit_{kind}s"
    if hook not in hooks:
        return []
    try:
        offered = hooks[hook][0]()
        return [Offer(name, _checked(kind, name, value), plugin) for name, value in dict(offered).items()]
    except (Exception, SystemExit) as error:
        plugin.error = f"{hook}: {_message(error)}"
        return []


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


def _message(error: BaseException) -> str:
    return str(error) if isinstance(error, PluginError | UsageError) else f"{type(error).__name__}: {error}"
