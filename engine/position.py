"""Positions as text that can be read back to an equal position.

Each fact is one line, ``name value``. In a position written by hand, lines with default values may
be left out. Cards, plays and seats are as in `notation`; ``-`` is an empty value.
docs/notation.md describes all lines.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from .cards import cards_text, rank_text
from .notation import write_combination
from .position_reader import ANSWERS, HEADER, read_position
from .round import Round, RoundResult, Trick, TrickStep
from .state import Match
from .types import Gifts, SeatSet

__all__ = ["HEADER", "read_position", "write_position"]


def write_position(match: Match) -> str:
    """Return the text of a position, one line for each fact, equal for equal positions."""
    options = json.dumps(match.options.non_defaults(), sort_keys=True)
    lines = [
        HEADER,
        f"variant {match.options.variant} {options}",
        f"first-dealer {match.first_dealer}",
        f"totals {_numbers(match.totals)}",
        f"winners {_numbers(match.winners)}",
    ]
    lines += [f"result {_write_result(result)}" for result in match.results]
    if match.round is not None:
        lines += _round_lines(match.round)
    return "\n".join(lines) + "\n"


def _round_lines(round_: Round) -> Iterator[str]:
    """Yield the facts of a round, one line each."""
    yield from _opening_lines(round_)
    yield from _trick_lines(round_)
    for seat, pile in enumerate(round_.piles):
        if pile:
            yield f"pile {seat} {cards_text(pile)}"
    yield f"discards {cards_text(round_.discards) or '-'}"


def _opening_lines(round_: Round) -> Iterator[str]:
    """Yield the lines of the seats, the hands, the exchange and the calls."""
    yield f"round {round_.number} dealer {round_.dealer}"
    yield f"order {_numbers(round_.seating.order)}"
    yield f"teams {_numbers(round_.seating.teams)}"
    yield f"phase {round_.phase.value} {round_.turn}"
    for seat, hand in enumerate(round_.hands):
        yield f"hand {seat} {cards_text(hand.cards)}".rstrip()
    for seat, stock in enumerate(round_.opening.stock):
        if stock:
            yield f"stock {seat} {cards_text(stock)}"
    yield "answers " + " ".join(ANSWERS[answer] for answer in round_.opening.answers)
    for seat, given in enumerate(round_.opening.given):
        if given is not None:
            yield f"given {seat} {_write_gifts(given)}".rstrip()
    for seat, received in enumerate(round_.opening.received):
        if received:
            yield f"received {seat} {_write_gifts(received)}"
    yield f"left-over {cards_text(round_.opening.left_over) or '-'}"
    yield "calls " + " ".join(call.name.lower() if call else "-" for call in round_.calls)
    yield f"asked {_seats(round_.asked)}"
    yield f"fresh {_seats(round_.last_callers)}"
    yield f"started {_seats(round_.started)}"


def _trick_lines(round_: Round) -> Iterator[str]:
    """Yield the lines of all tricks, and of sealed bombs, waivers, the wish and seats out."""
    yield from (f"past {_write_trick(trick)}" for trick in round_.past)
    yield f"trick {_write_steps(round_.trick)}"
    for seat, bomb in round_.submitted:
        yield f"submitted {seat} {write_combination(bomb)}"
    yield f"waived {_seats(round_.waived)}"
    yield f"wish {rank_text(round_.wish) if round_.wish else '-'}"
    yield f"out {_numbers(round_.out)}"


def _numbers(values: tuple[int, ...]) -> str:
    return " ".join(map(str, values)) or "-"


def _seats(seats: SeatSet) -> str:
    """Return the seats of a set, ascending, as text."""
    return _numbers(tuple(seat for seat in range(seats.bit_length()) if seats >> seat & 1))


def _write_gifts(gifts: Gifts) -> str:
    """Return the gifts of one seat as text: ``0:S2 2:P3``."""
    return " ".join(f"{seat}:{cards_text(cards).replace(' ', ',')}" for seat, cards in gifts)


def _write_steps(steps: tuple[TrickStep, ...]) -> str:
    """Return the steps of a trick as text: ``0 MAHJONG wish=8 | 1 pass``."""
    return (
        " | ".join(
            f"{step.seat} "
            + (write_combination(step.combination) if step.combination else "pass")
            + (f" wish={rank_text(step.wish)}" if step.wish else "")
            for step in steps
        )
        or "-"
    )


def _write_trick(trick: Trick) -> str:
    """Return a finished trick as text: its steps, its winner and, if any, its receiver."""
    given_to = "" if trick.given_to is None else f" > {trick.given_to}"
    return f"{_write_steps(trick.steps)} => {trick.winner}{given_to}"


def _write_result(result: RoundResult) -> str:
    """Return the result of a round as a JSON object."""
    facts = result._asdict()
    facts["calls"] = [[seat, call.name.lower(), made] for seat, call, made in result.calls]
    return json.dumps(facts)
