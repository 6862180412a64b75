"""The command `swarmkit experiment dbees-2014`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from swarmkit import print_json, print_table

if TYPE_CHECKING:
    from swarmkit_dbees2014.experiment import Outcome


def experiment(
    data: Annotated[Path, typer.Option(help="The folder of SemEval-2007 task 7.")],
    answers: Annotated[
        Path | None,
        typer.Option(help="Write each row's answers there, one file per seed, as 'wsd score' reads them."),
    ] = None,
    all_blocks: Annotated[
        bool, typer.Option("--all", help="The rows of all blocks: readings, measures; but 'cowie' has to be named.")
    ] = False,
    seeds: Annotated[
        int | None, typer.Option(min=1, help="Runs of every row that is repeated; by default as declared for each.")
    ] = None,
    jobs: Annotated[int, typer.Option(help="Processes; -1 is one per core. The numbers do not depend on it.")] = 1,
    store: Annotated[
        Path | None, typer.Option(help="Keep the runs in this file; those in it are not repeated.")
    ] = None,
    texts: Annotated[str | None, typer.Option(help="Only these texts: d001,d004.")] = None,
    methods: Annotated[
        str | None, typer.Option(help="Only these methods, blocks or rows: dbees,first or readings,chain/sa.")
    ] = None,
    as_document: Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")] = False,
) -> None:
    """Run the experiment of the D-Bees paper again and print its tables, with our rows beside the published ones.

    Abualhaija & Zimmermann 2014: every method of the paper and related ones, on five texts. The page docs/dbees-2014.md
    discusses the results.

    Example: swarmkit experiment dbees-2014 --data semeval2007-coarse --jobs 2 --store runs.db --answers answers
    """
    from swarmkit_dbees2014.experiment import run_experiment

    outcome = run_experiment(
        data,
        texts=_names(texts) if texts is not None else None,
        methods=_names(methods or ""),
        all_blocks=all_blocks,
        seeds=seeds,
        jobs=jobs,
        store=store,
        answers=answers,
    )
    if as_document:
        print_json(outcome.document())
    else:
        show(outcome)
    if outcome.runs.interrupted:
        way_on = f"the runs so far are in {store}, and the same command continues"
        typer.echo(f"swarmkit: interrupted; {way_on if store else '--store keeps the runs'}", err=True)
        raise typer.Exit(130)
    if outcome.runs.failures:
        raise typer.Exit(1)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def show(outcome: Outcome) -> None:
    """Print the tables, what each block maximises, and what was left out."""
    from swarmkit_dbees2014.published import NOTE, TESTS_NOTE
    from swarmkit_dbees2014.rows import blocks
    from swarmkit_dbees2014.tables import readings

    for title, table in outcome.tables().items():
        if table:
            typer.echo(f"{title}\n")
            print_table(table)
            typer.echo("")
    typer.echo(f"{TESTS_NOTE}\n\n{NOTE}\n\nWhat is maximised:")
    for block in dict.fromkeys(row.block for row in outcome.rows):
        typer.echo(f"  {block}: {blocks()[block].title}")
    typer.echo(f"\n{readings(outcome.rows)}")
    for reason in outcome.left_out:
        typer.echo(f"- left out: {reason}")
