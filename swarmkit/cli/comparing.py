"""The command `compare`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from swarmkit.cli.options import (
    Force,
    JsonOption,
    check_outputs,
    problem_entries,
    say,
    solver_entries,
    split_names,
    with_limits,
    write_after,
)
from swarmkit.cli.show import heading, print_table, used
from swarmkit.contract.errors import FailedRuns, UsageError
from swarmkit.contract.notebook import figure

if TYPE_CHECKING:
    from swarmkit.comparison.experiment import Experiment
    from swarmkit.comparison.plan import ExperimentPlan
    from swarmkit.comparison.record import Failed, Record
    from swarmkit.comparison.summary import MethodSummary


Selection = tuple[Sequence[str] | None, Sequence[str] | None]
"""The values of an option that names problems or solvers, and of the one that sets them."""


@with_limits
def compare(
    file: Annotated[Path | None, typer.Argument(help="An experiment in TOML, instead of -p and --algos.")] = None,
    problem: Annotated[
        list[str] | None, typer.Option("-p", "--problem", help="A problem to solve; may be repeated.")
    ] = None,
    options: Annotated[
        list[str] | None,
        typer.Option(
            "-P", metavar="[PROBLEM.]KEY=VALUE", help="An option of one of the problems, or of all that have it."
        ),
    ] = None,
    algos: Annotated[
        list[str] | None, typer.Option("-a", "--algos", help="The solvers to compare: a,b,c; may be repeated.")
    ] = None,
    params: Annotated[
        list[str] | None, typer.Option("-A", metavar="SOLVER.KEY=VALUE", help="A parameter of one of the solvers.")
    ] = None,
    runs: Annotated[int | None, typer.Option(help="Runs of each solver on each problem; by default 10.")] = None,
    seed: Annotated[int | None, typer.Option(help="The seed from which the seeds of all runs are derived.")] = None,
    polish: Annotated[str | None, typer.Option(help="A local search on every answer: none, icm, local.")] = None,
    gap: Annotated[bool, typer.Option("--gap", help="Show the gap to the optimum or to a bound.")] = False,
    store: Annotated[
        Path | None, typer.Option(help="Keep the runs in this file; runs that are in it are not made again.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes; -1 is one per core, or all of a cluster.")] = None,
    backend: Annotated[
        str, typer.Option(help="Where runs are made: loky (this machine), dask, or another backend of joblib.")
    ] = "loky",
    scheduler: Annotated[str | None, typer.Option(help="The address of the Dask scheduler: tcp://HOST:8786.")] = None,
    toml: Annotated[bool, typer.Option("--toml", help="Print the experiment as TOML and run nothing.")] = False,
    as_document: JsonOption = False,
    out: Annotated[Path | None, typer.Option(help="Write all runs to this file as JSON.")] = None,
    force: Force = False,
    **limits: Any,
) -> None:
    """Compare solvers by several runs of each, on some problems or on all problems of an experiment file.

    With --store, the same command continues a comparison that was stopped or killed. Options override the values of an
    experiment file. The exit code is 1 if some runs failed.

    Example: swarmkit compare -p synthetic --algos sa,icm,ga --runs 5 --looks 1e5 --store runs.db --jobs 2
    """
    fields = {"runs": runs, "seed": seed, "polish": polish, "gap": gap or None, "budget": limits or None}
    values = {name: value for name, value in fields.items() if value is not None}
    if file:
        experiment = from_file(file, (problem, options, algos, params), values)
    else:
        experiment = from_options((problem, options), (algos, params), values)
    if toml:
        from swarmkit.comparison.experiment import write_experiment

        typer.echo(write_experiment(experiment), nl=False)
        return
    check_outputs(force, out)
    workers = {"jobs": jobs, "backend": backend, "scheduler": scheduler}
    CompareCommand(experiment, as_document, out).run(store, workers)


def from_file(file: Path, names: Sequence[Any], values: dict[str, Any]) -> Experiment:
    """Return the experiment of a file, overridden by options.

    Args:
        file: the experiment in TOML.
        names: the options that name problems and solvers, which a file excludes.
        values: the fields of the experiment that were given as options.
    """
    from swarmkit.comparison.experiment import Experiment, read_experiment

    if any(names):
        raise UsageError("an experiment file names problems and solvers itself: leave out -p, -P, --algos and -A")
    experiment = read_experiment(file)
    return Experiment.read(experiment.model_dump(exclude_unset=True) | values, "the command line")


def from_options(problems: Selection, solvers: Selection, values: dict[str, Any]) -> Experiment:
    """Return the experiment of some problems and some solvers.

    Args:
        problems: the names of the problems, and their options as text.
        solvers: the names of the solvers, and their parameters as text.
        values: the other fields of the experiment.
    """
    from swarmkit.comparison.experiment import Experiment, check

    problem_names, solver_names = split_names(problems[0]), split_names(solvers[0])
    if not problem_names or not solver_names:
        raise UsageError("give a problem and solvers (-p synthetic --algos sa,icm), or an experiment file")
    entries = {
        "problems": problem_entries(problem_names, problems[1]),
        "solvers": solver_entries(solver_names, solvers[1]),
    }
    experiment = Experiment.read(entries | values, "the command line")
    check(experiment)
    return experiment


class CompareCommand:
    """A comparison from the command line: it shows progress and results, and keeps them when it is interrupted."""

    def __init__(self, experiment: Experiment, as_document: bool, out: Path | None) -> None:
        self.experiment, self.as_document, self.out = experiment, as_document, out
        self.plan: ExperimentPlan | None = None
        self.ready: list[Record] = []
        self.failed: list[Failed] = []

    def run(self, store: Path | None, workers: dict[str, Any]) -> None:
        """Make the comparison and show it; `workers` are jobs, backend and scheduler."""
        from swarmkit.cli.progress import ComparisonProgress
        from swarmkit.comparison.comparing import compare as make_runs

        with ComparisonProgress() as progress:

            def begin(plan: ExperimentPlan, earlier: Sequence[Record]) -> None:
                self.plan, self.ready = plan, list(earlier)
                progress.begin(len(plan.runs), earlier)

            def add(record: Record) -> None:
                self.ready.append(record)
                progress.run_ready(record)

            interruption: BaseException | None = None
            try:
                self.ready = make_runs(self.experiment, store=store, planned=begin, ready=add, **workers)
            except FailedRuns as error:
                self.ready, self.failed = list(error.records), list(error.failed)
            except (UsageError, KeyboardInterrupt) as error:  # the store can no longer be written to, for instance
                interruption = error
        if interruption is None or self.ready:
            self.deliver(store if interruption is None else None)
        if isinstance(interruption, UsageError):
            raise interruption
        if interruption is not None:
            total = len(self.plan.runs) if self.plan else "the"
            way = f"are in {store}; the same command continues" if store else "are done; --store would keep them"
            say(f"swarmkit: interrupted; {len(self.ready)} of {total} runs {way}")
            raise typer.Exit(130)
        if self.failed:
            raise typer.Exit(1)

    def deliver(self, store: Path | None) -> None:
        """Show the finished runs, then write the file that was asked for."""
        text = self.document() if self.out or self.as_document else ""
        with write_after(self.out, lambda: f"{text}\n"):
            if self.as_document:
                print(text)
            else:
                show(self.ready, self.plan)
                if store:
                    print(f"\n{len(self.ready)} runs are in {store}: 'swarmkit report {store}' writes a report.")
        for failed in self.failed:
            where = f"{failed.method} on {failed.instance}, repetition {failed.repetition}, run {failed.key[:12]}"
            say(f"swarmkit: {where}: {failed.error}")

    def document(self) -> str:
        """Return experiment, summary, refusals, failures and runs as JSON."""
        import json
        from dataclasses import asdict

        from swarmkit.comparison.record import as_plain
        from swarmkit.comparison.summary import summarise_methods

        content = {
            "experiment": self.experiment.model_dump(mode="json"),
            "summary": [row._asdict() for row in summarise_methods(self.ready)],
            "refused": [pair.as_plain() for pair in self.plan.refused] if self.plan else [],
            "failed": [asdict(row) for row in self.failed],
            "records": [as_plain(record) for record in self.ready],
        }
        return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)


def show(records: Sequence[Record], plan: ExperimentPlan | None = None) -> None:
    """Print a table for each instance with the scores and the cost of each method, and the refusals of a plan."""
    from swarmkit.comparison.summary import metrics_that_differ, summarise_methods

    rows = summarise_methods(records)
    refusals = plan.refused if plan else []
    for instance in dict.fromkeys([row.instance for row in rows] + [row.instance for row in refusals]):
        here = [row for row in rows if row.instance == instance]
        heading(instance)
        if here:
            metrics = metrics_that_differ((instance, row.metrics) for row in here)
            print_table([_row(row, any(r.gap is not None for r in here), metrics) for row in here])
        reason = next((_no_gap(r) for r in records if r.instance == instance), None)
        if reason:
            print(reason)
        for pair in refusals:
            if pair.instance == instance:
                print(f"{pair.method} is left out: {pair.reason}")


def _no_gap(record: Record) -> str | None:
    """Return why there is no gap although it was asked for, None if there is one."""
    gap = record.result.gap
    return gap.words if gap is not None and gap.bound is None else None


def _row(row: MethodSummary, with_gap: bool, metrics: Sequence[str]) -> dict[str, Any]:
    """Return a summary as a row of the table; a metric that is the objective itself has no column of its own."""
    best, median = (
        "none" if score is None else figure(score) for score in (row.value(row.best), row.value(row.median))
    )
    name = "" if row.objective == "score" else f" {row.objective}"
    infeasible = f" ({row.infeasible} found no feasible solution)" if row.infeasible else ""
    cells = {
        "method": row.method,
        "runs": f"{row.runs}{infeasible}" if infeasible else row.runs,
        f"best{name}": best,
        f"median{name}": median,
        "mean looks": used(row.looks, row.looks_limit),
        "evaluations": used(row.evaluations, row.evaluations_limit),
        "iterations": round(row.iterations),
        "seconds": f"{row.seconds:.3f}",
    }
    if with_gap:
        cells[f"gap to {row.gap_to}"] = "" if row.gap is None else f"{row.gap:.2%}"
    extra_metrics = [metric for metric in metrics if metric not in {*cells, row.objective}]
    return cells | {metric: row.metrics.get(metric) for metric in extra_metrics}
