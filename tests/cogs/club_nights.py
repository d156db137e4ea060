"""Events of clubs, announced and answered by clicks."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from simcord import ChannelHandle, ResponseMessage

from bot.club.event import ClubEvent
from bot.ids import ClubEventId, GuildId
from cogs.pages.verbs import Verb
from tests.cogs.history_pages import page
from tests.cogs.worlds import World
from tests.simcord_clicks import (
    Person,
    controls,
    messages,
    text,
)

SOON = timedelta(hours=2)
GRACE = timedelta(minutes=5)
NAMES = ("Ada", "Ben", "Cai", "Dee")


def begins(world: World) -> datetime:
    """Return a time one or two hours ahead, on the hour."""
    later = world.env.now() + SOON
    return later.replace(minute=0, second=0, microsecond=0)


async def announce(person: Person, at: datetime, **options: object) -> ResponseMessage:
    """Announce an event; return the private answer."""
    return page(await person.slash("tichu event", when=f"{at:%Y-%m-%d %H:%M}", **options))


def public(world: World) -> ResponseMessage:
    """Return the newest public message of an event in the channel."""
    return announcements(world)[-1]


def announcements(world: World) -> list[ResponseMessage]:
    """Return the public messages of events in the channel."""
    every = messages(world.env, world.channel)
    return [each for each in every if text(each).startswith("### 📅")]


async def the_event(world: World, number: int = 1) -> ClubEvent:
    """Return an event by its number."""
    return await world.bot.tables.club_events.get(ClubEventId(number), GuildId(world.guild.id))


async def all_in(world: World, people: Iterable[Person], answer: str = "yes") -> None:
    """Let people press the button of an answer."""
    for person in people:
        await person.press(Verb.EVENT_ANSWER, answer, on=public(world))


async def pass_to(world: World, at: datetime) -> None:
    """Let the time pass until shortly after a moment."""
    await world.env.advance_time((at - world.env.now()).total_seconds() + 1)


def threads(world: World) -> list[ChannelHandle]:
    """Return the threads of the channel, oldest first."""
    channels = world.env.backend.channels.values()
    found = [each for each in channels if each.parent_id == world.channel.id]
    in_order = sorted(found, key=lambda each: each.id)
    return [ChannelHandle(world.env, world.guild, each) for each in in_order]


def written(world: World, channel: ChannelHandle) -> list[ResponseMessage]:
    """Return the messages of a channel, without those of Discord, which have no controls."""
    return [each for each in messages(world.env, channel) if controls(each) or "<@" in text(each)]


def in_thread(person: Person, thread: ChannelHandle) -> Person:
    """Return a person in a thread."""
    return Person(person.env, person.member, thread)


async def drawn(world: World, *names: str, **options: object) -> list[Person]:
    """Announce an event at which people with these names are in, and pass to its draw."""
    people, at = world.people(*names), begins(world)
    await announce(people[0], at, **options)
    await all_in(world, people)
    await pass_to(world, at)
    return people
