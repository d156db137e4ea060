"""Faster event loop and settling of a SimCord world.

Before each look at what the bot waits for, SimCord compares every waiting task with every timer,
to cancel the timers' fallbacks in real time. Once they are cancelled there is nothing to do.

Bots answer by callbacks that are ready to run, and SimCord looked at every task and timer after
each of them. Here the loop runs them all before SimCord looks.

SimCord's record of a callback and the callback's handle refer to each other, which left two thirds
of a test's objects to the garbage collector. The loop keeps the handles of callbacks that run soon.
"""

from __future__ import annotations

import asyncio
import weakref
from datetime import timezone
from typing import Any

import pytest
from simcord import Env, env
from simcord._dpy_internals import _clock_monotonic as _virtual_or_real
from simcord._dpy_internals import real_monotonic
from simcord._runtime import _BOT_SCOPE
from simcord._settlement import _SettlementState

_TURNS = 10_000
"""Turns of the loop after which SimCord, which has a deadline, looks at a bot that never rests."""


class _CallbackRecord:
    """SimCord's record of a callback, with a weak reference to the handle unless it is a timer."""

    __slots__ = ("_handle", "label", "real_handle", "when")

    def __init__(self, handle: asyncio.Handle | None, when: float | None, label: str) -> None:
        self.when = when
        self.label = label
        self.real_handle: asyncio.TimerHandle | None = None
        self.handle = handle

    @property
    def handle(self) -> asyncio.Handle | None:
        """Return the handle, unless it has run."""
        return self._handle() if isinstance(self._handle, weakref.ref) else self._handle

    @handle.setter
    def handle(self, handle: asyncio.Handle | None) -> None:
        is_weak = handle is not None and self.when is None
        self._handle: Any = weakref.ref(handle) if is_weak else handle


class _State:
    """SimCord's state for settling, read from its world instead of copied for every task."""

    def __init__(self, world: Env) -> None:
        self._world = world
        self.work = world._work
        self.loop = world._loop

    bot = property(lambda self: self._world.bot)
    virtual_time = property(lambda self: self._world._virtual_time)
    advancing = property(lambda self: self._world._advancing)
    generation = property(lambda self: self._world._generation)
    last_dispatch = property(lambda self: self._world._last_dispatch)


def _has_ready_callbacks(world: Env) -> bool:
    immediate = (each.handle for each in world._work.callbacks if each.when is None)
    return any(handle is not None and not handle.cancelled() for handle in immediate)


def _monotonic() -> float:
    """Return the virtual time to a bot; the loop, which asks in each turn, gets the real one."""
    return real_monotonic() if _BOT_SCOPE.get() is None else _virtual_or_real()


def settle_quickly(patch: pytest.MonkeyPatch) -> None:
    """Let SimCord look rarely, and for fallbacks only while a timer has one; free callbacks."""
    settle = Env._settle_internal
    cancel = vars(env)["_virtualize_recognized_waits"]

    def cancel_existing(state: _SettlementState, pending: list[asyncio.Task[Any]]) -> None:
        fallbacks = (record.real_handle for record in state.work.callbacks)
        if any(each is not None and not each.cancelled() for each in fallbacks):
            cancel(state, pending)

    async def settle_ready(world: Env, **options: Any) -> None:
        turns = 0
        while turns < _TURNS and _has_ready_callbacks(world):
            turns += 1
            await asyncio.sleep(0)
        await settle(world, **options)

    patch.setattr("simcord._dpy_internals._clock_monotonic", _monotonic)
    # discord.py asks for it with each time, and SimCord's module looked it up the long way.
    patch.setattr("simcord._dpy_internals._DatetimeModule.timezone", timezone, raising=False)
    patch.setattr(Env, "_settle_internal", settle_ready)
    patch.setattr(Env, "_settlement_state", lambda world: _State(world))
    patch.setattr("simcord.env._virtualize_recognized_waits", cancel_existing)
    patch.setattr("simcord._runtime._CallbackRecord", _CallbackRecord)
