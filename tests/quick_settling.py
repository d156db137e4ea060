"""Faster event loop and settling of a SimCord world.

Before each look at what the bot waits for, SimCord compares every waiting task with every timer,
to cancel the timers' fallbacks in real time. Once they are cancelled there is nothing to do.

SimCord's record of a callback and the callback's handle refer to each other, which left two thirds
of a test's objects to the garbage collector. The loop keeps the handles of callbacks that run soon.
"""

from __future__ import annotations

import asyncio
import weakref
from typing import Any

import pytest
from simcord import env
from simcord._settlement import _SettlementState


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


def settle_quickly(patch: pytest.MonkeyPatch) -> None:
    """Let SimCord look for fallbacks only while a timer has one, and free callbacks at once."""
    cancel = vars(env)["_virtualize_recognized_waits"]

    def cancel_existing(state: _SettlementState, pending: list[asyncio.Task[Any]]) -> None:
        fallbacks = (record.real_handle for record in state.work.callbacks)
        if any(each is not None and not each.cancelled() for each in fallbacks):
            cancel(state, pending)

    patch.setattr("simcord.env._virtualize_recognized_waits", cancel_existing)
    patch.setattr("simcord._runtime._CallbackRecord", _CallbackRecord)
