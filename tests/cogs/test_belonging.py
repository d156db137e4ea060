"""Clicks from the wrong place: refused without revealing anything.

The places of each verb are in `cogs.clicks.registry`; `test_rights.py` checks them with random
clicks.
"""

from __future__ import annotations

import discord
import pytest
from simcord import ChannelHandle, InteractionResult, ResponseMessage

from bot.ids import UserId
from bot.table.state import OpenTable
from bot.text.people import channel_mention
from cogs.pages.verbs import Verb
from engine import Phase
from tests.campaign import SOAK
from tests.cogs.eyes import cards_in
from tests.cogs.fast_forward import fast_forward, match_over, reached
from tests.cogs.forged_clicks import forge, forge_from
from tests.cogs.table_play import HandPlayer, seat_all
from tests.cogs.worlds import World, refusal
from tests.simcord_clicks import Person, deny, has, messages, text, verbs

UNKNOWN = 77
"""Number of a table that does not exist."""


def answer(result: InteractionResult) -> ResponseMessage:
    """Return the private answer."""
    (told,) = [found for found in (result.response, *result.followups) if found is not None]
    assert told.ephemeral, text(told)
    return told


def about(table: OpenTable, verb: str, args: str = "") -> str:
    """Return the id of a button of this table at its current revision."""
    return f"b:{table.id}:{table.revision}:{verb}:{args}"


def of_none(custom_id: str) -> str:
    """Return the same button for a table that does not exist."""
    kind, _, rest = custom_id.partition(":")
    return f"{kind}:{UNKNOWN}:{rest.partition(':')[2]}"


class Elsewhere:
    """Another guild with this bot, in which people may do everything."""

    def __init__(self, world: World) -> None:
        self.guild = world.env.create_guild("Elsewhere")
        self.channel = self.guild.create_text_channel("tichu")
        self._boss = self.guild.create_role("boss", permissions=discord.Permissions.all())
        self._world = world

    def join(self, person: Person) -> None:
        """Make a user an administrator here, too."""
        user = self._world.env.backend.get_user(person.id)
        self._world.env.backend.add_member(
            self.guild.id, user.id, roles=[self._boss.id], announce=True
        )

    def stranger(self) -> Person:
        """Return an administrator here who is in no other guild."""
        user = self._world.env.create_user("eve", global_name="Eve")
        member = self.guild.add_member(user, roles=[self._boss])
        return Person(self._world.env, member, self.channel)


@pytest.fixture
def elsewhere(world: World) -> Elsewhere:
    """Return another guild; people click in both without rate limits."""
    world.let_people_hurry()
    return Elsewhere(world)


def message_in(world: World, channel: ChannelHandle | None = None) -> ResponseMessage:
    """Post a message for forged buttons."""
    return messages(world.env, channel or world.channel)[0]


async def press(
    world: World, person: Person, place: ChannelHandle, custom_id: str, *values: str
) -> ResponseMessage:
    """Return the private answer to a forged click from this place."""
    message = message_in(world)
    return answer(await forge_from(person, place, message, custom_id, values or None))


LOBBY = (
    *("join", "leave", "fill", "start", "check-in", "swap", "options", "fair-deal"),
    *("add-computer", "remove-computer", "option", "stop", "stop-now", "stop-vote", "hand"),
)
ARGUMENTS = ("", "0", "no", "9" * 20)
MATCH = (
    *("hand", "refresh", "more", "log", "last-trick", "fair-deal", "leave-match", "to-computer"),
    *("stop", "stop-now", "stop-vote", "agree", "play-on", "ready", "pause", "resume", "sit"),
    *("take-seat", "no-seat", "stay-out", "back", "wait", "tichu", "pass", "hint", "turn-to"),
    *("to-member", "stay", "rematch", "new-lobby", "play", "give", "grand", "bomb", "bombs"),
)


async def test_stranger_cannot_use_a_lobby(world: World, elsewhere: Elsewhere) -> None:
    (ada,) = world.people("Ada")
    await ada.slash("tichu new")
    eve, before = elsewhere.stranger(), world.lobby()
    for verb in LOBBY:
        for args in ("", "0", "1"):
            custom_id = about(before, verb, args)
            told = await press(world, eve, elsewhere.channel, custom_id)
            same = await press(world, eve, elsewhere.channel, of_none(custom_id))
            assert text(told) == text(same), verb
            assert world.lobby() is before, verb


async def test_host_cannot_add_a_computer_from_another_guild(
    world: World, elsewhere: Elsewhere
) -> None:
    (ada,) = world.people("Ada")
    elsewhere.join(ada)
    await ada.slash("tichu new")
    before = world.lobby()
    for verb, values in (("fill", ()), ("add-computer", ("1",)), ("option", ("target.500",))):
        kind = "s" if values else "b"
        custom_id = about(before, verb).replace("b:", f"{kind}:", 1)
        told = await press(world, ada, elsewhere.channel, custom_id, *values)
        assert refusal("another-channel", channel=channel_mention(world.channel.id)) in text(told)
        assert world.lobby() is before


async def test_stranger_learns_nothing_of_a_match(world: World, elsewhere: Elsewhere) -> None:
    await seat_all(world, world.people("Ada", "Ben", "Cai"))
    await fast_forward(world, reached(Phase.TURN))
    eve, before = elsewhere.stranger(), world.game()
    for number, verb in enumerate(MATCH):
        for args in ARGUMENTS if SOAK else (ARGUMENTS * 2)[number % 4 :][:2]:
            custom_id = about(before, verb, args)
            told = await press(world, eve, elsewhere.channel, custom_id)
            same = await press(world, eve, elsewhere.channel, of_none(custom_id))
            assert text(told) == text(same), verb
            assert list(cards_in(told.components)) == []
            assert world.game() is before, verb
    told = await press(world, eve, elsewhere.channel, about(before, Verb.STOP_NOW))
    assert refusal("table-over") in text(told), "moderators of another server stop nothing"
    assert world.game().running
    rules = await press(world, eve, elsewhere.channel, about(before, Verb.RULES, "nanjing"))
    assert has(rules, Verb.RULES)
    assert not has(rules, Verb.MORE), "they lead to no table"


async def seated(world: World, *phases: Phase) -> HandPlayer:
    """Return Ada at a table with another person and three computers."""
    ada, *_ = await seat_all(world, world.people("Ada", "Ben"))
    await fast_forward(world, reached(*phases), players=[ada])
    return ada


async def test_own_hand_opens_anywhere_and_privately(world: World, elsewhere: Elsewhere) -> None:
    ada = await seated(world, Phase.TURN)
    elsewhere.join(ada.person)
    hand = set(cards_in(ada.hand.components))
    inbox = world.env.backend.get_dm_channel(ada.person.id)
    for place in (elsewhere.channel, ChannelHandle(world.env, None, inbox)):
        told = await press(world, ada.person, place, about(world.game(), Verb.HAND))
        assert set(cards_in(told.components)) == hand
    await tells_of_a_server_only_there(world, ada.person)
    deny(world.env, world.channel, ada.person.id, "view_channel")
    told = await press(world, ada.person, world.channel, about(world.game(), Verb.REFRESH))
    assert set(cards_in(told.components)) == hand, "who has lost the channel keeps the hand"


async def tells_of_a_server_only_there(world: World, ada: Person) -> None:
    """Check that personal settings work everywhere, and everything else only in a guild."""
    inbox = ChannelHandle(world.env, None, world.env.backend.get_dm_channel(ada.id))
    season = "nanjing..rating.here.0"
    for verb, args in (
        *((Verb.LEADERS, season), (Verb.HISTORY, "0.0.0.older")),
        *((Verb.ACCURACY, f"{ada.id}.nanjing"), (Verb.ACCURACY_LIST, f"{ada.id}.nanjing")),
        *((Verb.SHARE_PROFILE, f"{ada.id}."), (Verb.NO_RANKING_CHANNEL, "")),
    ):
        told = await press(world, ada, inbox, f"b:{verb}:{args}")
        assert refusal("servers-only") in text(told)
    told = await press(world, ada, inbox, "b:more-time:on")
    assert has(told, Verb.CARD_STYLE)


async def test_public_controls_work_only_in_their_channel(
    world: World, elsewhere: Elsewhere
) -> None:
    ada = (await seated(world, Phase.ROUND_END)).person
    elsewhere.join(ada)
    other = world.guild.create_text_channel("other")
    before = world.game()
    for place in (elsewhere.channel, other):
        for verb in (Verb.READY, Verb.PAUSE, Verb.MORE, Verb.LOG, Verb.AGREE, Verb.LEAVE_MATCH):
            told = await press(world, ada, place, about(before, verb))
            assert refusal("another-channel", channel=channel_mention(world.channel.id)) in text(
                told
            )
            assert world.game() is before


async def test_joins_from_another_channel_of_the_guild(world: World) -> None:
    other = world.guild.create_text_channel("other")
    ada, ben, cai = world.people("Ada", "Ben", "Cai")
    await ada.slash("tichu new")
    there = Person(world.env, ben.member, other)
    await there.slash("tichu new")
    standing = messages(world.env, other)[0]
    before = text(standing)
    told = answer(await forge_from(cai, other, standing, about(world.lobby(), Verb.JOIN, "1")))
    assert channel_mention(world.channel.id) in text(told)
    assert world.lobby().seat_of(UserId(cai.id)) is not None
    assert text(standing) == before
    assert "Cai" in text(message_in(world))


async def test_user_who_cannot_see_the_channel_cannot_join(world: World) -> None:
    other = world.guild.create_text_channel("other")
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new")
    deny(world.env, world.channel, ben.id, "view_channel")
    before = world.lobby()
    for place in (other, world.channel):
        told = await press(world, ben, place, about(before, Verb.JOIN, "1"))
        assert refusal("table-over") in text(told)
        assert world.lobby() is before


async def test_user_who_cannot_see_the_channel_takes_no_seat(world: World) -> None:
    await seated(world, Phase.ROUND_END)
    (cai,) = world.people("Cai")
    deny(world.env, world.channel, cai.id, "view_channel")
    before = world.game()
    for verb in (Verb.SIT, Verb.HAND, Verb.LOG, Verb.MORE):
        told = await press(world, cai, world.channel, about(before, verb))
        assert verbs(told) == []
        assert world.game() is before


async def test_match_of_another_guild_is_not_readable(world: World, elsewhere: Elsewhere) -> None:
    await seat_all(world, world.people("Ada", "Ben"), target=100)
    await fast_forward(world, match_over)
    eve, table = elsewhere.stranger(), world.last_game()
    number = table.id
    for ending in (
        f"{number}:0:match:0",
        f"{number}:0:replay:1.0.open.trick.on",
        f"{number}:0:proof:1",
    ):
        told = await press(world, eve, elsewhere.channel, f"b:{ending}")
        assert refusal("no-such-table", number=number) in text(told)
    for ending in (f"{number}:0:save:1", f"{number}:0:replay-round:", "match:"):
        value = "txt.match" if "save" in ending else str(number if ending == "match:" else 1)
        told = await press(world, eve, elsewhere.channel, f"s:{ending}", value)
        assert refusal("no-such-table", number=number) in text(told)
    for verb in (Verb.REMATCH, Verb.NEW_LOBBY):
        told = await press(world, eve, elsewhere.channel, about(table, verb))
        assert refusal("table-over") in text(told)
    (fay,) = world.people("Fay")  # in this guild, who has lost the channel
    deny(world.env, world.channel, fay.id, "view_channel")
    told = await press(world, fay, world.channel, f"b:{number}:0:replay:1.0.open.trick.on")
    assert refusal("no-such-table", number=number) in text(told)
    told = await press(world, fay, world.channel, about(table, Verb.REMATCH))
    assert refusal("table-over") in text(told)


async def test_refuses_controls_that_are_never_on_a_lobby(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new")
    await world.join(ben)
    told = answer(await forge(ada, message_in(world), "b:leaders-page:"))
    assert refusal("unknown-button") in text(told), "a button that is never enabled"
    told = answer(await forge(ben, message_in(world), about(world.lobby(), Verb.STOP)))
    assert refusal("not-started") in text(told), "there is no match to stop"
