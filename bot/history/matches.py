"""Paged lists of finished matches, rounds that can be replayed, and facts of one match.

The caller decides on access: it passes the channels that the user can see.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from dataclasses import replace

from bot.errors import Reason, Refused
from bot.history.highlights import MatchFacts, match_facts
from bot.history.listing import PER_PAGE, HistoryQuery, Listing, Venue
from bot.history.seat_history import SeatedRound, with_seats_at
from bot.ids import ChannelId, GuildId, TableId, UserId, is_pseudonym
from bot.records import MatchRecord, TableRecord
from bot.storage import Store
from bot.storage.ended_matches import EndedQuery, Sight
from bot.table.state import Game, TableState


async def load_listing(
    store: Store, guild_id: GuildId, query: HistoryQuery, sight: Sight
) -> Listing:
    """Load a page of finished matches in channels that the user can see.

    Raise `Refused` for the matches of a hidden user (``profile-hidden``).
    """
    user_id = query.user_id
    if user_id not in (0, sight.asker_id) and await store.preferences.hidden([user_id]):
        raise Refused(Reason.PROFILE_HIDDEN)
    tables = await _load_tables(store, guild_id, query, sight)
    has_more = len(tables) > PER_PAGE
    if query.newer and not has_more:  # show the first page instead, which is full if possible
        query = replace(query, beyond=TableId(0), newer=False)
        tables = await _load_tables(store, guild_id, query, sight)
        has_more = len(tables) > PER_PAGE
    on_page = tables[:PER_PAGE]
    on_page.sort(reverse=True)
    records = await store.history.matches(on_page)
    sorted_records = [records[table] for table in on_page]
    return Listing(
        query,
        tuple(
            zip(
                on_page,
                await matches_for_reader(store, sorted_records, sight.asker_id),
                strict=True,
            )
        ),
        newer=has_more if query.newer else bool(query.beyond),
        older=query.newer or has_more,
    )


async def _load_tables(
    store: Store, guild_id: GuildId, query: HistoryQuery, sight: Sight
) -> list[TableId]:
    """Load the ids of the tables on a page, and one more if there is another page.

    The ids begin where the previous page ended.
    """
    ended_query = EndedQuery(
        guild_id,
        sight,
        user_id=query.user_id or None,
        channel_id=query.channel_id or None,
        beyond=query.beyond or None,
        newer=query.newer,
        limit=PER_PAGE + 1,
    )
    return await store.history.ended(ended_query)


async def load_venue(store: Store, record: TableRecord, asker_id: UserId) -> Venue:
    """Load the venue of a table, for this user."""
    sat = await store.history.took_part(record.id, asker_id)
    return Venue(record.channel_id, record.parent_channel_id, sat)


async def load_people(store: Store, table: TableState) -> frozenset[UserId]:
    """Load all people who sat at a table in its match, without erased ones."""
    seat_changes = await store.tables.seat_changes(table.id)
    users = {*table.user_ids(), *(change.user_id for change in seat_changes)}
    return frozenset(user for user in users if user is not None and not is_pseudonym(user))


async def load_table(
    store: Store, guild_id: GuildId | None, channel_id: ChannelId | None, number: TableId | None
) -> TableRecord:
    """Load the table with this number, by default the last of the channel with a finished round.

    Raise `Refused` if the table does not belong to this server.
    """
    if number is not None:
        missing = Refused(Reason.NO_SUCH_TABLE, number=number)
        return require_server(await store.tables.get(number), guild_id, missing)
    last = await store.history.last_table(channel_id) if channel_id is not None else None
    return require_server(last, guild_id, Refused(Reason.NOTHING_PLAYED_HERE))


async def load_own_table(store: Store, user_id: UserId, number: TableId | None) -> TableRecord:
    """Load the table with this number, by default the last one with a finished round of the user.

    Raise `Refused` unless they sat in its match.
    """
    if number is None:
        last = await store.history.last_table_of(user_id)
        if last is None:
            raise Refused(Reason.NOTHING_PLAYED)
        return last
    table = await store.tables.get(number)
    if table is None or not await store.history.took_part(number, user_id):
        raise Refused(Reason.NOT_YOUR_TABLE, number=number)
    return table


def require_server(
    table: TableRecord | None, guild_id: GuildId | None, missing: Refused
) -> TableRecord:
    """Return this table if it belongs to the server. Raise `missing` otherwise."""
    if table is None or table.guild_id != guild_id:
        raise missing
    return table


async def seated_rounds(store: Store, table: TableState) -> list[SeatedRound]:
    """Load the finished rounds of a table, by number."""
    rounds = await store.history.rounds(table.id)
    ends = await store.history.round_ends(table.id)
    seat_changes = await store.tables.seat_changes(table.id)
    return [
        (with_seats_at(table, seat_changes, ends.get(round_.number, 0)), round_)
        for round_ in rounds
    ]


async def load_facts(store: Store, game: Game) -> MatchFacts:
    """Load the facts of a finished match. Raise `ReplayError`."""
    if not game.match.variant.scored:
        return MatchFacts()
    rounds = await store.history.rounds(game.id)
    actions = await store.tables.actions(game.id)
    seat_changes = await store.tables.seat_changes(game.id)
    return await asyncio.to_thread(match_facts, game, rounds, actions, seat_changes)


async def matches_for_reader(
    store: Store, matches: Collection[MatchRecord], reader: UserId
) -> tuple[MatchRecord, ...]:
    """Return these matches without names that are hidden from `reader`."""
    user_ids = {seat.user_id for match in matches for seat in match.seats}
    hidden = await _hidden_users(store, user_ids)
    return tuple(
        match
        if any(seat.user_id == reader for seat in match.seats)
        else _match_without_names(match, hidden)
        for match in matches
    )


async def rounds_for_reader(
    store: Store, rounds: Collection[SeatedRound], reader: UserId
) -> list[SeatedRound]:
    """Return these rounds of one table without names that are hidden from `reader`."""
    user_ids = {user for table, _ in rounds for user in table.user_ids()}
    if reader in user_ids:
        return list(rounds)
    hidden = await _hidden_users(store, user_ids)
    return [(_table_without_names(table, hidden), round_) for table, round_ in rounds]


async def _hidden_users(store: Store, users: Iterable[UserId | None]) -> frozenset[UserId]:
    return await store.preferences.hidden({user for user in users if user is not None})


def _match_without_names(match: MatchRecord, hidden: Collection[UserId]) -> MatchRecord:
    seats = tuple(
        seat.model_copy(update={"name": ""}) if seat.user_id in hidden else seat
        for seat in match.seats
    )
    return match.model_copy(update={"seats": seats})


def _table_without_names(table: TableState, hidden: Collection[UserId]) -> TableState:
    chairs = tuple(
        chair.model_copy(update={"name": ""}) if chair.user_id in hidden else chair
        for chair in table.chairs
    )
    return replace(table, chairs=chairs)
