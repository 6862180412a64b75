"""The command `swarmkit data`: show, fetch, build and remove what word sense disambiguation reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from swarmkit import new_group, print_json, print_table
from swarmkit_wsd_services.commands.arguments import Json

if TYPE_CHECKING:
    from swarmkit_lexicon.search import Holding

data = new_group("Show, fetch or remove WordNet, for word sense disambiguation.", help_without_command=False)


@data.callback(invoke_without_command=True)
def data_status(context: typer.Context, as_document: Json = False) -> None:
    """Show every copy of WordNet and of other languages' wordnets on this machine, and whether it is used."""
    if context.invoked_subcommand is not None:
        return
    from swarmkit_lexicon.search import WAYS_OUT, status

    holdings = [*status(), *_bundled_model(), *_tab_files()]
    rows = [
        {name: getattr(holding, name) for name in ("what", "version", "found", "used", "size", "path", "sha256")}
        for holding in holdings
    ]
    if as_document:
        print_json(
            [
                row | {"path": str(row["path"]), "remark": holding.remark}
                for row, holding in zip(rows, holdings, strict=True)
            ]
        )
    else:
        table = [row | {"sha256": row["sha256"][:12], "size": f"{row['size'] / 1e6:.1f} MB"} for row in rows]
        if table:
            print_table(table)
        for holding in holdings:
            if holding.remark:
                typer.echo(f"{holding.path}: {holding.remark}")
        if not any(holding.what == "WordNet" for holding in holdings):
            typer.echo(f"WordNet is not on this machine yet; it is fetched when first needed. {WAYS_OUT}")


def _bundled_model() -> list[Holding]:
    import hashlib

    from swarmkit_lexicon.search import Holding
    from swarmkit_sense_model.bundled import BUNDLED

    if not BUNDLED.is_file():
        return []
    # 43 MB: a fraction of a second, and the file on disk is what counts, not what it was at the release.
    digest = hashlib.sha256(BUNDLED.read_bytes()).hexdigest()
    return [Holding("sense model", BUNDLED, "package", "", digest, BUNDLED.stat().st_size, True)]


def _tab_files() -> list[Holding]:
    from swarmkit_lexicon.languages.tab_file import list_tab_files
    from swarmkit_lexicon.search import Holding

    return [
        Holding(
            f"wordnet {language}",
            file.path,
            "nltk" if "corpora" in file.path.parts else "named",
            "",
            file.sha256,
            file.path.stat().st_size,
            used,
        )
        for language, file, used in list_tab_files()
    ]


@data.command()
def fetch() -> None:
    """Fetch WordNet 3.0 and the information content files into the user's cache, unless they are there.

    Example: swarmkit data fetch
    """
    from swarmkit_lexicon.cache import print_notice
    from swarmkit_lexicon.fetch import fetch_ic, fetch_wordnet

    source = fetch_wordnet(print_notice)
    fetch_ic(print_notice)
    typer.echo(f"WordNet {source.version} is in {source.path}")


@data.command()
def build() -> None:
    """Fetch what is missing and make every file that would be made when it is first needed, so that nobody waits later.

    The vectors of senses are part of the sense model, which comes with the package.

    Example: swarmkit data build
    """
    from swarmkit_lexicon.cache import print_notice
    from swarmkit_lexicon.fetch import fetch_ic
    from swarmkit_lexicon.lexicon import open_lexicon
    from swarmkit_wsd.measures.graph import wordnet_graph

    # Opening compiles the arrays; what is derived from them is made below, as the first run would make it.
    lexicon = open_lexicon()
    fetch_ic(print_notice)
    lexicon.information_content()
    wordnet_graph(lexicon, links=True)
    typer.echo(f"WordNet {lexicon.version}, information content and gloss links are ready")


@data.command()
def remove() -> None:
    """Remove what swarmkit has fetched or compiled, and nothing else.

    Example: swarmkit data remove
    """
    from swarmkit_lexicon.search import remove as delete

    paths = delete()
    for path in paths:
        typer.echo(f"removed {path}")
    if not paths:
        typer.echo("nothing to remove")
