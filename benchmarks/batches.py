"""Batches of `swarmkit wsd tag`: texts per second with one process and with two, and memory.

    python benchmarks/batches.py --texts 3000 --preset best

The texts are definitions of WordNet in random order, one on each line of a JSON Lines file. Printed for each number of
processes: wall time, CPU time, texts and words a second, and the largest resident set of a process so far; first for a
tenth of the texts. Exit code 1 if the outputs of one process and of several are not the same byte for byte.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from swarmkit_wsd import open_lexicon

SWARMKIT = str(Path(sys.executable).with_name("swarmkit"))


def write_texts(path: Path, count: int) -> int:
    """Write definitions as JSON Lines; return the number of their words."""
    lexicon = open_lexicon()
    drawn = np.random.default_rng(0).permutation(len(lexicon.synset_pos))[:count]
    texts = [lexicon.definition(int(synset)) for synset in drawn]
    lines = (json.dumps({"id": at, "text": text}) + "\n" for at, text in enumerate(texts))
    path.write_text("".join(lines), encoding="utf-8")
    return sum(len(text.split()) for text in texts)


def measure(source: Path, out: Path, preset: str, jobs: int) -> tuple[float, float, float]:
    """Tag a file; return the wall and CPU seconds, and the megabytes of the largest process so far."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.monotonic()
    command = [SWARMKIT, "wsd", "tag", source, "--preset", preset, "--jobs", str(jobs), "--out", out]
    subprocess.run(command, check=True)
    wall = time.monotonic() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu, after.ru_maxrss / 1024


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description="Texts per second of batches.")
    parser.add_argument("--texts", type=int, default=3000)
    parser.add_argument("--preset", default="best")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    outputs = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for texts, jobs in ((given.texts // 10, 1), (given.texts, 1), (given.texts, given.jobs)):
            words = write_texts(folder / "texts.jsonl", texts)
            out = folder / f"{texts}-{jobs}.jsonl"
            wall, cpu, megabytes = measure(folder / "texts.jsonl", out, given.preset, jobs)
            rates = f"{texts / wall:.0f} texts/s, {words / wall:.0f} words/s"
            print(
                f"{texts} texts, --jobs {jobs}: {wall:.1f} s, {cpu:.1f} s CPU, {rates}, {megabytes:.0f} MB", flush=True
            )
            outputs.append(out.read_bytes())
    sys.exit(0 if outputs[1] == outputs[2] else "the outputs differ")


if __name__ == "__main__":
    main()
