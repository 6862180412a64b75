"""toulbar2's CFN format: JSON in which quotes, commas and the names of functions may be left out.

    {problem: {name: "x", mustbe: "<10.5"},
     variables: {a: 2, b: ["red", "green"]},
     functions: {f: {scope: [a b], costs: [0 1.5 2 0]}, g: {scope: ["a"], defaultcost: 0, costs: [1 3.5]}}}

`mustbe` begins with < where costs are minimised, with > where values are maximised; totals that reach it are forbidden.
With a default cost, `costs` lists tuples of values, each with its cost; without one, all costs in order.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from swarmkit import Floats, plain_name, quoted
from swarmkit_pairwise.cfn_tokens import Token, Tokens
from swarmkit_pairwise.network import LARGEST, MOST_ENTRIES, Network, Tables, bounded


class Variable(NamedTuple):
    """A variable: its number and the numbers of its values by name."""

    number: int
    values: dict[str, int]


class _Reader:
    """Reads the three sections of a file in order."""

    def __init__(self, path: str | Path) -> None:
        self.tokens = Tokens(path)
        self.bound, self.sign = math.inf, 1.0
        self.variables: dict[str, Variable] = {}

    def read(self) -> Network:
        tokens = self.tokens
        tokens.bracket("{", "the file")
        for section in ("problem", "variables", "functions"):
            token = tokens.name("a section")
            if token.text != section:
                tokens.wrong(token.place, f"the section {quoted(token.text)}; expected '{section}'")
            tokens.bracket("{", f"the section '{section}'")
            if section == "problem":
                name = self._problem()
            elif section == "variables":
                self._variables()
                tables = Tables(np.array([len(variable.values) for variable in self.variables.values()], np.int64))
            else:
                self._functions(tables)
        made = tables.network(plain_name(tokens.path).stem, f"cost function network {name}".rstrip())
        return bounded(made, self.bound)._replace(
            negated=self.sign < 0,
            measure="value" if self.sign < 0 else "cost",
            variables=tuple(self.variables),
            values=tuple(tuple(variable.values) for variable in self.variables.values()),
        )

    def _problem(self) -> str:
        """Read the name and the bound."""
        name, tokens = "", self.tokens
        while not tokens.comes("}"):
            key, token = tokens.name("a key of 'problem'"), tokens.name("its value")
            if key.text == "name":
                name = token.text
            elif key.text == "mustbe" and token.text[:1] in ("<", ">"):
                self.sign = -1.0 if token.text[0] == ">" else 1.0
                bound = token._replace(text=token.text[1:]) if token.text[1:] else tokens.name("the bound")
                self.bound = self.sign * tokens.value(bound, "the bound")
            else:
                tokens.wrong(
                    key.place, f"{quoted(key.text)}: {quoted(token.text)}; expected 'name', or 'mustbe: <bound'"
                )
        return name

    def _variables(self) -> None:
        """Read the variables and their values: names, or the number of values."""
        tokens, total = self.tokens, 0
        while not tokens.comes("}"):
            key = tokens.name("a variable")
            if (tokens.next.kind, tokens.next.text) == ("bracket", "["):
                names = [token.text for token in tokens.row(f"the values of {quoted(key.text)}")]
            else:
                count = tokens.number(f"the number of values of {quoted(key.text)}")
                if not (count.is_integer() and 1 <= count <= LARGEST):
                    tokens.wrong(
                        key.place, f"{count:g} values of {quoted(key.text)}; expected 1 to {LARGEST:,}, or a list"
                    )
                names = [str(value) for value in range(int(count))]
            total += len(names)
            if key.text in self.variables or not names or len(set(names)) < len(names) or total > MOST_ENTRIES:
                what = f"variable {quoted(key.text)}; expected each variable once, with different values"
                tokens.wrong(key.place, f"{what}, {MOST_ENTRIES:,} of them at most")
            self.variables[key.text] = Variable(len(self.variables), {value: at for at, value in enumerate(names)})
        if not self.variables:
            tokens.wrong(tokens.next.place, "no variable; expected at least one")

    def _functions(self, tables: Tables) -> None:
        """Read the functions, with or without names."""
        tokens, entries = self.tokens, 0
        while not tokens.comes("}"):
            if tokens.next.kind == "end":
                return  # the last brackets are missing in files of toulbar2's own tutorials
            name = f"function {len(tables.tables)}"
            if tokens.next.kind != "bracket":
                name = f"function {quoted(tokens.take().text)}"
            place = tokens.next.place
            scope, costs, default = self._function(name)
            key = tuple(self._variable(token, name).number for token in scope)
            if len(key) > 2:
                tokens.wrong(
                    place, f"{name} has {len(key)} variables; expected at most 2: only pairwise problems are read"
                )
            if len(set(key)) < len(key):
                tokens.wrong(place, f"{name} has a variable twice; expected different ones")
            entries += math.prod(int(tables.sizes[stage]) for stage in key)
            if entries > MOST_ENTRIES:
                tokens.wrong(place, f"{name} needs more than {MOST_ENTRIES:,} entries with those before it")
            values = self._costs(name, scope, costs, default, place)
            tables.add(key, self.sign * values)

    def _function(self, name: str) -> tuple[list[Token], list[Token], float | None]:
        """Return the variables, costs and default cost of a function."""
        tokens = self.tokens
        tokens.bracket("{", name)
        scope: list[Token] | None = None
        costs: list[Token] | None = None
        default: float | None = None
        while not tokens.comes("}"):
            key = tokens.name(f"a key of {name}")
            if key.text == "scope":
                scope = tokens.row(f"the scope of {name}")
            elif key.text == "defaultcost":
                default = tokens.number(f"the default cost of {name}")
            elif key.text == "costs":
                if tokens.next.kind != "bracket":
                    tokens.wrong(key.place, f"{name} shares the costs of another; expected a list of its own")
                costs = tokens.row(f"the costs of {name}")
            elif key.text == "type":
                rule = tokens.name("the name of a rule").text
                tokens.wrong(key.place, f"{name} is given by a rule, {quoted(rule)}; expected a list of costs")
            else:
                tokens.wrong(key.place, f"{quoted(key.text)} in {name}; expected scope, defaultcost or costs")
        if scope is None or costs is None:
            tokens.wrong(tokens.next.place, f"{name} ends without {'scope' if scope is None else 'costs'}")
        return scope, costs, default

    def _variable(self, token: Token, name: str) -> Variable:
        found = self.variables.get(token.text)
        if found is None:
            self.tokens.wrong(token.place, f"{quoted(token.text)} in the scope of {name}; expected a variable")
        return found

    def _costs(self, name: str, scope: list[Token], costs: list[Token], default: float | None, place: int) -> Floats:
        """Return the costs of all combinations of values of the variables in `scope`."""
        of = f"a cost of {name}"
        domains = [self.variables[token.text].values for token in scope]
        size = math.prod(len(domain) for domain in domains)
        if default is None:
            if len(costs) != size:
                self.tokens.wrong(place, f"{name} has {len(costs):,} costs; expected {size:,}, as its variables have")
            return np.array([self.tokens.value(token, of) for token in costs], np.float64)
        table = np.full(size, default)
        width = len(scope) + 1
        if len(costs) % width:
            self.tokens.wrong(
                place, f"{name} lists {len(costs):,} words; expected tuples of {width}, each with its cost"
            )
        for at in range(0, len(costs), width):
            where = 0
            for token, domain in zip(costs[at : at + width - 1], domains, strict=True):
                where = where * len(domain) + self._value(token, domain, name)
            table[where] = self.tokens.value(costs[at + width - 1], of)
        return table

    def _value(self, token: Token, domain: dict[str, int], name: str) -> int:
        """Return the number of a value that is given by its name, or (without quotes) by its number."""
        found = domain.get(token.text)
        if found is None and token.kind == "word" and re.fullmatch("[0-9]{1,9}", token.text):
            found = int(token.text)
        if found is None or found >= len(domain):
            what = f"{quoted(token.text)} in a tuple of {name}; expected a value of its variable"
            self.tokens.wrong(token.place, what)
        return found


def read_cfn(path: str | Path) -> Network:
    """Read a file in the CFN format, with functions of at most two variables."""
    return _Reader(path).read()
