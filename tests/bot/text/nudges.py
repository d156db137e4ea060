"""Notices outside of tables and hands: nudges, pauses, news and failures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeAlias, get_args

from bot.ids import ChannelId
from bot.table.details import LostThread, OpenTurn
from bot.table.posts import StoppedPost
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.clicks.stopping import vote_over, voted_page
from cogs.delivery.messages import Message, wording_of
from cogs.pages.controls import Notice, Page, text
from cogs.pages.table.blocked import Blocked, blocked_text, permission_names
from cogs.pages.table.nudge import (
    Nudged,
    direct_notice,
    lost_thread_notice,
    nudge_notice,
    restarted_notice,
)
from cogs.pages.table.reactions import Reaction, reaction_confirmation
from tests.bot.states import NOON, chairs, state
from tests.bot.text.samples import lobbies
from tests.engine.positions import dealt

Named: TypeAlias = Iterator[tuple[str, Page | Notice]]


def nudging_pages(names: tuple[str, ...], to: Speaker) -> Named:
    """Yield nudges of live and turn-based tables, public and direct, and other news."""
    live = state(dealt(), chairs=chairs(names))
    days: Any = {"turn_limit_s": 86400}
    slow = replace(live, options=live.options.model_copy(update=days))
    assert slow.options.turn_based
    for at in (live, slow):
        yield from _nudges(at, to)
        yield from _lost_threads(at, to)
        for after in (
            replace(at, status="stopped"),
            at,
            at.with_notes(votes=tuple(at.user_ids()[:1])),
        ):
            yield "voted to stop", voted_page(after, to)
        yield "restarted", restarted_notice(at, to)
        for forgotten in (False, True):
            message = Message(StoppedPost(forgotten=forgotten), at)
            yield f"stopped, forgotten: {forgotten}", wording_of(message, at, to, {}).content
    yield from _troubles(to)
    yield "voted to stop: lobby", voted_page(next(iter(lobbies(names))), to)
    yield "voted too late", Page(text(vote_over(to.say)))
    for reaction in Reaction:
        for waits in (False, True):
            yield (
                f"said: {reaction}",
                Page(text(reaction_confirmation(reaction, to, is_delayed=waits))),
            )


def _nudges(at: Game, to: Speaker) -> Named:
    people = tuple(at.user_ids())
    nudged = Nudged(people, people[:1])
    turns = {
        chair: OpenTurn(turn="1", until=NOON, reminded=chair > 0)
        for chair in range(len(at.chairs))
        if at.options.turn_based
    }
    paused = at.with_timers(paused=True, deadlines={"abandoned": NOON})
    for now in (at, at.with_timers(turns=turns), paused):
        yield "nudge", nudge_notice(now, nudged, to)
        for person in people[:2]:
            yield "nudge by a direct message", direct_notice(now, person, to)


def _lost_threads(at: Game, to: Speaker) -> Named:
    at = replace(at, parent_channel_id=ChannelId(10**18))
    for lost in get_args(LostThread):
        paused = at.with_timers(paused=True, lost_thread=lost)
        for everybody in (False, True):
            for unreached in ((), tuple(paused.user_ids()[:1])):
                nudged = Nudged(tuple(paused.user_ids()[:1]), unreached)
                notice = lost_thread_notice(paused, nudged, to, everybody=everybody)
                yield f"thread: {lost}", notice


def _troubles(to: Speaker) -> Named:
    for blocked in (
        Blocked(ChannelId(10**18)),
        Blocked(ChannelId(10**18), permissions=tuple(permission_names(to.say))),
        Blocked(ChannelId(10**18), closed=True),
    ):
        yield f"trouble: {blocked}", Page(text(blocked_text(blocked, to.say)))
