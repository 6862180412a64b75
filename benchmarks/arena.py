"""The arena's bars: planted cheats refused, bundled solvers accepted, and the CPU time of a verdict.

    python benchmarks/arena.py --store arena.jsonl            all cheats of the tests, then every bundled solver
    python benchmarks/arena.py --store arena.jsonl --report   what the store has

Bars: at least 30 cheats, every one refused for a rule that it breaks; every bundled solver accepted; a verdict, the kit
included, in at most 120 CPU seconds. Outcomes are kept in the store, a line each; a stopped benchmark goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import swarmkit  # noqa: E402  (after the path to the tests' cheats)
from swarmkit_arena import Verdict, enter  # noqa: E402
from tests.arena.cheats import CHEATS  # noqa: E402
from tests.arena.entries import NONE, source  # noqa: E402

CHEATS_BAR, SECONDS_BAR = 30, 120.0


def stored(path: Path) -> dict[str, dict[str, Any]]:
    """Return the outcomes in a store by what was measured."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {one["name"]: one for one in map(json.loads, lines)}


def entries(folder: Path) -> Iterator[tuple[str, str, Path | str]]:
    """Yield what enters: its name, the rules it breaks (empty for an honest one), and the file or solver."""
    library = folder / "library"
    library.mkdir()
    (library / "answers_of_last_year.py").write_text("ANSWERS = {}\n")
    for number, cheat in enumerate((NONE, *CHEATS)):
        file = folder / f"entry_{number}.py"
        file.write_text(source(cheat).replace("FOLDER", repr(str(library))), encoding="utf-8")
        yield cheat.name, cheat.rules, file
    for name in sorted(swarmkit.registered("solver")):
        yield f"bundled {name}", "", name


def outcome(name: str, rules: str, verdict: Verdict) -> dict[str, Any]:
    """Return what came of an entry, and whether it is right."""
    broken = [reason.rule for reason in verdict.reasons]
    right = bool(set(broken) & set(rules.split())) and not verdict.accepted if rules else verdict.accepted
    facts = {"accepted": verdict.accepted, "reasons": broken[:3], "cpu": verdict.cpu_seconds, "wall": verdict.seconds}
    return {"name": name, "cheat": bool(rules), "right": right, **facts}


def report(done: dict[str, dict[str, Any]]) -> bool:
    """Print counts and times; return whether the bars are kept."""
    cheats = [one for one in done.values() if one["cheat"]]
    honest = [one for one in done.values() if not one["cheat"]]
    for one in done.values():
        if not one["right"]:
            print(f"wrong: {one['name']}: {one}")
    slowest = max(honest, key=lambda one: one["cpu"], default=None)
    refused = sum(one["right"] for one in cheats)
    print(f"cheats refused for a rule they break: {refused} of {len(cheats)} (bar: all, at least {CHEATS_BAR})")
    print(f"honest and bundled solvers accepted: {sum(one['right'] for one in honest)} of {len(honest)} (bar: all)")
    if slowest:
        print(f"slowest verdict: {slowest['name']}, {slowest['cpu']:.0f} CPU s, {slowest['wall']:.0f} s in all")
    kept = slowest is not None and slowest["cpu"] <= SECONDS_BAR
    return kept and len(cheats) >= CHEATS_BAR and all(one["right"] for one in done.values())


def main() -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, required=True, help="a file with a line for each entry")
    parser.add_argument("--report", action="store_true", help="enter nobody")
    given = parser.parse_args()
    done = stored(given.store)
    if not given.report:
        with tempfile.TemporaryDirectory() as folder, given.store.open("a", encoding="utf-8") as kept:
            for name, rules, entry in entries(Path(folder)):
                if name not in done:
                    done[name] = outcome(name, rules, enter(entry))
                    kept.write(json.dumps(done[name]) + "\n")
                    kept.flush()
    return 0 if report(done) else 1


if __name__ == "__main__":
    sys.exit(main())
