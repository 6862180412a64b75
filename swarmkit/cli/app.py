"""All commands: swarmkit's own, and those of plugins."""

from __future__ import annotations

import importlib.metadata
import pkgutil
from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import Annotated, Any

import typer

from swarmkit.cli.options import new_group
from swarmkit.plugins.host import Host

EPILOG = "Example: swarmkit solve -p synthetic -a icm --seed 1 --looks 1e6"

COMMANDS = {
    "solve": "swarmkit.cli.solving:solve",
    "compare": "swarmkit.cli.comparing:compare",
    "runs": "swarmkit.cli.runs:runs",
    "report": "swarmkit.cli.pages:report",
    "resume": "swarmkit.cli.solving:resume",
    "replay": "swarmkit.cli.solving:replay",
    "tune": "swarmkit.cli.tuning:tune",
    "movie": "swarmkit.cli.pages:movie",
    "studio": "swarmkit.cli.pages:studio",
    "list": "swarmkit.cli.listing:list_",
    "describe": "swarmkit.cli.listing:describe",
    "check": "swarmkit.cli.listing:check",
    "new": "swarmkit.cli.scaffold:app",
}
"""Where swarmkit's own commands are, in the order of the help."""


def make_app(host: Host, first_word: str = "") -> typer.Typer:
    """Return the application; a plugin whose command has the name of one of swarmkit's own is marked as broken.

    A command of a plugin whose name has two words, such as `experiment wsd-best`, is in a group, which plugins share;
    if a plugin offers the group itself (`wsd`), the command joins that one (`wsd substitute`).

    Args:
        host: the plugins.
        called: the first argument; a command of swarmkit's own is then the only one that is imported.
    """
    app = new_group("Solve combinatorial problems with swarms and their relatives.", EPILOG)
    app.callback()(_root)
    alone = first_word in COMMANDS and first_word != "list"  # which shows what is wrong with the commands of plugins
    for name in [first_word] if alone else COMMANDS:
        _add(app, name, pkgutil.resolve_name(COMMANDS[name]))
    if not alone:
        _add_offers(app, host)
    return app


def called_alone(app: typer.Typer, arguments: Sequence[str]) -> typer.Typer:
    """Return the application with the command or group that is called, if the first argument names one, else with all.

    Typer reads the signatures of all commands before it calls one, which takes 25 ms.
    """
    name = arguments[0] if arguments else ""
    commands = [command for command in app.registered_commands if command.name == name]
    groups = [group for group in app.registered_groups if group.name == name]
    if commands or groups:
        app.registered_commands, app.registered_groups = commands, groups
    return app


def _add_offers(app: typer.Typer, host: Host) -> None:
    """Add the commands of plugins; a plugin whose command has a name that is taken is marked as broken."""
    clashing, offers = set(host.clashes("command")), host.offers("command")
    groups: dict[str, typer.Typer] = {}
    shared = {offer.name.partition(" ")[0] for offer in offers if " " in offer.name}
    for offer in offers:
        first, _, rest = offer.name.partition(" ")
        # Only the plugin is marked as broken: everything else goes on.
        if first in COMMANDS:
            offer.plugin.error = f"its command '{offer.name}' has the name of one of swarmkit's own"
        elif offer.name in clashing:
            offer.plugin.error = f"another plugin has a command named '{offer.name}' too"
        elif not rest and first in shared and isinstance(offer.value, typer.Typer):
            # A copy: commands of other plugins are added to it.
            group = groups[first] = copy(offer.value)
            group.registered_commands = [*group.registered_commands]
            group.registered_groups = [*group.registered_groups]
            app.add_typer(group, name=first)
        elif not rest and first in shared:
            offer.plugin.error = f"its command '{offer.name}' has the name of a group of other commands"
        elif rest and rest in _commands(groups.get(first)):
            offer.plugin.error = f"its command '{offer.name}' is in the group '{first}' of another plugin already"
        else:
            if rest and first not in groups:
                groups[first] = new_group(f"Commands of plugins; 'swarmkit {first} NAME --help' shows more.")
                app.add_typer(groups[first], name=first)
            _add(groups.get(first, app), rest or first, offer.value)


def _commands(group: typer.Typer | None) -> set[str]:
    """Return the names of a group's commands."""
    commands = group.registered_commands if group is not None else []
    return {info.name or getattr(info.callback, "__name__", "").replace("_", "-") for info in commands}


def _add(app: typer.Typer, name: str, command: Any) -> None:
    if isinstance(command, typer.Typer):
        app.add_typer(command, name=name)
    else:
        app.command(name)(command)


def _version(flag: bool) -> None:
    if flag:
        typer.echo(f"swarmkit {importlib.metadata.version('pyswarmkit')}")
        raise typer.Exit


def _root(
    plugin: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Load a single-file plugin; may be repeated, and stand anywhere."),
    ] = None,
    traceback: Annotated[
        bool, typer.Option("--traceback", help="Show the traceback of an error; may stand anywhere.")
    ] = False,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and leave.", callback=_version, is_eager=True)
    ] = False,
) -> Any:
    pass
