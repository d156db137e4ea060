"""Somebody wants to be forgotten: they leave every table, then all of it goes in one transaction.

Until that is done nothing can be asked by them or for them, so that nothing of them comes back
meanwhile. A click of theirs that was being carried out is done before.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace

from bot.errors import Reason, Refused
from bot.ids import UserId
from bot.live.commits import Commits
from bot.live.events import Committed, EventDispatcher, PersonForgotten
from bot.live.registry import Live, Registry, Waking
from bot.records import Change
from bot.runtime.clock import Now
from bot.storage import StorageError, Store
from bot.table.closing import stopped
from bot.table.commands import Context, Leave, LeaveToComputer
from bot.table.dealing import DrawSecret
from bot.table.forgetting import forget_in_details, forget_in_post, forgetting, mentions
from bot.table.outcome import Outcome
from bot.table.state import Game, OpenTable

log = logging.getLogger(__name__)


class Forgetting:
    """Forgets one person after the other.

    `opening` is held while a table is opened, or something else about a person is stored.
    """

    def __init__(
        self,
        store: Store,
        registry: Registry,
        commits: Commits,
        events: EventDispatcher,
        now: Now,
        draw_secret: DrawSecret,
        opening: asyncio.Lock,
        waking: Waking,
    ) -> None:
        self._store = store
        self._registry = registry
        self._commits = commits
        self._events = events
        self._now = now
        self._draw_secret = draw_secret
        self._opening = opening
        self._waking = waking
        self._turn = asyncio.Lock()
        self._going: UserId | None = None
        self.times = 0
        """How often somebody was forgotten: what was read before may still tell of them."""

    def check(self, *user_ids: UserId | None, since: int | None = None) -> None:
        """`Refused` if one of these people is being forgotten just now.

        Also if anybody was forgotten after `times` was `since`: perhaps it was one of these.
        """
        going = self._going is not None and self._going in user_ids
        if going or since not in (None, self.times):
            raise Refused(Reason.BEING_FORGOTTEN)

    @asynccontextmanager
    async def keeping(self, user_id: UserId) -> AsyncIterator[None]:
        """Something about a person is being stored: they are not forgotten meanwhile.

        `Refused` if they are being forgotten just now.
        """
        async with self._opening:
            self.check(user_id)
            yield

    async def forget(self, user_id: UserId) -> bool:
        """Forget a person; `False` if nothing was stored of them.

        Even if whoever asked is cancelled meanwhile. Raises `StorageError`: then they have left
        their tables at most, and are not forgotten.
        """
        work = asyncio.ensure_future(self._in_turn(user_id))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            await asyncio.gather(work, return_exceptions=True)
            raise

    async def _in_turn(self, user_id: UserId) -> bool:
        async with self._turn:
            self._going = user_id
            try:
                return await self._forget(user_id)
            finally:
                self._going = None

    async def _forget(self, user_id: UserId) -> bool:
        async with self._opening:
            pass  # a table that was being opened is there now, and what was being stored
        names = set[str]()
        for live in list(self._registry.all()):
            async with live.lock:  # and what was being carried out is done
                names |= {chair.name for chair in live.state.chairs if chair.user_id == user_id}
                await self._leave(live, user_id)
        async with AsyncExitStack() as locks:
            concerned = [live for live in self._registry.all() if mentions(live.state, user_id)]
            for live in concerned:
                await locks.enter_async_context(live.lock)
                self._waking.wake(live)
            held = [live.state.id for live in concerned]
            forgotten = await self._store.people.forget(user_id, _REWRITING, held)
            if forgotten is None:
                return False
            self.times += 1
            self._store.personal_settings.forget(user_id)
            for live in concerned:
                before = live.state
                live.state = forgetting(before, user_id, forgotten.pseudonym)
                self._events.dispatch(Committed(before, live.state))
        for live in self._registry.all():
            live.clicks.pop(user_id, None)
        self._events.dispatch(PersonForgotten(user_id, forgotten.pseudonym, frozenset(names)))
        with suppress(StorageError):  # it is emptied some other time
            await self._store.people.empty_log()
        log.info("a person is forgotten (tables at which they were: %s)", forgotten.tables)
        return True

    async def follow(self) -> None:
        """Have everybody leave the tables of this process whom another one has forgotten.

        Raises `StorageError`; then some sit there still.
        """
        self.times += 1
        for table_id, pseudonyms in (await self._store.people.forgotten_at_open_tables()).items():
            live = self._registry.find(table_id)
            if live is not None:
                async with live.lock:
                    for pseudonym in pseudonyms:
                        await self._followed(live, pseudonym)

    async def _followed(self, live: Live, pseudonym: UserId) -> None:
        """Have somebody leave a table who is forgotten, and of whom it may not know that yet."""
        self._waking.wake(live)
        before = live.state
        if not mentions(before, pseudonym):
            await self._commits.read_anew(live)
            for chair, now in zip(before.chairs, live.state.chairs, strict=True):
                if now.user_id == pseudonym and chair.user_id is not None:
                    self._store.personal_settings.forget(chair.user_id)
                    live.clicks.pop(chair.user_id, None)
                    names = frozenset({chair.name})
                    self._events.dispatch(PersonForgotten(chair.user_id, pseudonym, names))
        await self._leave(live, pseudonym)

    async def _leave(self, live: Live, user_id: UserId) -> None:
        """Have a person leave an open table at which they sit, as if they had asked for it.

        If they are its host, somebody else is from now on.
        """
        if live.state.open and live.state.seat_of(user_id) is not None:
            self._waking.wake(live)
            await self._commits.commit(live, self._left(live.state, user_id), user_id)
        people = live.state.user_ids()
        if live.state.open and live.state.host_id == user_id and people:
            self._waking.wake(live)
            after = replace(live.state, host_id=people[0])
            await self._commits.commit(live, Outcome(after, Change(host_id=people[0])), user_id)

    def _left(self, table: OpenTable, user_id: UserId) -> Outcome:
        """The table after this person has left; a match that they play alone is over."""
        context = Context(self._now(), self._draw_secret)
        if isinstance(table, Game):
            if table.alone:
                return stopped(table, context.now)
            return LeaveToComputer().carry_out(table, user_id, context)
        left = Leave().carry_out(table, user_id, context)
        assert left is not None, "they sat there"
        return left


class _Rewriting:
    """How storage takes a person out of what tables have written as JSON."""

    def details(self, details: str, user_id: UserId, pseudonym: UserId) -> str:
        """The details of a table without this person."""
        return forget_in_details(details, user_id, pseudonym)

    def post(self, data: str, user_id: UserId, names: Collection[str]) -> str | None:
        """A message of the outbox without this person; `None` if it goes."""
        return forget_in_post(data, user_id, names)


_REWRITING = _Rewriting()
