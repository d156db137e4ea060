"""One round of a stored table, recomputed from its secret: what ``/tichu verify`` shows.

A secret is only in the outcome when its round will not be played on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from bot.errors import Reason, Refused
from bot.history.played_round import PlayedRound
from bot.history.seat_history import seated_at
from bot.records import ActionRecord, RoundNumber, TableRecord
from bot.storage import Store
from bot.table.action_log import ReplayError, read_deal, step
from bot.table.restore import outline
from bot.table.state import TableState
from engine import CLOCK, Match
from engine import deal as dealt
from engine.fair_deal import FairDeal, commitment

log = logging.getLogger(__name__)

_DEAL = "deal:"


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
    deck: Sequence[int] = ()
    """The order of the cards, recomputed."""
    as_dealt: bool = False
    """Whether all cards lay where that order puts them."""
    dealer: int = 0
    """The seat that dealt."""
    ranks: Sequence[int] = ()
    """The seats by rank as the round before left them; empty: dealt without ranks."""
    dealer_drawn: bool | None = None
    """Of round 1: whether its dealer is the drawn one. None: no dealer was drawn."""


async def table_to_check(
    store: Store, guild_id: int | None, channel_id: int | None, number: int | None
) -> TableRecord:
    """The table with this number, by default the newest of the channel; only of this server."""
    if number is not None:
        found = await store.tables.get(number)
    else:
        found = await store.tables.last_in(channel_id) if channel_id is not None else None
    if found is None or found.guild_id != guild_id:
        raise (
            Refused(Reason.NO_TABLE_HERE)
            if number is None
            else Refused(Reason.NO_SUCH_TABLE, number=number)
        )
    return found


async def proof(store: Store, record: TableRecord, number: int | None = None) -> Proof | None:
    """The proof of a round, by default of the last one whose secret is told; else the running one.

    None when no round has been dealt. `Refused` for a round that was not dealt, and for a log that
    cannot be played again.
    """
    try:
        return await _proof(store, record, number)
    except ReplayError as error:
        log.error("table %s cannot be verified: %s", record.id, error)
        raise Refused(Reason.UNREADABLE_LOG) from None


async def _proof(store: Store, record: TableRecord, number: int | None) -> Proof | None:
    # In this order: what the actions say can be newer than the record, and never the other way.
    finished = len(await store.history.rounds(record.id))
    actions = await store.tables.actions(record.id)
    seat_changes = await store.tables.seat_changes(record.id)
    table = outline(record)
    deals = [action for action in actions if _is_deal(action)]
    if record.status not in ("lobby", "playing"):
        finished = len(deals)
    if number is None:
        number = finished or len(deals)
        if not number:
            return None
    if not 1 <= number <= len(deals):
        raise Refused(Reason.NO_SUCH_ROUND, number=number)
    table = seated_at(table, seat_changes, deals[number - 1].seq)
    found = _read(deals[number - 1])
    if not isinstance(found, FairDeal):
        return Proof(table, number, None)
    committed = commitment(found.secret)
    if number > finished:
        return Proof(table, number, committed)
    return await asyncio.to_thread(_recomputed, table, number, found, actions)


def _is_deal(action: ActionRecord) -> bool:
    return action.seat == CLOCK and action.text.startswith(_DEAL)


def _read(action: ActionRecord) -> FairDeal | list[int]:
    try:
        return read_deal(action.text.removeprefix(_DEAL))
    except ValueError:
        raise ReplayError(action.seq) from None


def _recomputed(
    table: TableState, number: int, deal: FairDeal, actions: Sequence[ActionRecord]
) -> Proof:
    """The round from its secret, compared with the log played again up to its end.

    Every card in the log was laid from the hand that was dealt, or it would not replay.
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
        if before is not None and _is_deal(action) and len(match.results) == number - 1:
            found = before, match
        if len(match.results) == number:
            break
    assert found is not None
    return _compared(table, number, deal, *found)


def proof_of(table: TableState, played: PlayedRound) -> Proof:
    """The proof of a round that is over and has been played again already."""
    deal = _read(played.actions[0])
    if not isinstance(deal, FairDeal):
        return Proof(table, played.number, None)
    return _compared(table, played.number, deal, played.before, played.dealt)


def _compared(table: TableState, number: int, deal: FairDeal, before: Match, after: Match) -> Proof:
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


def _places(match: Match) -> tuple[int, ...]:
    """Where all cards lie after a deal, as sets: hands, what they still get, the rest."""
    assert match.round is not None
    opening = match.round.opening
    hands = zip(match.round.hands, opening.stock, strict=True)
    return (*(hand.cards | stock for hand, stock in hands), opening.left_over)
