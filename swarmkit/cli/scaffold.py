"""`swarmkit new`: a plugin package with a problem or a solver, and tests that pass."""

from __future__ import annotations

import re
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from swarmkit.cli import templates
from swarmkit.cli.group import new_group
from swarmkit.contract.errors import UsageError

app = new_group("Write a new plugin package whose own tests are green at once.")

Name = Annotated[str, typer.Argument(help="Its name, as -p or -a will take it: letters, digits, '-'.")]
Into = Annotated[Path, typer.Option(help="The directory to put the package's directory into.")]


@app.command("problem")
def new_problem(name: Name, into: Into = Path()) -> None:
    """Write a package with a problem of your own.

    Example: swarmkit new problem knapsack
    """
    write_package("problem", name, into)


@app.command("solver")
def new_solver(name: Name, into: Into = Path()) -> None:
    """Write a package with a solver of your own.

    Example: swarmkit new solver great-deluge
    """
    write_package("solver", name, into)


def write_package(kind: str, name: str, into: Path) -> None:
    """Write a package from the templates and print what to do next."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise UsageError(f"'{name}' cannot be the name of a {kind}; expected one like 'knapsack' or 'great-deluge'")
    _not_taken(kind, name)
    words = {
        "kind": kind,
        "name": name,
        "module": f"swarmkit_{name.replace('-', '_')}",
        "title": "".join(part.capitalize() for part in name.split("-")),
    }
    folder = into / name
    if folder.exists():
        raise UsageError(f"{folder} exists; nothing was written")
    if not into.is_dir():
        raise UsageError(f"{into}: no such directory")
    files = {**templates.COMMON, **(templates.PROBLEM if kind == "problem" else templates.SOLVER)}
    for path, text in files.items():
        file = folder / Template(path).substitute(words)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(Template(text).substitute(words), encoding="utf-8")
    typer.echo(f"{folder}: a {kind} that works, and a test that it keeps the contract. Next:")
    typer.echo(f"  cd {folder}")
    typer.echo("  pip install -e . pytest")
    typer.echo("  pytest")
    use = f"-p {name} -a icm" if kind == "problem" else f"-p synthetic -a {name}"
    typer.echo(f"  swarmkit solve {use}")


def _not_taken(kind: str, name: str) -> None:
    from swarmkit.plugins.host import host

    for offer in host().offers(kind):
        if offer.name == name:
            raise UsageError(f"there is a {kind} named '{name}' already, from {offer.plugin.provenance}")
