"""A visit to the arena: the file is read, audited, checked by the conformance kit, and compared."""

from __future__ import annotations

import hashlib
import os
import secrets
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from swarmkit.arena.audits import Audits
from swarmkit.arena.contest import INSTANCES, Match, contest, draw_instances, rivals_for
from swarmkit.arena.cpu_limit import own_cpu_seconds
from swarmkit.arena.process import ContestantProcess, Setting, rule_of
from swarmkit.arena.rules import Breach, Reason, distinct_reasons
from swarmkit.arena.submission import Submission, beside, static_reasons
from swarmkit.arena.verdict import Gate, Verdict, make_standing
from swarmkit.contract.errors import SwarmkitError, UsageError
from swarmkit.contract.version import __version__
from swarmkit.plugins.host import find
from swarmkit.statistics.finding import need_scipy
from swarmkit.statistics.wording import quantity

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
class Visit:
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
    name: str = ""
    gates: list[Gate] = field(default_factory=list)
    reasons: list[Reason] = field(default_factory=list)
    matches: list[Match] = field(default_factory=list)
    audits: Audits = field(init=False)

    def __post_init__(self) -> None:
        self.name = self.submission.solver or Path(self.submission.file).stem
        self.audits = Audits(self.submission, np.random.default_rng([self.seed, 1]))

    def pass_gate(self, name: str, gate: Callable[[], str]) -> bool:
        """Return whether a gate is passed: it returns what was seen, or breaks off with the reasons.

        Args:
            name: the name of the gate.
            gate: called; what it returns is shown.
        """
        begun = time.perf_counter()
        try:
            words = gate()
        except Breach as breach:
            self.reasons.append(breach.reason)
            words = ""
        except SwarmkitError as error:
            self.reasons.append(Reason(rule="kit", words=str(error)))
            words = ""
        self.reasons = distinct_reasons(self.reasons)
        passed = not self.reasons
        words = words if passed else "; ".join(reason.words for reason in self.reasons)
        self.gates.append(Gate(name=name, passed=passed, words=words, seconds=time.perf_counter() - begun))
        self.ready(self.gates[-1])
        return passed

    def read(self) -> str:
        """Look at the imports of the file, without running it."""
        if self.submission.trusted:
            return "an installed solver: files and processes are its own affair"
        try:
            source = Path(self.submission.file).read_text(encoding="utf-8")
            self.reasons += [*static_reasons(source), *beside(Path(self.submission.file), source)]
        except (SyntaxError, ValueError) as error:
            raise Breach("loading", f"It is not a Python file: {error}.") from None
        return f"{len(source.splitlines())} lines, nothing imported that computing does not need"

    def audit(self) -> str:
        """Compare short runs under conditions that must not matter."""
        self.reasons += self.audits.run()
        return f"the same runs in other processes, with other clocks, on {len(self.audits.families)} families"

    def check(self) -> str:
        """Run the conformance kit in a process of its own."""
        with ContestantProcess(self.submission, Setting(kit=True)) as process:
            done = process.ask("kit", {"examples": KIT_EXAMPLES}, patience=KIT_SECONDS).body
            self.reasons += process.reasons
        for name, detail in done["failures"]:
            check, _, family = str(name).partition(" [")
            where = f" ({family[:-1]})" if family else ""
            rule = rule_of(str(detail)) if rule_of(str(detail)) != "kit" else KIT_RULES.get(check, "kit")
            self.reasons.append(Reason(rule=rule, words=f"Kit: {check}{where}: {str(detail).splitlines()[0][:200]}"))
        return f"{quantity(int(done['passed']), 'check')} passed, {done['skipped']} skipped"

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
    need_scipy("verdicts of the arena")
    if os.name != "posix":
        raise UsageError("the arena limits processes by means of POSIX, which this system does not have")
    submission = _submission(str(entry), solver)
    begun, cpu = time.perf_counter(), own_cpu_seconds()
    visit = Visit(submission, secrets.randbits(64) if seed is None else seed, ready, played)
    gates = (("source", visit.read), ("audits", visit.audit), ("conformance kit", visit.check))
    accepted = all(visit.pass_gate(name, gate) for name, gate in gates)
    if accepted and visit.audits.families:
        accepted = visit.pass_gate("contest", visit.play)
    file = Path(submission.file)
    return Verdict(
        solver=visit.name,
        source=str(entry) if submission.file else "installed",
        sha256=hashlib.sha256(file.read_bytes()).hexdigest() if submission.file else None,
        accepted=accepted,
        reasons=visit.reasons,
        gates=visit.gates,
        refused_families=visit.audits.refused,
        standing=make_standing(visit.matches, visit.name) if accepted and visit.matches else None,
        matches=visit.matches if accepted else [],
        seed=visit.seed,
        without_network=bool(visit.audits.facts.get("without_network")),
        version=__version__,
        seconds=time.perf_counter() - begun,
        cpu_seconds=own_cpu_seconds() - cpu,
    )


def _submission(entry: str, solver: str) -> Submission:
    """Return the submission that a file or a name stands for."""
    if not entry.endswith(".py") and os.sep not in entry:
        _check_installed(entry, solver)
        return Submission(solver=entry)
    file = Path(entry)
    if not file.is_file():
        raise UsageError(f"{entry}: {'is a folder; expected a Python file' if file.is_dir() else 'no such file'}")
    if file.suffix != ".py" or not file.stem.isidentifier() or file.stem in sys.stdlib_module_names:
        raise UsageError(f"{entry}: a submission has a name like my_solver.py, which no module of Python has")
    return Submission(file=str(file.resolve()), solver=solver)


def _check_installed(entry: str, solver: str) -> None:
    """Refuse a name that no installed solver has, and a choice among the solvers of a file that is none."""
    try:
        find("solver", entry)
    except UsageError as error:
        if Path(f"{entry}.py").is_file():
            raise UsageError(f"no solver named '{entry}' is installed. Did you mean the file {entry}.py?") from None
        if entry and Path(entry).exists():
            raise UsageError(f"{entry}: expected a Python file such as my_solver.py, or the name of a solver") from None
        raise error
    if solver:
        raise UsageError(f"-a {solver} chooses a solver of a file, and '{entry}' is an installed one; leave -a out")
