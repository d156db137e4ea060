"""Updates of open hands, also during failures of Discord."""

from __future__ import annotations

from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.table_play import HandPlayer, dealt, dealt_without_hands, open_again, seat_all
from tests.cogs.worlds import World
from tests.simcord_clicks import shown

PUSH = "/webhooks/*"
DEAL = {0: "MAHJONG J2 J3 J4", 1: "S8 S9 S10", 2: "P8 P9 P10", 3: "T8 T9 T10"}


async def turn_of_ben(world: World, **options: object) -> HandPlayer:
    """Let Ada play without updates of hands until the window closes; return Ben, whose hand is old.

    Only these two have opened their hands.
    """
    ada, ben, *_ = await dealt_without_hands(world, DEAL, **options)
    await world.env.settle()
    await open_again([ada, ben])
    assert not ben.can(Verb.PASS)
    world.env.inject_error("PATCH", PUSH, status=503, times=None)
    await ada.lay("MAHJONG")
    await ada.wish("none")
    await world.to_next_deadline()
    assert world.game().phase is Phase.TURN
    return ben


def pushes(world: World) -> int:
    """Return how many updates of hands were attempted."""
    requests = world.env.http_requests
    return sum(r.method == "PATCH" and r.path.startswith("/webhooks/") for r in requests)


async def test_update_is_retried_until_it_succeeds(world: World) -> None:
    ben = await turn_of_ben(world)
    shown, seq = ben.text(), world.game().seq
    world.env.backend.faults.clear()
    await world.env.advance_time(15)
    assert world.game().seq == seq, "nothing else has changed"
    assert ben.text() != shown
    assert ben.can(Verb.PLAY)


async def test_reopened_hand_gets_the_updates(world: World) -> None:
    ben = await turn_of_ben(world)
    old = ben.hand
    await ben.open()
    world.env.backend.faults.clear()
    tried = pushes(world)
    await world.env.advance_time(15)
    assert ben.hand.id != old.id
    assert pushes(world) <= tried + 1, "that of Ada"


async def test_updates_end_with_the_token(world: World) -> None:
    await turn_of_ben(world, **{"turn-limit": 330})
    await world.env.advance_time(16 * 60)
    tried, seq = pushes(world), world.game().seq
    await world.env.advance_time(60)
    assert world.game().seq > seq, "there would be something to push"
    assert pushes(world) == tried


async def test_command_with_another_answer_updates_the_own_hand(world: World) -> None:
    ada, *_ = await seat_all(world, world.people("Ada", "Ben"), **{"turn-limit": 40})
    while 0 not in world.game().notes.away:
        await world.to_next_deadline()
    assert ada.can(Verb.BACK)
    await ada.person.slash("tichu shuffle", word="here")
    assert 0 not in world.game().notes.away
    assert not ada.can(Verb.BACK)


async def test_vote_that_ends_the_match_updates_the_own_hand(world: World) -> None:
    people = world.people("Ada", "Ben", "Cai", "Dan", "Eva")
    players = await seat_all(world, people, variant="grandseigneur")
    await fast_forward(world, reached(Phase.ROUND_END))
    before = [player.text() for player in players[:3]]
    for player in players[:3]:
        await player.person.slash("tichu stop")
    assert world.last_game().status == "finished"
    after = [player.text() for player in players[:3]]
    assert all(old != new for old, new in zip(before, after, strict=True))


def shown_wish(player: HandPlayer) -> list[str]:
    """Return the rank of the wish on the hand, which follows the sign of a wish."""
    _, _, behind = player.text().partition(player.world.bot.art.icon("wish"))
    return shown(behind.partition("\n")[0], "8")


async def test_waiting_hand_shows_the_wish_while_it_is_open(world: World) -> None:
    deal = {0: "MAHJONG J2 J3 J4 J6", 1: "J8 SK PK TK", 2: "S2 S3 S4 S6", 3: "P2 P3 P4 P6"}
    ada, ben, _, dan = await dealt(world, deal)
    await ada.lay("MAHJONG")
    await ada.wish("8")
    await world.env.advance_time(3)
    assert shown_wish(dan) == ["8"]
    await ben.lay("J8")
    await world.env.advance_time(3)
    assert world.game().round.wish is None
    assert not dan.can(Verb.PLAY), "it is not their turn"
    assert shown_wish(dan) == []
