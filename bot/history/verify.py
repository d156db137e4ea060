"""Loads the table and the proof of a deal for ``/tichu verify``.

A proof contains the secret only if its round is over or will not be continued, and if no other
table can still play its deal.
"""

from __future__ import annotations

import asyncio

from bot.errors import Reason, Refused
from bot.history.deal_proof import Proof, prove_from_secret
from bot.history.matches import require_server
from bot.history.replay import refuse_damaged
from bot.history.seat_history import with_seats_at
from bot.history.shared_deals import are_deals_open
from bot.ids import ChannelId, GuildId, TableId
from bot.records import RoundNumber, TableRecord
from bot.storage import Store
from bot.table.action_log import ReplayError, is_deal, read_deal_record
from bot.table.restore import restore_outline
from engine.fair_deal import FairDeal, commitment


async def load_table_to_check(
    store: Store, guild_id: GuildId | None, channel_id: ChannelId | None, number: TableId | None
) -> TableRecord:
    """Load the table with this number, by default the newest of the channel.

    Raise `Refused` if the table does not belong to this server.
    """
    if number is not None:
        missing = Refused(Reason.NO_SUCH_TABLE, number=number)
        return require_server(await store.tables.get(number), guild_id, missing)
    last = await store.tables.last_in(channel_id) if channel_id is not None else None
    return require_server(last, guild_id, Refused(Reason.NO_TABLE_HERE))


async def load_proof(
    store: Store, record: TableRecord, number: RoundNumber | None = None
) -> Proof | None:
    """Load the proof of a round, or `None` if no round was dealt.

    The default is the last round whose secret is revealed, or else the running one. Raise
    `Refused` for a round that was not dealt and for a log that cannot be replayed.
    """
    try:
        return await _load_proof(store, record, number)
    except ReplayError as error:
        raise refuse_damaged(record, error) from None


async def _load_proof(
    store: Store, record: TableRecord, number: RoundNumber | None
) -> Proof | None:
    # In this order, because the actions may be newer than the record but never older.
    finished = await store.history.finished_rounds(record.id)
    actions = await store.tables.actions(record.id)
    seat_changes = await store.tables.seat_changes(record.id)
    table = restore_outline(record)
    deals = [action for action in actions if is_deal(action)]
    if record.status not in ("lobby", "playing"):
        finished = len(deals)  # a stopped round is not continued, so its secret is revealed
    if not await are_deals_open(store, table):
        finished = 0
    if number is None:
        number = finished or len(deals)
        if not number:
            return None
    if not 1 <= number <= len(deals):
        raise Refused(Reason.NO_SUCH_ROUND, number=number)
    table = with_seats_at(table, seat_changes, deals[number - 1].seq)
    try:
        deal = read_deal_record(deals[number - 1])
    except ValueError:
        raise ReplayError(deals[number - 1].seq) from None
    if not isinstance(deal, FairDeal):
        return Proof(table, number, None)
    deal_commitment = commitment(deal.secret)
    if number > finished:
        return Proof(table, number, deal_commitment)
    return await asyncio.to_thread(prove_from_secret, table, number, deal, actions)
