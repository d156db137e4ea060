"""The deal of one round, recomputed from its secret and compared with what was played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.history.played_round import PlayedRound
from bot.records import ActionRecord, RoundNumber
from bot.table.action_log import ReplayError, deal_in, is_deal, step
from bot.table.state import TableState
from engine import Card, CardSet, Match, Seat
from engine import deal as dealt
from engine.fair_deal import FairDeal, commitment


@dataclass(frozen=True, slots=True, repr=False)
class Proof:
    """What can be told of a round."""

    table: TableState
    """The table as it sat at the deal."""
    number: RoundNumber
    """The number of the round."""
    commitment: str | None
    """What was published before the deal; None for a deal that was not made from a secret."""
    deal: FairDeal | None = None
    """What the deal was made from; None until the secret is told."""
    deck: Sequence[Card] = ()
    """The order of the cards, recomputed."""
    as_dealt: bool = False
    """Whether all cards lay where that order puts them."""
    dealer: Seat = 0
    """The seat that dealt."""
    ranks: Sequence[Seat] = ()
    """The seats by rank as the round before left them; empty: dealt without ranks."""
    dealer_drawn: bool | None = None
    """Of round 1: whether its dealer is the drawn one. None: no dealer was drawn."""


def recomputed(
    table: TableState, number: RoundNumber, deal: FairDeal, actions: Sequence[ActionRecord]
) -> Proof:
    """The proof of a round that was dealt from a secret, from all actions of the table.

    They are played again up to the end of the round: every card was laid from the hand that was
    dealt, or it would not replay. Raises `ReplayError`.
    """
    rules = table.options.rules
    match: Match | None = None
    found: tuple[Match, Match] | None = None
    for action in actions:
        before = match
        try:
            match, _ = step(match, rules, action.seat, action.text)
        except ValueError:
            raise ReplayError(action.seq) from None
        if before is not None and is_deal(action) and len(match.results) == number - 1:
            found = before, match
        if len(match.results) == number:
            break
    assert found is not None
    return _compared(table, number, deal, *found)


def proof_of(table: TableState, played: PlayedRound) -> Proof:
    """The proof of a round that is over and has been played again already."""
    deal = deal_in(played.actions[0])  # which could be read when the round was played again
    if not isinstance(deal, FairDeal):
        return Proof(table, played.number, None)
    return _compared(table, played.number, deal, played.before, played.dealt)


def _compared(
    table: TableState, number: RoundNumber, deal: FairDeal, before: Match, after: Match
) -> Proof:
    """A round `before` and `after` its deal, beside what the secret deals."""
    game = table.options.game
    assert after.round is not None
    dealer = after.round.dealer
    fair = FairDeal(deal.secret, table.id, deal.words)
    deck = fair.deck(number, game.deck(table.options.rules))
    as_dealt = _places(after) == _places(dealt(before, deck)[0])
    drawn = None
    if number == 1 and table.options.first_dealer is None:
        drawn = fair.first_dealer(len(table.chairs)) == dealer
    ranks = game.hierarchy(before)
    return Proof(table, number, commitment(deal.secret), fair, deck, as_dealt, dealer, ranks, drawn)


def _places(match: Match) -> tuple[CardSet, ...]:
    """Where all cards lie after a deal, as sets: hands, what they still get, the rest."""
    assert match.round is not None
    opening = match.round.opening
    hands = zip(match.round.hands, opening.stock, strict=True)
    return (*(hand.cards | stock for hand, stock in hands), opening.left_over)
