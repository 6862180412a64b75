"""Word sense disambiguation: accuracy, start-up time and memory.

    python benchmarks/wsd.py --data DIR
    python benchmarks/wsd.py --words 1e6

Accuracy: `swarmkit wsd annotate` with the presets `best` and `fast` on SemEval-2007 task 7 (coarse) and on Senseval-2,
on which their weights were chosen; and the first sense. Start-up: the second start of `swarmkit wsd tag` against
`import nltk` plus `wordnet.synsets("bank")` on the same files, medians of CPU and wall time, measured alternately.
Memory: the largest resident set of `swarmkit wsd tag --json` on texts of 1,000, 10,000 and 100,000 words, the seconds
until its first output, and its wall and CPU time; with `--words` only this, on one text of that many words. The texts
are definitions and examples of WordNet in random order, so that the vocabulary grows with the text. The output is
checked line by line while it arrives. The bar is 700 MB; exit code 1 if it is not reached.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

SWARMKIT = str(Path(sys.executable).with_name("swarmkit"))
CORPORA = {
    "SemEval-2007 coarse": ("semeval2007-coarse/eng-coarse-all-words.xml", "semeval2007-coarse/dataset21.test.key"),
    "Senseval-2 (development)": ("senseval2/senseval2.data.xml", "senseval2/senseval2.gold.key.txt"),
}
MEGABYTES = 700
"""The most that `wsd tag --json` may take, however long the text is."""

NLTK = "import nltk; from nltk.corpus import wordnet; assert wordnet.synsets('bank')"


def accuracy(data: Path, folder: Path) -> None:
    """Annotate both corpora and print F1."""
    print(f"{'F1, %':28} {'micro':>7} {'macro':>7} {'attempted':>10}")
    for name, (corpus, key) in CORPORA.items():
        presets = [(f" {preset}", ["--preset", preset]) for preset in ("best", "fast")]
        for what, more in (*presets, (" first sense", ["--algo", "first", "--preset", "paper"])):
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


def write_text(file: Path, count: int) -> None:
    """Write a text of that many words: glosses of WordNet in random order, a sentence each."""
    from swarmkit_lexicon.fetch import obtain
    from swarmkit_lexicon.lexicon import open_lexicon

    lexicon = open_lexicon(obtain().path)
    rng, left = np.random.default_rng(0), count
    with file.open("w", encoding="utf-8") as out:
        while left > 0:
            for synset in rng.permutation(len(lexicon.synset_pos)).tolist():
                words = lexicon.gloss(synset).replace('"', "").replace(";", ".").split()[:left]
                left -= len(words)
                out.write(" ".join(words) + ".\n")
                if left == 0:
                    return


def memory(folder: Path, counts: list[int], preset: str) -> bool:
    """Tag texts of growing length, each in a process of its own; print the largest resident set and the times.

    Returns:
        Whether all of them stayed within the limit.
    """
    within = True
    print(f"\n{'words':>9} {'MB':>7} {'first s':>8} {'wall s':>8} {'CPU s':>8} {'senses':>8}")
    for count in counts:
        file = folder / f"{count}.txt"
        write_text(file, count)
        usage, first, seconds, senses = tagged(file, preset)
        cpu, megabytes = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
        print(f"{count:9,} {megabytes:7.0f} {first:8.1f} {seconds:8.1f} {cpu:8.1f} {senses:8,}", flush=True)
        within &= megabytes <= MEGABYTES
    return within


def tagged(file: Path, preset: str) -> tuple[resource.struct_rusage, float, float, int]:
    """Tag a file; return what the process used, seconds to the first output and in all, and the number of senses."""
    begun = time.perf_counter()
    command = [SWARMKIT, "wsd", "tag", "--file", str(file), "--preset", preset, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stdout is not None
        first, senses, end = None, 0, []
        for line in process.stdout:
            first = first or time.perf_counter() - begun
            if line.startswith("    {"):
                assert json.loads(line.rstrip().rstrip(","))["source"] == str(file)
                senses += 1
            else:
                end.append(line)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    document = json.loads("".join(end))  # the frame around the senses is a document, too
    assert set(document) >= {"senses", "unknown", "wordnet"}
    return usage, first or 0.0, time.perf_counter() - begun, senses


def main() -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="the folder with the corpora; not needed with --words")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--words", type=float, help="only memory and time of one text of that many words")
    parser.add_argument("--preset", default="fast", help="the preset whose memory is measured")
    given = parser.parse_args()
    if given.data is None and given.words is None:
        parser.error("--data is needed, except with --words")
    with tempfile.TemporaryDirectory() as made:
        if given.words is not None:
            sys.exit(not memory(Path(made), [int(given.words)], given.preset))
        accuracy(given.data, Path(made))
        start_up(Path(made), given.repeats)
        sys.exit(not memory(Path(made), [1_000, 10_000, 100_000], given.preset))


if __name__ == "__main__":
    main()
