"""Batches of `swarmkit wsd tag`: texts per second by one process and by two, memory, and a cluster that loses a worker.

    python benchmarks/batches.py --texts 100000 --preset fast
    python benchmarks/batches.py --texts 3000 --preset best --repeat 3
    python benchmarks/batches.py --texts 3000 --preset best --dask
    python benchmarks/batches.py --texts 3000 --preset fast --form csv

The texts are definitions of WordNet in random order, one on each line of a JSON Lines file, or in a row of a table.
Printed for each run: wall time, CPU time of all processes, texts and words a second, and the largest resident set of a
process in the first and in the second half of the output (memory is flat if they are the same). The speed-up is that of
the medians of wall time; beside it what two free cores would give: the CPU time of one process over that of the parent
and the busiest worker.
With --dask a scheduler and two workers of one thread run on this machine, and one of them is killed after a third of
the output. Exit code 1 if the outputs are not the same byte for byte.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import psutil

from swarmkit_wsd import open_lexicon

SWARMKIT = str(Path(sys.executable).with_name("swarmkit"))

BETWEEN = 0.2
"""Seconds between two looks at the processes."""


class Measured(NamedTuple):
    """What a run took."""

    wall: float
    cpu: float
    """Seconds of all processes."""
    path: float
    """CPU seconds of the first process and of the busiest of the others."""
    first: float
    """Megabytes of the largest process until half of the answers are written."""
    second: float
    """The same from then on."""


def write_texts(path: Path, count: int) -> int:
    """Write definitions as JSON Lines, or as a table if the name says so; return the number of their words."""
    lexicon = open_lexicon()
    drawn = np.random.default_rng(0).permutation(len(lexicon.synset_pos))[:count]
    texts = [lexicon.definition(int(synset)) for synset in drawn]
    with path.open("w", encoding="utf-8", newline="") as file:
        if path.suffix == ".csv":
            csv.writer(file).writerows([("id", "text"), *enumerate(texts)])
        else:
            file.writelines(json.dumps({"id": at, "text": text}) + "\n" for at, text in enumerate(texts))
    return sum(len(text.split()) for text in texts)


def measure(arguments: list[str], out: Path, size: int | None = None) -> Measured:
    """Run a command and look at its processes.

    Args:
        arguments: those of `swarmkit`, without the output.
        out: the output.
        size: the bytes of the whole output, if they are known.
    """
    begun = time.monotonic()
    process = subprocess.Popen([SWARMKIT, *arguments, "--out", str(out)])
    cpu: dict[int, float] = {}
    peaks = [0.0, 0.0]
    history: list[tuple[int, float]] = []
    while process.poll() is None:
        largest = 0.0
        for one in _family(process.pid):
            try:
                times, memory = one.cpu_times(), one.memory_info().rss / 2**20
            except psutil.Error:
                continue
            cpu[one.pid] = times.user + times.system
            largest = max(largest, memory)
        history.append((out.stat().st_size if out.exists() else 0, largest))
        time.sleep(BETWEEN)
    wall = time.monotonic() - begun
    if process.returncode:
        sys.exit(f"exit code {process.returncode} of {arguments}")
    half = (size or out.stat().st_size) / 2
    for written, largest in history:
        peaks[written > half] = max(peaks[written > half], largest)
    others = [seconds for pid, seconds in cpu.items() if pid != process.pid]
    own = cpu.get(process.pid, 0.0)
    return Measured(wall, own + sum(others), own + max(others, default=0.0), *peaks)


def _family(pid: int) -> list[psutil.Process]:
    try:
        first = psutil.Process(pid)
        return [first, *first.children(recursive=True)]
    except psutil.Error:
        return []


def show(name: str, measured: Measured, texts: int, words: int) -> None:
    """Print a row."""
    wall, cpu, _, first, second = measured
    load = os.getloadavg()[0]
    print(
        f"{name}: {wall:.1f} s, {cpu:.1f} s CPU, {texts / wall:.0f} texts/s, {words / wall:.0f} words/s, "
        f"{words / cpu:.0f} words per CPU second, {first:.0f} MB then {second:.0f} MB, load {load:.1f}",
        flush=True,
    )


def compare_processes(given: argparse.Namespace, folder: Path) -> bool:
    """Measure one process and several; return whether they write the same bytes."""
    source = folder / f"texts.{given.form}"
    words = write_texts(source, given.texts)
    found: dict[int, list[Measured]] = {1: [], given.jobs: []}
    outputs = {}
    for repetition in range(given.repeat):
        for jobs, rows in found.items():
            out = folder / f"{jobs}-{repetition}.{given.form}"
            rows.append(measure(["wsd", "tag", str(source), "--preset", given.preset, "--jobs", str(jobs)], out))
            show(f"{given.texts} texts, {given.preset}, --jobs {jobs}", rows[-1], given.texts, words)
            outputs[jobs] = out.read_bytes()
            out.unlink()
    one, several = found[1], found[given.jobs]
    wall = statistics.median(row.wall for row in one) / statistics.median(row.wall for row in several)
    free = statistics.median(row.cpu for row in one) / statistics.median(row.path for row in several)
    print(f"--jobs {given.jobs} is {wall:.2f} times as fast as --jobs 1; by CPU time {free:.2f} times")
    print(f"{source.stat().st_size / words:.1f} bytes a word in, {len(outputs[1]) / words:.0f} out")
    return outputs[1] == outputs[given.jobs]


def lose_a_worker(given: argparse.Namespace, folder: Path) -> bool:
    """Answer texts on a cluster that loses a worker; return whether the bytes are those of one process."""
    source = folder / "texts.jsonl"
    words = write_texts(source, given.texts)
    tag = ["wsd", "tag", str(source), "--preset", given.preset]
    here, there = folder / "here.jsonl", folder / "there.jsonl"
    show("one process", measure(tag, here), given.texts, words)
    started: list[subprocess.Popen[bytes]] = []
    try:
        address = _start_cluster(folder, started)
        command = [SWARMKIT, *tag, "--backend", "dask", "--scheduler", address, "--out", str(there)]
        begun = time.monotonic()
        with subprocess.Popen(command) as process:
            while process.poll() is None and not (there.exists() and there.stat().st_size > here.stat().st_size / 3):
                time.sleep(BETWEEN)
            started[1].send_signal(signal.SIGKILL)
            written = there.stat().st_size / here.stat().st_size
            code = process.wait()
        print(
            f"cluster of two workers, one killed after {written:.0%} of the output: exit code {code}, "
            f"{time.monotonic() - begun:.1f} s, load {os.getloadavg()[0]:.1f}"
        )
    finally:
        for process in started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return here.read_bytes() == there.read_bytes()


def _start_cluster(folder: Path, started: list[subprocess.Popen[bytes]]) -> str:
    """Start a scheduler and two workers; return the scheduler's address."""
    file = folder / "scheduler.json"
    code = "import sys; from distributed.cli import dask_{0}; sys.argv[0] = 'dask'; dask_{0}.main()"

    def start(role: str, *arguments: str) -> None:
        command = [sys.executable, "-c", code.format(role), *arguments, "--host", "127.0.0.1", "--no-dashboard"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        started.append(subprocess.Popen(command, cwd=folder, start_new_session=True, **quiet))  # type: ignore[call-overload]  # options in a dictionary

    start("scheduler", "--port", "0", "--scheduler-file", str(file))
    while not (file.exists() and file.read_text().rstrip().endswith("}")):
        time.sleep(BETWEEN)
    address = str(json.loads(file.read_text())["address"])
    for _ in range(2):
        start("worker", address, "--no-nanny", "--nthreads", "1", "--local-directory", str(folder))
    return address


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description="Texts per second of batches.")
    parser.add_argument("--texts", type=int, default=3000)
    parser.add_argument("--preset", default="best")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--form", choices=["jsonl", "csv"], default="jsonl", help="of the file of texts")
    parser.add_argument("--dask", action="store_true", help="a cluster that loses a worker instead of processes")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        same = (lose_a_worker if given.dask else compare_processes)(given, Path(name))
    print("the outputs are the same" if same else "the outputs differ")
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
