"""Text form of stored actions, and replay of a match from these actions.

The log of actions is authoritative. The first record starts the match, each round begins with a
deal, and all other records are in the engine's notation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.records import ActionRecord, Count
from bot.table.match_length import first_match
from engine import (
    CLOCK,
    Card,
    Event,
    IllegalAction,
    Match,
    NotationError,
    Options,
    Seat,
    apply,
    card_text,
    deal,
    read_action,
    read_card,
)
from engine.fair_deal import VERSION, FairDeal, read_fair_deal, write_fair_deal

_DEAL = "deal:"
"""Prefix of the record of a deal."""


def write_start(first_dealer: Seat, rounds: Count | None = None) -> str:
    """Return the record that starts a match (seat: `CLOCK`), perhaps with its agreed `rounds`."""
    return f"start:{first_dealer}" if rounds is None else f"start:{first_dealer}:{rounds}"


def write_deal(source: FairDeal | Sequence[Card]) -> str:
    """Return the record of a deal (seat: `CLOCK`); `source` is a fair deal or the deck order."""
    if isinstance(source, FairDeal):
        return _DEAL + write_fair_deal(source)
    return _DEAL + ",".join(map(card_text, source))


def read_deal(text: str) -> FairDeal | list[Card]:
    """Return the source of a deal from its record without the prefix; raise `NotationError`."""
    if text.startswith(f"{VERSION}:"):
        return read_fair_deal(text)
    return [read_card(card) for card in text.split(",")]


def is_deal(action: ActionRecord) -> bool:
    """Return whether this action is the deal of a round."""
    return action.seat == CLOCK and action.text.startswith(_DEAL)


def read_deal_record(action: ActionRecord) -> FairDeal | list[Card]:
    """Return the source of the deck that this action deals; raise `NotationError`."""
    return read_deal(action.text.removeprefix(_DEAL))


def deal_from(match: Match, source: FairDeal | Sequence[Card]) -> tuple[Match, list[Event]]:
    """Deal the match's next round from the source of its deck."""
    if not isinstance(source, FairDeal):
        return deal(match, source)
    deck = source.deck(len(match.results) + 1, match.variant.deck(match.options))
    seats = match.variant.chair_count(match.options)
    return deal(match, deck, source.first_dealer(seats) if source.draws_dealer else None)


def apply_record(
    match: Match | None, options: Options, seat: Seat, text: str
) -> tuple[Match, list[Event]]:
    """Return the match and events after one record; raise `TichuError`."""
    word, _, rest = text.partition(":")
    if seat == CLOCK and word == "start" and match is None:
        dealer, _, rounds = rest.partition(":")
        return first_match(options, int(dealer), int(rounds) if rounds else None), []
    if match is None:
        raise NotationError("a match begins with its start")
    if seat == CLOCK and word == "deal":
        return deal_from(match, read_deal(rest))
    return apply(match, read_action(seat, text))


def replay(options: Options, records: Iterable[ActionRecord]) -> Match | None:
    """Return the match after all records, or `None` if there are none.

    Raises `ReplayError` with the number of a record that does not fit, but without its text, which
    contains hidden cards.
    """
    match: Match | None = None
    for record in records:
        try:
            match, _ = apply_record(match, options, record.seat, record.text)
        except ValueError as error:  # base of all engine errors
            raise ReplayError(record.seq, error_kind(error)) from None
    return match


def error_kind(error: ValueError) -> str:
    """Return the kind of an error without its text, which may name cards.

    For an illegal action it is the code of the reason and the number of the rule.
    """
    if isinstance(error, IllegalAction):
        return f"{error.code}, {error.rule}"
    return type(error).__name__


class ReplayError(Exception):
    """Stored actions, options or details of a table cannot be read or replayed.

    `seq` is the number of the action that failed, or 0 if options or details cannot be read. `kind`
    is the result of `error_kind`, or empty.
    """

    def __init__(self, seq: Count, kind: str = "") -> None:
        super().__init__(
            f"stored action {seq} does not follow from those before it"
            if seq
            else "the options or the details cannot be read"
        )
        self.seq = seq
        self.kind = kind
