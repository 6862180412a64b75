"""What users of a version may type, call and read: commands, options, extras, public names, settings, keys of JSON.

    python benchmarks/surface.py > tests/data/surface-0.2.json

It lists the version that is installed where it runs, in a checkout (`pyproject.toml` and the stubs are read there).
`tests/test_surface.py` holds this version to what version 0.2 had.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import importlib
import inspect
import io
import json
import os
import re
import sys
import tempfile
import tomllib
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PACKAGES = ("swarmkit", "algorithms", "problems")

DOCUMENTS = {
    "list": ["list", "--json"],
    "describe": ["describe", "icm", "--json"],
    "check": ["check", "first", "--examples", "1", "--json"],
    "solve": [
        "solve",
        "-p",
        "synthetic",
        "--looks",
        "20000",
        "--gap",
        "--polish",
        "icm",
        "--json",
        "--out",
        "one.json",
    ],
    "solve --runs": ["solve", "-p", "synthetic", "-a", "sa", "--runs", "2", "--looks", "1000", "--json"],
    "replay": ["replay", "one.json", "--json"],
    "compare": [
        *("compare", "-p", "synthetic", "-P", "n=8", "--algos", "sa,icm", "--runs", "2", "--looks", "500", "--gap"),
        *("--store", "runs.db", "--json"),
    ],
    "runs": ["runs", "runs.db", "--json"],
    "report": ["report", "runs.db", "--json"],
    "tune": [
        *("tune", "-a", "sa", "-p", "synthetic", "-P", "n=8", "--train", "seed=1..2", "--test", "seed=3..4"),
        *("--looks", "500", "--trials", "2", "--json"),
    ],
}
"""Commands that print JSON, each with arguments that make most keys occur; they run in one folder, in this order."""


def main() -> None:
    """Print the surface of the installed version as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, default=Path.cwd(), help="the checkout; by default the current directory")
    print(json.dumps(surface(parser.parse_args().tree.absolute()), indent=1, sort_keys=True, ensure_ascii=False))


def surface(tree: Path) -> dict[str, Any]:
    """Return everything that users may rely on, by its kind, from the installed version, whose checkout is `tree`."""
    return {
        "commands": commands(),
        "extras": extras(tree),
        "hooks": hooks(),
        "names": {module: public_names(module, stub) for module, stub in stubs(tree)},
        "settings": settings(),
        "documents": documents(),
    }


def commands() -> dict[str, list[str]]:
    """Return the options and arguments of every command, plugins' commands included, by the words that call it."""
    import typer

    from swarmkit.cli.app import make_app
    from swarmkit.plugins.host import host

    options: dict[str, list[str]] = {}
    groups = [("", typer.main.get_command(make_app(host())))]
    while groups:
        words, command = groups.pop()
        options[words.strip()] = sorted(
            name
            for parameter in command.params
            for name in ([*parameter.opts, *parameter.secondary_opts] if parameter.opts else [parameter.name])
        )
        groups += [(f"{words} {name}", inner) for name, inner in getattr(command, "commands", {}).items()]
    return options


def extras(tree: Path) -> list[str]:
    """Return the names of the extras."""
    return sorted(tomllib.loads((tree / "pyproject.toml").read_text())["project"]["optional-dependencies"])


def hooks() -> dict[str, list[str]]:
    """Return the arguments of every hook, by its name."""
    import pluggy

    from swarmkit.plugins.host import host

    # The attribute of the host that holds pluggy's manager is private: it has another name in every version.
    manager = next(value for value in vars(host()).values() if isinstance(value, pluggy.PluginManager))
    callers = {name: caller for name, caller in vars(manager.hook).items() if name.startswith("swarmkit_")}
    return {name: sorted(caller.spec.argnames) if caller.spec else [] for name, caller in callers.items()}


def stubs(tree: Path) -> Iterator[tuple[str, Path]]:
    """Iterate over the public modules: those with a stub that lists their names."""
    for package in PACKAGES:
        for stub in sorted((tree / package).rglob("__init__.pyi")):
            if "kernels" not in stub.parts:  # those stubs are for the type checker
                parts = stub.parent.relative_to(tree).parts
                yield ".".join(parts if package == "swarmkit" else parts[1:]), stub


def public_names(module: str, stub: Path) -> dict[str, list[str]]:
    """Return the names of a public module, each with what may be used of it (`members`)."""
    names = re.findall(r"\bas (\w+)", stub.read_text())
    return {name: members(module, name) for name in names}


def members(module: str, name: str) -> list[str] | None:
    """Return the public attributes of a class and the parameters of a function; None for a name that does not exist."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        value = getattr(importlib.import_module(module), name, None)
    if value is None:
        return None
    if inspect.isclass(value):
        bases = [kind for kind in value.__mro__ if kind.__module__.startswith("swarmkit")]
        fields = [*(f.name for f in dataclasses.fields(value))] if dataclasses.is_dataclass(value) else []
        attributes = {a for kind in bases for a in [*vars(kind), *vars(kind).get("__annotations__", {})]}
        return sorted(a for a in attributes | {*fields, *_parameters(value)} if not a.startswith("_"))
    return sorted(_parameters(value)) if callable(value) else []


def _parameters(value: Any) -> list[str]:
    """Return the names of parameters; not `**data`, which a model of pydantic has until it is first built."""
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p.name for p in parameters if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]


def settings() -> dict[str, dict[str, list[str]]]:
    """Return everything that is registered, by kind and name, each with the names of its settings."""
    from swarmkit.plugins.host import host

    registrations: dict[str, dict[str, list[str]]] = {}
    for kind in host().kinds:
        registrations[kind] = {}
        for offer in host().offers(kind):
            value = host().find(kind, offer.name).value
            model = getattr(value, "Options", None) or getattr(value, "Params", None)
            names = {*getattr(model, "model_fields", {}), *getattr(model, "deprecated", {})}  # old names work, too
            registrations[kind][offer.name] = sorted(names)
    return registrations


def documents() -> dict[str, list[str]]:
    """Return the keys of the JSON that commands print: `records[].result.score` is a key in objects of a list."""
    before, keys = Path.cwd(), {}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for name, arguments in DOCUMENTS.items():
                keys[name] = sorted(set(key_paths(json.loads(run_command(arguments)))))
        finally:
            os.chdir(before)
    return keys


def run_command(arguments: list[str]) -> str:
    """Return what a command prints; it runs in this process, which has the libraries loaded already."""
    import typer

    from swarmkit.cli.app import make_app
    from swarmkit.plugins.host import host

    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
        code = typer.main.get_command(make_app(host())).main(arguments, "swarmkit", standalone_mode=False)
    if code:
        sys.exit(f"swarmkit {' '.join(arguments)} ended with {code}")
    return output.getvalue()


def key_paths(value: Any, path: str = "") -> Iterator[str]:
    """Iterate over the keys of nested plain data.

    >>> sorted(set(key_paths({"runs": [{"seed": 1}, {"seed": 2}]})))
    ['runs', 'runs[].seed']
    """
    if isinstance(value, list):
        for item in value:
            yield from key_paths(item, f"{path}[]")
    elif isinstance(value, dict):
        for key, inner in value.items():
            name = f"{path}.{key}" if path else key
            yield name
            yield from key_paths(inner, name)


if __name__ == "__main__":
    main()
