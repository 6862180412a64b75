"""The command `swarmkit wsd`: tag, annotate, score, serve, train."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from swarmkit import MissingError, check_writable, install_hint, new_group, parse_settings, print_json, print_table
from swarmkit_wsd_services.commands.arguments import (
    Clusters,
    Json,
    MinConfidence,
    Model,
    Options,
    Preset,
    Seed,
    problem_options,
)
from swarmkit_wsd_services.commands.serve import serve
from swarmkit_wsd_services.commands.tag import tag

if TYPE_CHECKING:
    from swarmkit_text.corpora.scoring import Report
    from swarmkit_wsd.problem import WordSenses

wsd = new_group("Find the senses of words: in a text, in a corpus, and score them.")

wsd.command()(tag)
wsd.command()(serve)


@wsd.command()
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

    torch.set_num_threads(threads)  # sums differ in their last digits with the number of threads
    start = time.monotonic()
    texts = read_labelled(corpora)
    folder = work or out.with_name(out.name + ".work")
    plan = Plan(seed=seed, epochs=epochs, held_out=held_out)
    record = train(
        texts,
        open_lexicon(),
        plan,
        out,
        folder,
        lambda message: typer.echo(f"{time.monotonic() - start:6.0f} s  {message}", err=True),
    )
    if as_document:
        print_json({"model": str(out), **record})
    else:
        share = record["held_out_accuracy"]["heads"]
        typer.echo(
            f"{out}: {share:.1%} of {record['held_out_instances']:,} words right in {held_out} held-out documents"
        )


@wsd.command()
def annotate(
    corpus: Annotated[
        Path, typer.Argument(help="SemEval-2007 task 7 or unified framework XML; the format is detected.")
    ],
    out: Annotated[Path, typer.Option(help="Write the answers here, in the corpus's official format.")],
    algo: Annotated[str | None, typer.Option("-a", "--algo", help="A solver; without one, as 'wsd tag' does.")] = None,
    preset: Preset = None,
    model: Model = None,
    options: Options = None,
    params: Annotated[list[str] | None, typer.Option("-A", metavar="KEY=VALUE", help="A solver's parameter.")] = None,
    seed: Seed = 0,
    keep: Annotated[
        Path | None, typer.Option(metavar="KEY", help="Answers that are kept as they are: their senses are known.")
    ] = None,
    key: Annotated[Path | None, typer.Option(help="The gold key, to score the answers at once.")] = None,
    min_confidence: MinConfidence = 0.0,
    clusters: Clusters = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that exists.")] = False,
    as_document: Json = False,
) -> None:
    """Answer every instance of a corpus and write the answers.

    With --keep, a corpus that is annotated in part is completed: kept answers are written as they were given, and take
    part in the senses of the other words.

    Example: swarmkit wsd annotate corpus.xml --algo first --out answers.key
    """
    from swarmkit import check_writable, make_problem, make_solver, solve
    from swarmkit_text.corpora.keys import write_answers
    from swarmkit_wsd.answers import Answers
    from swarmkit_wsd.confidence import read_clusters
    from swarmkit_wsd.disambiguation import confident_answers, instance_confidences
    from swarmkit_wsd.known import keep_answers

    check_writable(out, force, "Choose another name, or --force to write over it.")
    solver = make_solver(algo, **parse_settings(params, "-A")) if algo else None
    values = problem_options(options, preset, model) | {"corpus": str(corpus)}
    rules = Answers(min_confidence, clusters=read_clusters(clusters) if clusters else None)
    problem: WordSenses = make_problem("wsd", **values | ({"key": str(key)} if key else {}))  # type: ignore[assignment]  # it is 'wsd'
    fixed = keep_answers(problem, keep) if keep else {}
    # Without a solver the answers are those of 'wsd tag'.
    if solver is None:
        x = problem.default_solution()
    else:
        import numpy as np

        x = np.array(solve(problem, solver, seed=seed, fixed=problem.fixed).solution, np.int64)
    answers = confident_answers(problem, x, rules) | fixed
    write_answers(out, problem.corpus, answers)
    metrics = problem.metrics(x, {name: keys.split() for name, keys in answers.items()})
    if as_document:
        sure = instance_confidences(problem, x, rules)
        words = [{"id": name, "key": keys, "confidence": sure[name]} for name, keys in answers.items()]
        facts = {"answers": str(out), "preset": problem.settings.preset, "metrics": metrics, "words": words}
        print_json(facts | ({"kept": len(fixed)} if keep else {}) | {"versions": dict(problem.versions)})
    else:
        typer.echo(
            f"{out}: {len(answers) - len(fixed)} answers by preset {problem.settings.preset}, "
            + (f"{len(fixed)} kept, " if keep else "")
            + f"{len(problem.unknown)} words are not in WordNet"
        )
        for name in ("attempted", "precision", "recall", "f1", "macro f1"):
            if name in metrics:
                typer.echo(f"{name}: {100 * metrics[name]:.2f} %")


@wsd.command()
def score(
    gold: Annotated[Path, typer.Argument(help="The gold key.")],
    answers: Annotated[Path, typer.Argument(help="The answers, in the official format.")],
    seed: Seed = 0,
    as_document: Json = False,
) -> None:
    """Score answers by the official rule: overall, by text, by part of speech, micro and macro.

    Example: swarmkit wsd score gold.key answers.key
    """
    import numpy as np

    from swarmkit_text.corpora.keys import read_answers, read_keys
    from swarmkit_text.corpora.scoring import score as judge

    entries = read_keys(gold)
    report = judge(entries, read_answers(answers, entries), np.random.default_rng(seed))
    if as_document:
        print_json(report.model_dump())
    else:
        _show_report(report)


def _show_report(report: Report) -> None:
    def row(name: str, rates: Any) -> dict[str, str]:
        shares = {part: f"{100 * getattr(rates, part):.2f}" for part in ("attempted", "precision", "recall", "f1")}
        right = f"{rates.right:g}/{rates.instances}" if hasattr(rates, "right") else ""
        return {"": name, "right": right, **shares}

    groups = [row(f"text {name}", part) for name, part in report.by_text.items()]
    groups += [row(f"pos {name}", part) for name, part in report.by_pos.items()]
    print_table([row("micro", report.micro), row("macro", report.macro), *groups])
    low, high = 100 * report.interval.low, 100 * report.interval.high
    level = f"{report.interval.level:.0%}"
    typer.echo(f"\nmicro F1 {100 * report.micro.f1:.2f}, {level} interval {low:.2f} to {high:.2f}")
