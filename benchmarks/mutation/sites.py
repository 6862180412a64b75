"""Small changes of a module that its tests should notice: where they are possible, and the source after one of them."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
}


@dataclass(frozen=True)
class Site:
    """A place of a module, and a change of it."""

    kind: str
    """The name of the operator: `comparison`, `constant`, …"""
    node: ast.AST
    change: ast.AST
    tree: ast.Module
    parent: ast.AST
    field: str
    index: int | None
    """The place of the node in the field of its parent, where that is a list."""

    @property
    def line(self) -> int:
        """The line of the place."""
        return getattr(self.node, "lineno", 0)

    @property
    def words(self) -> str:
        """The first line of what is changed, and of what it is changed to."""
        return " → ".join(ast.unparse(node).split("\n", 1)[0][:100] for node in (self.node, self.change))

    def source(self) -> str:
        """Return the whole module after the change."""
        self._put(self.change)
        try:
            return ast.unparse(ast.fix_missing_locations(self.tree))
        finally:
            self._put(self.node)

    def _put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield the changes of one node of the syntax tree: the name of the operator, and the new node."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield "comparison", ast.Compare(node.left, [COMPARISONS[type(node.ops[0])]()], node.comparators)
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        yield "arithmetic", ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)
    elif isinstance(node, ast.AugAssign) and type(node.op) in ARITHMETIC:
        yield "arithmetic", ast.AugAssign(node.target, ARITHMETIC[type(node.op)](), node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "constant", ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield "constant", ast.Constant(node.value + 1)
        yield "constant", ast.Constant(node.value - 1)
    elif isinstance(node, ast.BoolOp):
        yield "and/or", ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not", node.operand
    elif isinstance(node, ast.If | ast.While | ast.IfExp) and not isinstance(node.test, ast.Compare | ast.BoolOp):
        twin = copy.copy(node)
        twin.test = ast.UnaryOp(ast.Not(), node.test)
        yield "condition", twin
    elif isinstance(node, ast.Return) and not _is_none(node.value):
        yield "return", ast.Return(ast.Constant(None))
    elif isinstance(node, ast.Break | ast.Continue):
        yield "jump", ast.Continue() if isinstance(node, ast.Break) else ast.Break()


def sites(source: str) -> list[Site]:
    """Return every change of a module, in the order of the syntax tree."""
    tree = ast.parse(source)
    return [
        Site(kind, node, ast.copy_location(change, node), tree, parent, field, index)
        for parent, field, index, node in _places(tree)
        for kind, change in changes(node)
    ]


def _is_none(node: ast.expr | None) -> bool:
    return node is None or (isinstance(node, ast.Constant) and node.value is None)


def _places(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    """Yield every node below another one that runs: parent, field, index in the field, node."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_params", "format_spec"):
            continue
        children = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
        for index, child in children:
            if isinstance(child, ast.AST) and not _is_for_types(child):
                yield node, field, index, child
                yield from _places(child)


def _is_for_types(node: ast.AST) -> bool:
    """Return whether a node is never executed, or is nothing but names and text: `if TYPE_CHECKING:`, imports."""
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return True
    return isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr)
