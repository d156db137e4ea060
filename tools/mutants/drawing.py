"""Mutants: all small mistakes that can be made in a file, and random samples of them.

A mutant changes one place: a comparison, a number, `and` and `or`, an operator, a condition, a
result, or a statement that is removed. Type annotations, docstrings, assertions, imports and the
texts of messages are not changed, because that would not change the program's behaviour.
"""

from __future__ import annotations

import ast
import copy
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

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
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
REMOVABLE = (ast.Expr, ast.AugAssign, ast.Raise, ast.Continue, ast.Break)
"""Statements that can be removed.

Assignments to a name are not among them, because every test would notice.
"""
_UNTOUCHED = (ast.Assert, ast.Import, ast.ImportFrom, ast.JoinedStr)


class Mutant(NamedTuple):
    """Change of one place in a file."""

    path: str
    """Path from the root of the tree."""
    scope: str
    """Function or class with the change, such as ``Round.apply``, or ``module``."""
    kind: str
    """Kind of mistake, such as ``comparison``."""
    before: str
    """Text that is replaced."""
    after: str
    """Replacement text."""
    number: int
    """Number among equal changes in the same scope, from 0."""
    line: int
    """Line, from 1."""
    start: int
    """Offset of `before` in the file, in bytes."""
    end: int
    """Offset of its end."""

    @property
    def key(self) -> tuple[str, str, str, str, str, int]:
        """Identity of the mutant across versions of the file: all but its position."""
        return (self.path, self.scope, self.kind, self.before, self.after, self.number)

    def __str__(self) -> str:
        def short(text: str) -> str:
            line = " ".join(text.split())
            return line if len(line) <= 60 else line[:59] + "…"

        place = f"{self.path}:{self.line} {self.scope}"
        return f"{place}: {self.kind}: {short(self.before)} -> {short(self.after)}"

    def applied(self, source: bytes) -> bytes:
        """Return the file with this change."""
        return source[: self.start] + self.after.encode() + source[self.end :]


def draw(mutants: Sequence[Mutant], number: int, seed: int) -> list[Mutant]:
    """Return a random sample of `number` mutants.

    The same seed and files always give the same sample.
    """
    return random.Random(seed).sample(list(mutants), min(number, len(mutants)))


def mutants_of(root: Path, folders: Iterable[str]) -> list[Mutant]:
    """Return all mutants of the Python files below some folders of `root`, in order.

    A folder may also be a file.
    """
    mutants: list[Mutant] = []
    for folder in folders:
        place = root / folder
        for path in [place] if place.is_file() else sorted(place.rglob("*.py")):
            mutants += of_source(path.read_bytes(), path.relative_to(root).as_posix())
    return mutants


def of_source(source: bytes, path: str) -> list[Mutant]:
    """Return all mutants of one file, whose content is `source`."""
    lines = source.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines))]
    counts: Counter[tuple[str, ...]] = Counter()
    mutants = []
    for scope, kind, node, after in _changes(ast.parse(source)):
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        before = source[start:end].decode()
        key = (scope, kind, before, after)
        mutant = Mutant(path, scope, kind, before, after, counts[key], node.lineno, start, end)
        counts[key] += 1
        mutants.append(mutant)
    return mutants


Change = tuple[str, str, "ast.expr | ast.stmt", str]
"""Change as four values: scope, kind, replaced node, replacement text."""


def _changes(tree: ast.Module) -> Iterator[Change]:
    """Yield all changes of a file."""
    yield from _in_body(tree.body, "module")


def _in_body(body: Sequence[ast.stmt], scope: str) -> Iterator[Change]:
    """Yield all changes in a list of statements, except in its docstring."""
    for number, statement in enumerate(body):
        if number == 0 and isinstance(statement, ast.Expr) and _is_text(statement.value):
            continue
        yield from _in_statement(statement, scope)


def _in_statement(node: ast.stmt, scope: str) -> Iterator[Change]:
    """Yield all changes in a statement, then in its parts."""
    if isinstance(node, _UNTOUCHED) or _is_types(node):
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # the docstring of a field, or an ellipsis
    inner = scope
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        inner = node.name if scope == "module" else f"{scope}.{node.name}"
    yield from _of_statement(node, scope)
    for name, value in ast.iter_fields(node):
        if name in _NOT_EXPRESSIONS:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _in_expression(child, inner)
    yield from _in_bodies(node, inner)


_NOT_EXPRESSIONS = frozenset(
    {
        "annotation",
        "returns",
        "decorator_list",
        "type_params",
        "bases",
        "body",
        "orelse",
        "finalbody",
        "handlers",
        "cases",
    }
)
"""Fields of a statement with types, or with statements for `_in_bodies`."""


def _of_statement(node: ast.stmt, scope: str) -> Iterator[Change]:
    """Yield the changes of the statement itself, without its parts."""
    if isinstance(node, REMOVABLE):
        yield scope, "statement removed", node, "pass"
    elif isinstance(node, ast.Return) and not _is_none(node.value):
        yield scope, "result lost", node, "return None"
    if isinstance(node, ast.If | ast.While):
        yield scope, "condition negated", node.test, f"(not ({ast.unparse(node.test)}))"
    if isinstance(node, ast.AugAssign) and type(node.op) in OPERATORS:
        changed = copy.deepcopy(node)
        changed.op = OPERATORS[type(node.op)]()
        yield scope, "operator", node, ast.unparse(changed)


def _in_bodies(node: ast.AST, scope: str) -> Iterator[Change]:
    """Yield all changes in the statements that a statement contains."""
    for name in ("body", "orelse", "finalbody"):
        yield from _in_body(getattr(node, name, ()), scope)
    for name in ("handlers", "cases"):
        for part in getattr(node, name, ()):
            yield from _in_bodies(part, scope)


def _in_expression(node: ast.AST, scope: str) -> Iterator[Change]:
    """Yield all changes in an expression and its parts."""
    if isinstance(node, _UNTOUCHED):
        return
    if isinstance(node, ast.expr):
        for kind, changed in _of_expression(node):
            yield scope, kind, node, f"({ast.unparse(changed)})"
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _in_expression(child, scope)


def _of_expression(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Yield the changes of the expression itself with their kinds, without its parts."""
    changed: ast.expr
    if isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            changed = copy.deepcopy(node)
            changed.ops[index] = COMPARISONS[type(operator)]()
            yield "comparison", changed
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "and/or", ast.BoolOp(other, node.values)
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        yield "operator", ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "condition negated", node.operand
    elif isinstance(node, ast.IfExp):
        negated = ast.UnaryOp(ast.Not(), node.test)
        yield "condition negated", ast.IfExp(negated, node.body, node.orelse)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield "constant", ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield "constant", ast.Constant(node.value + 1)
        yield "constant", ast.Constant(node.value - 1)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_none(node: ast.expr | None) -> bool:
    return node is None or (isinstance(node, ast.Constant) and node.value is None)


def _is_types(node: ast.stmt) -> bool:
    """Return whether a statement is only about types: an alias, or imports for types."""
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    if isinstance(node, ast.AnnAssign):
        return isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"
    if isinstance(node, ast.Assign):
        return _is_union(node.value)
    return False


def _is_union(node: ast.expr) -> bool:
    """Return whether an expression is a union of types, such as ``Play | Pass``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return all(
            _is_union(side) or (isinstance(side, ast.Name) and side.id.istitle())
            for side in (node.left, node.right)
        )
    return False
