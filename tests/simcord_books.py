"""Lighter books for a SimCord world: what settles, and when, is the same with them.

Whenever it waits for the bot to settle, SimCord looks through every callback and, for each task
that waits, through every timer. A table has dozens of both: that took a quarter of all time here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from simcord import _dpy_internals, _runtime, _settlement

_BOT_SCOPE = _runtime._BOT_SCOPE
_track = _runtime._track_callback
_virtualize: Any = _settlement._virtualize_recognized_waits
_time_of_bot = _dpy_internals._clock_monotonic


class _State(NamedTuple):
    """What SimCord looks at for each task: its own class with these fields is slow to make."""

    work: Any
    bot: Any
    loop: Any
    virtual_time: float
    advancing: bool
    generation: int
    last_dispatch: str | None


def _tracked(work: Any, original: Callable[..., Any], callback: Any, args: Any, **how: Any) -> Any:
    """Write down a callback, unless a task goes on with it: that the task itself tells."""
    if how["when"] is None and isinstance(getattr(callback, "__self__", None), asyncio.Task):
        return original(callback, *args, context=how["context"])
    return _track(work, original, callback, args, **how)


def _virtualized(state: _State, pending: list[asyncio.Task[Any]]) -> None:
    """Take timers out of real time, looking only at those that are still in it."""
    real = [record for record in state.work.callbacks if _runs(record.real_handle)]
    if real:
        _virtualize(state._replace(work=replace(state.work, callbacks=real)), pending)


def _runs(handle: asyncio.TimerHandle | None) -> bool:
    return handle is not None and not handle.cancelled()


def _monotonic() -> float:
    """The time of the world for the bot; the real one for the event loop, which asks each turn."""
    ours = _BOT_SCOPE.get() is None
    return _dpy_internals.real_monotonic() if ours else _time_of_bot()


def keep_light_books(patch: pytest.MonkeyPatch) -> None:
    """Let every world that starts from now on keep its books so."""
    patch.setattr(_runtime, "_track_callback", _tracked)
    patch.setattr(_runtime._CallbackRecord, "__eq__", object.__eq__)  # it is looked for as itself
    patch.setattr("simcord.env._virtualize_recognized_waits", _virtualized)
    patch.setattr("simcord.env._SettlementState", _State)
    patch.setattr(_dpy_internals, "_clock_monotonic", _monotonic)
