"""The messages in the code: sensible English that extraction finds, and nothing said around it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.bot.text.template import keys
from tools.messages import KEYWORDS, PACKAGES, ROOT, placeholders


def test_the_messages_are_found() -> None:
    assert ("Pass",) in keys()
    assert ("{n} card", "{n} cards") in keys()
    assert len(keys()) > 200


NAMES = r"[a-z]+|[A-Z0-9#=]+( [A-Z0-9#=]+)*"
"""What stands in braces: the name of a value, or in a lesson cards in notation."""


def test_a_message_is_sensible_english() -> None:
    texts = [text for key in keys() for text in key]
    assert [text for text in texts if not sensible(text)] == []
    numbered = [(key, *map(placeholders, key)) for key in keys() if key[1:]]
    assert [key for key, one, more in numbered if one != more or "n" not in one] == []


def sensible(text: str) -> bool:
    """Whether spaces, brackets, signs of bold text and placeholders are as they have to be."""
    return (
        text == text.strip()
        and not re.search(r" {2}|\t| \n|\n ", text)
        and not re.search(r" [.,;:!?)]|\( ", text)
        and re.search(r"[A-Za-z]", re.sub(r"\{[^{}]+\}", "", text)) is not None
        and all(re.fullmatch(NAMES, name) for name in placeholders(text))
        and text.count("**") % 2 == 0
        and text.count("(") == text.count(")")
    )


SAID_OTHERWISE = re.compile(
    r"any more\b|at the moment|points a round|share of matches|is listed|are listed",
    re.IGNORECASE,
)
"""What the list of words in CONTRIBUTING.md has a better word for."""
RULE_BOOK = re.compile(r"Nanjing|Trichu|Tientsin")
"""Names of games that people meet in the rules only."""


def test_one_word_for_one_thing() -> None:
    wrong = [key for key in keys() if any(SAID_OTHERWISE.search(text) for text in key)]
    assert wrong == []
    places = {
        str(Path(place).parent)
        for key, files in keys().items()
        if any(RULE_BOOK.search(text) for text in key)
        for place in files
    }
    assert places == {"bot/text/rules"}


Nodes = Sequence[tuple[str, ast.Call | ast.Assign]]


SENDING = {
    "TextDisplay": 0,
    "text": 0,
    "option": 0,
    "button": 1,
    "select": 1,
    "send_text": 0,
    "send": 0,
    "send_message": 0,
}
"""Who shows a text to people, and which of the arguments it is."""
SPEAKS = re.compile(rf"\b(?:{'|'.join((*KEYWORDS, *SENDING))})\b")
"""What every file has of which these tests ask something."""


@pytest.fixture(scope="module")
def code() -> Nodes:
    """All calls and assignments of the files that say or send something, with their files."""
    return [
        (path.relative_to(ROOT).as_posix(), node)
        for storey in PACKAGES
        for path in sorted((ROOT / storey).rglob("*.py"))
        if SPEAKS.search(source := path.read_text("utf-8"))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call | ast.Assign)
    ]


def test_what_is_said_stands_there_as_plain_text(code: Nodes) -> None:
    """Extraction finds texts, not variables."""
    wrong = []
    for path, call in code:
        if isinstance(call, ast.Call) and _name(call.func) in KEYWORDS:
            texts = call.args[: len(KEYWORDS[_name(call.func)].split(","))]
            if not all(isinstance(text, ast.Constant) for text in texts):
                wrong.append(f"{path}:{call.lineno}")
    assert wrong == []


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def test_words_are_said_only_by_what_is_called_say(code: Nodes) -> None:
    """Extraction goes by the name: what is taken from a speaker must be called so."""
    wrong = []
    for path, node in code:
        if not isinstance(node, ast.Assign):
            continue
        pairs = [(target, node.value) for target in node.targets]
        for target, value in list(pairs):
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs += zip(target.elts, value.elts, strict=False)
        for target, value in pairs:
            said = isinstance(value, ast.Attribute) and value.attr == "say"
            if said and _name(target) != "say":
                wrong.append(f"{path}:{node.lineno}")
    assert wrong == []


def test_nothing_is_sent_that_is_a_plain_text(code: Nodes) -> None:
    wrong = []
    for path, call in code:
        if not path.startswith("cogs/") or not isinstance(call, ast.Call):
            continue
        if len(call.args) > SENDING.get(_name(call.func), 99):
            text = call.args[SENDING[_name(call.func)]]
            if any(_is_word(part) for part in _spoken(text)):
                wrong.append(f"{path}:{call.lineno}")
    assert wrong == []


def _spoken(node: ast.expr) -> Iterator[ast.expr]:
    """The parts of an expression that are shown as they stand."""
    if isinstance(node, ast.BinOp):
        yield from _spoken(node.left)
        yield from _spoken(node.right)
    elif isinstance(node, ast.JoinedStr):
        yield from node.values
    elif isinstance(node, ast.IfExp):
        yield from _spoken(node.body)
        yield from _spoken(node.orelse)
    else:
        yield node


def _is_word(node: ast.expr) -> bool:
    shown = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return shown and re.search(r"[A-Za-z]{2}", str(ast.literal_eval(node))) is not None
