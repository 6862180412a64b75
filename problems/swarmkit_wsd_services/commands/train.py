"""The command `swarmkit wsd train`: a sense model from labelled texts."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from swarmkit import MissingError, check_writable, install_hint, print_json
from swarmkit_wsd_services.commands.arguments import Json, Seed


def train(
    corpora: Annotated[
        list[Path],
        typer.Argument(metavar="CORPUS...", help="SemCor's files or folders, or *.data.xml beside *.gold.key.txt."),
    ],
    out: Annotated[Path, typer.Option(help="Write the model here.")],
    seed: Seed = 0,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the texts in which the encoder is tuned.")] = 1,
    held_out: Annotated[
        int, typer.Option("--held-out", min=2, help="Documents that are kept aside to judge the model by.")
    ] = 12,
    work: Annotated[
        Path | None, typer.Option(help="Keep intermediate results here, to go on after a stop; default: OUT.work.")
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="Threads; results are the same for the same number.")] = 1,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that exists.")] = False,
    as_document: Json = False,
) -> None:
    """Train a sense model on labelled texts: the encoder, the vectors of senses, and the weights of the score.

    The same command goes on where it was stopped. 'wsd tag --model OUT' uses the model.

    Example: swarmkit wsd train semcor3.0 --out senses.safetensors
    """
    check_writable(out, force, "Choose another name, or --force to write over it.")
    try:
        import torch
    except ImportError:
        raise MissingError(f"training needs torch, which the extra 'train' installs: {install_hint('train')}") from None
    from swarmkit_lexicon.lexicon import open_lexicon
    from swarmkit_sense_model.training.dataset import read_labelled
    from swarmkit_sense_model.training.train import Plan, train

    torch.set_num_threads(threads)
    begun = time.monotonic()
    texts = read_labelled(corpora)
    folder = work or out.with_name(out.name + ".work")
    plan = Plan(seed=seed, epochs=epochs, held_out=held_out)
    record = train(
        texts,
        open_lexicon(),
        plan,
        out,
        folder,
        lambda message: typer.echo(f"{time.monotonic() - begun:6.0f} s  {message}", err=True),
    )
    if as_document:
        print_json({"model": str(out), **record})
    else:
        share = record["held_out_accuracy"]["heads"]
        typer.echo(
            f"{out}: {share:.1%} of {record['held_out_instances']:,} words right in {held_out} held-out documents"
        )
