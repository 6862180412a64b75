"""Comparisons: `compare`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from swarmkit.cli.listing import JsonOption
from swarmkit.cli.show import heading, print_table
from swarmkit.cli.solving import Force, Iterations, Looks, OptionsOption, Patience, Seconds, Target, parse_settings
from swarmkit.contract.errors import FailedRuns, UsageError
from swarmkit.files.writing import check_writable, write_atomically

if TYPE_CHECKING:
    from swarmkit.comparison.experiment import Experiment
    from swarmkit.comparison.plan import Plan
    from swarmkit.comparison.record import Failed, Record


def compare(
    file: Annotated[Path | None, typer.Argument(help="An experiment in TOML, instead of -p and --algos.")] = None,
    problem: Annotated[str | None, typer.Option("-p", "--problem", help="The problem to solve.")] = None,
    options: OptionsOption = None,
    algos: Annotated[str | None, typer.Option("-a", "--algos", help="The solvers to compare: a,b,c.")] = None,
    params: Annotated[
        list[str] | None, typer.Option("-A", metavar="SOLVER.KEY=VALUE", help="A parameter of one of the solvers.")
    ] = None,
    runs: Annotated[int | None, typer.Option(help="Runs of each solver on each problem; 10 if not said.")] = None,
    seconds: Seconds = None,
    looks: Looks = None,
    iterations: Iterations = None,
    target: Target = None,
    patience: Patience = None,
    seed: Annotated[int | None, typer.Option(help="The seeds of all runs follow from this one.")] = None,
    polish: Annotated[str | None, typer.Option(help="A local search on every answer: none, icm, local.")] = None,
    gap: Annotated[bool, typer.Option("--gap", help="Say how far the answers are from the optimum, if known.")] = False,
    store: Annotated[
        Path | None, typer.Option(help="Keep the runs in this file; those in it are not made again.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes; -1 is one per core, or all of a cluster.")] = None,
    backend: Annotated[
        str, typer.Option(help="Where runs are made: loky (here), dask, or another of joblib's.")
    ] = "loky",
    scheduler: Annotated[str | None, typer.Option(help="The address of the Dask scheduler: tcp://HOST:8786.")] = None,
    toml: Annotated[bool, typer.Option("--toml", help="Print the experiment as a TOML file, and run nothing.")] = False,
    as_document: JsonOption = False,
    out: Annotated[Path | None, typer.Option(help="Write all runs to this file as JSON.")] = None,
    force: Force = False,
) -> None:
    """Compare solvers: so many runs of each, on one problem or on all of an experiment file.

    With --store, the same command goes on where it was stopped or killed. What is given beside a file counts instead
    of what stands in it. Exit code 1 if some runs failed.

    Example: swarmkit compare -p synthetic --algos sa,icm,ga --runs 5 --looks 1e5 --store runs.db --jobs 2
    """
    limits = {"seconds": seconds, "looks": looks, "iterations": iterations, "target": target, "patience": patience}
    given: dict[str, Any] = {"runs": runs, "seed": seed, "polish": polish, "gap": gap or None}
    given["budget"] = {name: value for name, value in limits.items() if value is not None} or None
    values = {name: value for name, value in given.items() if value is not None}
    experiment = (
        from_file(file, (problem, options, algos, params), values)
        if file
        else named(problem, parse_settings(options, "-P"), algos, params, values)
    )
    if toml:
        from swarmkit.comparison.toml_text import write_toml

        typer.echo(write_toml(experiment), nl=False)
        return
    if out:
        check_writable(out, force, "Give another name, or --force to write over it.")
    spread = {"store": store, "jobs": jobs, "backend": backend, "scheduler": scheduler}
    Comparing(experiment, as_document, out).go(spread)


def from_file(file: Path, named: Sequence[Any], values: dict[str, Any]) -> Experiment:
    """Read an experiment; what was given on the command line counts instead of what stands there."""
    from swarmkit.comparison.experiment import Experiment, read_experiment

    if any(named):
        raise UsageError("an experiment file names problems and solvers itself: leave out -p, -P, --algos and -A")
    experiment = read_experiment(file)
    return Experiment.read(experiment.model_dump(exclude_unset=True) | values, "the command line")


def named(
    problem: str | None, options: dict[str, str], algos: str | None, params: list[str] | None, values: dict[str, Any]
) -> Experiment:
    """Make an experiment of one problem and some solvers."""
    from swarmkit.comparison.experiment import Experiment
    from swarmkit.comparison.plan import check

    if not problem or not algos:
        raise UsageError("give a problem and solvers (-p synthetic --algos sa,icm), or an experiment file")
    names = [name.strip() for name in algos.split(",") if name.strip()]
    own: dict[str, dict[str, str]] = {name: {} for name in names}
    for entry, value in parse_settings(params, "-A").items():
        solver, dot, key = entry.partition(".")
        if not dot or solver not in own:
            raise UsageError(f"-A {entry}: expected SOLVER.KEY=VALUE, with a solver of --algos: {', '.join(own)}")
        own[solver][key] = value
    solvers = [{"name": name, "params": typed("solver", name, settings)} for name, settings in own.items()]
    problems = [{"name": problem, "options": typed("problem", problem, options)}]
    experiment = Experiment.read({"problems": problems, "solvers": solvers} | values, "the command line")
    check(experiment)
    return experiment


def typed(kind: str, name: str, settings: dict[str, str]) -> dict[str, Any]:
    """Give the settings of a command line as the values that their texts stand for."""
    from swarmkit import find, make_settings

    model = find(kind, name).Options if kind == "problem" else find(kind, name).Params
    whole = make_settings(model, settings, f"{kind} '{name}'").model_dump(mode="json")
    return {key: whole[key] for key in settings}


class Comparing:
    """One comparison as the command line makes it: watched, shown, and interrupted without loss."""

    def __init__(self, experiment: Experiment, as_document: bool, out: Path | None) -> None:
        self.experiment, self.as_document, self.out = experiment, as_document, out
        self.plan: Plan | None = None
        self.ready: list[Record] = []
        self.failed: list[Failed] = []

    def go(self, spread: dict[str, Any]) -> None:
        """Make the comparison and show it."""
        from swarmkit import compare as make
        from swarmkit.cli.comparison_progress import ComparisonProgress

        with ComparisonProgress() as progress:

            def planned(plan: Plan, there: Sequence[Record]) -> None:
                self.plan, self.ready = plan, list(there)
                progress.begin(len(plan.runs), there)

            def ready(record: Record) -> None:
                self.ready.append(record)
                progress.run_ready(record)

            try:
                records = make(self.experiment, planned=planned, ready=ready, **spread)
            except FailedRuns as error:
                records, self.failed = error.records, error.failed
            except KeyboardInterrupt:
                records = None
        if records is None:
            self.interrupted(spread["store"])
        self.deliver(records or [], spread["store"])
        if self.failed:
            raise typer.Exit(1)

    def interrupted(self, store: Path | None) -> None:
        """Show what there is, and say how to go on."""
        if self.ready:
            self.deliver(self.ready, None)
        total = len(self.plan.runs) if self.plan else "the"
        kept = f"are in {store}; the same command goes on from there" if store else "are done; --store would keep them"
        print(f"swarmkit: interrupted; {len(self.ready)} of {total} runs {kept}", file=sys.stderr)
        raise typer.Exit(130)

    def deliver(self, records: Sequence[Record], store: Path | None) -> None:
        """Show the comparison, and write what was asked for."""
        if self.out or self.as_document:
            text = self.document(records)
            if self.out:
                write_atomically(self.out, f"{text}\n".encode())
            if self.as_document:
                print(text)
        if not self.as_document:
            show(records, self.plan)
            if store:
                print(f"\n{len(records)} runs are in {store}: 'swarmkit report {store}' makes a report of them.")
        for failed in self.failed:
            where = f"{failed.method} on {failed.instance}, repetition {failed.repetition}, run {failed.key[:12]}"
            print(f"swarmkit: {where}: {failed.error}", file=sys.stderr)

    def document(self, records: Sequence[Record]) -> str:
        """Give everything as JSON."""
        import json
        from dataclasses import asdict

        from swarmkit.comparison.record import as_plain
        from swarmkit.comparison.summary import summarise

        content = {
            "experiment": self.experiment.model_dump(mode="json"),
            "summary": [row._asdict() for row in summarise(records)],
            "refused": [row._asdict() for row in self.plan.refused] if self.plan else [],
            "failed": [asdict(row) for row in self.failed],
            "records": [as_plain(record) for record in records],
        }
        return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)


def show(records: Sequence[Record], plan: Plan | None = None) -> None:
    """Print a table for each instance: methods, what they reached and what it cost."""
    from swarmkit.comparison.summary import summarise

    rows = summarise(records)
    refused = plan.refused if plan else []
    for instance in dict.fromkeys([row.instance for row in rows] + [row.instance for row in refused]):
        here = [row for row in rows if row.instance == instance]
        heading(instance)
        if here:
            print_table([_row(row, any(other.gap is not None for other in here)) for row in here])
        unknown = next((_unknown(r) for r in records if r.instance == instance), None)
        if unknown:
            print(unknown)
        for no in refused:
            if no.instance == instance:
                print(f"{no.method} is left out: {no.reason}")


def _unknown(record: Record) -> str | None:
    """Say why no gap is shown although it was asked for."""
    gap = record.result.gap
    return gap.words if gap is not None and gap.bound is None else None


def _row(row: Any, with_gap: bool) -> dict[str, Any]:
    def score(value: float | None) -> str:
        return "none" if value is None else f"{value:.6g}"

    shown = {"method": row.method, "runs": row.runs, "best": score(row.best), "median": score(row.median)}
    shown |= {"looks": round(row.looks), "iterations": round(row.iterations), "seconds": f"{row.seconds:.3f}"}
    if with_gap:
        shown["gap"] = "" if row.gap is None else f"{row.gap:.2%}"
    if row.infeasible:
        shown["runs"] = f"{row.runs} ({row.infeasible} found no feasible solution)"
    return shown
