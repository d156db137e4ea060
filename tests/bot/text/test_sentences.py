"""Sentences for refusal reasons: each reason of the code has one, and none is unused."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from gettext import NullTranslations
from itertools import chain

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

PACKAGES = ("engine", "bot", "cogs")
REFUSALS = ("IllegalAction", "AmbiguousAction", "Refused")
PLAUSIBLE = {
    "allowed": "100..5000 step 50",
    "channel": "<#12345>",
    "channels": ("<#12345>", "<#12346>"),
    "error": "7",
    "examples": ("20:00", "4.12. 20:00"),
    "host": 123,
    "least": 5,
    "limit": 2,
    "most": 3,
    "name": "1",
    "number": 3,
    "option": "target",
    "organiser": 123,
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
    """Return the reasons that functions raise with the names of their details.

    If a call gets its reason from a variable, its details count for every reason of the function.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for path in chain.from_iterable((ROOT / name).rglob("*.py") for name in PACKAGES):
        source = path.read_text("utf-8")
        for scope in ast.walk(ast.parse(source)) if "Reason." in source else ():
            if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
                for call in ast.walk(scope):
                    if isinstance(call, ast.Call) and getattr(call.func, "id", "") in REFUSALS:
                        named = scope if isinstance(call.args[0], ast.Name) else call.args[0]
                        for reason in re.findall(r"\bReason\.(\w+)", ast.unparse(named)):
                            kind = Reason if reason in Reason.__members__ else EngineReason
                            found[kind[reason]] |= {word.arg for word in call.keywords if word.arg}
    return found


def test_every_reason_has_one_sentence_and_a_use() -> None:
    reasons = {*Reason, *EngineReason}
    assert reasons - {*PLAIN, *DETAILED} == set(), "reasons without a sentence"
    assert PLAIN.keys() & DETAILED.keys() == set(), "reasons with two sentences"
    assert raised().keys() | {Reason.STALE, Reason.WRITTEN_ELSEWHERE} == reasons, "unused"


def test_sentences_need_only_details_of_their_refusals(subtests: pytest.Subtests) -> None:
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
            # The option has the name it has in the command.
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


def test_words_real_refusals() -> None:
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
    assert sentence(say, illegal.value) == "Grand Seigneur (5–12 players) has no option target."
    assert sentence(say, Refused(Reason.TOO_FEW_PLAYERS, least=5)) == (
        "You need at least 5 players. Wait for more, or add computers."
    )
    assert sentence(say, Stale()) == "The game moved on – here's your hand now."
