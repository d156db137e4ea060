"""No code outside the variants compares the name of a game.

Code that depends on a difference uses an attribute or method of the variant (`scored`,
`dealer_opposes_all`, `receivers`, ...), so that a new variant is one new object. `bot/text` may map
names of variants to words for people.

The search finds explicit comparisons: a comparison, a case, or a method with a variant's name or
class; a number of seats, columns or partners compared with a constant; a mapping by variants'
names. It cannot find one behind a constant or a function.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from engine import VARIANTS
from tests.cases import each

ROOT = Path(__file__).parents[2]
LAYERS = ("engine", "players", "bot", "cogs")
KEYED_BY_NAME = {ROOT / "bot" / "text", ROOT / "engine" / "variants"}
"""Modules that may map variants' names: to words for people, or to the variants themselves."""
CLASSES = {type(variant).__name__ for variant in VARIANTS.values()}
ASKED = ("variant.name", "game.name", "options.variant", "rules.variant")
"""Attributes with the name of a variant."""
COUNTED = {
    **dict.fromkeys(
        (
            "seats",
            "game_seats",
            "seat_count",
            "chairs",
            "chair_count",
            "hands",
            "players",
            "people",
            "order",
        ),
        3,
    ),
    **dict.fromkeys(("totals", "columns", "column_count", "teams", "sweep_size"), 2),
}
"""Counts that may stand for a game, with their minimum.

No game has fewer people, so ``len(people) < 2`` does not ask for a variant.
"""
WORDS = re.compile("|".join((*VARIANTS, *CLASSES, "variant", "game.name")))
NUMBERS = re.compile("|".join(COUNTED), re.IGNORECASE), re.compile(r"[2-9]|\d\d")
"""Pattern of words and numbers; a file without a match need not be parsed."""


def may_ask(code: str) -> bool:
    """Return whether this code may compare variants."""
    return bool(WORDS.search(code)) or all(pattern.search(code) for pattern in NUMBERS)


def questions(tree: ast.AST, *, keyed_by_name: bool = False) -> Iterator[ast.AST]:
    """Yield the places that compare a variant's name, class or number.

    Where code may be `keyed_by_name`, mappings by variants' names are permitted.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, comparators=others):
                sides = [left, *others]
                if any(map(_names_a_variant, sides)) or _counts(sides):
                    yield node
            case ast.Match(subject=subject, cases=cases):
                values = [
                    part.value
                    for case in cases
                    for part in ast.walk(case.pattern)
                    if isinstance(part, ast.MatchValue)
                ]
                if any(map(_names_a_variant, values)) or _counts([subject, *values]):
                    yield node
            case ast.MatchClass(cls=kind) if _is_a_class_of_variants(kind):
                yield node
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kind]):
                if _is_a_class_of_variants(kind):
                    yield node
            case ast.Call(func=ast.Attribute(value=asked)) if _is_a_name(asked):
                yield node
            case ast.Dict(keys=keys) if not keyed_by_name:
                if any(key is not None and _names_a_variant(key) for key in keys):
                    yield node
            case ast.Call(func=ast.Name(id="dict"), keywords=given) if not keyed_by_name:
                if any(keyword.arg in VARIANTS for keyword in given):
                    yield node


def _names_a_variant(side: ast.expr) -> bool:
    """Return whether it is a variant's name or class, several of them, or such an attribute."""
    if isinstance(side, ast.Call):
        return False
    if _is_a_name(side) or (isinstance(side, ast.Subscript) and _is_a_name(side.value)):
        return True
    texts = [part.value for part in ast.walk(side) if isinstance(part, ast.Constant)]
    named = any(isinstance(text, str) and text in VARIANTS for text in texts)
    return named or _is_a_class_of_variants(side)


def _is_a_name(asked: ast.expr) -> bool:
    """Return whether it is the name of some variant, such as ``match.variant.name``."""
    return isinstance(asked, ast.Attribute) and ast.unparse(asked).endswith(ASKED)


def _is_a_class_of_variants(kind: ast.expr) -> bool:
    """Return whether it is ``Trichu``, ``trichu.Trichu`` or ``(Nanjing, Trichu)``."""
    parts = list(ast.walk(kind))
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    names |= {part.attr for part in parts if isinstance(part, ast.Attribute)}
    return bool(names & CLASSES)


def _counts(sides: list[ast.expr]) -> bool:
    """Return whether a number of a variant is compared with one constant or several."""
    parts = [part for side in sides for part in getattr(side, "elts", [side])]
    fixed = [part.value for part in parts if isinstance(part, ast.Constant)]
    largest = max((number for number in fixed if isinstance(number, int)), default=0)
    return any(largest >= COUNTED.get(_counted(side), largest + 1) for side in sides)


def _counted(side: ast.expr) -> str:
    """Return the name of the count, if it is one.

    ``seats``, ``len(view.seats)``, ``variant.chair_count(options)``, ``row[layout.GAME_SEATS]``,
    ``game.people.start``, ``seats - 1``.
    """
    match side:
        case ast.BinOp(left=left):
            return _counted(left)
        case ast.Call(func=ast.Name(id="len"), args=[many, *_]):
            return _counted(many)
        case ast.Call(func=function):
            return _counted(function)
        case ast.Subscript(slice=ast.Attribute(attr=place) | ast.Name(id=place)) if place.isupper():
            return place.lower()
        case ast.Attribute(value=people, attr="start" | "stop"):
            return _counted(people)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


@each("layer", LAYERS)
def test_nobody_asks_for_a_variant(layer: str) -> None:
    """O1."""
    asked = [
        f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', '?')}: {ast.unparse(node)}"
        for path in sorted((ROOT / layer).rglob("*.py"))
        if may_ask(code := path.read_text("utf-8"))
        for node in questions(
            ast.parse(code), keyed_by_name=not KEYED_BY_NAME.isdisjoint(path.parents)
        )
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
        ("variant.chair_count(options) == 4", True),
        ("seats in (4, 6)", True),
        ("len(view.seats) - 1 > 4", True),
        ("match len(seats):\n    case 4: pass", True),
        ("row[layout.GAME_SEATS] == 6", True),
        ("if row[GAME_SEATS] > 4: pass", True),
        ("row[SWEEP_SIZE] == 3", True),
        ("variant.sweep_size == 3", True),
        ("victories = 'triple' if 2 < game.sweep_size else 'double'", True),
        ("len(view.totals) == 2", True),
        ("if len(match.totals) > 2: pass", True),
        ("variant.column_count(options) in (2, 4)", True),
        ("len(options.teams) != 2", True),
        ("len(view.seating.order) == 6", True),
        ("game.people.start > 4", True),
        ('game.name == "x"', True),
        ('rules.variant == "x"', True),
        ('variant.name[:3] == "tri"', True),
        ('variant.name.startswith("tri")', True),
        ('if options.variant.endswith("ing"): pass', True),
        ('{"trichu": a}.get(variant.name, b)', True),
        ('sizes = {"trichu": 3, "tientsin": 6}', True),
        ("sizes = {Trichu: 3}", True),
        ("sizes = dict(trichu=3)", True),
        ("variant.scored and not variant.ranked", False),
        ("out == row[layout.SWEEP_SIZE] and out > 0", False),
        ("row[layout.OUT_COUNT] >= row[layout.GAME_SEATS] - 1", False),
        ("row[layout.CALL + seat] > 100", False),
        ("totals[column] >= 1000", False),
        ("len(match.totals) == len(names)", False),
        ("order.index(seat) == 3", False),
        ("set(teams) == {0, 1}", False),
        ("{2: double, 3: triple}[game.sweep_size]", False),
        ("VARIANTS[options.variant].people", False),
        ("variant_name(variant.name)", False),
        ("call.name.lower()", False),
        ("len(people) < 2", False),
        ("line == record.variant", False),
        ("isinstance(action, Play)", False),
    ],
)
def test_the_search_finds_questions(code: str, expected: bool) -> None:
    assert bool(list(questions(ast.parse(code)))) == expected
    assert may_ask(code) >= expected


def test_words_may_be_kept_by_a_variants_name() -> None:
    tree = ast.parse('names = {"trichu": "Trichu"}')
    assert list(questions(tree))
    assert not list(questions(tree, keyed_by_name=True))
