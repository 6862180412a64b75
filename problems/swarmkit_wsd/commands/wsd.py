"""The command `swarmkit wsd`: tag, annotate, score."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from swarmkit import UsageError, new_group, parse_settings, print_json, print_table

if TYPE_CHECKING:
    from swarmkit_wsd.corpora.scoring import Report
    from swarmkit_wsd.problem import WordSenses

wsd = new_group("Find the senses of words: in a text, in a corpus, and score them.")

Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
Options = Annotated[list[str] | None, typer.Option("-P", metavar="KEY=VALUE", help="An option of the problem wsd.")]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same answer.")]


@wsd.command()
def tag(
    texts: Annotated[list[str], typer.Argument(metavar="TEXT|FILE|-", help="A text, a file of it, or - to read it.")],
    options: Options = None,
    explain: Annotated[
        str | None, typer.Option(metavar="WORD", help="Show what each sense of a word gains, and from which words.")
    ] = None,
    as_document: Json = False,
) -> None:
    """Show the sense of every word of an English text.

    Uses sense counts and glosses, the most accurate setting known; -P changes it. An argument may name a file.

    Example: swarmkit wsd tag "They sat on the bank of the river."
    """
    from swarmkit_wsd.disambiguation import best_options, each_chunk, senses
    from swarmkit_wsd.explanation import explain as weigh
    from swarmkit_wsd.wordnet.lexicon import open_lexicon

    settings = best_options(**parse_settings(options, "-P"))
    _check_no_source(settings)
    lexicon = open_lexicon(settings.wordnet)
    found: list[dict[str, Any]] = []
    unknown: list[str] = []
    weighed: list[dict[str, Any]] = []
    for given in texts:
        source, text = _read(given)
        for problem in each_chunk(text, lexicon, settings):
            x = problem.default_solution()
            found += [{"source": source, **sense.model_dump()} for sense in senses(problem, x)]
            unknown += [word.surface for word in problem.unknown]
            weighed += [one.model_dump() for one in weigh(problem, x, explain)] if explain else []
    if explain and not weighed:
        raise UsageError(f"'{explain}' is not among the words with senses: {', '.join(s['word'] for s in found)}")
    if as_document:
        document = {"senses": found, "unknown": unknown, "wordnet": lexicon.sha256}
        print_json(document | ({"explained": weighed} if explain else {}))
    elif explain:
        _show_weighed(weighed)
    else:
        _show_senses(found, unknown)


@wsd.command()
def annotate(
    corpus: Annotated[
        Path, typer.Argument(help="SemEval-2007 task 7 or unified framework XML; the format is detected.")
    ],
    out: Annotated[Path, typer.Option(help="Write the answers here, in the corpus's official format.")],
    algo: Annotated[str | None, typer.Option("-a", "--algo", help="A solver; without one, as 'wsd tag' does.")] = None,
    setting: Annotated[str, typer.Option(help="The options that -P changes: 'best' (as wsd tag) or 'paper'.")] = "best",
    options: Options = None,
    params: Annotated[list[str] | None, typer.Option("-A", metavar="KEY=VALUE", help="A solver's parameter.")] = None,
    seed: Seed = 0,
    key: Annotated[Path | None, typer.Option(help="The gold key, to score the answers at once.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that exists.")] = False,
    as_document: Json = False,
) -> None:
    """Answer every instance of a corpus and write the answers.

    Example: swarmkit wsd annotate corpus.xml --algo first --out answers.key
    """
    from swarmkit import check_writable, make_problem, make_solver, solve
    from swarmkit_wsd.corpora.keys import write_answers
    from swarmkit_wsd.options import BEST

    if setting not in ("best", "paper"):
        raise UsageError(f"no setting named '{setting}'. There are: best, paper.")
    check_writable(out, force, "Choose another name, or --force to write over it.")
    solver = make_solver(algo, **parse_settings(params, "-A")) if algo else None
    given = (BEST if setting == "best" else {}) | parse_settings(options, "-P") | {"corpus": str(corpus)}
    problem: WordSenses = make_problem("wsd", **given | ({"key": str(key)} if key else {}))  # type: ignore[assignment]
    if solver is None:
        x = problem.default_solution()
    else:
        import numpy as np

        x = np.array(solve(problem, solver, seed=seed).solution, np.int64)
    write_answers(out, problem.corpus, problem.answers(x))
    metrics = problem.metrics(x)
    if as_document:
        print_json({"answers": str(out), "metrics": metrics, "versions": dict(problem.versions)})
    else:
        typer.echo(f"{out}: {len(problem.targets)} answers, {len(problem.unknown)} words are not in WordNet")
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

    from swarmkit_wsd.corpora.keys import read_answers, read_keys
    from swarmkit_wsd.corpora.scoring import score as judge

    entries = read_keys(gold)
    report = judge(entries, read_answers(answers, entries), np.random.default_rng(seed))
    if as_document:
        print_json(report.model_dump())
    else:
        _show_report(report)


def _check_no_source(settings: Any) -> None:
    for name in ("text", "file", "corpus"):
        if getattr(settings, name) is not None:
            raise UsageError(f"-P {name}: 'wsd tag' takes its text as an argument, as a file, or from '-'")


def _read(given: str) -> tuple[str, str]:
    """Return the source and the text of an argument: standard input, a file, or the argument itself."""
    from swarmkit import decode_text, read_text

    if given == "-":
        return "-", decode_text(sys.stdin.buffer.read(), "standard input", "English text")
    like_a_name = 0 < len(given) < 1000 and not any(sign in given for sign in "\n\0")
    if like_a_name and Path(given).is_file():
        return given, read_text(given, "a file of English text")
    if like_a_name and " " not in given and Path(given).suffix in (".txt", ".text", ".md"):
        raise UsageError(f"{given}: no such file")
    return "text", given


def _show_senses(found: list[dict[str, Any]], unknown: list[str]) -> None:
    rows = [
        {"word": s["word"], "sense": s["synset"], "confidence": f"{s['confidence']:.2f}", "gloss": s["gloss"]}
        for s in found
    ]
    if rows:
        print_table(rows)
    else:
        typer.echo("no word that WordNet knows")
    if unknown:
        typer.echo(f"\nnot in WordNet: {', '.join(dict.fromkeys(unknown))}")


def _show_weighed(weighed: list[dict[str, Any]]) -> None:
    rows = [
        {
            "sense": f"{'*' if one['chosen'] else ' '} {one['synset']}",
            "value": f"{one['value']:.3f}",
            "alone": f"{one['prior']:.3f}",
            "pulled by": ", ".join(f"{p['word']} ({p['synset']}) {p['value']:.3f}" for p in one["pulls"]),
            "gloss": one["gloss"],
        }
        for one in weighed
    ]
    print_table(rows)
    typer.echo(
        "\n* chosen; 'alone' is the value by the sense's count, 'pulled by' lists the related words that add most"
    )


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
