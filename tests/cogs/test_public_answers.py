"""Public buttons without a private answer: the channel writes the message once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import discord
import pytest
from simcord import ResponseMessage

from bot.ids import ChannelId
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.delivery.slow_requests import SlowRequests
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.table_play import seat_without_hands
from tests.cogs.worlds import World
from tests.simcord_clicks import (
    Person,
    controls,
    find,
    from_outside,
    has,
    messages,
    numbers,
    requests_since,
    shown,
    text,
)


class SlowAnswers:
    """Holds answers to clicks until a test releases them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.slow = True
        self._waiting: list[asyncio.Future[None]] = []
        for name in ("edit_message", "defer"):
            now = getattr(discord.InteractionResponse, name)
            monkeypatch.setattr(discord.InteractionResponse, name, self._slowed(now))

    def _slowed(self, answer: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def slowed(*given: Any, **more: Any) -> Any:
            if self.slow:
                let = asyncio.get_running_loop().create_future()
                self._waiting.append(let)
                await from_outside(let, "a slow answer")
            return await answer(*given, **more)

        return slowed

    async def arrive(self, world: World) -> None:
        """Release all waiting answers."""
        for let in self._waiting:
            let.set_result(None)
        await world.env.settle()


async def asked(world: World, phase: Phase, *names: str) -> list[Person]:
    """Return people at a table in this phase."""
    people = world.people(*names)
    await seat_without_hands(world, people, target=5000)
    await fast_forward(world, reached(phase))
    return people


def written(world: World, cursor: int, message: ResponseMessage) -> int:
    """Return how often the bot has rewritten a message since then."""
    edits = [entry for entry in requests_since(world.env, cursor) if _writes(entry.json)]
    paths = [entry.path.rsplit("/", 1)[-1] for entry in edits]
    return paths.count(str(message.id)) + paths.count("callback")


def _writes(body: object) -> bool:
    """Return whether a request carries a page; a plain acknowledgement carries none."""
    return isinstance(body, dict) and bool((body.get("data") or body).get("components"))


@pytest.mark.parametrize("verb", [Verb.READY, Verb.PAUSE])
async def test_late_answer_does_not_restore_a_finished_round(
    world: World, monkeypatch: pytest.MonkeyPatch, verb: Verb
) -> None:
    ada, ben = await asked(world, Phase.ROUND_END, "Ada", "Ben")
    result, _ = world.newest_with(verb)
    answers = SlowAnswers(monkeypatch)
    await ada.press(verb, on=result)
    answers.slow = False
    if verb is Verb.PAUSE:
        await ben.press(Verb.RESUME, on=result)
        await ada.press(Verb.READY, on=result)
    await ben.press(Verb.READY, on=result)
    await world.to_next_deadline()
    assert world.game().phase is Phase.GRAND
    await answers.arrive(world)
    left = {control.verb for control in controls(result)}
    assert left - {Verb.SHARE_MOMENT} == {Verb.REPLAY, Verb.REVIEW}


async def test_late_answer_does_not_restore_a_vote(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, ben, cai, dan = await asked(world, Phase.TURN, "Ada", "Ben", "Cai", "Dan")
    await ada.slash("tichu stop")
    vote, _ = world.newest_with(Verb.AGREE)
    answers = SlowAnswers(monkeypatch)
    await ben.press(Verb.AGREE, on=vote)
    answers.slow = False
    for person in (ada, ben, cai, dan):
        if has(vote, Verb.PLAY_ON):
            await person.press(Verb.PLAY_ON, on=vote)
    assert controls(vote) == []
    await answers.arrive(world)
    assert controls(vote) == []


async def test_each_click_writes_the_result_once(world: World) -> None:
    ada, ben, *_ = await asked(world, Phase.ROUND_END, "Ada", "Ben", "Cai")
    result, _ = world.newest_with(Verb.READY)
    for person, verb in ((ada, Verb.READY), (ben, Verb.PAUSE), (ben, Verb.RESUME)):
        cursor = len(world.env.http_requests)
        await person.press(verb, on=result)
        assert written(world, cursor, result) == 1, verb


async def test_each_click_writes_the_vote_once(world: World) -> None:
    ada, ben, *_ = await asked(world, Phase.TURN, "Ada", "Ben", "Cai", "Dan")
    await ada.slash("tichu stop")
    vote, _ = world.newest_with(Verb.AGREE)
    for person, verb in ((ben, Verb.AGREE), (ben, Verb.PLAY_ON)):
        cursor = len(world.env.http_requests)
        await person.press(verb, on=vote)
        assert written(world, cursor, vote) == 1, verb


async def test_deleted_vote_is_posted_again(world: World) -> None:
    ada, ben, cai, _ = await asked(world, Phase.TURN, "Ada", "Ben", "Cai", "Dan")
    await ada.slash("tichu stop")
    vote, _ = world.newest_with(Verb.AGREE)
    world.env.backend.delete_message(world.channel.id, vote.id)
    await ben.slash("tichu stop")
    again, _ = world.newest_with(Verb.AGREE)
    assert world.game().messages.vote == again.id != vote.id
    assert shown(again, "Ada", "Ben") == ["Ada", "Ben"]
    await cai.press(Verb.AGREE, on=again)
    assert not world.bot.tables.in_channel(ChannelId(world.channel.id))


async def test_many_early_votes_post_one_message(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, ben, *_ = await asked(world, Phase.TURN, "Ada", "Ben", "Cai", "Dan")
    posts = SlowRequests(monkeypatch, "POST", "/channels/{channel_id}/messages")
    posts.slow, begin = True, len(messages(world.env, world.channel))
    await ada.slash("tichu stop")
    await ben.slash("tichu stop")
    posts.let_go()
    await world.env.settle()
    (vote,) = messages(world.env, world.channel)[begin:]
    assert world.game().messages.vote == vote.id
    assert shown(vote, "Ada", "Ben") == ["Ada", "Ben"]
    await world.restart()
    assert [m.id for m in messages(world.env, world.channel)[begin:]] == [vote.id]


async def test_end_of_a_match_is_posted_once(world: World) -> None:
    ada, ben, cai, _ = await asked(world, Phase.TURN, "Ada", "Ben", "Cai", "Dan")
    begin = len(messages(world.env, world.channel))
    await ada.slash("tichu stop")
    vote, _ = world.newest_with(Verb.AGREE)
    await ben.press(Verb.AGREE, on=vote)
    await cai.press(Verb.AGREE, on=vote)
    (told,) = messages(world.env, world.channel)[begin:]
    assert told.id != vote.id, "the vote goes, and what comes of it is told"
    assert "🔓" in text(told)


async def test_last_round_is_posted_once(world: World) -> None:
    people = world.people("Ada", "Ben", "Cai")
    await seat_without_hands(world, people, variant="grandseigneur", seats=5)
    await fast_forward(world, reached(Phase.TURN))
    begin = len(messages(world.env, world.channel))
    for person in people[:2]:
        await person.slash("tichu stop")
    assert world.game().last_round
    (vote,) = messages(world.env, world.channel)[begin:]
    assert controls(vote) == []


async def test_last_round_is_posted_for_one_person_alone(world: World) -> None:
    (ada,) = world.people("Ada")
    await seat_without_hands(world, [ada], variant="grandseigneur", seats=5)
    await fast_forward(world, reached(Phase.TURN))
    begin = len(messages(world.env, world.channel))
    await ada.slash("tichu stop")
    assert world.game().last_round
    assert len(messages(world.env, world.channel)) == begin + 1


async def test_result_does_not_name_a_newcomer_between_rounds(
    world: World,
) -> None:
    ada, *_ = await asked(world, Phase.ROUND_END, "Ada", "Ben")
    result, _ = world.newest_with(Verb.READY)
    (eve,) = world.people("Eve")
    seat = next(chair.seat for chair in world.game().chairs if chair.kind == "computer")
    names = [chair.name for chair in world.game().chairs]
    before = shown(result, *names)
    opened = await eve.press(Verb.HAND)
    assert opened.response is not None
    await eve.press(Verb.SIT, str(seat), on=opened.response)
    assert world.game().chairs[seat].name == "Eve"
    for _ in range(2):
        assert shown(result, *names, "Eve") == before
        await world.restart()
        await ada.press(Verb.READY, on=result)
    assert numbers(find(result, Verb.READY).label) == [1, 3]
    await fast_forward(world, reached(Phase.TURN))
    await fast_forward(world, reached(Phase.ROUND_END))
    assert world.game().notes.played == {}
    assert "Eve" in shown(world.newest_with(Verb.READY)[0], "Eve")
