"""Private games: playing on from a position of a replay, by clicks."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from simcord import ResponseMessage

from bot.errors import Refused
from bot.ids import TableId, UserId
from bot.live.events import LeasesLost
from bot.records import PersonalSettings
from bot.table.commands import FollowSettings
from bot.table.options import TableOptions
from bot.table.private_game import PrivateGame
from bot.text.cards import Speaker
from cogs.pages.history.replay import REPLAY_FILE
from cogs.pages.table.score_lines import round_summary
from cogs.pages.verbs import Verb
from engine import Phase, card_set, write_position
from tests.bot.forgotten_people import all_rows
from tests.bot.games import MATCHES
from tests.bot.pictures.painters import Ready
from tests.cogs.eyes import Secrets, cards_in
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.forged_clicks import forge
from tests.cogs.history_pages import a_match, choose, page, press, stored_match
from tests.cogs.table_play import HandPlayer, seat_without_hands
from tests.cogs.worlds import SAY, World, a_world, refusal
from tests.simcord_clicks import Person, deny, has, messages, shown_files, text, verbs, with_verb


def current(world: World) -> PrivateGame:
    """Return the newest state of the private game that was changed last."""
    return next(
        each.after for each in reversed(world.history) if isinstance(each.after, PrivateGame)
    )


class PrivatePlayer(HandPlayer):
    """A player at a private game."""

    def owed(self) -> int:
        """Return the number of cards to choose for the exchange, of all hands together."""
        game = current(self.world)
        seats = game.seats_of_chair(game.seat_of(UserId(self.person.id)) or 0)
        if game.phase is not Phase.EXCHANGE or game.round.asked:
            return 0
        views = (game.situation(seat).current for seat in seats)
        return sum(gift.number for seen in views if seen.given is None for gift in seen.gifts)


async def begin(world: World, person: Person, at: ResponseMessage) -> PrivatePlayer:
    """Press **Play on from here** on a replay; return the player with the hand."""
    player = PrivatePlayer(world, person, 1)
    player.hand = await press(person, at, Verb.REPLAY_PLAY)
    assert player.hand.id == at.id
    return player


async def play_to_end(world: World, player: PrivatePlayer) -> PrivateGame:
    """Let the player act and time pass until the round is over; return the game."""
    for _ in range(1000):
        state = current(world)
        if not state.running:
            return state
        due = state.timers.deadlines.keys() - {"idle"} and state.timers.next
        if not await player.act() and due:
            await world.env.advance_time((due - world.env.now()).total_seconds() + 0.001)
    raise AssertionError("this round does not end")


@pytest.mark.parametrize("seed, options", MATCHES[:4])
async def test_plays_the_round_to_its_end_and_nothing_counts(
    world: World, tmp_path: Path, seed: int, options: TableOptions
) -> None:
    world.let_people_hurry()
    await stored_match(world, seed, options)
    (eve,) = world.people("Eve")
    at = page(await eve.slash("tichu replay"))
    replay, before = text(at), all_rows(tmp_path / "tichu.db")
    player = await begin(world, eve, at)
    first = current(world)
    position, seat = write_position(first.match), first.seat_of(UserId(eve.id))
    assert first.options.computers == "expert"
    assert [chair.kind for chair in first.chairs].count("computer") == len(first.chairs) - 1
    hidden = Secrets(world).hidden_from(eve.id, first.id)
    ids = [each.custom_id for each in player.controls()]
    assert not card_set(cards_in([player.text(), *ids])) & hidden
    over = await play_to_end(world, player)
    assert round_summary(over, Speaker(SAY, world.bot.art)) in player.text()
    assert verbs(player.hand) == [Verb.REPLAY_BACK, Verb.REPLAY_PLAY]
    assert world.bot.tables.find(over.id) is None
    again = await begin(world, eve, player.hand)
    assert write_position(current(world).match) == position
    assert current(world).seat_of(UserId(eve.id)) == seat
    back = await press(eve, again.hand, Verb.REPLAY_BACK)
    assert text(back) == replay
    assert world.bot.tables.find(current(world).id) is None
    assert all_rows(tmp_path / "tichu.db") == before
    assert [each for each in messages(world.env, world.channel) if not each.ephemeral] == []


async def test_takes_the_shown_seat_or_the_own_one_or_that_on_turn(world: World) -> None:
    world.let_people_hurry()
    players = await a_match(world, target=100)
    ben, (eve,) = players[1].person, world.people("Eve")
    at = page(await ben.slash("tichu replay"))
    await begin(world, ben, at)
    assert current(world).seat_of(UserId(ben.id)) == 1
    names = [chair.name for chair in current(world).chairs]
    assert not {"Ada", "Cai", "Dan"} & set(names), "a computer moves, not they"
    at = await press(ben, at, Verb.REPLAY_BACK)
    await begin(world, ben, await choose(ben, at, Verb.REPLAY_VIEW, "3"))
    assert current(world).seat_of(UserId(ben.id)) == 3
    at = page(await eve.slash("tichu replay"))
    while current(world).phase is not Phase.TURN:
        at = await press(eve, at, Verb.REPLAY_BACK) if has(at, Verb.REPLAY_BACK) else at
        at = await press(eve, at, Verb.REPLAY, ".on")
        at = (await begin(world, eve, at)).hand
    assert current(world).seat_of(UserId(eve.id)) == current(world).round.turn


async def test_is_offered_only_where_a_choice_is_ahead(world: World) -> None:
    world.let_people_hurry()
    last = await stored_match(world, 3)
    (eve,) = world.people("Eve")
    at = page(await eve.slash("tichu replay"))
    assert has(at, Verb.REPLAY_PLAY)
    at = await press(eve, at, Verb.REPLAY, ".last")
    assert not has(at, Verb.REPLAY_PLAY)
    refused = page(
        await forge(eve, at, f"b:1:0:replay-play:{len(last.match.results)}.99999.open.trick.play")
    )
    assert refusal("unknown-button") in text(refused)
    first_out = last.match.results[-1].out[0]
    at = await press(eve, at, Verb.REPLAY, ".back")
    at = await choose(eve, at, Verb.REPLAY_VIEW, str(first_out))
    assert not has(at, Verb.REPLAY_PLAY)


async def test_refuses_a_round_that_the_user_may_not_see(world: World) -> None:
    await stored_match(world, 3)
    hall = world.guild.create_text_channel("hall")
    (eve,) = world.people("Eve", channel=hall)
    at = page(await eve.slash("tichu replay", table=1))
    deny(world.env, world.channel, eve.id, "view_channel")
    refused = page(await eve.press(Verb.REPLAY_PLAY, on=at))
    assert refusal("no-such-table", number=1) in text(refused)
    assert not any(isinstance(each.after, PrivateGame) for each in world.history)


async def test_ends_with_a_restart_and_can_be_tried_again(world: World) -> None:
    world.let_people_hurry()
    await seat_without_hands(world, world.people("Ada", "Ben"), target=5000)
    await fast_forward(world, reached(Phase.ROUND_END))
    (ada,) = world.people("Ada")
    at = page(await ada.slash("tichu replay"))
    player = await begin(world, ada, at)
    position = write_position(current(world).match)
    await world.restart()
    world.let_people_hurry()
    for verb, args in ((Verb.GRAND, "no"), (Verb.GRAND_ASK, "")):
        refused = page(await ada.press(verb, args, on=player.hand))
        assert refusal("private-game-over") in text(refused)
        assert refused.id != player.hand.id
    again = await begin(world, ada, player.hand)
    assert write_position(current(world).match) == position
    await again.press_with(Verb.GRAND, "no")


async def test_a_person_has_one_private_game(world: World) -> None:
    world.let_people_hurry()
    await stored_match(world, 3)
    (eve,) = world.people("Eve")
    old, new = [page(await eve.slash("tichu replay")) for _ in range(2)]
    player = await begin(world, eve, old)
    ended = current(world).id
    old_button = player.controls()[0].custom_id
    new_player = await begin(world, eve, new)
    assert world.bot.tables.find(ended) is None
    await world.env.advance_time(1)
    closed = [Verb.REPLAY_BACK, Verb.REPLAY_PLAY]
    assert verbs(player.hand) == closed
    assert verbs(new_player.hand) != closed
    refused = page(await forge(eve, player.hand, old_button))
    assert refusal("private-game-over") in text(refused)


async def test_another_person_sees_nothing_of_it(world: World) -> None:
    world.let_people_hurry()
    await stored_match(world, 3)
    eve, fay = world.people("Eve", "Fay")
    await begin(world, eve, page(await eve.slash("tichu replay")))
    game, at = current(world), page(await fay.slash("tichu replay"))
    for verb, args in (("hand", ""), ("pass", ""), ("say", "")):
        answer = page(await forge(fay, at, f"b:{game.id}:{game.revision}:{verb}:{args}"))
        assert not card_set(cards_in(text(answer)))
    assert current(world) == game


async def test_erasure_ends_it(world: World) -> None:
    world.let_people_hurry()
    await stored_match(world, 3)
    (eve,) = world.people("Eve")
    player = await begin(world, eve, page(await eve.slash("tichu replay")))
    asked = await press(eve, page(await eve.slash("tichu settings")), Verb.FORGET_ME)
    await press(eve, asked, Verb.FORGET_ME_NOW)
    assert world.bot.tables.find(TableId(current(world).id)) is None
    assert verbs(player.hand) == [Verb.REPLAY_BACK, Verb.REPLAY_PLAY]


async def test_does_not_begin_during_an_erasure(world: World) -> None:
    world.let_people_hurry()
    await stored_match(world, 3)
    (eve,) = world.people("Eve")
    at = page(await eve.slash("tichu replay"))
    tables, erased = world.bot.tables, UserId(eve.id)
    async with world.bot.tables.forgetting.delay_erasure(erased):
        erasure = asyncio.create_task(tables.forgetting.forget(erased))
        await asyncio.sleep(0)
        refused = page(await eve.press(Verb.REPLAY_PLAY, on=at))
    await erasure
    assert refusal("being-forgotten") in text(refused)
    assert not any(isinstance(each.after, PrivateGame) for each in world.history)


async def test_erasure_by_another_process_ends_it(world: World) -> None:
    world.let_people_hurry()
    await stored_match(world, 3)
    (eve,) = world.people("Eve")
    await begin(world, eve, page(await eve.slash("tichu replay")))
    await world.bot.tables.forgetting.follow()
    assert world.bot.tables.find(current(world).id) is None


async def test_ends_with_the_lease_of_its_server(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.let_people_hurry()
    await stored_match(world, 3)
    (eve,) = world.people("Eve")
    at = page(await eve.slash("tichu replay"))
    await begin(world, eve, at)
    monkeypatch.setattr(world.bot.leases, "serves", lambda _: False)
    world.bot.events.dispatch(LeasesLost())
    assert world.bot.tables.find(current(world).id) is None


async def test_personal_settings_count(world: World) -> None:
    world.let_people_hurry()
    await stored_match(world, 3)
    (eve,) = world.people("Eve")
    chosen = PersonalSettings(more_time=True, auto_pass=False)
    at = page(await eve.slash("tichu replay"))
    for settings in (PersonalSettings(), chosen):
        await world.bot.store.personal_settings.choose(UserId(eve.id), settings)
        at = (await begin(world, eve, at)).hand
        game = current(world)
        seat = game.seat_of(UserId(eve.id))
        assert game.notes.auto_pass_always == ({seat} if settings.auto_pass else set())
        assert game.notes.more_time == ({seat} if settings.more_time else set())


async def test_queued_click_does_nothing_after_its_end(world: World) -> None:
    world.let_people_hurry()
    await stored_match(world, 3)
    (eve,) = world.people("Eve")
    await begin(world, eve, page(await eve.slash("tichu replay")))
    game, tables, user_id = current(world), world.bot.tables, UserId(eve.id)
    commands = [FollowSettings(PersonalSettings(auto_pass=on)) for on in (False, True)]
    first, queued = [
        asyncio.create_task(tables.execute(game.id, user_id, command)) for command in commands
    ]
    await asyncio.sleep(0)
    tables.private_games.end(user_id)
    await first
    with pytest.raises(Refused, match="private-game-over"):
        await queued


@pytest.mark.usefixtures("daily_looks")
async def test_pauses_without_clicks_and_goes_on(world: World) -> None:
    world.let_people_hurry()
    await stored_match(world, 3)
    (eve,) = world.people("Eve")
    at = page(await eve.slash("tichu replay"))
    player = await begin(world, eve, at)
    await world.env.advance_time(16 * 60)
    assert current(world).timers.paused
    assert verbs(player.hand) == [Verb.HAND]
    await player.press(Verb.HAND)
    assert not current(world).timers.paused
    await player.press_with(Verb.GRAND, "no")
    await world.env.advance_time(8 * 86400)
    assert world.bot.tables.find(current(world).id) is None


async def test_seat_of_the_table_is_played_by_the_dealer(world: World) -> None:
    world.let_people_hurry()
    await stored_match(world, *MATCHES[1])
    (eve,) = world.people("Eve")
    at = await choose(eve, page(await eve.slash("tichu replay")), Verb.REPLAY_VIEW, "3")
    for _ in range(3):
        at = (await begin(world, eve, at)).hand
        game = current(world)
        assert game.seat_of(UserId(eve.id)) == game.decider(3) == game.views.public.dealer
        at = await press(eve, await press(eve, at, Verb.REPLAY_BACK), Verb.REPLAY, ".on")


async def test_the_picture_of_the_hand_replaces_that_of_the_replay(tmp_path: Path) -> None:
    async with a_world(tmp_path, tables=Ready(), hands=Ready()) as world:
        world.let_people_hurry()
        await stored_match(world, 3)
        (eve,) = world.people("Eve")
        at = page(await eve.slash("tichu replay"))
        assert shown_files(at) == [REPLAY_FILE]
        player = await begin(world, eve, at)
        (shown,) = shown_files(player.hand)
        assert shown != REPLAY_FILE
        back = await press(eve, player.hand, Verb.REPLAY_BACK)
        assert shown_files(back) == [REPLAY_FILE]
        assert with_verb(back, Verb.REPLAY_PLAY)
