"""Pictures of replays on private and shared pages, and the buttons of results that lead there."""

from __future__ import annotations

from pathlib import Path

from simcord import InteractionResult, ResponseMessage

from bot.pictures.replay.scene import ReplayScene, TrickAnimation
from bot.table.moments import laid_plays, moment
from cogs.clicks.limits import ANIMATION_PAUSE_S
from cogs.delivery.uploads import PATIENCE_S
from cogs.pages.history.replay import REPLAY_FILE, TRICK_FILE
from cogs.pages.verbs import Verb
from engine import Phase, card_text, indices
from tests.bot.pictures.painters import Ready, Slow
from tests.cogs.delivery.uploads import gallery_items
from tests.cogs.eyes import cards_in
from tests.cogs.fast_forward import fast_forward, match_over, reached
from tests.cogs.forged_clicks import forge
from tests.cogs.history_pages import a_match, choose, page, press, stored_match
from tests.cogs.table_play import seat_without_hands
from tests.cogs.worlds import SAY, World, a_world, refusal
from tests.simcord_clicks import (
    controls,
    has,
    messages,
    numbers,
    shown_files,
    text,
    with_verb,
)


def scene(painter: Ready) -> ReplayScene:
    """Return the replay that was drawn last."""
    drawn = painter.asked[-1]
    assert isinstance(drawn, ReplayScene)
    return drawn


def described(message: ResponseMessage) -> str:
    """Return the alternative text of the only picture."""
    (item,) = gallery_items(message)
    return str(item["description"])


def public(result: InteractionResult) -> ResponseMessage:
    """Return the public answer."""
    assert result.response is not None
    assert not result.response.ephemeral, text(result.response)
    return result.response


async def test_each_step_has_its_picture_with_all_hands(tmp_path: Path) -> None:
    painter = Ready()
    async with a_world(tmp_path, tables=painter) as world:
        await stored_match(world, 3)
        (ada,) = world.people("Ada")
        at = page(await ada.slash("tichu replay"))
        assert shown_files(at) == [REPLAY_FILE]
        assert sum(map(len, scene(painter).hands)) == 32
        assert set(cards_in(text(at))) == set()
        steps = 0
        while find_enabled(at, ".on"):
            at = await press(ada, at, Verb.REPLAY, ".on")
            steps += 1
            assert shown_files(at) == [REPLAY_FILE]
            for seat in scene(painter).table.seats:
                assert seat.name.text in described(at)
        assert steps == len(painter.asked) - 1
        assert scene(painter).table.middle.scores
        at = await press(ada, at, Verb.REPLAY, ".back")
        at = await choose(ada, at, Verb.REPLAY_VIEW, "1")
        seats = [seat.seat for seat in scene(painter).table.seats]
        opened = [seats[n] for n, hand in enumerate(scene(painter).hands) if hand]
        assert opened in ([1], [])
        at = await choose(ada, at, Verb.REPLAY_VIEW, "public")
        assert not any(scene(painter).hands)


def find_enabled(message: ResponseMessage, ending: str) -> bool:
    """Return whether a button to another position can be pressed."""
    return any(found.args.endswith(ending) for found in with_verb(message, Verb.REPLAY))


async def test_late_picture_is_added_and_its_page_does_not_wait(tmp_path: Path) -> None:
    painter = Slow()
    async with a_world(tmp_path, tables=painter) as world:
        await stored_match(world, 3)
        (ada,) = world.people("Ada")
        await ada.slash("tichu replay")
        await world.env.advance_time(PATIENCE_S)
        at = ada.latest_private()
        assert shown_files(at) == []
        assert len(set(cards_in(text(at)))) == 32
        painter.at_work[-1].set_result(await Ready().draw(painter.asked[-1]))
        await world.env.settle()
        assert shown_files(at) == [REPLAY_FILE]


async def test_readers_of_text_and_servers_without_pictures_get_text(tmp_path: Path) -> None:
    painter = Ready()
    async with a_world(tmp_path, tables=painter) as world:
        await stored_match(world, 3)
        (ada,) = world.people("Ada")
        settings = page(await ada.slash("tichu settings"))
        await ada.choose(Verb.CARD_STYLE, "text", on=settings)
        at = page(await ada.slash("tichu replay"))
        assert shown_files(at) == []
        assert not any(isinstance(drawing, ReplayScene) for drawing in painter.asked)


async def test_everybody_sees_the_sharer_step_through_a_replay(tmp_path: Path) -> None:
    painter = Ready()
    async with a_world(tmp_path, tables=painter) as world:
        await stored_match(world, 3)
        ada, ben = world.people("Ada", "Ben")
        at = page(await ada.slash("tichu replay"))
        posted = public(await ada.press(Verb.SHARE_REPLAY, on=at))
        assert shown_files(posted) == [REPLAY_FILE]
        first = described(posted)
        await ada.press(Verb.SHARED_REPLAY, f".on.{ada.id}", on=posted)
        (seen,) = [m for m in messages(world.env, world.channel) if m.id == posted.id]
        assert shown_files(seen) == [REPLAY_FILE]
        assert described(seen) != first
        own = page(await ben.press(Verb.REPLAY, on=seen))
        assert described(own) == described(seen)


async def test_animation_shows_the_whole_trick(tmp_path: Path) -> None:
    painter = Ready()
    async with a_world(tmp_path, painter=painter) as world:
        await stored_match(world, 3)
        (ada,) = world.people("Ada")
        at = page(await ada.slash("tichu replay"))
        for _ in range(3):  # the exchange, and two tricks
            at = await press(ada, at, Verb.REPLAY, ".on")
        await ada.press(Verb.ANIMATE, on=at)
        (drawn,) = [found for found in painter.asked if isinstance(found, TrickAnimation)]
        assert len(drawn.scenes) > 1
        assert not drawn.scenes[0].table.middle.cards
        assert drawn.scenes[-1].table.middle.cards
        assert len({scene.table.heading for scene in drawn.scenes}) == 1


# --- results -------------------------------------------------------------------------------------


async def test_results_of_rounds_lead_to_their_replays(world: World) -> None:
    people = world.people("Ada", "Ben", "Cai", "Dan")
    ada = people[0]
    await seat_without_hands(world, people, target=5000)
    results = []
    for _ in range(2):
        await fast_forward(world, reached(Phase.ROUND_END))
        results.append(world.newest_with(Verb.READY)[0])
        await world.to_next_deadline()
    for number, result in enumerate(results, start=1):
        at = page(await ada.press(Verb.REPLAY, on=result))
        assert numbers(text(at).splitlines()[0])[0] == number


async def test_result_of_a_match_can_be_replayed_and_shared(world: World) -> None:
    ada, ben, *_ = people = world.people("Ada", "Ben", "Cai", "Dan")
    await seat_without_hands(world, people, target=100)
    await fast_forward(world, match_over)
    result, _ = world.newest_with(Verb.REMATCH)
    last = len(world.last_game().match.results)
    at = page(await ben.press(Verb.REPLAY, on=result))
    assert numbers(text(at).splitlines()[0])[0] == last
    posted = public(await ada.press(Verb.SHARE_REPLAY, on=result))
    number, moves, *_ = numbers(text(posted).splitlines()[1])
    assert number == moves, "the end of the round"


async def test_result_offers_the_trick_that_decided_the_round(tmp_path: Path) -> None:
    painter = Ready()
    async with a_world(tmp_path, painter=painter) as world:
        ada, ben = (player.person for player in (await a_match(world, target=100))[:2])
        game = world.last_game()
        found = moment(game)
        assert found is not None
        result, _ = world.newest_with(Verb.SHARE_MOMENT)
        assert has(result, Verb.SHARE_REPLAY), "the last position can be shared, too"
        posted = public(await ben.press(Verb.SHARE_MOMENT, on=result))
        assert shown_files(posted) == [TRICK_FILE]
        drawn = painter.asked[-1]
        assert isinstance(drawn, TrickAnimation)
        *_, last = (play for play in laid_plays(game.round) if play.trick == found.trick)
        shown = drawn.scenes[-1].table.middle.cards
        assert set(shown) == {card_text(card) for card in indices(last.combination.cards)}
        too_soon = await ben.press(Verb.SHARE_MOMENT, on=result)
        assert too_soon.response is not None
        assert refusal("shared-just-now", seconds=ANIMATION_PAUSE_S) in text(too_soon.response)
        beyond = await forge(ada, result, f"b:{game.id}:0:share-moment:1.999")
        assert shown_files(public(beyond)) == [TRICK_FILE]


async def test_stopped_match_shows_its_score_and_the_same_buttons(world: World) -> None:
    people = world.people("Ada", "Ben", "Cai", "Dan")
    await seat_without_hands(world, people, target=5000)
    await fast_forward(world, reached(Phase.ROUND_END))
    totals = world.game().match.totals
    await world.to_next_deadline()
    for person in people[:3]:
        await person.slash("tichu stop")
    stopped, _ = world.newest_with(Verb.REMATCH)
    assert all(SAY.number(total) in stopped.content for total in totals)
    assert [control.verb for control in controls(stopped)] == [
        *(
            Verb.REMATCH,
            Verb.NEW_PARTNERS,
            Verb.NEW_LOBBY,
            Verb.REPLAY,
            Verb.REVIEW,
            Verb.SHARE_REPLAY,
        ),
    ]
    page(await people[0].press(Verb.REPLAY, on=stopped))
    await people[1].press(Verb.REMATCH, on=stopped)
    assert world.table().host_id == people[1].id


async def test_match_stopped_in_its_first_round_has_no_replay(world: World) -> None:
    people = world.people("Ada", "Ben", "Cai", "Dan")
    await seat_without_hands(world, people, target=5000)
    for person in people[:3]:
        await person.slash("tichu stop")
    stopped, _ = world.newest_with(Verb.REMATCH)
    assert not has(stopped, Verb.REPLAY)
