"""Runs: `solve`, `resume`, `replay`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from swarmkit.cli.delivering import OutputOptions, check_figure, deliver, make_recorder
from swarmkit.cli.options import (
    Force,
    JsonOption,
    OptionsOption,
    ParamsOption,
    parse_fixed,
    parse_settings,
    say,
    single_name,
    with_limits,
)
from swarmkit.cli.show import print_json, summary
from swarmkit.contract.errors import Interrupted, SwarmkitError, UsageError
from swarmkit.files.writing import check_writable

if TYPE_CHECKING:
    from swarmkit.contract.result import Result
    from swarmkit.running.api import Replayed


Every = Annotated[float, typer.Option(min=0, help="Seconds between checkpoints.")]
Out = Annotated[
    Path | None, typer.Option(help="Write the result to this file as JSON; with the name *.csv, the answer as a table.")
]
Plot = Annotated[
    Path | None,
    typer.Option(help="Draw score over looks, and the solution if the problem can: .png, .svg, .pdf, .html."),
]
EvalJobs = Annotated[
    int, typer.Option(help="Processes that evaluate the score of a problem without tables; -1 is one per core.")
]


@with_limits
def solve(
    problem: Annotated[list[str], typer.Option("-p", "--problem", help="The problem to solve.")],
    algo: Annotated[
        list[str] | None, typer.Option("-a", "--algo", help="The solver to use; without it, one is chosen.")
    ] = None,
    options: OptionsOption = None,
    params: ParamsOption = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same answer.")] = 0,
    runs: Annotated[int | None, typer.Option(help="The number of runs, with seeds SEED, SEED+1, …")] = None,
    jobs: Annotated[int, typer.Option(help="Processes for --runs; -1 is one per core.")] = 1,
    checkpoint: Annotated[
        Path | None, typer.Option(help="Write the run's state here every few seconds, for 'swarmkit resume'.")
    ] = None,
    every: Every = 5.0,
    start: Annotated[
        Path | None,
        typer.Option(help="Begin with these solutions: a result (JSON), or candidate numbers, a solution a line."),
    ] = None,
    fixed: Annotated[
        list[str] | None,
        typer.Option("-F", metavar="STAGE=CANDIDATE", help="A stage that keeps this candidate; both count from 0."),
    ] = None,
    eval_jobs: EvalJobs = 1,
    polish: Annotated[
        str, typer.Option(help="A local search on the answer, once: none, icm (stage by stage), local (tours: 3-opt).")
    ] = "none",
    gap: Annotated[bool, typer.Option("--gap", help="Show how far the answer is from the optimum, if known.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show which solvers were chosen, why, and their shares over time.")
    ] = False,
    as_document: JsonOption = False,
    out: Out = None,
    plot: Plot = None,
    record: Annotated[Path | None, typer.Option(help="Record the run to this file, for 'swarmkit movie'.")] = None,
    movie: Annotated[
        Path | None, typer.Option(help="Write the run as a moving picture: one page (.html) that needs no network.")
    ] = None,
    force: Force = False,
    **limits: Any,
) -> None:
    """Solve a problem and show the best solution found.

    Without -a solvers are chosen by the structure of the problem, and the output says which and why.

    Without a limit the run ends when the solver is done, or after 2 million looks or 60 seconds; on a problem that is
    nothing but a score, after 10 seconds.

    Example: swarmkit solve -p synthetic -P n=100 --seed 1 --looks 1e6 --explain
    """
    from swarmkit.contract.budget import budget
    from swarmkit.plugins.factory import DEFAULT_SOLVER, make_problem, make_solver

    whole = budget(**limits)
    check_figure(out, plot, force)
    recorder = make_recorder(record, movie, runs, force)
    if checkpoint:
        if runs is not None:
            raise UsageError("--checkpoint goes with a single run, not with --runs")
        check_writable(checkpoint, force, f"Go on with 'swarmkit resume {checkpoint}', or overwrite it with --force.")
    solver = make_solver(single_name(algo or [DEFAULT_SOLVER], "-a"), **parse_settings(params, "-A"))
    clock = time.perf_counter()  # reading data is no part of the search, and is shown apart
    instance = make_problem(single_name(problem, "-p"), **parse_settings(options, "-P"))
    setup = time.perf_counter() - clock
    inputs: dict[str, Any] = {"seed": seed, "setup_seconds": setup, "polish": polish, "limits": whole}
    inputs |= {"start": start, "fixed": parse_fixed(fixed)}
    show = OutputOptions(as_document, out, plot, instance if gap else None, instance, explain, recorder, record, movie)
    if runs is None:
        inputs |= {"checkpoint": checkpoint and (checkpoint, every), "eval_jobs": eval_jobs}
        single_run(instance, solver, inputs, show)
    elif eval_jobs != 1:
        raise UsageError("--eval-jobs goes with a single run; several runs share the processes of --jobs")
    else:
        several_runs(instance, solver, runs, inputs | {"jobs": jobs}, show)


def single_run(problem: Any, solver: Any, inputs: dict[str, Any], show: OutputOptions) -> None:
    """Make one run, observed by a progress bar, and show it."""
    from swarmkit.cli.progress import ProgressBar
    from swarmkit.running.api import solve as run

    try:
        with ProgressBar() as bar:
            observers = [bar, *filter(None, [show.recorder])]
            result = run(problem, solver, observers=observers, **inputs)
    except Interrupted as interrupted:
        deliver(interrupted.result, show._replace(gap=None))
        raise typer.Exit(130) from None
    deliver(result, show)


def several_runs(problem: Any, solver: Any, runs: int, inputs: dict[str, Any], show: OutputOptions) -> None:
    """Make several runs and show them; after Ctrl-C, those that are ready."""
    from swarmkit.cli.progress import ProgressBar
    from swarmkit.contract.result import best_of
    from swarmkit.running.api import solve_many

    ready: list[Result] = []

    def note(result: Result) -> None:
        ready.append(result)
        bar.run_ready(best_of(ready).best)

    try:
        with ProgressBar(runs) as bar:
            results = solve_many(problem, solver, runs, ready=note, **inputs)
    except KeyboardInterrupt as interrupted:
        ready += interrupted.results if isinstance(interrupted, Interrupted) else []
        if ready:
            deliver(best_of(ready), show._replace(gap=None))
        say(f"swarmkit: interrupted; {len(ready)} of {runs} runs have a result")
        raise typer.Exit(130) from None
    except SwarmkitError:  # a run whose process died: the others have a result
        if ready:
            deliver(best_of(ready), show._replace(gap=None))
        raise
    deliver(results, show)


@with_limits
def resume(
    file: Annotated[Path, typer.Argument(help="A file written by 'swarmkit solve --checkpoint'.")],
    every: Every = 5.0,
    eval_jobs: EvalJobs = 1,
    as_document: JsonOption = False,
    out: Out = None,
    plot: Plot = None,
    force: Force = False,
    **limits: Any,
) -> None:
    """Continue a checkpointed run to the end of its budget, or of a new one given here.

    With looks or iterations as the budget the result is what the uninterrupted run would have given, bit for bit.

    Example: swarmkit resume run.ckpt --json
    """
    from swarmkit.cli.progress import ProgressBar
    from swarmkit.contract.budget import budget
    from swarmkit.running.api import resume as resume_run

    whole = budget(**limits) if limits else None
    check_figure(out, plot, force)
    show = OutputOptions(as_document, out, plot)
    try:
        with ProgressBar() as bar:
            result = resume_run(file, limits=whole, every=every, observers=[bar], eval_jobs=eval_jobs)
    except Interrupted as interrupted:
        deliver(interrupted.result, show)
        raise typer.Exit(130) from None
    deliver(result, show)


def replay(
    file: Annotated[Path, typer.Argument(help="A result written by --out (or --json).")],
    as_document: JsonOption = False,
) -> None:
    """Repeat a run from its result and compare the outcomes; exit code 1 if they differ.

    Example: swarmkit replay result.json
    """
    from swarmkit.running.api import replay as repeat

    replays = repeat(file)
    identical = not any(again.differences for again in replays)
    if as_document:
        runs = [{"differences": r.differences, "result": r.after.model_dump(mode="json")} for r in replays]
        print_json({"identical": identical, "runs": runs})
    else:
        for again in replays:
            print(verdict(again))
    if not identical:
        raise typer.Exit(1)


def verdict(again: Replayed) -> str:
    """Return whether a repeated run had the same outcome, and if not, which versions have changed."""
    before, after = again.before, again.after
    if not again.differences:
        return f"{before.problem} by {before.solver}: identical. {summary(after)}"
    now = after.versions
    changes = [
        f"{name} was {then}, is {now.get(name)}" for name, then in before.versions.items() if now.get(name) != then
    ]
    because = f" ({'; '.join(changes)})" if changes else ""
    return f"{before.problem} by {before.solver}: differs in {', '.join(again.differences)}{because}. {summary(after)}"
