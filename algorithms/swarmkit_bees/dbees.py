"""D-Bees (Abualhaija & Zimmermann 2014): `dbees`.

Abualhaija, S. and Zimmermann, K.-H. 2014. D-Bees: a novel method inspired by bee colony optimization for solving word
sense disambiguation. The forward and backward passes are those of the paper's text; `literal=true` follows the
pseudo-code of its appendix where the two differ. What the paper leaves open is a parameter, with our reading as its
default. By default, recruiters also improve their paths by local search, and bees rebuild stretches of the best path
(`swarmkit_bees.rounds`); `preset=paper` is the paper alone. The passes, line by line, are in
`swarmkit_bees.reference`; `swarmkit_bees.kernel` is the same, compiled.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

import numpy as np
from numpy.random import Generator
from pydantic import Field, model_validator

from swarmkit import WHOLE_STEP, Floats, Found, Ints, Left, Problem, Settings, Solutions, Suitability
from swarmkit.search import GainTable, rng_state, warm_up
from swarmkit_bees import compiled, rounds
from swarmkit_bees.colony import ColonySolver
from swarmkit_bees.plain_rounds import PlainEngine
from swarmkit_bees.rules import Drawing, Normalise, Plan, Rules
from swarmkit_bees.state import Colony, Rounds, no_bees, no_rounds
from swarmkit_bees.table_rounds import TableEngine

PAPER: Mapping[str, Any] = MappingProxyType(
    {"theta": 0.5, "most_bees": None, "local_search": "none", "stretch": None},
)
"""The paper's values, where they are not the defaults."""

ALL = sys.maxsize
"""Tries that are enough for all candidates of a stage."""


class DBees(ColonySolver):
    """Bees leave a random stage, one per candidate of it, build paths, compare them and follow the best."""

    reference = "Abualhaija & Zimmermann 2014, D-Bees: a novel method inspired by bee colony optimization"
    unit = "one forward and backward pass of all bees, one complete path, or one stage's candidates in a climb"

    class Params(Settings):
        """The values of the paper, and four of ours, which `preset=paper` sets to the paper's too."""

        preset: Literal["best", "paper"] = "best"
        """The values that are not given: the best known, or those of the paper."""
        iterations: Annotated[int, Field(ge=1)] = 10
        """Number of iterations; in each the bees visit every stage once."""
        moves: Annotated[int, Field(ge=1)] = 3
        """NC: moves per forward pass."""
        recruiters: Annotated[int, Field(ge=1)] = 3
        """R: number of best bees that advertise their path."""
        theta: float | None = None
        """θ (paper: 0.5): a bee stops trying candidates at one of this similarity (mean over assigned neighbours)."""
        tries: Annotated[int | None, Field(ge=1)] = 5
        """Most candidates tried per move; none: all."""
        beta: float = 0.8
        """β: only literal=true, which ends at a best quality of at most this (appendix; the text gives β no use)."""
        bees: Annotated[int | None, Field(ge=1)] = None
        """Number of bees; by default, as in the paper, one per candidate of the hive."""
        most_bees: Annotated[int | None, Field(ge=1)] = 10
        """The most bees of a hive (paper: none); where it has more candidates, some of them are drawn."""
        local_search: Literal["none", "local"] = "local"
        """How recruiters improve complete paths (paper: none): local is icm, on symmetric tours 2-opt and Or-opt."""
        stretch: Annotated[int | None, Field(ge=1)] = 100
        """The most stages that are rebuilt from one hive, after the first iteration (paper: none); the rest is kept."""
        walk: Literal["ends", "wrap"] = "ends"
        """After the last stage go on from the hive back to the first (ends), or from the first to the hive (wrap)."""
        normalise: Normalise = "max"
        """How qualities are normalised: divided by the largest (max), scaled to [0, 1] (min-max), or left raw."""
        reset_passes: bool = True
        """Count the forward passes u from 0 in each iteration, as bee colony optimisation does."""
        ties: Literal["random", "first"] = "random"
        """Which of equally similar candidates is taken: any, or the first (of senses the most frequent)."""
        draw: Drawing = "random"
        """How the candidates that are tried are picked: at random without repetition, at random with repetition
        (replace), or from the first on (order: WordNet's, by frequency)."""
        below_theta: Literal["best", "first"] = "best"
        """What is taken where no candidate that was tried reaches θ: the best of them, or the stage's first (of senses
        the most frequent)."""
        followers: Literal["together", "sequence"] = "together"
        """With literal=true: all bees compare the paths of one moment, or decide one after the other, best first, so
        that a follower takes over what its recruiter may have taken over just before."""
        tolerance: Annotated[float | None, Field(ge=0)] = None
        """End after an iteration that improves the best score by no more than this; the paper gives no value."""
        literal: bool = False
        """Follow the appendix: one move per pass, u never reset, paths taken over without quality, end by β."""

        @model_validator(mode="before")
        @classmethod
        def _fill_in(cls, given: Any) -> Any:
            if isinstance(given, Mapping) and given.get("preset") == "paper":
                return {**PAPER, **given}
            return given

        @model_validator(mode="after")
        def _consistent(self) -> DBees.Params:
            if self.draw == "replace" and self.tries is None:
                raise ValueError("draw=replace needs a number of tries: -A tries=5 is the paper's")
            if self.below_theta == "first" and self.theta is None:
                raise ValueError("below_theta=first needs a theta: -A theta=0.5 is the paper's")
            if self.followers == "sequence" and not self.literal:
                raise ValueError("followers=sequence is the appendix's: it goes with literal=true")
            return self

        @property
        def in_rounds(self) -> bool:
            """Whether one of the extensions is used that iterations in rounds have."""
            return (self.local_search, self.stretch, self.most_bees) != ("none", None, None)

    params: Params

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit tables in which every stage takes any candidate, and any other problem a little."""
        free = problem.structure.free_tables is not None
        return Suitability(0.15 if free else 0.05, "it is built stage by stage", nanoseconds=300.0)

    def prepare(self, problem: Problem) -> None:
        """Compile the passes and climbs where the problem is tables."""
        super().prepare(problem)
        if self.params.in_rounds and problem.structure.free_tables is not None:
            from swarmkit_bees import round_kernel

            warm_up(problem, round_kernel)

    def draw_hive(self, problem: Problem, rng: Generator) -> int:
        """Draw the hive among the stages with more than one candidate."""
        ambiguous = np.flatnonzero(np.asarray(problem.sizes) > 1)
        return int(ambiguous[rng.integers(len(ambiguous))])

    def plan(self, problem: Problem, hive: int) -> Plan:
        """Return the way of the bees: they leave the hive from all of its candidates in turn."""
        candidates = int(problem.sizes[hive])
        bees = np.arange(self.params.bees or candidates) % candidates
        return Plan(stage_order(hive, len(problem.sizes), self.params.walk), bees, self.rules())

    def rules(self) -> Rules:
        """Return the rules of the colony; with `literal` the appendix's where it differs from the text."""
        given = self.params
        rules = Rules(
            moves=given.moves,
            recruiters=given.recruiters,
            theta=np.inf if given.theta is None else given.theta,
            tries=ALL if given.tries is None else given.tries,
            normalise=given.normalise,
            first_on_ties=given.ties == "first",
            drawing=given.draw,
            first_below_theta=given.below_theta == "first",
            reset_passes=given.reset_passes,
            tolerance=-np.inf if given.tolerance is None else given.tolerance,
            hands_over=given.in_rounds,
        )
        if given.literal:
            return rules._replace(
                moves=1,
                take_quality=False,
                reset_passes=False,
                beta=given.beta,
                in_sequence=given.followers == "sequence",
            )
        return rules

    def begin(self, problem: Problem, hive: int, rng: Generator) -> Colony:
        """Return the state before the first iteration from a given hive."""
        form = problem.structure.free_tables
        if not self.params.in_rounds:
            return super().begin(problem, hive, rng)
        if form is None:
            return Colony(hive, 0, -np.inf, np.empty(0, np.uint64), {}, no_bees(), no_rounds(None))
        table = GainTable.at(form, np.zeros(len(form.sizes), np.int64), rng)
        table.scores[1] = -np.inf  # any solution has a gain table; that one was not found
        return Colony(hive, 0, -np.inf, rng_state(rng), {}, no_bees(), no_rounds(table))

    def inject(self, problem: Problem, state: Colony, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Rebuild stretches of the best of the given solutions, if no round is under way and it is the best known.

        A colony of the paper keeps no solution from one iteration to the next, and ignores them.
        """
        rounds, form, best = state.rounds, problem.structure.free_tables, int(np.argmax(scores))
        if rounds is None or len(rounds.order) or scores[best] <= state.best:
            return 0
        x = np.array(X[best], np.int64)
        rounds.found, state.best = x, float(scores[best])
        if form is None:
            rounds.best = x.copy()
        else:
            rounds.table = GainTable.at(form, x, rng)
        return len(x)

    def step(self, problem: Problem, state: Colony, rng: Generator, left: Left = WHOLE_STEP) -> Found:
        """Make passes and climbs until one of the limits or the last iteration is reached."""
        if state.rounds is None:
            return super().step(problem, state, rng, left)
        engine = self._engine(problem, state, state.rounds)
        left = left._replace(iterations=min(left.iterations, self.params.iterations - state.iterations))
        made = rounds.advance(engine, lambda best: self.draw_round(problem, state, best, rng), left, rng)
        return self.found(state, made)

    def draw_round(self, problem: Problem, state: Colony, best: Solutions | None, rng: Generator) -> tuple[Ints, Ints]:
        """Return the order of the stages of a new round, the hive first, and the candidate of each bee there.

        Args:
            problem: the problem.
            state: the state of the run.
            best: the best solution; None before the first.
            rng: the run's generator.
        """
        sizes = np.asarray(problem.sizes)
        kept, stages, hive = np.full(len(sizes), -1), np.arange(len(sizes)), state.hive
        if best is not None and self.params.stretch is not None and state.rounds is not None:
            stages = rounds.next_stretch(state.rounds, len(sizes), self.params.stretch, rng)
            ambiguous = np.flatnonzero(sizes[stages] > 1)
            kept, hive = best.copy(), int(rng.choice(ambiguous)) if len(ambiguous) else 0
            kept[stages] = -1
        order = stages[stage_order(hive, len(stages), self.params.walk)]
        candidates = np.flatnonzero(np.asarray(problem.allowed(kept[None], int(order[0])), bool)[0])
        if not len(candidates):  # the bees find that out
            candidates = np.arange(sizes[order[0]])
        bees = candidates[np.arange(self.params.bees or len(candidates)) % len(candidates)]
        most = self.params.most_bees
        return order, bees if most is None or len(bees) <= most else rng.choice(bees, most, replace=False)

    def _engine(self, problem: Problem, state: Colony, at: Rounds) -> rounds.Engine:
        """Return what makes the passes and climbs on this kind of problem."""
        given = problem, state, at, self.rules(), self.params.local_search != "none"
        form = problem.structure.free_tables
        if form is None:
            return PlainEngine(*given)
        engine = TableEngine(*given)
        if compiled.known_inputs(form, state) is None:  # the state comes from a checkpoint
            engine.restore()
        return engine


def stage_order(hive: int, n: int, walk: Literal["ends", "wrap"]) -> Ints:
    """Return the n stages in the order in which the bees visit them.

    >>> stage_order(2, 5, "ends").tolist(), stage_order(2, 5, "wrap").tolist()
    ([2, 3, 4, 1, 0], [2, 3, 4, 0, 1])
    """
    before = np.arange(hive)
    return np.concatenate([np.arange(hive, n), before[::-1] if walk == "ends" else before])
