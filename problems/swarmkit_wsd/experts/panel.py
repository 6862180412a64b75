"""A panel of experts: it is asked about the words whose confidence is low, and its votes become part of the problem."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from swarmkit import UsageError, find, quoted
from swarmkit_wsd.confidence import posteriors
from swarmkit_wsd.experts.questions import Expert, ExpertFailed, ExpertGone, Question, Vote, question
from swarmkit_wsd.experts.votes import log_odds, with_votes
from swarmkit_wsd.problem import WordSenses

ASK_BELOW = 0.6
"""Words whose confidence is below this are asked about."""

RELIABILITY = 0.9
"""The reliability of an expert that states none."""

UNASKED = frozenset({"be", "have"})
"""Verbs that are in every text, and whose senses hardly tell anything: nobody is asked about them."""

Votes = dict[str, NDArray[np.float64]]
"""The log-odds of a word's candidates, by token id."""


class Panel:
    """Experts that are asked in turn.

    Attributes:
        asked: the number of words that experts were asked about.
        failed: the number of experts that could not be asked, or did not answer.
    """

    def __init__(
        self,
        experts: Iterable[Expert | str],
        ask_below: float = ASK_BELOW,
        reliability: float = RELIABILITY,
        notice: Callable[[str], None] = warnings.warn,
    ) -> None:
        """Find the experts.

        Args:
            experts: callables, or names of experts that plugins offer.
            ask_below: words whose confidence is below this are asked about.
            reliability: the reliability of experts that state none.
            notice: called with a sentence about an expert that cannot be asked any more.
        """
        self._experts = [_expert(one) for one in experts]
        if isinstance(ask_below, bool) or not isinstance(ask_below, int | float) or not 0 <= ask_below <= 1:
            raise UsageError(f"ask_below is {quoted(repr(ask_below))}; expected a probability from 0 to 1")
        self._ask_below, self._reliability, self._notice = ask_below, reliability, notice
        self.asked = self.failed = 0

    def __bool__(self) -> bool:
        """Return whether there is somebody to ask."""
        return bool(self._experts)

    def close(self) -> None:
        """End the programs among the experts."""
        for expert in self._experts:
            if (close := getattr(expert, "close", None)) is not None:
                close()

    def consult(self, problem: WordSenses, sentences: range | None = None, votes: Votes | None = None) -> WordSenses:
        """Return the problem with the votes on its words; experts are asked about those that are not certain.

        Args:
            problem: the problem.
            sentences: only words of the sentences with these numbers are asked about.
            votes: the votes on earlier parts of the text, whose words may be in the problem as context; those on this
                one replace them.
        """
        earlier = votes if votes is not None else {}
        if not (self or earlier) or not problem.targets:
            return problem
        ids = {str(target.token.id): stage for stage, target in enumerate(problem.targets)}
        known = {ids[name]: odds for name, odds in earlier.items() if name in ids}
        x = problem.default_solution()
        if known:
            problem = with_votes(problem, x, known)
            x = problem.default_solution()
        new = self._new_votes(problem, x, sentences)
        earlier.clear()
        earlier.update({str(problem.targets[stage].token.id): odds for stage, odds in (known | new).items()})
        return with_votes(problem, x, new)

    def _new_votes(
        self, problem: WordSenses, x: NDArray[np.int64], sentences: range | None
    ) -> dict[int, NDArray[np.float64]]:
        """Ask about every word that is not certain; return the log-odds of the candidates, by stage."""
        likely, votes = posteriors(problem, x), {}
        for stage in problem.answered(x, sentences):
            unsure = min(1.0, float(likely[stage][x[stage]])) < self._ask_below
            if not (unsure and len(likely[stage]) > 1 and self._experts):
                continue
            if problem.targets[stage].reading_of(int(x[stage])).lemma in UNASKED:
                continue
            asked = question(problem, stage, int(x[stage]), likely[stage])
            self.asked += 1
            odds = np.zeros(len(likely[stage]))
            for expert in list(self._experts):
                vote = self._ask(expert, asked)
                at = self._candidate(problem, stage, vote)
                if at is not None:
                    odds[at] += log_odds(self._stated(expert, vote), len(odds))
            if odds.any():
                votes[stage] = odds
        return votes

    def _ask(self, expert: Expert, asked: Question) -> Vote:
        try:
            answer = expert(asked)
        except Exception as error:
            self.failed += not isinstance(error, ExpertGone) or isinstance(error, ExpertFailed)
            reason = error if isinstance(error, ExpertGone) else f"an expert raised {type(error).__name__}: {error}"
            self._notice(f"{reason}; the other words are answered without this expert")
            self._experts.remove(expert)
            return Vote()
        return read_vote(answer)

    def _stated(self, expert: Expert, vote: Vote) -> float:
        """Return the stated probability that a vote is right: of this answer, else of the expert, else of all."""
        if vote.reliability is not None:
            return vote.reliability
        stated = read_vote((None, getattr(expert, "reliability", None))).reliability
        return self._reliability if stated is None else stated

    @staticmethod
    def _candidate(problem: WordSenses, stage: int, vote: Vote) -> int | None:
        """Return the candidate that a vote is for; None if the key is none of the word's senses."""
        sense = None if vote.key is None else problem.lexicon.sense_of_key(vote.key)
        senses = problem.targets[stage].senses.tolist()
        return senses.index(sense) if sense in senses else None


def read_vote(answer: Any) -> Vote:
    """Return what an expert answered as a vote.

    Args:
        answer: a sense key, a pair of key and reliability, a mapping with `key` and `reliability`, a `Vote`, or None.

    Raises:
        UsageError: it is something else.

    >>> read_vote(("bank%1:17:01::", 0.8))
    Vote(key='bank%1:17:01::', reliability=0.8)
    >>> read_vote(None)
    Vote(key=None, reliability=None)
    """
    if isinstance(answer, Vote):
        return answer
    fields: Any = {"key": answer}
    if isinstance(answer, Mapping):
        fields = {name: answer.get(name) for name in ("key", "reliability")}
    elif isinstance(answer, Sequence) and not isinstance(answer, str) and len(answer) == 2:
        fields = {"key": answer[0], "reliability": answer[1]}
    try:
        return Vote.model_validate(fields)
    except ValidationError:
        raise UsageError(
            f"an expert answered {quoted(repr(answer))}; expected the key of a candidate, a pair of a key and a "
            "reliability from 0 to 1, or None"
        ) from None


def _expert(given: Expert | str) -> Expert:
    if isinstance(given, str):
        found: Expert = find("expert", given)
        return found
    if not callable(given):
        raise UsageError(f"experts: {quoted(repr(given))} cannot be called; expected a function of a question")
    return given
