"""What `swarmkit tune` finds: a bad setting brought back, proposals against random ones, and the defaults checked.

    python benchmarks/tuning.py bad --out DIR          # tour-ga from a bad setting, 10 minutes
    python benchmarks/tuning.py proposals --out DIR    # the sampler against random proposals
    python benchmarks/tuning.py defaults --out DIR     # every stochastic solver: tuned, simplified, checked
    python benchmarks/tuning.py longer --out DIR --solvers tour-ga   # candidates that were checked, five times as long
    python benchmarks/tuning.py batches --out DIR      # the candidates of ga where a generation is one call of numpy
    python benchmarks/tuning.py sampling --out DIR     # the candidate of aca beside random sampling
    python benchmarks/tuning.py report --out DIR       # the table of what is there

Studies and figures are files in DIR; the same command goes on. A default is worth a change where the candidate's gain
holds on test instances with fresh seeds (Wilcoxon, Holm over all candidates) and no family of instances gets worse.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import fmean, median
from typing import Any
from unittest import mock

from choosing.runs import run
from choosing.scores import Knapsack, Landscape, Orders, Traps
from retuning.candidates import FRESH, LONGER, TUNING_LOOKS, Check, Measured, check
from retuning.families import CHECKED
from retuning.verdict import Verdict, table, tested

import swarmkit
from swarmkit.tuning import Instance, Listeners, Places, TuningTask, study, tune
from swarmkit.tuning.outcome import TrialRow, gap, signed_rank
from swarmkit.tuning.task import TEST, run_once, run_seed

BAD = {"population": 1000, "initial": "random", "crossover_rate": 1.0, "mutation": 0.1, "local_search": "none"}
"""A bad setting of `tour-ga`: a large population of random tours, hardly any mutation, no local search."""

SHORT = 0.7
"""CPU seconds of a run on scores in numpy."""

BAR = 0.02
"""The gap to the default that the search from the bad setting has to reach."""


def bad(out: Path, minutes: float) -> bool:
    """Tune `tour-ga` from a bad setting, with and without local search; return whether both reach the bar.

    Local search has two values, so a search that may use it soon draws it. The second search may not, and is measured
    against the genetic algorithm alone that was the default before it was tuned.
    """
    whole = from_bad(out / "bad.db", minutes, fixed={}, rival={})
    alone = {"local_search": "none"}
    plain = from_bad(out / "bad, no local search.db", minutes, fixed=alone, rival={"initial": "nearest"})
    return max(whole, plain) <= BAR


def from_bad(study: Path, minutes: float, fixed: dict[str, Any], rival: dict[str, Any]) -> float:
    """Tune from the bad setting, print the gaps on the test instances, and return the gap of what was found.

    Args:
        study: the file of the study.
        minutes: the time of the search.
        fixed: parameters that are not tuned.
        rival: parameters in which the setting that gaps are measured to differs from the default.
    """
    cities = [[Instance("tsp", {"n": 100, "seed": seed}) for seed in seeds] for seeds in (range(1, 9), range(101, 111))]
    budget = swarmkit.Budget(looks=200_000)
    task = TuningTask(solver="tour-ga", train=cities[0], test=cities[1], budget=budget, fixed=fixed)
    start = {name: value for name, value in BAD.items() if name not in fixed}
    begun = time.monotonic()

    def seen(row: TrialRow) -> None:
        print(f"{row.number:>4} {time.monotonic() - begun:5.0f} s {row.gap:+.2%} {row.setting}", flush=True)
        assert row.setting != {**task.default, **rival}, "the rival was proposed"

    found = tune(task, 10**6, seconds=60 * minutes, start=start, places=Places(study), listeners=Listeners(seen))
    best = {**task.default, **found.setting}
    default, worst, tuned = (
        [run_once(*task.calls(setting, at, TEST)[0]).score for at in range(len(task.test))]
        for setting in ({**task.default, **rival}, start, best)
    )
    before, after = (fmean(gap(*pair) for pair in zip(default, own, strict=True)) for own in (worst, tuned))
    print(f"{found.trials} settings, {found.pruned} ended early; found: {found.arguments}")
    print(f"gap to {rival or 'the default'} on 10 test instances: bad {before:+.2%}, found {after:+.2%} (bar 2 %)")
    return after


def proposals(out: Path, seeds: int, trials: int) -> bool:
    """Compare the best gaps of the sampler and of random proposals; return whether the sampler's are smaller."""
    import optuna

    file = out / "proposals.json"
    kept: dict[str, list[float]] = json.loads(file.read_text()) if file.exists() else {"sampler": [], "random": []}
    sets = [[Instance("maxcut", {"n": 100, "seed": seed}) for seed in part] for part in (range(1, 7), range(11, 13))]
    for seed in range(len(kept["random"]), seeds):
        budget, alone = swarmkit.Budget(looks=50_000), {"local_search": "none"}
        task = TuningTask(solver="ga", train=sets[0], test=sets[1], budget=budget, fixed=alone, seed=seed)
        kept["sampler"].append(tune(task, trials).train_gap)
        with mock.patch.object(study, "sampler", lambda number: optuna.samplers.RandomSampler(seed=number)):
            kept["random"].append(tune(task, trials).train_gap)
        file.write_text(json.dumps(kept))
    pairs = list(zip(kept["random"], kept["sampler"], strict=True))
    wins, p = sum(mine < other for other, mine in pairs), signed_rank([mine - other for other, mine in pairs])
    shown = {name: f"{median(values):+.2%}" for name, values in kept.items()}
    print(
        f"median of the best gap after {trials} settings of ga on maxcut: {shown}; the sampler is ahead with {wins} of"
    )
    print(f"{len(pairs)} seeds, Wilcoxon p = {p}")
    return wins > len(pairs) / 2


def defaults(out: Path, labels: list[str], trials: int) -> None:
    """Tune, simplify and check the solvers whose figures are not there yet."""
    for label in labels:
        file = out / f"{label}.json"
        if file.exists():
            continue
        begun, checked = time.process_time(), CHECKED[label]
        one = Check(checked, out / f"{label}.db", 1 if checked.candidate else trials)
        found = one.candidate()
        changes = {} if found is None else one.changes(found)
        measured = check(checked, changes) if found else []
        figures = {
            "changes": changes,
            "train_gap": found.gap if found else None,
            "families": found.families if found else {},
            "measured": [list(row) for row in measured],
            "cpu": time.process_time() - begun,
        }
        file.write_text(json.dumps(figures))
        print(f"{label}: {changes}, {figures['cpu']:.0f} CPU s", flush=True)


def longer(out: Path, labels: list[str]) -> None:
    """Run candidates on the test instances for longer than a run takes where no budget is given."""
    for label in labels:
        file = out / f"{label}, longer.json"
        if not file.exists():
            changes = json.loads((out / f"{label}.json").read_text())["changes"]
            measured = check(CHECKED[label], changes, LONGER)
            file.write_text(json.dumps({"changes": changes, "measured": [list(row) for row in measured]}))
        kept = json.loads(file.read_text())
        [found] = tested([Verdict(label, kept["changes"], 0.0, [Measured(*row) for row in kept["measured"]])])
        print(f"{label}: gap {found.gap:+.2%}, p = {found.p}; worse: {', '.join(found.worse) or 'none'}")
        show_families(found)


def batches(out: Path) -> None:
    """Compare `ga` with its candidates for equal CPU time on scores in numpy, of which a generation is one call."""
    made: dict[str, Callable[[int], swarmkit.Problem]] = {
        "landscape": lambda seed: Landscape(100, 4, seed),
        "traps": lambda seed: Traps(25, seed),
        "orders": lambda seed: Orders(200, 12, 0.0, seed),
        "knapsack": lambda seed: Knapsack(200, seed),
    }
    for file in (out / "ga.json", out / "ga, no local search.json"):
        candidate = json.loads(file.read_text())["changes"] if file.exists() else None
        for name, make in made.items() if candidate else ():
            pairs = [
                [run(make(seed), swarmkit.make_solver("ga", **params), seed, SHORT) for params in ({}, candidate)]
                for seed in (1, 2, 3)
            ]
            worse = fmean(gap(default.score, own.score) for default, own in pairs)
            share = fmean(own.looks / default.looks for default, own in pairs)
            print(f"{candidate} on {name}: gap {worse:+.2%} after {SHORT} CPU s, {share:.2f} times the evaluations")


def sampling(out: Path) -> None:
    """Print the mean gaps of the candidate of `aca` and of random sampling to the default of `aca`, by family."""
    checked, candidate = CHECKED["aca"], json.loads((out / "aca.json").read_text())["changes"]
    methods = {"default": ("aca", {}), "candidate": ("aca", candidate), "random": ("random", {})}
    each = len(checked.test()) // len(checked.families)
    for at, family in enumerate(checked.families):
        rows = []
        for number in range(at * each, (at + 1) * each):
            instance, seed = checked.test()[number], run_seed(FRESH, TEST, number, 0)
            budget = swarmkit.Budget(looks=TUNING_LOOKS)
            runs = {
                name: run_once(instance, solver, json.dumps(params, sort_keys=True), budget, seed).score
                for name, (solver, params) in methods.items()
            }
            rows.append([gap(runs["default"], runs[name]) for name in ("candidate", "random")])
        shown = ", ".join(
            f"{name} {fmean(gaps):+.2%}"
            for name, gaps in zip(("candidate", "random"), zip(*rows, strict=True), strict=True)
        )
        print(f"{family}: {shown}", flush=True)


def show_families(verdict: Verdict) -> None:
    """Print the mean gaps by family and budget."""
    means = (f"{name} ({budget}) {fmean(gaps):+.2%}" for (name, budget), gaps in verdict.families.items())
    print(f"{verdict.label}: {'; '.join(means)}")


def report(out: Path) -> None:
    """Print the table of what is there, and the gaps by family."""
    found = []
    for label in CHECKED:
        file = out / f"{label}.json"
        if file.exists():
            kept: dict[str, Any] = json.loads(file.read_text())
            rows = [Measured(*row) for row in kept["measured"]]
            found.append(Verdict(label, kept["changes"], kept["train_gap"], rows))
    print(table(found))
    for one in found:
        show_families(one)


def main() -> int:
    """Measure what is asked for, and return whether the bars are reached."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["bad", "proposals", "defaults", "longer", "batches", "sampling", "report"])
    parser.add_argument("--out", type=Path, required=True, help="the folder of studies and figures")
    parser.add_argument("--minutes", type=float, default=10.0, help="of the search from the bad setting")
    parser.add_argument("--trials", type=int, default=60, help="settings that are tried for each solver")
    parser.add_argument("--seeds", type=int, default=10, help="searches with each kind of proposal")
    parser.add_argument("--solvers", nargs="+", choices=list(CHECKED), default=list(CHECKED))
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    if given.part == "bad":
        return 0 if bad(given.out, given.minutes) else 1
    if given.part == "proposals":
        return 0 if proposals(given.out, given.seeds, given.trials) else 1
    if given.part == "longer":
        longer(given.out, given.solvers)
        return 0
    if given.part in ("batches", "sampling"):
        {"batches": batches, "sampling": sampling}[given.part](given.out)
        return 0
    if given.part == "defaults":
        defaults(given.out, given.solvers, given.trials)
    report(given.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
