"""Restarts at any moment: nothing is lost, repeated or late."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path

import discord
import pytest
from simcord import ResponseMessage

from bot.ids import ChannelId
from bot.records import ActionRecord
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.table.nudge import restarted_notice
from cogs.pages.verbs import Verb
from engine import WINDOW_PHASES, Phase
from tests.campaign import SOAK
from tests.cogs.fast_forward import fast_forward, match_over, reached
from tests.cogs.table_play import HandPlayer, dragon_to_give, play_on, seat_all
from tests.cogs.worlds import SAY, World, a_world, refusal
from tests.simcord_clicks import messages, text, with_verb

LONGER_THAN_ANY_PAUSE = 16
"""Seconds after which failed requests have been retried."""

Moment = Callable[[Game, HandPlayer | None], bool]


def _in_window(state: Game) -> bool:
    return state.phase in WINDOW_PHASES


def _count_given(state: Game) -> int:
    return sum(given is not None for given in state.round.opening.given)


def _count_answers(state: Game) -> int:
    return sum(answer is not None for answer in state.round.opening.answers)


MOMENTS: dict[str, Moment] = {
    "half the Grand Tichu answers": lambda s, p: s.phase is Phase.GRAND and _count_answers(s) == 2,
    "a card for the exchange chosen": lambda s, p: (
        p is not None and p.clicked[-2:] == ["pick", "pick"] and _count_given(s) == 0
    ),
    "half the exchange": lambda s, p: s.phase is Phase.EXCHANGE and _count_given(s) == 2,
    "the first lead": lambda s, p: s.phase is Phase.LEAD and not s.round.past,
    "a bomb window": lambda s, p: _in_window(s),
    "a kept pre-move": lambda s, p: _in_window(s) and bool(s.kept.premoves),
    "a sealed bomb": lambda s, p: bool(s.round.submitted),
    "a window held open": lambda s, p: _in_window(s) and bool(s.notes.waits),
    "a trick that is passed": lambda s, p: bool(s.kept.auto_pass),
    "a play put together": lambda s, p: p is not None and p.clicked[-2:-1] == ["cards"],
    "a wish being chosen": lambda s, p: p is not None and p.clicked[-1] == "wish",
    "an open wish": lambda s, p: s.round.wish is not None,
    "a call being confirmed": lambda s, p: p is not None and p.clicked[-1] == "tichu-yes",
}
LATE: dict[str, Moment] = {
    "a gift": lambda s, p: s.phase is Phase.GIFT,
    "between rounds": lambda s, p: s.phase is Phase.ROUND_END,
}
"""Moments also covered elsewhere: only a campaign plays on until they occur."""
if SOAK:
    MOMENTS |= LATE


class Restarts:
    """Restarts the bot once at every listed moment, and some more times at random.

    Then all players but the clicking one open their hands again. With `only_open` they do so
    without a restart.
    """

    def __init__(
        self, world: World, players: list[HandPlayer], by_chance: int, *, only_open: bool = False
    ) -> None:
        self.world = world
        self.players = players
        self._only_open = only_open
        self.done: list[str] = []
        self._open = dict(MOMENTS)
        self._chance = random.Random(7)
        self._by_chance = by_chance
        for player in players:
            player.before_click = partial(self.maybe, player)

    @property
    def over(self) -> bool:
        """Return whether all of them are done."""
        return not self._open and not self._by_chance

    async def maybe(self, clicking: HandPlayer | None = None) -> None:
        """Restart if the moment has come."""
        state = self.world.bot.tables.in_channel(ChannelId(self.world.channel.id))
        if not isinstance(state, Game):
            return
        for name, moment in self._open.items():
            if moment(state, clicking):
                del self._open[name]
                break
        else:
            if self._by_chance == 0 or self._chance.random() > 0.03:
                return
            self._by_chance -= 1
            name = "by chance"
        self.done.append(name)
        if not self._only_open:
            await restart_unnoticed(self.world)
        for player in self.players:
            if player is not clicking:
                await player.open()


async def restart_unnoticed(world: World) -> None:
    """Restart within a moment; check that nothing changes and nothing is posted."""
    before, position = world.table(), world.position()
    log = await world.bot.store.tables.actions(before.id)
    lines = len(messages(world.env, world.channel))
    await world.restart()
    assert world.position() == position
    assert world.table() == before
    assert await world.bot.store.tables.actions(before.id) == log
    assert len(messages(world.env, world.channel)) == lines


async def seated(world: World) -> list[HandPlayer]:
    """Return four active players with many bombs."""
    world.chance.bombs = True
    players = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"), target=5000)
    for player in players:
        player.calls, player.waits, player.early, player.by_cards = 0.2, 0.1, 0.9, 0.3
    return players


SEED = 21
"""Seed of a deal whose first tricks have all of the moments."""
BY_CHANCE = 5 if SOAK else 0


async def test_restarts_change_nothing(tmp_path: Path) -> None:
    """Compared with the same players who open hands at the same moments without a restart."""

    async def played(*, only_open: bool) -> list[ActionRecord]:
        folder = tmp_path / str(only_open)
        folder.mkdir()
        async with a_world(folder, seed=SEED) as world:
            players = await seated(world)
            restarts = Restarts(world, players, BY_CHANCE, only_open=only_open)
            await play_on(world, players, lambda: restarts.over, before_time=restarts.maybe)
            assert len(restarts.done) == len(MOMENTS) + BY_CHANCE
            assert set(restarts.done) - {"by chance"} == {*MOMENTS}
            await world.check_replay()
            return await world.bot.store.tables.actions(world.table().id)

    assert await played(only_open=False) == await played(only_open=True)


@pytest.mark.parametrize(
    "variant, people",
    [
        ("trichu", 3),
        pytest.param("tientsin", 6, marks=pytest.mark.soak),
        pytest.param("grandseigneur", 5, marks=pytest.mark.soak),
    ],
)
async def test_restarts_in_the_other_games(tmp_path: Path, variant: str, people: int) -> None:
    """At many of the same moments, with two hands for one person and with titles."""
    async with a_world(tmp_path, seed=people) as world:
        seated = world.people("Ada", "Ben", "Cai", "Dan", "Eva", "Fay")[:people]
        players = await seat_all(world, seated, variant=variant)
        restarts = Restarts(world, players, 4 if SOAK else 0)
        done = restarts.done
        enough = 12 if SOAK else 8
        await play_on(world, players, lambda: len(done) >= enough, before_time=restarts.maybe)
        assert {"the first lead", "a bomb window", "a kept pre-move"} <= set(done), done
        assert ("half the exchange" in done) == (variant != "grandseigneur"), "not in round 1"
        await world.check_replay()


async def test_restart_in_the_lobby(world: World) -> None:
    ada, ben, cai = world.people("Ada", "Ben", "Cai")
    await ada.slash("tichu new", target=300)
    await world.join(ben)
    before, public = world.table(), len(messages(world.env, world.channel))
    await world.restart()
    assert world.table() == before
    assert len(messages(world.env, world.channel)) == public
    await world.join(cai)
    await ada.press(Verb.FILL)
    await ada.press(Verb.START)
    assert world.table().running
    await world.check_replay()


async def test_old_hand_works_after_a_restart(world: World) -> None:
    players = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    await world.restart()
    for player in players:
        await player.press_with(Verb.GRAND, "no")
    # Nobody has reopened a hand, but each gets updates after the first click on it.
    assert all(player.can(Verb.PICK) for player in players)


async def test_table_says_until_the_next_move_that_the_bot_has_restarted(world: World) -> None:
    players = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    line = restarted_notice(world.game(), Speaker(SAY, world.bot.art)).content

    def said() -> list[ResponseMessage]:
        return [m for m in messages(world.env, world.channel) if line in text(m)]

    assert said() == []
    before = len(messages(world.env, world.channel))
    await world.restart()
    await world.env.advance_time(1)
    (message,) = said()
    assert message.id == world.game().messages.table
    assert len(messages(world.env, world.channel)) == before, "nothing is posted"
    for player in players:
        await player.press_with(Verb.GRAND, "no")
    await world.env.advance_time(1)
    assert said() == []


async def test_deadlines_are_stored_as_absolute_times(world: World) -> None:
    ada, ben = await seat_all(world, world.people("Ada", "Ben"))
    begin = world.env.now()
    await world.env.advance_time(20)
    await world.restart()
    times = world.game().timers.deadlines
    assert times == {"nudge": begin + timedelta(seconds=30), "turn": begin + timedelta(seconds=180)}
    await world.env.advance_time(59)
    assert "nudge" in world.game().timers.deadlines, "they may have clicked just before"
    await world.env.advance_time(1.1)
    assert "nudge" not in world.game().timers.deadlines
    assert [m for m in messages(world.env, world.channel) if f"<@{ada.person.id}>" in text(m)]
    await world.restart()
    await world.env.advance_time(99)
    assert world.game().phase is Phase.GRAND
    assert world.game().notes.away == ()
    await world.env.advance_time(1)
    assert world.game().notes.away == (0, 3)
    await ben.open()
    assert world.game().notes.away == (0,)


async def test_deadlines_that_expired_during_downtime_get_a_grace_period(world: World) -> None:
    await seat_all(world, world.people("Ada", "Ben"))
    world.bot.tables.close()
    world.env.backend.advance_clock(3600)
    assert world.game().phase is Phase.GRAND
    await world.restart()
    assert world.game().phase is Phase.GRAND
    line = restarted_notice(world.game(), Speaker(SAY, world.bot.art)).content
    said = [m for m in messages(world.env, world.channel) if text(m) == line]
    assert len(said) == 1, "people have waited"
    assert with_verb(said[0], Verb.HAND)
    await world.env.advance_time(30)
    assert world.game().phase is not Phase.GRAND
    await world.check_replay()


async def test_computer_players_continue_after_a_restart(world: World) -> None:
    (ada,) = players = await seat_all(world, world.people("Ada"), target=100)
    thinking = lambda: "think" in world.game().timers.deadlines  # noqa: E731
    for _ in range(3):
        await play_on(world, players, thinking)
        due = world.game().timers.deadlines["think"]
        await restart_unnoticed(world)
        assert world.game().timers.deadlines["think"] == due
        seq = world.game().seq
        await world.to_next_deadline()
        assert world.game().seq > seq
        await ada.open()
    await fast_forward(world, match_over)


async def test_pending_dragon_gift_survives(world: World) -> None:
    ada, *_ = await dragon_to_give(world, {0: "MAHJONG DRAGON S2 S3 S4"})
    await restart_unnoticed(world)
    await ada.open()
    await ada.press(ada.controls(Verb.GIFT)[0])
    await world.to_next_deadline()
    assert world.game().phase is Phase.LEAD
    await world.check_replay()


async def test_pause_between_rounds_survives(world: World) -> None:
    players = await seat_all(world, world.people("Ada", "Ben"))
    await fast_forward(world, reached(Phase.ROUND_END))
    await players[0].person.press(Verb.PAUSE)
    await restart_unnoticed(world)
    assert world.game().timers.paused
    await world.env.advance_time(600)
    assert world.game().phase is Phase.ROUND_END
    await players[1].person.press(Verb.RESUME)
    await world.to_next_deadline()
    assert world.game().phase is Phase.GRAND


async def old_result(world: World, *faults: str) -> tuple[list[HandPlayer], ResponseMessage]:
    """Return players in round 2, and the result of round 1 that still has its buttons.

    Discord fails all requests with these methods, and all edits.
    """
    players = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"), target=5000)
    await fast_forward(world, reached(Phase.ROUND_END))
    result, _ = world.newest_with(Verb.PAUSE)
    for method in ("PATCH", *faults):
        world.env.inject_error(method, "/channels/*", status=503, times=None)
    await world.to_next_deadline()
    assert world.game().round.number == 2
    assert with_verb(result, Verb.PAUSE)
    return players, result


async def test_old_result_cannot_pause_and_keeps_its_text(world: World) -> None:
    players, result = await old_result(world)
    await fast_forward(world, reached(Phase.ROUND_END))
    before = text(result)
    answer = await players[0].person.press(Verb.PAUSE, on=result)
    assert answer.response is not None
    assert answer.response.ephemeral
    assert refusal("stale") in text(answer.response)
    assert not world.game().timers.paused
    assert text(result) == before
    world.env.backend.faults.clear()
    await world.env.advance_time(LONGER_THAN_ANY_PAUSE)
    current, _ = world.newest_with(Verb.PAUSE)
    await players[0].person.press(Verb.PAUSE, on=current)
    assert world.game().timers.paused


async def test_old_result_ends_its_countdown_after_a_restart(world: World) -> None:
    _, result = await old_result(world)
    head, *_ = text(result).splitlines()
    deal = world.game().match.results[0]
    world.env.backend.faults.clear()
    await world.restart()
    assert not with_verb(result, Verb.PAUSE)
    assert text(result).startswith(head)
    assert str(deal.number) in head
    assert world.game().messages.result is None
    assert world.game().deal.dealt not in text(result)


async def test_old_result_is_not_taken_for_the_next_one(world: World) -> None:
    _, result = await old_result(world, "POST")
    await fast_forward(world, reached(Phase.ROUND_END))
    head, *_ = text(result).splitlines()
    world.env.backend.faults.clear()
    await world.restart()
    assert text(result).startswith(head)
    assert not with_verb(result, Verb.PAUSE)
    newest, _ = world.newest_with(Verb.PAUSE)
    assert not text(newest).startswith(head)
    assert world.game().messages.result == newest.id


async def test_result_counts_down_to_the_new_time_after_a_restart(world: World) -> None:
    await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"), target=5000)
    await fast_forward(world, reached(Phase.ROUND_END))
    result, _ = world.newest_with(Verb.PAUSE)
    world.bot.tables.close()
    world.env.backend.advance_clock(3600)
    await world.restart()
    due = world.game().timers.deadlines["next_round"]
    assert due > world.env.now()
    assert discord.utils.format_dt(due, "R") in text(result)
