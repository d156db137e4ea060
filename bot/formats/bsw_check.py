"""A log of BrettspielWelt played again by the engine: what `python -m bot import-log` does.

What a log leaves out (the rank of a Phoenix, when a bomb window closes) is filled in; what it says
must be legal, and must lead to the result it tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.formats.bsw_read import SEATS, Entry, LoggedRound
from engine.actions import (
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CallTichu,
    CloseWindow,
    GiveTrick,
    Pass,
    PassCards,
    Play,
)
from engine.cards import DECK_SIZE, PHOENIXES, indices
from engine.combinations import readings
from engine.errors import IllegalAction
from engine.match import apply, deal, new_match
from engine.options import Options
from engine.state import WINDOWS, Match, Phase, Round

_DECK = (1 << DECK_SIZE) - 1


class Disagreement(Exception):
    """The log and the engine part: in this line, and what the engine says about it.

    `reason` is the engine's refusal, or a sentence in English.
    """

    def __init__(self, line: int, reason: IllegalAction | str) -> None:
        super().__init__(line, reason)
        self.line = line
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Checked:
    """A log without disagreement: how many rounds it has, and how many of them have a result."""

    rounds: int
    finished: int


def check(rounds: Sequence[LoggedRound]) -> Checked:
    """Play all rounds; only the last one may be broken off. Raises `Disagreement`."""
    for number, round_ in enumerate(rounds, start=1):
        check_round(round_)
        if number < len(rounds) and not round_.finished:
            raise Disagreement(rounds[number].line, "The round before this one has no result.")
    return Checked(len(rounds), sum(round_.finished for round_ in rounds))


def check_round(logged: LoggedRound) -> list[Match]:
    """Play one round; every way to read it, with the round as far as it goes.

    There are several where the log does not tell what a Phoenix stood for and it made no
    difference. Raises `Disagreement`.
    """
    if not logged.hands:
        return []
    ways = [_opened(logged)]
    before: Entry | None = None
    for entry in logged.entries:
        if entry.line < logged.exchange_line or not logged.given:
            continue
        ways = _all_ways(ways, entry, before)
        before = entry if entry.kind != "tichu" else before
    return ways


def _all_ways(ways: list[Match], entry: Entry, before: Entry | None) -> list[Match]:
    """Where an entry leads to from all these positions; those it cannot follow are dropped."""
    found: dict[Round | None, Match] = {}
    refusals: list[Disagreement] = []
    for match in ways:
        for made in _choices(match, entry, before):
            try:
                after = _carried_out(match, entry, made)
            except IllegalAction as error:
                refusals.append(Disagreement(entry.line, error))
            except Disagreement as error:
                refusals.append(error)
            else:
                assert after.round is not None
                # How a Phoenix was read in an earlier trick makes no difference any more.
                found.setdefault(after.round._replace(past=()), after)
    if not found:
        raise refusals[0]
    return list(found.values())


# --- from the deck to the first lead --------------------------------------------------------------


def _opened(logged: LoggedRound) -> Match:
    """The round dealt, with the calls before the exchange, and the exchange if there was one."""
    match = _dealt(logged)
    early = [e for e in logged.entries if not logged.given or e.line < logged.exchange_line]
    callers = {entry.seat: entry for entry in early if entry.kind == "grand"}
    for seat in range(SEATS):
        match, _ = apply(match, AnswerGrand(seat, seat in callers))
    while match.round is not None and match.round.asked:
        asked = match.round.asked.bit_length() - 1
        match, _ = apply(match, AnswerWithdraw(asked, False))
    for entry in early:
        if entry.kind == "tichu":
            match = _tried(match, entry.line, CallTichu(entry.seat))
        elif entry is not callers.get(entry.seat):
            raise Disagreement(entry.line, "Before the exchange there are only calls, one a seat.")
    for seat, gifts in enumerate(logged.given):
        match = _tried(match, logged.exchange_line + 1 + seat, PassCards(seat, gifts))
    return match


def _dealt(logged: LoggedRound) -> Match:
    """A match with the hands of this round."""
    if sum(hand.bit_count() for hand in logged.hands) != DECK_SIZE or _union(logged) != _DECK:
        raise Disagreement(logged.line, "The four hands are not the cards of one deck.")
    order: list[list[int]] = []
    for first, hand in zip(logged.first, logged.hands, strict=True):
        if first & ~hand:
            raise Disagreement(logged.line, "Some of the first eight cards are not in the hand.")
        order.append([*indices(first), *indices(hand & ~first)])
    deck = [order[place % SEATS][place // SEATS] for place in range(DECK_SIZE)]
    match, _ = deal(new_match(Options()), deck)
    return match


def _union(logged: LoggedRound) -> int:
    cards = 0
    for hand in logged.hands:
        cards |= hand
    return cards


def _tried(match: Match, line: int, action: Action) -> Match:
    try:
        return apply(match, action)[0]
    except IllegalAction as error:
        raise Disagreement(line, error) from None


# --- play -----------------------------------------------------------------------------------------


def _choices(match: Match, entry: Entry, before: Entry | None) -> Iterator[tuple[Action, ...]]:
    """What an entry can mean here, as actions in a row; the likeliest first, at least one."""
    round_ = match.round
    assert round_ is not None
    seat = entry.seat
    closed = (CloseWindow(),) if round_.phase in WINDOWS else ()
    if entry.kind == "tichu":
        yield (CallTichu(seat),)
    elif entry.kind == "grand":
        yield (AnswerGrand(seat, True),)
    elif entry.kind == "gift":
        giver = round_.top_seat if closed else round_.turn
        yield (*closed, GiveTrick(giver, seat))
    elif entry.kind == "pass":
        if not _takes_the_trick(round_, entry, before):
            yield (*closed, Pass(seat))
        else:
            yield closed
    elif entry.kind == "play":
        yield from _plays(round_, entry, closed)
    else:
        yield ()


def _takes_the_trick(round_: Round, entry: Entry, before: Entry | None) -> bool:
    """Whether this pass is the winner's own, logged when everybody else has passed.

    It closes the trick; where nobody could have bombed it is closed already.
    """
    if round_.phase is Phase.CLOSING:
        return entry.seat == round_.top_seat
    if before is None or before.kind != "pass" or before.seat == entry.seat:
        return False
    if round_.phase is Phase.GIFT:
        return entry.seat == round_.turn
    return round_.phase is Phase.LEAD and round_.past[-1].winner == entry.seat


def _plays(round_: Round, entry: Entry, closed: tuple[Action, ...]) -> Iterator[tuple[Action, ...]]:
    """A play with all that its Phoenix can be, and a bomb before the window closes."""
    seat, cards, found = entry.seat, entry.cards, readings(entry.cards)
    if found and found[0].is_bomb and entry.wish is None:
        if closed:
            yield (Bomb(seat, cards), CloseWindow())
        elif round_.phase is Phase.TURN and round_.turn != seat:
            yield (Bomb(seat, cards),)
            return
        if closed and round_.phase is Phase.WINDOW:
            return  # in a window it is one out of turn, whoever's turn comes next
    if cards & PHOENIXES and len(found) > 1:
        for reading in found:
            yield (*closed, Play(seat, cards, reading.phoenix, entry.wish))
    else:
        yield (*closed, Play(seat, cards, None, entry.wish))


def _carried_out(match: Match, entry: Entry, actions: tuple[Action, ...]) -> Match:
    """The match after these actions; results and holders of bombs are compared."""
    for action in actions:
        match, _ = apply(match, action)
    if entry.kind == "result":
        _compare_result(match, entry)
    elif entry.kind == "bombs":
        _compare_bombs(match, entry)
    return match


def _compare_result(match: Match, entry: Entry) -> None:
    if not match.results:
        raise Disagreement(entry.line, "The round is not over.")
    score = match.results[-1].score
    if score != entry.result:
        raise Disagreement(entry.line, f"The result is {score[0]} - {score[1]}.")


def _compare_bombs(match: Match, entry: Entry) -> None:
    round_ = match.round
    assert round_ is not None
    seats = tuple(seat for seat, hand in enumerate(round_.hands) if hand.bombs())
    if seats != tuple(sorted(entry.seats)):
        holders = " ".join(f"({seat})" for seat in seats)
        raise Disagreement(entry.line, f"Bombs are held by {holders or 'nobody'}.")
