"""Word sense disambiguation: accuracy, start-up time and memory.

    python benchmarks/wsd.py --data ../shared/data

Accuracy: `swarmkit wsd annotate` with its defaults on SemEval-2007 task 7 (coarse) and on Senseval-2, on which the
weight of the sense counts was chosen; and the first sense. Start-up: the second start of `swarmkit wsd tag` against
`import nltk` plus `wordnet.synsets("bank")` on the same files, medians of CPU and wall time, measured alternately.
Memory: the largest resident set of `swarmkit wsd tag` on texts of 1,000, 10,000 and 100,000 words.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SWARMKIT = str(Path(sys.executable).with_name("swarmkit"))
CORPORA = {
    "SemEval-2007 coarse": ("semeval2007-coarse/eng-coarse-all-words.xml", "semeval2007-coarse/dataset21.test.key"),
    "Senseval-2 (development)": ("senseval2/senseval2.data.xml", "senseval2/senseval2.gold.key.txt"),
}
NLTK = "import nltk; from nltk.corpus import wordnet; assert wordnet.synsets('bank')"


def accuracy(data: Path, folder: Path) -> None:
    """Annotate both corpora and print F1."""
    print(f"{'F1, %':28} {'micro':>7} {'macro':>7} {'attempted':>10}")
    for name, (corpus, key) in CORPORA.items():
        for what, more in (("", []), (" first sense", ["--algo", "first"])):
            out = folder / "answers.key"
            command = [
                SWARMKIT,
                "wsd",
                "annotate",
                data / corpus,
                "--key",
                data / key,
                "--out",
                out,
                "--force",
                "--json",
            ]
            done = subprocess.run([*command, *more], capture_output=True, text=True, check=True)
            metrics = json.loads(done.stdout)["metrics"]
            rates = [100 * metrics[rate] for rate in ("f1", "macro f1", "attempted")]
            print(f"{(name + what)[:40]:40} {rates[0]:7.2f} {rates[1]:7.2f} {rates[2]:9.2f}")


def cost(command: list[str], environment: dict[str, str] | None = None) -> tuple[float, float]:
    """Run a command and return its CPU and wall seconds."""
    begun, before = time.perf_counter(), os.times()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=environment)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return cpu, time.perf_counter() - begun


def start_up(folder: Path, repeats: int) -> None:
    """Compare the second start of `wsd tag` with NLTK's reader on the same files."""
    held = json.loads(subprocess.run([SWARMKIT, "data", "--json"], capture_output=True, check=True).stdout)
    source = next(Path(one["path"]) for one in held if one["what"] == "WordNet" and one["used"])
    shutil.copytree(source, folder / "nltk" / "corpora" / "wordnet")
    environment = os.environ | {"NLTK_DATA": str(folder / "nltk")}
    commands = {
        "wsd tag": [SWARMKIT, "wsd", "tag", "They sat on the bank of the river."],
        "nltk": [sys.executable, "-c", NLTK],
    }
    seen: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for _ in range(repeats + 1):
        for name, command in commands.items():
            seen[name].append(cost(command, environment if name == "nltk" else None))
    ours, theirs = ([statistics.median(column) for column in zip(*seen[name][1:], strict=True)] for name in commands)
    print(f"\nwsd tag {ours[0]:.2f} s CPU, {ours[1]:.2f} s wall; nltk {theirs[0]:.2f} s CPU, {theirs[1]:.2f} s wall")
    print(f"ratio {ours[0] / theirs[0]:.3f} CPU, {ours[1] / theirs[1]:.3f} wall (limit 0.333)")


def memory(data: Path, folder: Path) -> None:
    """Tag texts of growing length, each in a process of its own, and print the largest resident set."""
    plain = re.sub(r"<[^>]+>", " ", (data / CORPORA["SemEval-2007 coarse"][0]).read_text(encoding="utf-8"))
    words = plain.split()
    print(f"\n{'words':>8} {'MB':>7} {'seconds':>8}")
    for count in (1_000, 10_000, 100_000):
        file = folder / f"{count}.txt"
        file.write_text(" ".join((words * (count // len(words) + 1))[:count]), encoding="utf-8")
        code = (
            "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True); "
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)"
        )
        begun = time.perf_counter()
        command = [sys.executable, "-c", code, SWARMKIT, "wsd", "tag", str(file), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        print(f"{count:8,} {float(done.stdout):7.0f} {time.perf_counter() - begun:8.1f}")


def main() -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        accuracy(given.data, Path(made))
        start_up(Path(made), given.repeats)
        memory(given.data, Path(made))


if __name__ == "__main__":
    main()
