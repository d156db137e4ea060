"""Leagues: fixtures that pairs start or postpone, the next season, and the hall of fame."""

from __future__ import annotations

import asyncio

from discord.app_commands import Choice

from bot.club import league
from bot.club.event import ClubEvent
from bot.errors import Reason, Refused
from bot.ids import ClubEventId
from bot.records import LARGEST_NUMBER
from cogs.clicks.club import event_of, may_manage_event, sees
from cogs.clicks.context import ClickContext, Context
from cogs.clicks.limits import PAGE, POST
from cogs.clicks.registry import Where, Who, control
from cogs.clicks.tournament import drawn_event, own_entrant, page_or_choice
from cogs.delivery.club_events import shown_event
from cogs.pages.club.hall import hall_page, honours
from cogs.pages.club.league import fixtures_page
from cogs.pages.club.private import announced_page
from cogs.pages.controls import LONGEST_OPTION, cut
from cogs.pages.verbs import Verb


@control(Verb.EVENT_START, who=Who.READER, where=Where.SERVER, cost=POST)
async def start(ctx: ClickContext) -> None:
    """Open the table of a fixture, by default of the only one of the user that is due.

    If none or several are due, the user chooses one.
    """
    event = await _season(ctx)
    _, chosen = page_or_choice(ctx)
    if not chosen:
        entrant = own_entrant(ctx, event)
        fixtures = league.fixtures_of(event, entrant.number)
        due = [each for each in fixtures if each.week <= event.week]
        if len(due) != 1:
            await _show_fixtures(ctx, event)
            return
        chosen = due[0].round + 1, due[0].match
    fixture = _fixture(chosen)
    opening = ctx.bot.tables.club_events.open_fixture(event.id, ctx.guild_id, ctx.user_id, *fixture)
    await _show_fixtures(ctx, await ctx.reply.change(opening), fixture)


@control(Verb.EVENT_FIXTURE, who=Who.READER, where=Where.SERVER, cost=PAGE)
async def show_fixture(ctx: ClickContext) -> None:
    """Show the chosen fixture of the user, or other ones to choose from."""
    event = await _season(ctx)
    page, chosen = page_or_choice(ctx)
    await _show_fixtures(ctx, event, None if page is not None else _fixture(chosen), page or 0)


@control(Verb.EVENT_POSTPONE, who=Who.READER, where=Where.SERVER, cost=PAGE)
async def postpone(ctx: ClickContext) -> None:
    """Agree to play a fixture until a later week."""
    event = await _season(ctx)
    _, chosen = page_or_choice(ctx)
    (round_, match), week = _fixture(chosen[:2]), chosen[2] if len(chosen) > 2 else 0
    postponing = ctx.bot.tables.club_events.act(
        event.id,
        ctx.guild_id,
        ctx.user_id,
        lambda event, now: league.postpone(event, ctx.user_id, round_, match, week, now),
    )
    await _show_fixtures(ctx, await ctx.reply.change(postponing), (round_, match))


@control(Verb.EVENT_NEXT, who=Who.ORGANISER, where=Where.SERVER, cost=POST)
async def announce_next_season(ctx: ClickContext) -> None:
    """Announce the season after one that is over, and show privately when it begins."""
    event = await event_of(ctx)
    announcing = ctx.bot.tables.club_events.announce_next_season(
        event.id, ctx.guild_id, ctx.user_id, may_manage=may_manage_event(ctx, event)
    )
    following = await ctx.reply.change(announcing)
    await ctx.reply.show(announced_page(following, ctx.words))


@control(Verb.EVENT_HALL, who=Who.READER, where=Where.SERVER, cost=PAGE)
async def show_hall_of_fame(ctx: ClickContext) -> None:
    """Show who won the tournaments and leagues of the server."""
    finished = await ctx.reply.read(_finished(ctx))
    found = await ctx.reply.read(asyncio.to_thread(honours, finished))
    await ctx.reply.show(hall_page(found, ctx.words))


async def season_choices(ctx: Context, typed: str) -> list[Choice[str]]:
    """Return the finished seasons of the server whose titles contain a text."""
    return [
        Choice(
            name=cut(f"{each.settings.title} · {each.begins_at:%Y-%m-%d}", LONGEST_OPTION),
            value=str(each.id),
        )
        for each in await _finished(ctx)
        if each.settings.format == "league" and typed.casefold() in each.settings.title.casefold()
    ]


async def finished_season(ctx: Context, chosen: str) -> ClubEventId:
    """Return a finished season of the server by its number. Raise `Refused` for others."""
    number = int(chosen) if chosen.isascii() and chosen.isdigit() else 0
    if not 0 < number <= LARGEST_NUMBER:
        raise Refused(Reason.NO_SUCH_EVENT)
    event = await ctx.reply.read(ctx.bot.tables.club_events.get(ClubEventId(number), ctx.guild_id))
    is_season = event.settings.format == "league" and event.status == "over"
    if not is_season or not sees(ctx.interaction, event):
        raise Refused(Reason.NO_SUCH_EVENT)
    return event.id


async def _finished(ctx: Context) -> list[ClubEvent]:
    """Return the last finished tournaments and seasons whose channels the user can see."""
    finished = await ctx.bot.tables.club_events.finished(ctx.guild_id)
    return [each for each in finished if sees(ctx.interaction, each)]


async def _season(ctx: ClickContext) -> ClubEvent:
    """Return the season of the click. Raise `Refused` for another event."""
    event = await drawn_event(ctx)
    if event.settings.format != "league":
        raise Refused(Reason.UNKNOWN_BUTTON)
    return event


def _fixture(chosen: tuple[int, ...]) -> tuple[int, int]:
    """Return the round and the position of a fixture. Raise `Refused` for other numbers."""
    if len(chosen) < 2:
        raise Refused(Reason.UNKNOWN_BUTTON)
    return chosen[0], chosen[1]


async def _show_fixtures(
    ctx: ClickContext, event: ClubEvent, chosen: tuple[int, int] | None = None, page: int = 0
) -> None:
    shown = shown_event(ctx.bot, event)
    await ctx.reply.show(fixtures_page(shown, ctx.user_id, ctx.words, chosen, page))
