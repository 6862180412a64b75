"""The command `tune`."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from swarmkit.cli.choosing import parse_settings, problem_entries, split_names, typed
from swarmkit.cli.limits import with_limits
from swarmkit.cli.listing import JsonOption
from swarmkit.cli.show import print_json
from swarmkit.cli.solving import Force
from swarmkit.contract.errors import UsageError
from swarmkit.files.writing import check_writable, write_atomically

if TYPE_CHECKING:
    from swarmkit.tuning.outcome import Outcome, TrialRow
    from swarmkit.tuning.task import Instance, TuningTask

TRAIN, TEST = "seed=1..8", "seed=101..110"
"""The instances of a problem that is drawn from a seed, where none are given."""

MOST = 10_000
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
        fixed=typed("solver", solver, parse_settings(params, "-A")),
        only=split_names(only),
        seed=seed,
    )
    if toml:
        check_writable(toml, force, "Give another name, or --force to overwrite it.")
    show_task(task)
    if jobs > 1:
        say(f"{jobs} settings are run at a time: the search is another one than with --jobs 1")
    first = typed("solver", solver, parse_settings(start, "--from"))
    places = Places(study, jobs, backend, scheduler)
    whole = None if minutes is None else 60 * minutes
    try:
        found = search(task, trials, seconds=whole, start=first, places=places, listeners=Listeners(show_trial, say))
    except KeyboardInterrupt as interrupted:
        if isinstance(interrupted, TuningInterrupted):  # without a TOML file: it would stand in the way of going on
            deliver(interrupted.outcome, as_document)
        kept = f"is in {study}; the same command goes on" if study else "is lost; --study would keep it"
        say(f"swarmkit: interrupted; the study {kept}")
        raise typer.Exit(130) from None
    try:  # the answer is shown first: a full disk does not lose it
        deliver(found, as_document)
    finally:
        if toml:
            write_atomically(toml, found.toml.encode())


def deliver(found: Outcome, as_document: bool) -> None:
    """Print what was found, as JSON or for people."""
    if as_document:
        print_json(found.as_plain())
    else:
        show(found)
    sys.stdout.flush()


def instances(names: Sequence[str], options: Sequence[str] | None, given: str, flag: str) -> list[Instance]:
    """Return the instances: of each problem, one for each value of the option that is listed.

    Args:
        names: the problems.
        options: the options that all instances have, `KEY=VALUE` or `PROBLEM.KEY=VALUE`.
        given: an option and its values, `seed=1..8` or `file=a.tsp,b.tsp`.
        flag: the option of the command line, for messages.
    """
    from swarmkit.tuning.task import Instance

    key, equals, values = given.partition("=")
    if not equals or not key or not values:
        raise UsageError(f"{flag} {given}: expected KEY=VALUES, such as seed=1..8 or file=a.tsp,b.tsp")
    rows = [problem_entries(names, [*(options or []), f"{key}={value}"]) for value in _values(values, flag)]
    for entry in rows[0]:
        if key not in entry["options"]:
            raise UsageError(f"{flag} {given}: the problem '{entry['name']}' has no option '{key}'")
    return [Instance(entry["name"], entry["options"]) for row in zip(*rows, strict=True) for entry in row]


def _values(text: str, flag: str) -> Sequence[str]:
    """Return the values of a list `a,b,c` or a range `1..8`, which includes both ends."""
    ends = [end.strip() for end in text.split("..", 1)]
    if len(ends) == 2 and any(re.fullmatch(r"-?\d+", end) for end in ends):
        return _range(ends, f"{flag}: the range {text if len(text) < LONGEST else f'{text[:LONGEST]}…'}")
    found = [value.strip() for value in text.split(",") if value.strip()]
    if not found:
        raise UsageError(f"{flag}: no value is listed")
    return found


def _range(ends: Sequence[str], what: str) -> Sequence[str]:
    """Return the whole numbers from one end to the other; `what` begins the message if there are none."""
    if not all(re.fullmatch(r"\d{1,18}", end) for end in ends):
        raise UsageError(f"{what} is no FIRST..LAST, two whole numbers such as 1..8")
    first, last = map(int, ends)
    if last < first:
        raise UsageError(f"{what} is empty; the smaller number comes first")
    if last - first >= MOST:
        raise UsageError(f"{what} has more than {MOST:,} values")
    return [str(value) for value in range(first, last + 1)]


def show_task(task: TuningTask) -> None:
    """Print what is searched, and with which budget."""
    ranges = "; ".join(f"{one.name} {one.words}" for one in task.space)
    limits = ", ".join(
        f"{value:,} {name.replace('_', ' ')}" for name, value in task.budget.model_dump(exclude_none=True).items()
    )
    say(f"tuning {task.name}, {limits} a run: {ranges}")


def show_trial(row: TrialRow) -> None:
    """Print a setting that is done."""
    setting = " ".join(f"{name}={value}" for name, value in row.setting.items())
    ended = f" (ended after {row.instances} instances)" if row.pruned else ""
    say(f"{row.number:>4}  {f'failed: {row.error}' if row.error else f'gap {row.gap:+.2%}{ended}'}  {setting}")


def say(words: str) -> None:
    """Print progress, apart from the answer."""
    print(words, file=sys.stderr, flush=True)


def show(found: Outcome) -> None:
    """Print the best setting, and how it does on the test instances."""
    failed = f", {found.failed} failed" if found.failed else ""
    tried = f"{found.trials} settings, {found.pruned} of them ended early{failed}"
    print(f"{tried}; the best has a mean gap of {found.train_gap:+.2%} to the default on the")
    print(f"training instances, and there the mean rank {found.train_rank:.1f}.")
    print(found.words)
    if found.setting:
        print(f"\n{found.arguments}\n\n{found.toml}", end="")
