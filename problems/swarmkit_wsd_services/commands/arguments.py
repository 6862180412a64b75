"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from swarmkit import SwarmkitError, UsageError, parse_settings

if TYPE_CHECKING:
    from swarmkit_wsd.options import WsdOptions

Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
Options = Annotated[list[str] | None, typer.Option("-P", metavar="KEY=VALUE", help="An option of the problem wsd.")]
Preset = Annotated[
    str | None,
    typer.Option(help="Defaults of -P: best (trained model), fast (counts and glosses), paper (D-Bees, 2014)."),
]
Model = Annotated[
    Path | None, typer.Option(help="A sense model that 'wsd train' has written, instead of the bundled one.")
]
MinConfidence = Annotated[
    float, typer.Option("--min-confidence", min=0, max=1, help="Leave words unanswered that are less sure.")
]
Clusters = Annotated[
    Path | None,
    typer.Option(help="Sense clusters, a line each: confidences are summed over a cluster, answers stay the same."),
]
Experts = Annotated[
    list[str] | None,
    typer.Option(
        "--expert",
        metavar="COMMAND",
        help="Asked about words that are not certain: a program that speaks JSON Lines, or 'interactive' for you.",
    ),
]
AskBelow = Annotated[
    float | None, typer.Option("--ask-below", min=0, max=1, help="Ask about words less sure than this (0.6).")
]
Reliability = Annotated[
    float | None, typer.Option(min=0, max=1, help="The share of right answers of an expert that states none (0.9).")
]
ExpertSeconds = Annotated[
    float | None, typer.Option("--expert-seconds", min=0.01, help="The time limit of an expert's answer (30).")
]
Language = Annotated[
    str | None,
    typer.Option(help="The language of the text: fr, ita, …; all but English need --wordnets or NLTK's omw-1.4."),
]
Wordnets = Annotated[
    Path | None, typer.Option(metavar="DIR", help="A folder with tab files of the Open Multilingual Wordnet.")
]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same answer.")]


def problem_options(
    options: list[str] | None,
    preset: str | None,
    model: Path | None,
    language: str | None = None,
    wordnets: Path | None = None,
) -> dict[str, Any]:
    """Return the options of the problem that -P and options of their own give; one that is given twice is refused."""
    values: dict[str, Any] = parse_settings(options, "-P")
    files = {name: None if path is None else str(path) for name, path in (("model", model), ("wordnets", wordnets))}
    # An option that is named twice has no order of precedence that people would expect.
    for name, value in {"preset": preset, "language": language, **files}.items():
        if value is not None and name in values:
            raise UsageError(f"'{name}' is given by -P and by --{name}; expected one of them")
        if value is not None:
            values[name] = value
    return values


def check_no_source(settings: WsdOptions, expected: str) -> None:
    """Refuse options of the problem that name a text, where texts come from elsewhere.

    Args:
        settings: the options.
        expected: where the command takes its texts from, as a sentence.
    """
    for name in ("text", "file", "corpus"):
        if getattr(settings, name) is not None:
            raise UsageError(f"-P {name}: {expected}")


class ExpertsFailed(SwarmkitError):
    """All words were answered, but some without experts that had been named."""

    exit_code = 1

    def __init__(self, count: int) -> None:
        super().__init__(f"experts failed {count} times; all words are answered, some without experts")


def warn(sentence: str) -> None:
    """Print a sentence on standard error, as messages of swarmkit are."""
    typer.echo(f"swarmkit: {sentence}", err=True)
