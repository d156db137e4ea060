"""The look for dead code: what nothing calls, and what only tests still call."""

from __future__ import annotations

from pathlib import Path

import pytest
from vulture.core import Item, Vulture

from tools import dead_code

STOREY = """
def called():
    return tested_too()

def tested_too():
    return 1

def only_tested():
    return 2

def forgotten():
    return 3

def on_ready():
    return called()
"""
TEST = """
def test_all():
    assert only_tested() + tested_too()
    forgotten_local = 4
"""


def test_both_answers_come_from_one_reading(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name that the settings let pass is said by neither."""
    for file, text in (("storey/rules.py", STOREY), ("tests/test_rules.py", TEST)):
        (tmp_path / file).parent.mkdir()
        (tmp_path / file).write_text(text, "utf-8")
    assert dead_code.main([str(tmp_path / "storey"), str(tmp_path / "tests")]) == 1
    lines = capsys.readouterr().out.splitlines()
    told = [line.partition("unused ")[2].partition(" (")[0] for line in lines]
    assert told == ["function 'forgotten'", "variable 'forgotten_local'", "function 'only_tested'"]
    assert [line.endswith("but by tests") for line in lines] == [False, False, True]


def test_nothing_is_said_of_what_is_called(tmp_path: Path) -> None:
    (tmp_path / "called.py").write_text("def called():\n    return called\n", "utf-8")
    assert dead_code.main([str(tmp_path)]) == 0


EVERYTHING = """
from __future__ import annotations
import os as system, json.decoder
__all__ = ["shown"]

class Held(list):
    kept: int = 3
    @property
    def size(self):
        self.counted = -1 + 2 * 3
        return "{named}".format(**locals()) + "%(older)s" % locals()
    @unheard
    def told(self, *given, key=None, **further):
        return getattr(given, "looked_up"), hasattr(key, "asked_for")
    @classmethod
    async def made(cls):
        async with cls() as opened:
            return
        later = 1

def shown(one, /, other: int):
    first = one  # type: Comment
    for each in other:
        break
        behind = 4
    while True:
        pass
    else:
        never = [deep for deep in ()]
    if False:
        del first
    elif True:
        return 1 if True else unseen
    try:
        raise ValueError
    except Held as error:
        return
    else:
        unheard_of = lambda spoken: not spoken
    match one:
        case Held(kept=got) if got == 7:
            return got
        case {"key": [*rest], **others}:
            raise
    return 1
"""


def test_the_reader_finds_what_vulture_finds() -> None:
    """All definitions, all that is unreachable, and all names that are used."""

    def read(vulture: Vulture) -> tuple[list[tuple[object, ...]], set[str]]:
        vulture.scan(EVERYTHING, "everything.py")
        found: list[Item] = vulture.get_unused_code()
        parts = ("name", "typ", "first_lineno", "last_lineno", "message", "confidence")
        return [tuple(getattr(item, part) for part in parts) for item in found], vulture.used_names

    unused, used = read(dead_code.Reader(["@unheard"]))
    assert (unused, used) == read(Vulture(ignore_decorators=["@unheard"]))
    assert {kind for _, kind, *_ in unused} >= {"unreachable_code", "method", "property"}
    assert {"Comment", "kept", "looked_up", "named", "older", "shown"} <= used
