"""Replay, review, proof and files of a solo round by clicks, before and after its day is over."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from simcord import InteractionResult

from bot.board_records import SoloRound
from bot.boards.board import Board
from bot.boards.days import ends_at
from bot.challenge_records import DEAL_NUMBERS, Challenge
from bot.errors import Reason
from bot.history.replay import Replay
from bot.ids import ChallengeId, ChannelId, GuildId, TableId, UserId
from bot.table.solo_game import SOLO_IDS
from cogs.pages.replay_query import ReplayQuery
from cogs.pages.review_query import ReviewQuery
from cogs.pages.verbs import Verb
from engine import Played, card_set
from players.boards import PERSON
from tests.bot.made_reviews import made_review
from tests.bot.solo_rounds import stored_round
from tests.cogs.eyes import cards_in
from tests.cogs.fake_reviews import FakeReviews
from tests.cogs.forged_clicks import forge
from tests.cogs.history_pages import page, press
from tests.cogs.test_places import everywhere
from tests.cogs.test_settings import settings
from tests.cogs.worlds import World, refusal
from tests.simcord_clicks import Person, Wire, has, messages, text, verbs

REPLAY = ReplayQuery(0).to_args("daily")
REVIEW = ReviewQuery(0).to_args("daily")
_KINDS = ("lead", "follow", "pass")
MINUTE = timedelta(minutes=1)
SHARED = {Verb.SHARE_REPLAY, Verb.ANIMATE, Verb.MATCH, Verb.REVIEW_CONSENT}
"""Verbs that the pages of a solo round do not have."""


class Solo:
    """A finished round of Ada on the deal of the day, with reviews made by hand."""

    def __init__(self, world: World, ada: Person, board: Board, round_: SoloRound) -> None:
        self.world = world
        self.ada = ada
        self.board = board
        self.round = round_
        self.table = TableId(SOLO_IDS + round_.id)
        self.service = FakeReviews()
        world.bot.reviews = self.service  # type: ignore[assignment]

    async def replay(self) -> Replay:
        """Return the replay of the round."""
        return await self.world.bot.solo_replays.replay(self.table, UserId(self.ada.id))

    async def review(self) -> None:
        """Store a review with three marks."""
        made = made_review(await self.replay(), PERSON, lambda decision: decision.kind in _KINDS)
        assert len(made.marks) == 3
        self.service.made[self.table, self.board.round_number, PERSON] = made

    def id_of(self, verb: Verb, args: str, kind: str = "b") -> str:
        """Return the id of a control of this round."""
        return f"{kind}:{self.table}:0:{verb}:{args}"

    async def click(
        self, verb: Verb, args: str, *, person: Person | None = None, values: Any = None
    ) -> InteractionResult:
        """Use a control of this round on a private page."""
        person = person or self.ada
        kind = "b" if values is None else "s"
        return await forge(person, await settings(person), self.id_of(verb, args, kind), values)

    async def end_day(self) -> None:
        """Restart the bot one minute after the end of the day."""
        assert self.board.day is not None
        moment = ends_at(self.board.day) + MINUTE
        self.world.bot.tables.close()
        self.world.env.backend.advance_clock((moment - self.world.env.now()).total_seconds())
        await self.world.restart()
        self.world.bot.reviews = self.service  # type: ignore[assignment]


@pytest.fixture
async def solo(world: World) -> Solo:
    """Return a finished round of today's deal."""
    world.let_people_hurry()
    (ada,) = world.people("Ada")
    board = await world.bot.boards.today()
    round_ = await stored_round(
        world.bot.store, board, UserId(ada.id), world.env.now(), name="Ada", seed=3
    )
    return Solo(world, ada, board, round_)


def told(result: InteractionResult) -> str:
    """Return the private answer to a click."""
    (answer,) = (each for each in (result.response, *result.followups) if each is not None)
    assert answer.ephemeral
    return text(answer)


CLOSED: list[tuple[Verb, str, list[str] | None]] = [
    (Verb.REPLAY, REPLAY, None),
    (Verb.REPLAY_VIEW, REPLAY, ["open"]),
    (Verb.REPLAY_VIEW, REPLAY, ["0"]),
    (Verb.REPLAY_ROUND, "", ["1"]),
    (Verb.REPLAY_PLAY, REPLAY, None),
    (Verb.REPLAY_BACK, REPLAY, None),
    (Verb.PROOF, "1", None),
    (Verb.SAVE, "1", ["txt.round"]),
    (Verb.SAVE, "1", ["json.round"]),
    (Verb.TRY_AGAIN, ReviewQuery(1, PERSON).to_args("again"), None),
]
"""Controls that tell hidden cards."""
NEVER: list[tuple[Verb, str, list[str] | None]] = [
    (Verb.SAVE, "1", ["json.match"]),
    (Verb.MATCH, "0", None),
    (Verb.REVIEW_CONSENT, ReviewQuery(1, PERSON).to_args("on"), None),
    (Verb.SHARE_REPLAY, REPLAY, None),
    (Verb.ANIMATE, REPLAY, None),
    (Verb.SHARE_MOMENT, "1.0.0", None),
]
"""Controls that work only for tables."""


@pytest.mark.parametrize("verb, args, values", CLOSED)
async def test_hands_are_closed_until_the_day_is_over(
    solo: Solo, verb: Verb, args: str, values: list[str] | None
) -> None:
    await solo.review()
    assert refusal(Reason.HANDS_NOT_YET) in told(await solo.click(verb, args, values=values))
    (ben,) = solo.world.people("Ben")
    for _ in range(2):
        answer = told(await solo.click(verb, args, person=ben, values=values))
        assert answer == refusal(Reason.UNKNOWN_BUTTON)
        await solo.end_day()


@pytest.mark.parametrize("verb, args, values", NEVER)
async def test_refuses_what_only_tables_have(
    solo: Solo, verb: Verb, args: str, values: list[str] | None
) -> None:
    await solo.end_day()
    answer = told(await solo.click(verb, args, values=values))
    assert answer == refusal(Reason.UNKNOWN_BUTTON)
    assert not messages(solo.world.env, solo.world.channel)


async def test_review_comes_at_once_and_shows_no_hidden_card(solo: Solo) -> None:
    await solo.review()
    replay = await solo.replay()
    before = await settings(solo.ada)  # it names cards
    wire = Wire(solo.world.env)
    shown = page(await forge(solo.ada, before, solo.id_of(Verb.REVIEW, REVIEW)))
    assert "could have been better" in text(shown)
    assert f"Deal of the day {solo.board.number}" in text(shown)
    assert not SHARED & set(verbs(shown))
    for mark in range(3):
        at = await press(solo.ada, shown, Verb.REVIEW_MARK, f".{mark}.look")
        assert "Your choice" in text(at)
        shown = await press(solo.ada, at, Verb.REVIEW)
    known = 0
    for position in replay.played_round.positions:
        round_ = position.match.round
        assert round_ is not None
        known |= round_.hands[PERSON].cards
        for event in position.events:
            known |= event.combination.cards if isinstance(event, Played) else 0
    deck = card_set(solo.board.dealt().variant.deck(solo.board.dealt().options))
    assert known & deck != deck, "some cards are never seen"
    shown_cards = {card for sent in wire.sent for card in cards_in(sent.body)}
    assert shown_cards
    assert not [card for card in shown_cards if not known >> card & 1]
    assert solo.board.secret not in str([sent.body for sent in wire.sent])


async def test_replay_and_proof_when_the_day_is_over(solo: Solo) -> None:
    await solo.end_day()
    shown = page(await solo.click(Verb.REPLAY, REPLAY))
    assert f"Deal of the day {solo.board.number}" in text(shown)
    assert str(SOLO_IDS)[:6] not in text(shown)
    assert not SHARED & set(verbs(shown))
    shown = await press(solo.ada, shown, Verb.REPLAY, ".last")
    shown = await press(solo.ada, shown, Verb.REPLAY, ".first")
    proof = await press(solo.ada, shown, Verb.PROOF)
    assert solo.board.secret in text(proof)
    assert solo.board.commitment in text(proof)
    assert f"--table {solo.board.number} --round 1" in text(proof)
    assert f"Deal of the day {solo.board.number}" in text(proof).splitlines()[0]
    assert not messages(solo.world.env, solo.world.channel)


async def test_replay_and_review_lead_back_to_the_result(solo: Solo) -> None:
    await solo.review()
    await solo.end_day()
    for verb, args in ((Verb.REPLAY, REPLAY), (Verb.REVIEW, REVIEW)):
        shown = page(await solo.click(verb, args))
        assert has(await press(solo.ada, shown, Verb.DAILY_RESULT), Verb.DAILY_SHARE)


@pytest.mark.parametrize("form", ["txt", "json", "tch"])
async def test_file_of_the_round(solo: Solo, form: str) -> None:
    await solo.end_day()
    result = await solo.click(Verb.SAVE, "1", values=[f"{form}.round"])
    answers = [each for each in (result.response, *result.followups) if each is not None]
    files = [file.filename for each in answers for file in each.attachments]
    assert files == [f"tichu-daily-{solo.board.number}.{form}"]


async def test_plays_on_and_tries_again_when_the_day_is_over(solo: Solo) -> None:
    await solo.review()
    await solo.end_day()
    shown = page(await solo.click(Verb.REPLAY, REPLAY))
    hand = await press(solo.ada, shown, Verb.REPLAY_PLAY)
    assert has(hand, Verb.REPLAY_BACK)
    shown = await press(solo.ada, hand, Verb.REPLAY_BACK)
    shown = await press(solo.ada, shown, Verb.REVIEW)
    at = await press(solo.ada, shown, Verb.REVIEW_MARK, ".0.look")
    hand = await press(solo.ada, at, Verb.TRY_AGAIN)
    assert has(hand, Verb.REVIEW_BACK)
    assert "Your choice" in text(await press(solo.ada, hand, Verb.REVIEW_BACK))


@everywhere
async def test_works_in_each_place(solo: Solo, make: Any) -> None:
    await solo.review()
    await solo.end_day()
    spot = make(solo.world, solo.ada)
    solo.ada = spot.person
    shown = page(await solo.click(Verb.REVIEW, REVIEW))
    assert "could have been better" in text(shown)
    shown = await press(spot.person, shown, Verb.REPLAY)
    assert has(shown, Verb.PROOF)
    there = messages(solo.world.env, spot.person.channel)
    assert all(each.ephemeral for each in there)


async def test_replay_offers_own_rounds_where_nothing_was_played(solo: Solo) -> None:
    nothing = refusal(Reason.NOTHING_PLAYED_HERE)
    assert told(await solo.ada.slash("tichu replay")) == nothing
    await solo.end_day()
    (ben,) = solo.world.people("Ben")
    assert told(await ben.slash("tichu replay")) == nothing
    shown = page(await solo.ada.slash("tichu replay"))
    assert text(shown).startswith(nothing)
    shown = await press(solo.ada, shown, Verb.REPLAY)
    assert f"Deal of the day {solo.board.number}" in text(shown)
    assert "Replay" in text(shown)


async def test_replay_offers_older_rounds_while_newer_hands_are_closed(solo: Solo) -> None:
    await solo.end_day()
    store, ada, now = solo.world.bot.store, UserId(solo.ada.id), solo.world.env.now()
    server, channel = GuildId(solo.world.guild.id), ChannelId(1)
    for other in (UserId(7), UserId(8)):
        new = Challenge(ChallengeId(0), ada, other, server, channel, "accepted", now, now)
        secrets = [f"{number:064x}" for number in DEAL_NUMBERS]
        challenge = await store.challenges.add(new, secrets)
        for board in await solo.world.bot.boards.of_challenge(challenge.id):
            await stored_round(store, board, ada, now, name="Ada", seed=3)
    shown = page(await solo.ada.slash("tichu replay"))
    assert f"Deal of the day {solo.board.number}" in text(shown)
    assert "Challenge" not in text(shown)


async def test_round_is_gone_after_an_erasure(solo: Solo) -> None:
    await solo.end_day()
    assert await solo.world.bot.tables.forgetting.forget(UserId(solo.ada.id))
    for verb, args in ((Verb.REPLAY, REPLAY), (Verb.REVIEW, REVIEW)):
        assert told(await solo.click(verb, args)) == refusal(Reason.UNKNOWN_BUTTON)
