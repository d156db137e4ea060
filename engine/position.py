"""A whole position as text, readable back to an equal position.

One line for each fact, ``name value``; lines that say nothing new may be left out when a position
is written by hand, so that a test names only what matters. Cards, plays and seats as in
`engine.notation`; ``-`` stands for nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from engine.cards import cards_text, rank_text, read_cards, read_rank
from engine.combinations import Combination, on_top, readings
from engine.errors import NotationError
from engine.hand import Hand
from engine.match import new_match
from engine.notation import read_play, write_combination
from engine.options import Options
from engine.state import (
    Call,
    Laid,
    Match,
    Opening,
    Phase,
    Round,
    RoundResult,
    Seating,
    Trick,
)

HEADER = "tichu position 1"


def write_position(match: Match) -> str:
    """The text of a position, one line for each fact, always the same for equal positions."""
    lines = [
        HEADER,
        f"variant {match.options.variant} {json.dumps(match.options.changed(), sort_keys=True)}",
        f"first-dealer {match.first_dealer}",
        f"totals {_numbers(match.totals)}",
        f"winners {_numbers(match.winners)}",
    ]
    lines += [f"result {_write_result(result)}" for result in match.results]
    if match.round is not None:
        lines += _round_lines(match.round)
    return "\n".join(lines) + "\n"


def _round_lines(r: Round) -> Iterator[str]:
    yield f"round {r.number} dealer {r.dealer}"
    yield f"order {_numbers(r.seating.order)}"
    yield f"teams {_numbers(r.seating.teams)}"
    yield f"phase {r.phase.value} {r.turn}"
    for seat, hand in enumerate(r.hands):
        yield f"hand {seat} {cards_text(hand.cards)}".rstrip()
    for seat, stock in enumerate(r.opening.stock):
        if stock:
            yield f"stock {seat} {cards_text(stock)}"
    yield "answers " + " ".join(_ANSWERS[answer] for answer in r.opening.answers)
    for seat, given in enumerate(r.opening.given):
        if given is not None:
            yield f"given {seat} {_write_gifts(given)}"
    for seat, received in enumerate(r.opening.received):
        if received:
            yield f"received {seat} {_write_gifts(received)}"
    yield "calls " + " ".join(call.name.lower() if call else "-" for call in r.calls)
    yield f"asked {_seats(r.asked)}"
    yield f"started {_seats(r.started)}"
    for trick in r.past:
        given_to = "" if trick.given_to is None else f" > {trick.given_to}"
        yield f"past {_write_steps(trick.steps)} => {trick.winner}{given_to}"
    yield f"trick {_write_steps(r.trick)}"
    for seat, bomb in r.submitted:
        yield f"submitted {seat} {write_combination(bomb)}"
    yield f"waived {_seats(r.waived)}"
    yield f"wish {rank_text(r.wish) if r.wish else '-'}"
    yield f"out {_numbers(r.out)}"
    for seat, pile in enumerate(r.piles):
        if pile:
            yield f"pile {seat} {cards_text(pile)}"
    yield f"discards {cards_text(r.discards) or '-'}"


def read_position(text: str) -> Match:
    """The position of a text; `NotationError` names the line that cannot be read."""
    facts: dict[str, list[str]] = {}
    for line in text.strip().splitlines():
        name, _, value = line.strip().partition(" ")
        if name and not name.startswith("#") and line.strip() != HEADER:
            if name not in _NAMES:
                raise NotationError(f"{line!r} is no line of a position")
            facts.setdefault(name, []).append(value.strip())
    try:
        return _read(facts)
    except NotationError:
        raise
    except (ValueError, KeyError, IndexError) as error:
        raise NotationError(f"not a position: {error}") from error


_NAMES = frozenset(
    "variant first-dealer totals winners result round order teams phase hand stock answers given "
    "received calls asked started past trick submitted waived wish out pile discards".split()  # noqa: SIM905
)
_ANSWERS = {True: "yes", False: "no", None: "-"}


def _read(facts: dict[str, list[str]]) -> Match:
    def one(name: str, default: str = "-") -> str:
        return facts.get(name, [default])[-1] or default

    variant, _, changed = one("variant", "nanjing {}").partition(" ")
    match = new_match(
        Options.of(variant, json.loads(changed or "{}")), int(one("first-dealer", "0"))
    )
    match = match._replace(
        totals=_read_numbers(one("totals")) or match.totals,
        winners=_read_numbers(one("winners")),
        results=tuple(map(_read_result, facts.get("result", ()))),
    )
    if "phase" not in facts:
        return match
    number, _, dealer = one(
        "round", f"{len(match.results) + 1} dealer {match.first_dealer}"
    ).split()
    seating = match.variant.seating(match, int(dealer))
    if "order" in facts:
        seating = Seating(_read_numbers(one("order")), _read_numbers(one("teams")))
    seats = len(seating.order)
    hands = _by_seat(facts.get("hand", ()), seats)
    phase, turn = one("phase").split()
    trick = tuple(_read_steps(one("trick")))
    past = tuple(map(_read_trick, facts.get("past", ())))
    top, top_seat, passes, laid = _top_of(trick)
    started = {
        step.seat for t in (trick, *(p.steps for p in past)) for step in t if step.combination
    }
    nothing = "- " * seats
    opening = Opening(
        stock=tuple(_by_seat(facts.get("stock", ()), seats)),
        answers=tuple(_READ_ANSWERS[word] for word in one("answers", "no " * seats).split()),
        given=_gifts_by_seat(facts.get("given", ()), seats),
        received=tuple(gifts or () for gifts in _gifts_by_seat(facts.get("received", ()), seats)),
    )
    return match._replace(
        round=Round(
            number=int(number),
            dealer=int(dealer),
            seating=seating,
            phase=Phase(phase),
            turn=int(turn),
            hands=tuple(map(Hand, hands)),
            opening=opening,
            calls=tuple(
                None if word == "-" else Call[word.upper()]
                for word in one("calls", nothing).split()
            ),
            asked=_bits(one("asked")),
            started=_bits(one("started")) if "started" in facts else sum(1 << s for s in started),
            trick=trick,
            trick_cards=laid,
            top=top,
            top_seat=top_seat,
            passes=passes,
            submitted=tuple(map(_read_submitted, facts.get("submitted", ()))),
            waived=_bits(one("waived")),
            wish=None if one("wish") == "-" else read_rank(one("wish")),
            out=_read_numbers(one("out")),
            piles=tuple(_by_seat(facts.get("pile", ()), seats)),
            discards=0 if one("discards") == "-" else read_cards(one("discards")),
            past=past,
        )
    )


_READ_ANSWERS = {text: answer for answer, text in _ANSWERS.items()}


def _numbers(values: tuple[int, ...]) -> str:
    return " ".join(map(str, values)) or "-"


def _read_numbers(text: str) -> tuple[int, ...]:
    return () if text == "-" else tuple(map(int, text.split()))


def _seats(seats: int) -> str:
    return _numbers(tuple(seat for seat in range(seats.bit_length()) if seats >> seat & 1))


def _bits(text: str) -> int:
    return sum(1 << seat for seat in _read_numbers(text))


def _by_seat(lines: tuple[str, ...] | list[str], seats: int) -> list[int]:
    sets = [0] * seats
    for line in lines:
        seat, _, cards = line.partition(" ")
        sets[int(seat)] |= read_cards(cards)
    return sets


def _write_gifts(gifts: tuple[tuple[int, int], ...]) -> str:
    return " ".join(f"{seat}:{cards_text(cards).replace(' ', ',')}" for seat, cards in gifts)


def _gifts_by_seat(
    lines: tuple[str, ...] | list[str], seats: int
) -> tuple[tuple[tuple[int, int], ...] | None, ...]:
    found: list[tuple[tuple[int, int], ...] | None] = [None] * seats
    for line in lines:
        seat, *gifts = line.split()
        pairs = [gift.split(":") for gift in gifts]
        found[int(seat)] = tuple((int(other), read_cards(cards)) for other, cards in pairs)
    return tuple(found)


def _write_steps(steps: tuple[Laid, ...]) -> str:
    return (
        " | ".join(
            f"{step.seat} "
            + (write_combination(step.combination) if step.combination else "pass")
            + (f" wish={rank_text(step.wish)}" if step.wish else "")
            for step in steps
        )
        or "-"
    )


def _read_steps(text: str) -> Iterator[Laid]:
    top: Combination | None = None
    for step in text.split("|") if text != "-" else ():
        seat, cards, *wish = step.split()
        if cards == "pass":
            yield Laid(int(seat), None)
            continue
        top = on_top(_read_combination(cards), top)
        yield Laid(int(seat), top, read_rank(wish[0].removeprefix("wish=")) if wish else None)


def _read_combination(text: str) -> Combination:
    cards, phoenix = read_play(text)
    for reading in readings(cards):
        if phoenix is None or reading.phoenix == phoenix:
            return reading
    raise NotationError(f"{text!r} is no combination")


def _read_submitted(line: str) -> tuple[int, Combination]:
    seat, cards = line.split()
    return int(seat), _read_combination(cards)


def _top_of(trick: tuple[Laid, ...]) -> tuple[Combination | None, int, int, int]:
    """Play to beat, its seat, passes since and all cards of a trick."""
    top, top_seat, passes, laid = None, -1, 0, 0
    for step in trick:
        if step.combination is None:
            passes += 1
        else:
            top, top_seat, passes = step.combination, step.seat, 0
            laid |= top.cards
    return top, top_seat, passes, laid


def _read_trick(line: str) -> Trick:
    steps, _, owner = line.partition("=>")
    winner, _, given_to = owner.partition(">")
    return Trick(
        tuple(_read_steps(steps.strip())),
        int(winner),
        int(given_to) if given_to.strip() else None,
    )


def _write_result(result: RoundResult) -> str:
    facts = result._asdict()
    facts["calls"] = [[seat, call.name.lower(), made] for seat, call, made in result.calls]
    return json.dumps(facts)


def _read_result(text: str) -> RoundResult:
    facts: dict[str, Any] = json.loads(text)
    facts["calls"] = [(seat, Call[call.upper()], made) for seat, call, made in facts["calls"]]
    for name, value in facts.items():
        if isinstance(value, list):
            facts[name] = tuple(value)
    return RoundResult(**facts)
