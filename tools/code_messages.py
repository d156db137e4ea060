"""Extracts messages from code for Babel, with the context of each for translators.

Babel calls `extract` as configured in pyproject.toml. Translators read context that comes from the
code itself: a comment that begins with “Translators:”, the control on which a text is shown with
the limits that Discord sets there, and the first sentence of the docstring around it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import IO, Any, NamedTuple

_COMMENT = "# Translators:"


class _Place(NamedTuple):
    """Parameter that is shown to people as it is."""

    name: str
    """Name of the parameter; empty if all keyword arguments are shown."""
    position: int
    """Position among the positional arguments, from 0; -1 for a keyword argument."""
    note: str
    """Context for translators."""


_BUTTON = "A button: at most 80 characters, better 20."
_PLACEHOLDER = "What a select says before something is chosen: at most 150 characters, better 35."
_DESCRIPTION = "The description of a command or of its option: at most 100 characters."
_PLACES: Mapping[str, tuple[_Place, ...]] = {
    "button": (_Place("label", 1, _BUTTON),),
    "switch": (_Place("label", 1, _BUTTON),),
    "link": (_Place("label", 0, _BUTTON),),
    "select": (_Place("placeholder", 1, _PLACEHOLDER),),
    "channels": (_Place("placeholder", 1, _PLACEHOLDER),),
    "role": (_Place("placeholder", 1, _PLACEHOLDER),),
    "people": (_Place("placeholder", 1, _PLACEHOLDER),),
    "command": (_Place("description", -1, _DESCRIPTION),),
    "describe": (_Place("", -1, _DESCRIPTION),),
    "Choice": (_Place("name", -1, "A choice of an option of a command: at most 100 characters."),),
    "option": (
        _Place("label", 0, "An option of a select: at most 100 characters, better 45."),
        _Place("description", -1, "Small print of an option: at most 100 characters, better 45."),
    ),
}
"""Functions that make controls, by name."""
_FILES = {
    "bot/pictures/alt_texts.py": "Read aloud instead of a picture.",
    "bot/pictures/table/scene_text.py": "Read aloud instead of the picture of a table.",
    "bot/pictures/table/contents.py": "Drawn on the picture of a table: as few words as possible.",
    "bot/pictures/words.py": "Drawn on the picture of a match or of a rating: a few words.",
}
"""Context for files whose texts are not shown on a page."""
_PASSED_ON = (ast.IfExp, ast.BinOp, ast.JoinedStr, ast.FormattedValue, ast.keyword)
"""Nodes that may contain a text on its way to a control."""
_DOCUMENTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)

Found = tuple[int, str, tuple[str | None, ...], list[str]]
"""Message in Babel's form: line, function, its arguments, comments."""


def extract(file: IO[bytes], keywords: Mapping[str, Any], *_: Any, **__: Any) -> Iterator[Found]:
    """Yield the messages in a Python file: calls of functions with these names."""
    text = file.read().decode("utf-8")
    if not any(f"{word}(" in text for word in keywords):
        return  # skip the slow parsing
    tree, lines = ast.parse(text), text.splitlines()
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    path = str(getattr(file, "name", "")).replace("\\", "/")
    place = next((note for end, note in _FILES.items() if path.endswith(end)), "")
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or _name(call.func) not in keywords:
            continue
        texts = tuple(_constant(argument) for argument in call.args)
        if any(texts):
            notes = (
                _written(call, lines),
                place or _control(call, parents),
                _docstring_around(call, parents),
            )
            yield call.lineno, _name(call.func), texts, [words for words in notes if words]


def _name(function: ast.expr) -> str:
    """Return the name of a called function."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _constant(argument: ast.expr) -> str | None:
    """Return the text of a literal argument, otherwise `None`."""
    value = argument.value if isinstance(argument, ast.Constant) else None
    return value if isinstance(value, str) else None


def _written(call: ast.Call, lines: list[str]) -> str:
    """Return the comment for translators that ends in the line above."""
    above = map(str.strip, reversed(lines[: call.lineno - 1]))
    comment = list(takewhile(lambda line: line.startswith("#"), above))[::-1]
    if not comment or not comment[0].startswith(_COMMENT):
        return ""
    return " ".join(line.lstrip("# ") for line in comment).removeprefix(_COMMENT[2:]).strip()


def _control(text: ast.AST, parents: Mapping[ast.AST, ast.AST], *, named: bool = False) -> str:
    """Return the kind of control that shows a text; empty if unknown.

    If the text is first assigned to a name, the uses of that name in the same function are
    searched.
    """
    inner, node = text, parents.get(text)
    while isinstance(node, _PASSED_ON) or (
        isinstance(node, ast.Call) and _name(node.func) == "capital"
    ):
        inner, node = node, parents.get(node)
    if isinstance(node, ast.Call):
        for place in _PLACES.get(_name(node.func), ()):
            at = place.position
            if (isinstance(inner, ast.keyword) and place.name in ("", inner.arg)) or (
                at >= 0 and inner in node.args[at : at + 1]
            ):
                return place.note
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and not named:
        scope = _scope(node, parents)
        names = (each for each in ast.walk(scope or node) if isinstance(each, ast.Name))
        uses = (each for each in names if each.id == node.targets[0].id)
        return next(filter(None, (_control(use, parents, named=True) for use in uses)), "")
    return ""


def _scope(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> ast.AST | None:
    """Return the function around a node."""
    while node in parents and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        node = parents[node]
    return node if node in parents else None


def _docstring_around(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> str:
    """Return the first paragraph of the nearest docstring around a text."""
    while node in parents:
        node = parents[node]
        if isinstance(node, _DOCUMENTED) and (documented := ast.get_docstring(node)):
            return " ".join(documented.split("\n\n")[0].split())
    return ""
