"""Play without clicks, for tests that only need the resulting position.

`play_on` in `tests.cogs.table_play` clicks, and waits each time until everything is shown. Here the
same bot executes, stores and announces the same actions in one go, so the table, its log and its
database are as after clicks. `begin_by_clicks` does both, one after the other.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count

from simcord import ChannelHandle

from bench.walks import random_action
from bot.club.actions import Action as EventAction
from bot.club.event import ClubEvent
from bot.ids import UserId
from bot.table.batch import Batch
from bot.table.commands import Command, Context, Ready
from bot.table.lobby import LobbyPlan
from bot.table.outcome import Outcome
from bot.table.permission import require_game
from bot.table.state import Game, Lobby, OpenTable
from engine import CLOCK, Action, AnswerGrand, CallTichu, Match, Phase, write_position
from tests.campaign import SOAK
from tests.cogs.table_play import HandPlayer, open_again, play_on
from tests.cogs.worlds import World, as_game

Until = Callable[[Match], bool]
_MOST_ROUNDS = 100


def match_over(match: Match) -> bool:
    """Return whether the match has ended."""
    return match.phase is Phase.MATCH_END


def round_over(match: Match) -> bool:
    """Return whether a round of the match has ended."""
    return bool(match.results)


def begun(match: Match) -> bool:
    """Return whether a trick has been taken, or a round has ended."""
    return bool(match.results) or (match.round is not None and bool(match.round.past))


def tricks(more: int, match: Match) -> Until:
    """Return a condition: `more` tricks taken since this state, or its round is over."""
    assert match.round is not None
    number, taken_before = match.round.number, len(match.round.past)

    def taken(later: Match) -> bool:
        now = later.round
        return now is None or now.number > number or len(now.past) >= taken_before + more

    return taken


def reached(*phases: Phase) -> Until:
    """Return a condition: the match is in one of these phases."""
    return lambda match: match.phase in phases


@dataclass(frozen=True, slots=True)
class _PlayOn(Command):
    """Take random legal actions for all seats until a condition holds or the round ends."""

    until: Until
    rng: random.Random = field(repr=False)
    calls: float

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome:
        """Return the game after these actions."""
        game = require_game(table)
        batch = Batch(game, context.now)
        rng, drawn = _drawn_from(batch.match, self.rng, self.calls)
        for number in count():
            if self._done(match := batch.match):
                break
            if number == len(drawn):
                drawn.append(_action(match, rng, self.calls))
            batch.take(drawn[number], _decider(game, match, drawn[number].seat))
        if not self.until(batch.match):  # the round is over, with the last of them
            self.rng.setstate(rng.getstate())
        return batch.finish()

    def _done(self, match: Match) -> bool:
        return self.until(match) or match.phase in (Phase.ROUND_END, Phase.MATCH_END)


_drawn: dict[tuple[str, int, float], tuple[random.Random, list[Action]]] = {}
"""Random state and drawn actions, by the position and random state at their start.

Many tests pass the same positions on their way to others.
"""


def _drawn_from(
    match: Match, rng: random.Random, calls: float
) -> tuple[random.Random, list[Action]]:
    """Return the actions drawn from here on, and the random state after them."""
    key = write_position(match), hash(rng.getstate()), calls
    if key not in _drawn:
        _drawn[key] = copy.copy(rng), []
    return _drawn[key]


def _decider(game: Game, match: Match, seat: int) -> UserId | None:
    """Return the person who decides for this seat; `None` for the clock and computers.

    A computer decides for an absent player.
    """
    if seat == CLOCK or match.round is None or game.computer(seat):
        return None
    return game.chairs[match.variant.actor(match.round, seat)].user_id


def _action(match: Match, rng: random.Random, calls: float) -> Action:
    """Return a random legal action; a call with the probability `calls`."""
    while True:
        action = random_action(match, rng)
        if isinstance(action, AnswerGrand):
            return AnswerGrand(action.seat, rng.random() < calls)
        if not isinstance(action, CallTichu) or rng.random() < calls:
            return action


async def carried_out(
    world: World, game: Game, command: Command, user_id: UserId | None = None
) -> Game:
    """Execute this user's command, by default the host's, without a click; return the game."""
    with world.env._bot_scope():  # work started by the bot here is awaited as its own
        return as_game(await world.bot.tables.execute(game.id, user_id or game.host_id, command))


async def opened(world: World, plan: LobbyPlan) -> Lobby:
    """Open a table without a command, as events do; return its lobby."""
    with world.env._bot_scope():
        lobby = await world.bot.tables.create(plan)
    await world.env.settle()
    return lobby


async def ready_if_alone(world: World, game: Game) -> None:
    """Let one person alone be ready for the next round."""
    if game.alone and game.between_rounds:
        (user_id,) = game.user_ids()
        with world.env._bot_scope():
            await world.bot.tables.execute(game.id, user_id, Ready(game.revision))


async def fast_forward(
    world: World,
    until: Until,
    *,
    players: Iterable[HandPlayer] = (),
    channel: ChannelHandle | None = None,
    calls: float = 0.0,
    seed: int = 1,
) -> None:
    """Let everybody take random legal actions until this condition holds.

    Time passes only where the next round has to be dealt. `calls` is the probability of a Tichu or
    Grand Tichu when it is considered. These `players` open their hands again afterwards; other open
    hands may be outdated.
    """
    rng = random.Random(seed)
    for _ in range(_MOST_ROUNDS):
        game = world.game(channel)
        if until(game.match):
            await open_again(players)
            return
        after = await carried_out(world, game, _PlayOn(until, rng, calls))
        await world.env.settle()
        if until(after.match):
            await open_again(players)
            return
        await ready_if_alone(world, after)
        await world.to_next_deadline(channel)
    raise AssertionError("this is never so")


async def begin_by_clicks(
    world: World,
    players: Sequence[HandPlayer],
    until: Until,
    *,
    clicks: Until,
    channel: ChannelHandle | None = None,
) -> None:
    """Play until a condition holds: by clicks until `clicks` holds, then without.

    In a campaign all of it is done by clicks. Afterwards the hands are open and current.
    """
    table_id = world.game(channel).id

    def match() -> Match:
        games = (event.after for event in reversed(world.history) if event.after.id == table_id)
        return as_game(next(games)).match

    def clicked() -> bool:
        return until(match()) or (clicks(match()) and not SOAK)

    await play_on(world, players, clicked, channel=channel)
    if not until(match()):
        await fast_forward(world, until, channel=channel)
        if not match_over(match()):
            await open_again(players)


async def manage_event(
    world: World, event: ClubEvent, change: Callable[[ClubEvent, datetime], Sequence[EventAction]]
) -> None:
    """Store a change of an event by its organiser."""
    club = world.bot.tables.club_events
    with world.env._bot_scope():
        await club.manage(event.id, event.guild_id, event.organiser_id, change, may_manage=False)
    await world.env.settle()
