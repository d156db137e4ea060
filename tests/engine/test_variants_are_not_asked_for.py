"""Nothing asks which game is being played: every difference between games is a variant's.

Code that needs a difference asks the variant for it (`scored`, `dealer_opposes_all`, `receivers`,
...), so that a new variant is one new object. Words for people may be kept by a variant's name.

The search finds questions that are written out: a comparison or a case with a variant's name, its
class, or a fixed number of seats. It cannot see one that hides behind a constant or a function.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from engine import VARIANTS
from tests.cases import each

ROOT = Path(__file__).parents[2]
STOREYS = ("engine", "players", "bot", "cogs")
CLASSES = {type(variant).__name__ for variant in VARIANTS.values()}
ASKED = {"name", "variant"}
"""Where the name of a variant is kept."""
COUNTED = {"seats", "chairs", "hands", "players", "people"}
"""What is counted when code looks for a game by the number of its players."""
FEWEST = 3
"""Fewer people than in any game: ``len(people) < 2`` asks for no variant."""
WORDS = re.compile("|".join((*VARIANTS, *CLASSES, *ASKED - {"name"})))
NUMBERS = re.compile("|".join(COUNTED)), re.compile(r"[3-9]|\d\d")
"""A file without such words and numbers has no question: it need not be parsed."""


def may_ask(code: str) -> bool:
    """Whether there can be questions in this code."""
    return bool(WORDS.search(code)) or all(each.search(code) for each in NUMBERS)


def questions(tree: ast.AST) -> Iterator[ast.AST]:
    """The places that ask for a variant: by its name, its class, or its number of seats."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, comparators=others):
                sides = [left, *others]
                if any(map(_names_a_variant, sides)) or _counts_seats(sides):
                    yield node
            case ast.Match(subject=subject, cases=cases):
                values = [
                    part.value
                    for case in cases
                    for part in ast.walk(case.pattern)
                    if isinstance(part, ast.MatchValue)
                ]
                if any(map(_names_a_variant, values)) or _counts_seats([subject, *values]):
                    yield node
            case ast.MatchClass(cls=kind) if _is_a_class_of_variants(kind):
                yield node
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kind]):
                if _is_a_class_of_variants(kind):
                    yield node


def _names_a_variant(side: ast.expr) -> bool:
    """Whether it is a variant's name or class, one of several, or the name of some variant."""
    if isinstance(side, ast.Call):
        return False
    parts = list(ast.walk(side))
    told = any(isinstance(part, ast.Attribute) and part.attr in ASKED for part in parts)
    if told and ast.unparse(side).endswith(("variant.name", "options.variant")):
        return True
    texts = [part.value for part in parts if isinstance(part, ast.Constant)]
    named = any(isinstance(text, str) and text in VARIANTS for text in texts)
    return named or _is_a_class_of_variants(side)


def _is_a_class_of_variants(kind: ast.expr) -> bool:
    """``Trichu``, ``trichu.Trichu``, ``(Nanjing, Trichu)``."""
    parts = list(ast.walk(kind))
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    names |= {part.attr for part in parts if isinstance(part, ast.Attribute)}
    return bool(names & CLASSES)


def _counts_seats(sides: list[ast.expr]) -> bool:
    """Whether a number of seats is compared with a fixed one, or with several."""
    parts = [part for side in sides for part in getattr(side, "elts", [side])]
    fixed = [part.value for part in parts if isinstance(part, ast.Constant)]
    if not any(isinstance(number, int) and number >= FEWEST for number in fixed):
        return False
    return any(_is_a_number_of_seats(side) for side in sides)


def _is_a_number_of_seats(side: ast.expr) -> bool:
    """``seats``, ``len(view.seats)``, ``variant.chairs(options)``, ``seats - 1``."""
    if isinstance(side, ast.BinOp):
        return _is_a_number_of_seats(side.left)
    if isinstance(side, ast.Call):
        if ast.unparse(side.func) == "len" and side.args:
            return _is_a_number_of_seats(side.args[0])
        return _is_a_number_of_seats(side.func)
    name = side.attr if isinstance(side, ast.Attribute) else getattr(side, "id", "")
    return name in COUNTED


@each("storey", STOREYS)
def test_nobody_asks_for_a_variant(storey: str) -> None:
    """O1."""
    asked = [
        f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', '?')}: {ast.unparse(node)}"
        for path in sorted((ROOT / storey).rglob("*.py"))
        if may_ask(code := path.read_text("utf-8"))
        for node in questions(ast.parse(code))
    ]
    assert asked == []


@each(
    "code, expected",
    [
        ('if variant.name == "trichu": pass', True),
        ("if match.variant.name in NAMES: pass", True),
        ('options.variant != "nanjing"', True),
        ('game in ("nanjing", "tientsin")', True),
        ('match game:\n    case "trichu": pass', True),
        ("match game:\n    case 'nanjing' | 'trichu': pass", True),
        ("options.variant == game", True),
        ("state.options.variant in games", True),
        ("isinstance(variant, Trichu)", True),
        ("isinstance(variant, trichu.Trichu | Nanjing)", True),
        ("type(variant) is Tientsin", True),
        ("match variant:\n    case GrandSeigneur(): pass", True),
        ("row[0] = seats > 4", True),
        ("len(view.seats) < 6", True),
        ("variant.chairs(options) == 4", True),
        ("seats in (4, 6)", True),
        ("len(view.seats) - 1 > 4", True),
        ("match len(seats):\n    case 4: pass", True),
        ("variant.scored and not variant.ranked", False),
        ("len(people) < 2", False),
        ("line == record.variant", False),
        ('names = {"trichu": "Trichu"}', False),
        ("isinstance(action, Play)", False),
    ],
)
def test_the_search_finds_questions(code: str, expected: bool) -> None:
    assert bool(list(questions(ast.parse(code)))) == expected
    assert may_ask(code) >= expected
