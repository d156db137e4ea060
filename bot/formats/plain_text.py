"""Rounds as plain text: one fact per line, in the notation of docs/notation.md.

docs/replay.md describes the lines.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from bot import __version__
from bot.formats.game import Game, deal_record, dealt_hands
from bot.history.played_round import PlayedRound
from engine import cards_text

HEADER = "# Tichu, version 1"
"""First line of each file."""


def write_plain(game: Game) -> str:
    """Return the text of the file. Each line ends with a line feed."""
    return "".join(f"{line}\n" for line in _file_lines(game))


def _file_lines(game: Game) -> Iterator[str]:
    """Yield all lines of the file, without line ends."""
    changed_options = json.dumps(game.options.non_defaults(), sort_keys=True)
    yield HEADER
    yield f"program tichu-bot {__version__}"
    yield f"table {game.table}"
    yield f"variant {game.options.variant} {changed_options}"
    names_by_round = [[" ".join(name.split()) for name in names] for names in game.names]
    yield from _seat_lines(names_by_round[0])
    previous_names = names_by_round[0]
    for played, names in zip(game.rounds, names_by_round, strict=True):
        yield ""
        yield from _round_lines(played, names, previous_names)
        previous_names = names


def _seat_lines(names: list[str], previous_names: Sequence[str] = ()) -> Iterator[str]:
    """Yield a line for each seat whose name has changed, or without previous names, for all."""
    for seat, name in enumerate(names):
        if not previous_names or name != previous_names[seat]:
            yield f"seat {seat} {name}"


def _round_lines(played: PlayedRound, names: list[str], previous_names: list[str]) -> Iterator[str]:
    """Yield the lines of one round. The names of the players are given by seat."""
    dealt, result = played.dealt.round, played.result
    assert dealt is not None
    yield f"round {played.number} dealer {dealt.dealer}"
    yield from _seat_lines(names, previous_names)
    yield f"deal {deal_record(played)}"
    for seat, (first, hand) in enumerate(dealt_hands(played)):
        if first != hand:
            yield f"first {seat} {cards_text(first)}"
    for seat, (_, hand) in enumerate(dealt_hands(played)):
        yield f"hand {seat} {cards_text(hand)}"
    if dealt.opening.left_over:
        yield f"left-over {cards_text(dealt.opening.left_over)}"
    for action in played.actions[1:]:
        name = f"  # {names[action.seat]}" if action.seat >= 0 else ""
        yield f"{action.seat} {action.text}{name}"
    yield f"out {_join_numbers(result.out)}"
    for seat, call, made in result.calls:
        yield f"call {seat} {call.name.lower()} {'made' if made else 'failed'}"
    if result.penalty is not None:
        yield f"penalty {result.penalty}"
    if result.totals:
        yield f"cards {_join_numbers(result.cards)}"
        yield f"score {_join_numbers(result.score)}"
        yield f"totals {_join_numbers(result.totals)}"


def _join_numbers(numbers: tuple[int, ...]) -> str:
    """Join numbers with blanks; ``-`` for none."""
    return " ".join(map(str, numbers)) or "-"
