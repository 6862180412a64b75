r"""Linear programs in the LP format of CPLEX: an objective, rows, bounds, and the names of integer variables.

    Maximize
     profit: 3 a + 4 b
    Subject To
     weight: 2 a + 3 b <= 4
    Binary
     a b
    End

A comment begins with a backslash.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import NamedTuple, NoReturn

from swarmkit import quoted, read_text
from swarmkit_linear.program import Program, Row

EXPECTED = "a linear program in the LP format: 'Minimize', 'Subject To', 'Bounds', 'Binary', 'End'"

HEADINGS = {
    "minimize": r"minimi[sz]e|minimum|min",
    "maximize": r"maximi[sz]e|maximum|max",
    "rows": r"subject\s+to|such\s+that|st|s\.t\.|st\.",
    "bounds": r"bounds?",
    "general": r"generals?|gen|integers?|int",
    "binary": r"binar(?:y|ies)|bin",
    "end": r"end",
    "other": r"semi-continuous|semis?|sos[12]?|pwlobj|lazy\s+constraints|user\s+cuts",
}
"""How lines that begin a section read."""

_HEADING = re.compile(
    r"\s*(?:" + "|".join(f"(?P<{name}>{words})" for name, words in HEADINGS.items()) + r")(?=[\s:]|$)", re.I
)
_NAME = r"[A-Za-z!\"#$%&(),.;?@_`'{}~|][\w!\"#$%&(),.;?@`'{}~|\[\]]*"
_TOKEN = re.compile(
    rf"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<sign><=|>=|=<|=>|[<>=+:\-])|(?P<name>{_NAME}))"
)
_RELATION = {"<": "<=", "=<": "<=", ">": ">=", "=>": ">="}


class Token(NamedTuple):
    """A piece of a section: a number, a sign or a name."""

    kind: str
    text: str
    line: int


def read_lp(path: str | Path) -> Program:
    """Read a file in the LP format."""
    program = Program(path)
    sections = _sections(program, read_text(path, EXPECTED))
    kinds = [kind for kind, _ in sections]
    if not kinds or kinds[0] not in ("minimize", "maximize"):
        program.wrong(1, f"no objective at the beginning; expected {EXPECTED}")
    for kind, tokens in sections:
        reader = _Reader(program, tokens)
        if kind in ("minimize", "maximize"):
            program.minimise = kind == "minimize"
            reader.objective()
        elif kind == "rows":
            reader.rows()
        elif kind == "bounds":
            reader.bounds()
        else:
            reader.integers(binary=kind == "binary")
    return program.checked()


def _sections(program: Program, text: str) -> list[tuple[str, list[Token]]]:
    """Return the sections with their tokens."""
    sections: list[tuple[str, list[Token]]] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("\\")[0]
        heading = _HEADING.match(line)
        if heading and heading.lastgroup == "end":
            return sections
        if heading and not line[heading.end() :].lstrip().startswith(":"):  # a row may have such a name
            if heading.lastgroup == "other":
                program.wrong(
                    number, f"section {quoted(line.strip())}; expected a linear program with integer variables"
                )
            sections.append((str(heading.lastgroup), []))
            line = line[heading.end() :]
        at = 0
        while line[at:].strip():
            token = _TOKEN.match(line, at)
            if token is None or not sections:
                program.wrong(number, f"{quoted(line[at:].strip())}; expected {EXPECTED}")
            kind = str(token.lastgroup)
            sections[-1][1].append(Token(kind, _RELATION.get(token[kind], token[kind]), number))
            at = token.end()
    return program.wrong(len(text.splitlines()) or 1, "the file ends without 'End'")


class _Reader:
    """The tokens of a section, read one after another."""

    def __init__(self, program: Program, tokens: list[Token]) -> None:
        self.program, self.tokens, self.at = program, tokens, 0

    def objective(self) -> None:
        """Read `name: sum`."""
        self._name()
        self.program.objective, self.program.constant = self._sum()
        if self.at < len(self.tokens):
            self._wrong("the end of the objective")

    def rows(self) -> None:
        """Read rows `name: sum <= number`."""
        while self.at < len(self.tokens):
            name = self._name() or f"row {len(self.program.rows) + 1}"
            coefficients, constant = self._sum()
            relation = self._take("sign", "<=, >= or =", ("<=", ">=", "="))
            bound = self._signed_number() - constant
            row = Row(name, coefficients)
            row.lower = bound if relation in (">=", "=") else -math.inf
            row.upper = bound if relation in ("<=", "=") else math.inf
            self.program.rows.append(row)

    def bounds(self) -> None:
        """Read `0 <= x <= 5`, `x <= 5`, `x >= 1`, `x = 2` and `x free`."""
        while self.at < len(self.tokens):
            if self._peek().kind == "name" and not self._is_infinite():
                column = self.program.known(self._peek().text, self._peek().line)
                self.at += 1
                if self._peek().text.lower() == "free":
                    self.at += 1
                    column.lower = -math.inf
                else:
                    self._bound(
                        column.name, self._take("sign", "<=, >= or =", ("<=", ">=", "=")), self._signed_number()
                    )
                continue
            value = self._signed_number()
            relation = self._take("sign", "<=, >= or =", ("<=", ">=", "="))
            name = self._take("name", "a variable")
            self._bound(name, {"<=": ">=", ">=": "<="}.get(relation, relation), value)
            if self._peek().text in ("<=", ">="):
                self.at += 1
                self._bound(name, self.tokens[self.at - 1].text, self._signed_number())

    def integers(self, binary: bool) -> None:
        """Read the names of integer or of binary variables."""
        for token in self.tokens:
            if token.kind != "name":
                self.program.wrong(token.line, f"{quoted(token.text)}; expected a variable")
            column = self.program.known(token.text, token.line)
            column.integer = True
            if binary:
                column.lower, column.upper = 0.0, 1.0

    def _bound(self, name: str, relation: str, value: float) -> None:
        column = self.program.known(name, self.tokens[self.at - 1].line)
        if relation in (">=", "="):
            column.lower = value
        if relation in ("<=", "="):
            column.upper = value

    def _peek(self, ahead: int = 0) -> Token:
        at = self.at + ahead
        return (
            self.tokens[at] if at < len(self.tokens) else Token("end", "", self.tokens[-1].line if self.tokens else 1)
        )

    def _take(self, kind: str, expected: str, texts: tuple[str, ...] = ()) -> str:
        token = self._peek()
        if token.kind != kind or (texts and token.text not in texts):
            self._wrong(expected)
        self.at += 1
        return token.text

    def _wrong(self, expected: str) -> NoReturn:
        token = self._peek()
        what = quoted(token.text) if token.kind != "end" else "the end of the section"
        self.program.wrong(token.line, f"{what}; expected {expected}")

    def _name(self) -> str:
        """Return a name with a colon, if there is one here."""
        if self._peek().kind != "name" or self._peek(1).text != ":":
            return ""
        self.at += 2
        return self.tokens[self.at - 2].text

    def _is_infinite(self) -> bool:
        return self._peek().text.lower() in ("inf", "infinity")

    def _signed_number(self) -> float:
        sign = self._sign()
        if self._is_infinite():
            self.at += 1
            return sign * math.inf
        return sign * self.program.number(self._take("number", "a number"), self._peek(-1).line)

    def _sign(self) -> float:
        """Return the product of the signs that stand here."""
        sign = 1.0
        while self._peek().text in ("+", "-"):
            sign = -sign if self._peek().text == "-" else sign
            self.at += 1
        return sign

    def _sum(self) -> tuple[dict[int, float], float]:
        """Return the coefficients of a sum, and its constant."""
        coefficients: dict[int, float] = {}
        constant = 0.0
        while self._peek().kind in ("number", "name") or self._peek().text in ("+", "-"):
            if self._peek().kind == "name" and self._peek(1).text == ":":
                break  # the next row
            value = self._sign()
            if self._peek().kind == "number":
                value *= self.program.number(self._take("number", "a number"), self._peek(-1).line)
                if self._peek().kind != "name":
                    constant += value
                    continue
            token = self._peek()
            column = self.program.column(self._take("name", "a variable"), token.line)
            coefficients[column] = coefficients.get(column, 0.0) + value
        return coefficients, constant
