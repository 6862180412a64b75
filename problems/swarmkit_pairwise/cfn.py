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
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, NoReturn

import numpy as np

from swarmkit import Floats, plain_name, quoted, read_text, wrong_line
from swarmkit_pairwise.network import LARGEST, MOST_ENTRIES, Network, Tables, apply_bound

EXPECTED = "a CFN file: {problem: {name, mustbe}, variables: {…}, functions: {…}}"
_TOKEN = re.compile(r'"([^"\n]*)"|([{}\[\]])|([^\s{}\[\],:"#]+)|#[^\n]*|"')


class Token(NamedTuple):
    """A bracket, a name or a number, and where it is."""

    text: str
    kind: str
    """`bracket`, `word`, `quoted` or `end`."""
    place: int


class Tokens:
    """The tokens of a file in order; commas and colons separate like spaces."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.text = read_text(path, EXPECTED)
        self._tokens = self._read()
        self.next = next(self._tokens)

    def _read(self) -> Iterator[Token]:
        for match in _TOKEN.finditer(self.text):
            if match[0] == '"':
                self.wrong(match.start(), 'a quotation mark without a second one on its line; expected "name"')
            if match.lastindex:
                kind = ("quoted", "bracket", "word")[match.lastindex - 1]
                yield Token(match[match.lastindex], kind, match.start())
        while True:  # a reader may look beyond the end, and says there what is missing
            yield Token("the end of the file", "end", len(self.text))

    def take(self) -> Token:
        """Return the next token."""
        token, self.next = self.next, next(self._tokens)
        return token

    def bracket(self, bracket: str, of: str) -> None:
        """Take a bracket that must come next; `of` names in errors what it belongs to."""
        token = self.take()
        if (token.kind, token.text) != ("bracket", bracket):
            self.wrong(token.place, f"{quoted(token.text)} in {of}; expected '{bracket}'")

    def skip_if(self, bracket: str) -> bool:
        """Return whether a bracket comes next, and take it if so."""
        if (self.next.kind, self.next.text) != ("bracket", bracket):
            return False
        self.take()
        return True

    def name(self, of: str) -> Token:
        """Return the next token, which must be a name or a number; `of` names it in errors."""
        token = self.take()
        if token.kind not in ("word", "quoted"):
            self.wrong(token.place, f"{quoted(token.text)} as {of}; expected a name or a number")
        return token

    def number(self, of: str) -> float:
        """Return the next token, which must be a finite number."""
        return self.value(self.name(of), of)

    def value(self, token: Token, of: str) -> float:
        """Return a token as a finite number; `of` names it in errors."""
        try:
            value = float(token.text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            self.wrong(token.place, f"{quoted(token.text)} as {of}; expected a finite number")
        return value

    def row(self, of: str) -> list[Token]:
        """Return the names and numbers of a list, brackets left out."""
        self.bracket("[", of)
        tokens = []
        while not self.skip_if("]"):
            tokens.append(self.name(of))
        return tokens

    def wrong(self, place: int, message: str) -> NoReturn:
        """Raise UsageError for a place in the text."""
        # With x, a place just after a line break is in the next line.
        raise wrong_line(self.path, len((self.text[:place] + "x").splitlines()), message)


class Variable(NamedTuple):
    """A variable: its number and the numbers of its values by name."""

    number: int
    values: dict[str, int]


class Reader(Tokens):
    """Reads the three sections of a file in order."""

    bound, sign = math.inf, 1.0
    """Total costs from here on are forbidden; -1 where values are maximised, of which costs are the negatives."""

    def read(self) -> Network:
        """Return the network in the file."""
        self.bracket("{", "the file")
        self._open("problem")
        name = self._problem()
        self._open("variables")
        self.variables = self._variables()
        self.tables = Tables(np.array([len(variable.values) for variable in self.variables.values()], np.int64))
        self._open("functions")
        self._functions()
        network = self.tables.network(plain_name(self.path).stem, f"cost function network {name}".rstrip())
        return apply_bound(network, self.bound)._replace(
            negated=self.sign < 0,
            measure="value" if self.sign < 0 else "cost",
            variables=tuple(self.variables),
            values=tuple(tuple(variable.values) for variable in self.variables.values()),
        )

    def _open(self, section: str) -> None:
        """Take the name of the section that must come next, and its bracket."""
        token = self.name("a section")
        if token.text != section:
            self.wrong(token.place, f"the section {quoted(token.text)}; expected '{section}'")
        self.bracket("{", f"the section '{section}'")

    def _problem(self) -> str:
        """Read the name and the bound."""
        name = ""
        while not self.skip_if("}"):
            key, token = self.name("a key of 'problem'"), self.name("its value")
            if key.text == "name":
                name = token.text
            elif key.text == "mustbe" and token.text[:1] in ("<", ">"):
                self.sign = -1.0 if token.text[0] == ">" else 1.0
                # The bound may follow its sign after a space.
                bound = token._replace(text=token.text[1:]) if token.text[1:] else self.name("the bound")
                self.bound = self.sign * self.value(bound, "the bound")
            else:
                message = f"{quoted(key.text)}: {quoted(token.text)}; expected 'name', or 'mustbe: <bound'"
                self.wrong(key.place, message)
        return name

    def _variables(self) -> dict[str, Variable]:
        """Read the variables and their values: names, or the number of values."""
        variables: dict[str, Variable] = {}
        total = 0
        while not self.skip_if("}"):
            key = self.name("a variable")
            if (self.next.kind, self.next.text) == ("bracket", "["):
                names = [token.text for token in self.row(f"the values of {quoted(key.text)}")]
            else:
                count = self.number(f"the number of values of {quoted(key.text)}")
                if not (count.is_integer() and 1 <= count <= LARGEST):
                    message = f"{count:g} values of {quoted(key.text)}; expected 1 to {LARGEST:,}, or a list"
                    self.wrong(key.place, message)
                names = list(map(str, range(int(count))))
            total += len(names)
            if key.text in variables or not names or len(set(names)) < len(names) or total > MOST_ENTRIES:
                message = f"variable {quoted(key.text)}; expected each variable once, with different values"
                self.wrong(key.place, f"{message}, {MOST_ENTRIES:,} of them at most")
            variables[key.text] = Variable(len(variables), {value: at for at, value in enumerate(names)})
        if not variables:
            self.wrong(self.next.place, "no variable; expected at least one")
        return variables

    def _functions(self) -> None:
        """Read the functions, with or without names, and add them to the tables."""
        entries = 0
        # The last brackets are missing in files of toulbar2's own tutorials.
        while not self.skip_if("}") and self.next.kind != "end":
            name = f"function {len(self.tables.tables)}"
            if self.next.kind != "bracket":
                name = f"function {quoted(self.take().text)}"
            place = self.next.place
            scope, costs, default = self._function(name)
            variables = [self._variable(token, name) for token in scope]
            key = tuple(variable.number for variable in variables)
            if len(key) > 2:
                message = f"{name} has {len(key)} variables; expected at most 2: only pairwise problems are read"
                self.wrong(place, message)
            if len(set(key)) < len(key):
                self.wrong(place, f"{name} has a variable twice; expected different ones")
            domains = [variable.values for variable in variables]
            entries += math.prod(map(len, domains))
            if entries > MOST_ENTRIES:
                self.wrong(place, f"{name} needs more than {MOST_ENTRIES:,} entries with those before it")
            if default is None:
                values = self._all_costs(name, domains, costs, place)
            else:
                values = self._listed_costs(name, domains, costs, default, place)
            self.tables.add(key, self.sign * values)

    def _function(self, name: str) -> tuple[list[Token], list[Token], float | None]:
        """Return the variables, costs and default cost of a function."""
        self.bracket("{", name)
        lists: dict[str, list[Token]] = {}
        default: float | None = None
        while not self.skip_if("}"):
            key = self.name(f"a key of {name}")
            if key.text == "scope" or (key.text == "costs" and self.next.kind == "bracket"):
                lists[key.text] = self.row(f"the {key.text} of {name}")
            elif key.text == "defaultcost":
                default = self.number(f"the default cost of {name}")
            elif key.text == "costs":
                self.wrong(key.place, f"{name} shares the costs of another; expected a list of its own")
            elif key.text == "type":
                rule = quoted(self.name("the name of a rule").text)
                self.wrong(key.place, f"{name} is given by a rule, {rule}; expected a list of costs")
            else:
                self.wrong(key.place, f"{quoted(key.text)} in {name}; expected scope, defaultcost or costs")
        for key_name in ("scope", "costs"):
            if key_name not in lists:
                self.wrong(self.next.place, f"{name} ends without {key_name}")
        return lists["scope"], lists["costs"], default

    def _variable(self, token: Token, name: str) -> Variable:
        if token.text not in self.variables:
            self.wrong(token.place, f"{quoted(token.text)} in the scope of {name}; expected a variable")
        return self.variables[token.text]

    def _all_costs(self, name: str, domains: list[dict[str, int]], costs: list[Token], place: int) -> Floats:
        """Return the costs of all combinations of values, which are listed in order, the last one changing fastest."""
        size = math.prod(map(len, domains))
        if len(costs) != size:
            self.wrong(place, f"{name} has {len(costs):,} costs; expected {size:,}, as its variables have")
        return np.array([self.value(token, f"a cost of {name}") for token in costs], np.float64)

    def _listed_costs(
        self, name: str, domains: list[dict[str, int]], costs: list[Token], default: float, place: int
    ) -> Floats:
        """Return the costs of all combinations of values; tuples list those that differ from the default."""
        table = np.full(math.prod(map(len, domains)), default)
        width = len(domains) + 1
        if len(costs) % width:
            message = f"{name} lists {len(costs):,} words; expected tuples of {width}, each with its cost"
            self.wrong(place, message)
        for at in range(0, len(costs), width):
            *words, cost = costs[at : at + width]
            where = 0
            for token, domain in zip(words, domains, strict=True):
                # As in a positional numeral: the last variable changes fastest.
                where = where * len(domain) + self._value(token, domain, name)
            table[where] = self.value(cost, f"a cost of {name}")
        return table

    def _value(self, token: Token, domain: dict[str, int], name: str) -> int:
        """Return the number of a value that is given by its name, or (without quotes) by its number."""
        number = domain.get(token.text)
        if number is None and token.kind == "word" and re.fullmatch("[0-9]{1,9}", token.text):
            number = int(token.text)
        if number is None or number >= len(domain):
            message = f"{quoted(token.text)} in a tuple of {name}; expected a value of its variable"
            self.wrong(token.place, message)
        return number


def read_cfn(path: str | Path) -> Network:
    """Read a file in the CFN format, with functions of at most two variables."""
    return Reader(path).read()
