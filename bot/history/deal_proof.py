"""Proof of a deal: recomputed from its secret and compared with the round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.boards.board import Board
from bot.history.played_round import PlayedRound
from bot.records import ActionRecord, RoundNumber
from bot.table.action_log import (
    ReplayError,
    apply_record,
    deal_from,
    is_deal,
    read_deal_record,
)
from bot.table.dealing import deal_number
from bot.table.state import TableState
from engine import Card, CardSet, Match, Seat
from engine.fair_deal import FairDeal, commitment


@dataclass(frozen=True, slots=True, repr=False)
class Proof:
    """Proof of the deal of a round."""

    table: TableState
    """Table with its players at the deal."""
    number: RoundNumber
    """Number of the round."""
    commitment: str | None
    """Commitment published before the deal; None for a deal without a secret."""
    deal: FairDeal | None = None
    """Secret and words of the deal; None until the secret is revealed."""
    deck: Sequence[Card] = ()
    """Recomputed order of the cards."""
    as_dealt: bool = False
    """True if all cards were dealt in that order."""
    dealer: Seat = 0
    """Seat of the dealer."""
    ranks: Sequence[Seat] = ()
    """Seats by rank after the previous round; empty in round 1 and in games without ranks."""
    dealer_drawn: bool | None = None
    """True if the dealer is the one drawn from the secret. None if none was drawn."""
    board: Board | None = None
    """Board of a solo round; None for a round of a table."""


def prove_from_secret(
    table: TableState, number: RoundNumber, deal: FairDeal, actions: Sequence[ActionRecord]
) -> Proof:
    """Return the proof of a round dealt from a secret, from all actions of the table.

    The actions are replayed up to the end of the round, so every card was played from the hand that
    was dealt. Raise `ReplayError`.
    """
    rules = table.options.rules
    match: Match | None = None
    around_deal: tuple[Match, Match] | None = None
    for action in actions:
        previous = match
        try:
            match, _ = apply_record(match, rules, action.seat, action.text)
        except ValueError:
            raise ReplayError(action.seq) from None
        if previous is not None and is_deal(action) and len(match.results) == number - 1:
            around_deal = previous, match
        if len(match.results) == number:
            break
    assert around_deal is not None
    return proof_of_deal(table, number, deal, *around_deal)


def proof_of_replay(table: TableState, played: PlayedRound) -> Proof:
    """Return the proof of a finished round that has been replayed already."""
    deal = read_deal_record(played.actions[0])  # readable, because the round could be replayed
    if not isinstance(deal, FairDeal):
        return Proof(table, played.number, None)
    return proof_of_deal(table, played.number, deal, played.before, played.dealt)


def proof_of_deal(
    table: TableState, number: RoundNumber, deal: FairDeal, before: Match, after: Match
) -> Proof:
    """Return the proof of a round: recompute its deal and compare the cards and the dealer.

    `before` and `after` are the matches just before and after the deal.
    """
    game = table.options.game
    assert after.round is not None
    dealer = after.round.dealer
    fair_deal = replace(deal, table=deal_number(table))
    deck = fair_deal.deck(number, game.deck(table.options.rules))
    as_dealt = _dealt_cards(after) == _dealt_cards(deal_from(before, fair_deal)[0])
    dealer_drawn = None
    if deal.draws_dealer or (number == 1 and table.options.first_dealer is None):
        dealer_drawn = fair_deal.first_dealer(len(table.chairs)) == dealer
    ranks = game.hierarchy(before)
    return Proof(
        table,
        number,
        commitment(deal.secret),
        fair_deal,
        deck,
        as_dealt,
        dealer,
        ranks,
        dealer_drawn,
    )


def _dealt_cards(match: Match) -> tuple[CardSet, ...]:
    """Return the dealt cards: those of each hand, then the cards left over.

    A hand includes cards that its player has not received yet.
    """
    assert match.round is not None
    opening = match.round.opening
    hands = zip(match.round.hands, opening.stock, strict=True)
    return (*(hand.cards | stock for hand, stock in hands), opening.left_over)
