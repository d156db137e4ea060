"""Players who use the controls on their screens, and tables for them."""

from __future__ import annotations

import random
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import mode

from simcord import ChannelHandle, InteractionResult, ResponseMessage

from bot.ids import ChannelId, UserId
from bot.records import PersonalSettings
from bot.table.batch import Batch
from bot.table.commands import Command, Context, Join
from bot.table.outcome import Outcome
from bot.table.permission import require_game
from bot.table.state import Game, OpenTable
from cogs.pages.verbs import Verb
from engine import (
    VARIANTS,
    Action,
    AnswerGrand,
    CardSet,
    PassCards,
    Phase,
    card_text,
    indices,
    read_cards,
)
from tests.cogs.worlds import World, announcer_of
from tests.simcord_clicks import Control, Person, controls, text

_CARD = re.compile(r"\w+")


async def _nothing() -> None:
    return None


class HandPlayer:
    """A player who clicks on the private hand, sensibly or at (seeded) random.

    `before_click` is awaited before each click. `calls` and `bombs` are the probabilities of
    offered calls and bombs, `plays` that of a play where passing is possible; `early` is that of a
    choice at the first look, `by_cards` that of composing it card by card.
    """

    def __init__(self, world: World, person: Person, seed: int) -> None:
        self.world = world
        self.person = person
        self.rng = random.Random(seed)
        self.before_click: Callable[[], Awaitable[None]] = _nothing
        self.calls, self.bombs, self.waits = 0.03, 0.5, 0.03
        self.plays, self.early, self.by_cards = 0.7, 0.7, 0.15
        self._hand: ResponseMessage
        self.clicked: list[str] = []
        self._considered: list[tuple[str, str]] = []
        self._looked_at: tuple[object, list[Control]] = (None, [])

    @property
    def name(self) -> str:
        """Return the player's name."""
        return self.person.member.name

    @property
    def hand(self) -> ResponseMessage:
        """Return the private hand on the screen; if it was deleted, the newest one."""
        if self._hand.id not in self.world.env.backend.messages[self.person.channel.id]:
            self._hand = self.person.latest_private()
        return self._hand

    @hand.setter
    def hand(self, message: ResponseMessage) -> None:
        self._hand = message

    def controls(self, *verbs: Verb) -> list[Control]:
        """Return the enabled controls on the screen (with one of these verbs)."""
        stored = self.hand._message.components  # each edit replaces it as a whole
        if self._looked_at[0] is not stored:
            self._looked_at = stored, [c for c in controls(self.hand) if c.enabled]
        return [c for c in self._looked_at[1] if not verbs or c.verb in verbs]

    def control(self, wanted: Verb) -> Control:
        """Return the one control with this verb."""
        (found,) = self.controls(wanted)
        return found

    def can(self, *verbs: Verb) -> bool:
        """Return whether a control with one of these verbs is on the screen."""
        return bool(self.controls(*verbs))

    def text(self) -> str:
        """Return the text on the screen."""
        return text(self.hand)

    # --- single clicks -------------------------------------------------------------------------

    async def open(self) -> ResponseMessage:
        """Press "My hand" at the table."""
        result = await self.person.press(Verb.HAND)
        assert result.response is not None
        assert result.response.ephemeral
        self._hand = result.response
        return self._hand

    async def press(self, wanted: Verb | Control) -> InteractionResult:
        """Press a button on the hand; check that the answer is the same page without an error."""
        control = self.control(wanted) if isinstance(wanted, str) else wanted
        await self._before(control)
        clicked = self.hand
        result = await self.person.member.click(clicked, custom_id=control.custom_id)
        return self._answered(clicked, result)

    async def press_with(self, wanted: Verb, arguments: str) -> InteractionResult:
        """Press the button with this verb and these arguments."""
        (button,) = [c for c in self.controls(wanted) if c.args == arguments]
        return await self.press(button)

    async def wish(self, rank: str) -> InteractionResult:
        """Press the button that wishes for a rank, or for ``none``."""
        (button,) = [c for c in self.controls(Verb.WISH) if c.args.endswith(f">{rank}")]
        return await self.press(button)

    async def choose(self, wanted: Verb | Control, *values: str) -> InteractionResult:
        """Choose in a select on the hand."""
        control = self.control(wanted) if isinstance(wanted, str) else wanted
        await self._before(control)
        clicked = self.hand
        result = await self.person.member.select(clicked, values, custom_id=control.custom_id)
        return self._answered(clicked, result)

    async def _before(self, control: Control) -> None:
        self.clicked.append(control.verb)
        await self.before_click()

    def _answered(self, clicked: ResponseMessage, result: InteractionResult) -> InteractionResult:
        """Check the page's place (or below a table posted meanwhile); return the result."""
        if result.response is None:
            assert self.hand.id > clicked.id
        else:
            assert result.response.id == self.hand.id == clicked.id
        # Hold is always shown, so that it does not reveal who considers a bomb; it may be refused.
        assert "⚠️" not in self.text() or self.clicked[-1] == "wait", self.text()
        return result

    # --- actions of a player ---------------------------------------------------------------------

    async def act(self) -> bool:
        """Do one sensible thing that the screen offers; return whether there was one."""
        if self.can(Verb.GRAND):
            if self.rng.random() < self.calls:
                await self.call_grand()
            else:
                await self.press_with(Verb.GRAND, "no")
        elif self.can(Verb.WITHDRAW):
            await self.press(self.rng.choice(self.controls(Verb.WITHDRAW)))
        elif self.can(Verb.GIFT):
            if self.can(Verb.TAKE_BACK) or self.rng.random() < 0.5:
                return False
            await self.press(self.rng.choice(self.controls(Verb.GIFT)))
        else:
            return await self._extra() or await self._exchange() or await self._turn()
        return True

    async def call_grand(self) -> None:
        """Call Grand Tichu and confirm it."""
        await self.press(Verb.GRAND_ASK)
        await self.press_with(Verb.GRAND, "yes")

    async def _extra(self) -> bool:
        """Consider calls, bombs and holds once for each new screen; return whether one was made."""
        waits = [] if self.can(Verb.PLAY, Verb.PASS) else self.controls(Verb.WAIT)
        tichu, bombs = self.controls(Verb.TICHU), self.controls(Verb.BOMB, Verb.BOMBS)
        offers = [(c.verb, c.args) for c in tichu + bombs + waits]
        if offers == self._considered:
            return False
        self._considered = offers
        if tichu and self.rng.random() < self.calls:
            await self.press(self.rng.choice(tichu))
            sure = self.rng.random() < 0.7
            await self.press(Verb.TICHU_YES if sure else Verb.REFRESH)
            return True
        if bombs and self.rng.random() < self.bombs:
            await self.throw_bomb(self.rng.choice(bombs))
            return True
        if waits and self.rng.random() < self.waits:
            await self.press(Verb.WAIT)
            return True
        return False

    async def throw_bomb(self, button: Control | None = None) -> None:
        """Throw the bomb, or one of several."""
        (button,) = [button] if button is not None else self.controls(Verb.BOMB, Verb.BOMBS)
        await self.press(button)
        if button.verb == "bombs":
            await self.choose(Verb.BOMB, self.rng.choice(self.control(Verb.BOMB).options).value)

    async def _exchange(self) -> bool:
        if not self.owed():
            return False
        await self.pass_cards()
        return True

    def owed(self) -> int:
        """Return the number of cards to choose for the exchange, of all hands together."""
        game = self.world.game(self.person.channel)
        chair = game.seat_of(UserId(self.person.id))
        if chair is None or game.phase is not Phase.EXCHANGE or game.round.asked:
            return 0
        views = (game.situation(seat).current for seat in game.seats_of_chair(chair))
        gifts = (gift for seen in views if seen.given is None for gift in seen.gifts)
        return sum(gift.number for gift in gifts)

    async def pass_cards(self, *cards: str) -> None:
        """Choose the cards for each of the others (these, or random ones), and pass them.

        Forced cards have no button. A player with two hands passes from the one that the page
        shows.
        """
        wanted = list(cards)
        while not self.can(Verb.GIVE) or len(self.controls(Verb.PICK)) > 1:
            buttons = self.pickable()
            card = wanted.pop(0) if wanted else self.rng.choice(sorted(buttons))
            await self.press(buttons[card])
        await self.press(Verb.GIVE)

    def draw(self, gifts: Sequence[CardSet], wanted: Sequence[str]) -> tuple[CardSet, ...]:
        """Return a card for each gift out of the allowed ones: the wanted one, or a random one."""
        drawn: list[CardSet] = []
        for place, free in enumerate(gifts):
            left = sorted(card_text(card) for card in indices(free & ~sum(drawn)))
            drawn.append(
                read_cards(wanted[place] if place < len(wanted) else self.rng.choice(left))
            )
        return tuple(drawn)

    def pickable(self) -> dict[str, Control]:
        """Return the buttons of the exchange by the card that each picks."""
        picked = [(_CARD.findall(c.args), c) for c in self.controls(Verb.PICK)]
        usual = mode(len(after) for after, _ in picked)
        full = [(after, c) for after, c in picked if len(after) == usual]  # not Start over
        common = set.intersection(*(set(after) for after, _ in full)) if len(full) > 1 else set()
        return {card: c for after, c in full for card in after if card not in common}

    async def _turn(self) -> bool:
        """Play or pass on the own turn, or a little early."""
        if self.can(Verb.TAKE_BACK):
            if self.rng.random() < 0.05:
                await self.press(Verb.TAKE_BACK)
                return True
            return False
        if not self.can(Verb.PLAY, Verb.PASS):
            return False
        hand = _hand_of(self.controls(Verb.PLAY, Verb.PASS)[0])  # of two hands: the one on turn
        auto_pass = [c for c in self.controls(Verb.AUTO_PASS) if _hand_of(c) == hand]
        if any(button.args.startswith("off") for button in auto_pass):
            return False
        if self.rng.random() > self.early:
            return False
        offered = self.controls(Verb.PLAY)
        options = [c.args for c in offered if not c.is_select]
        options += [o.value for c in offered if c.is_select for o in c.options]
        if not self.can(Verb.PASS) or (options and self.rng.random() < self.plays):
            first = self.rng.random() < 0.6
            await self.play(options[0] if first else self.rng.choice(options))
        elif auto_pass and self.rng.random() < 0.2:
            await self.press(auto_pass[0])
        else:
            await self.press(Verb.PASS)
        return True

    async def lay(self, *cards: str) -> None:
        """Choose these cards one by one, and press (one of) the Play button(s)."""
        await self.choose(Verb.CARDS, *cards)
        await self.press(self.rng.choice([c for c in self.controls(Verb.PLAY) if not c.is_select]))

    async def lead_mahjong(self) -> None:
        """Lead the Mah Jong without a wish."""
        await self.lay("MAHJONG")
        await self.wish("none")

    async def play(self, choice: str) -> None:
        """Play the cards of a button or an option of the select, or choose them card by card."""
        if self.rng.random() < self.by_cards:
            cards = int(choice.partition(".")[0], 16)
            await self.lay(*(card_text(card) for card in indices(cards)))
        elif button := [c for c in self.controls(Verb.PLAY) if c.args == choice]:
            await self.press(button[0])
        else:
            (select,) = [c for c in self.controls(Verb.PLAY) if c.is_select]
            await self.choose(select, choice)
        if self.can(Verb.DOG):
            await self.press(self.rng.choice(self.controls(Verb.DOG)))
        if self.can(Verb.WISH):
            await self.press(self.rng.choice(self.controls(Verb.WISH)))


def _hand_of(control: Control) -> str:
    """Return the part of a control's id that names table, revision and hand."""
    return ":".join(control.custom_id.split(":")[1:3])


async def play_on(
    world: World,
    players: Sequence[HandPlayer],
    until: Callable[[], bool],
    *,
    channel: ChannelHandle | None = None,
    most: int = 20_000,
    before_time: Callable[[], Awaitable[None]] = _nothing,
) -> None:
    """Let the players act in turn, and time pass when nobody has anything to do."""
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
        if not busy:
            await _ready_if_alone(world.game(channel), players)
        waited_for = {"nudge", "turn", "idle"} >= set(world.game(channel).timers.deadlines)
        if not busy and not waited_for:
            await before_time()
            await world.to_next_deadline(channel)
        assert idle < 100, "nobody does anything"
    raise AssertionError("this game does not end")


async def _ready_if_alone(game: Game, players: Sequence[HandPlayer]) -> None:
    """Let one person alone be ready for the next round."""
    if game.alone and game.between_rounds and not game.all_ready:
        (player,) = [p for p in players if game.seat_of(UserId(p.person.id)) is not None]
        await player.person.press(Verb.READY)


def over(world: World, channel: ChannelHandle | None = None) -> Callable[[], bool]:
    """Return a condition: no table is open in the channel."""
    return lambda: world.bot.tables.in_channel(ChannelId((channel or world.channel).id)) is None


async def seat_all(world: World, people: Sequence[Person], **options: object) -> list[HandPlayer]:
    """Open a table, seat all, fill it with computers, start it, and open the hands.

    `seats` is the number of players where that can be chosen.
    """
    players = await seat_without_hands(world, people, **options)
    await open_again(players)
    return players


async def seat_without_hands(
    world: World, people: Sequence[Person], **options: object
) -> list[HandPlayer]:
    """Seat and start like `seat_all` without opening hands; only the host clicks."""
    first, *others = people
    seats = options.pop("seats", None)
    game = VARIANTS[str(options.get("variant", "nanjing"))]
    assert seats is None or seats in game.people
    computers = int(str(seats or game.people.start)) - len(people)
    await first.slash("tichu new", computers=computers, **options)
    await sit_down(world, others)
    await first.press(Verb.START)
    return new_players(world, people)


async def sit_down(world: World, people: Sequence[Person]) -> None:
    """Let people join the lobby of their channel, all at once and without clicks."""
    if not people:
        return
    channel = people[0].channel
    names = [(person.id, world.env.backend.get_user(person.id).global_name) for person in people]
    announcer = announcer_of(world)
    with world.env._bot_scope():
        lobby = world.lobby(channel)
        await world.bot.tables.execute(lobby.id, lobby.host_id, _SitDown(tuple(names)))
        announcer.rewrite_lobby(world.table(channel))
    await world.env.settle()


@dataclass(frozen=True, slots=True)
class _SitDown(Command):
    """Let these people (ids and names) sit down, each on the first free chair."""

    people: tuple[tuple[int, str | None], ...]

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome | None:
        """Return the lobby with them."""
        outcome = None
        for who, name in self.people:
            outcome = Join(name or "").carry_out(table, UserId(who), context)
            assert outcome is not None
            table = outcome.after
        return outcome


@dataclass(frozen=True, slots=True)
class _TakeAll(Command):
    """Take these actions, each decided by the person at the seat."""

    actions: tuple[Action, ...] = field(repr=False)

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome:
        """Return the game after them."""
        game = require_game(table)
        batch = Batch(game, context.now)
        for action in self.actions:
            batch.take(action, game.chairs[action.seat].user_id)
        return batch.finish()


async def open_hands(world: World, people: Iterable[Person], seed: int = 1) -> list[HandPlayer]:
    """Return players for these people, with their hands open."""
    players = new_players(world, people, seed)
    await open_again(players)
    return players


def new_players(world: World, people: Iterable[Person], seed: int = 1) -> list[HandPlayer]:
    """Return players for these people, without open hands."""
    return [HandPlayer(world, person, seed + place) for place, person in enumerate(people)]


async def open_again(players: Iterable[HandPlayer]) -> None:
    """Let everybody press "My hand"."""
    for player in players:
        await player.open()


async def dealt(world: World, deal: dict[int, str], **options: object) -> list[HandPlayer]:
    """Return Ada, Ben, Cai, Dan … with these cards, after the exchange of the last ones.

    Nobody has called. It is played without clicks; then everybody opens their hand again.
    """
    players = await dealt_without_hands(world, deal, **options)
    await world.env.settle()
    await open_again(players)
    return players


async def dealt_without_hands(
    world: World, deal: dict[int, str], **options: object
) -> list[HandPlayer]:
    """Deal like `dealt`, without opening hands."""
    world.chance.dealer = 0
    world.chance.deals = [deal]
    seats = VARIANTS[str(options.get("variant", "nanjing"))].people.start
    people = world.people("Ada", "Ben", "Cai", "Dan", "Eva", "Fay")[:seats]
    players = await seat_without_hands(world, people, **options)
    await act(world, *(AnswerGrand(seat, False) for seat in range(seats)))
    passed = []
    for seat, player in enumerate(players):
        gifts = world.game().situation(seat).current.gifts
        wanted = deal.get(seat, "").split()[-len(gifts) :]
        given = player.draw([gift.free for gift in gifts], wanted)
        to = zip((gift.receiver for gift in gifts), given, strict=True)
        passed.append(PassCards(seat, tuple(sorted(to))))
    await act(world, *passed)
    return players


async def always_asked(world: World, *people: Person) -> None:
    """Let these people be asked also where they can only pass."""
    chosen = PersonalSettings(auto_pass=False)
    for person in people:
        await world.bot.store.personal_settings.choose(UserId(person.id), chosen)


async def dragon_to_give(world: World, deal: dict[int, str]) -> list[HandPlayer]:
    """Deal like `dealt`; then the first player has led the Dragon and must give the trick away."""
    leader, *others = players = await dealt(world, deal)
    await leader.lay("DRAGON")
    await world.to_next_deadline()
    for player in others:
        await player.press(Verb.PASS)
    await world.to_next_deadline()
    assert world.game().phase is Phase.GIFT
    return players


async def act(world: World, *actions: Action) -> None:
    """Let people take these actions in the channel's table, at once and without clicks."""
    with world.env._bot_scope():  # work started by the bot here is awaited as its own
        await world.bot.tables.execute(world.table().id, world.game().host_id, _TakeAll(actions))
