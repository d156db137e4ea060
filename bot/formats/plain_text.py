"""Rounds as plain text: one fact per line, in the notation of docs/notation.md.

docs/replay.md describes the lines.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from bot.formats.game import Game, deal_record, hands
from bot.history.played_round import PlayedRound
from engine import cards_text

HEADER = "# Tichu, version 1"
"""First line of each file."""


def write_plain(game: Game) -> str:
    """Return the text of the file. Each line ends with a line feed."""
    return "".join(f"{line}\n" for line in _lines(game))


def _lines(game: Game) -> Iterator[str]:
    """Yield all lines of the file, without line ends."""
    changed = json.dumps(game.options.non_defaults(), sort_keys=True)
    yield HEADER
    yield f"table {game.table}"
    yield f"variant {game.options.variant} {changed}"
    rounds = [[" ".join(name.split()) for name in names] for names in game.names]
    yield from _seats(rounds[0])
    before = rounds[0]
    for played, names in zip(game.rounds, rounds, strict=True):
        yield ""
        yield from _round(played, names, before)
        before = names


def _seats(names: list[str], before: Sequence[str] = ()) -> Iterator[str]:
    """Yield a line for each seat whose name differs from `before`, or all if that is empty."""
    for seat, name in enumerate(names):
        if not before or name != before[seat]:
            yield f"seat {seat} {name}"


def _round(played: PlayedRound, names: list[str], before: list[str]) -> Iterator[str]:
    """Yield the lines of one round; `before` are the names by seat in the round before."""
    dealt, result = played.dealt.round, played.result
    assert dealt is not None
    yield f"round {played.number} dealer {dealt.dealer}"
    yield from _seats(names, before)
    yield f"deal {deal_record(played)}"
    for seat, (first, hand) in enumerate(hands(played)):
        if first != hand:
            yield f"first {seat} {cards_text(first)}"
    for seat, (_, hand) in enumerate(hands(played)):
        yield f"hand {seat} {cards_text(hand)}"
    if dealt.opening.left_over:
        yield f"left-over {cards_text(dealt.opening.left_over)}"
    for action in played.actions[1:]:
        name = f"  # {names[action.seat]}" if action.seat >= 0 else ""
        yield f"{action.seat} {action.text}{name}"
    yield f"out {_numbers(result.out)}"
    for seat, call, made in result.calls:
        yield f"call {seat} {call.name.lower()} {'made' if made else 'failed'}"
    if result.penalty is not None:
        yield f"penalty {result.penalty}"
    if result.totals:
        yield f"cards {_numbers(result.cards)}"
        yield f"score {_numbers(result.score)}"
        yield f"totals {_numbers(result.totals)}"


def _numbers(numbers: tuple[int, ...]) -> str:
    """Join numbers with blanks; ``-`` for none."""
    return " ".join(map(str, numbers)) or "-"
