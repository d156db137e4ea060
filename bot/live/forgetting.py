"""Erasure of a person at all tables and in storage.

First the person leaves every table, then one transaction erases their data. Meanwhile requests by
or about them are refused, so that no new data are stored. A click that is in flight already is
handled before.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace

from bot.errors import Reason, Refused
from bot.ids import UserId
from bot.live.events import Committed, EventDispatcher, PersonForgotten
from bot.live.outcome_applier import OutcomeApplier, shielded
from bot.live.private_games import PrivateGames
from bot.live.registry import Activation, LoadedTable, Registry
from bot.live.solo_games import SoloGames
from bot.records import Change
from bot.runtime.clock import Now
from bot.storage import StorageError, Store
from bot.table.closing import stop_outcome
from bot.table.commands import Context, Leave, LeaveToComputer
from bot.table.dealing import DrawSecret
from bot.table.forgetting import contains_person, erase_in_details, erase_in_post, erase_person
from bot.table.outcome import Outcome
from bot.table.state import Game, OpenTable

log = logging.getLogger(__name__)


class Forgetting:
    """Erases people one after another.

    `opening` is held while a table is opened, or other data about a person are stored.
    """

    def __init__(
        self,
        store: Store,
        registry: Registry,
        applier: OutcomeApplier,
        events: EventDispatcher,
        now: Now,
        draw_secret: DrawSecret,
        opening: asyncio.Lock,
        activation: Activation,
        private_games: PrivateGames,
        solo_games: SoloGames,
    ) -> None:
        self._store = store
        self._registry = registry
        self._applier = applier
        self._events = events
        self._now = now
        self._draw_secret = draw_secret
        self._opening = opening
        self._activation = activation
        self._private_games = private_games
        self._solo_games = solo_games
        self._one_at_a_time = asyncio.Lock()
        self._erasing: UserId | None = None
        self.erasure_count = 0
        """Number of erasures; data read before the last one may name an erased person."""

    def check(self, *user_ids: UserId | None, since: int | None = None) -> None:
        """Raise `Refused` if one of these people is being erased.

        `since` is the value of `erasure_count` when the ids were read, if they were read earlier.
        Then also raise if anybody was erased since, because it may have been one of these people.
        """
        being_erased = self._erasing is not None and self._erasing in user_ids
        if being_erased or since not in (None, self.erasure_count):
            raise Refused(Reason.BEING_FORGOTTEN)

    @asynccontextmanager
    async def delay_erasure(self, user_id: UserId) -> AsyncIterator[None]:
        """Delay the erasure of a person while data about them are stored.

        Raises `Refused` if they are being erased.
        """
        async with self._opening:
            self.check(user_id)
            yield

    async def forget(self, user_id: UserId) -> bool:
        """Erase a person; return False if no data of them were stored.

        The erasure continues if the caller is cancelled. Raises `StorageError`; then they may have
        left their tables, but are not erased.
        """
        return await shielded(self._serialized(user_id))

    async def _serialized(self, user_id: UserId) -> bool:
        async with self._one_at_a_time:
            self._erasing = user_id
            try:
                return await self._forget(user_id)
            finally:
                self._erasing = None

    async def _forget(self, user_id: UserId) -> bool:
        async with self._opening:
            pass  # wait until a table that is being opened is in the registry
        self._private_games.end(user_id)
        self._solo_games.end(user_id)
        names = set[str]()
        for loaded in list(self._registry.all()):
            async with loaded.lock:  # wait for a click in flight
                names |= {chair.name for chair in loaded.state.chairs if chair.user_id == user_id}
                await self._leave(loaded, user_id)

        async with AsyncExitStack() as locks:
            affected = [
                loaded for loaded in self._registry.all() if contains_person(loaded.state, user_id)
            ]
            for loaded in affected:
                await locks.enter_async_context(loaded.lock)
                self._activation.activate(loaded)
            locked_ids = [loaded.state.id for loaded in affected]
            forgotten = await self._store.people.forget(user_id, _REWRITING, locked_ids)
            if forgotten is None:
                return False
            self.erasure_count += 1
            self._store.personal_settings.forget(user_id)
            for loaded in affected:
                before = loaded.state
                loaded.state = erase_person(before, user_id, forgotten.pseudonym)
                self._events.dispatch(Committed(before, loaded.state))

        for loaded in self._registry.all():
            loaded.clicks.pop(user_id, None)
        self._events.dispatch(PersonForgotten(user_id, forgotten.pseudonym, frozenset(names)))
        with suppress(StorageError):  # the write-ahead log is emptied after a later erasure
            await self._store.people.empty_log()
        log.info("user erased (tables: %s)", forgotten.tables)
        return True

    async def follow(self) -> None:
        """Remove people whom another process has erased from the tables of this process.

        All private games end, because their people may be erased and have no pseudonyms. Raises
        `StorageError`; then some erased people may still sit at tables.
        """
        self.erasure_count += 1
        self._private_games.end_all()
        self._solo_games.end_all()
        for table_id, pseudonyms in (await self._store.people.forgotten_at_open_tables()).items():
            loaded = self._registry.find(table_id)
            if loaded is not None:
                async with loaded.lock:
                    for pseudonym in pseudonyms:
                        await self._remove_erased(loaded, pseudonym)

    async def _remove_erased(self, loaded: LoadedTable, pseudonym: UserId) -> None:
        """Remove an erased person from a table.

        If the state in memory still has their real id, the table is reloaded from storage, where
        the pseudonym replaces the id.
        """
        self._activation.activate(loaded)
        before = loaded.state
        if not contains_person(before, pseudonym):
            await self._applier.reload(loaded)
            for old, new in zip(before.chairs, loaded.state.chairs, strict=True):
                if new.user_id == pseudonym and old.user_id is not None:
                    self._store.personal_settings.forget(old.user_id)
                    loaded.clicks.pop(old.user_id, None)
                    names = frozenset({old.name})
                    self._events.dispatch(PersonForgotten(old.user_id, pseudonym, names))
        await self._leave(loaded, pseudonym)

    async def _leave(self, loaded: LoadedTable, user_id: UserId) -> None:
        """Make a person leave an open table, as if they had left it themselves.

        If they are the host, another person at the table becomes the host.
        """
        if loaded.state.open and loaded.state.seat_of(user_id) is not None:
            self._activation.activate(loaded)
            await self._applier.apply(loaded, self._departure(loaded.state, user_id), user_id)
        people = loaded.state.user_ids()
        if loaded.state.open and loaded.state.host_id == user_id and people:
            self._activation.activate(loaded)
            after = replace(loaded.state, host_id=people[0])
            await self._applier.apply(loaded, Outcome(after, Change(host_id=people[0])), user_id)

    def _departure(self, table: OpenTable, user_id: UserId) -> Outcome:
        """Return the outcome of a person's departure from a table.

        A match without other people ends.
        """
        context = Context(self._now(), self._draw_secret)
        if isinstance(table, Game):
            if table.alone:
                return stop_outcome(table, context.now)
            return LeaveToComputer().carry_out(table, user_id, context)
        outcome = Leave().carry_out(table, user_id, context)
        assert outcome is not None, "they sat there"
        return outcome


class _Rewriting:
    """Erasure of a person from the JSON texts of tables, for the storage."""

    def details(self, details: str, user_id: UserId, pseudonym: UserId) -> str:
        """Return the details of a table without this person."""
        return erase_in_details(details, user_id, pseudonym)

    def post(self, data: str, user_id: UserId, names: Collection[str]) -> str | None:
        """Return an outbox message without this person; `None` if it must be deleted."""
        return erase_in_post(data, user_id, names)


_REWRITING = _Rewriting()
