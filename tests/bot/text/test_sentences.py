"""Every reason for a refusal that the code knows has a sentence, and no sentence is left over."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from gettext import NullTranslations
from pathlib import Path

import pytest

from bot.errors import Reason, Refused, Stale
from bot.text import Say
from bot.text.sentences import (
    DETAILED,
    PLAIN,
    apology,
    database_damaged,
    read_failed,
    response_lost,
    sentence,
    write_failed,
)
from engine import IllegalAction, Options
from engine import Reason as EngineReason
from tests.bot.text.pseudo import Pseudo, bare
from tests.bot.text.template import asked_in
from tools.messages import ROOT

REFUSALS = {"IllegalAction", "AmbiguousAction", "Refused"}
KINDS = REFUSALS | {"Stale"}
PLAUSIBLE = {
    "allowed": "100..5000 step 50",
    "channel": "<#12345>",
    "channels": ("<#12345>", "<#12346>"),
    "error": "7",
    "least": 5,
    "limit": 2,
    "most": 3,
    "name": "1",
    "number": 3,
    "option": "target",
    "people": 4,
    "permissions": "123",
    "phase": "WINDOW",
    "ranks": "9 J",
    "role": "<@&123>",
    "rule": "N1",
    "seat": 3,
    "seconds": 10,
    "turn": 1,
    "value": 123,
    "variant": "trichu",
    "when": "<t:123:R>",
    "wish": "K",
}


@cache
def raised() -> dict[str, set[str]]:
    """Reason codes in the code, with the names of all details that come with each."""
    found: dict[str, set[str]] = defaultdict(set)
    for storey in ("engine", "bot", "cogs"):
        for path in sorted((ROOT / storey).rglob("*.py")):
            for code, details in _in_file(path):
                found[code] |= details
    return found


def _in_file(path: Path) -> Iterator[tuple[str, set[str]]]:
    code = path.read_text("utf-8")
    if not any(kind in code for kind in KINDS):
        return  # most files refuse nothing
    tree = ast.parse(code)
    for scope in ast.walk(tree):
        if isinstance(scope, ast.ClassDef) and KINDS & set(map(ast.unparse, scope.bases)):
            for call in _calls(scope, {"super().__init__", "super(Stale, self).__init__"}):
                yield from _codes(call, scope, path)
        elif isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
            for call in _calls(scope, REFUSALS):
                yield from _codes(call, scope, path)


def _calls(scope: ast.AST, names: set[str]) -> Iterator[ast.Call]:
    for node in ast.walk(scope):
        if isinstance(node, ast.Call) and _called(node.func) in names:
            yield node


def _called(function: ast.expr) -> str:
    """What is called; a plain name, as nearly everywhere, need not be written out."""
    if isinstance(function, ast.Name):
        return function.id
    inner = function.value if isinstance(function, ast.Attribute) else function
    return ast.unparse(function) if isinstance(inner, ast.Call) else ""


def _codes(call: ast.Call, scope: ast.AST, path: Path) -> Iterator[tuple[str, set[str]]]:
    details = {keyword.arg for keyword in call.keywords if keyword.arg is not None}
    codes = list(_texts(call.args[0], scope))
    assert codes, f"{path}:{call.lineno}: which codes are these?"
    for code in codes:
        yield code, details


def _texts(node: ast.expr, scope: ast.AST) -> Iterator[str]:
    """The texts that an expression can be: a reason, a literal, one of two, a variable's values."""
    if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "Reason":
        reasons = Reason if node.attr in Reason.__members__ else EngineReason
        yield reasons[node.attr]
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body, scope)
        yield from _texts(node.orelse, scope)
    elif isinstance(node, ast.Name):
        for assignment in ast.walk(scope):
            if isinstance(assignment, ast.Assign):
                for target in assignment.targets:
                    yield from _assigned(target, assignment.value, node.id, scope)


def _assigned(target: ast.expr, value: ast.expr, name: str, scope: ast.AST) -> Iterator[str]:
    if isinstance(target, ast.Name) and target.id == name:
        yield from _texts(value, scope)
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.IfExp):
        yield from _assigned(target, value.body, name, scope)
        yield from _assigned(target, value.orelse, name, scope)
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, part in zip(target.elts, value.elts, strict=True):
            yield from _assigned(one, part, name, scope)


def test_every_reason_has_one_sentence_and_is_given_somewhere() -> None:
    reasons = {*Reason, *EngineReason}
    assert reasons - {*PLAIN, *DETAILED} == set(), "reasons without a sentence"
    assert PLAIN.keys() & DETAILED.keys() == set(), "reasons with two sentences"
    assert raised().keys() == reasons


def test_the_search_finds_codes_in_every_form() -> None:
    found = raised()
    assert {"not-held", "stale", "phoenix-on-dragon", "already-started", "phoenix-rank"} <= set(
        found
    )
    assert found["too-many-tables"] == {"limit"}


def test_a_sentence_needs_only_what_its_refusals_tell(subtests: pytest.Subtests) -> None:
    pseudo = Pseudo()
    for reason in (*Reason, *EngineReason):
        with subtests.test(reason=reason):
            details = {name: PLAUSIBLE[name] for name in raised()[reason]}
            refusal = (
                Refused(reason, **details)
                if isinstance(reason, Reason)
                else IllegalAction(reason, "N1", **details)
            )
            text = sentence(Say("en", pseudo), refusal)
            assert "⟦" in text
            # The option is called as in the command.
            assert bare(text) == (["target"] if "option" in details else [])
            plain = sentence(Say("en", NullTranslations()), refusal)
            assert plain[-1] in ".)"
            assert "{" not in plain
    say = Say("en", pseudo)
    for refusal in (
        Refused(Reason.TOO_MANY_TURN_BASED, limit=0),
        Refused(Reason.NO_TABLES_HERE, channels=()),
        IllegalAction(EngineReason.OPTION, "O1", option="2", value=3, allowed="4..5 step 1"),
    ):
        assert bare(sentence(say, refusal)) == []
    for trouble in (apology, write_failed, database_damaged, read_failed, response_lost):
        assert bare(trouble(say)) == []
    assert asked_in("test_sentences") - pseudo.asked == set()


def test_sentences_of_real_refusals() -> None:
    say = Say("en", NullTranslations())
    with pytest.raises(IllegalAction) as illegal:
        Options(target=123)
    assert sentence(say, illegal.value) == (
        "target can't be 123. Possible: 100 to 5,000 in steps of 50."
    )
    with pytest.raises(IllegalAction) as illegal:
        Options(direction="up")
    assert sentence(say, illegal.value) == (
        "direction can't be up. Possible: anticlockwise / clockwise."
    )
    with pytest.raises(IllegalAction) as illegal:
        Options(variant="grandseigneur", target=1000)
    assert sentence(say, illegal.value) == "Grand Seigneur (5–12) has no option target."
    assert sentence(say, Refused(Reason.TOO_FEW_PLAYERS, least=5)) == (
        "You need at least 5 players. Wait for more, or add computers."
    )
    assert sentence(say, Stale()) == "The game moved on – here's your hand now."
