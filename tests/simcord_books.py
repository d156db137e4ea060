"""Lighter books for a SimCord world: what settles, and when, is the same with them.

Whenever it waits for the bot to settle, SimCord looks through every callback and, for each task
that waits, through every timer. A table has dozens of both: that took a quarter of all time here.
Before each look it copies what it looks at. And whatever the event loop is to do goes through four
functions; nearly all of it are steps of tasks, which are not written down at all.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from simcord import Env, _dpy_internals, _runtime, _settlement

_STATE = "state_in_light_books"
_BOT_SCOPE = _runtime._BOT_SCOPE
_looks: Any = _settlement
"""How SimCord looks at what is under way; here it is shown our state, not a copy."""
_virtualize = _looks._virtualize_recognized_waits
_TELLS_ITSELF = (asyncio.Task, _runtime._WorkState)
_NOTES_WHAT_IS_DONE = f"{_runtime._WorkState.track_task.__qualname__}.<locals>.done"
_time_of_bot = _dpy_internals._clock_monotonic
_hook_executors = _runtime._acquire_executor_hooks


class _State:
    """What SimCord looks at for each task: as it is, not a copy of it."""

    __slots__ = ("_env", "work")

    def __init__(self, env: Env) -> None:
        self._env = env
        self.work: Any = env._work

    def with_callbacks(self, callbacks: list[Any]) -> _State:
        """The same with other callbacks."""
        state = _State(self._env)
        state.work = replace(self.work, callbacks=callbacks)
        return state

    @property
    def bot(self) -> Any:
        """The bot that runs now."""
        return self._env.bot

    @property
    def loop(self) -> Any:
        """The event loop."""
        return self._env._loop

    @property
    def virtual_time(self) -> float:
        """The time of the world, in seconds since its start."""
        return self._env.backend.clock.elapsed

    @property
    def advancing(self) -> bool:
        """Whether time passes just now."""
        return self._env._advancing

    @property
    def generation(self) -> int:
        """Which of the bots of this world runs."""
        return self._env._generation

    @property
    def last_dispatch(self) -> str | None:
        """What was sent to the bot last."""
        return self._env._last_dispatch


def _state(env: Env) -> _State:
    """The one of this world, which is made once."""
    known = vars(env)
    if _STATE not in known:
        known[_STATE] = _State(env)
    state: _State = known[_STATE]
    return state


def _hooked(env: Env) -> None:
    """Hook what SimCord does when it has hooked the loop; then let most callbacks pass it by.

    A callback with which a task goes on need not be written down: that the task itself tells. Nor
    need those with which SimCord notes that a task is done: it gives way more often than these take
    turns before it finds that all is settled. They become what `BaseEventLoop.call_soon` makes.
    """
    _hook_executors(env)
    loop: Any = env._loop
    write_down, ready = loop.call_soon, loop._ready

    def call_soon(callback: Any, *args: Any, context: Any = None) -> asyncio.Handle:
        handle: asyncio.Handle
        if (
            isinstance(getattr(callback, "__self__", None), _TELLS_ITSELF)
            or getattr(callback, "__qualname__", None) == _NOTES_WHAT_IS_DONE
        ):
            handle = asyncio.Handle(callback, args, loop, context)
            ready.append(handle)
        else:
            handle = write_down(callback, *args, context=context)
        return handle

    loop.call_soon = call_soon


def _virtualized(state: _State, pending: list[asyncio.Task[Any]]) -> None:
    """Take timers out of real time, looking only at those that are still in it."""
    real = [record for record in state.work.callbacks if _runs(record.real_handle)]
    if real:
        _virtualize(state.with_callbacks(real), pending)


def _runs(handle: asyncio.TimerHandle | None) -> bool:
    return handle is not None and not handle.cancelled()


def _monotonic() -> float:
    """The time of the world for the bot; the real one for the event loop, which asks each turn."""
    ours = _BOT_SCOPE.get() is None
    return _dpy_internals.real_monotonic() if ours else _time_of_bot()


def _now() -> datetime:
    """The time of the world; the real one outside of it."""
    env = _runtime._selected_env()
    return datetime.now(UTC) if env is None else env.now()


def do_what_is_due(env: Env, deadline: float) -> None:
    """Run the timers of the bot whose time has come."""
    _looks._run_due_virtual_callbacks(_state(env), deadline)


def all_is_settled(env: Env, deadline: float) -> bool:
    """Whether all that is under way waits for something that only time or people can bring.

    SimCord asks the same twice, with a turn of the loop between. To be asked when the loop has had
    nothing to do for a turn; `deadline` is the time of the loop until which SimCord would wait.
    """
    state, work = _state(env), env._work
    if (
        work.executors
        or env._real_advance_task
        or env._advance_task not in (None, asyncio.current_task())
    ):
        return False
    tasks, callbacks = _looks._owned_tasks(state), _looks._active_callbacks(state)
    _virtualized(state, tasks)
    return all(_looks._callback_is_parked(state, each, deadline) for each in callbacks) and all(
        _looks._is_parked(state, each, deadline) for each in tasks
    )


def keep_light_books(patch: pytest.MonkeyPatch) -> None:
    """Let every world that starts from now on keep its books so."""
    patch.setattr(_runtime, "_acquire_executor_hooks", _hooked)
    patch.setattr(_runtime._CallbackRecord, "__eq__", object.__eq__)  # it is looked for as itself
    patch.setattr("simcord.env._virtualize_recognized_waits", _virtualized)
    patch.setattr(Env, "_settlement_state", _state)
    patch.setattr(_dpy_internals, "_clock_monotonic", _monotonic)
    patch.setattr("discord.utils.utcnow", _now)
