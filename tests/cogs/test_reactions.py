"""Reactions at the table by buttons, which never disturb the match."""

from __future__ import annotations

import pytest
from simcord import ChannelHandle, ResponseMessage

from bot.errors import Refused
from bot.ids import UserId
from bot.table.options import TURN_BASED_S
from bot.text.cards import Speaker
from cogs.clicks.limits import REACTION_PAUSE_S
from cogs.delivery.reactions import EXTRA_EVERY, SEEN_FOR, WAITS_FOR
from cogs.pages.table.reactions import (
    Reaction,
    SentReaction,
    check_offered,
    reaction_confirmation,
    reactions_line,
)
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.fast_forward import fast_forward, reached, tricks
from tests.cogs.forged_clicks import forge
from tests.cogs.table_play import HandPlayer, seat_without_hands
from tests.cogs.test_absent import said as told
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import Person, has, requests_since, text, with_verb


async def begun(world: World, *names: str) -> list[HandPlayer]:
    """Start a match of these people and computers."""
    players = await seat_without_hands(world, world.people(*names))
    await fast_forward(world, reached(Phase.TURN), players=players)
    return players


def edits(world: World, cursor: int, channel: ChannelHandle | None = None) -> int:
    """Return how often the table message was edited since then."""
    table = f"/messages/{world.game(channel).messages.table}"
    since = requests_since(world.env, cursor)
    return sum(sent.method == "PATCH" and sent.path.endswith(table) for sent in since)


def shows(world: World, table: ResponseMessage, *said: tuple[HandPlayer, Reaction]) -> bool:
    """Return whether the table message shows exactly these reactions."""
    words = Speaker(SAY, world.bot.art)
    lines = {
        reactions_line(
            world.game(), [SentReaction(UserId(who.person.id), each) for who, each in some], words
        )
        for some in (said, said[::-1])
    }
    everything = [sign for sign in "👏🙏😅⏰" if sign in text(table)]
    return len(everything) == len(said) and any(line in text(table) for line in lines)


async def test_shows_reactions_at_the_table(world: World) -> None:
    ada, ben, cai, _ = await begun(world, "Ada", "Ben", "Cai", "Dan")
    (eve,) = world.people("Eve")
    table, _ = world.newest_with(Verb.MORE)
    game, cursor, extra = world.game(), len(world.env.http_requests), EXTRA_EVERY.total_seconds()

    await ada.press(Verb.SAY)
    assert len(ada.controls(Verb.REACT)) == len(Reaction)
    assert world.game().situation(0).upcoming.actions == game.situation(0).upcoming.actions
    await ada.press_with(Verb.REACT, Reaction.THANKS)
    assert not ada.can(Verb.REACT), "the hand is there again"
    assert shows(world, table, (ada, Reaction.THANKS))
    page = (await ben.person.press(Verb.MORE)).response
    assert page is not None
    await ben.person.press(Verb.REACT, Reaction.SORRY, on=page)
    assert edits(world, cursor) == 1, "that of Ben waits for the next edit"
    await world.env.advance_time(extra)
    assert edits(world, cursor) == 2
    assert shows(world, table, (ada, Reaction.THANKS), (ben, Reaction.SORRY))
    assert world.game() is game, "nothing at the table has changed, no button is stale"

    for person in (eve, ada.person):
        aim = with_verb(cai.hand, Verb.SAY)[0].custom_id.replace("say:", "react:thanks")
        answer = await forge(person, table, aim)
        code = "not-seated" if person is eve else "reacted-just-now"
        assert refusal(code, seconds=REACTION_PAUSE_S) in told(answer)
    more = await eve.press(Verb.MORE)
    assert more.response is not None
    assert not has(more.response, Verb.REACT), "only for those who sit there"

    await world.env.advance_time(SEEN_FOR.total_seconds())
    assert edits(world, cursor) == 2, "nothing is edited to take them away"
    await fast_forward(world, tricks(1, game.match))
    assert shows(world, table), "they are gone with the edit that came anyway"
    await world.check_replay()


async def test_turn_based_reactions_omit_hurry_and_expire(
    world: World,
) -> None:
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new", pace=TURN_BASED_S[0], computers=2)
    (thread,) = world.channel.threads
    inside = [Person(world.env, person.member, thread) for person in (ada, ben)]
    await world.join(inside[1])
    await inside[0].press(Verb.START)
    await fast_forward(world, reached(Phase.TURN), channel=thread)
    words, said = Speaker(SAY, world.bot.art), SentReaction(UserId(ben.id), Reaction.SORRY)
    line = reactions_line(world.game(thread), [said], words)

    async def says() -> ResponseMessage:
        page = (await inside[1].press(Verb.MORE)).response
        assert page is not None
        offered = [each.custom_id for each in with_verb(page, Verb.REACT)]
        assert [each for each in Reaction if not any(each.value in id_ for id_ in offered)] == [
            Reaction.HURRY
        ]
        with pytest.raises(Refused):
            check_offered(world.game(thread), Reaction.HURRY)
        answer = (await inside[1].press(Verb.REACT, Reaction.SORRY, on=page)).response
        assert answer is not None
        return answer

    assert reaction_confirmation(Reaction.SORRY, words, is_delayed=False) in text(await says())
    assert line in text(inside[0].holding(Verb.MORE))
    await world.env.advance_time(56 * 60)
    cursor = len(world.env.http_requests)
    assert reaction_confirmation(Reaction.SORRY, words, is_delayed=True) in text(await says())
    await world.env.advance_time(WAITS_FOR.total_seconds() + 1)
    assert edits(world, cursor, thread) == 0, "it is too old"
    game = world.game(thread)
    await fast_forward(world, tricks(1, game.match), channel=thread)
    assert line not in text(inside[0].holding(Verb.MORE))


async def test_one_person_alone_has_no_reaction_buttons(world: World) -> None:
    (ada,) = await begun(world, "Ada")
    assert not ada.can(Verb.SAY)
