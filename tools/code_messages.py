"""Finds the messages in the code for Babel, and tells translators where each of them stands.

Babel calls `extract`; pyproject.toml says so. What translators read comes from the code itself: a
comment that begins with “Translators:”, the control on which a text stands with the characters that
Discord allows there, and the first sentence that documents the function in which it is said.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import IO, Any, NamedTuple

_COMMENT = "# Translators:"


class _Place(NamedTuple):
    """A parameter that is shown to people as it is."""

    name: str
    """Empty where all arguments that have a name are shown."""
    position: int
    """Its place among the arguments without names, from 0; -1 if it always has its name."""
    told: str


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
"""The functions that make controls, by name."""
_FILES = {
    "bot/pictures/alt_texts.py": "Read aloud instead of a picture.",
    "bot/pictures/table/scene_text.py": "Read aloud instead of the picture of a table.",
    "bot/pictures/table/contents.py": "Drawn on the picture of a table: as few words as possible.",
    "bot/pictures/words.py": "Drawn on the picture of a match or of a rating: a few words.",
}
"""The files whose texts stand on no page."""
_PASSED_ON = (ast.IfExp, ast.BinOp, ast.JoinedStr, ast.FormattedValue, ast.keyword)
"""What a text can be a part of on its way to a control."""
_DOCUMENTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)

Found = tuple[int, str, tuple[str | None, ...], list[str]]
"""A message as Babel wants it: line, function, its arguments, comments."""


def extract(file: IO[bytes], keywords: Mapping[str, Any], *_: Any, **__: Any) -> Iterator[Found]:
    """Yield the messages in a file of Python: what is said by functions with these names."""
    text = file.read().decode("utf-8")
    if not any(f"{word}(" in text for word in keywords):
        return  # parsing takes long
    tree, lines = ast.parse(text), text.splitlines()
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    path = str(getattr(file, "name", "")).replace("\\", "/")
    place = next((told for end, told in _FILES.items() if path.endswith(end)), "")
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or _name(call.func) not in keywords:
            continue
        texts = tuple(_constant(argument) for argument in call.args)
        if any(texts):
            told = (
                _written(call, lines),
                place or _control(call, parents),
                _said_in(call, parents),
            )
            yield call.lineno, _name(call.func), texts, [words for words in told if words]


def _name(function: ast.expr) -> str:
    """What a function is called where it is called."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _constant(argument: ast.expr) -> str | None:
    """Return a text that stands there as it is."""
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
    """What kind of control a text stands on; empty where it cannot be told.

    A text that first gets a name is looked for by it in the same function.
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
                return place.told
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


def _said_in(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> str:
    """Return the first sentence that documents what is around a text."""
    while node in parents:
        node = parents[node]
        if isinstance(node, _DOCUMENTED) and (documented := ast.get_docstring(node)):
            return " ".join(documented.split("\n\n")[0].split())
    return ""
