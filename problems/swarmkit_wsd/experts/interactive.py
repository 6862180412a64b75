"""A person in the terminal as an expert."""

from __future__ import annotations

import sys
from typing import TextIO

from swarmkit_wsd.experts.questions import ExpertFailed, ExpertGone, Question, Vote

TERMINAL = "/dev/tty"
"""Where a person is asked if standard input is not a terminal: a text may come from there."""

HELP = "the number of the sense; Enter if you do not know; q to be asked no more"


class Person:
    """Shows the word in its text with its senses, and reads the number of one."""

    def __init__(self, reading: TextIO | None = None, writing: TextIO | None = None) -> None:
        """Choose where to ask.

        Args:
            reading: the answers, a line each; by default the terminal.
            writing: where the questions are shown; by default standard error, so that standard output has the senses.
        """
        self._reading, self._writing = reading, writing

    def __call__(self, question: Question) -> Vote:
        """Return the vote of a person.

        Raises:
            ExpertGone: the person has had enough, or there is no terminal.
        """
        before, after = question.text[: question.start], question.text[question.end :]
        self._say(f"\n{before}[{question.word}]{after}\n")
        for number, one in enumerate(question.candidates, 1):
            self._say(f"  {number:2} {one.synset} ({one.confidence:.2f}): {one.gloss}")
        while True:
            self._say(f"{question.word} ({HELP}): ", end="")
            line = self._terminal().readline()
            answer = line.strip().lower()
            if not line or answer == "q":
                raise ExpertGone("no more questions")
            if not answer:
                return Vote()
            if answer.isascii() and answer.isdecimal() and 1 <= int(answer) <= len(question.candidates):
                return Vote(key=question.candidates[int(answer) - 1].key)
            self._say(f"'{answer}' is none of 1 to {len(question.candidates)}")

    def _say(self, text: str, end: str = "\n") -> None:
        print(text, end=end, file=self._writing or sys.stderr, flush=True)

    def _terminal(self) -> TextIO:
        if self._reading is None:
            try:
                self._reading = sys.stdin if sys.stdin.isatty() else open(TERMINAL, encoding="utf-8")  # noqa: PTH123, SIM115  (a device, kept open)
            except OSError:
                raise ExpertFailed("there is no terminal to ask a person in") from None
        return self._reading


PERSON = Person()
"""The person in the terminal of this process."""
