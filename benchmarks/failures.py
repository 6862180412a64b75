"""Failure injection: opening, writing, syncing or renaming a file fails, finds the disk full, or ends the process.

    python benchmarks/failures.py
    python benchmarks/failures.py --only stores --most 20

All places of stores, checkpoints, recordings, caches, batches and studies are tried (tests/faults has the scenarios,
and the suite tries a few places of each). The bar: nothing lost, nothing torn, no traceback. Exit code 1 if it is not
reached.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

COLUMNS = ("places", "faults", "lost", "torn", "tracebacks")


def main() -> None:
    """Read the arguments, try the places and count."""
    from tests.faults.injection import build_shim, count_faults
    from tests.faults.kinds import KINDS

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=KINDS, help="one kind of files")
    parser.add_argument("--most", type=int, help="places that are tried in each mode; all by default")
    options = parser.parse_args()
    total = dict.fromkeys(COLUMNS, 0)
    with tempfile.TemporaryDirectory() as folder:
        library = build_shim(Path(folder))
        if library is None:
            sys.exit("failures.py needs a C compiler and Linux")
        print(f"{'':14}" + "".join(f"{column:>12}" for column in COLUMNS))
        for kind in [options.only] if options.only else KINDS:
            counts = count_faults(kind, library, options.most)
            print(f"{kind:14}" + "".join(f"{counts[column]:12,}" for column in COLUMNS), flush=True)
            total = {column: total[column] + counts[column] for column in COLUMNS}
    print(f"{'all':14}" + "".join(f"{total[column]:12,}" for column in COLUMNS))
    if any(total[column] for column in COLUMNS[2:]):
        sys.exit(1)


if __name__ == "__main__":
    main()
