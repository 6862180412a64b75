"""What happens when processes are killed: stores lose nothing, resumed runs are bit-identical, no process is left.

    python benchmarks/chaos.py --kills 100 --resumes 60

`--kills N` kills (`kill -9`) a comparison on two processes N times at random moments and starts it again, until it is
finished, and again from an empty store. Each store is compared with an undisturbed one, and 5 s after each kill no
process may be left. `--resumes N` kills `solve --checkpoint --every 0` at random moments, from the first 100 ms on,
resumes it, kills that as well, and compares the end with a run that was not disturbed, for the bundled solvers and
problems in turn. Counts are printed; the exit code is 1 if one of them is not what it has to be. The progress is kept
in the folder `--work`: the same command continues there.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from victims import GRACE, Ledger, Victim

EARLY = 0.1
"""Seconds after the start within which a share of the kills comes: start-up is where things went wrong."""

EARLY_SHARE = 1 / 3

COMPARISON = [
    *("compare", "-p", "tsp", "-P", "n=30", "-a", "ils,sa,ga,random"),
    *("--looks", "3e6", "--runs", "4", "--seed", "3", "--jobs", "2"),
]
"""A comparison of RUNS runs of about a second each."""

RUNS = 16

PROBLEMS: dict[str, tuple[str, ...]] = {
    "synthetic": ("n=60",),
    "tsp": ("n=40",),
    "qap": ("n=14",),
    "flowshop": ("jobs=12",),
}
"""The bundled problems that need no data, small enough for a run of about a second."""

LOOKS = 3_000_000
KILLS_PER_RESUME = 3

TIMES = ("seconds", "cpu_seconds", "setup_seconds", "evaluation_seconds", "steps")
"""The fields of a result that depend on the clock; a kill must change no other one."""


def main() -> int:
    """Make the experiments that are asked for, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=0, metavar="N", help="kills of a comparison with a store")
    parser.add_argument("--resumes", type=int, default=0, metavar="N", help="runs that are killed and resumed")
    parser.add_argument("--seed", type=int, default=1, help="of the moments at which processes are killed")
    parser.add_argument(
        "--work", type=Path, default=Path(tempfile.gettempdir()) / "swarmkit-chaos", help="where progress is kept"
    )
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    good = True
    if given.kills:
        good &= report_kills(Ledger(given.work / f"kills-{given.seed}.jsonl"), given)
    if given.resumes:
        good &= report_resumes(Ledger(given.work / f"resumes-{given.seed}.jsonl"), given)
    return 0 if good else 1


def moment(rng: random.Random, longest: float) -> float:
    """Return after how many seconds to kill: a third of the times within EARLY."""
    return rng.uniform(0, EARLY) if rng.random() < EARLY_SHARE else rng.uniform(EARLY, longest)


# ---------------------------------------------------------------------------------------------------- comparisons


def report_kills(ledger: Ledger, given: argparse.Namespace) -> bool:
    """Kill comparisons until there were enough kills, and print what became of their stores."""
    undisturbed = given.work / f"undisturbed-{given.seed}.db"
    begun = time.perf_counter()
    if not undisturbed.exists() or len(runs_of(undisturbed)) < RUNS:
        check(Victim([*COMPARISON, "--store", str(undisturbed)], given.work))
    expected = runs_of(undisturbed)
    longest = max(2.0, time.perf_counter() - begun) if not ledger.entries else ledger.entries[0]["longest"]
    while sum(entry["killed"] for entry in ledger.entries) < given.kills or not finished(ledger):
        number = sum(entry["finished"] for entry in ledger.entries)
        store = given.work / f"disturbed-{given.seed}-{number}.db"
        rng = random.Random(f"{given.seed} {len(ledger.entries)}")  # noqa: S311  (of moments, not of secrets)
        enough = sum(entry["killed"] for entry in ledger.entries) >= given.kills
        entry = disturb(store, float("inf") if enough else moment(rng, longest), expected)
        ledger.add(longest=longest, **entry)
        print(
            f"\r{sum(e['killed'] for e in ledger.entries)} of {given.kills} kills", end="", file=sys.stderr, flush=True
        )
    print(file=sys.stderr)
    return print_kills(ledger)


def finished(ledger: Ledger) -> bool:
    """Return whether the last store is complete."""
    return bool(ledger.entries) and bool(ledger.entries[-1]["finished"])


def disturb(store: Path, seconds: float, expected: dict[str, Any]) -> dict[str, Any]:
    """Run a comparison for some seconds, kill it, and compare its store with the undisturbed runs."""
    before = runs_of(store)
    victim = Victim([*COMPARISON, "--store", str(store)], store.parent)
    killed = victim.kill_after(seconds) if seconds < float("inf") else False
    if not killed:
        _, err = victim.finish()
        assert victim.process.returncode == 0, err
    left = victim.close()
    after = runs_of(store)
    return {
        "killed": killed,
        "early": killed and seconds <= EARLY,
        "left": len(left),
        "lost": len(before.keys() - after.keys()) + (0 if killed else len(expected.keys() - after.keys())),
        "changed": sum(expected.get(key) != run for key, run in after.items()),
        "duplicated": duplicates(store),
        "finished": not killed,
    }


def runs_of(store: Path) -> dict[str, Any]:
    """Return the outcomes of a store's runs by key; none if a kill came before the store was made."""
    import swarmkit

    if not store.exists() or store.stat().st_size == 0:
        return {}
    with swarmkit.Store(store) as opened:
        return {record.key: outcome(record.result.model_dump(mode="json")) for record in opened.records()}


def duplicates(store: Path) -> int:
    """Return how many runs of a store have the instance, method and repetition of another one."""
    import swarmkit

    if not store.exists() or store.stat().st_size == 0:
        return 0
    with swarmkit.Store(store) as opened:
        names = [(record.instance, record.method, record.repetition) for record in opened.records()]
    return len(names) - len(set(names))


def print_kills(ledger: Ledger) -> bool:
    """Print the counts; return whether all of them are 0."""
    total = {name: sum(int(entry[name]) for entry in ledger.entries) for name in ledger.entries[0]}
    early = f"{total['early']} of them in the first {EARLY * 1000:.0f} ms"
    print(f"kills: {total['killed']}, {early}, in {total['finished']} comparisons of {RUNS} runs:", end=" ")
    counts = ("lost", "changed", "duplicated", "left")
    print(", ".join(f"{total[name]} {name}" for name in counts) + f" (processes left after {GRACE:.0f} s)")
    return not any(total[name] for name in counts)


# ---------------------------------------------------------------------------------------------------- resumed runs


def report_resumes(ledger: Ledger, given: argparse.Namespace) -> bool:
    """Kill and resume runs of all solvers and problems in turn, and print how many were bit-identical."""
    pairs = solver_problem_pairs()
    while len(ledger.entries) < given.resumes:
        number = len(ledger.entries)
        problem, solver = pairs[number % len(pairs)]
        rng = random.Random(f"{given.seed} {number} {problem} {solver}")  # noqa: S311  (likewise)
        ledger.add(problem=problem, solver=solver, **interrupted_run(problem, solver, rng, given.work))
        print(f"\r{len(ledger.entries)} of {given.resumes} resumed runs", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    entries = ledger.entries[: given.resumes]
    same = sum(not entry["differences"] for entry in entries)
    kills, early = (sum(entry[name] for entry in entries) for name in ("kills", "early"))
    covered = len({(entry["problem"], entry["solver"]) for entry in entries})
    print(f"resumed runs: {same} of {len(entries)} bit-identical, over {covered} of {len(pairs)} pairs;", end=" ")
    left = sum(entry["left"] for entry in entries)
    print(f"{kills} kills, {early} of them in the first {EARLY * 1000:.0f} ms, {left} processes left")
    for entry in entries:
        if entry["differences"]:
            print(f"  {entry['solver']} on {entry['problem']}: {entry['differences']}")
    return same == len(entries) and not left


def solver_problem_pairs() -> list[tuple[str, str]]:
    """Return the bundled problems and solvers that fit, problems alternating."""
    import swarmkit
    from swarmkit.plugins.host import host

    solvers = [offer.name for offer in host().offers("solver") if offer.plugin.source == "pyswarmkit"]
    made = {
        name: swarmkit.make_problem(name, **dict(o.split("=") for o in options)) for name, options in PROBLEMS.items()
    }
    return [
        (problem, solver)
        for solver in solvers
        for problem in PROBLEMS
        if swarmkit.make_solver(solver).refuses(made[problem]) is None
    ]


def interrupted_run(problem: str, solver: str, rng: random.Random, work: Path) -> dict[str, Any]:
    """Make a run straight, and once more with kills; return in what they differ."""
    seed = rng.randrange(1000)
    arguments = ["-p", problem, "-a", solver, "--seed", str(seed), "--looks", str(LOOKS), "--json"]
    arguments += [part for option in PROBLEMS[problem] for part in ("-P", option)]
    begun = time.perf_counter()
    straight = json.loads(check(Victim(["solve", *arguments], work)))
    longest = time.perf_counter() - begun
    with tempfile.TemporaryDirectory(dir=work) as folder:
        checkpoint = Path(folder) / "run.ckpt"
        counts = {"kills": 0, "early": 0, "left": 0}
        for _ in range(KILLS_PER_RESUME):
            kill(Victim(command(checkpoint, arguments), Path(folder)), rng, longest, counts)
        resumed = json.loads(check(Victim(command(checkpoint, arguments), Path(folder))))
    differences = differing(outcome(straight), outcome(resumed))
    return {"seed": seed, "differences": differences, **counts}


def command(checkpoint: Path, arguments: list[str]) -> list[str]:
    """Return the command that begins a run, or continues it if there is a checkpoint."""
    if checkpoint.exists():
        return ["resume", str(checkpoint), "--every", "0", "--json"]
    return ["solve", *arguments, "--checkpoint", str(checkpoint), "--every", "0"]


def kill(victim: Victim, rng: random.Random, longest: float, counts: dict[str, int]) -> None:
    """Kill a run: now and then within EARLY, or within EARLY of its first checkpoint, or at any time."""
    checkpoint = next(Path(part) for part in victim.arguments if part.endswith(".ckpt"))
    choice = rng.random()
    early = choice < 0.5
    if 0.25 < choice < 0.5:
        wait_for(lambda: checkpoint.exists() or victim.process.poll() is not None)
    killed = victim.kill_after(rng.uniform(0, EARLY) if early else rng.uniform(EARLY, longest))
    counts["kills"] += killed
    counts["early"] += killed and early
    counts["left"] += len(victim.close())


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    while not condition():
        time.sleep(0.002)


def check(victim: Victim) -> str:
    """Let a process come to its end, which must be a good one; return what it printed."""
    out, err = victim.finish()
    assert victim.process.returncode == 0, f"{victim.arguments}: {err}"
    return out


def outcome(result: dict[str, Any]) -> dict[str, Any]:
    """Return those fields of a result that a kill must not change: all but the times."""
    kept = {name: value for name, value in result.items() if name not in TIMES}
    return kept | {"trace": {name: column for name, column in result["trace"].items() if name != "seconds"}}


def differing(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Return the names of the fields that differ."""
    return [name for name in one if one[name] != other[name]]


if __name__ == "__main__":
    sys.exit(main())
