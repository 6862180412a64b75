"""The command `swarmkit data`: show, fetch, remove WordNet."""

from __future__ import annotations

import typer

from swarmkit import new_group, print_json, print_table
from swarmkit_wsd.commands.arguments import Json

data = new_group("Show, fetch or remove WordNet, for word sense disambiguation.", help_without_command=False)


@data.callback(invoke_without_command=True)
def data_status(context: typer.Context, as_document: Json = False) -> None:
    """Show every copy of WordNet on this machine: where it is, its version, and whether it is used."""
    if context.invoked_subcommand is not None:
        return
    from swarmkit_wsd.wordnet.search import WAYS_OUT
    from swarmkit_wsd.wordnet.status import status

    held = status()
    rows = [
        {name: getattr(one, name) for name in ("what", "version", "found", "used", "size", "path", "sha256")}
        for one in held
    ]
    if as_document:
        print_json(
            [row | {"path": str(row["path"]), "remark": one.remark} for row, one in zip(rows, held, strict=True)]
        )
    elif rows:
        shown = [row | {"sha256": row["sha256"][:12], "size": f"{row['size'] / 1e6:.1f} MB"} for row in rows]
        print_table(shown)
        for one in held:
            if one.remark:
                typer.echo(f"{one.path}: {one.remark}")
    else:
        typer.echo(f"WordNet is not on this machine yet; it is fetched when first needed. {WAYS_OUT}")


@data.command()
def fetch() -> None:
    """Fetch WordNet 3.0 and the information content files into the user's cache, unless they are there.

    Example: swarmkit data fetch
    """
    from swarmkit_wsd.wordnet.fetch import fetch_all
    from swarmkit_wsd.wordnet.notice import print_notice

    source = fetch_all(print_notice)
    typer.echo(f"WordNet {source.version} is in {source.path}")


@data.command()
def remove() -> None:
    """Remove what swarmkit has fetched or compiled, and nothing else.

    Example: swarmkit data remove
    """
    from swarmkit_wsd.wordnet.status import remove as delete

    deleted = delete()
    for path in deleted:
        typer.echo(f"removed {path}")
    if not deleted:
        typer.echo("nothing to remove")
