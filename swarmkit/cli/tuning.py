"""The command `tune`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from swarmkit.cli.options import (
    Force,
    JsonOption,
    check_outputs,
    convert_settings,
    parse_settings,
    problem_entries,
    say,
    split_names,
    with_limits,
    write_after,
)
from swarmkit.cli.show import print_json
from swarmkit.contract.errors import UsageError

if TYPE_CHECKING:
    from swarmkit.tuning.outcome import Outcome, TrialRow
    from swarmkit.tuning.task import Instance, TuningTask

TRAIN, TEST = "seed=1..8", "seed=101..110"
"""The instances of a problem that is drawn from a seed, where none are given."""

RANGE = 10_000
"""The instances of a range: each is made before the search."""

LONGEST = 40
"""Characters of a range that a message shows."""

LOOKS = 100_000
"""The looks of a run where no budget is given."""


@with_limits
def tune(
    solver: Annotated[str, typer.Option("-a", "--algo", help="The solver to tune.")],
    problem: Annotated[
        list[str], typer.Option("-p", "--problem", help="The problem to tune it on, or several: tsp,qap.")
    ],
    options: Annotated[
        list[str] | None,
        typer.Option("-P", metavar="KEY=VALUE", help="An option that all instances have; of one problem: tsp.n=80."),
    ] = None,
    params: Annotated[
        list[str] | None, typer.Option("-A", metavar="KEY=VALUE", help="A parameter that keeps this value.")
    ] = None,
    train: Annotated[
        str,
        typer.Option(metavar="KEY=VALUES", help="Training instances of each problem: seed=1..8, or file=a.tsp,b.tsp."),
    ] = TRAIN,
    test: Annotated[
        str, typer.Option(metavar="KEY=VALUES", help="Test instances, none of which may be a training instance.")
    ] = TEST,
    only: Annotated[
        list[str] | None, typer.Option(help="The parameters to tune: a,b,c; by default all that have a range.")
    ] = None,
    start: Annotated[
        list[str] | None,
        typer.Option("--from", metavar="KEY=VALUE", help="A value of the first setting, in place of the default."),
    ] = None,
    trials: Annotated[int, typer.Option(min=1, help="Settings to try.")] = 50,
    minutes: Annotated[float | None, typer.Option(min=0, help="Limit on the minutes of the whole search.")] = None,
    runs: Annotated[int, typer.Option(min=1, help="Runs on each instance.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the search and of all runs.")] = 0,
    study: Annotated[
        Path | None,
        typer.Option(help="Keep the study in this file (Optuna's SQLite storage); the same command goes on."),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Settings that are run at a time, each by a process.")] = 1,
    backend: Annotated[str, typer.Option(help="Where runs are made: loky (this machine) or dask.")] = "loky",
    scheduler: Annotated[str | None, typer.Option(help="The address of the Dask scheduler: tcp://HOST:8786.")] = None,
    toml: Annotated[Path | None, typer.Option(help="Write the setting to this file, for experiments.")] = None,
    as_document: JsonOption = False,
    force: Force = False,
    **limits: Any,
) -> None:
    """Search for better parameters of a solver, and check them on instances that the search has not seen.

    A setting's objective is its mean gap to the default on the training instances, with seeds common to all settings;
    settings that are behind the best end early. With --jobs several settings are searched side by side, so the search
    differs from that of one process. A study in a file works with Optuna's dashboard.

    Example: swarmkit tune -a tour-ga -p tsp -P n=100 --looks 1e5 --trials 50 --study study.db
    """
    from swarmkit.contract.budget import budget
    from swarmkit.tuning.outcome import TuningInterrupted
    from swarmkit.tuning.study import Listeners, Places
    from swarmkit.tuning.study import tune as search
    from swarmkit.tuning.task import TuningTask

    names = split_names(problem)
    if not names:
        raise UsageError("-p names no problem; 'swarmkit list' shows all")
    task = TuningTask(
        solver=solver,
        train=instances(names, options, train, "--train"),
        test=instances(names, options, test, "--test"),
        budget=budget(**(limits or {"looks": LOOKS})),
        runs=runs,
        fixed=convert_settings("solver", solver, parse_settings(params, "-A")),
        only=split_names(only),
        seed=seed,
    )
    check_outputs(force, toml)
    show_task(task)
    if jobs > 1:
        say(f"{jobs} settings are run at a time: the search is another one than with --jobs 1")
    first = convert_settings("solver", solver, parse_settings(start, "--from"))
    places = Places(study, jobs, backend, scheduler)
    seconds = None if minutes is None else 60 * minutes
    try:
        outcome = search(
            task, trials, seconds=seconds, start=first, places=places, listeners=Listeners(show_trial, say)
        )
    except KeyboardInterrupt as interrupted:
        if isinstance(interrupted, TuningInterrupted):  # without a TOML file: it would stand in the way of going on
            show(interrupted.outcome, as_document)
        way = f"is in {study}; the same command goes on" if study else "is lost; --study would keep it"
        say(f"swarmkit: interrupted; the study {way}")
        raise typer.Exit(130) from None
    with write_after(toml, lambda: outcome.toml):
        show(outcome, as_document)


def instances(names: Sequence[str], options: Sequence[str] | None, listing: str, flag: str) -> list[Instance]:
    """Return the instances: of each problem, one for each value of the option that is listed.

    Args:
        names: the problems.
        options: the options that all instances have, `KEY=VALUE` or `PROBLEM.KEY=VALUE`.
        listing: an option and its values, `seed=1..8` or `file=a.tsp,b.tsp`.
        flag: the option of the command line, for messages.
    """
    from swarmkit.tuning.task import Instance

    key, equals, values = listing.partition("=")
    if not equals or not key or not values:
        raise UsageError(f"{flag} {listing}: expected KEY=VALUES, such as seed=1..8 or file=a.tsp,b.tsp")
    rows = [problem_entries(names, [*(options or []), f"{key}={value}"]) for value in _values(values, flag)]
    for entry in rows[0]:
        if key not in entry["options"]:
            raise UsageError(f"{flag} {listing}: the problem '{entry['name']}' has no option '{key}'")
    # Problem by problem: rows are by value.
    return [Instance(entry["name"], entry["options"]) for row in zip(*rows, strict=True) for entry in row]


def _values(text: str, flag: str) -> Sequence[str]:
    """Return the values of a list `a,b,c` or a range `1..8`, which includes both ends."""
    ends = [end.strip() for end in text.split("..", 1)]
    if len(ends) == 2 and any(re.fullmatch(r"-?\d+", end) for end in ends):
        return _range(ends, f"{flag}: the range {text if len(text) < LONGEST else f'{text[:LONGEST]}…'}")
    values = [value.strip() for value in text.split(",") if value.strip()]
    if not values:
        raise UsageError(f"{flag}: no value is listed")
    return values


def _range(ends: Sequence[str], prefix: str) -> Sequence[str]:
    """Return the whole numbers from one end to the other; `prefix` begins the message if there are none."""
    if not all(re.fullmatch(r"\d{1,18}", end) for end in ends):
        raise UsageError(f"{prefix} is no FIRST..LAST, two whole numbers such as 1..8")
    first, last = map(int, ends)
    if last < first:
        raise UsageError(f"{prefix} is empty; the smaller number comes first")
    if last - first >= RANGE:
        raise UsageError(f"{prefix} has more than {RANGE:,} values")
    return [str(value) for value in range(first, last + 1)]


def show_task(task: TuningTask) -> None:
    """Print what is searched, and with which budget."""
    ranges = "; ".join(f"{setting.name} {setting.words}" for setting in task.space)
    budget = task.budget.model_dump(exclude_none=True)
    limits = ", ".join(f"{value:,} {name.replace('_', ' ')}" for name, value in budget.items())
    say(f"tuning {task.name}, {limits} a run: {ranges}")


def show_trial(row: TrialRow) -> None:
    """Print a setting that is done."""
    setting = " ".join(f"{name}={value}" for name, value in row.setting.items())
    early = f" (ended after {row.instances} instances)" if row.pruned else ""
    say(f"{row.number:>4}  {f'failed: {row.error}' if row.error else f'gap {row.gap:+.2%}{early}'}  {setting}")


def show(outcome: Outcome, as_document: bool) -> None:
    """Print the best setting, and how it does on the test instances, as JSON or for people."""
    if as_document:
        print_json(outcome.as_plain())
        return
    failed = f", {outcome.failed} failed" if outcome.failed else ""
    trials = f"{outcome.trials} settings, {outcome.pruned} of them ended early{failed}"
    print(f"{trials}; the best has a mean gap of {outcome.train_gap:+.2%} to the default on the")
    print(f"training instances, and there the mean rank {outcome.train_rank:.1f}.")
    print(outcome.words)
    if outcome.setting:
        print(f"\n{outcome.arguments}\n\n{outcome.toml}", end="")
