"""People who use everything at one table, at random, while time passes or not."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from bench.walks import random_deck, random_gifts
from bot.computers.worker_pool import Work
from bot.errors import Refused
from bot.ids import RoleId, TableId, UserId
from bot.records import Change, PersonalSettings
from bot.storage import StorageError
from bot.storage.tables import TableStore
from bot.table.commands import (
    AcceptSeat,
    Act,
    AddComputer,
    ChangeOption,
    CheckIn,
    ComeBack,
    Command,
    DeclineSeat,
    Fill,
    FollowSettings,
    GoOn,
    HoldWindow,
    Invite,
    InviteRole,
    Join,
    KeepSeat,
    Leave,
    LeaveToComputer,
    OfferSeat,
    PassTrick,
    Pause,
    PlayOn,
    Ready,
    Remove,
    SetSpeed,
    Shuffle,
    Start,
    StayOut,
    SwapSeats,
    TakeBack,
    TakeOver,
    ThrowBomb,
    VoteToStop,
)
from bot.table.dealing import Prepare, Prepared
from bot.table.details import SPEEDS
from bot.table.inviting import Guest
from bot.table.options import TURN_BASED_S
from bot.table.state import Game, Lobby, OpenTable, play_to_beat_id, seats_to_act, trick_id
from engine import (
    Action,
    AnswerGrand,
    CallTichu,
    IllegalAction,
    Pass,
    PassCards,
    Phase,
    View,
    after_quiet_window,
    legal_actions,
    new_match,
    view,
)
from players.novice.player import Novice
from tests.bot.brains import Brain
from tests.bot.computers.pools import SlowPool, result
from tests.bot.states import HOST, PEOPLE
from tests.bot.table_world import TableWorld
from tests.engine.positions import round_of

OUTSIDERS = (901, 902)
"""Users who may come to the table."""


class Moody(SlowPool):
    """Workers that answer in time, late or never, fail, or return nonsense."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        self._chance = chance

    def go_on(self) -> None:
        """Let busy workers answer, fail or wait at random."""
        match self._chance.choice(("answer", "answer", "think", "fail", "nonsense", "nothing")):
            case "answer":
                self.answer(lambda seen: Novice().choose(seen, self._chance))
            case "fail":
                self.give(_fail)
            case "nonsense":
                self.give(lambda work: result(work, Pass(0)))
            case "nothing":
                self.give(lambda work: result(work, None))


def _fail(work: Work) -> None:
    raise ValueError


def with_bombs(chance: random.Random) -> Prepare:
    """Return decks of which every second deals many bombs."""

    def prepare(table: OpenTable) -> Prepared:
        match = new_match(table.options.rules, 0)
        return Prepared(None, random_deck(match, chance))

    return prepare


def moody_novice(chance: random.Random) -> Brain:
    """Return a computer player that mostly plays like a Novice, and sometimes fails."""

    def think(seen: View) -> Action | None:
        mood = chance.random()
        if mood < 0.03:
            raise ValueError
        return None if mood < 0.06 else Novice().choose(seen, chance)

    return think


def forgetful(patch: pytest.MonkeyPatch, chance: random.Random) -> None:
    """Let some commits fail at random."""
    commit = TableStore.commit

    async def sometimes(self: TableStore, table_id: TableId, change: Change) -> None:
        if chance.random() < 0.02:
            raise StorageError("locked")
        await commit(self, table_id, change)

    patch.setattr(TableStore, "commit", sometimes)


OWN_ERRORS = ("computer player failed", "chose an illegal action", "database unavailable")
"""Log messages caused by these computer players and this storage."""


class Wanderer:
    """Does one random thing after another at a table."""

    def __init__(self, world: TableWorld, table_id: int, seed: int) -> None:
        self.world = world
        self.table_id = table_id
        self.chance = random.Random(seed)
        self.pool = world.pool if isinstance(world.pool, Moody) else None
        self.done: set[str] = set()
        """Names of the deeds that were not refused."""

    @property
    def table(self) -> OpenTable | None:
        """Return the table if it is open."""
        return self.world.tables.find(TableId(self.table_id))

    async def step(self) -> str:
        """Do something, sensible or not; return its name."""
        table = self.table
        assert table is not None
        deeds = IN_GAME if isinstance(table, Game) else IN_LOBBY
        names = list(deeds)
        (name,) = self.chance.choices(names, [deeds[name] for name in names])
        if self.pool is not None:
            self.pool.go_on()
        try:
            if name == "time":
                await self._time_passes()
            elif name == "restart":
                await self._restart()
            elif isinstance(table, Game):
                await self._in_game(name, table)
            else:
                await self._in_lobby(name, table)
        except (Refused, IllegalAction, StorageError):
            return "refused"
        self.done.add(name)
        return name

    async def _do(self, user_id: UserId, command: Command) -> None:
        await self.world.tables.execute(TableId(self.table_id), user_id, command)

    async def _time_passes(self) -> None:
        """Advance to the next timer or for a while; an abandoned table is left to others."""
        table = self.table
        assert table is not None
        due = table.timers.next
        if due is not None and not table.timers.paused and self.chance.random() < 0.8:
            self.world.time.jump(due)
            await self.world.quiet()
        else:
            await self.world.run(self.chance.choice((0.1, 1.0, 5.0, 21.0, 120.0)))

    async def _restart(self) -> None:
        """Restart the bot after a moment or after hours."""
        await self.world.quiet()
        await self.world.close()
        if self.pool is not None:
            self.pool.at_work.clear()
        gone = self.chance.choice((0.0, 3.0, 3600.0))
        self.world.time.jump(self.world.time.seconds_from_now(gone))
        await self.world.open()
        await self.world.quiet()

    # --- deeds in a lobby ------------------------------------------------------------------------

    async def _in_lobby(self, name: str, lobby: Lobby) -> None:
        chance, revision = self.chance, lobby.revision
        user = chance.choice((*lobby.user_ids(), lobby.host_id))
        seat, other = chance.randrange(len(lobby.chairs)), chance.randrange(len(lobby.chairs))
        number = chance.choice(range(len(PEOPLE)))
        match name:
            case "join":
                guest = Guest(UserId(HOST + number), PEOPLE[number])
                with suppress(Refused):  # already invited, for example
                    await self._do(lobby.host_id, Invite((guest,)))
                    await self._do(lobby.host_id, InviteRole(RoleId(number)))
                await self._do(guest.id, Join(guest.name))
            case "leave":
                if len(lobby.user_ids()) > 1:
                    await self._do(user, Leave())
            case "fill":
                await self._do(lobby.host_id, Fill())
            case "add":
                await self._do(lobby.host_id, AddComputer(seat, revision))
            case "remove":
                await self._do(lobby.host_id, Remove(seat, revision))
            case "swap":
                await self._do(lobby.host_id, SwapSeats(seat, other, revision))
            case "option":
                option, value = chance.choice(OPTIONS)
                if option == "turn_limit_s" and lobby.options.turn_based:
                    value = str(chance.choice(TURN_BASED_S))
                await self._do(lobby.host_id, ChangeOption(option, value))
            case "shuffle":
                await self._do(user, Shuffle(f"word {number}"))
            case "start":
                if lobby.options.event is not None:
                    await self._do(user, CheckIn())
                else:
                    await self._do(lobby.host_id, Start())

    # --- deeds in a game -------------------------------------------------------------------------

    async def _in_game(self, name: str, game: Game) -> None:
        chance, round_ = self.chance, game.round
        chair = chance.choice([*game.people()])
        user = UserId(chair.user_id or 0)
        seat = chance.choice(game.seats_of_chair(chair.seat))
        outsider = chance.choice(OUTSIDERS)
        match name:
            case "act":
                await self.act()
            case "any":
                await self._do(user, Act(some_action(game, seat, chance), game.revision))
            case "early":
                live = after_quiet_window(game.match)
                mover = round_of(live).turn
                owner = game.chairs[game.decider(mover)].user_id
                if live is not game.match and owner is not None:
                    actions = list(legal_actions(live, mover))
                    await self._do(owner, Act(chance.choice(actions), game.revision))
            case "go-on":
                await self._do(user, GoOn(game.revision))
            case "halt":
                await self.world.tables.channels.halt(game.id, game.channel_id, "locked")
            case "back":
                await self._do(user, TakeBack(seat, game.revision))
            case "hold":
                await self._do(user, HoldWindow(round_.number))
            case "trick":
                on = chance.random() < 0.7
                await self._do(user, PassTrick(seat, on, trick_id(round_)))
            case "tichu":
                for caller in (seat, *round_.seating.partners(seat)):
                    if owner := game.chairs[game.decider(caller)].user_id:
                        await self._do(owner, Act(CallTichu(caller)))
            case "grand":
                for caller in seats_to_act(game.match):
                    if owner := game.chairs[game.decider(caller)].user_id:
                        await self._do(owner, Act(AnswerGrand(caller, True), game.revision))
            case "bomb":
                seen = view(game.match, seat)
                if seen.bombs:
                    cards = chance.choice(seen.bombs).cards
                    await self._do(user, ThrowBomb(seat, cards, play_to_beat_id(seen)))
            case "pause":
                await self._do(user, Pause(True))
            case "resume":
                await self._do(user, Pause(False))
            case "speed":
                await self._do(user, SetSpeed(chance.choice(SPEEDS)))
            case "ready":
                await self._do(user, Ready(game.revision))
            case "vote":
                await self._do(user, VoteToStop())
            case "play-on":
                await self._do(user, PlayOn())
            case "quit":
                await self._do(user, LeaveToComputer())
            case "forget":
                if not game.alone:
                    await self.world.tables.forgetting.forget(user)
            case "offer":
                await self._do(user, OfferSeat(UserId(outsider), "Zoe"))
            case "keep":
                await self._do(user, KeepSeat())
            case "accept" | "decline":
                for offered, member in game.notes.offers.items():
                    taken = AcceptSeat("Zoe", offered) if name == "accept" else DeclineSeat(offered)
                    await self._do(member, taken)
            case "come":
                await self._do(UserId(outsider), TakeOver("Zoe", None))
            case "stay-out":
                await self._do(UserId(outsider), StayOut())
            case "be-back":
                await self._do(user, ComeBack())
            case "settings":
                settings = PersonalSettings(
                    auto_pass=chance.random() < 0.5,
                    more_time=chance.random() < 0.5,
                    quiet=chance.choice((None, (1320, 420), (0, 1439))),
                )
                await self._do(user, FollowSettings(settings))
            case "shuffle":
                await self._do(user, Shuffle("word"))
            case "look":
                self.world.tables.clicked(game.id, user)

    async def act(self) -> None:
        """Let an awaited person act like a Novice for one of their hands."""
        game = self.table
        assert isinstance(game, Game)
        seats = [seat for seat in game.awaited_seats if not game.computer(seat)]
        if not seats:
            await self._time_passes()
            return
        seat = self.chance.choice(seats)
        user = game.chairs[game.decider(seat)].user_id
        assert user is not None
        if seat == game.awaited_in_window and seat != game.round.turn:
            await self._do(user, GoOn(game.revision))
            return
        action = Novice().choose(game.situation(seat).upcoming, self.chance)
        assert action is not None
        await self._do(user, Act(action, game.revision))


def some_action(game: Game, seat: int, chance: random.Random) -> Action:
    """Return an action of this seat, or a call if there is none."""
    round_ = game.round
    if round_.phase is Phase.EXCHANGE and not round_.asked:
        return PassCards(seat, random_gifts(game.match, round_, seat, chance))
    return chance.choice([*legal_actions(game.match, seat)] or [CallTichu(seat)])


OPTIONS = (
    *(("computers", "novice"), ("turn_limit_s", "60"), ("bomb_window_ms", "2000")),
    *(("auto_start", "on"), ("auto_start", "off")),
)
"""Options that do not make a match longer."""
_LOBBY = "join 9, leave 1, fill 2, add 1, remove 1, swap 1, option 1, shuffle 1, start 2, time 0.2"
_PLAY = "act 40, any 8, early 6, go-on 2, back 3, hold 2, trick 4, tichu 2, grand 8, bomb 4"
_TABLE = "pause 3, resume 3, ready 4, speed 1, vote 0.4, play-on 0.4, settings 2, shuffle 1"
_SEATS = "be-back 2, quit 0.6, offer 1, keep 0.5, accept 1, decline 0.5, come 2, stay-out 0.5"
_OTHERS = "look 2, time 16, restart 1, halt 0.3, forget 0.3"


def _weights(text: str) -> dict[str, float]:
    """Return the relative frequencies of deeds by name."""
    pairs = (deed.split() for deed in text.split(", "))
    return {name: float(weight) for name, weight in pairs}


IN_LOBBY = _weights(_LOBBY)
"""Relative frequencies of deeds in a lobby."""
IN_GAME = _weights(f"{_PLAY}, {_TABLE}, {_SEATS}, {_OTHERS}")
"""Relative frequencies of deeds in a match."""
