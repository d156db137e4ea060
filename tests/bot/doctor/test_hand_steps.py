"""Steps with people: two people in a simulated Discord follow the doctor's instructions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from simcord.backend.errors import BackendError

from bot.doctor.behaviour import DiscordBehaviour
from bot.doctor.steps import STEPS
from tests.bot.doctor.clinic import NO, YES, Clinic, Request, clinic
from tests.bot.doctor.test_steps import seen, stored

TOKEN = r"/webhooks/\d+/[^/]+"
BY_HAND = [step.number for step in STEPS if step.needs_operator]


@pytest.fixture
async def there() -> AsyncIterator[Clinic]:
    async with clinic() as started:
        yield started
        assert list(started.everything()) == [], "the doctor has left something"


def as_expected(there: Clinic) -> None:
    """Let people see and press what is expected."""
    there.answers = {"words of a page": [NO], "still there": [NO], "get a ping": [NO]}
    there.cannot = lambda line: "no member:" in line and "desktop" not in line

    def mentioned(request: Request) -> Any:
        """Add mentioned people on an edit, as Discord is reported to do and SimCord does not."""
        edited = request.usual()
        thread_id = int(request.path.split("/")[2])
        for user_id in request.body.get("allowed_mentions", {}).get("users", ()):
            there.env.backend.add_thread_member(thread_id, int(user_id))
        return edited

    there.plant("PATCH", r"/channels/\d+/messages/\d+", mentioned)


async def test_everything_is_as_expected(there: Clinic) -> None:
    as_expected(there)
    outcomes = await there.outcomes(*BY_HAND)
    unexpected = {
        number: seen(outcome).observed
        for number, outcome in outcomes.items()
        if not seen(outcome).as_expected
    }
    assert unexpected == {}
    assert stored(there).behaviour.unexpected() == {"adds_members_by": "mention"}, "says less"


async def test_each_step_can_be_skipped(there: Clinic) -> None:
    there.cannot = lambda line: True
    outcomes = await there.outcomes(*BY_HAND)
    assert {outcome.skipped for outcome in outcomes.values()} == {"nobody pressed"}
    assert there.store.stored is None


async def test_question_can_be_left_unanswered(there: Clinic) -> None:
    there.answers = {"still there": [""]}
    assert (await there.outcome(20)).skipped == "nobody answered"


@pytest.mark.parametrize("path", [TOKEN + r"/messages/\d+", TOKEN + "/messages/@original"])
async def test_finds_that_a_follow_up_has_one_name_only(there: Clinic, path: str) -> None:
    there.refuse("PATCH", path, 404, 10008)
    outcome = seen(await there.outcome(13))
    assert not outcome.as_expected
    assert "404/10008" in outcome.observed


async def test_finds_that_an_earlier_token_is_dead(there: Clinic) -> None:
    edits = []

    def second_refused(request: Request) -> Any:
        edits.append(request)
        if len(edits) > 1:
            raise BackendError(401, 50027, "Invalid Webhook Token")
        return request.usual()

    there.plant("PATCH", TOKEN + "/messages/@original", second_refused)
    outcome = seen(await there.outcome(14))
    assert not outcome.as_expected
    assert "edit by the press before 401/50027" in outcome.observed


async def test_measures_the_token_lifetime_if_the_operator_waits(there: Clinic) -> None:
    there.answers = {"Wait up to": [YES]}
    outcome = seen(await there.outcome(16))
    assert "the token works for 14 minutes, then 404/10015" in outcome.observed


async def test_finds_that_an_update_without_a_list_keeps_the_picture(there: Clinic) -> None:
    def keeps(request: Request) -> Any:
        kept = request.usual()
        return {**kept, "attachments": [{"id": "1"}]}

    there.plant("GET", r"/channels/\d+/messages/\d+", keeps)
    outcome = seen(await there.outcome(15))
    assert (outcome.observed, outcome.as_expected) == ("the picture is kept", False)


async def test_finds_that_token_edits_share_the_global_limit(there: Clinic) -> None:
    def limited(request: Request) -> Any:
        path = f"/api/v10{request.path}"
        there.api.record_response("PATCH", path, 429, {"X-RateLimit-Scope": "global"})
        there.api.record_response("PATCH", path, 200, {"X-RateLimit-Limit": "5"})
        return request.usual()

    there.plant("PATCH", TOKEN + "/messages/@original", limited)
    outcome = seen(await there.outcome(16))
    assert not outcome.as_expected
    assert "20 times 429 (global)" in outcome.observed
    assert "5 requests a window" in outcome.observed


@pytest.mark.parametrize("seen_words", [(YES, YES), (NO, NO)])
async def test_finds_that_a_phone_shows_other_words(
    there: Clinic, seen_words: tuple[str, str]
) -> None:
    page, line = seen_words
    there.answers = {"words of a page": [page], "words of a line": [line]}
    outcome = seen(await there.outcome(17))
    assert not outcome.as_expected
    assert ("report it" in outcome.effect) is (line == NO)


async def test_finds_that_strangers_can_press_in_an_archived_thread(there: Clinic) -> None:
    outcome = seen(await there.outcome(18))
    assert not outcome.as_expected
    assert outcome.observed.count("yes") == 6


async def test_chooses_a_mention_where_a_request_pings(there: Clinic) -> None:
    as_expected(there)
    there.answers = {"get a ping for “Doctor 19, by a request”": [YES], "get a ping": [NO]}
    outcome = seen(await there.outcome(19))
    assert not outcome.as_expected
    assert stored(there).behaviour.unexpected() == {"adds_members_by": "mention"}


async def test_chooses_a_request_where_a_mention_adds_nobody(there: Clinic) -> None:
    there.answers = {"get a ping": [NO]}
    outcome = seen(await there.outcome(19))
    assert not outcome.as_expected
    assert stored(there).behaviour == DiscordBehaviour()


async def test_finds_that_a_direct_message_does_not_arrive(there: Clinic) -> None:
    there.answers = {"direct message": [NO]}
    outcome = seen(await there.outcome(12))
    assert not outcome.as_expected
    assert outcome.observed.endswith("200, but it has not arrived")


async def test_finds_that_a_private_page_survives_a_restart(there: Clinic) -> None:
    outcome = seen(await there.outcome(20))
    assert (outcome.observed, outcome.as_expected) == ("still there", False)


async def test_keeps_other_commands_of_the_server(there: Clinic) -> None:
    other = {"name": "tichu", "type": 1, "description": "Tichu"}
    there.env.backend.register_commands(there.guild.id, [other])
    await there.outcome(13)
    assert list(there.everything()) == ["command tichu"]
    there.env.backend.commands.clear()


async def test_cleans_up_when_stopped(there: Clinic) -> None:
    """Ctrl-C cancels the work while somebody is to press a button."""
    there.cannot = lambda line: False
    waits = asyncio.Event()
    there.keys.show = lambda line: waits.set()
    work = asyncio.ensure_future(there.outcomes(14))
    await waits.wait()
    assert len(list(there.everything())) == 2
    work.cancel()
    await asyncio.wait([work])
    assert work.cancelled()


async def test_removes_a_message_posted_during_the_stop(there: Clinic) -> None:
    visit = there.visit()
    slow = asyncio.Event()
    request = there.api.request

    async def slowly(*given: Any, **named: Any) -> Any:
        answer = await request(*given, **named)
        await slow.wait()
        return answer

    there.api.request = slowly  # type: ignore[method-assign]
    posting = asyncio.ensure_future(visit.post({"content": "late"}))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    posting.cancel()
    await asyncio.sleep(0)
    slow.set()
    await asyncio.wait([posting])
    assert posting.cancelled()
    assert len(list(there.everything())) == 1
    await visit.clean_up()
