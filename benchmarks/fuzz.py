"""Mutated inputs for every reader: how many are accepted, refused in a sentence, or end in an internal error or a hang.

    python benchmarks/fuzz.py --inputs 20000
    python benchmarks/fuzz.py --inputs 500 --only checkpoints --show

Each input is read in a process of its own with limits on time and memory (tests/fuzz has mutators and readers, and the
suite runs a few of each). The bar: no internal error, no hang, less than 1 GB. Exit code 1 if it is not reached.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

KINDS = ("accepted", "refused", "internal error", "hang", "memory")


def main() -> None:
    """Read the arguments, mutate and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=2000, help="mutated inputs over all readers")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the mutations")
    parser.add_argument("--only", help="readers whose names begin with this")
    parser.add_argument("--show", action="store_true", help="print what is not accepted or refused as it should be")
    given = parser.parse_args()

    from tests.fuzz.isolation import MEGABYTES, isolated
    from tests.fuzz.readers import READERS
    from tests.fuzz.reading import warm

    chosen = [reader for reader in READERS if reader.name.startswith(given.only or "")]
    begun, peak, total = time.perf_counter(), 0, Counter[str]()
    shares = sum(reader.share for reader in chosen)
    print(f"{'reader':14}" + "".join(f"{kind:>16}" for kind in KINDS) + f"{'peak MB':>10}")
    for reader in chosen:
        counts, highest = Counter[str](), 0
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            samples = warm(reader, folder)
            for number in range(math.ceil(given.inputs * reader.share / shares)):
                random = Random(f"{given.seed} {reader.name} {number}")  # noqa: S311  (no secret)
                mutated = reader.mutate(random.choice(samples), random, folder)
                outcome = isolated(lambda reader=reader, mutated=mutated, folder=folder: reader.read(mutated, folder))
                kind = "refused" if outcome.kind == "memory" and reader.memory_refused else outcome.kind
                counts[kind] += 1
                highest = max(highest, outcome.peak)
                if given.show and kind not in ("accepted", "refused"):
                    print(f"--- {reader.name} {number}: {kind}\n{outcome.said[-1500:]}", flush=True)
        print(f"{reader.name:14}" + "".join(f"{counts[kind]:16,}" for kind in KINDS) + f"{highest:10,}", flush=True)
        total += counts
        peak = max(peak, highest)
    print(f"{'all':14}" + "".join(f"{total[kind]:16,}" for kind in KINDS) + f"{peak:10,}")
    print(f"{sum(total.values()):,} inputs in {time.perf_counter() - begun:.0f} s; {MEGABYTES} MB allowed to each")
    if total["internal error"] or total["hang"] or total["memory"]:
        sys.exit(1)


if __name__ == "__main__":
    main()
