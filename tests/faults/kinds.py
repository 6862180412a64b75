"""The six kinds of files that commands keep, each with a scenario: what is done, and what must be there afterwards."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import swarmkit
from tests.faults.injection import Outcome, Scenario, call

TIMES = {"seconds", "cpu_seconds", "setup_seconds", "steps", "versions", "created", "gap"}
"""The fields of a result that differ from run to run."""


def command(line: str) -> None:
    """Call the command line."""
    from swarmkit.cli import main

    sys.argv = ["swarmkit", *line.split()]
    main()


def again(act: Callable[[], None], folder: Path) -> Outcome:
    """Do something without a fault, in a folder in which there was one."""
    return call(act, folder, 0, 1)[0]


def lasting(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return what must be the same in every run of a result."""
    trace = {name: column for name, column in result["trace"].items() if name != "seconds"}
    return {name: value for name, value in result.items() if name not in TIMES} | {"trace": trace}


# ------------------------------------------------------------------------------------------------------------- stores

COMPARISON = partial(command, "compare -p synthetic -P n=8 --algos random,icm --runs 2 --looks 600 --json --store s.db")


def _store_flaw(folder: Path, outcome: Outcome, sound: Outcome) -> str:
    expected = {record["key"]: lasting(record["result"]) for record in json.loads(sound.out)["records"]}
    reported = {record["key"] for record in json.loads(outcome.out)["records"]} if outcome.out else set()
    if (folder / "s.db").exists() and (folder / "s.db").stat().st_size:
        with swarmkit.Store(folder / "s.db", read_only=True) as store:
            kept = {record.key: lasting(record.result.model_dump(mode="json")) for record in store.records()}
        if any(kept[key] != expected[key] for key in kept):
            return "torn: a run of the store is another one"
        reported -= kept.keys()
    if reported:
        return f"lost: {len(reported)} runs that were reported"
    after = again(COMPARISON, folder)
    if after.code != 0:
        return f"torn: the store does not go on: {after.err}"
    runs = {record["key"]: lasting(record["result"]) for record in json.loads(after.out)["records"]}
    return "" if runs == expected else "lost: runs differ after the same command"


# -------------------------------------------------------------------------------------------------------- checkpoints

CHECKPOINT = "solve -p synthetic -P n=8 -a ga -A population=4 --iterations 2 --checkpoint run.ckpt"
RESUME = partial(command, "resume run.ckpt --every 0 --iterations 7 --json")


def _checkpoint_flaw(folder: Path, outcome: Outcome, sound: Outcome) -> str:
    expected = lasting(json.loads(sound.out))
    if outcome.code == 0 and lasting(json.loads(outcome.out)) != expected:
        return "lost: the answer is another one"
    after = again(RESUME, folder)
    if after.code != 0:
        return f"torn: the checkpoint cannot be resumed: {after.err}"
    return "" if lasting(json.loads(after.out)) == expected else "lost: the resumed run is another one"


# --------------------------------------------------------------------------------------------------------- recordings


def _solve_recorded(seed: int) -> Callable[[], None]:
    files = "--record run.rec --movie run.html --out run.json --force --json"
    return partial(command, f"solve -p synthetic -P n=8 -a ga --looks 3000 --seed {seed} {files}")


def _recording_flaw(folder: Path, outcome: Outcome, sound: Outcome) -> str:
    if outcome.code >= 0 and lasting(json.loads(outcome.out or "{}")) != lasting(json.loads(sound.out)):
        return "lost: the answer is another one"
    try:
        seeds = {
            swarmkit.read_recording(folder / "run.rec").facts["seed"],
            json.loads((folder / "run.json").read_text())["seed"],
        }
    except (swarmkit.SwarmkitError, ValueError) as error:
        return f"torn: {error}"
    if not (folder / "run.html").read_text().rstrip().endswith("</html>"):
        return "torn: the movie is cut"
    if outcome.code == 0 and seeds != {2}:
        return "lost: a file is that of the run before, and nothing was said"
    return ""


# ------------------------------------------------------------------------------------------------------------- caches


def _use_cache() -> None:
    from swarmkit_lexicon.lexicon import cached_arrays

    os.environ["SWARMKIT_CACHE"] = "cache"

    def build() -> dict[str, Any]:
        return {"numbers": np.arange(5000), "words": np.frombuffer(b"bank" * 300, np.uint8)}

    try:
        arrays = [cached_arrays(name, build, message="built") for name in ("first", "second", "first")]
    except swarmkit.SwarmkitError as error:
        print(f"swarmkit: {error}", file=sys.stderr)
        raise SystemExit(error.exit_code) from None
    print([int(values.sum()) for each in arrays for values in each.values()])


def _cache_flaw(folder: Path, outcome: Outcome, sound: Outcome) -> str:
    if outcome.code == 0 and outcome.out != sound.out:
        return "lost: the arrays are others"
    if "damaged" in outcome.err and outcome.code != 0:
        return "torn: a damaged file of the cache is not made again"
    after = again(_use_cache, folder)
    if after.code != 0 or after.out != sound.out:
        return f"torn: the cache cannot be used: {after.err}"
    return "torn: a damaged file was left" if "damaged" in after.err else ""


# ------------------------------------------------------------------------------------------------------------ batches

LINES = ["He sat on the bank.", "A mouse ran.", "", "The bank lent money.", "Rivers run.", "Cats sat."]
BATCH = "wsd tag lines.jsonl first.txt second.txt --out out --preset fast"


def _prepare_batch(folder: Path) -> None:
    rows = [json.dumps({"id": number, "text": text}) for number, text in enumerate(LINES)]
    (folder / "lines.jsonl").write_text("\n".join(rows) + "\n")
    (folder / "first.txt").write_text("They sat on the bank of the river.\n")
    (folder / "second.txt").write_text("The bank lent them money.\n")


def _batch_flaw(folder: Path, outcome: Outcome, sound: Outcome) -> str:
    answers = {path.name: path.read_bytes() for path in (folder / "out").glob("*")}
    after = again(partial(command, f"{BATCH} --resume"), folder)
    if after.code != 0:
        return f"torn: the batch does not go on: {after.err}"
    whole = {path.name: path.read_bytes() for path in (folder / "out").glob("*")}
    if any(not whole[name].startswith(content[: content.rfind(b"\n") + 1]) for name, content in answers.items()):
        return "lost: answers that were written are others"
    with contextlib.suppress(KeyError):
        documents = [json.loads(whole[f"{name}.txt.json"]) for name in ("first", "second")]
        lines = [json.loads(line) for line in whole["lines.jsonl"].splitlines()]
        if [line["id"] for line in lines] == list(range(len(LINES))) and all(each["senses"] for each in documents):
            return ""
    return "torn: the output is not whole"


# ------------------------------------------------------------------------------------------------------------ studies

TUNING = partial(
    command,
    "tune -a sa -p synthetic -P n=8 --train seed=1..2 --test seed=3..4 --trials 2 --looks 300 "
    "--study s.db --toml s.toml --force --json",
)


def _study_flaw(folder: Path, outcome: Outcome, sound: Outcome) -> str:
    def facts(document: str) -> Any:
        return {name: value for name, value in json.loads(document).items() if "seconds" not in name}

    after = again(TUNING, folder)
    if after.code != 0:
        return f"torn: the study does not go on: {after.err}"
    if outcome.out and facts(outcome.out) != facts(sound.out):
        return "lost: the outcome is another one"
    if facts(after.out) != facts(sound.out):
        return f"lost: the outcome is another one after the same command\n{after.out}\n{sound.out}"
    return "" if (folder / "s.toml").read_text() else "torn: an empty file"


KINDS = {
    "stores": Scenario(lambda _: None, COMPARISON, _store_flaw),
    "checkpoints": Scenario(lambda folder: _made(folder, partial(command, CHECKPOINT)), RESUME, _checkpoint_flaw),
    "recordings": Scenario(lambda folder: _made(folder, _solve_recorded(1)), _solve_recorded(2), _recording_flaw),
    "caches": Scenario(lambda _: None, _use_cache, _cache_flaw),
    "batches": Scenario(_prepare_batch, partial(command, BATCH), _batch_flaw),
    "studies": Scenario(lambda _: None, TUNING, _study_flaw),
}
"""All kinds."""


def _made(folder: Path, act: Callable[[], None]) -> None:
    outcome = again(act, folder)
    assert outcome.code == 0, outcome
