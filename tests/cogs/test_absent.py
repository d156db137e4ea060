"""Absent people: played for, marked, back with a click; and deserted tables."""

from __future__ import annotations

from datetime import datetime, timedelta

import discord
from simcord import InteractionResult

from bot.ids import ChannelId, TableId, UserId
from bot.records import ActionRecord
from bot.table.attribution import is_stored_turn
from bot.table.posts import AwayLine, StoppedPost
from bot.text.cards import Speaker
from cogs.delivery.messages import Message, wording_of
from cogs.pages.table.announcements import announcements
from cogs.pages.table.page import seat_line, trick_text
from cogs.pages.verbs import Verb
from engine import PLAY_PHASES, WINDOW_PHASES, Match, Phase, Round
from tests.campaign import SOAK
from tests.cogs.fast_forward import begin_by_clicks, fast_forward, reached, tricks
from tests.cogs.forged_clicks import forge
from tests.cogs.table_play import HandPlayer, play_on, seat_all
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import fire_all, messages, text, with_verb

PEOPLE = ("Ada", "Ben", "Cai", "Dan")
LIMIT = {"turn-limit": 40}


def round_of(world: World) -> Round:
    """Return the round on the table."""
    return world.game().round


def table_text(world: World) -> str:
    """Return the text of the table message."""
    return text(world.newest_with(Verb.HAND)[0])


def shown_as_away(world: World, name: str) -> bool:
    """Return whether the table message marks this player as absent."""
    state, words = world.game(), Speaker(SAY, world.bot.art)
    (seat,) = (chair.seat for chair in state.chairs if chair.name == name)
    lines = {
        seat_line(state.with_notes(away=away), state.views.public, seat, words): bool(away)
        for away in ((), (seat,))
    }
    (found,) = [lines[line] for line in table_text(world).splitlines() if line in lines]
    return found


def time_shown(when: datetime) -> str:
    """Return a moment in Discord's relative notation."""
    return discord.utils.format_dt(when, "R")


def said(result: InteractionResult) -> str:
    """Return the private text of the answer."""
    shown = [*result.followups, *([result.response] if result.response else [])]
    assert all(message.ephemeral for message in shown)
    return "\n".join(text(message) for message in shown)


def one_trick_lies(match: Match) -> bool:
    """Return whether the first trick has been taken."""
    return match.round is not None and len(match.round.past) == 1


def nearly_over(match: Match) -> bool:
    """Return whether few cards are left in the round."""
    return match.round is not None and sum(hand.size for hand in match.round.hands) < 8


async def all_gone(world: World, **options: object) -> list[HandPlayer]:
    """Let four people play until somebody must follow in a trick; then all are absent."""
    players = await seat_all(world, world.people(*PEOPLE), **LIMIT | options)
    for player in players:
        player.calls = player.waits = 0.0
    await fast_forward(world, one_trick_lies, seed=4)  # so that others than Ben are on turn
    while world.game().notes.away != (0, 1, 2, 3):
        assert world.game().phase is not Phase.ROUND_END
        await world.to_next_deadline()
    return players


async def until_turn_of(world: World, player: HandPlayer, *, trick: bool = False) -> None:
    """Let time pass until it is this player's turn, within a trick if wanted."""
    seat = world.table().seat_of(UserId(player.person.id))
    for _ in range(500):
        round_ = round_of(world)
        mid = bool(round_.trick) or not trick
        if round_.phase in (Phase.LEAD, Phase.TURN) and round_.turn == seat and mid:
            return
        assert round_.phase in PLAY_PHASES
        await world.to_next_deadline()
    raise AssertionError("it never is their turn")


async def test_match_continues_without_all_four_and_one_returns_mid_trick(
    world: World,
) -> None:
    players = await all_gone(world)
    begin = world.game().seq
    lines = [text(message) for message in messages(world.env, world.channel)]
    gone, words = [AwayLine(seat=seat) for seat in range(4)], Speaker(SAY, world.bot.art)
    assert set(announcements(world.game(), gone, words)) <= set("\n".join(lines).splitlines())
    assert all(shown_as_away(world, name) for name in PEOPLE)
    ben = players[1]
    await until_turn_of(world, ben, trick=True)
    moved = [a for a in (await world.bot.store.tables.actions(TableId(1)))[begin:] if a.seat >= 0]
    assert moved, "play went on without anybody"
    assert {action.actor_id for action in moved} == {None}

    result = await ben.person.press(Verb.BACK)
    assert result.response is not None
    assert result.response.ephemeral
    ben.hand = result.response
    assert world.game().notes.away == (0, 2, 3)
    assert not shown_as_away(world, "Ben")
    assert shown_as_away(world, "Ada")
    now = world.env.now()
    assert world.game().timers.deadlines["turn"] == now + timedelta(seconds=40)
    assert "think" not in world.game().timers.deadlines
    seq = world.game().seq
    await world.env.advance_time(15)
    assert world.game().seq == seq, "nobody moves for them any more"
    assert ben.can(Verb.PASS, Verb.PLAY)
    ben.early, ben.plays = 1.0, 0.0
    await ben.act()
    record = (await world.bot.store.tables.actions(TableId(1)))[seq]
    assert (record.seat, record.actor_id) == (1, ben.person.id)
    enough = tricks(1, world.game().match)
    await begin_by_clicks(world, [ben], reached(Phase.ROUND_END), clicks=enough)
    assert not world.game().timers.paused, "somebody is there: the next round comes by itself"
    await world.env.advance_time(21)
    assert (world.game().phase, round_of(world).number) == (Phase.GRAND, 2)
    await world.check_replay()
    await check_shares(world)


async def test_preparing_an_action_marks_a_player_as_present(world: World) -> None:
    """A click that changes only the page counts, too."""
    players = await seat_all(world, world.people(*PEOPLE), **LIMIT)
    for player in players[:3]:
        await player.press_with(Verb.GRAND, "no")
    dan = players[3]
    await world.env.advance_time(81)
    assert world.game().notes.away == (3,)
    game = world.game()
    await forge(dan.person, dan.hand, f"b:{game.id}:{game.revision}:tichu:")
    assert dan.can(Verb.TICHU_YES)
    assert world.game().notes.away == ()
    await world.check_replay()


async def check_shares(world: World) -> None:
    """Check that the attribution of rounds follows from the stored actions."""
    state = world.table()
    actions = await world.bot.store.tables.actions(state.id)
    for round_ in await world.bot.store.history.rounds(state.id):
        for seat in round_.seats:
            turns = [
                action
                for action in actions
                if (action.round, action.seat) == (round_.number, seat.seat)
                and is_stored_turn(action.text)
            ]
            own = {who: _count(turns, who) for who in {a.actor_id for a in turns} if who}
            most = max(own.values(), default=0)
            assert (seat.turns, seat.own_turns) == (len(turns), most)
            assert (seat.counts_for is not None) == (2 * most >= len(turns))
            assert seat.counts_for is None or own[seat.counts_for] == most


def _count(actions: list[ActionRecord], who: int | None) -> int:
    return sum(action.actor_id == who for action in actions)


async def test_absent_player_is_played_for_at_once_without_pings(world: World) -> None:
    players = await seat_all(world, world.people(*PEOPLE), **LIMIT)
    for player in players:
        player.calls = player.bombs = player.waits = 0.0
    await fast_forward(world, reached(Phase.LEAD))
    absent = next(
        p for p in players if world.table().seat_of(UserId(p.person.id)) == round_of(world).turn
    )
    seat = world.table().seat_of(UserId(absent.person.id))
    assert seat is not None
    await world.env.advance_time(41)
    assert world.game().notes.away == (seat,)
    assert absent.can(Verb.BACK)
    rest = [player for player in players if player is not absent]
    posted = len(messages(world.env, world.channel))
    waited: list[timedelta] = []

    some_tricks = tricks(1, world.game().match)

    def until_seen() -> bool:
        state = world.game()
        if (
            state.phase not in WINDOW_PHASES
            and state.phase in PLAY_PHASES
            and round_of(world).turn == seat
        ):
            assert set(state.timers.deadlines) == {"think"}
            waited.append(state.timers.deadlines["think"] - world.env.now())
        return state.phase is Phase.ROUND_END or (some_tricks(state.match) and not SOAK)

    await play_on(world, rest, until_seen)
    assert waited
    assert max(waited) <= timedelta(seconds=3)
    new = messages(world.env, world.channel)[posted:]
    assert not [m for m in new if f"<@{absent.person.id}>" in text(m)]
    calls = [
        a.text
        for a in await world.bot.store.tables.actions(TableId(1))
        if a.seat == seat and a.actor_id is None
    ]
    assert not [call for call in calls if call.startswith("tichu") or "wish" in call]
    await fast_forward(world, reached(Phase.ROUND_END), players=rest)
    await play_on(world, rest, lambda: round_of(world).number == 2)
    dealt = world.env.now()
    await play_on(world, rest, lambda: world.game().phase is Phase.EXCHANGE)
    assert round_of(world).opening.answers[seat] is False
    assert world.env.now() - dealt < timedelta(seconds=10), "nobody waits for them"
    await check_shares(world)
    (first,) = await world.bot.store.history.rounds(TableId(1))
    assert first.seats[seat].counts_for is None
    assert first.seats[seat].user_id == absent.person.id
    others = [s for s in first.seats if s.seat != seat]
    assert [s.counts_for for s in others] == [s.user_id for s in others]


async def test_playing_marks_a_player_as_present(world: World) -> None:
    players = await all_gone(world)
    cai = players[2]
    await until_turn_of(world, cai, trick=True)
    assert cai.can(Verb.BACK)
    assert cai.can(Verb.PASS)
    await cai.press(Verb.PASS)
    assert world.game().notes.away == (0, 1, 3)
    assert not cai.can(Verb.BACK)
    record = (await world.bot.store.tables.actions(TableId(1)))[-1]
    assert record.actor_id == cai.person.id
    await world.check_replay()


async def test_opening_the_hand_counts_as_presence_and_the_log_does_not(
    world: World,
) -> None:
    ada, ben, cai, dan = await all_gone(world)
    for verb in (Verb.MORE, Verb.LOG, Verb.MORE, Verb.RULES):
        await ada.person.press(verb)
    assert world.game().notes.away == (0, 1, 2, 3)
    await ada.open()
    assert world.game().notes.away == (1, 2, 3)
    await ben.person.slash("tichu hand")
    assert world.game().notes.away == (2, 3)
    stale = with_verb(cai.hand, Verb.WAIT)[0].custom_id
    await forge(cai.person, cai.hand, stale.replace(":wait:", ":wait:9"))
    assert world.game().notes.away == (3,), "a refused click is a click"
    await dan.press(Verb.BACK)
    assert world.game().notes.away == ()
    assert not with_verb(world.newest_with(Verb.HAND)[0], Verb.BACK)
    await world.check_replay()


async def test_only_absent_players_can_return(world: World) -> None:
    *people, eve = world.people(*PEOPLE, "Eve")
    players = await seat_all(world, people, **LIMIT)
    await players[0].press_with(Verb.GRAND, "no")
    await world.env.advance_time(81)
    state = world.game()
    assert state.notes.away == (1, 2, 3)
    assert refusal("not-seated") in said(await eve.press(Verb.BACK))
    assert refusal("not-away") in said(await people[0].press(Verb.BACK))
    for wrong in ("b:99:0:back:", f"b:{state.id}:0@1:back:x"):
        await forge(eve, players[0].hand, wrong)
    assert world.table() == state
    (button,) = with_verb(world.newest_with(Verb.BACK)[0], Verb.BACK)
    message, _ = world.newest_with(Verb.BACK)
    await fire_all(
        world.env,
        [people[1].member.click(message, custom_id=button.custom_id) for _ in range(3)],
    )
    assert world.game().notes.away == (2, 3)
    await world.check_replay()


async def test_return_just_after_the_computer_has_moved(world: World) -> None:
    """The click is for a past turn: it plays nothing, but marks the player as present."""
    dan = (await all_gone(world))[3]
    await until_turn_of(world, dan, trick=True)
    seq, button = world.game().seq, dan.control(Verb.PASS)
    await world.to_next_deadline()
    result = await forge(dan.person, dan.hand, button.custom_id)  # as shown before
    assert result.response is not None
    assert refusal("stale") in text(result.response)
    moves = [
        a
        for a in (await world.bot.store.tables.actions(TableId(1)))[seq:]
        if a.seat == 3 and is_stored_turn(a.text)
    ]
    assert [move.actor_id for move in moves] == [None]
    assert world.game().notes.away == (0, 1, 2)
    await world.check_replay()


async def test_deserted_table_pauses_after_the_round_until_a_click(
    world: World,
) -> None:
    ada, *_ = await all_gone(world, target=5000)
    await fast_forward(world, nearly_over)
    while world.game().phase is not Phase.ROUND_END:
        await world.to_next_deadline()
    state = world.game()
    assert (state.phase, state.timers.paused) == (Phase.ROUND_END, True)
    assert set(state.timers.deadlines) == {"abandoned"}
    shown, _ = world.newest_with(Verb.RESUME)
    assert state.deserted
    assert time_shown(state.timers.deadlines["abandoned"]) in text(shown)
    waits = trick_text(state, state.views.public, Speaker(SAY, world.bot.art))
    assert waits in table_text(world)
    await world.env.advance_time(900)
    requests, seq = len(world.env.http_requests), state.seq
    await world.env.advance_time(1800)
    assert world.game().seq == seq
    assert len(world.env.http_requests) == requests
    await world.restart()
    assert world.table() == state
    (eve,) = world.people("Eve")
    assert refusal("not-seated") in said(await eve.press(Verb.RESUME))
    await ada.person.press(Verb.RESUME)
    assert world.game().notes.away == (1, 2, 3)
    assert time_shown(world.game().timers.deadlines["next_round"]) in text(shown)
    assert waits not in table_text(world)
    await world.env.advance_time(6)
    assert (world.game().phase, round_of(world).number) == (Phase.GRAND, 2)
    await world.check_replay()


async def test_absence_line_disappears_on_return(world: World) -> None:
    ada, *others = await seat_all(world, world.people(*PEOPLE), **LIMIT)
    await ada.press_with(Verb.GRAND, "no")
    await world.env.advance_time(81)
    words = Speaker(SAY, world.bot.art)

    def lines() -> list[str]:
        every = [AwayLine(seat=seat) for seat in range(4)]
        known = set(announcements(world.game(), every, words))
        return [
            line
            for message in messages(world.env, world.channel)
            for line in text(message).splitlines()
            if line in known
        ]

    def expected(*seats: int) -> list[str]:
        return list(announcements(world.game(), [AwayLine(seat=seat) for seat in seats], words))

    assert lines() == expected(1, 2, 3)
    assert len(set(world.game().messages.away.values())) == 1
    await others[1].open()
    assert lines() == expected(1, 3)
    await world.restart()
    assert lines() == expected(1, 3)
    await others[0].person.press(Verb.BACK)
    await others[2].person.press(Verb.BACK)
    assert lines() == []
    assert world.game().messages.away == {}


async def test_deserted_table_is_closed_with_its_scores(world: World) -> None:
    await all_gone(world, target=5000)
    await fast_forward(world, reached(Phase.ROUND_END))
    assert world.game().timers.paused
    world.bot.tables.close()
    world.env.backend.advance_clock(7 * 86400 + 1)
    await world.restart()
    await world.env.settle()
    assert world.bot.tables.in_channel(ChannelId(world.channel.id)) is None
    table, match = (
        await world.bot.store.tables.get(TableId(1)),
        await world.bot.store.history.match(TableId(1)),
    )
    assert table is not None
    assert match is not None
    assert (table.status, match.reason, match.rounds) == ("stopped", "stopped", 1)
    assert len(await world.bot.store.history.rounds(TableId(1))) == 1
    told = Message(StoppedPost(forgotten=True), world.history[-1].after)
    words = Speaker(SAY, world.bot.art)
    closing = wording_of(told, world.history[-1].after, words, {}).content.message["content"]
    assert text(messages(world.env, world.channel)[-1]) == closing
    assert not any(with_verb(m, Verb.RESUME, Verb.BACK) for m in messages(world.env, world.channel))


async def test_dealer_of_trichu_is_absent_with_both_hands(world: World) -> None:
    world.chance.dealer = 0
    players = await seat_all(world, world.people("Ada", "Ben", "Cai"), variant="trichu", **LIMIT)
    for player in players[1:]:
        player.calls = 0.0
        await player.press_with(Verb.GRAND, "no")
    await world.env.advance_time(81)
    state = world.game()
    assert [state.away(seat) for seat in range(4)] == [True] * 4, "all were asked to pass cards"
    await players[1].open()
    await players[2].open()
    rest = players[1:]
    enough = tricks(1, world.game().match)
    await begin_by_clicks(world, rest, reached(Phase.ROUND_END), clicks=enough)
    turns = [a for a in await world.bot.store.tables.actions(TableId(1)) if is_stored_turn(a.text)]
    assert {a.actor_id for a in turns if a.seat in (0, 3)} == {None}
    (round_,) = await world.bot.store.history.rounds(TableId(1))
    assert round_.seats[0].counts_for is None
    assert round_.seats[0].turns == sum(a.seat in (0, 3) for a in turns)
    assert [s.counts_for for s in round_.seats[1:]] == [p.person.id for p in rest]
