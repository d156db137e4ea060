"""Access to deals that all tables of a round of an event play.

Until nobody can play them any more, nobody gets their secrets or anything that follows from them:
no hands, no files, no reviews. Who has played a deal could help others who have not.
"""

from __future__ import annotations

from bot.club.actions import Opened, read_action
from bot.club.event import restore
from bot.errors import Reason, Refused
from bot.storage import Store
from bot.table.dealing import plays_shared_deals
from bot.table.state import TableState


async def are_deals_open(store: Store, table: TableState) -> bool:
    """Return whether all hands and secrets of a table's finished rounds may be shown.

    Those of its own deals may. Shared deals may be shown once every match of the round has a
    result, or the event is over, and no table of the round is open. A table whose match does not
    count any more, for example after the deadline, may still be open.
    """
    link = table.options.event
    if link is None or not plays_shared_deals(table):
        return True
    stored = await store.club_events.get(link.event)
    if stored is None:  # it was deleted with its server, after all tables
        return True
    bodies = ((action.at, action.body) for action in stored.actions)
    event = restore(stored.record, stored.people, bodies)
    if not (event.is_over or event.rounds[link.round - 1].is_over):
        return False
    actions = [read_action(action.body) for action in stored.actions]
    opened = [each for each in actions if isinstance(each, Opened) and each.round == link.round]
    tables = {each.table_id for each in opened if each.table_id is not None}
    return not await store.tables.any_open({table.id, *tables})


async def check_deals_open(store: Store, table: TableState) -> None:
    """Raise `Refused` (``hands-not-yet``) if others can still play the deals of a table."""
    if not await are_deals_open(store, table):
        raise Refused(Reason.HANDS_NOT_YET)
