"""Against the field: scikit-opt, DEAP, pymoo, mealpy, PyGAD, simanneal, ACO-Pants, LKH and us, in process CPU time.

    python benchmarks/peers.py --out docs/peers.md         15 minutes on one core; --quick: two, no promises
    python benchmarks/peers.py --seeds 10                  every method the same seeds, all marks: hours
    python benchmarks/peers.py --maxcut G1.txt G11.txt --seeds 10    MaxCut alone: dwave-samplers and openjij, 5 CPU s
    python benchmarks/peers.py --tsp berlin52.tsp --qap nug30.dat --sizes --categories     files alone

The peers live in an environment of their own (--env), which is made on the first run with the versions pinned in
`peers-requirements.txt`; the user's cache by default. Same instances for all: cities drawn from seeds, the categorical
problem of `moves.py`, files of TSPLIB and QAPLIB by path. Without --seeds, methods that promise a gap run with ten
seeds, all others with two, the first of them to the last mark. Each method is a process; one that cannot be installed
or fails is reported in words. Ends with 1 if a promise measured is not kept.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any


def options(words: list[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--sizes", type=int, nargs="*", default=[100, 200, 1000], help="cities of the tours to draw")
    add("--categories", type=int, nargs="*", default=[100], help="stages of the categorical problems")
    add("--tsp", nargs="*", default=[], metavar="FILE", help="files of TSPLIB")
    add("--qap", nargs="*", default=[], metavar="FILE", help="files of QAPLIB")
    add("--maxcut", type=Path, nargs="*", default=[], metavar="FILE", help="graphs; best_known.csv lies beside them")
    add("--store", type=Path, metavar="FILE", help="with --maxcut: keeps the runs, so that a later call continues")
    add("--marks", type=float, nargs="+", default=[1.0, 10.0], help="CPU seconds at which gaps are taken")
    add("--seeds", type=int, help="runs of every method, all to the last mark")
    add("--instances", type=int, default=2, help="drawn instances of a size, used by the seeds in turn")
    add("--only", nargs="*", default=[], metavar="WORD", help="only methods whose names contain one of these")
    add("--jobs", type=int, default=1, help="processes at a time")
    add("--env", type=Path, help="folder of the peers' environment")
    add("--quick", action="store_true", help="tiny budgets, to see that everything runs")
    add("--json", action="store_true", help="one JSON document on standard output")
    add("--out", type=Path, help="write the page as Markdown, too")
    given = parser.parse_args(words)
    if given.quick:
        given.sizes, given.marks, given.seeds, given.instances = given.sizes and [20, 40], [0.1, 0.3], 1, 1
    given.marks = sorted(given.marks)
    if given.marks[0] <= 0 or given.instances < 1 or given.jobs < 1 or (given.seeds or 1) < 1:
        parser.error("marks, seeds, instances and jobs are above 0")
    if given.out is not None and not given.out.parent.is_dir():
        parser.error(f"--out: the directory {given.out.parent} does not exist")
    return given


def measure(given: argparse.Namespace, folder: Path, env: Path) -> list[dict[str, Any]]:
    """Make all runs; after Ctrl-C, give the rows there are."""
    from against import environment, measuring, plan

    python, field = environment.python_of(env), measuring.Field(folder)
    words = [word.lower() for word in given.only or [""]]
    methods = [method for method in plan.METHODS if any(word in method.label.lower() for word in words)]
    places = plan.instances(given.sizes, given.categories, given.tsp, given.qap, given.instances)
    for place in places:
        field.add(place)
    labels = {method.label for method in methods}
    jobs = [
        (method, place, plan.schedule(method, place, given.seeds, given.marks, labels))
        for place in places
        for method in methods
        if place.kind in method.kinds
    ]
    total = sum(until[-1] for _, _, marks in jobs for until in marks)
    print(f"{len(jobs)} jobs, {total / 60:.1f} minutes of CPU time, LKH and loading apart", file=sys.stderr)
    told: list[tuple[Any, Any, Any]] = []

    def work(method: Any, place: Any, marks: Any) -> None:
        lines = measuring.run_job(method, place, marks, field, python)
        if given.interrupted:
            return
        for seed, line in enumerate(lines):
            field.meet(place, seed % place.variations, line.get("costs", []))
        told.append((method, place, lines))
        print(f"{place.name}: {method.label} {'failed' if 'error' in lines[0] else 'done'}", file=sys.stderr)

    def consult(place: Any) -> None:
        lines = measuring.consult_lkh(place, field, python, env / "lkh.json")
        if not given.interrupted:
            told.append((plan.LKH, place, lines))

    given.interrupted = False
    with ThreadPoolExecutor(given.jobs) as pool:
        asked = [pool.submit(consult, place) for place in places if place.kind == "tour"]
        asked += [pool.submit(work, *job) for job in jobs]
        try:
            for one in asked:
                one.result()
        except KeyboardInterrupt:
            given.interrupted = True
            pool.shutdown(wait=False, cancel_futures=True)
            measuring.stop_all()
    return rows_of(told, places, given.marks, field)


def rows_of(told: list[Any], places: list[Any], marks: list[float], field: Any) -> list[dict[str, Any]]:
    """Make the rows, instance by instance, in the order of the plan."""
    from against import measuring, plan

    order = [method.label for method in plan.METHODS]
    told = sorted(told, key=lambda one: (places.index(one[1]), order.index(one[0].label) if one[0] != plan.LKH else -1))
    rows = []
    for method, place, lines in told:
        row = measuring.row_of(method, place, lines, field)
        if method == plan.LKH:
            took = [line["seconds"] for line in lines if "seconds" in line]
            row["note"] = row["note"] or f"takes {sum(took) / len(took):.2g} s an instance"
            lines = [{**line, "costs": [line["costs"][0]] * len(marks)} for line in lines if "costs" in line]
        measuring.add_gaps(row, place, lines, marks, field)
        rows.append(row)
    measuring.add_ratios(rows)
    return rows


def main() -> int:
    """Measure, print and write."""
    given = options(sys.argv[1:])
    from against import bars, environment, maxcut, table

    from swarmkit import write_atomically

    if given.maxcut:
        seconds = given.marks[-1] if given.marks != [1.0, 10.0] else 5.0
        rows = maxcut.measure(given, seconds)
        print(json.dumps(rows, indent=1) if given.json else maxcut.lay_out(rows, seconds))
        if given.out is not None:
            page = given.out.read_text() if given.out.exists() else ""
            words = ["--maxcut", *(file.name for file in given.maxcut), "--seeds", str(given.seeds or 2)]
            words += ["--only", *given.only] if given.only else []
            command = f"python benchmarks/peers.py {' '.join(words)}"
            section = maxcut.section(rows, seconds, command)
            write_atomically(given.out, maxcut.with_section(page, section).encode())
        return 0
    env = given.env or environment.default_folder()
    missing = environment.prepare(env)
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(given, Path(folder), env)
    pins = [line for line in environment.PINS.read_text().splitlines() if line and not line.startswith("#")]
    verdicts, about = bars.judge(rows), table.about(sys.argv, pins)
    if given.json:
        print(json.dumps({**about, "missing": missing, "rows": rows, "bars": verdicts}, indent=1))
    else:
        print(f"{table.lay_out(rows, given.marks)}\n\n{table.lay_out_bars(verdicts) if verdicts else ''}")
        for pin, why in missing.items():
            print(f"{pin} could not be installed: {why}")
    if given.interrupted:
        return 130
    if given.out is not None:
        kept = maxcut.section_of(given.out.read_text()) if given.out.exists() else ""
        page = table.page(rows, verdicts, given.marks, about)
        write_atomically(given.out, (maxcut.with_section(page, kept) if kept else page).encode())
    return 0 if all(verdict["pass"] for verdict in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
