"""Pseudo-Boolean problems in OPB, the format of the competitions: `min: …;` and rows `… >= b;` or `… = b;`.

O. Roussel, V. Manquinho (2012). Input/output format and solver requirements for the competitions of pseudo-Boolean
solvers. `~x` stands for 1 - x.
"""

from __future__ import annotations

import re
from pathlib import Path

from swarmkit import quoted, read_text
from swarmkit_linear.program import Program, Row

EXPECTED = "a pseudo-Boolean problem in OPB: 'min: +1 x1 +2 x2;', then rows '+1 x1 -2 ~x2 >= 1;'"

_NUMBER = re.compile(r"[+-]?\d+")
_LITERAL = re.compile(r"~?[A-Za-z_][\w\[\]{}^]*")
_LARGEST = 2**53
"""Whole numbers up to this are exact."""


def read_opb(path: str | Path) -> Program:
    """Read a file in OPB."""
    program = Program(path)
    words: list[tuple[str, int]] = []
    end = 1
    for end, line in enumerate(read_text(path, EXPECTED).splitlines(), 1):
        if line.startswith("*"):
            continue
        for word in re.findall(r">=|<=|[=;]|(?:min|max):|[^\s;=<>]+", re.sub(r"\b(min|max)\s+:", r"\1:", line)):
            if word == ";":
                _statement(program, words, end)
                words = []
            else:
                words.append((word, end))
    if words:
        program.wrong(end, f"the file ends after {quoted(words[-1][0])}; expected ';'")
    for column in program.columns:
        column.integer, column.upper = True, 1.0
    return program.checked()


def _statement(program: Program, words: list[tuple[str, int]], line: int) -> None:
    """Add the objective or a row."""
    if words and words[0][0] in ("min:", "max:"):
        program.minimise = words[0][0] == "min:"
        program.objective, program.constant = _sum(program, words[1:])
        return
    relation = next((at for at, (word, _) in enumerate(words) if word in (">=", "<=", "=")), None)
    if relation is None or len(words) != relation + 2:
        program.wrong(line, f"{quoted(' '.join(word for word, _ in words))}; expected a sum, '>=' or '=', and a number")
    coefficients, constant = _sum(program, words[:relation])
    bound = _whole(program, *words[-1]) - constant
    row = Row(f"row {len(program.rows) + 1}", coefficients)
    sign = words[relation][0]
    if sign in (">=", "="):
        row.lower = bound
    if sign in ("<=", "="):
        row.upper = bound
    program.rows.append(row)


def _sum(program: Program, words: list[tuple[str, int]]) -> tuple[dict[int, float], float]:
    """Return the coefficients of a sum of numbers and literals, one after the other, and its constant."""
    coefficients: dict[int, float] = {}
    constant = 0.0
    for at in range(0, len(words), 2):
        value = float(_whole(program, *words[at]))
        if at + 1 == len(words):
            program.wrong(words[at][1], f"{quoted(words[at][0])} without a variable; expected '{words[at][0]} x1'")
        literal, line = words[at + 1]
        if not _LITERAL.fullmatch(literal):
            program.wrong(line, f"{quoted(literal)}; expected a variable, such as x1 or ~x1")
        if at + 2 < len(words) and _LITERAL.fullmatch(words[at + 2][0]):
            program.wrong(line, f"a product of {literal} and {words[at + 2][0]}; expected a linear sum")
        number = program.column(literal.removeprefix("~"), line)
        if literal.startswith("~"):
            value, constant = -value, constant + value
        coefficients[number] = coefficients.get(number, 0.0) + value
    return coefficients, constant


def _whole(program: Program, word: str, line: int) -> int:
    if not _NUMBER.fullmatch(word) or abs(int(word[:20])) > _LARGEST or len(word) > 20:
        program.wrong(line, f"{quoted(word)}; expected a whole number of at most 2^53")
    return int(word)
