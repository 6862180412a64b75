"""The experiment from beginning to end: find the corpora, answer them with every row, measure, compare."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from swarmkit import Store
from swarmkit_wsd.evaluation.answers import Answering, Notice, Words, together
from swarmkit_wsd.evaluation.folders import COARSE_NAME, find_corpora
from swarmkit_wsd.evaluation.measurement import Measured, measure
from swarmkit_wsd.evaluation.rows import Row, choose

DEVELOPMENT = "senseval2"
"""The corpus on which weights and temperatures of the presets were chosen."""

HELD_OUT = "held out, together"
"""The fine-grained corpora that are not the development set, taken as one."""


@dataclass
class Outcome:
    """All that the experiment found, by corpus."""

    answers: dict[str, dict[Row, Words]] = field(default_factory=dict)
    rows: dict[str, list[Measured]] = field(default_factory=dict)
    left_out: dict[Row, str] = field(default_factory=dict)
    """The rows that cannot be had, each with the reason."""

    def document(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        return {
            "experiment": "wsd-best",
            "development": DEVELOPMENT,
            "corpora": {
                name: {
                    "words": len(next(iter(self.answers[name].values())).answered),
                    "rows": [row.model_dump(mode="json") for row in rows],
                }
                for name, rows in self.rows.items()
            },
            "left out": {str(row): reason for row, reason in self.left_out.items()},
        }


@dataclass(frozen=True)
class Wanted:
    """What is asked for."""

    data: Path
    corpora: Sequence[str] = ()
    """Their names; none is all that are found."""
    rows: Sequence[str] = ()
    """Names such as best/ils; none is all."""
    seeds: int = 3
    model: str | None = None
    """The file of a sense model, instead of the bundled one."""


def run_experiment(wanted: Wanted, store: Path | None, notice: Notice) -> Outcome:
    """Run the experiment.

    Args:
        wanted: corpora, rows, seeds, model.
        store: a file that keeps the runs of solvers; those in it are not made again.
        notice: called with messages on the progress.
    """
    rows, corpora, outcome = choose(wanted.rows), find_corpora(wanted.data, wanted.corpora), Outcome()
    with Store(store) if store is not None else nullcontext() as opened:
        answering = Answering(wanted.seeds, wanted.model, opened, notice)
        for files in corpora:
            found = dict(answering.answers(files, rows))
            answers = {row: words for row in rows if isinstance(words := found[row], Words)}
            outcome.answers[files.name] = answers
            outcome.left_out |= {row: reason for row, reason in found.items() if isinstance(reason, str)}
    held_out = [answers for name, answers in outcome.answers.items() if name not in (DEVELOPMENT, COARSE_NAME)]
    if len(held_out) > 1:
        outcome.answers[HELD_OUT] = {row: together([answers[row] for answers in held_out]) for row in held_out[0]}
    outcome.rows = {name: measure(answers) for name, answers in outcome.answers.items()}
    return outcome
