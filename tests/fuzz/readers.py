"""Every reader of swarmkit with sound inputs, mutations of them, and the call that a command would make."""

from __future__ import annotations

import contextlib
import gzip
import io
import lzma
import os
import sys
import warnings
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

import swarmkit
from swarmkit.plugins.host import host
from tests.fuzz.mutators import TOKENS, mutate_archive, mutate_bytes, mutate_json, mutate_store, mutate_text

RUNS = (
    *(
        ("synthetic", {"n": 12}, name)
        for name in ("sa", "annealing", "ga", "ils", "dbees", "aca", "tsp-aco", "random", "vote")
    ),
    *(("tsp", {"n": 12}, name) for name in ("sa", "tour-ga", "ils", "tsp-aco")),
    *(("qap", {"n": 8}, name) for name in ("robust-tabu", "ga", "annealing")),
)
"""The runs whose checkpoints are mutated: problem, options, solver."""

LIMITS = swarmkit.Budget(looks=30_000, seconds=5)
"""The limits of resumed runs."""

LONGEST = 1_000_000
"""The looks of the longest run that is replayed."""

TSP = """NAME: square
TYPE: TSP
DIMENSION: 5
EDGE_WEIGHT_TYPE: EUC_2D
NODE_COORD_SECTION
1 0 0
2 0 10
3 10 10.5
4 1e1 0
5 5 5
EOF
"""
MATRIX = """NAME: matrix
TYPE: ATSP
DIMENSION: 3
EDGE_WEIGHT_TYPE: EXPLICIT
EDGE_WEIGHT_FORMAT: FULL_MATRIX
EDGE_WEIGHT_SECTION
0 1 2
3 0 4
5 6 0
EOF
"""
CSV = "name,x,y\nBremen,53.1,8.8\nTunis,36.8,10.2\nLyon,45.7,4.8\nOslo,59.9,10.7\n"
MAP = "id;name;lat;lon\n1;Bremen;53,1;8,8\n2;Tunis;36,8;10,2\n3;Oslo;59,9;10,7\n"
DISTANCES = ",a,b,c\na,0,1,2.5\nb,,0,4\nc,,,0\n"
QAP = "3\n\n0 1 2\n1 0 3\n2 3 0\n\n0 5 2\n5 0 3\n2 3 0\n"
SHOP = "3 2 873654221 20 18\n1 2 3\n4 5 6\n"
RUDY = "4 3\n1 2 1\n2 3 -2.5\n4 1 1e1\n"
COL = "c a path\np edge 4 3\ne 1 2\ne 2 3\ne 3 4\n"
WCSP = "path 3 3 3 9\n2 3 2\n2 0 1 0 2\n0 1 7\n1 2 9\n1 2 1 1\n0 3\n0 2 0\n"
UAI = "MARKOV\n3\n2 2 3\n3\n1 0\n2 0 1\n2 2 1\n\n2\n 0.25 0.75\n4\n 1 2\n 3 0\n6\n 1 2 3\n 4 5 6\n"
CFN = """{"problem": {"name": "path", "mustbe": "<10.0"},
"variables": {"a": ["x", "y"], b: 2},
"functions": {"f": {"scope": ["a", "b"], "defaultcost": 0, "costs": ["x", 1, 2.5]}, {scope: [b] costs: [0 1]}}}
"""
COO = "# vartype=SPIN\n0 0 1.5\n0 7 -2\n3 7 0.5\n"
QUBO = "c bits\np qubo 0 8 2 1\n0 0 1.5\n7 7 0.5\n0 7 -1\n"
BQM = """{"type": "BinaryQuadraticModel", "version": {"bqm_schema": "3.0.0"}, "use_bytes": false,
"variable_labels": ["a", 7], "variable_type": "BINARY", "offset": 0.5, "linear_biases": [1.0, -1.5],
"quadratic_biases": [2.0], "quadratic_head": [0], "quadratic_tail": [1]}
"""
EXPERIMENT = """runs = 2
seed = 3
polish = "none"

[budget]
looks = 1000

[[problems]]
name = "synthetic"
options = { n = 8, planted = true }
sweep = { seed = [1, 2] }

[[problems]]
name = "tsp"
label = "cities"
options.n = 6

[[solvers]]
name = "random"

[[solvers]]
name = "ga"
sweep = { population = [4, 6] }
budget = { iterations = 10 }
"""
CORPUS = """<?xml version="1.0" encoding="UTF-8"?>
<corpus lang="en"><text id="d000"><sentence id="d000.s000">
<wf lemma="they" pos="PRON">They</wf>
<instance id="d000.s000.t000" lemma="sit" pos="VERB">sat</instance>
<instance id="d000.s000.t001" lemma="bank" pos="NOUN">bank</instance>
<wf lemma="." pos=".">.</wf>
</sentence></text></corpus>
"""
COARSE = """<corpus lang="en"><text id="d001"><sentence id="d001.s001">
The
<instance id="d001.s001.t001" lemma="bank" pos="n">bank</instance>
<instance id="d001.s001.t002" lemma="open" pos="v">opened</instance>
.
</sentence></text></corpus>
"""
KEY = "d000.s000.t000 sit%2:35:00::\nd000.s000.t001 bank%1:17:01:: bank%1:14:00::\n"
ANSWERS = "d000.s000.t000 sit%2:35:00::\nd000.s000.t001 bank%1:17:01::\n"
TEXT = "They sat on the bank of the river. The bank's manager doesn't like New York, e.g. in 2014 (3.5 %)!\n"


class Reader(NamedTuple):
    """What reads an input: sound inputs, how to mutate one, and how to read the outcome."""

    name: str
    samples: Callable[[Path], list[Any]]
    """Make sound inputs; the folder is for files that they need."""
    mutate: Callable[[Any, Random, Path], Any]
    read: Callable[[Any, Path], object]
    memory_refused: bool = False
    """Whether an input may ask for more memory than there is, which is refused: an option can."""


def warm(reader: Reader, folder: Path) -> list[Any]:
    """Return the sound inputs of a reader, each read once: the processes that read mutated ones import nothing."""
    samples = reader.samples(folder)
    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
        for sample in samples:
            with contextlib.suppress(swarmkit.SwarmkitError):
                reader.read(sample, folder)
    return samples


def _file(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def _checkpoints(folder: Path) -> list[bytes]:
    known = {offer.name for offer in host().offers("solver")}
    found = []
    for problem, options, solver in RUNS:
        if solver in known:
            file = folder / f"{problem}-{solver}.ckpt"
            made = swarmkit.make_problem(problem, **options)
            swarmkit.solve(made, solver, looks=3000, checkpoint=file)
            found.append(file.read_bytes())
    return found


def _recordings(folder: Path) -> list[bytes]:
    found = []
    for problem, solver in (("synthetic", "dbees"), ("tsp", "tsp-aco"), ("flowshop", "ga")):
        file = folder / f"{problem}.rec"
        swarmkit.solve(problem, solver, looks=2000, observers=[swarmkit.Recorder(file, frames=20)])
        found.append(file.read_bytes())
    return found


def _play(data: bytes, folder: Path) -> None:
    from swarmkit.viewing import make_movie

    make_movie(swarmkit.read_recording(_file(folder / "mutated.rec", data)))


def _resume(data: bytes, folder: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        swarmkit.resume(_file(folder / "mutated.ckpt", data), limits=LIMITS)


def _stores(folder: Path) -> list[bytes]:
    path = folder / "sound.db"
    problems = [{"name": "synthetic", "options": {"n": n}} for n in (6, 40)]
    swarmkit.compare(
        swarmkit.Experiment(
            problems=problems, solvers=["random", "exhaustive", "first"], runs=2, budget={"looks": 500}, gap=True
        ),
        store=path,
    )
    return [path.read_bytes()]


def _report(data: bytes, folder: Path) -> None:
    from swarmkit.cli.runs import documents, exported
    from swarmkit.comparison.store import Store
    from swarmkit.report.page import make_page
    from swarmkit.statistics.analysis import analyse

    for suffix in ("-wal", "-shm"):
        (folder / f"mutated.db{suffix}").unlink(missing_ok=True)
    with Store(_file(folder / "mutated.db", data), read_only=True) as store:
        records = store.records()
        experiments = store.experiments()
    swarmkit.print_json(documents(records))
    exported(records, ".csv")
    if records:
        make_page(records, analyse(records, 0), "", experiments)


def _results(folder: Path) -> list[bytes]:
    made = swarmkit.make_problem("synthetic", n=8)
    one = swarmkit.solve(made, "random", looks=2000)
    several = swarmkit.solve_many(made, "ga", 2, limits=swarmkit.Budget(looks=2000))
    return [one.model_dump_json().encode(), several.model_dump_json(indent=2).encode()]


def _replay(data: bytes, folder: Path) -> None:
    from swarmkit.cli.solving import verdict
    from swarmkit.contract.result import read_results

    path = _file(folder / "mutated.json", data)
    if all(
        max(r.looks, r.search_looks or 0) <= LONGEST for r in read_results(path)
    ):  # a file may ask for a long run, as a command may
        for replayed in swarmkit.replay(path):
            verdict(replayed)


def _read_experiment(data: bytes, folder: Path) -> None:
    swarmkit.read_experiment(_file(folder / "mutated.toml", data))


def _problem(problem: str, option: str, name: str, data: bytes, folder: Path) -> None:
    made = swarmkit.make_problem(problem, **{option: str(_file(folder / name, data))})
    made.score(np.zeros((1, len(made.sizes)), np.int64))


@cache
def _settings() -> list[tuple[str, str, str]]:
    """Return kind, name and setting of every option of every problem and every parameter of every solver."""
    found = []
    for offer in host().offers("problem"):
        found += [("problem", offer.name, field) for field in offer.value.Options.model_fields]
    for offer in host().offers("solver"):
        found += [("solver", offer.name, field) for field in offer.value.Params.model_fields]
    return [entry for entry in found if entry[1] not in ("wsd",)]


OPTION_VALUES = (
    *TOKENS,
    "[1, 2]",
    '{"a": 1}',
    "[NaN]",
    "[" * 3000 + "]" * 3000,
    "1e6",
    "2",
    "3",
    "7",
    "12",
    "100",
    "0.5",
    "/",
    "/dev/null",
    "random",
)


def _mutate_option(_: Any, random: Random, folder: Path) -> tuple[str, str, dict[str, str]]:
    kind, name, setting = random.choice(_settings())
    given = {setting: random.choice(OPTION_VALUES)}
    others = [other[2] for other in _settings() if other[:2] == (kind, name)]
    if random.random() < 0.3:
        given[random.choice([*others, "x", "nn"])] = random.choice(OPTION_VALUES)
    return kind, name, given


def _use_option(given: tuple[str, str, dict[str, str]], folder: Path) -> None:
    kind, name, values = given
    if kind == "problem":
        problem = swarmkit.make_problem(name, **values)
        if len(problem.sizes) < 1000:
            swarmkit.solve(problem, "random", looks=1000)
    else:
        solver = swarmkit.make_solver(name, **values)
        for problem, size in (("synthetic", 6), ("tsp", 8), ("qap", 6)):
            made = swarmkit.make_problem(problem, n=size)
            if solver.refuses(made) is None:
                swarmkit.solve(made, solver, looks=2000, seconds=3)
                return


def _sound_commands(folder: Path) -> list[Any]:
    """Return commands with a sound file each: the arguments, in which {} is the file, its content and its mutation."""
    text, tree = _in_folder(mutate_text), _in_folder(mutate_json)
    return [
        (["wsd", "tag", "{text}", "--json"], TEXT.encode(), text),
        (["wsd", "tag", "{}"], TEXT.encode(), text),
        (["wsd", "annotate", "{}", "--out", "{out}", "--force", "--json"], CORPUS.encode(), text),
        (["wsd", "score", "{}", "{}"], KEY.encode(), text),
        (["solve", "-p", "tsp", "-P", "file={}", "-a", "random", "--looks", "1000", "--json"], TSP.encode(), text),
        (["solve", "-p", "synthetic", "-P", "{text}", "-a", "random", "--looks", "1000"], b"n=7", text),
        (["solve", "-p", "synthetic", "-a", "ga", "-A", "{text}", "--looks", "1000"], b"population=7", text),
        (["solve", "-p", "synthetic", "-a", "random", "--seconds", "0.1", "--looks", "{text}"], b"1e4", text),
        (["solve", "-p", "synthetic", "-a", "random", "--looks", "100", "--seed", "{text}"], b"12", text),
        (["resume", "{}", "--looks", "5000"], _checkpoints(folder)[0], _in_folder(mutate_archive)),
        (["runs", "{}", "--json"], _stores(folder)[0], mutate_store),
        (["runs", "{}", "--summary"], _stores(folder)[0], mutate_store),
        (["report", "{}", "--json"], _stores(folder)[0], mutate_store),
        (["replay", "{}"], _results(folder)[0], tree),
        (["compare", "{}", "--json"], EXPERIMENT.encode(), text),
    ]


def _mutate_command(sample: Any, random: Random, folder: Path) -> Any:
    arguments, content, mutate = sample
    return arguments, mutate(content, random, folder), mutate


def _run_command(given: Any, folder: Path) -> None:
    """Call the command line; what it says is what a user sees."""
    from swarmkit.cli import main

    arguments, content, _ = given
    path = _file(folder / "mutated", content)
    text = content.decode("utf-8", "surrogateescape").replace("\0", "")
    filled = [word.replace("{}", str(path)).replace("{out}", str(folder / "out")) for word in arguments]
    sys.argv = ["swarmkit", *(word.replace("{text}", text) for word in filled)]
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            main()
    except SystemExit as end:
        different = end.code == 1 and arguments[0] == "replay" and not said.getvalue()  # its answer, not an error
        if end.code not in (0, None, 2, 3) and not different:
            raise AssertionError(f"exit code {end.code}: {said.getvalue()}") from None
        if end.code and not different:
            raise swarmkit.UsageError(said.getvalue()[:1000]) from None


def _mutate_budget(_: Any, random: Random, folder: Path) -> dict[str, str]:
    names = ("seconds", "looks", "evaluations", "iterations", "target", "patience")
    return {random.choice(names): random.choice(OPTION_VALUES) for _ in range(random.choice((1, 2)))}


def _use_budget(given: dict[str, str], folder: Path) -> None:
    from swarmkit.contract.budget import budget

    limits = budget(**given)
    swarmkit.solve("synthetic", "random", **(limits.model_dump() | {"seconds": 0.2}))


def _tag(data: bytes, folder: Path) -> None:
    from swarmkit_wsd.disambiguation import disambiguate

    disambiguate(data.decode("utf-8", "surrogateescape"))  # as an argument of a command is


def _tag_file(data: bytes, folder: Path) -> None:
    _problem("wsd", "file", "mutated.txt", data, folder)


def _corpus(data: bytes, folder: Path) -> None:
    from swarmkit_wsd.corpora.reader import read_corpus

    read_corpus(_file(folder / "mutated.xml", data))


def _keys(data: bytes, folder: Path) -> None:
    from swarmkit_wsd.corpora.keys import read_answers, read_keys
    from swarmkit_wsd.corpora.scoring import score

    gold = _file(folder / "gold.key", KEY.encode())
    mutated = _file(folder / "mutated.key", data)
    score(read_keys(gold), read_answers(mutated, read_keys(gold)), np.random.default_rng(0))
    score(read_keys(mutated), read_answers(gold, read_keys(mutated)), np.random.default_rng(0))


def _texts(*texts: str) -> Callable[[Path], list[bytes]]:
    return lambda _: [text.encode() for text in texts]


def _in_folder(mutate: Callable[[Any, Random], Any]) -> Callable[[Any, Random, Path], Any]:
    return lambda sample, random, _: mutate(sample, random)


def _compressed(_: Path) -> list[bytes]:
    return [gzip.compress(RUDY.encode(), mtime=0), lzma.compress(RUDY.encode())]


_text = _in_folder(mutate_text)
_bytes = _in_folder(mutate_bytes)

STARTS = ("0,1,2,3\n3,2,1,0\n", "0\n1\n2\n3\n", "[[0, 1, 2, 3], [1, 0, 2, 3]]", "stage,candidate\n0,1\n1,0\n2,2\n3,3\n")
OTHERS = "method,instance,seed,score,seconds,f1\nA,x,0,1.5,2,0.7\nA,x,1,,3,\nB,x,0,2,1,0.8\nB,x,1,3,1,0.9\n"


def _start(data: bytes, folder: Path) -> None:
    start = _file(folder / "start.txt", data)
    swarmkit.solve(swarmkit.make_problem("tsp", n=4), "ga", looks=100, start=start)


def _read_other_results(data: bytes, folder: Path) -> None:
    from swarmkit.comparison.other_results import read_other_results
    from swarmkit.statistics.analysis import analyse

    analyse(read_other_results(_file(folder / "results.csv", data)))


READERS = (
    Reader("starts", _texts(*STARTS), _text, _start),
    Reader("other results", _texts(OTHERS), _text, _read_other_results),
    Reader("checkpoints", _checkpoints, _in_folder(mutate_archive), _resume),
    Reader("recordings", _recordings, _in_folder(mutate_archive), _play),
    Reader("stores", _stores, mutate_store, _report),
    Reader("results", _results, _in_folder(mutate_json), _replay),
    Reader("experiments", _texts(EXPERIMENT), _text, _read_experiment),
    Reader(
        "options",
        lambda _: [("problem", "synthetic", {}), ("solver", "ga", {})],
        _mutate_option,
        _use_option,
        memory_refused=True,
    ),
    Reader("budgets", lambda _: [{"looks": "10"}], _mutate_budget, _use_budget),
    Reader("commands", _sound_commands, _mutate_command, _run_command),
    Reader("tsplib", _texts(TSP, MATRIX), _text, partial(_problem, "tsp", "file", "mutated.tsp")),
    Reader("csv", _texts(CSV, MAP, DISTANCES), _text, partial(_problem, "tsp", "file", "mutated.csv")),
    Reader("qaplib", _texts(QAP), _text, partial(_problem, "qap", "file", "mutated.dat")),
    Reader("taillard", _texts(SHOP), _text, partial(_problem, "flowshop", "file", "mutated.txt")),
    Reader("graphs", _texts(RUDY, COL), _text, partial(_problem, "maxcut", "file", "mutated.txt")),
    Reader("colourings", _texts(COL, RUDY), _text, partial(_problem, "colouring", "file", "mutated.col")),
    Reader("wcsp", _texts(WCSP), _text, partial(_problem, "pairwise", "file", "mutated.wcsp")),
    Reader("uai", _texts(UAI), _text, partial(_problem, "pairwise", "file", "mutated.uai")),
    Reader("cfn", _texts(CFN), _text, partial(_problem, "pairwise", "file", "mutated.cfn")),
    Reader("coo", _texts(COO, QUBO), _text, partial(_problem, "pairwise", "file", "mutated.coo")),
    Reader("bqm", _texts(BQM), _in_folder(mutate_json), partial(_problem, "pairwise", "file", "mutated.json")),
    Reader("compressed files", _compressed, _bytes, partial(_problem, "maxcut", "file", "mutated.txt.gz")),
    Reader("texts", _texts(TEXT), _text, _tag),
    Reader("text files", _texts(TEXT), _text, _tag_file),
    Reader("corpora", _texts(CORPUS, COARSE), _text, _corpus),
    Reader("keys", _texts(KEY, ANSWERS), _text, _keys),
)
"""All readers."""
