"""Mutation score: small changes of the code, drawn by seed, and how many of them the name-matched tests notice.

    python benchmarks/mutants.py --store mutants.jsonl
    python benchmarks/mutants.py --store before.jsonl --tree ../before --python ../before/.venv/bin/python

Each stratum (contract, running, …) has an equal share of the mutants, each kind of change an equal chance within it. A
mutant is put into a copy of the checkout, and pytest runs the doctests of the module, the tests in the folder of its
package or with a name like the module's, and those of the table below, until one fails or their CPU time is used up. A
mutant is killed if a test fails that passes without it (those that killed one are run on unchanged code at the end), or
if a test takes too long. The same command continues; with `--hours` it stops in time, with all strata alike.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from mutation.sites import Site, sites
from mutation.workspace import Workspace

STRATA: Mapping[str, tuple[str, ...]] = {
    "contract": ("swarmkit/contract/*.py", "swarmkit/stopping/*.py"),
    "running": ("swarmkit/running/*.py",),
    "search": ("swarmkit/search/*.py",),
    "kernels": ("swarmkit/kernels/*.py",),
    "solvers": ("algorithms/**/*.py",),
    "statistics": ("swarmkit/statistics/*.py",),
    "comparison": ("swarmkit/comparison/*.py",),
    "measures": ("problems/swarmkit_wsd/measures/*.py",),
    "model": ("problems/swarmkit_sense_model/*.py",),
    "readers": ("problems/swarmkit_text/corpora/*.py",),
}
"""The modules of each stratum."""

MORE: Mapping[str, tuple[str, ...]] = {
    "running": ("contract/test_budget",),
    "search": ("contract/test_tour", "kernels/test_scoring", "ants/test_stages"),
    "measures": ("wsd/test_measures", "lexicon/test_nltk_agreement"),
    "model": ("sense_model/test_sense_model", "wsd/test_known"),
    "readers": ("text/test_corpora", "text/test_scoring"),
}
"""More tests, by stratum, for modules that tests of other folders are about too; some may not exist."""

ENOUGH = 60.0
"""CPU seconds after which no further test of a mutant begins; those of compilation are added."""

HANGING = 30.0
"""CPU seconds beyond it that a test may take."""

COMPILATION = 40.0
"""CPU seconds beyond it where kernels are compiled again."""


class Mutant(NamedTuple):
    """A drawn change."""

    stratum: str
    module: Path
    site: Site

    @property
    def key(self) -> str:
        """What the store knows the mutant by."""
        return f"{self.module.as_posix()}:{self.site.line} {self.site.kind}: {self.site.words}"


def draw(tree: Path, count: int, seed: int) -> list[Mutant]:
    """Return different mutants, as many of each stratum as of any other, or one fewer; the strata take turns."""
    shares: list[list[Mutant]] = []
    for number, (stratum, patterns) in enumerate(STRATA.items()):
        share = count // len(STRATA) + (number < count % len(STRATA))
        modules = sorted({path for pattern in patterns for path in tree.glob(pattern) if path.stem != "__init__"})
        kinds: dict[str, list[Mutant]] = {}
        for path in modules:
            for site in sites(path.read_text(encoding="utf-8")):
                kinds.setdefault(site.kind, []).append(Mutant(stratum, path.relative_to(tree), site))
        shares.append(list(_draw_share(kinds, share, random.Random(f"{seed} {stratum}"))))  # noqa: S311
    return [mutant for turn in zip_longest(*shares) for mutant in turn if mutant is not None]


def _draw_share(kinds: dict[str, list[Mutant]], share: int, rng: random.Random) -> Iterator[Mutant]:
    for pool in kinds.values():
        rng.shuffle(pool)
    for _ in range(share):
        kind = rng.choice(sorted(kind for kind, pool in kinds.items() if pool))
        yield kinds[kind].pop()


def words_of(name: str) -> set[str]:
    """Return the words of a name of a module, without the plural.

    >>> sorted(words_of("test_swap_gains"))
    ['gain', 'swap']
    """
    parts = name.removeprefix("test_").removeprefix("swarmkit_").split("_")
    return {part.removesuffix("s") if len(part) > 3 else part for part in parts}


def test_files(tree: Path, mutant: Mutant) -> list[str]:
    """Return the test files for a mutant.

    First those of its package's folder that are named like the module, or like the packages inside; then those of the
    table, the rest of the folder, and those of other folders that are named like the module. Time may end the list.
    """
    stem, parts = words_of(mutant.module.stem), mutant.module.parts
    folder = parts[1].removeprefix("swarmkit_")
    inside = [words_of(part) for part in parts[2:-1] if part != "kernels"]
    files = [path.relative_to(tree / "tests") for path in sorted((tree / "tests").rglob("test_*.py"))]
    named = [file for file in files if words_of(file.stem) <= stem or stem <= words_of(file.stem)]
    near = [file for file in files if file.parts[0] == folder]
    groups = (
        [file for file in near if file in named],
        [file for file in near if any(words <= words_of(file.stem) for words in inside)],
        [file for name in MORE.get(mutant.stratum, ()) for file in files if file.with_suffix("").as_posix() == name],
        near,
        named,
    )
    return list(dict.fromkeys(f"tests/{file.as_posix()}" for group in groups for file in group))


class Store:
    """A file of JSON lines: outcomes of mutants, and tests that fail on unchanged code or do not.

    Args:
        path: the file, which is made with the first line.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        rows = [json.loads(line) for line in lines]
        self.sound = {row["test"]: row["passes"] for row in rows if "test" in row}
        self.outcomes = {row["mutant"]: row for row in rows if "mutant" in row}

    def add(self, row: dict[str, Any]) -> None:
        """Write a row."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
        if "test" in row:
            self.sound[row["test"]] = row["passes"]
        else:
            self.outcomes[row["mutant"]] = row

    def killers(self) -> list[str]:
        """Return the tests that have killed mutants and were not run on unchanged code."""
        names = [name for row in self.outcomes.values() if row["outcome"] == "killed" for name in row["killed by"]]
        return [name for name in dict.fromkeys(names) if "::" in name and name not in self.sound]


def outcome(mutant: Mutant, space: Workspace, pristine: Workspace, options: argparse.Namespace) -> dict[str, Any]:
    """Test a mutant, and return its row for the store."""
    files = test_files(space.tree, mutant)
    failing = [name for name, passes in options.store.sound.items() if not passes]
    arguments = [mutant.module.as_posix(), *files, "-x", *(f"--deselect={name}" for name in failing)]
    enough = options.seconds + COMPILATION * space.has_kernels(mutant.module)
    try:
        space.put(mutant.module, mutant.site.source())
        tested = space.test(arguments, enough, enough + HANGING)
    finally:
        space.restore(mutant.module, pristine)
    names = {None: "timeout", 0: "survived", 5: "no test"}
    verdict = "killed" if tested.failed else names.get(tested.code, "killed")
    row = {"mutant": mutant.key, "stratum": mutant.stratum, "outcome": verdict, "seconds": round(tested.seconds, 1)}
    return row | {"killed by": tested.failed[:1]}


def run(drawn: list[Mutant], options: argparse.Namespace, folder: Path) -> None:
    """Test the mutants that are not in the store, one after the other, until the time is over."""
    store, end = options.store, time.monotonic() + 3600 * options.hours
    times = store.path.absolute().with_suffix(".times")
    pristine, space = (Workspace(folder / name, options.python, times) for name in ("pristine", "mutant"))
    pristine.copy_from(options.tree, options.cache)
    space.copy_from(pristine.tree, options.cache)
    missing = [mutant for mutant in drawn if mutant.key not in store.outcomes]
    while (missing or store.killers()) and time.monotonic() < end:
        for mutant in missing:
            if time.monotonic() > end:
                break
            row = outcome(mutant, space, pristine, options)
            store.add(row)
            print(f"{len(store.outcomes):4} {row['outcome']:9} {row['seconds']:6.1f} s  {mutant.key}", flush=True)
        missing = check_killers(drawn, pristine, store)


def check_killers(drawn: list[Mutant], pristine: Workspace, store: Store) -> list[Mutant]:
    """Run the tests that killed mutants on unchanged code, and return the mutants whose test fails there, too."""
    killers = store.killers()
    if killers:
        failed = pristine.test(killers, math.inf, 3600.0).failed
        for name in killers:
            store.add({"test": name, "passes": name not in failed})
    unsound = [name for name, passes in store.sound.items() if not passes]
    again = {key for key, row in store.outcomes.items() if set(row["killed by"]) & set(unsound)}
    return [mutant for mutant in drawn if mutant.key in again]


def report(drawn: list[Mutant], store: Store) -> None:
    """Print the score of every stratum and of all, and what survived."""
    columns = ("killed", "timeout", "survived", "no test")
    rows = [store.outcomes[mutant.key] for mutant in drawn if mutant.key in store.outcomes]
    print(f"\n{'':12}" + "".join(f"{column:>10}" for column in (*columns, "score")))
    for stratum in (*STRATA, "all"):
        counts = Counter(row["outcome"] for row in rows if stratum in (row["stratum"], "all"))
        score = (counts["killed"] + counts["timeout"]) / max(1, counts.total())
        print(f"{stratum:12}" + "".join(f"{counts[column]:10}" for column in columns) + f"{score:10.1%}")
    print()
    for row in rows:
        if row["outcome"] in ("survived", "no test"):
            print(f"{row['outcome']}: {row['mutant']}")


def main() -> None:
    """Draw mutants, test them and print the score."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, required=True, help="outcomes are written here and not measured again")
    parser.add_argument("--count", type=int, default=150, help="the number of mutants")
    parser.add_argument("--seed", type=int, default=25)
    parser.add_argument("--tree", type=Path, default=Path(__file__).absolute().parents[1], help="the checkout")
    parser.add_argument("--python", type=Path, default=Path(sys.executable), help="the interpreter of its environment")
    parser.add_argument("--seconds", type=float, default=ENOUGH, help="CPU seconds for the tests of a mutant")
    parser.add_argument("--hours", type=float, default=math.inf, help="after this time no mutant is begun")
    parser.add_argument("--cache", type=Path, default=Path("~/.cache/swarmkit"), help="the folder that holds WordNet")
    parser.add_argument("--only", choices=STRATA, help="one stratum")
    options = parser.parse_args()
    options.store, options.cache = Store(options.store), options.cache.expanduser()
    options.tree = options.tree.absolute()
    options.python = options.python.absolute()  # not resolved: a link stands for its environment
    drawn = [
        mutant for mutant in draw(options.tree, options.count, options.seed) if options.only in (None, mutant.stratum)
    ]
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        run(drawn, options, Path(folder))
    report(drawn, options.store)


if __name__ == "__main__":
    main()
