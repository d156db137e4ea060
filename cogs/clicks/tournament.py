"""Tournaments: partners, standings and own matches, and what their organiser changes."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Sequence
from datetime import UTC, datetime
from typing import get_args

import discord

from bot.club import league, tournament
from bot.club.actions import Action
from bot.club.competition import EntrantNumber
from bot.club.event import ClubEvent, EventEntrant
from bot.club_records import PersonNumber
from bot.errors import Reason, Refused
from bot.formats.tournament import tournament_csv, tournament_json
from cogs.clicks.club import event_of, manage, may_manage_event, own_event
from cogs.clicks.context import ClickContext
from cogs.clicks.limits import FILE, PAGE
from cogs.clicks.registry import Where, Who, control
from cogs.delivery.club_events import shown_event
from cogs.pages.club.matches import PAGE_SIGN, entrant_label
from cogs.pages.club.organiser import CHOICES, Tool, has_choices, history_page, tool_page
from cogs.pages.club.private import manage_page
from cogs.pages.club.public import own_page
from cogs.pages.club.standings import (
    FileForm,
    round_page,
    standings_page,
    withdraw_page,
)
from cogs.pages.club.tournament import sign_up_page
from cogs.pages.controls import read_number
from cogs.pages.verbs import Verb

_LATEST = 2**37
"""Largest number of seconds in a moved deadline that is not forged."""


# --- players and readers -------------------------------------------------------------------------


@control(Verb.EVENT_PARTNER, who=Who.READER, where=Where.SERVER, cost=PAGE)
async def choose_partner(ctx: ClickContext) -> None:
    """Choose a partner, or none, or show other people to choose from."""
    event = await event_of(ctx)
    page, chosen = page_or_choice(ctx)
    if page is None:
        partner = PersonNumber(chosen[0]) if any(chosen) else None
        naming = ctx.bot.tables.club_events.name_partner(
            event.id, ctx.guild_id, ctx.user_id, partner
        )
        event = await ctx.reply.change(naming)
    await ctx.reply.show(sign_up_page(event, ctx.user_id, page or 0, ctx.words))


@control(Verb.EVENT_STANDINGS, who=Who.READER, where=Where.SERVER, cost=PAGE)
async def show_standings(ctx: ClickContext) -> None:
    """Show a page of the standings."""
    event = await drawn_event(ctx)
    await ctx.reply.show(standings_page(event, number_in(ctx, 1), ctx.words))


@control(Verb.EVENT_ROUND, who=Who.READER, where=Where.SERVER, cost=PAGE)
async def show_round(ctx: ClickContext) -> None:
    """Show the matches of the chosen round, or other rounds to choose from."""
    event = await drawn_event(ctx)
    rounds, chosen = page_or_choice(ctx)
    number, page = (*chosen, len(event.rounds), 0)[:2] if rounds is None else (len(event.rounds), 0)
    if not 1 <= number <= len(event.rounds):
        raise Refused(Reason.UNKNOWN_BUTTON)
    shown = shown_event(ctx.bot, event)
    await ctx.reply.show(round_page(shown, number, page, ctx.words, rounds=rounds or 0))


@control(Verb.EVENT_OWN, who=Who.READER, where=Where.SERVER, cost=PAGE)
async def show_own_match(ctx: ClickContext) -> None:
    """Show the user's match of this round, and their results."""
    await _show_own_match(ctx, await drawn_event(ctx))


async def _show_own_match(ctx: ClickContext, event: ClubEvent) -> None:
    await ctx.reply.show(own_page(shown_event(ctx.bot, event), ctx.user_id, ctx.words))


@control(Verb.EVENT_WITHDRAW, who=Who.READER, where=Where.SERVER, cost=PAGE)
async def ask_to_withdraw(ctx: ClickContext) -> None:
    """Ask the user whether to withdraw."""
    event = await drawn_event(ctx)
    own_entrant(ctx, event)
    await ctx.reply.show(withdraw_page(event, ctx.words))


@control(Verb.EVENT_WITHDRAW_NOW, who=Who.READER, where=Where.SERVER, cost=PAGE)
async def withdraw(ctx: ClickContext) -> None:
    """Withdraw the user's pair, or let it play again."""
    event = await drawn_event(ctx)
    withdrawing = ctx.bot.tables.club_events.withdraw(
        event.id,
        ctx.guild_id,
        ctx.user_id,
        own_entrant(ctx, event).number,
        number_in(ctx, 1) == 1,
        may_manage=False,
    )
    await _show_own_match(ctx, await ctx.reply.change(withdrawing))


def own_entrant(ctx: ClickContext, event: ClubEvent) -> EventEntrant:
    """Return the user's entrant. Raise `Refused` if they have none."""
    entrant = event.entrant_of(event.number_of(ctx.user_id))
    if entrant is None:
        raise Refused(Reason.NOT_IN_TOURNAMENT)
    return entrant


@control(Verb.EVENT_EXPORT, who=Who.READER, where=Where.SERVER, cost=FILE)
async def export(ctx: ClickContext) -> None:
    """Send a file with the standings; JSON also has the matches."""
    event = await drawn_event(ctx)
    form = ctx.click.args.rpartition(",")[2]
    if form not in get_args(FileForm):
        raise Refused(Reason.UNKNOWN_BUTTON)
    names = {each.number: entrant_label(event, each.number, ctx.words) for each in event.entrants}
    write = tournament_csv if form == "csv" else tournament_json
    content = await ctx.reply.read(asyncio.to_thread(write, event, names))
    file = discord.File(io.BytesIO(content), f"tichu-tournament-{event.id}.{form}")
    await ctx.reply.send_file(file)


@control(Verb.EVENT_HISTORY, who=Who.READER, where=Where.SERVER, cost=PAGE)
async def show_history(ctx: ClickContext) -> None:
    """Show what was done at a tournament, by whom and when."""
    event = await drawn_event(ctx)
    stored = await ctx.reply.read(ctx.bot.tables.club_events.history(event.id))
    await ctx.reply.show(history_page(event, stored, number_in(ctx, 1), ctx.words))


# --- the organiser -------------------------------------------------------------------------------


@control(Verb.EVENT_PAUSE, who=Who.ORGANISER, where=Where.SERVER, cost=PAGE)
async def pause(ctx: ClickContext) -> None:
    """Pause a tournament, or let it go on."""
    paused = number_in(ctx, 1) == 1
    await manage(ctx, lambda event, now: tournament.pause(event, paused, now))


@control(Verb.EVENT_DEADLINE, who=Who.ORGANISER, where=Where.SERVER, cost=PAGE)
async def move_deadline(ctx: ClickContext) -> None:
    """Move the deadline of the round to the time on the button."""
    seconds = number_in(ctx, 1)
    if seconds > _LATEST:
        raise Refused(Reason.UNKNOWN_BUTTON)
    deadline = datetime.fromtimestamp(seconds, UTC)
    await manage(ctx, lambda event, now: tournament.move_deadline(event, deadline, now))


@control(Verb.EVENT_TOOL, who=Who.ORGANISER, where=Where.SERVER, cost=PAGE)
async def use_tool(ctx: ClickContext) -> None:
    """Show the next choice of a change by the organiser, or make the change."""
    event = await own_event(ctx)
    tool = next((each for each in CHOICES if each == _argument(ctx, 1)), None)
    page, chosen = page_or_choice(ctx, start=2)
    is_running = event.settings.is_tournament and bool(event.rounds)
    if tool is None or not is_running or not has_choices(event, tool, chosen):
        raise Refused(Reason.UNKNOWN_BUTTON)
    if len(chosen) == CHOICES[tool]:
        event = await ctx.reply.change(_change(ctx, event, tool, *chosen))
        await ctx.reply.show(manage_page(event, ctx.words))
    else:
        await ctx.reply.show(tool_page(event, tool, chosen, page or 0, ctx.words))


def _change(
    ctx: ClickContext, event: ClubEvent, tool: Tool, one: int, other: int, outcome: int = 0
) -> Awaitable[ClubEvent]:
    """Return a change by the organiser, for which these numbers were chosen."""
    events, ids = ctx.bot.tables.club_events, (event.id, ctx.guild_id, ctx.user_id)
    may_manage = may_manage_event(ctx, event)
    if tool == "replace":
        people = PersonNumber(one), PersonNumber(other)
        return events.substitute(*ids, *people, may_manage=may_manage)
    if tool == "withdraw":
        return events.withdraw(*ids, EntrantNumber(one), other == 1, may_manage=may_manage)

    def rule(event: ClubEvent, now: datetime) -> Sequence[Action]:
        if tool == "swap":
            return tournament.swap(event, EntrantNumber(one), EntrantNumber(other), now)
        if tool == "award":
            return league.award(event, one, other, outcome - 1 if outcome else None, now)
        return tournament.void(event, one, other)

    return events.manage(*ids, rule, may_manage=may_manage)


# --- parts of clicks -----------------------------------------------------------------------------


async def drawn_event(ctx: ClickContext) -> ClubEvent:
    """Return the tournament of the click. Raise `Refused` before its first round."""
    event = await event_of(ctx)
    if not event.settings.is_tournament or not event.rounds:
        raise Refused(Reason.UNKNOWN_BUTTON)
    return event


def _argument(ctx: ClickContext, position: int) -> str:
    """Return an argument of the control; empty if it has none there."""
    return (*ctx.click.args.split(","), "", "")[position]


def number_in(ctx: ClickContext, position: int) -> int:
    """Return a number among the arguments of the control."""
    return read_number(_argument(ctx, position))


def page_or_choice(ctx: ClickContext, start: int = 1) -> tuple[int | None, tuple[int, ...]]:
    """Return the page of a long select that was chosen, if any, and the numbers chosen so far."""
    given = ctx.click.args.split(",")[start:]
    value = ctx.click.values[0] if ctx.click.values else ""
    page = read_number(value[1:]) if value.startswith(PAGE_SIGN) else None
    if value and page is None:
        given += value.split(",")
    return page, tuple(map(read_number, given))
