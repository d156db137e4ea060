"""Events of clubs: announced by the command, answered and managed by clicks.

The public message is posted and edited by `cogs.delivery.club_events`. It mentions nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Protocol

from bot.club import rules
from bot.club.actions import Action, Answer
from bot.club.dates import read_date
from bot.club.event import ClubEvent
from bot.club.settings import EventSettings
from bot.errors import Reason, Refused
from bot.history.listing import Venue
from bot.ids import ChannelId, ClubEventId, GuildId, UserId
from bot.records import LARGEST_NUMBER
from bot.table.server_options import chosen_options, usual_options
from bot.text.people import visible
from cogs.clicks.context import ClickContext, Context
from cogs.clicks.limits import PAGE, POST
from cogs.clicks.opening import NewTable, check_opening_rules, check_place
from cogs.clicks.registry import Where, Who, control
from cogs.clicks.rights import is_moderator, manages_server
from cogs.delivery.channel_permissions import may_look
from cogs.delivery.club_events import shown_event
from cogs.delivery.replies import Interaction
from cogs.pages.club.event import ANSWERS
from cogs.pages.club.matches import format_name
from cogs.pages.club.private import (
    announced_page,
    cancel_page,
    dates_page,
    list_page,
    manage_page,
    usual_title,
)
from cogs.pages.club.public import event_page, own_page
from cogs.pages.club.tournament import sign_up_page
from cogs.pages.club.watching import watch_page
from cogs.pages.controls import read_number
from cogs.pages.verbs import Verb

_SOON = timedelta(hours=1)
"""Time until an event that was announced without a date."""
_GAME = "nanjing"
"""Game of tournaments."""


class NewEvent(NamedTuple):
    """Arguments of ``/tichu event``, ``/tichu tournament`` or ``/tichu league``."""

    dates: Sequence[str]
    """Dates as they were written; none for an event that begins soon."""
    title: str | None
    variant: str | None
    """Game; `None`: the usual one of the server."""
    settings: Mapping[str, Any]
    """Other settings of the event."""
    rules: Mapping[str, Any] = {}
    """Rules of its tables that differ from those of the server."""
    others: Mapping[str, Any] = {}
    """Other options of its tables, likewise."""


class Manage(Protocol):
    """Change of an event by its organiser or a moderator."""

    async def __call__(
        self, event_id: ClubEventId, guild_id: GuildId, user_id: UserId, *, may_manage: bool
    ) -> ClubEvent:
        """Return the event after the change."""
        ...


async def announce(ctx: Context, new: NewEvent) -> None:
    """Announce an event in this channel, and show privately how its dates were read.

    The same people may do this who may open a table here.
    """
    interaction, channel_id = ctx.interaction, ChannelId(ctx.interaction.channel_id or 0)
    server = ctx.bot.store.server_settings.get(ctx.guild_id)
    check_opening_rules(interaction, server)
    check_place(ctx, thread=not new.dates)
    personal = await ctx.reply.read(ctx.bot.store.personal_settings.get(ctx.user_id))
    dates = [read_own_date(ctx, each, personal.zone) for each in new.dates]
    dates = dates or [ctx.bot.clock.now() + _SOON]
    format_ = new.settings.get("format", "game-night")
    settings = EventSettings(
        title=visible(new.title or "") or usual_title(format_, ctx.public_words()),
        dates=tuple(sorted(set(dates))),
        zone=personal.zone,
        options=chosen_options(usual_options(server), new.variant, new.rules, new.others),
        **new.settings,
    )
    announcing = ctx.bot.tables.club_events.announce(
        ctx.user_id, ctx.guild_id, channel_id, settings
    )
    event = await ctx.reply.change(announcing)
    await ctx.reply.show(announced_page(event, ctx.words, soon=not new.dates))


async def announce_same_cards(
    ctx: Context, new: NewTable, rules: dict[str, Any], others: dict[str, Any]
) -> None:
    """Announce two teams that play the same cards, for ``/tichu new``.

    Raises `Refused` for options that such tables cannot have.
    """
    deals, unfit = rules.pop("rounds"), (new.computers, new.pace, new.two_decks, others["hints"])
    is_other_game = new.variant not in (None, _GAME)
    if is_other_game or any(unfit) or rules["target"] is not None or new.thread is False:
        raise Refused(Reason.SAME_CARDS_OPTIONS)
    title = format_name("teams", ctx.public_words().say)
    settings = {"format": "teams", "match_rounds": deals}
    others["turn_limit_s"] = new.turn_limit_s
    await announce(ctx, NewEvent((), title, _GAME, settings, rules, others))


def read_own_date(ctx: Context, written: str, zone: str) -> datetime:
    """Return a time that the user wrote in their language and time zone.

    Raises `Refused` if it is unclear or not possible.
    """
    return read_date(written, zone, ctx.words.say.language, ctx.bot.clock.now())


async def show_events(ctx: Context) -> None:
    """Show the events of the server whose channels the user can see."""
    events = await ctx.reply.read(ctx.bot.tables.club_events.of_guild(ctx.guild_id))
    seen = [each for each in events if sees(ctx.interaction, each)]
    await ctx.reply.show(list_page(seen, ctx.words))


def sees(interaction: Interaction, event: ClubEvent) -> bool:
    """Return whether the user can see the channel of an event."""
    return may_look(interaction, Venue(event.channel_id, None, sat=False))


@control(Verb.EVENT, who=Who.READER, where=Where.SERVER, cost=PAGE)
async def show_event(ctx: ClickContext) -> None:
    """Show an event privately, with the same buttons as in public."""
    await ctx.reply.show(event_page(shown_event(ctx.bot, await event_of(ctx)), ctx.words))


@control(Verb.EVENT_ANSWER, who=Who.READER, where=Where.SERVER)
async def answer(ctx: ClickContext) -> None:
    """Store the user's answer for a date; the public message is edited elsewhere."""
    event = await event_of(ctx)
    _, date, given = (*ctx.click.args.split(","), *ctx.click.values, "", "")[:3]
    if given not in ANSWERS:
        raise Refused(Reason.UNKNOWN_BUTTON)
    name = ctx.interaction.user.display_name
    answering = ctx.bot.tables.club_events.answer(
        event.id, ctx.guild_id, ctx.user_id, name, read_number(date), _as_answer(given)
    )
    event = await ctx.reply.change(answering)
    if event.settings.is_tournament and event.rounds:
        await ctx.reply.show(own_page(shown_event(ctx.bot, event), ctx.user_id, ctx.words))
    elif event.settings.is_tournament and (given == "yes" or ctx.reply.on_private_page):
        await ctx.reply.show(sign_up_page(event, ctx.user_id, 0, ctx.words))
    elif not ctx.reply.on_private_page:
        await ctx.reply.acknowledge()
    elif event.date is None:
        await ctx.reply.show(dates_page(event, ctx.user_id, ctx.words))
    else:
        await ctx.reply.show(event_page(shown_event(ctx.bot, event), ctx.words))


def _as_answer(given: str) -> Answer:
    """Return an answer by its name."""
    return next(each for each in ANSWERS if each == given)


@control(Verb.EVENT_WATCH, who=Who.READER, where=Where.SERVER, cost=PAGE)
async def watch(ctx: ClickContext) -> None:
    """Show the tables of an event, to follow or to replay them."""
    event = await event_of(ctx)
    if not event.rounds:
        raise Refused(Reason.UNKNOWN_BUTTON)
    await ctx.reply.show(watch_page(shown_event(ctx.bot, event), ctx.words))


@control(Verb.EVENT_DATES, who=Who.READER, where=Where.SERVER, cost=PAGE)
async def show_dates(ctx: ClickContext) -> None:
    """Show the user's answers for each of several dates."""
    await ctx.reply.show(dates_page(await event_of(ctx), ctx.user_id, ctx.words))


@control(Verb.EVENT_MORE, who=Who.ORGANISER, where=Where.SERVER, cost=PAGE)
async def show_more(ctx: ClickContext) -> None:
    """Show what the organiser can do with an event."""
    await ctx.reply.show(manage_page(await own_event(ctx), ctx.words))


@control(Verb.EVENT_CANCEL, who=Who.ORGANISER, where=Where.SERVER, cost=PAGE)
async def ask_to_cancel(ctx: ClickContext) -> None:
    """Ask the organiser whether to cancel an event."""
    event = await own_event(ctx)
    if event.is_over:
        raise Refused(Reason.EVENT_OVER)
    await ctx.reply.show(cancel_page(event, ctx.words))


@control(Verb.EVENT_CANCEL_NOW, who=Who.ORGANISER, where=Where.SERVER, cost=PAGE)
async def cancel(ctx: ClickContext) -> None:
    """Cancel an event."""
    await manage(ctx, lambda event, _: rules.cancel(event))


@control(Verb.EVENT_BEGIN, who=Who.ORGANISER, where=Where.SERVER, cost=POST)
async def begin(ctx: ClickContext) -> None:
    """Draw the tables of an event now, or begin the round for which the button was shown.

    A second click does not end the break that the first one began.
    """
    event = await own_event(ctx)
    _, round_ = (*ctx.click.args.split(","), "0")[:2]
    if event.settings.is_tournament and read_number(round_) != len(event.rounds):
        await ctx.reply.show(manage_page(event, ctx.words))
    else:
        await _change(ctx, ctx.bot.tables.club_events.begin_now)


@control(Verb.EVENT_DRAW, who=Who.ORGANISER, where=Where.SERVER, cost=POST)
async def draw_again(ctx: ClickContext) -> None:
    """Draw the tables of an event again."""
    await _change(ctx, ctx.bot.tables.club_events.draw_again)


async def _change(ctx: ClickContext, change: Manage) -> None:
    """Change an event as its organiser or a moderator, and show what they can do now."""
    event = await event_of(ctx)
    may_manage = may_manage_event(ctx, event)
    changing = change(event.id, ctx.guild_id, ctx.user_id, may_manage=may_manage)
    await ctx.reply.show(manage_page(await ctx.reply.change(changing), ctx.words))


@control(Verb.EVENT_DATE, who=Who.ORGANISER, where=Where.SERVER, cost=PAGE)
async def choose_date(ctx: ClickContext) -> None:
    """Choose one of several dates of an event."""
    date = read_number(ctx.click.values[0] if ctx.click.values else "")
    await manage(ctx, lambda event, now: rules.choose_date(event, date, now))


async def manage(
    ctx: ClickContext, rule: Callable[[ClubEvent, datetime], Sequence[Action]]
) -> None:
    """Change an event by a rule, and show what the organiser can do now."""

    async def change(
        event_id: ClubEventId, guild_id: GuildId, user_id: UserId, *, may_manage: bool
    ) -> ClubEvent:
        events = ctx.bot.tables.club_events
        return await events.manage(event_id, guild_id, user_id, rule, may_manage=may_manage)

    await _change(ctx, change)


async def event_of(ctx: ClickContext) -> ClubEvent:
    """Return the event of the click, as long as the user sees its channel.

    Raises `Refused` otherwise, as for an unknown event.
    """
    number = read_number((ctx.click.args or ctx.click.chosen).split(",")[0])
    if number > LARGEST_NUMBER:
        raise Refused(Reason.UNKNOWN_BUTTON)
    getting = ctx.bot.tables.club_events.get(ClubEventId(number), ctx.guild_id)
    event = await ctx.reply.read(getting)
    if not sees(ctx.interaction, event):
        raise Refused(Reason.NO_SUCH_EVENT)
    return event


async def own_event(ctx: ClickContext) -> ClubEvent:
    """Return the event of the click. Raise `Refused` unless the user may manage it."""
    event = await event_of(ctx)
    if ctx.user_id != event.organiser_id and not may_manage_event(ctx, event):
        raise Refused(Reason.ORGANISER_ONLY, organiser=event.organiser_id)
    return event


def may_manage_event(ctx: ClickContext, event: ClubEvent) -> bool:
    """Return whether the user may manage events of others in this channel."""
    interaction = ctx.interaction
    is_here = interaction.channel_id == event.channel_id
    return manages_server(interaction) or (is_here and is_moderator(interaction))
