"""Reviews of rounds by clicks: progress, pages, other tries, and consent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any

import pytest
from simcord import ResponseMessage

from bot.errors import Reason, Refused
from bot.history.replay import Replay
from bot.ids import TableId, UserId
from bot.records import RoundNumber, RoundRecord
from bot.storage import StorageError
from bot.table.options import TableOptions
from bot.text.sentences import apology
from cogs.pages.history.replay import REPLAY_FILE
from cogs.pages.history.review import REVIEW_FILE, place_of
from cogs.pages.verbs import Verb
from engine import Phase, card_set, view
from players.coach.decisions import Decision, Kind
from players.coach.review import Progress, Review
from tests.bot.forgotten_people import all_rows
from tests.bot.games import MATCHES, NANJING
from tests.bot.made_reviews import made_review
from tests.bot.pictures.painters import Ready
from tests.cogs.conftest import ErrorRecords
from tests.cogs.eyes import cards_in
from tests.cogs.fake_reviews import FakeReviews
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.forged_clicks import forge
from tests.cogs.history_pages import choose, page, press, stored_match
from tests.cogs.table_play import seat_without_hands
from tests.cogs.test_private_games import PrivatePlayer, current, play_to_end
from tests.cogs.test_replay_pictures import described
from tests.cogs.worlds import SAY, World, a_world, refusal
from tests.simcord_clicks import Person, deny, find, has, messages, shown_files, text, verbs

TRICHU = MATCHES[1]


def costly(decision: Decision) -> bool:
    """Return whether a test marks this decision: an exchange, a call, or a play."""
    return decision.kind in ("exchange", "call", "follow")


MARKED_TOGETHER: tuple[tuple[Kind, ...], ...] = (
    ("exchange", "call"),
    ("lead", "follow", "pass"),
    ("bomb", "gift"),
)


def of_kinds(*kinds: Kind) -> Callable[[Decision], bool]:
    """Return the function that marks decisions of these kinds."""
    return lambda decision: decision.kind in kinds


class Reviewed:
    """A stored match of one or more people, with the fake service."""

    def __init__(self, world: World, people: Sequence[Person]) -> None:
        self.world = world
        self.people = people
        self.service = FakeReviews()
        world.bot.reviews = self.service  # type: ignore[assignment]

    async def replay(self, number: int = 1) -> Replay:
        """Return the replay of a round."""
        cog: Any = self.world.bot.cogs["Tichu"]
        record = await self.world.bot.store.tables.get(TableId(1))
        assert record is not None
        replay: Replay = await cog.services.replays.replay(record, RoundNumber(number))
        return replay

    async def make(
        self, seat: int = 0, wanted: Callable[[Decision], bool] = costly, number: int = 1
    ) -> Review:
        """Store a review of a seat."""
        replay = await self.replay(number)
        review = made_review(replay, seat, wanted)
        self.service.made[replay.table.id, RoundNumber(number), seat] = review
        return review


async def reviewed(
    world: World, *names: str, seed: int = 3, options: TableOptions = NANJING
) -> Reviewed:
    """Store a match of these people and computers."""
    world.let_people_hurry()
    people = world.people(*names)
    await stored_match(world, seed, options, people=people)
    return Reviewed(world, people)


async def ask(table: Reviewed, person: Person) -> ResponseMessage:
    """Ask for a review that nobody has asked for yet; return the page with the progress."""
    at = await at_replay(person)
    result = await person.press(Verb.REVIEW, on=at)
    await table.world.env.advance_time(0.4)
    shown = page(result)
    assert shown.id == at.id
    return shown


async def at_replay(person: Person, number: int = 1) -> ResponseMessage:
    """Return the replay page of a round."""
    return page(await person.slash("tichu replay", round=number))


async def test_shows_the_review_from_the_replay(world: World) -> None:
    table = await reviewed(world, "Ada")
    (ada,) = table.people
    review = await table.make()
    at = await press(ada, await at_replay(ada), Verb.REVIEW)
    shown = text(at)
    assert f"{len(review.marks)} of {len(review.judged)} decisions could have been better" in shown
    assert "about 35 points (25 to 45)" in shown
    assert "Right, and unlucky" in shown
    assert "→" in shown, "turning points"
    marks = [each for each in verbs(at) if each == Verb.REVIEW_MARK]
    assert len(marks) == len(review.marks) == 3
    at = await press(ada, at, Verb.REVIEW_MARK, ".0.look")
    assert "Your choice" in text(at)
    assert "Better: " in text(at)
    assert "only one card left" in text(at)
    assert len([each for each in verbs(at) if each == Verb.REVIEW_MARK]) == 1
    at = await press(ada, at, Verb.REVIEW_MARK, ".on")
    assert "2/3" in text(at)
    assert "Move" in text(await press(ada, at, Verb.REPLAY))
    assert not [each for each in messages(world.env, world.channel) if not each.ephemeral]


async def test_praises_a_round_without_marks(world: World) -> None:
    table = await reviewed(world, "Ada")
    (ada,) = table.people
    review = await table.make(wanted=lambda _: False)
    shown = text(await press(ada, await at_replay(ada), Verb.REVIEW))
    assert f"Well played! {len(review.judged)} decisions judged" in shown


async def test_is_offered_with_a_result(world: World) -> None:
    world.let_people_hurry()
    ada, ben = world.people("Ada", "Ben")
    await seat_without_hands(world, [ada, ben], target=5000)
    table = Reviewed(world, [ada, ben])
    await fast_forward(world, reached(Phase.ROUND_END))
    message, _ = world.newest_with(Verb.REVIEW)
    public = [text(each) for each in messages(world.env, world.channel) if not each.ephemeral]
    seat = world.game().seat_of(UserId(ben.id))
    assert seat is not None
    await table.make(seat)
    at = await press(ben, message, Verb.REVIEW)
    assert at.id != message.id
    assert "could have been better" in text(at)
    after = [text(each) for each in messages(world.env, world.channel) if not each.ephemeral]
    assert after == public


async def test_shows_the_progress_of_a_new_review(world: World) -> None:
    table = await reviewed(world, "Ada")
    (ada,) = table.people
    replay = await table.replay()
    at = await ask(table, ada)
    ((review, note),) = table.service.requests
    cursor = len(world.env.http_requests)
    for done in range(1, 12):
        note(Progress(done, 11))
        await world.env.advance_time(0.3)
    shown = text(at)
    assert "of 11 decisions" in shown
    edits = world.env.http_requests[cursor:]
    assert 0 < len(edits) <= 3, "at most one edit in 1.5 s"
    review.set_result(made_review(replay, 0, costly))
    await world.env.advance_time(2)
    assert "could have been better" in text(at)


async def test_button_of_the_progress_shows_the_review_once(world: World) -> None:
    table = await reviewed(world, "Ada")
    (ada,) = table.people
    at = await ask(table, ada)
    await table.make()
    at = await press(ada, at, Verb.REVIEW)
    assert "could have been better" in text(at)
    await world.env.advance_time(3)
    assert "could have been better" in text(at)
    assert table.service.requests[0][0].cancelled()


@pytest.mark.parametrize("reason", [Reason.NO_EXPERTS, Reason.NO_REVIEW_OF_GAME, Reason.BUSY])
async def test_says_why_there_is_no_review(world: World, reason: Reason) -> None:
    table = await reviewed(world, "Ada")
    (ada,) = table.people
    table.service.refusal = reason
    assert refusal(reason) in text(await press(ada, await at_replay(ada), Verb.REVIEW))
    table.service.refusal = None
    at = await ask(table, ada)
    table.service.requests[0][0].set_exception(Refused(reason))
    await world.env.advance_time(3)
    assert refusal(reason) in text(at)
    assert has(at, Verb.REVIEW)


async def test_failure_ends_the_progress(world: World, errors: ErrorRecords) -> None:
    errors.allow("unhandled exception while making a review")
    table = await reviewed(world, "Ada")
    (ada,) = table.people
    at = await ask(table, ada)
    table.service.requests[0][0].set_exception(StorageError("no"))
    await world.env.advance_time(3)
    assert apology(SAY) in text(at)
    assert errors.allowed


async def test_review_that_never_ends_is_given_up(world: World) -> None:
    table = await reviewed(world, "Ada")
    (ada,) = table.people
    at = await ask(table, ada)
    await world.env.advance_time(3600)
    assert refusal("busy") in text(at)


async def test_refuses_strangers_and_unfinished_rounds(world: World) -> None:
    table = await reviewed(world, "Ada")
    (ada,), (eve,) = table.people, world.people("Eve")
    await table.make()
    refused = refusal("review-for-players")
    for person in (eve, ada):
        at = await at_replay(person)
        assert refused in text(page(await forge(person, at, "b:1:0:review:1.1.0.x")))
    at = await at_replay(eve)
    assert refused in text(await press(eve, at, Verb.REVIEW))
    for verb in ("review-mark", "try-again", "review-consent", "review-back"):
        assert refused in text(page(await forge(eve, at, f"b:1:0:{verb}:1.0.0.on")))
    at = await at_replay(ada)
    later = page(await forge(ada, at, "b:1:0:review:99.own.0.x"))
    assert refusal("round-not-over", number=99) in text(later)
    for args in ("1.0.9.x", "1.0.x", "1.11.0.x", "1.99.0.x"):
        forged = page(await forge(ada, at, f"b:1:0:review-mark:{args}"))
        assert not has(forged, Verb.TRY_AGAIN)


async def test_refuses_a_match_that_the_user_may_not_see(world: World) -> None:
    table = await reviewed(world, "Ada")
    (ada,) = table.people
    await table.make()
    hall = world.guild.create_text_channel("hall")
    (eve,) = world.people("Eve", channel=hall)
    table.service.agreed.add((TableId(1), UserId(ada.id)))
    at = page(await eve.slash("tichu replay", table=1))
    deny(world.env, world.channel, eve.id, "view_channel")
    assert refusal("no-such-table", number=1) in text(await press(eve, at, Verb.REVIEW))


async def test_everyone_sees_reviews_once_all_people_agree(world: World) -> None:
    table = await reviewed(world, "Ada", "Ben")
    ada, ben = table.people
    (eve,) = world.people("Eve")
    await table.make(0)
    await table.make(1)
    of_eve = await at_replay(eve)
    at = await press(ada, await at_replay(ada), Verb.REVIEW)
    assert "0 of 2 agree" in text(at)
    at = await press(ada, at, Verb.REVIEW_CONSENT)
    assert "1 of 2 agree" in text(at)
    assert not has(at, Verb.REVIEW_OF)
    assert refusal("review-for-players") in text(await press(eve, of_eve, Verb.REVIEW))
    other = await press(ben, await at_replay(ben), Verb.REVIEW)
    other = await press(ben, other, Verb.REVIEW_CONSENT)
    assert "2 of 2 agree" in text(other)
    assert [option.value for option in find(other, Verb.REVIEW_OF).options] == ["0", "1"]
    of_eve = await press(eve, await at_replay(eve), Verb.REVIEW)
    assert [option.value for option in find(of_eve, Verb.REVIEW_OF).options] == ["0", "1"]
    of_eve = await choose(eve, of_eve, Verb.REVIEW_OF, "1")
    assert "could have been better" in text(of_eve)
    assert not has(of_eve, Verb.REVIEW_CONSENT)
    of_eve = await press(eve, of_eve, Verb.REVIEW_MARK, ".0.look")
    assert "Your choice" not in text(of_eve)
    at = await press(ada, at, Verb.REVIEW_CONSENT)
    assert "1 of 2 agree" in text(at)
    refused = await press(eve, of_eve, Verb.REVIEW)
    assert refusal("review-for-players") in text(refused)
    assert not [each for each in messages(world.env, world.channel) if not each.ephemeral]


async def test_readers_see_only_reviews_that_were_made(world: World) -> None:
    table = await reviewed(world, "Ada", "Ben")
    ada, ben = table.people
    (eve,) = world.people("Eve")
    table.service.agreed |= {(TableId(1), UserId(person.id)) for person in (ada, ben)}
    at = await at_replay(eve)
    assert refusal("no-review-yet") in text(await press(eve, at, Verb.REVIEW))
    forged = page(await forge(eve, at, "b:1:0:review:1.1.0.x"))
    assert refusal("no-review-yet") in text(forged)
    assert not table.service.requests
    await table.make(1)
    at = await press(eve, await at_replay(eve), Verb.REVIEW)
    assert [option.value for option in find(at, Verb.REVIEW_OF).options] == ["1"]


async def test_round_that_counts_for_nobody_has_no_review(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await reviewed(world, "Ada")
    (ada,) = table.people
    rounds = await world.bot.store.history.rounds(TableId(1))
    uncounted = [
        round_.model_copy(
            update={
                "seats": tuple(
                    seat.model_copy(update={"counts_for": None}) for seat in round_.seats
                )
            }
        )
        for round_ in rounds
    ]

    async def read(_: TableId) -> list[RoundRecord]:
        return uncounted

    monkeypatch.setattr(world.bot.store.history, "rounds", read)
    refused = await press(ada, await at_replay(ada), Verb.REVIEW)
    assert refusal("not-your-review") in text(refused)


async def test_person_alone_with_computers_agrees_alone(world: World) -> None:
    table = await reviewed(world, "Ada")
    (ada,), (eve,) = table.people, world.people("Eve")
    await table.make()
    at = await press(ada, await at_replay(ada), Verb.REVIEW)
    await press(ada, at, Verb.REVIEW_CONSENT)
    at = await press(eve, await at_replay(eve), Verb.REVIEW)
    assert [option.value for option in find(at, Verb.REVIEW_OF).options] == ["0"]


# --- another try ---------------------------------------------------------------------------------

BEFORE_THE_PLAY: dict[str, Callable[[Decision], bool]] = {
    "grand": lambda decision: decision.view.phase is Phase.GRAND,
    "exchange": lambda decision: decision.kind == "exchange",
    "play": lambda decision: decision.kind in ("lead", "follow"),
}


@pytest.mark.parametrize("kind", BEFORE_THE_PLAY)
async def test_tries_again_to_the_end_and_compares(world: World, tmp_path: Path, kind: str) -> None:
    table = await reviewed(world, "Ada")
    (ada,) = table.people
    review = await table.make(wanted=BEFORE_THE_PLAY[kind])
    replay = await table.replay()
    at = await press(ada, await at_replay(ada), Verb.REVIEW)
    at = await press(ada, at, Verb.REVIEW_MARK, ".0.look")
    mark, before = text(at), all_rows(tmp_path / "tichu.db")
    player = PrivatePlayer(world, ada, 1)
    player.hand = await press(ada, at, Verb.TRY_AGAIN)
    game = current(world)
    place = place_of(replay, review.marks[0])
    assert view(game.match, 0) == view(replay.at(place).match, 0)
    assert game.seat_of(UserId(ada.id)) == 0
    assert "doesn't count" in player.text()
    over = await play_to_end(world, player)
    shown = player.text()
    rows = {line.split()[0]: line.split()[1:] for line in shown.splitlines() if line.strip()}
    then, now = replay.played_round.result.score, over.match.results[-1].score
    for row, points in (("Before", then), ("Now", now)):
        assert [each.lstrip("+").replace("−", "-") for each in rows[row]] == [*map(str, points)]
    assert verbs(player.hand) == [Verb.REVIEW_BACK, Verb.TRY_AGAIN]
    player.hand = await press(ada, player.hand, Verb.TRY_AGAIN)
    assert current(world).running
    back = await press(ada, player.hand, Verb.REVIEW_BACK)
    assert text(back) == mark
    assert world.bot.tables.find(current(world).id) is None
    assert all_rows(tmp_path / "tichu.db") == before
    assert not [each for each in messages(world.env, world.channel) if not each.ephemeral]


# --- secrecy -------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", ["picture", "text"])
@pytest.mark.parametrize("seed, options", [(3, NANJING), (5, NANJING), TRICHU])
async def test_mark_shows_only_what_its_player_saw(
    tmp_path: Path, seed: int, options: TableOptions, style: str
) -> None:
    async with a_world(tmp_path, tables=Ready(), hands=Ready()) as world:
        table = await reviewed(world, "Ada", seed=seed, options=options)
        (ada,) = table.people
        settings = page(await ada.slash("tichu settings"))
        await ada.choose(Verb.CARD_STYLE, style, on=settings)
        replay = await table.replay()
        for kinds in MARKED_TOGETHER:
            review = await table.make(wanted=of_kinds(*kinds))
            at = await press(ada, await at_replay(ada), Verb.REVIEW)
            for number, mark in enumerate(review.marks):
                forward = (Verb.REVIEW_MARK, ".on") if number else (Verb.REVIEW_MARK, ".0.look")
                at = await press(ada, at, *forward)
                state = replay.at(place_of(replay, mark))
                seats = state.seats_of_chair(0)
                hands = [hand.cards for hand in state.round.hands]
                own = reduce(or_, (hands[seat] for seat in seats))
                foreign = reduce(or_, (*hands, *state.round.opening.stock)) & ~own
                told = [text(at)] if style == "text" else [text(at), described(at)]
                shown = card_set(cards_in(told))
                assert not shown & foreign
                assert shown & own == own
                assert shown_files(at) == ([] if style == "text" else [REPLAY_FILE])


async def test_chances_are_a_picture_with_their_description(tmp_path: Path) -> None:
    async with a_world(tmp_path, painter=Ready()) as world:
        table = await reviewed(world, "Ada")
        (ada,) = table.people
        await table.make()
        at = await press(ada, await at_replay(ada), Verb.REVIEW)
        assert shown_files(at) == [REVIEW_FILE]
        assert "chance to win the round" in described(at)
