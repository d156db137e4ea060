"""Timers at the table: nudges, turn limits, bomb windows, expiring tokens; and their cost."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from discord.utils import format_dt
from simcord import ResponseMessage

from bot.ids import TableId
from bot.table.auto_pass import LONGEST_PAUSE
from bot.table.state import WAIT_SECONDS
from bot.text.cards import Speaker
from cogs.pages.hand.news import hand_news
from cogs.pages.verbs import Verb
from engine import Kind, Match, Phase, Round
from tests.cogs.fast_forward import begin_by_clicks, fast_forward, reached, tricks
from tests.cogs.forged_clicks import forge
from tests.cogs.table_play import (
    HandPlayer,
    always_asked,
    dealt,
    play_on,
    seat_all,
    seat_without_hands,
)
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import Sent, Wire, line_with, messages, shown, text, with_verb

PEOPLE = ("Ada", "Ben", "Cai", "Dan")
QUIET = {0: "MAHJONG J3 J4 J5", 1: "S9 S3 S4 S5", 2: "P10 P3 P4 P5", 3: "TJ T3 T4 T5"}
BOMBS = QUIET | {1: "S9 S7 S3 S4 S5", 2: "J8 S8 P8 T8 P3 P4 P5", 3: "JQ SQ PQ TQ T3 T4 T5"}


def round_of(world: World) -> Round:
    """Return the round on the table."""
    round_ = world.game().round
    assert round_ is not None
    return round_


def on_turn(world: World, players: list[HandPlayer]) -> HandPlayer:
    """Return the awaited player."""
    user_id = world.table().chairs[round_of(world).turn].user_id
    return next(player for player in players if player.person.id == user_id)


def nudge(world: World) -> ResponseMessage:
    """Return the message that pings."""
    message_id = world.game().messages.nudge
    (found,) = [m for m in messages(world.env, world.channel) if m.id == message_id]
    return found


def last_news(world: World, seat: int) -> str:
    """Return the last sentence about a hand on its own page."""
    game = world.game()
    seen, words = game.situation(seat).current, Speaker(SAY, world.bot.art)
    return hand_news(game, seat, seen, words, own=True)[-1]


def pings(world: World) -> list[str]:
    """Return the public messages with a mention that pings and a button for the hand."""
    return [
        text(message)
        for message in messages(world.env, world.channel)
        if "<@" in text(message) and with_verb(message, Verb.HAND)
    ]


async def test_one_nudge_for_each_turn(world: World) -> None:
    wire = Wire(world.env)
    people = world.people(*PEOPLE)
    await always_asked(world, *people)
    players = await seat_all(world, people, **{"turn-limit": 300})
    await fast_forward(world, reached(Phase.LEAD))
    for _ in range(2):
        player = on_turn(world, players)
        await player.open()
        assert pings(world) == []
        await world.env.advance_time(59)
        assert pings(world) == [], "a click that only looks is a click"
        await world.env.advance_time(2)
        (ping,) = pings(world)
        assert f"<@{player.person.id}>" in ping
        assert wire.sent[-1].body["allowed_mentions"]["users"] == [player.person.id]
        await world.env.advance_time(90)
        assert len(pings(world)) == 1
        result = await player.person.press(Verb.HAND, on=nudge(world))
        assert result.response is not None
        assert result.response.ephemeral
        player.hand = result.response
        while not await player.act():
            pass
        if player.can(Verb.WITHDRAW, Verb.PLAY) and on_turn(world, players) is player:
            await player.act()
        assert pings(world) == []
        await play_on(world, players, lambda: world.game().phase is Phase.TURN)


async def test_nudges_all_awaited_players(world: World) -> None:
    ada, ben, cai, dan = await seat_all(world, world.people(*PEOPLE))
    await ben.press_with(Verb.GRAND, "no")
    await world.env.advance_time(61)
    waiting = [ada, cai, dan]
    while waiting:
        (ping,) = pings(world)
        named = [p for p in (ada, ben, cai, dan) if f"<@{p.person.id}>" in ping]
        assert named == waiting
        await waiting.pop(0).press_with(Verb.GRAND, "no")
    assert pings(world) == []
    assert world.game().messages.nudge is None


async def test_player_who_just_clicked_is_nudged_later_and_alone(world: World) -> None:
    wire = Wire(world.env)
    ada, ben, cai, dan = await seat_all(world, world.people(*PEOPLE))
    await ben.press_with(Verb.GRAND, "no")
    await world.env.advance_time(45)
    await cai.person.press(Verb.MORE)
    await world.env.advance_time(16)
    (first,) = pings(world)
    assert f"<@{cai.person.id}>" not in first
    await ada.press_with(Verb.GRAND, "no")
    await world.env.advance_time(45)
    (second,) = pings(world)
    assert [f"<@{p.person.id}>" in second for p in (ada, ben, cai, dan)] == [0, 0, 1, 1]
    bodies = [one.body for one in wire.sent if one.reader is None and one.method == "POST"]
    allowed = [body.get("allowed_mentions", {}).get("users") for body in bodies]
    assert [users for users in allowed if users] == [
        [ada.person.id, dan.person.id],
        [cai.person.id],
    ]
    await dan.press_with(Verb.GRAND, "no")
    await cai.press_with(Verb.GRAND, "no")
    assert pings(world) == []


async def test_existing_ping_is_deleted_after_a_restart(world: World) -> None:
    ada, *others = await seat_all(world, world.people(*PEOPLE))
    for player in others:
        await player.press_with(Verb.GRAND, "no")
    await world.env.advance_time(61)
    assert len(pings(world)) == 1
    await world.restart()
    assert len(pings(world)) == 1
    await ada.press_with(Verb.GRAND, "no")
    assert pings(world) == []


async def test_one_person_alone_gets_no_nudges_and_limits(world: World) -> None:
    (ada,) = await seat_all(world, world.people("Ada"), **{"turn-limit": 20})
    await world.env.advance_time(14 * 60)
    assert pings(world) == []
    assert (world.game().phase, world.game().notes.away) == (Phase.GRAND, ())
    assert ada.can(Verb.GRAND)


async def test_turn_limit_plays_for_absent_players(world: World) -> None:
    players = await seat_all(world, world.people(*PEOPLE), **{"turn-limit": 40})
    await fast_forward(world, reached(Phase.TURN))
    absent, seq = on_turn(world, players), world.game().seq
    await world.env.advance_time(39)
    assert world.game().seq == seq
    await world.env.advance_time(1.1)
    record = (await world.bot.store.tables.actions(TableId(1)))[seq]
    assert record.actor_id is None
    assert world.table().chairs[record.seat].user_id == absent.person.id
    assert pings(world) == []
    assert not absent.can(Verb.PLAY, Verb.PASS) or on_turn(world, players) is absent


async def test_hand_is_updated_for_fifteen_minutes_and_reopens(world: World) -> None:
    wire = Wire(world.env)
    ada, ben = await seat_all(world, world.people("Ada", "Ben"), target=5000)
    opened = world.env.now()

    def pushes() -> list[Sent]:
        return [s for s in wire.sent if s.reader == ada.person.id and s.at > opened]

    await ben.press_with(Verb.GRAND, "no")
    await world.env.advance_time(181)
    enough = tricks(1, world.game().match)
    await begin_by_clicks(world, [ben], reached(Phase.ROUND_END), clicks=enough)
    assert len(pushes()) > 5
    await ben.person.press(Verb.PAUSE)
    await world.env.advance_time(16 * 60)
    await ben.person.press(Verb.RESUME)
    await world.env.advance_time(6)
    await ben.open()
    await play_on(world, [ben], lambda: world.game().phase is Phase.CLOSING)
    assert pushes()[-1].at < opened + timedelta(minutes=15)
    stale = ada.text()
    opened = world.env.now()
    await ada.open()
    assert ada.text() != stale
    enough = tricks(2, world.game().match)
    await play_on(world, [ada, ben], lambda: enough(world.game().match))
    assert len([sent for sent in pushes() if sent.method == "PATCH"]) > 1


async def test_dismissed_hand_gets_no_updates(world: World) -> None:
    ada, _ = await seat_all(world, world.people("Ada", "Ben"), target=5000)
    world.env.inject_error(
        "PATCH", "/webhooks/*", status=404, code=10008, message="Unknown Message", times=None
    )
    await world.env.advance_time(200)
    assert world.game().phase is not Phase.GRAND, "their hands have changed"
    tried = [r for r in world.env.http_requests if r.path.startswith("/webhooks")]
    assert len(tried) == 2, "once for each of them"
    world.env.backend.faults.clear()
    await ada.open()
    await world.env.advance_time(20)
    assert len([r for r in world.env.http_requests if r.path.startswith("/webhooks")]) > 1


async def test_premove_is_played_when_the_window_closes(world: World) -> None:
    ada, ben, *_ = await dealt(world, QUIET)
    await ada.lead_mahjong()
    begin, requests = world.env.now(), len(world.env.http_requests)
    await ben.lay("S9")
    assert round_of(world).top_seat == 0
    assert set(world.game().kept.premoves) == {1}
    kept = last_news(world, 1)
    assert kept in ben.text()
    assert not [r for r in world.env.http_requests[requests:] if r.path.startswith("/channels")]
    await ben.press(Verb.TAKE_BACK)
    assert world.game().kept.premoves == {}
    assert kept not in ben.text()
    await ben.press(Verb.PASS)
    assert {control.verb for control in ben.controls()} == {Verb.TAKE_BACK}
    await ben.press(Verb.TAKE_BACK)
    await ben.lay("S9")  # the last choice counts
    await world.env.advance_time(1.99)
    assert round_of(world).top_seat == 0
    await world.env.advance_time(0.02)
    assert (round_of(world).phase, round_of(world).top_seat) == (Phase.WINDOW, 1)
    assert world.game().kept.premoves == {}
    last = (await world.bot.store.tables.actions(TableId(1)))[-1]
    assert (last.text, last.at) == ("play:S9", begin + timedelta(seconds=2))


async def test_bomb_drops_a_premove_with_a_notice(world: World) -> None:
    ada, ben, cai, dan = await dealt(world, BOMBS)
    await ada.lead_mahjong()
    await ben.lay("S9")
    before = len(world.env.http_requests)
    await cai.press(Verb.BOMB)
    assert not [r for r in world.env.http_requests[before:] if r.path.startswith("/channels")]
    laid = last_news(world, 2)
    assert laid in cai.text()
    assert not cai.can(Verb.BOMB, Verb.BOMBS)
    await world.to_next_deadline()
    round_ = round_of(world)
    assert round_.top is not None
    assert (round_.top.kind, round_.top_seat, round_.turn) == (Kind.FOUR_BOMB, 2, 3)
    assert world.game().kept.premoves == {}
    assert set(world.game().kept.dropped) == {1}
    dropped = last_news(world, 1)
    assert dropped in ben.text()
    assert shown(messages(world.env, world.channel)[-1], "Ada", "Ben", "Cai", "Dan")[0] == "Cai"
    await dan.press(Verb.PASS)
    await world.to_next_deadline()
    await ada.press(Verb.PASS)
    assert ben.can(Verb.PASS)
    await ben.press(Verb.PASS)
    assert dropped not in ben.text()


async def test_two_bombs_in_one_window(world: World) -> None:
    ada, _, cai, dan = await dealt(world, BOMBS)
    await ada.lead_mahjong()
    await dan.press(Verb.BOMB)
    await cai.press(Verb.BOMB)
    assert len(round_of(world).submitted) == 2
    await world.to_next_deadline()
    assert round_of(world).top_seat == 2
    assert dan.can(Verb.BOMB)  # it came back, and it beats the other one
    await dan.press(Verb.BOMB)
    await world.to_next_deadline()
    assert round_of(world).top_seat == 3


async def test_each_window_can_be_held_once(world: World) -> None:
    ada, ben, cai, dan = await dealt(world, QUIET)
    assert not any(player.can(Verb.WAIT) for player in (ada, ben, cai)), "nothing to hold"
    table = world.game()
    wait = f"b:{table.id}:{table.revision}:{Verb.WAIT}:{table.round.number}"
    await forge(ben.person, ben.hand, wait)
    assert refusal("no-window") in ben.text()
    await ada.lead_mahjong()
    due = world.game().timers.deadlines["window"]
    wait = with_verb(ada.hand, Verb.WAIT)[0].custom_id
    await cai.press(Verb.WAIT)
    due += timedelta(seconds=WAIT_SECONDS)
    assert world.game().timers.deadlines["window"] == due
    assert world.game().notes.waits == {2: 1}
    assert not cai.can(Verb.WAIT)
    await world.env.advance_time(3)
    assert not any(player.can(Verb.WAIT) for player in (ada, ben, dan))
    await forge(ada.person, ada.hand, wait)
    assert refusal("window-held") in ada.text()
    await world.env.advance_time(8)
    assert world.game().phase is Phase.WINDOW
    await world.env.advance_time(1.1)
    assert world.game().phase is Phase.TURN


async def test_hold_is_public_as_long_as_it_lasts(world: World) -> None:
    ada, ben, cai, _ = await dealt(world, QUIET)
    await ada.lead_mahjong()
    public = world.newest_with(Verb.HAND)[0]
    await cai.press(Verb.WAIT)
    due = format_dt(world.game().timers.deadlines["window"], "R")
    assert shown(line_with(public, due), *PEOPLE) == ["Cai"]
    await world.env.advance_time(3)
    before = [status for status in ben.text().splitlines() if "✋" in status]
    assert [shown(status, *PEOPLE)[-1:] for status in before] == [["Cai"]]
    await world.to_next_deadline()
    assert due not in text(public)
    await world.env.advance_time(3)
    assert "✋" not in ben.text()


async def test_automatic_pass_is_made_unless_it_is_switched_off(world: World) -> None:
    """Ada's Dragon cannot be beaten: Ben need not click, but Cai, who has said so, must."""
    people = world.people(*PEOPLE)
    await always_asked(world, people[2])
    world.chance.dealer = 0
    world.chance.deals = [{0: "MAHJONG DRAGON J3 J4 J5", 1: "J2 S3 S4 S5 P6 P7 J8 S9 P10 TJ TK"}]
    players = await seat_all(world, people)
    for player in players:
        await player.press_with(Verb.GRAND, "no")
    for player, cards in zip(players, ("J3 J4 J5", "TK J2 S3", "", ""), strict=True):
        await player.pass_cards(*cards.split())
    ada, ben, cai, _ = players
    await ada.lay("DRAGON")
    await world.to_next_deadline()
    assert round_of(world).turn == 1
    assert not round_of(world).hands[1].bombs()
    assert await world.to_next_deadline() <= LONGEST_PAUSE + 0.001
    assert (round_of(world).turn, round_of(world).passes) == (2, 1)
    assert "auto_pass" not in world.game().timers.deadlines
    assert cai.can(Verb.PASS)
    assert not ben.can(Verb.PASS)
    await world.check_replay()


def mostly_played(match: Match) -> bool:
    """Return whether somebody leads, with a quarter of the cards left."""
    held = sum(hand.size for hand in match.round.hands) if match.round else 0
    return match.phase is Phase.LEAD and held <= 16


async def test_move_costs_at_most_one_public_request(world: World) -> None:
    """From the last quarter of a round to its end."""
    wire = Wire(world.env)
    players = await seat_without_hands(world, world.people(*PEOPLE))
    for player in players:
        player.calls = player.bombs = 0.0
        player.by_cards = 0.0
    await fast_forward(world, mostly_played, players=players)
    sent, happened = len(wire.sent), len(world.history) - 1  # the last state is written now
    await play_on(world, players, lambda: world.game().phase is Phase.ROUND_END)
    stretch = wire.sent[sent:]
    public = [request for request in stretch if request.path.startswith("/channels")]
    stamps = {what.after.revision for what in world.history[happened:]}
    assert len(stamps) > 20
    edits = [request for request in public if request.method == "PATCH"]
    assert len(edits) <= len(stamps)  # a change on the table is written once
    others = [request for request in public if request.method != "PATCH"]
    bomb = world.bot.art.icon("bomb")
    quiet = [request for request in others if bomb not in (request.body["content"] or "")]
    assert [request.method for request in quiet] == ["POST"]  # the result
    assert _superfluous(stretch) == []


def _superfluous(sent: list[Sent]) -> list[Any]:
    """Return the pages sent to somebody who already had just that page.

    Pages also sent by message are left out: another message may have come between.
    """
    shown: dict[object, Any] = {}
    again = []
    for one in sent:
        body = one.body.get("data") or one.body if isinstance(one.body, dict) else {}
        if "components" not in body:
            continue
        public = one.path.startswith("/channels")
        keys = {(one.reader, public), one.path if public else one.reader}
        if one.method == "PATCH" and body["components"] in map(shown.get, keys):
            again.append((one.method, one.path, body["components"]))
        shown |= dict.fromkeys(keys, body["components"])
    return again
