"""A submission in the arena: the file is read, audited, checked by the conformance kit, and compared."""

from __future__ import annotations

import hashlib
import os
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from swarmkit import MissingError, SwarmkitError, UsageError, __version__, install_hint
from swarmkit.statistics import quantity
from swarmkit_arena.audits import Audits
from swarmkit_arena.contest import INSTANCES, Match, contest, draw_instances, rivals_for
from swarmkit_arena.cpu_limit import own_cpu_seconds
from swarmkit_arena.process import ContestantProcess, rule_of
from swarmkit_arena.rules import Breach, Reason, distinct_reasons
from swarmkit_arena.submission import Submission, find_submission, neighbour_reasons, static_reasons
from swarmkit_arena.verdict import Gate, Verdict, make_standing

KIT_SECONDS = 120.0
"""CPU seconds within which the conformance kit has to be through."""

KIT_EXAMPLES = 2
"""Cases per check and family of the kit; `swarmkit check` has more time."""

KIT_RULES = {
    "every solution is feasible": "feasible",
    "reported scores are the problems": "score",
    "every step counts its looks": "count",
    "the same seed gives the same run": "generator",
    "a resumed run equals the uninterrupted run": "state",
    "a run by the clock can be replayed": "clock",
    "every row scored is counted": "count",
    "steps made at once are single steps": "budget",
    "no limit is exceeded": "budget",
    "a longer run begins as the shorter one": "budget",
    "never better than the optimum": "score",
    "a proved bound holds": "score",
    "problem and global generators stay untouched": "generator",
    "jobs make no difference": "memory",
}
"""The rules that checks of the kit are about; all others are the kit's own."""


@dataclass
class SubmissionRun:
    """What has come of a submission so far.

    Args:
        submission: the solver.
        seed: the seed of the instances.
        ready: called with each gate that was passed or not.
        played: called with each run of the contest.
    """

    submission: Submission
    seed: int
    ready: Callable[[Gate], None]
    played: Callable[[Match], None]
    gates: list[Gate] = field(default_factory=list)
    reasons: list[Reason] = field(default_factory=list)
    matches: list[Match] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.name = self.submission.solver or Path(self.submission.file).stem
        self.audits = Audits(self.submission, np.random.default_rng([self.seed, 1]))

    def pass_gate(self, name: str, gate: Callable[[], str]) -> bool:
        """Return whether a gate is passed: it returns what was seen, or breaks off with the reasons.

        Args:
            name: the name of the gate.
            gate: called; what it returns is shown.
        """
        begin, words = time.perf_counter(), ""
        try:
            words = gate()
        except Breach as breach:
            self.reasons.append(breach.reason)
        except SwarmkitError as error:
            self.reasons.append(Reason(rule="kit", words=str(error)))
        self.reasons = distinct_reasons(self.reasons)
        passed = not self.reasons
        words = words if passed else "; ".join(reason.words for reason in self.reasons)
        self.gates.append(Gate(name=name, passed=passed, words=words, seconds=time.perf_counter() - begin))
        self.ready(self.gates[-1])
        return passed

    def read(self) -> str:
        """Look at imports and names of the file, without running it."""
        if self.submission.trusted:
            return "an installed solver: files and processes are its own affair"
        try:
            source = Path(self.submission.file).read_text(encoding="utf-8")
            self.reasons += static_reasons(source) + neighbour_reasons(Path(self.submission.file), source)
        except (SyntaxError, ValueError) as error:
            raise Breach("loading", f"It is not a Python file: {error}.") from None
        return f"{len(source.splitlines())} lines, nothing imported that computing does not need"

    def audit(self) -> str:
        """Compare short runs under conditions that must not matter."""
        self.reasons += self.audits.run()
        return f"the same runs in other processes, made to wait, on {len(self.audits.families)} families"

    def check(self) -> str:
        """Run the conformance kit in a process of its own."""
        # Not in a process of the audits: the kit imports hypothesis, and starts processes.
        with ContestantProcess(self.submission, kit=True) as process:
            report = process.ask("kit", {"examples": KIT_EXAMPLES}, patience=KIT_SECONDS).body
            self.reasons += process.reasons
        for name, detail in report["failures"]:
            check, _, family = str(name).partition(" [")
            where = f" ({family[:-1]})" if family else ""
            rule = rule_of(str(detail))
            rule = KIT_RULES.get(check, "kit") if rule == "kit" else rule
            self.reasons.append(Reason(rule=rule, words=f"Kit: {check}{where}: {str(detail).splitlines()[0][:200]}"))
        return f"{quantity(int(report['passed']), 'check')} passed, {report['skipped']} skipped"

    def play(self) -> str:
        """Make the runs of the contest."""
        draws = draw_instances(self.audits.families, self.seed, INSTANCES)
        rivals = rivals_for(draws, self.submission)
        self.matches = contest(self.submission, self.name, draws, rivals, self.played)
        return f"{quantity(len(self.matches), 'run')} against {quantity(len(rivals), 'bundled solver')}"


def enter(
    entry: Path | str,
    *,
    solver: str = "",
    seed: int | None = None,
    ready: Callable[[Gate], None] = lambda _: None,
    played: Callable[[Match], None] = lambda _: None,
) -> Verdict:
    """Let a solver into the arena and return the verdict.

    Args:
        entry: a Python file, or the name of a registered solver.
        solver: the solver of the file that is meant, if it offers several.
        seed: the seed of the instances; by default one that nobody knows, which the verdict tells.
        ready: called with each gate that was passed or not.
        played: called with each run of the contest.

    Raises:
        UsageError: there is no such file or solver, or the system is not one the arena works on.
    """
    if find_spec("scipy") is None:  # known now, not after the contest
        hint = install_hint("report")
        raise MissingError(f"verdicts of the arena need scipy, which the extra 'report' installs: {hint}")
    if os.name != "posix":
        raise UsageError("the arena limits processes by means of POSIX, which this system does not have")
    submission = find_submission(str(entry), solver)
    begin, cpu = time.perf_counter(), own_cpu_seconds()
    run = SubmissionRun(submission, secrets.randbits(64) if seed is None else seed, ready, played)
    gates = (("source", run.read), ("audits", run.audit), ("conformance kit", run.check))
    # In order, and not after the first refusal: what was refused is not run for longer.
    accepted = all(run.pass_gate(name, gate) for name, gate in gates)
    if accepted and run.audits.families:
        accepted = run.pass_gate("contest", run.play)
    file = Path(submission.file)
    return Verdict(
        solver=run.name,
        source=str(entry) if submission.file else "installed",
        sha256=hashlib.sha256(file.read_bytes()).hexdigest() if submission.file else None,
        accepted=accepted,
        reasons=run.reasons,
        gates=run.gates,
        refused_families=run.audits.refusals,
        standing=make_standing(run.matches, run.name) if accepted and run.matches else None,
        matches=run.matches if accepted else [],
        seed=run.seed,
        without_network=bool(run.audits.facts.get("without_network")),
        version=__version__,
        seconds=time.perf_counter() - begin,
        cpu_seconds=own_cpu_seconds() - cpu,
    )
