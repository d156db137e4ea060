"""Nothing about the deals of an event that another table can still play."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from simcord import ChannelHandle, HttpLogEntry

from bot.club.actions import Action, Drawn, Finished, Opened, Seeded
from bot.club.competition import EntrantNumber
from bot.club.settings import EventSettings
from bot.club_records import (
    ClubEventRecord,
    EventPerson,
    EventStatus,
    PersonNumber,
    StoredAction,
)
from bot.errors import Reason
from bot.ids import ChannelId, ClubEventId, GuildId, TableId, UserId
from bot.table.commands import VoteToStop
from bot.table.lobby import LobbyPlan
from bot.table.options import EventLink, TableOptions
from bot.table.state import Chair, Game
from cogs.clicks.registry import CONTROLS, Where
from cogs.pages.verbs import Verb
from engine import CardSet, Options, card_set
from engine.fair_deal import commitment
from tests.cogs.eyes import cards_in_text
from tests.cogs.fast_forward import (
    begun,
    carried_out,
    fast_forward,
    match_over,
    opened,
    round_over,
)
from tests.cogs.forged_clicks import forge
from tests.cogs.history_pages import page, said
from tests.cogs.worlds import World, refusal
from tests.simcord_clicks import Person, Wire, text

OPTIONS = TableOptions(rules=Options(target=5000, bomb_window_ms=1000), pace="quick")
NAMES = ("Ada", "Ben", "Cai", "Dan"), ("Eve", "Fay", "Gil", "Hal")
DEALS, ROUND = 2, 1
NOT_YET = refusal(Reason.HANDS_NOT_YET)
HOUR = timedelta(hours=1)
FILES = tuple(f"{form}.{which}" for form in ("txt", "json", "tch") for which in ("round", "match"))
SHARED = (Verb.SHARE_REPLAY, Verb.SHARED_REPLAY, Verb.ANIMATE, Verb.SHARE_MOMENT)
REFUSED = {
    *(Verb.REPLAY, Verb.REPLAY_VIEW, Verb.REPLAY_ROUND, Verb.REPLAY_PLAY, Verb.REPLAY_BACK),
    *(Verb.REVIEW, Verb.REVIEW_OF, Verb.REVIEW_MARK, Verb.REVIEW_BACK),
    *(Verb.TRY_AGAIN, Verb.PROOF, Verb.SAVE, *SHARED),
}
"""Controls that have nothing to show as long as a deal is played elsewhere."""


class Output(Wire):
    """Everything that the bot sends, with its files."""

    def __init__(self, world: World) -> None:
        self.texts: list[str] = []
        super().__init__(world.env)
        files = world.env.backend.cdn
        store = files.store_attachment

        def noted(*args: Any) -> Any:
            if args[2].endswith((".txt", ".json", ".tch")):
                self.texts.append(args[3].decode())
            return store(*args)

        files.store_attachment = noted  # type: ignore[method-assign, assignment]

    def append(self, entry: HttpLogEntry, /) -> None:
        """Note one request."""
        super().append(entry)
        self.texts.append(json.dumps(entry.json, default=str, ensure_ascii=False))

    def take(self) -> str:
        """Return what was sent since the last call."""
        texts, self.texts = self.texts, []
        return "\n".join(texts)


class Event:
    """An event of which two tables play the same deals."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.seq = 0
        self.secrets: tuple[str, ...] = ()

    async def announce(self, people: Sequence[Person]) -> None:
        """Store an event whose first round is drawn, but whose tables it does not open itself."""
        world, now = self.world, self.world.env.now()
        settings = EventSettings(title="Cup", dates=(now,), zone="UTC", options=OPTIONS)
        record = ClubEventRecord(
            ClubEventId(0),
            GuildId(world.guild.id),
            ChannelId(world.channel.id),
            UserId(people[0].id),
            now,
            settings.model_dump_json(),
        )
        store = world.bot.store.club_events
        self.id = (await store.create(record)).id
        self.rows = [
            EventPerson(PersonNumber(number), UserId(each.id), each.member.name, 1500)
            for number, each in enumerate(people, start=1)
        ]
        numbers = [EntrantNumber(each.number) for each in self.rows]
        sides = [tuple(numbers[at : at + 2]) for at in range(0, len(numbers), 2)]
        pairings = tuple(zip(sides[::2], sides[1::2], strict=True))
        await self.store(
            Seeded(entrants=tuple((each.number,) for each in self.rows)),
            Drawn(round=ROUND, pairings=pairings, begins_at=now + 1000 * HOUR),
        )
        self.draw = self.seq
        secrets = store.draw_deals(self.id, ROUND, DEALS, world.chance.secret)
        self.secrets = await secrets

    async def store(self, *actions: Action, status: EventStatus = "running") -> None:
        """Store actions of the event."""
        stored = [
            StoredAction(seq, self.world.env.now(), None, action.model_dump_json())
            for seq, action in enumerate(actions, start=self.seq + 1)
        ]
        assert await self.world.bot.store.club_events.append(
            self.id, self.seq, stored, people=self.rows, status=status
        )
        self.seq += len(actions)

    async def begin(self, match: int, people: Sequence[Person], channel: ChannelHandle) -> Game:
        """Open the table of a match; it begins when everybody has come."""
        link = EventLink(
            event=self.id,
            round=ROUND,
            match=match,
            draw=self.draw,
            rounds=DEALS,
            same_deals=True,
        )
        chairs = tuple(
            Chair(seat=seat, kind="person", user_id=UserId(each.id), name=each.member.name)
            for seat, each in enumerate(people)
        )
        plan = LobbyPlan(
            GuildId(self.world.guild.id),
            ChannelId(channel.id),
            UserId(people[0].id),
            OPTIONS.model_copy(update={"event": link, "auto_start": True}),
            chairs,
            boards=self.secrets,
        )
        table = await opened(self.world, plan)
        await self.store(Opened(round=ROUND, match=match, table_id=table.id))
        for each in people:
            await each.press(Verb.CHECK_IN)
        await self.world.to_next_deadline(channel)
        return self.world.game(channel)

    def hands_of_others(self, person: Person) -> set[CardSet]:
        """Return all hands before anybody played a card, but those that a person has held."""
        states = (event.after for event in self.world.history)
        games = [each for each in states if isinstance(each, Game)]
        held: dict[bool, set[CardSet]] = {True: set(), False: set()}
        for game in games:
            if not (game.round.trick or game.round.past or game.round.out):
                for chair, hand in zip(game.chairs, game.round.hands, strict=True):
                    held[chair.user_id == person.id].add(hand.cards)
        return held[False] - held[True]

    def leaks(self, sent: str, person: Person) -> list[str]:
        """Return the secrets in what was sent, and the lines with a whole hand of others."""
        hands = self.hands_of_others(person)

        def names_a_hand(line: str) -> bool:
            cards = card_set(set(cards_in_text(line)))
            return any(hand & ~cards == 0 for hand in hands)

        lines = re.split(r"\n|\\n", sent)
        told = [line for line in lines if names_a_hand(line)]
        return [*(each for each in self.secrets if each in sent), *told]


async def stop(world: World, game: Game) -> None:
    """Let a moderator stop a match."""
    await carried_out(world, game, VoteToStop(moderator=True))
    await world.env.settle()


def arguments(verb: Verb, person: Person) -> Iterator[tuple[str, list[str] | None]]:
    """Yield arguments and chosen values of a control about a past round."""
    for number in (0, 1, 2):
        position = f"{number}.0.open.play.on"
        if verb is Verb.SAVE:
            yield from ((str(number), [value]) for value in FILES)
        elif verb is Verb.PROOF:
            yield str(number), None
        elif verb is Verb.REPLAY_VIEW:
            yield position, ["open"]
        elif verb is Verb.REPLAY_ROUND:
            yield "", [str(number)]
        elif verb is Verb.REVIEW_OF:
            yield f"{number}.own.0.on", ["0"]
        elif verb.startswith(("review", "try")):
            yield f"{number}.own.0.on", None
            yield f"{number}.2.0.on", None
        elif verb is Verb.SHARE_MOMENT:
            yield f"{number}.0", None
        else:
            yield position + (f".{person.id}" if verb is Verb.SHARED_REPLAY else ""), None


async def everything_about(
    world: World, output: Output, person: Person, table: TableId
) -> dict[str, str]:
    """Ask for all there is about a table; return what was sent, by command and control."""
    found: dict[str, str] = {}
    cog: Any = world.bot.cogs["Tichu"]
    limits = cog.services.limits
    limits.clicks.burst = limits.shares.burst = limits.animations.burst = math.inf
    output.take()
    for name in sorted(person.member.available_commands(person.channel)):
        for options in ({}, {"table": table}, {"table": table, "round": 1}):
            if (options and name not in ("tichu verify", "tichu replay")) or name in (
                *("tichu new", "tichu event", "tichu shuffle", "tichu stop"),
            ):
                continue
            await person.slash(name, **options)
            found[name] = found.get(name, "") + output.take()
    shown = person.private()[-1]
    past = [Verb(verb) for verb, control in CONTROLS.items() if control.where is Where.PAST]
    for verb in (*past, *SHARED, Verb.FAIR_DEAL, Verb.LOG, Verb.LAST_TRICK, Verb.MORE):
        for args, values in arguments(verb, person):
            kind = "b" if values is None else "s"
            await forge(person, shown, f"{kind}:{table}:0:{verb}:{args}", values)
            found[verb] = found.get(verb, "") + output.take()
    return found


async def test_nothing_is_told_of_a_deal_that_another_table_can_play(world: World) -> None:
    output, event = Output(world), Event(world)
    other = world.guild.create_text_channel("other")
    first = world.people(*NAMES[0])
    second = world.people(*NAMES[1], channel=other)
    (ivy,) = world.people("Ivy")
    await event.announce([*first, *second])
    done = await event.begin(0, first, world.channel)
    await event.begin(1, second, other)
    await fast_forward(world, begun, channel=other)
    await fast_forward(world, round_over)
    shut = f"{commitment(bytes.fromhex(event.secrets[0]))}"

    async def nothing_is_told(*people: Person) -> None:
        for each in people:
            found = await everything_about(world, output, each, done.id)
            for how, sent in found.items():
                assert event.leaks(sent, each) == [], how
            assert {verb for verb in REFUSED if NOT_YET not in found[verb]} == set()
            assert shut in found["tichu verify"]

    await nothing_is_told(first[0], ivy)
    assert world.game().between_rounds
    await fast_forward(world, match_over)
    assert world.game(other).round.number == 1
    await nothing_is_told(first[1], second[0], ivy)
    await world.restart()
    await nothing_is_told(first[2])

    await stop(world, world.game(other))
    found = await everything_about(world, output, first[3], done.id)
    told = {how for how, sent in found.items() if event.leaks(sent, first[3])}
    assert {Verb.REPLAY, Verb.REPLAY_VIEW, Verb.SHARE_REPLAY, Verb.SHARED_REPLAY} <= told
    assert {Verb.PROOF, Verb.SAVE, "tichu verify", "tichu replay"} <= told
    assert not any(NOT_YET in sent for sent in found.values())


async def test_deals_of_a_match_without_a_table_stay_secret(world: World) -> None:
    event = Event(world)
    first, second = world.people(*NAMES[0]), world.people(*NAMES[1])
    await event.announce([*first, *second])
    done = await event.begin(0, first, world.channel)
    await fast_forward(world, round_over)
    await stop(world, done)
    assert NOT_YET in await said(second[0], "replay", table=done.id)
    assert event.secrets[0] not in await said(second[0], "verify", table=done.id, round=1)


async def test_deals_of_a_late_match_that_does_not_count_stay_secret(world: World) -> None:
    event = Event(world)
    other = world.guild.create_text_channel("other")
    first, second = world.people(*NAMES[0]), world.people(*NAMES[1], channel=other)
    await event.announce([*first, *second])
    done = await event.begin(0, first, world.channel)
    await fast_forward(world, round_over)
    await event.begin(1, second, other)
    await event.store(Finished(), status="over")
    await stop(world, world.game())
    (secret, *_) = event.secrets
    late = world.game(other)
    assert secret not in await said(first[0], "verify", table=done.id, round=1)
    assert NOT_YET in await said(first[0], "replay", table=done.id)
    await stop(world, late)
    assert secret in await said(first[0], "verify", table=done.id, round=1)
    assert NOT_YET not in await said(first[0], "replay", table=done.id)


async def test_nobody_adds_a_word_and_pages_say_why(world: World) -> None:
    event = Event(world)
    first = world.people(*NAMES[0])
    await event.announce(first)
    game = await event.begin(0, first, world.channel)
    assert await said(first[0], "shuffle", word="lucky") == refusal(Reason.SHARED_DEALS)
    shown = first[0].private()[-1]
    result = await forge(first[0], shown, f"b:{game.id}:{game.revision}:{Verb.FAIR_DEAL}:")
    told = text(page(result))
    assert "nobody can add a word" in told
    for secret in event.secrets[:2]:
        assert commitment(bytes.fromhex(secret)) in told
