"""A world with a running bot, and players who play from what stands on their screens.

Controls are found by their verb (the fourth part of a ``custom_id``), so that wording may change.
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from pydantic import SecretStr
from simcord import ChannelHandle, Env, InteractionResult, ResponseMessage

from bot.client import TichuBot
from bot.replay import replay
from bot.settings import Settings
from bot.table import TableState
from bot.tables import Happened
from engine.cards import DECK_SIZE, OF_RANK, RANKS, card_text, indices, read_cards
from engine.position import write_position
from tests.simcord_clicks import Control, Person, controls, newcomers, quicken, text, virtual_sleep

DECK = (1 << DECK_SIZE) - 1
_CALLBACK = "/callback"


def verb(control: Control) -> str:
    """What a control does, as its id says it."""
    return control.custom_id.split(":")[3]


def args(control: Control) -> str:
    """What stands behind the verb in the id of a control."""
    return control.custom_id.split(":", 4)[4]


def with_verb(message: ResponseMessage, *verbs: str) -> list[Control]:
    """The enabled controls of a message with one of these verbs."""
    return [c for c in controls(message) if c.enabled and c.custom_id and verb(c) in verbs]


class Chance(random.Random):
    """The bot's chance, seeded; it can deal prepared hands.

    `dealer` is the first dealer. `deals` are prepared for as many rounds: by seat (with this
    dealer) the cards in notation, the rest by chance. With `bombs` everybody gets three bombs.
    """

    dealer: int | None = None
    bombs = False

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.deals: list[dict[int, str]] = []

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """A number; the first one the bot asks for is the first dealer."""
        if self.dealer is not None and (start, stop) == (4, None):
            return self.dealer
        return super().randrange(start, stop, step)

    def shuffle(self, x: list[int]) -> None:  # type: ignore[override]
        """Shuffle a deck, or lay it as it was prepared."""
        super().shuffle(x)
        if self.deals:
            self._prepare(x, {at: read_cards(cards) for at, cards in self.deals.pop(0).items()})
        elif self.bombs:
            ranks = self.sample(RANKS, 12)
            self._prepare(x, {at: sum(OF_RANK[r] & DECK for r in ranks[at::4]) for at in range(4)})

    def _prepare(self, deck: list[int], wanted: dict[int, int]) -> None:
        """Order a deck so that these seats get these sets of cards."""
        taken = sum(wanted.values())
        rest = [card for card in deck if not taken >> card & 1]
        for place in range(4):
            hand = list(indices(wanted.get(((self.dealer or 0) + place) % 4, 0)))
            while len(hand) < 14:
                hand.append(rest.pop())
            deck[place::4] = hand


class WatchedBot(TichuBot):
    """The bot, with a list of everything that happened at its tables."""

    def watch(self, history: list[Happened]) -> None:
        """Write down what happens from the next start on."""
        self.history = history

    async def setup_hook(self) -> None:
        """As the bot does, with a listener before the listener."""
        await super().setup_hook()
        surface = self.tables.listener
        assert surface is not None
        show = surface.happened

        def happened(what: Happened) -> None:
            self.history.append(what)
            show(what)

        surface.happened = happened  # type: ignore[method-assign]


class World:
    """A bot on its own database file, a server with a channel, and the people in it."""

    def __init__(self, folder: Path, seed: int = 0) -> None:
        self.chance = Chance(seed)
        self.settings = Settings(
            discord_token=SecretStr("secret"),
            database_url=f"sqlite+aiosqlite:///{folder}/tichu.db",
            heartbeat_file=folder / "heartbeat",
            _env_file=None,
        )
        self.history: list[Happened] = []
        self.env = Env(self._bot(), settle_timeout=60)

    def _bot(self) -> WatchedBot:
        sleep = virtual_sleep(lambda: self.env)
        bot = WatchedBot(self.settings, sleep=sleep, chance=self.chance, shard_count=1)
        bot.watch(self.history)
        return bot

    @property
    def bot(self) -> TichuBot:
        """The bot that runs now."""
        assert isinstance(self.env.bot, TichuBot)
        return self.env.bot

    async def start(self) -> None:
        """Start the bot and make the server."""
        await self.env.start()
        quicken(self.env)
        self.guild = self.env.create_guild("Server")
        self.channel = self.guild.create_text_channel("tichu")

    async def restart(self) -> None:
        """A new bot on the same database, as after a crash."""
        old = self.bot
        await self.env.restart_bot(self._bot())
        await old.store.close()

    async def stop(self) -> None:
        """Stop the bot."""
        await self.env.shutdown()
        await self.bot.store.close()

    async def end(self) -> None:
        """Stop the bot; it must have raised nothing, and answered everything exactly once."""
        await self.stop()
        self.env.raise_errors()
        self.check_answers()

    def check_answers(self) -> None:
        """Every click and command so far was answered, and only once."""
        answers: dict[int, int] = {}
        for request in self.env.http_requests:
            if request.path.endswith(_CALLBACK):
                interaction = int(request.path.split("/")[2])
                answers[interaction] = answers.get(interaction, 0) + 1
        assert {i: answers.get(i, 0) for i in self.env.backend.interactions} == dict.fromkeys(
            self.env.backend.interactions, 1
        )
        for record in self.env.backend.interactions.values():
            assert not record.loading, f"interaction {record.id} was left thinking"

    def people(self, *names: str, channel: ChannelHandle | None = None) -> list[Person]:
        """New members of the server."""
        return newcomers(self.env, self.guild, channel or self.channel, *names)

    # --- the table behind the screens: for checks and for the clock ----------------------------

    def table(self, channel: ChannelHandle | None = None) -> TableState:
        """The open table of a channel."""
        state = self.bot.tables.in_channel((channel or self.channel).id)
        assert state is not None
        return state

    def position(self, channel: ChannelHandle | None = None) -> str:
        """The whole position at a table as text."""
        match = self.table(channel).match
        assert match is not None
        return write_position(match)

    async def check_replay(self, channel: ChannelHandle | None = None) -> None:
        """What is stored leads to the position that is played."""
        state = self.table(channel)
        match = replay(state.options.rules(), await self.bot.store.actions(state.id))
        assert (match is None) == (state.match is None)
        if match is not None:
            assert write_position(match) == self.position(channel)

    async def to_next_deadline(self, channel: ChannelHandle | None = None) -> float:
        """Let time pass until the clock of the table has something to do; the seconds."""
        due = self.table(channel).desk.next_deadline
        assert due is not None
        left = max(timedelta(), due - self.env.now()).total_seconds() + 0.001
        await self.env.advance_time(left)
        return left

    def newest_with(
        self, wanted: str, channel: ChannelHandle | None = None
    ) -> tuple[ResponseMessage, Control]:
        """The newest public message with an enabled control of this verb, and the control."""
        stored = self.env.backend.messages.get((channel or self.channel).id, {})
        for message_id in sorted(stored, reverse=True):
            message = ResponseMessage(self.env, stored[message_id])
            if not message.ephemeral:
                for control in with_verb(message, wanted):
                    return message, control
        raise AssertionError(f"no public message has a control {wanted!r}")

    async def press(self, person: Person, wanted: str) -> InteractionResult:
        """Let somebody press a public button."""
        message, control = self.newest_with(wanted, person.channel)
        return await person.member.click(message, custom_id=control.custom_id)

    async def seat_all(self, people: Sequence[Person], **options: object) -> list[HandPlayer]:
        """Open a table, let all sit down, fill it with computer players and start it."""
        first, *others = people
        await first.slash("tichu new", computers=4 - len(people), **options)
        for person in others:
            await self.press(person, "join")
        await self.press(first, "start")
        return await self.open_hands(people)

    async def open_hands(self, people: Iterable[Person], seed: int = 1) -> list[HandPlayer]:
        """Players for these people, with their hands open."""
        players = [HandPlayer(self, person, seed + place) for place, person in enumerate(people)]
        for player in players:
            await player.open()
        return players


@asynccontextmanager
async def a_world(folder: Path, seed: int = 0) -> AsyncIterator[World]:
    """A started world; at the end all that holds for every test is checked."""
    random.seed(seed)  # the pauses of computer players
    world = World(folder, seed)
    await world.start()
    try:
        yield world
    except BaseException:
        await world.stop()
        raise
    await world.end()


async def _nothing() -> None:
    return None


class HandPlayer:
    """Somebody who plays by clicking on the private hand, sensibly or by (seeded) chance.

    `before_click` is awaited before each click. `calls` and `bombs` are how probable calls and
    bombs are when they are offered, `plays` a play where passing is possible; `early` tells how
    often a choice is made at the first look, `by_cards` how often it is put together card by card.
    """

    def __init__(self, world: World, person: Person, seed: int) -> None:
        self.world = world
        self.person = person
        self.rng = random.Random(seed)
        self.before_click: Callable[[], Awaitable[None]] = _nothing
        self.calls, self.bombs, self.plays, self.early, self.by_cards = 0.03, 0.5, 0.7, 0.7, 0.15
        self.hand: ResponseMessage
        self.clicked: list[str] = []
        self._considered: list[tuple[str, str]] = []
        self._looked_at: tuple[object, list[Control]] = (None, [])

    @property
    def name(self) -> str:
        """The player's name."""
        return self.person.member.name

    def controls(self, *verbs: str) -> list[Control]:
        """The enabled controls on the screen with one of these verbs."""
        stored = self.hand._message.components  # replaced as a whole by each edit
        if self._looked_at[0] is not stored:
            self._looked_at = stored, [c for c in controls(self.hand) if c.enabled]
        return [c for c in self._looked_at[1] if verb(c) in verbs]

    def control(self, wanted: str) -> Control:
        """The one control with this verb."""
        (found,) = self.controls(wanted)
        return found

    def can(self, *verbs: str) -> bool:
        """Whether a control with one of these verbs is on the screen."""
        return bool(self.controls(*verbs))

    def text(self) -> str:
        """What stands on the screen."""
        return text(self.hand)

    # --- single clicks -------------------------------------------------------------------------

    async def open(self) -> ResponseMessage:
        """Press "My hand" at the table."""
        result = await self.world.press(self.person, "hand")
        assert result.response is not None
        assert result.response.ephemeral
        self.hand = result.response
        return self.hand

    async def press(self, wanted: str | Control) -> InteractionResult:
        """Press a button on the hand; the answer must be the same page, without complaint."""
        control = self.control(wanted) if isinstance(wanted, str) else wanted
        await self._before(control)
        return self._answered(
            await self.person.member.click(self.hand, custom_id=control.custom_id)
        )

    async def press_with(self, wanted: str, arguments: str) -> InteractionResult:
        """Press the button with this verb and these arguments."""
        (button,) = [c for c in self.controls(wanted) if args(c) == arguments]
        return await self.press(button)

    async def choose(self, wanted: str | Control, *values: str) -> InteractionResult:
        """Choose in a select on the hand."""
        control = self.control(wanted) if isinstance(wanted, str) else wanted
        await self._before(control)
        return self._answered(
            await self.person.member.select(self.hand, values, custom_id=control.custom_id)
        )

    async def _before(self, control: Control) -> None:
        self.clicked.append(verb(control))
        await self.before_click()

    def _answered(self, result: InteractionResult) -> InteractionResult:
        assert result.response is not None
        assert result.response.id == self.hand.id
        # "Wait!" is always there, so that nobody sees who thinks about a bomb: it may be refused.
        assert "⚠️" not in self.text() or self.clicked[-1] == "wait", self.text()
        return result

    # --- what a player does --------------------------------------------------------------------

    async def act(self) -> bool:
        """Do one sensible thing that the screen offers; False if there is nothing to do."""
        if self.can("grand"):
            await self.press_with("grand", "yes" if self.rng.random() < self.calls else "no")
        elif self.can("withdraw"):
            await self.press(self.rng.choice(self.controls("withdraw")))
        elif self.can("gift"):
            if self.can("take-back"):
                return False
            await self.press(self.rng.choice(self.controls("gift")))
        else:
            return await self._extra() or await self._exchange() or await self._turn()
        return True

    async def _extra(self) -> bool:
        """What may be done besides, thought about once for each new screen."""
        waits = [] if self.can("play", "pass") else self.controls("wait")
        offers = [(verb(c), args(c)) for c in self.controls("tichu", "bomb", "bombs") + waits]
        if offers == self._considered:
            return False
        self._considered = offers
        if self.can("tichu") and self.rng.random() < self.calls:
            await self.press("tichu")
            sure = self.rng.random() < 0.7
            await self.press("tichu-yes" if sure else "refresh")
            return True
        if self.can("bomb", "bombs") and self.rng.random() < self.bombs:
            await self.throw_bomb()
            return True
        if waits and self.rng.random() < 0.03:
            await self.press("wait")
            return True
        return False

    async def throw_bomb(self) -> None:
        """Throw the bomb, or one of several."""
        if self.can("bomb"):
            await self.press("bomb")
        else:
            await self.press("bombs")
            await self.choose("bomb", self.rng.choice(self.control("bomb").options).value)

    async def _exchange(self) -> bool:
        selects = self.controls("card-a", "card-b", "card-c")
        if not selects or self.can("give"):
            return False
        await self.pass_cards()
        return True

    async def pass_cards(self, *cards: str) -> None:
        """Choose a card for each of the others (these, or by chance), and give."""
        selects = self.controls("card-a", "card-b", "card-c")
        held = [option.value for option in selects[0].options]
        cards = cards or tuple(self.rng.sample(held, len(selects)))
        for select, card in zip(selects, cards, strict=True):
            await self.choose(verb(select), card)
        await self.press("give")

    async def _turn(self) -> bool:
        """Play or pass at one's turn, or a little too early."""
        if self.can("take-back"):
            if self.rng.random() < 0.05:
                await self.press("take-back")
                return True
            return False
        if self.can("auto-pass") and args(self.control("auto-pass")).startswith("off"):
            return False
        if not self.can("play", "pass"):
            return False
        if self.rng.random() > self.early:
            return False
        options = [o.value for c in self.controls("play") if c.is_select for o in c.options]
        if not self.can("pass") or (options and self.rng.random() < self.plays):
            first = self.rng.random() < 0.6
            await self.play(options[0] if first else self.rng.choice(options))
        elif self.can("auto-pass") and self.rng.random() < 0.2:
            await self.press("auto-pass")
        else:
            await self.press("pass")
        return True

    async def play(self, choice: str) -> None:
        """Play what an option of the select stands for, from the select or card by card."""
        cards, *_ = choice.split(".")
        if self.rng.random() < self.by_cards:
            await self.choose("cards", *(card_text(card) for card in indices(int(cards, 16))))
            buttons = [c for c in self.controls("play") if not c.is_select]
            await self.press(self.rng.choice(buttons))
        else:
            (select,) = [c for c in self.controls("play") if c.is_select]
            await self.choose(select, choice)
        if self.can("wish"):
            wishes = [option.value for option in self.control("wish").options]
            await self.choose("wish", self.rng.choice(["none", *wishes]))


async def play_on(
    world: World,
    players: Sequence[HandPlayer],
    until: Callable[[], bool],
    *,
    channel: ChannelHandle | None = None,
    most: int = 20_000,
    after_time: Callable[[], Awaitable[None]] = _nothing,
) -> None:
    """Let the players look at their screens in turn, and time pass when nobody does anything."""
    idle = 0
    for _ in range(most):
        busy = False
        for player in players:
            if until():
                return
            busy = await player.act() or busy
        if until():
            return
        idle = 0 if busy else idle + 1
        waited_for = {"nudge", "turn"} >= set(world.table(channel).desk.deadlines)
        if not busy and not waited_for:
            await world.to_next_deadline(channel)
            await after_time()
        assert idle < 100, "nobody does anything"
    raise AssertionError("this game does not end")


def over(world: World, channel: ChannelHandle | None = None) -> Callable[[], bool]:
    """Whether there is no open table any more."""
    return lambda: world.bot.tables.in_channel((channel or world.channel).id) is None
