"""Stored actions as text, and a match rebuilt from them: the log is the truth.

The first record starts the match, each round begins with a deal; the rest is the engine's notation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.records import ActionRecord, Count
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
    new_match,
    read_action,
    read_card,
)
from engine.fair_deal import VERSION, FairDeal, read_fair_deal, write_fair_deal

_DEAL = "deal:"
"""How the record of a deal begins."""


def write_start(first_dealer: Seat) -> str:
    """The record that starts a match (seat: the clock)."""
    return f"start:{first_dealer}"


def write_deal(source: FairDeal | Sequence[Card]) -> str:
    """The record of a deal (seat: the clock): what it is made from, or a prepared deck order."""
    if isinstance(source, FairDeal):
        return _DEAL + write_fair_deal(source)
    return _DEAL + ",".join(map(card_text, source))


def read_deal(text: str) -> FairDeal | list[Card]:
    """The deal in a record, behind its first word; raises `NotationError`."""
    if text.startswith(f"{VERSION}:"):
        return read_fair_deal(text)
    return [read_card(card) for card in text.split(",")]


def is_deal(action: ActionRecord) -> bool:
    """Whether this action is the deal of a round."""
    return action.seat == CLOCK and action.text.startswith(_DEAL)


def deal_in(action: ActionRecord) -> FairDeal | list[Card]:
    """What a round was dealt from, in the action that is its deal. Raises `NotationError`."""
    return read_deal(action.text.removeprefix(_DEAL))


def deck_of(match: Match, source: FairDeal | Sequence[Card]) -> Sequence[Card]:
    """The deck order of the match's next round, from what it is made of."""
    if isinstance(source, FairDeal):
        return source.deck(len(match.results) + 1, match.variant.deck(match.options))
    return source


def step(match: Match | None, options: Options, seat: Seat, text: str) -> tuple[Match, list[Event]]:
    """The match after one record. Raises `TichuError` when the record does not fit."""
    word, _, rest = text.partition(":")
    if seat == CLOCK and word == "start" and match is None:
        return new_match(options, int(rest)), []
    if match is None:
        raise NotationError("a match begins with its start")
    if seat == CLOCK and word == "deal":
        return deal(match, deck_of(match, read_deal(rest)))
    return apply(match, read_action(seat, text))


def replay(options: Options, records: Iterable[ActionRecord]) -> Match | None:
    """The match after all records, `None` if there are none.

    Raises `ReplayError` naming the record that does not fit: not its text, which tells hands.
    """
    match: Match | None = None
    for record in records:
        try:
            match, _ = step(match, options, record.seat, record.text)
        except ValueError as error:  # which all errors of the engine are
            raise ReplayError(record.seq, kind_of(error)) from None
    return match


def kind_of(error: ValueError) -> str:
    """What kind of fault this is, without its text: that may name cards.

    For what the rules forbid that is the code of the reason and the number of the rule.
    """
    if isinstance(error, IllegalAction):
        return f"{error.code}, {error.rule}"
    return type(error).__name__


class ReplayError(Exception):
    """What is stored cannot be played again; `seq` is the number of the action at fault.

    It is 0 when the options or the details of the table are at fault. `kind` is that of `kind_of`,
    or empty.
    """

    def __init__(self, seq: Count, kind: str = "") -> None:
        super().__init__(
            f"stored action {seq} does not follow from those before it"
            if seq
            else "the options or the details cannot be read"
        )
        self.seq = seq
        self.kind = kind
