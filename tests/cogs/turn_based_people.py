"""People at a turn-based table in its thread, and a count of their notifications."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from simcord import ChannelHandle, ResponseMessage

from bot.ids import UserId
from bot.records import NudgeWay, PersonalSettings
from bot.table.options import TURN_BASED_S
from bot.table.state import Game
from cogs.pages.verbs import Verb
from tests.cogs.worlds import World
from tests.simcord_clicks import Person, Wire, has, messages, text

DAY = TURN_BASED_S[1]
HOUR = 3600
MENTION, DIRECT, NONE = (PersonalSettings(nudge_way=way) for way in ("mention", "direct", "none"))


async def seated(world: World, *settings: PersonalSettings) -> list[Person]:
    """Seat people with these settings at a turn-based table that has just begun in its thread.

    Free seats get computer players.
    """
    people = world.people(*("Ada", "Ben", "Cai", "Dan")[: len(settings)])
    for person, chosen in zip(people, settings, strict=True):
        await world.bot.store.personal_settings.choose(UserId(person.id), chosen)
    await people[0].slash("tichu new", pace=DAY, computers=4 - len(people))
    (thread,) = world.channel.threads
    inside = [Person(world.env, person.member, thread) for person in people]
    for person in inside[1:]:
        await world.join(person)
    await inside[0].press(Verb.START)
    return inside


def game_of(world: World, people: Sequence[Person]) -> Game:
    """Return the match of these people."""
    return world.game(people[0].channel)


def tables(world: World, thread: ChannelHandle) -> list[ResponseMessage]:
    """Return the table messages in a thread: those with **More…**."""
    return [m for m in messages(world.env, thread) if has(m, Verb.MORE)]


def direct(world: World, person: Person) -> list[ResponseMessage]:
    """Return a user's direct messages that were not deleted, oldest first."""
    channel = world.env.backend.dm_channels.get(person.id, 0)
    stored = world.env.backend.messages.get(channel, {})
    return [ResponseMessage(world.env, stored[number]) for number in sorted(stored)]


def named_in(message: ResponseMessage, people: Sequence[Person]) -> list[int]:
    """Return the users mentioned in a message."""
    return [person.id for person in people if f"<@{person.id}>" in text(message)]


class Call(NamedTuple):
    """A notification: a mention at a table, or a direct message."""

    at: datetime
    way: NudgeWay
    user_id: int


class Calls:
    """Counts all mentions that notify somebody, and all direct messages."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.wire = Wire(world.env)
        self._seen = 0

    def new(self) -> list[Call]:
        """Return the notifications since the last call.

        Checks that messages notify only users they mention one by one.
        """
        calls: list[Call] = []
        channels = {channel: user for user, channel in self.world.env.backend.dm_channels.items()}
        sent, self._seen = self.wire.sent[self._seen :], len(self.wire.sent)
        for request in sent:
            body = request.body if isinstance(request.body, dict) else {}
            message = body.get("data", body)
            if request.method not in ("POST", "PATCH") or not message.keys() & {
                "content",
                "components",
            }:
                continue
            allowed, posted = message.get("allowed_mentions"), request.method == "POST"
            assert allowed is not None, request.path
            assert not allowed.get("parse")
            assert not allowed.get("roles")
            assert posted or not allowed.get("users"), "an edit notifies nobody"
            users = allowed.get("users") or ()
            calls += [Call(request.at, "mention", int(user)) for user in users]
            parts = request.path.strip("/").split("/")
            if posted and parts[0] == "channels" and int(parts[1]) in channels:
                calls.append(Call(request.at, "direct", channels[int(parts[1])]))
        return calls
