"""A model: variables, an objective, constraints; `Model.problem` fills in the forms of the contract with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from swarmkit.contract.arrays import Floats, Ints, Solutions
from swarmkit.contract.constraints import Constraint, Constraints, all_different
from swarmkit.contract.errors import ProblemError
from swarmkit.contract.pairwise import Pairwise
from swarmkit.contract.problem import Problem
from swarmkit.contract.view import View
from swarmkit.modelling.expression import Comparison, Expression
from swarmkit.modelling.lists import ListModelProblem, ListsVariable, Rule
from swarmkit.modelling.terms import Function, Terms
from swarmkit.modelling.variables import Choices, Subset

Values = int | Sequence[Any] | range | np.ndarray
"""Names of values, or their number: they are then called 0, 1, …"""


class Model:
    """A problem that is written down with variables, an objective and constraints.

    >>> model = Model("knapsack")
    >>> take = model.subset(["map", "lamp", "tent"])
    >>> model.maximise([3, 4, 6] @ take)
    >>> model.add([1, 2, 4] @ take <= 5)
    >>> problem = model.problem()
    >>> problem.score(np.array([[1, 0, 1]])).tolist(), problem.feasible(np.array([[1, 0, 1], [1, 1, 1]])).tolist()
    ([9.0], [True, False])
    >>> take.read([1, 0, 1])
    ['map', 'tent']

    Args:
        name: what the instance is, in a line: the caption above its answers.
    """

    def __init__(self, name: str = "") -> None:
        self.name = name
        self._terms = Terms()
        self._variables: list[Choices | Subset] = []
        self._rows: list[Constraint] = []
        self._sequences: list[tuple[str, Ints]] = []
        self._lists: ListsVariable | None = None
        self._objective: Expression | Rule | None = None
        self._direction: Literal["maximise", "minimise"] = "maximise"

    def choices(self, shape: int | Sequence[int], values: Values, name: str = "") -> Choices:
        """Return an array of choices, each of one of some values.

        Args:
            shape: the number of choices, or the shape of the array.
            values: the values, or their number.
            name: what answers call the variable.
        """
        options = _names(values)
        dimensions = (shape,) if isinstance(shape, int | np.integer) else tuple(shape)
        if not options:
            raise ProblemError(f"choices '{name}' have no values; expected at least one")
        stages = self._terms.add_stages(int(np.prod(dimensions)), len(options)).reshape(dimensions)
        variable = Choices(self._terms, stages, options, self._label(name, "choice"))
        self._variables.append(variable)
        return variable

    def subset(self, items: Values, name: str = "") -> Subset:
        """Return a subset of some items, as an array: 1 for each item in it, 0 for each other one.

        Args:
            items: the items, or their number.
            name: what answers call the variable.
        """
        names = _names(items)
        stages = self._terms.add_stages(len(names), 2)
        variable = Subset(self._terms, stages, names, self._label(name, "item"))
        self._variables.append(variable)
        return variable

    def sequence(self, items: Values, name: str = "") -> Choices:
        """Return an order of some items: the choice at each place, each item once.

        Args:
            items: the items, or their number.
            name: what answers call the variable.
        """
        names = _names(items)
        order = self.choices(len(names), names, self._label(name, "place"))
        self._sequences.append((order.name, order.stages))
        return order

    def lists(
        self,
        items: Values,
        lists: Values | None = None,
        *,
        depots: Sequence[Any] = (),
        starts: Sequence[Any] | None = None,
        ends: Sequence[Any] | None = None,
        optional: Sequence[Any] | bool = False,
    ) -> ListsVariable:
        """Return items in ordered lists: routes, or schedules of machines; a model with lists has no other variable.

        Args:
            items: the items, or their number; depots of routes are among them.
            lists: the lists, or their number; by default as many as can be needed.
            depots: the items where lists start and end, and which are in none.
            starts: the depot where each list starts (None: wherever its first item is); by default the only one.
            ends: the depot where each list ends; by default that where it starts.
            optional: the items that may be left out; True for all.
        """
        if self._lists is not None or self._variables:
            raise ProblemError("lists are the only variable of a model: this one has another already")
        data = {"depots": depots, "starts": starts, "ends": ends, "optional": optional}
        names = lists if lists is None or isinstance(lists, int | np.integer) else _names(lists)
        self._lists = ListsVariable(_names(items), names, data)
        return self._lists

    def term(self, function: Callable[..., Any], *variables: Choices | Subset, batch: bool = False) -> Expression:
        """Return what a function returns for the candidates of some variables: for anything that no other term says.

        Args:
            function: takes an array for each variable: the numbers of the values of choices, 0 and 1 of subsets.
            variables: its arguments.
            batch: whether it takes many solutions at once, in the first axis, and returns as many numbers.
        """
        number = self._terms.reserve(1)
        self._terms.functions.append(Function(number, function, tuple(v.stages for v in variables), batch))
        return Expression.of_terms(self._terms, np.array(number))

    def maximise(self, objective: Expression) -> None:
        """Set the number to maximise."""
        self._set_objective(objective, "maximise")

    def minimise(self, objective: Expression | Rule) -> None:
        """Set the number to minimise."""
        self._set_objective(objective, "minimise")

    maximize, minimize = maximise, minimise  # both spellings are common

    def add(self, comparison: Comparison | Rule, name: str = "") -> None:
        """Add a constraint, or one for each element of an array.

        Args:
            comparison: expressions compared with `<=`, `>=` or `==`, or a rule of lists.
            name: what messages call the constraint.
        """
        if isinstance(comparison, Rule):
            if comparison.kind != "constraint":
                raise ProblemError(f"the {comparison.kind} of lists is no constraint; compare loads with <=")
            comparison.lists.take(comparison)
            return
        if not isinstance(comparison, Comparison):
            raise ProblemError(f"a constraint compares expressions with <=, >= or ==, got {_kind(comparison)}")
        self._rows.extend(comparison.constraints(name or f"row {len(self._rows)}"))

    def all_different(self, choices: Choices, name: str = "") -> None:
        """Add constraints by which some choices take different values.

        Args:
            choices: the choices that must differ.
            name: what messages call the constraints.
        """
        self._rows.extend(all_different(choices.stages.ravel(), self._terms.sizes, name))

    def problem(self) -> ModelProblem | ListModelProblem:
        """Return the problem as it is by now."""
        if self._lists is not None:
            if self._variables or self._rows or self._objective is None:
                reason = "it has no objective" if self._objective is None else "it has other variables or rows beside"
                raise ProblemError(f"a model of lists has their rules and nothing else; {reason}")
            return ListModelProblem(self.name, self._lists)
        return ModelProblem(self)

    def _set_objective(self, objective: Expression | Rule, direction: Literal["maximise", "minimise"]) -> None:
        if self._objective is not None:
            raise ProblemError("the model has an objective already: add up what it consists of, with weights")
        if isinstance(objective, Rule) and objective.kind in ("arcs", "makespan") and direction == "minimise":
            objective.lists.take(objective)
            self._objective = objective
            return
        if not isinstance(objective, Expression):
            raise ProblemError(f"an objective is an expression of the model's variables, got {_kind(objective)}")
        _ = objective.weights  # refuses arrays here, where the user wrote one
        self._objective, self._direction = objective, direction

    def _label(self, name: str, kind: str) -> str:
        """Return what answers call a new variable: its name, or one after its kind."""
        known = [variable.name for variable in self._variables]
        if name in known:
            raise ProblemError(f"the model has a variable '{name}' already: give each a name of its own")
        if name or kind not in known:
            return name or kind
        return next(label for number in range(2, len(known) + 2) if (label := f"{kind} {number}") not in known)


class ModelProblem(Problem):
    """The problem of a model: tables, and a score of its own where functions are part of the objective."""

    def __init__(self, model: Model) -> None:
        terms, objective = model._terms, model._objective
        weights = objective.weights if isinstance(objective, Expression) else np.zeros(terms.count)
        self.name, self.variables = model.name, tuple(model._variables)
        self.sizes, self.direction = terms.sizes, model._direction
        # One sequence and nothing else is what solvers know as a permutation; beside other variables it is constraints.
        self.distinct = bool(len(model._sequences) == 1 and len(model._variables) == 1)
        rows: list[Any] = list(model._rows)
        if not self.distinct:
            rows.extend(all_different(stages, terms.sizes, name) for name, stages in model._sequences)
        self.constraints = Constraints.of(self.sizes, rows) if rows else None
        self.form = terms.pairwise(weights, self.distinct)
        self.functions = [(f, float(weights[f.term])) for f in terms.functions if weights[f.term]]

    def score(self, X: Solutions) -> Floats:
        """Return the objective of each row."""
        values = self.form.score(X)
        for function, weight in self.functions:
            values = values + weight * function.values(X)
        return values

    def pairwise(self) -> Pairwise | None:
        """Return the tables, unless functions are part of the objective."""
        return None if self.functions else self.form

    def describe(self, x: Solutions) -> list[Mapping[str, Any]]:
        """Return the values of the variables."""
        return [row for variable in self.variables for row in variable.describe(x)]

    def view(self) -> View:
        """Return the name as a caption."""
        return View(self.name)


def _names(values: Values) -> list[Any]:
    return list(range(values)) if isinstance(values, int | np.integer) else list(values)


def _kind(value: Any) -> str:
    return "an expression" if isinstance(value, Expression) else repr(value)
