"""`python -m tools.dead_code`: what nothing calls, and what only tests still call.

Vulture answers one question in one run, and reads every file for it. Here the storeys are read
first, then the tests: both answers come from one reading. Settings are those of `tool.vulture` in
pyproject.toml; `vulture` by itself understands them, too, and finds the same in twice the
time: it asks about every piece of a program, here those are passed over that can tell nothing.
"""

from __future__ import annotations

import ast
import gc
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path

from vulture.config import InputError, make_config
from vulture.core import Item, Vulture

TESTS = "tests"
"""The folder whose calls do not count at first."""
_SILENT = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.Constant)
"""Nodes without children of which Vulture asks nothing: half of a program."""
_FLOW = (ast.stmt, ast.Module, ast.IfExp)
"""Nodes that may leave code unreachable."""


class Reader(Vulture):  # type: ignore[misc] # it has no types
    """Vulture, which goes to the same nodes in the same order, but past the silent ones."""

    def __init__(self, ignore_decorators: Sequence[str]) -> None:
        super().__init__(ignore_decorators=ignore_decorators)
        self._silent = {kind for base in _SILENT for kind in (base, *base.__subclasses__())}
        self._visitors = {
            kind: getattr(self, f"visit_{name}", None)
            for name, kind in vars(ast).items()
            if isinstance(kind, type) and issubclass(kind, ast.AST)
        }

    def visit(self, node: ast.AST) -> None:
        """Tell children first: what cannot be reached depends on them."""
        silent, comment = self._silent, None
        for name, value in vars(node).items():
            if value.__class__ is list:
                for child in value:
                    if isinstance(child, ast.AST) and child.__class__ not in silent:
                        self.visit(child)
            elif isinstance(value, ast.AST):
                if value.__class__ not in silent:
                    self.visit(value)
            elif name == "type_comment":
                comment = value
        if isinstance(node, _FLOW):
            self.reachability.visit(node)
        if visitor := self._visitors[node.__class__]:
            visitor(node)
        if comment is not None:
            mode = "func_type" if hasattr(node, "returns") else "eval"
            self.visit(ast.parse(comment, filename="<type_comment>", mode=mode))


def main(argv: Sequence[str] | None = None) -> int:
    """Look into the paths that are named, otherwise into those of the settings; the exit status."""
    try:
        config = make_config(argv)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    tests = [path for path in config["paths"] if Path(path).name == TESTS]
    storeys = [path for path in config["paths"] if path not in tests]
    # Names are left out afterwards: there are few to look at then.
    vulture = Reader(config["ignore_decorators"])
    gc.disable()  # trees have no cycles, and a collection would go through all their nodes

    def unused() -> dict[Item, str]:
        return {
            item: item.get_report()
            for item in vulture.get_unused_code(config["min_confidence"])
            if not any(fnmatchcase(item.name, name) for name in config["ignore_names"])
        }

    vulture.scavenge(storeys, config["exclude"])
    without_tests = unused()
    vulture.scavenge(tests, config["exclude"])
    everywhere = unused()
    only_tests = [
        f"{report}, but by tests"
        for item, report in without_tests.items()
        if item not in everywhere
    ]
    for line in chain(everywhere.values(), only_tests):
        print(line)
    return 1 if everywhere or only_tests or vulture.exit_code else 0


if __name__ == "__main__":
    sys.exit(main())
