"""Writes finished Nanjing rounds as a BrettspielWelt log, which `bsw_read` can read.

A log numbers the seats in the direction of play. So in a clockwise game seats 1 and 3 of the engine
are seats 3 and 1 of the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bot.formats.bsw_cards import CARD_WORDS, RANK_WORDS, write_handles
from bot.formats.bsw_read import HEADINGS, SEATS
from bot.history.played_round import PlayedRound
from engine import (
    DOG,
    DRAGON,
    MAHJONG,
    PHOENIX,
    VARIANTS,
    Call,
    Called,
    CallsOpened,
    Card,
    CardSet,
    CardsPassed,
    Combination,
    DragonGiven,
    Event,
    Match,
    Options,
    Passed,
    Played,
    Round,
    RoundEnded,
    Seat,
    TrickTaken,
    Withdrawn,
    indices,
    rank_of,
)

_CALLS = {Call.TICHU: "Tichu", Call.GRAND: "Grosses Tichu"}
_SPECIAL_HEIGHTS = {DRAGON: 17, PHOENIX: 16, MAHJONG: 1, DOG: 0}
"""Sort keys of the special cards in a hand, among the ranks 2 to 14."""


def can_be_written(options: Options, rounds: Sequence[PlayedRound]) -> bool:
    """Return whether these rounds can be written as a log.

    The game must be the classic one, and no round may have ended by a missed wish.
    """
    return VARIANTS[options.variant].classic and all(r.result.penalty is None for r in rounds)


def write_log(
    options: Options, rounds: Iterable[PlayedRound], names: Iterable[Sequence[str]]
) -> str:
    """Return the log of these rounds. `names` has the names by seat for each round."""
    return "".join(
        f"{line}\n"
        for played, names_in_round in zip(rounds, names, strict=True)
        for line in _Writer(options, names_in_round).lines(played)
    )


class _Writer:
    """Writer of one round, which omits calls that are withdrawn later."""

    def __init__(self, options: Options, names: Sequence[str]) -> None:
        step = -1 if options.clockwise else 1
        self._order = tuple(step * place % SEATS for place in range(SEATS))
        self._names = write_handles(names)
        self._lines: list[str] = []

    def lines(self, played: PlayedRound) -> list[str]:
        """Return the lines of a round, without line ends."""
        self._write_hands(HEADINGS[0], [hand.cards for hand in _round_of(played.dealt).hands])
        for position in played.positions:
            for event in position.events:
                self._lines.extend(self._event_lines(event, position.match))
                if isinstance(event, Withdrawn) and event.call is Call.TICHU:
                    self._remove_last(f"{_CALLS[event.call]}: {self._seat_with_name(event.seat)}")
        return self._lines

    def _remove_last(self, line: str) -> None:
        """Remove the last of the written lines that are equal to this line."""
        place = len(self._lines) - 1 - self._lines[::-1].index(line)
        del self._lines[place]

    def _seat_with_name(self, seat: Seat) -> str:
        """Return a seat as written in a log, with its number there and its name."""
        return f"({self._order.index(seat)}){self._names[seat]}"

    def _write_hands(self, heading: str, hands: Sequence[CardSet]) -> None:
        """Write a heading and the cards of each seat."""
        self._lines.append(_heading(heading))
        for seat in self._order:
            self._lines.append(
                f"{self._seat_with_name(seat)} {_card_words(_sort_hand(hands[seat]))}"
            )

    def _event_lines(self, event: Event, match: Match) -> Iterator[str]:
        """Yield the lines for an event, which may be none. `match` is the match after it."""
        match event:
            case CallsOpened():
                self._write_hands(HEADINGS[1], [hand.cards for hand in _round_of(match).hands])
            case Called(seat=seat, call=call):
                yield f"{_CALLS[call]}: {self._seat_with_name(seat)}"
            case CardsPassed():
                yield from self._exchange_lines(match)
            case Played(seat=seat, combination=combination, wish=wish):
                yield f"{self._seat_with_name(seat)}: {laid_words(combination)}"
                if wish is not None:
                    yield f"Wunsch:{RANK_WORDS[wish]}"
            case Passed(seat=seat):
                yield self._pass_line(seat)
            case TrickTaken(seat=seat):
                yield from self._pass_of_winner(match, seat)
            case DragonGiven(seat=seat, receiver=receiver):
                yield from self._pass_of_winner(match, seat)
                yield f"Drache an: {self._seat_with_name(receiver)}"
            case RoundEnded(result=result):
                yield f"Ergebnis: {result.score[0]} - {result.score[1]}"

    def _pass_line(self, seat: Seat) -> str:
        return f"{self._seat_with_name(seat)} passt."

    def _pass_of_winner(self, match: Match, winner: Seat) -> Iterator[str]:
        """Yield the pass of the winner of a trick, which logs have after all others have passed.

        Yield nothing if the trick ended with a play, or if the winner has no cards left.
        """
        round_ = _round_of(match)
        if round_.past[-1].steps[-1].combination is None and round_.has_cards(winner):
            yield self._pass_line(winner)

    def _exchange_lines(self, match: Match) -> Iterator[str]:
        """Yield the lines of the exchange and of the bombs after it.

        Each seat gives to the next one, to the partner and to the previous one.
        """
        round_ = _round_of(match)
        yield "Schupfen:"
        for place, seat in enumerate(self._order):
            gifts = dict(round_.opening.given[seat] or ())
            receivers = [self._order[(place + step) % SEATS] for step in (1, 2, 3)]
            given = "".join(
                f"{self._names[receiver]}: {_card_words(indices(gifts[receiver]))}- "
                for receiver in receivers
            )
            yield f"{self._seat_with_name(seat)} gibt: {given}"
        holders = [self._seat_with_name(seat) for seat in self._order if round_.hands[seat].bombs()]
        if holders:
            yield f"BOMBE: {' '.join(holders)} "
        yield _heading(HEADINGS[2])


def _round_of(match: Match) -> Round:
    assert match.round is not None
    return match.round


def _heading(words: str) -> str:
    return f"{'-' * 15}{words}{'-' * 18}"


def _card_words(cards: Iterable[Card]) -> str:
    """Return the names of cards in a log, each followed by a blank."""
    return "".join(f"{CARD_WORDS[card]} " for card in cards)


def _sort_hand(cards: CardSet) -> list[Card]:
    """Return the cards of a hand, from the Dragon down to the Dog."""
    return sorted(indices(cards), key=lambda card: (-_sort_rank(card), card))


def _sort_rank(card: Card) -> int:
    """Return the sort key of a card: its rank, or `_SPECIAL_HEIGHTS` for a special card."""
    return _SPECIAL_HEIGHTS[card] if card in _SPECIAL_HEIGHTS else rank_of(card)


def laid_words(combination: Combination) -> str:
    """Return the cards of a play as written in a log, from the highest card down.

    The Phoenix comes before the cards of its rank, as on BrettspielWelt. Other programs derive its
    rank from this position.
    """
    ranks = dict(zip((PHOENIX,), combination.phoenix, strict=False))  # empty without a Phoenix
    return _card_words(
        sorted(
            indices(combination.cards),
            key=lambda card: (-ranks.get(card, _sort_rank(card)), card != PHOENIX, card),
        )
    )
