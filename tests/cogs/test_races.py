"""Many concurrent clicks: each is answered once and politely, and only legal actions happen."""

from __future__ import annotations

import random
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any

import pytest
from simcord import InteractionResult, ResponseMessage

from bot.text.sentences import apology
from cogs.pages.verbs import Verb
from engine import Phase
from tests.campaign import SOAK, sample
from tests.cogs.fast_forward import begin_by_clicks, fast_forward, match_over, reached, tricks
from tests.cogs.forged_clicks import forge, forge_anything
from tests.cogs.table_play import HandPlayer, dragon_to_give, open_again, play_on, seat_all
from tests.cogs.worlds import SAY, World
from tests.simcord_clicks import Control, Person, enabled, fire_all, messages, text, with_verb

Clicking = Coroutine[Any, Any, InteractionResult]
MakeClick = Callable[[], Clicking]

PHASES = (
    *(Phase.GRAND, Phase.EXCHANGE, Phase.LEAD, Phase.WINDOW, Phase.TURN, Phase.CLOSING),
    *(Phase.ROUND_END, Phase.GRAND),
)


CLICKS = 100 if SOAK else 50
ENDING = {Verb.STOP_VOTE, Verb.AGREE, Verb.STOP_NOW, Verb.FORGET_ME_NOW}
"""Verbs that could end the match, which must continue."""


class Burst:
    """Makes clicks of all kinds, aimed at the current screens."""

    def __init__(
        self, world: World, players: Sequence[HandPlayer], stranger: Person, seed: int
    ) -> None:
        self.world = world
        self.players = players
        self.stranger = stranger
        self.rng = random.Random(seed)
        self._public: list[tuple[ResponseMessage, Control]] = []

    def clicks(self, count: int, *, forged: bool = True) -> list[Clicking]:
        """Return about `count` clicks, one in six a double click; `forged` adds impossible ones."""
        public = messages(self.world.env, self.world.channel)[-20:]
        self._public = [
            (message, control)
            for message in public
            for control in enabled(message)
            if control.verb not in ENDING
        ]
        kinds = [self.honest] * 8 + [self.public] * 2 + [self.command]
        if forged:
            kinds += [self.nonsense] * 5 + [self.copied]
        made = [self.rng.choice(kinds)() for _ in range(5 * count // 6)]
        made += self.rng.sample(made, count - len(made))
        self.rng.shuffle(made)
        return [make() for make in made]

    def honest(self) -> MakeClick:
        """Return a click of a player on their own screen."""
        player = self.rng.choice(self.players)
        found = player.controls()
        if not found:
            return self.public()
        control = self.rng.choice(found)
        member, hand = player.person.member, player.hand
        if not control.is_select:
            return lambda: member.click(hand, custom_id=control.custom_id)
        options = self.rng.sample(control.options, self.rng.randint(control.least, control.most))
        values = [option.value for option in options]
        return lambda: member.select(hand, values, custom_id=control.custom_id)

    def person(self) -> Person:
        """Return a user, sometimes one without a seat."""
        return self.rng.choice([self.stranger, *(player.person for player in self.players)])

    def public(self) -> MakeClick:
        """Return a click on one of the last public messages."""
        message, control = self.rng.choice(self._public)
        member = self.person().member
        return lambda: member.click(message, custom_id=control.custom_id)

    def command(self) -> MakeClick:
        """Return a slash command that does not end the table."""
        person, name = self.person(), self.rng.choice(["hand", "table", "rules", "new"])
        return lambda: person.slash(f"tichu {name}")

    def copied(self) -> MakeClick:
        """Return a click on a control of another user."""
        theirs = [control for player in self.players for control in player.controls()]
        if not theirs:
            return self.nonsense()
        player, control = self.rng.choice(self.players), self.rng.choice(theirs)
        values = [control.options[0].value] if control.is_select else None
        return lambda: forge(player.person, player.hand, control.custom_id, values)

    def nonsense(self) -> MakeClick:
        """Return a click on a forged control, on a hand or a public message."""
        state, seed = self.world.table(), self.rng.random()
        player = self.rng.choice(self.players)
        person, message = player.person, player.hand
        if self.rng.random() < 0.3:
            person, message = self.person(), self._public[-1][0]
        return lambda: forge_anything(
            person, message, random.Random(seed), state.id, state.revision, without=ENDING
        )


def check_polite(results: Sequence[InteractionResult]) -> None:
    """Check that everybody got a text or a page, and nobody an apology for a bug.

    A hand that was the answer may be deleted by now if its player got a newer one.
    """
    for result in results:
        shown = [*result.followups, *([result.response] if result.response else [])]
        words = [text(message) for message in shown]
        newer_came = result.acknowledged and not shown
        assert any(words) or newer_came, result
        assert not any(apology(SAY) in word for word in words)


async def check_legal(world: World) -> None:
    """Check that the stored log is the played one, and everybody acted for themselves."""
    await world.check_replay()
    state = world.game()
    records = await world.bot.store.tables.actions(state.id)
    assert len(records) == state.seq
    for record in records:
        if record.actor_id is not None and record.seat < len(state.chairs):
            assert state.chairs[record.seat].user_id == record.actor_id
        elif record.actor_id is not None:  # the Table of Trichu: the dealer of that round
            dealers = [*(result.dealer for result in state.match.results), state.round.dealer]
            assert state.chairs[dealers[record.round - 1]].user_id == record.actor_id


async def storm(world: World, players: Sequence[HandPlayer], burst: Burst) -> None:
    """Make `CLICKS` clicks at once; check the state, and let everybody open their hand again.

    A player who opens a hand may have clicked on the previous one, which is deleted when the answer
    comes.
    """
    world.repeats_answers = True
    check_polite(await fire_all(world.env, burst.clicks(CLICKS)))
    world.check_answers()
    await check_legal(world)
    if world.game().timers.paused:
        await players[0].person.press(Verb.RESUME)
    await open_again(players)


def _is_in(world: World, phase: Phase) -> bool:
    return world.game().phase is phase


TWO_HANDS = (Phase.EXCHANGE, Phase.TURN)
"""Phases in which the two hands of Trichu's dealer matter most."""
ONE_HAND = sample((phase for phase in PHASES[:-1] if phase not in TWO_HANDS), 2)
"""Some of the other phases, in a campaign all."""


@pytest.mark.parametrize(
    "variant, names, phases",
    [
        ("nanjing", "Ada Ben Cai Dan", ONE_HAND),
        ("trichu", "Ada Ben Cai", TWO_HANDS),
        pytest.param("nanjing", "Ada Ben Cai Dan", PHASES, marks=pytest.mark.soak),
        pytest.param("trichu", "Ada Ben Cai", PHASES, marks=pytest.mark.soak),
        pytest.param("tientsin", "Ada Ben Cai Dan Fay Gus", PHASES, marks=pytest.mark.soak),
        pytest.param("grandseigneur", "Ada Ben Cai Dan Fay", PHASES, marks=pytest.mark.soak),
    ],
)
async def test_many_clicks_at_once_in_every_phase(
    world: World, variant: str, names: str, phases: Sequence[Phase]
) -> None:
    world.let_people_hurry()
    people, (eve,) = world.people(*names.split()), world.people("Eve")
    players = await seat_all(world, people, variant=variant)
    burst = Burst(world, players, eve, len(names))
    for phase in phases:
        if phase is Phase.GRAND and not world.table().options.game.grand_cards:
            continue
        await fast_forward(world, reached(phase))
        await storm(world, players, burst)
    await play_on(world, players, partial(_is_in, world, Phase.TURN))


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.soak)])
async def test_many_clicks_at_once_when_a_trick_is_given(world: World, seed: int) -> None:
    world.let_people_hurry()
    deal = {0: "MAHJONG DRAGON J3 J4 J5", 1: "S3 S4 S5", 2: "P3 P4 P5", 3: "T3 T4 T5"}
    players = await dragon_to_give(world, deal)
    burst = Burst(world, players, world.people("Eve")[0], seed)
    await storm(world, players, burst)
    later = tricks(1, world.game().match)
    await begin_by_clicks(world, players, reached(Phase.ROUND_END), clicks=later)


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in (1, 2))]
)
async def test_many_clicks_at_once_in_the_lobby(world: World, seed: int) -> None:
    world.let_people_hurry()
    rng = random.Random(seed)
    people = world.people(*(f"Person {number}" for number in range(12)))
    await people[0].slash("tichu new")
    lobby, state = world.newest_with(Verb.JOIN)[0], world.table()
    ids = [control.custom_id for control in enabled(lobby)]
    start = f"b:{state.id}:{state.revision}:{Verb.START}:"  # on the lobby that is being filled

    def clicking() -> Clicking:
        person = rng.choice(people)
        if rng.random() < 0.2:
            nonsense = random.Random(rng.random())
            return forge_anything(person, lobby, nonsense, state.id, state.revision)
        if rng.random() < 0.1:
            return person.slash("tichu " + rng.choice(["new", "leave", "hand", "table"]))
        return forge(person, lobby, rng.choice([*ids, start]))

    world.repeats_answers = True  # where /tichu table has deleted the clicked lobby
    results = await fire_all(world.env, [clicking() for _ in range(CLICKS)])
    world.check_answers()
    # A click on a closing lobby is answered by that message, which may be deleted by now.
    check_polite([result for result in results if not result.deferred or result.response])
    open_tables = await world.bot.store.tables.all_open()
    assert len(open_tables) <= 1
    for record in open_tables:
        after = world.table()
        assert after.seat_records() == record.seats
        people_there = [chair.user_id for chair in after.people()]
        assert len(people_there) == len(set(people_there)) >= 1
        assert after.host_id in people_there
        await world.check_replay()


async def test_everybody_clicks_rematch(world: World) -> None:
    players = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"), target=100)
    await fast_forward(world, match_over)
    people = [player.person for player in players] * 5
    message, rematch = world.newest_with(Verb.REMATCH)
    _, new_lobby = world.newest_with(Verb.NEW_LOBBY)
    both = (rematch.custom_id, new_lobby.custom_id)
    results = await fire_all(
        world.env,
        [p.member.click(message, custom_id=both[n % 2]) for n, p in enumerate(people)],
    )
    check_polite(results)
    assert [table.id for table in await world.bot.store.tables.all_open()] == [world.table().id]
    lobbies = [m for m in messages(world.env, world.channel) if with_verb(m, Verb.JOIN, Verb.START)]
    assert len([m for m in lobbies if f":{world.lobby().revision}:" in repr(m.components)]) == 1
