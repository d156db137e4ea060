"""Faster bookkeeping for a SimCord world, with the same settling at the same time.

Whenever SimCord waits for the bot to settle, it checks every callback and, for each waiting task,
every timer. A table has dozens of both: that took a quarter of all time here. SimCord also copies
that state before each check. All work of the event loop goes through four functions; nearly all of
it are steps of tasks, which are not recorded at all.
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
"""SimCord's view of work in flight, which gets our state instead of a copy."""
_virtualize = _looks._virtualize_recognized_waits
_TELLS_ITSELF = (asyncio.Task, _runtime._WorkState)
_NOTES_WHAT_IS_DONE = f"{_runtime._WorkState.track_task.__qualname__}.<locals>.done"
_time_of_bot = _dpy_internals._clock_monotonic
_hook_executors = _runtime._acquire_executor_hooks


class _State:
    """State that SimCord checks for each task, shared instead of copied."""

    __slots__ = ("_env", "work")

    def __init__(self, env: Env) -> None:
        self._env = env
        self.work: Any = env._work

    def with_callbacks(self, callbacks: list[Any]) -> _State:
        """Return the same state with other callbacks."""
        state = _State(self._env)
        state.work = replace(self.work, callbacks=callbacks)
        return state

    @property
    def bot(self) -> Any:
        """Return the running bot."""
        return self._env.bot

    @property
    def loop(self) -> Any:
        """Return the event loop."""
        return self._env._loop

    @property
    def virtual_time(self) -> float:
        """Return the time of the world in seconds since its start."""
        return self._env.backend.clock.elapsed

    @property
    def advancing(self) -> bool:
        """Return whether time is advancing."""
        return self._env._advancing

    @property
    def generation(self) -> int:
        """Return the generation of the running bot."""
        return self._env._generation

    @property
    def last_dispatch(self) -> str | None:
        """Return the last event sent to the bot."""
        return self._env._last_dispatch


def _state(env: Env) -> _State:
    """Return the state of this world, created once."""
    known = vars(env)
    if _STATE not in known:
        known[_STATE] = _State(env)
    state: _State = known[_STATE]
    return state


def _hooked(env: Env) -> None:
    """Run SimCord's hook of the loop; then let most callbacks bypass it.

    Callbacks that continue a task need no record, because the task itself is recorded. Neither do
    those by which SimCord notes that a task is done: it yields more often than these take before it
    finds that everything is settled. They are handled by `BaseEventLoop.call_soon`.
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
    """Move timers out of real time, checking only those that are still in it."""
    real = [record for record in state.work.callbacks if _runs(record.real_handle)]
    if real:
        _virtualize(state.with_callbacks(real), pending)


def _runs(handle: asyncio.TimerHandle | None) -> bool:
    return handle is not None and not handle.cancelled()


def _monotonic() -> float:
    """Return the time of the world to the bot, and real time to the event loop."""
    ours = _BOT_SCOPE.get() is None
    return _dpy_internals.real_monotonic() if ours else _time_of_bot()


def _now() -> datetime:
    """Return the time of the world; real time outside of it."""
    env = _runtime._selected_env()
    return datetime.now(UTC) if env is None else env.now()


def do_what_is_due(env: Env, deadline: float) -> None:
    """Run the bot's expired timers."""
    _looks._run_due_virtual_callbacks(_state(env), deadline)


def all_is_settled(env: Env, deadline: float) -> bool:
    """Return whether all work in flight waits for time or people.

    SimCord checks the same twice, with an iteration of the loop between. Call it when the loop has
    been idle for an iteration; `deadline` is the loop time until which SimCord would wait.
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
    """Let every world started from now on use this bookkeeping."""
    patch.setattr(_runtime, "_acquire_executor_hooks", _hooked)
    patch.setattr(_runtime._CallbackRecord, "__eq__", object.__eq__)  # compared by identity
    patch.setattr("simcord.env._virtualize_recognized_waits", _virtualized)
    patch.setattr(Env, "_settlement_state", _state)
    patch.setattr(_dpy_internals, "_clock_monotonic", _monotonic)
    patch.setattr("discord.utils.utcnow", _now)
